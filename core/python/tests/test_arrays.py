"""Primitives, tables and statistics against numpy."""

import numpy as np
import pytest

import satblur


def test_scan(rng):
    values = rng.integers(0, 2**32, 5000, dtype=np.uint32)
    assert np.array_equal(satblur.scan(values), np.cumsum(values, dtype=np.uint32))
    wide = values.astype(np.uint64)
    assert np.array_equal(satblur.scan(wide, exclusive=True), np.cumsum(wide) - wide)
    assert np.array_equal(satblur.scan(values, op="max"), np.maximum.accumulate(values))
    assert satblur.scan(wide, out=wide) is wide and wide[-1] == values.sum(dtype=np.uint64)


def test_reduce(rng):
    values = rng.integers(0, 2**32, 5000, dtype=np.uint32)
    assert satblur.reduce(values) == values.sum(dtype=np.uint64)
    assert satblur.reduce(values, "product") == np.prod(values.astype(np.uint64))
    assert satblur.reduce(values, "min") == values.min() and satblur.reduce(values, "argmax") == values.argmax()
    assert satblur.reduce(values[:0], "argmin") == 2**64 - 1


def test_compact(rng):
    values = rng.integers(0, 1000, 5000, dtype=np.uint32)
    kept, places = satblur.compact(values, 100, 300)
    wanted = np.flatnonzero((values >= 100) & (values <= 300))
    assert np.array_equal(places, wanted) and np.array_equal(kept, values[wanted])


def test_sort(rng):
    keys = rng.integers(0, 50, 5000, dtype=np.uint64)
    values = np.arange(5000, dtype=np.uint32)
    order = np.argsort(keys, kind="stable")
    wanted = keys[order]
    satblur.sort(keys, values)
    assert np.array_equal(keys, wanted) and np.array_equal(values, order)
    with pytest.raises(TypeError, match="in place"):  # a copy would be sorted
        satblur.sort(keys.astype(">u8"))


def test_nothing():
    assert satblur.scan(np.empty(0, np.uint32)).size == 0
    satblur.sort(np.empty(0, np.uint32))
    assert satblur.compact(np.empty(0, np.uint32), 0, 1)[0].size == 0


@pytest.mark.parametrize("bits,dtype", [(32, np.uint32), (64, np.uint64)])
def test_table(scene, bits, dtype):
    image = scene[0]
    wanted = image.astype(dtype).cumsum(0, dtype).cumsum(1, dtype)
    assert np.array_equal(satblur.table(image, bits=bits), wanted)
    assert np.array_equal(satblur.table(np.stack([image, image]), bits=bits)[1], wanted)
    out = np.empty(image.shape, wanted.dtype)
    assert satblur.table(image, out=out) is out and np.array_equal(out, wanted)


@pytest.mark.parametrize("dtype,height", [(np.uint8, 257), (np.uint16, 1)])
def test_table_is_as_wide_as_its_sums(dtype, height):
    """White pixels of 65537 columns have the largest sum of 32 bits."""
    white = np.full((height, 65538), np.iinfo(dtype).max, dtype)
    fits, more = satblur.table(white[:, 1:]), satblur.table(white)
    assert (fits.dtype, fits[-1, -1]) == (np.uint32, 2**32 - 1) and more.dtype == np.uint64 and more[-1, -1] >= 2**32
    assert satblur.table(np.stack([white[:, 1:, None]] * 2)).dtype == np.uint32
    with pytest.raises(ValueError, match=r"shape \(9,\); give \(height, width\)"):
        satblur.table(white[0, :9])


def test_measure(scene):
    image = scene[0]
    stats = satblur.measure(image)
    assert [s.sum for s in stats] == list(image.sum((0, 1), dtype=int))
    assert stats[1].mean == pytest.approx(image[..., 1].mean()) and stats[2].max == image[..., 2].max()
    assert list(stats[0].histogram) == list(np.bincount(image[..., 0].ravel(), minlength=256))
    assert len(satblur.measure(image, luminance=True)) == 1


def test_box_is_the_mean(scene):
    image = scene[0][..., 0].copy()
    wanted = (int(image[10:15, 20:25].astype(int).sum()) * 2 + 25) // 50
    assert satblur.box(image, 2, linear=False)[12, 22] == wanted
