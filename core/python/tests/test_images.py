"""Shapes, types, memory."""

import warnings

import numpy as np
import pytest

import satblur


@pytest.mark.parametrize("channels", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float16", "float32"])
def test_types(rng, channels, dtype):
    shape = (40, 50) + (channels,) * bool(channels)
    image = rng.random(shape)
    image = image.astype(dtype) if dtype[0] == "f" else (image * np.iinfo(dtype).max).astype(dtype)
    depth = np.tile(np.arange(50, dtype=np.uint8) * 5, (40, 1))
    result = satblur.dof(image, depth, focus=0.0, max_radius=9)
    assert result.shape == shape and result.dtype == image.dtype and not np.array_equal(result, image)


def test_float32_is_codes_of_16_bits(scene, rng):
    image = rng.random((60, 80, 3), dtype=np.float32)
    image[0, 0] = [np.nan, -1, 2]
    warnings.simplefilter("ignore")  # these are warned of
    codes = np.floor(np.nan_to_num(np.clip(image, 0, 1), nan=0) * np.float32(65535) + np.float32(0.5)).astype(np.uint16)
    wanted = satblur.dof(codes, scene[1]).astype(np.float32) / np.float32(65535)
    assert np.array_equal(satblur.dof(image, scene[1]), wanted)
    wide = np.zeros((60, 200, 3), np.float32)
    wide[:, 50:130] = image
    assert np.array_equal(satblur.dof(wide[:, 50:130], scene[1]), wanted)


@pytest.mark.parametrize("shape", [(400, 333, 3), (2, 200, 333, 1), (7, 5)])
def test_floats_are_converted_as_numpy_does(rng, shape):
    """By several threads, in vectors: every number of float16, and numbers of float32 that are not among them."""
    warnings.simplefilter("ignore")  # infinities, NaN and negative numbers are warned of
    light = np.exp(rng.normal(0, 6, shape)).astype(np.float32)
    some = light.reshape(-1)[::2]
    some[:] = np.resize(np.arange(65536, dtype=np.uint16).view(np.float16), some.size)
    halves = light.astype(np.float16)
    wanted = satblur.box(halves, 1, transfer="linear")
    kept = wanted.view(np.uint16) == halves.view(np.uint16)
    result = satblur.box(light, 1, transfer="linear")
    assert np.array_equal(result, np.where(kept, light, wanted.astype(np.float32)), equal_nan=True) and not kept.all()
    assert satblur.box(light, 1, transfer="linear", out=light) is light and np.array_equal(light, result, equal_nan=True)
    codes = rng.random(shape).astype(np.float16)
    wanted = satblur.box(codes.astype(np.float32), 1).astype(np.float16)
    assert np.array_equal(satblur.box(codes, 1), wanted) and not np.array_equal(codes, wanted)


# --- Transfer -------------------------------------------------------------------------------------


def to_light(codes):
    """Returns the light of sRGB codes, 0 to 1 (IEC 61966-2-1)."""
    return np.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)


def to_codes(light):
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)


def mean_of_9(samples):
    """Returns the means of 3 x 3 pixels, without the border."""
    high, wide = samples.shape[0] - 2, samples.shape[1] - 2
    return sum(samples[y : y + high, x : x + wide] for y in range(3) for x in range(3)) / 9


def inside(samples):
    return samples[1:-1, 1:-1].astype(np.float64)


TYPES = {"uint8": 255, "uint16": 65535, "float16": 1, "float32": 1, "float64": 1}  # to the largest code
STEPS = {"uint8": 1 / 255, "float16": 1 / 1024}


