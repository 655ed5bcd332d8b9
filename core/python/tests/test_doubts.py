"""What the program refuses or notes is refused or warned of here, too; other scales are never taken in silence."""

import copy
import multiprocessing
import pickle
import warnings

import numpy as np
import pytest

import satblur
from satblur import _frameworks


@pytest.fixture
def photo():
    """A picture with a subject, of 120 x 90 pixels, and its map."""
    y, x = np.mgrid[:90, :120]
    waves = np.stack([np.sin(x / 9) * np.cos(y / 7), np.sin((x + y) / 13), np.cos(x / 5 - y / 11)], axis=2)
    depth = (y + 140 * ((x - 60) ** 2 + (y - 40) ** 2 < 700)).astype(np.uint8)
    return (127 + 120 * waves).astype(np.uint8), depth


def false_colours(depth):
    """The map in colours of no known scale."""
    steps = depth.astype(int)
    return np.stack([steps * 7 % 256, 255 - steps, steps * 3 % 256], axis=2).astype(np.uint8)


def ground():
    """The map of a floor, near below."""
    return np.repeat(np.arange(90, dtype=np.uint8)[:, None] * 2, 120, axis=1)


def beside(image, depth):
    return np.concatenate([image, np.repeat(depth[..., None], 3, axis=2)])


