"""The mattes and depth maps of satblur-depth: masks that are fitted to a photo, and the two to each other."""

import numpy as np
import pytest

pillow = pytest.importorskip("PIL.Image", reason="SKIPPED LOUDLY: no Pillow, so satblur-depth is not tested")

from satblur import _mask  # noqa: E402


def test_a_mask_is_fitted():
    """The edge of a coarse mask goes to the photo's edge, which is beside it."""
    light = np.full((300, 400), 40, np.uint8)
    light[:, 199:] = 200
    light[40:44, 179:199] = light[80:82, 179:199] = 200  # hairs
    picture = pillow.fromarray(light).convert("RGB")
    coarse = np.zeros((75, 100), np.float32)
    coarse[:, 49:] = 1  # from 196 on
    matte = _mask.fitted(coarse, picture)
    assert matte.shape == (300, 400)
    assert matte[100:, :199].max() < 0.4 and matte[100:, 199:].min() > 0.95
    assert matte[41:43, 193:199].min() > 0.5 and matte[80:82, 193:199].min() > 0.5  # hairs near the edge belong to it


@pytest.mark.parametrize("sure,unsure,wanted", [(30, 5, True), (30, 20, False), (0, 0, False), (0, 50, False), (100, 0, True)])
def test_a_mask_is_decided(sure, unsure, wanted):
    mask = np.zeros((10, 100), np.float32)
    mask[:, :sure], mask[:, sure : sure + unsure] = 1, 0.5
    assert _mask.decided(mask) == wanted


def step(edge, width=200, height=120, soft=6):
    """A depth map of a near left side, whose soft step overshoots before it ends in the middle of `edge`."""
    ramp = np.interp(np.arange(width), [edge - soft, edge - soft / 2, edge + soft / 2], [5, 5.5, 1])
    return np.tile(ramp.astype(np.float32), (height, 1))


def test_a_mask_is_settled_by_the_depth():
    """A gray part of a mask, as the network is unsure of it, becomes what the depth has there."""
    mask = np.zeros((120, 200), np.float32)
    mask[:, :100] = 1
    mask[:, 99:102] = (0.75, 0.5, 0.25)  # an outline
    mask[30:50, 70:100] = 0.4  # of the subject
    mask[70:90, 102:130] = 0.6  # of the rest
    result = _mask.settled(mask, step(100))
    assert result.dtype == np.float32 and result.shape == mask.shape
    assert result[32:48, 72:96].min() > 0.85 and result[72:88, 106:128].max() < 0.25
    elsewhere = np.r_[0:20, 56:64, 98:120]
    assert np.array_equal(result[elsewhere], mask[elsewhere])
    assert np.array_equal(_mask.settled(mask, np.ones((50, 90), np.float32)), mask)  # no step, of a map of another size
    assert np.array_equal(_mask.settled(mask, np.full((120, 200), np.nan, np.float32)), mask)
    assert _mask.settled(mask, step(100)[:, ::-1].copy())[32:48, 72:96].max() < 0.5  # a subject that is farther is none


@pytest.mark.parametrize("shift", [-2, 0, 2])
def test_a_depth_map_agrees_with_the_matte(shift):
    """The step of the map moves to the matte's outline, and its soft rim goes."""
    depth, matte = step(100 + shift), np.zeros((480, 800), np.float32)
    matte[:, :400] = 1
    result = _mask.agreed(depth, matte)
    assert result.dtype == np.float32 and result.shape == depth.shape
    assert abs(result[:, 96:100] - 5).max() < 0.15 and abs(result[:, 100:104] - 1).max() < 0.15
    assert np.array_equal(result[:, :90], depth[:, :90]) and np.array_equal(result[:, 110:], depth[:, 110:])
    flat = depth * 0 + 3
    assert np.array_equal(_mask.agreed(flat, matte), flat)
    holes = np.where(np.arange(200) % 7 == 0, np.nan, depth)
    assert np.array_equal(np.isnan(_mask.agreed(holes, matte)), np.isnan(holes))