@pytest.mark.parametrize("dtype", TYPES)
def test_transfer_says_what_samples_are(scene, dtype):
    """The same numbers give the same result in each type, within its step."""
    image, step = scene[0] / 255.0, STEPS.get(dtype, 1e-4)
    given = (image * TYPES[dtype]).round(9).astype(dtype)
    codes = inside(satblur.box(given, 1)) / TYPES[dtype]
    light = inside(satblur.box(given, 1, transfer="linear")) / TYPES[dtype]
    assert np.abs(codes - to_codes(mean_of_9(to_light(image)))).max() <= step
    assert np.abs(light - mean_of_9(image)).max() <= max(step, 1 / 1024)  # floats are half floats
    assert np.array_equal(satblur.box(given, 1), satblur.box(given, 1, transfer="srgb"))
    plain = satblur.box(given, 1, linear=False)
    assert np.abs(inside(plain) / TYPES[dtype] - mean_of_9(image)).max() <= step
    depth = scene[1]
    for function in (lambda t: satblur.dof(given, depth, max_radius=9, transfer=t), lambda t: satblur.coc(given, depth, transfer=t),
                     lambda t: satblur.blur_map(given, depth, 9, transfer=t)):  # fmt: skip
        assert function("srgb").dtype in (given.dtype, np.uint16) and function("linear").shape == function("srgb").shape


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_light_above_1_stays(scene, dtype):
    light = ((scene[0] / 32.0) ** 2).astype(dtype)  # up to 63
    result = satblur.box(light, 1, transfer="linear")
    assert result.dtype == light.dtype and np.abs(inside(result) / mean_of_9(light.astype(float)) - 1).max() < 1 / 1024
    assert result.max() > 20
    kept = satblur.dof(light, scene[1], protect=scene[1] < 60, max_radius=9, transfer="linear")
    assert np.array_equal(kept[scene[1] < 60], light[scene[1] < 60]) and not np.array_equal(kept, light)
    out = light[::-1].copy()[::-1]
    assert satblur.box(light, 1, transfer="linear", out=out) is out and np.array_equal(out, result)


@pytest.mark.parametrize("fringe", [0, 0.3])
def test_transparency_changes_no_colour(scene, fringe):
    """A thin part that is opaque, in front of nothing, keeps its colour; and what transparent pixels hide shows nowhere."""
    image, rows = np.full_like(scene[0], (237, 245, 19)), np.arange(60)[:, None].repeat(80, 1)
    depth = np.where(rows < 30, 230, 40).astype(np.uint8)
    cutout = np.dstack([image, np.where(rows % 30 < 2, 255, 0).astype(np.uint8)])
    hidden = np.where(cutout[..., 3:] == 0, np.dstack([scene[0], cutout[..., 3]]), cutout)
    one, other = (satblur.dof(each, depth, focus=1, max_radius=9, fringe=fringe, edges="keep") for each in (cutout, hidden))
    shown = one[..., 3] > 16
    assert np.array_equal(one[one[..., 3] > 0], other[one[..., 3] > 0]) and 0.1 < shown.mean()
    assert np.abs(one[shown][:, :3].astype(int) - image[0, 0]).max() <= 6
    light = (cutout / 255.0 * (cutout[..., 3:] / 255.0)).astype(np.float16)  # times alpha
    light = satblur.dof(light, depth, focus=1, max_radius=9, edges="keep", transfer="linear").astype(float)
    assert np.abs(light[shown][:, :3] / light[shown][:, 3:] - image[0, 0] / 255.0).max() <= 0.01


def test_a_pixel_that_is_not_opaque_changes_nothing_afar(scene):
    """Points of light are those of the opaque picture."""
    image = np.full_like(scene[0], 9)
    image[20, 20] = 255
    rgba = np.dstack([image, np.full_like(image[..., 0], 255)])
    rgba[50, 70, 3] = 254
    opaque, other = (satblur.dof(each, scene[1] * 0 + 200, focus=0.1, max_radius=9) for each in (image, rgba))
    assert opaque.max() < 255 and np.ptp(opaque[20, :40, 0]) > 9
    assert np.array_equal(opaque[:40, :60], other[:40, :60, :3])