REFUSED = {
    "the photo": lambda image, depth: (image, "image itself"),
    "false colours": lambda image, depth: (false_colours(depth), "false-colour"),
    "turned": lambda image, depth: (np.ascontiguousarray(depth.T), "turned"),
    "photo and map": lambda image, depth: (beside(image, depth), "beside a map"),
}
DOUBTED = {
    "narrow": lambda image, depth: (depth // 16 + 3, "codes 3 to 1"),
    "0 and 1": lambda image, depth: (depth // 128, "depth_range=(0, 0.00392"),
    "flat": lambda image, depth: (np.full_like(depth, 77), "the same everywhere"),
    "stretched": lambda image, depth: (np.ascontiguousarray(depth[:, :100]), "not have the proportions"),
    "photo in gray": lambda image, depth: (image.mean(axis=2).astype(np.uint8), "in gray"),
    "swapped": lambda image, depth: (ground()[::-1].copy(), "near and far were swapped"),
    "tinted": lambda image, depth: (np.stack([depth, depth, np.where(depth < 8, 60, depth)], axis=2).astype(np.uint8), "channels"),
}


def warned(function, *args, **options):
    """Returns the result and the warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(*args, **options)
    assert all(each.filename == __file__ for each in caught), [str(each) for each in caught]
    return result, [str(each.message) for each in caught]


@pytest.mark.parametrize("kind", REFUSED)
def test_refused_as_by_the_program(photo, run_program, kind):
    image, depth = photo
    map, words = REFUSED[kind](image, depth)
    for function in (satblur.dof, satblur.coc):
        with pytest.raises(ValueError, match=words):
            function(image, map)
    with pytest.raises(ValueError, match=words):
        satblur.blur_map(image, map, 5)
    assert run_program(image, "--depth", map).returncode == 1


@pytest.mark.parametrize("kind", DOUBTED)
def test_doubted_as_by_the_program(photo, run_program, kind):
    image, depth = photo
    map, words = DOUBTED[kind](image, depth)
    (_, lines), done = warned(satblur.dof, image, map), run_program(image, "--depth", map)
    assert done.returncode == 0 and len(lines) == 1 and words in lines[0], lines
    assert len(done.stderr.splitlines()) == 3, done.stderr  # the two lines of every run, and this one


def test_no_doubts(photo):
    image, depth = photo
    for map in (depth, depth.astype(np.uint16) * 257, depth / 9.0, depth[::2, ::2].copy(), depth[..., None]):
        assert warned(satblur.dof, image, map)[1] == []
    assert warned(satblur.dof, image, depth // 16, depth_range=(0, 15))[1] == []
    assert warned(satblur.blur_map, image, depth // 16, 9)[1] == []
    assert warned(satblur.dof, image, ground())[1] == []
    assert warned(satblur.dof, image, ground()[::-1].copy(), near="black")[1] == []
    assert warned(satblur.dof, image, ground()[::-1].copy(), orientation=3)[1] == []
    assert warned(satblur.dof, image, false_colours(depth)[..., 0].copy())[1] == []
    assert warned(satblur.dof, image.astype(np.float32) / 255, depth)[1] == []
    assert warned(satblur.dof, image.astype(np.float16) / 9, depth, transfer="linear")[1] == []


# --- Masks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["matte", "protect"])
@pytest.mark.parametrize("dtype", ["bool", "float16", "float32", "float64"])
def test_masks_of_any_type(photo, name, dtype):
    image, depth = photo
    mask = depth > 100
    given = {} if name == "matte" else {"depth": depth}
    wanted = satblur.dof(image, **given, **{name: mask.astype(np.uint8) * 255})
    result, lines = warned(satblur.dof, image, **given, **{name: mask.astype(dtype)})
    assert np.array_equal(result, wanted) and lines == [] and not np.array_equal(result, image)


def test_maps_of_other_types(photo):
    image, depth = photo
    wanted = satblur.dof(image, depth.astype(np.uint16) * 257)
    assert np.array_equal(satblur.dof(image, depth.astype(np.int32) * 257), wanted)  # as Pillow has 16 bits
    assert np.array_equal(satblur.dof(image, depth > 100), satblur.dof(image, (depth > 100).astype(np.uint8) * 255))
    with pytest.raises(ValueError, match="int32 samples from -1 to 99"):
        satblur.dof(image, np.minimum(depth, 100).astype(np.int32) - 1)


def test_masks_of_0_and_1(photo):
    image, depth = photo
    ones = (depth > 100).astype(np.uint8)
    for matte in (ones, ones.astype(np.uint16), ones * 0, ones * 0 + 255):
        with pytest.raises(ValueError, match="marks no subject"):
            satblur.dof(image, matte=matte)
    with pytest.raises(ValueError, match="codes are 0 to 1 of 255"):
        satblur.dof(image, matte=ones)
    kept = image.copy()
    with pytest.raises(ValueError, match="marks no subject"):
        satblur.dof(image, matte=np.dstack([image, ones]), out=image)
    assert np.array_equal(image, kept)
    result, lines = warned(satblur.dof, image, depth, matte=ones)
    assert "marks no subject" in lines[0] and np.array_equal(result, satblur.dof(image, depth))
    assert "keeps nothing" in warned(satblur.dof, image, depth, protect=ones)[1][0]
    assert "all white, so nothing is blurred" in warned(satblur.dof, image, depth, protect=ones * 0 + 255)[1][0]


def test_radius_maps_without_a_radius(photo):
    image, depth = photo
    ones = (depth > 100).astype(np.uint8)
    for map in (ones, ones * 0, depth.astype(np.uint16) // 4, depth.astype(np.int32) // 4):
        result, lines = warned(satblur.blur_map, image, map, 6)
        assert len(lines) == 1 and "all black" in lines[0] and "nothing is blurred" in lines[0]
    assert warned(satblur.blur_map, image, ones * 9, 60)[1] == []


def test_wrong_masks(photo):
    image, depth = photo
    for name in ("matte", "protect"):
        with pytest.raises(ValueError, match=f"{name} is a colour picture"):
            satblur.dof(image, depth, **{name: image})
        with pytest.raises(ValueError, match=f"{name} has the proportions"):
            satblur.dof(image, depth, **{name: np.ascontiguousarray(depth.T)})
        with pytest.raises(ValueError, match=f"{name} has numbers from 0 to 255"):
            satblur.dof(image, depth, **{name: (depth > 20).astype(np.float32) * 255})
    cut_out = np.dstack([image, (depth > 100).astype(np.uint8) * 255])
    assert warned(satblur.dof, image, matte=cut_out)[1] == []


# --- Floats ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [lambda v: v * 255, lambda v: 2 * v - 1, lambda v: v * 65535, lambda v: 5 * v - 2.5])
def test_other_scales(photo, scale):
    floats = scale(photo[0].astype(np.float32) / 255)
    for function in (
        lambda: satblur.dof(floats, photo[1]), lambda: satblur.box(floats, 2), lambda: satblur.equalize(floats),
        lambda: satblur.measure(floats), lambda: satblur.blur_map(photo[0], floats[..., 0].copy(), 3),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="scale it to 0 to 1"):
            function()


def test_odd_floats(photo):
    floats = photo[0].astype(np.float32) / 255
    assert warned(satblur.box, floats * 1.2, 2)[1] != []
    floats[3, 4] = [3, np.nan, -0.7]
    lines = warned(satblur.box, floats, 2)[1]
    assert len(lines) == 3 and all(words in line for words, line in zip(["above 1, up to 3", "below 0", "1 NaN"], lines))
    halves = photo[0].astype(np.float16) / 16
    halves[0, 0] = [np.nan, -1, 5000]
    assert "3 half floats" in warned(satblur.box, halves, 2, transfer="linear")[1][0]


def test_floats_are_counted_alike(photo):
    """Floats on a GPU are counted by their framework."""
    floats = photo[0].astype(np.float32) * 2 - 100
    floats[0, 0] = [np.nan, np.inf, -np.inf]
    samples, below, above, unknown, least, most = _frameworks.count_odd(floats)
    assert (samples, unknown, least, most) == (floats.size, 1, -np.inf, np.inf)
    assert below == np.count_nonzero(floats < 0) and above == np.count_nonzero(floats > 1)
    with pytest.raises(ValueError, match="image has numbers from -inf to inf"):
        satblur._core.check_floats("image", samples, below, above, unknown, least, most)


# --- Results --------------------------------------------------------------------------------------


def fields(result):
    return {name: getattr(result, name) for name in dir(result) if not name.startswith("_")}


def test_results_are_copied(photo):
    report = satblur.dof(*photo, report=True)[1]
    stats = satblur.measure(photo[0])[0]
    for result in (report, stats):
        for other in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy([result])[0]):
            assert fields(other) == fields(result)
        version, state = result.__getstate__()
        for wrong in (("0.0", state), (version, state[1:]), (version, b""), (version,)):
            with pytest.raises(ValueError, match="another version"):
                type(result).__new__(type(result)).__setstate__(wrong)
    with pytest.raises(ValueError, match="another version"):
        type(report).__new__(type(report)).__setstate__((version, b"\xff" * len(report.__getstate__()[1])))


def reports_of(image):
    return satblur.measure(image)


def test_results_come_from_processes(photo):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.map(reports_of, [photo[0]])[0]
    assert [fields(each) for each in found] == [fields(each) for each in satblur.measure(photo[0])]