def test_batch(scene):
    image, depth = scene
    images, depths = np.stack([image, image[::-1]]), np.stack([depth, depth[::-1]])
    both = satblur.dof(images, depths, max_radius=6)
    assert np.array_equal(both[0], satblur.dof(image, depth, max_radius=6))
    assert np.array_equal(both[1], satblur.dof(images[1], depths[1], max_radius=6))
    one = satblur.dof(images, depth, max_radius=6)
    assert np.array_equal(one[1], satblur.dof(images[1], depth, max_radius=6))
    floats = satblur.dof(images, depths.astype(np.float32) / 3, max_radius=6, report=True)
    assert len(floats[1]) == 2 and np.array_equal(floats[0][1], satblur.dof(images[1], depths[1] / 3.0, max_radius=6))
    single = images[:1].astype(np.float32) / 255
    assert satblur.dof(single, depths[:1]).shape == single.shape


@pytest.mark.parametrize("number", [1, 3])
def test_batch_of_float_mattes(scene, number):
    image, depth = scene
    images, mattes = np.stack([image] * number), np.stack([depth > 100] * number).astype(np.float32)
    wanted = satblur.dof(image, matte=(depth > 100).astype(np.uint8) * 255)
    for matte in (mattes, mattes[..., None], mattes[0]):
        assert np.array_equal(satblur.dof(images, matte=matte)[-1], wanted)


def test_layout(scene):
    image, depth = scene
    first = np.ascontiguousarray(image.transpose(2, 0, 1))
    wanted = satblur.dof(image, depth).transpose(2, 0, 1)
    assert np.array_equal(satblur.dof(first, depth, layout="CHW"), wanted)
    out = np.empty_like(first)
    assert satblur.dof(first, depth, layout="CHW", out=out) is out and np.array_equal(out, wanted)
    assert np.array_equal(satblur.dof(first[None], depth, layout="CHW")[0], wanted)


def test_no_copies(scene):
    """Crops are read and written where they are, and what is around them stays."""
    image, depth = scene
    large = np.zeros((100, 120, 3), np.uint8)
    large[10:70, 20:100] = image
    wanted = satblur.dof(image, depth)
    target = np.zeros_like(large)
    out = target[10:70, 20:100]
    assert satblur.dof(large[10:70, 20:100], depth, out=out) is out
    assert np.array_equal(out, wanted) and target.sum(dtype=int) == wanted.sum(dtype=int)
    assert satblur.dof(image, depth, out=image) is image and np.array_equal(image, wanted)


def test_halves_side_by_side(scene):
    wide = np.zeros((60, 160, 3), np.uint8)
    wide[:, :80] = scene[0]
    satblur.box(wide[:, :80], 3, out=wide[:, 80:])
    assert np.array_equal(wide[:, 80:], satblur.box(scene[0], 3))


def test_read_only_input(scene):
    image, depth = scene
    wanted = satblur.dof(image, depth)
    image.flags.writeable = depth.flags.writeable = False
    assert np.array_equal(satblur.dof(image, depth), wanted)


def test_report(scene):
    _, report = satblur.dof(*scene, focus=(40, 30), report=True)
    assert (report.focus_x, report.focus_y) == (40, 30) and 0 < report.focus <= 1 and report.method == "layered"


def test_coc(scene):
    image, depth = scene
    circles, report = satblur.coc(image, depth, focus=0.5, max_radius=10, report=True)
    assert circles.dtype == np.uint16 and circles.shape == (60, 80) and report.full_radius == 10
    assert circles.min() < 32768 < circles.max()
    assert satblur.coc(np.stack([image, image]), depth).shape == (2, 60, 80, 1)


def test_depth_codes():
    codes, (least, most, unknown) = satblur.depth_codes(np.array([[1, 2, np.nan, np.inf]], np.float32), "linear")
    assert codes.tolist() == [[65535, 32768, 0, 1]] and (least, most, unknown) == (1, 2, 1)


def test_buffers():
    """Other objects with a buffer are read in place, too."""
    view = memoryview(bytearray(range(48))).cast("B", (6, 8))
    assert np.array_equal(satblur.box(view, 1), satblur.box(np.asarray(view), 1))
