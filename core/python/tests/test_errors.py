"""Each wrong argument gets its exception and one clear line: TypeError if no value of its type would do, else ValueError."""

import numpy as np
import pytest

import satblur

IMAGE = np.zeros((20, 30, 3), np.uint8)
DEPTH = np.tile(np.arange(30, dtype=np.uint8), (20, 1))


class Thing:
    """Has no samples, and its text is long."""

    def __repr__(self):
        return "thing\n" * 99


def refused(words, function, *args, error=ValueError, **options):
    with pytest.raises(error) as raised:
        function(*args, **options)
    text = str(raised.value)
    assert type(raised.value) is error and words in text and "\n" not in text and len(text) < 250, text


def test_options():
    refused("focus", satblur.dof, IMAGE, DEPTH, focus="sharp")
    refused("focus", satblur.dof, IMAGE, DEPTH, focus="2.5x")
    refused("focus", satblur.dof, IMAGE, DEPTH, focus=(1, 2, 3))
    refused("focus", satblur.dof, IMAGE, DEPTH, focus=(0.5, 2))
    refused("focus", satblur.dof, IMAGE, DEPTH, focus=1.5)
    refused("outside", satblur.dof, IMAGE, DEPTH, focus=(30, 2))
    refused("radius", satblur.dof, IMAGE, DEPTH, max_radius=-1)
    refused("radius", satblur.dof, IMAGE, DEPTH, max_radius=float("nan"))
    refused("exclude", satblur.dof, IMAGE, DEPTH, max_radius=3, fstop=2)
    refused("focal_mm", satblur.dof, IMAGE, DEPTH, fstop=2)
    refused("distance", satblur.dof, IMAGE, DEPTH, fstop=2, focal_mm=50)
    for name in ("method", "bokeh", "holes", "edges", "near", "depth_type", "edge", "layout", "dither"):
        refused(name, satblur.dof, IMAGE, DEPTH, **{name: "none such"})
    refused("depth_range", satblur.dof, IMAGE, DEPTH, depth_range=(3, 1))
    refused("depth_range", satblur.dof, IMAGE, DEPTH, depth_range="1")
    refused("depth_range", satblur.dof, IMAGE, DEPTH, depth_range=(3, 300))
    refused("distance", satblur.dof, IMAGE, DEPTH, distance=3, error=TypeError)
    refused("distance", satblur.dof, IMAGE, DEPTH, distance=(1, 2, 3))
    refused("transfer", satblur.dof, IMAGE, DEPTH, transfer="gamma")
    refused("device", satblur.dof, IMAGE, DEPTH, device="tpu")
    refused("near", satblur.dof, IMAGE, DEPTH / 9.0 + 1, depth_type="linear", near="white")
    refused("highlights", satblur.dof, IMAGE, DEPTH, highlights=99)
    refused("shrink", satblur.dof, IMAGE, DEPTH, edge="mirror")
    with pytest.raises(TypeError):
        satblur.dof(IMAGE, DEPTH, focal=50)


def test_numbers():
    """A wrong number is named, with the parameter that it was given for."""
    numbers = satblur._core.NUMBERS
    for name in (each for each in numbers if numbers[each][0]):
        for value in (2**40, 2**70, 2**2000, 10**5000, 3.5, float("nan"), float("inf")):
            refused(name, satblur.dof, IMAGE, DEPTH, **{name: value})
        for value in ("5", b"5", None, [5], Thing()):
            refused(name, satblur.dof, IMAGE, DEPTH, **{name: value}, error=TypeError)
    for name in ("max_radius", *numbers):
        refused(name, satblur.dof, IMAGE, DEPTH, **{name: 2**2000})
        for value in ([5], {}, np.zeros((40, 40)), Thing()):
            refused(name, satblur.dof, IMAGE, DEPTH, **{name: value}, error=TypeError)
    for name in numbers:
        for value in ("5", "x"):
            refused(name, satblur.dof, IMAGE, DEPTH, **{name: value}, error=TypeError)
    for name in ("method", "bokeh", "holes", "edges", "near", "depth_type", "edge", "layout", "transfer", "dither"):
        for value in ([], {}, np.zeros(2), 7):
            refused(name, satblur.dof, IMAGE, DEPTH, **{name: value}, error=TypeError)
    refused("distance", satblur.dof, IMAGE, DEPTH, distance=("1", 2), error=TypeError)
    refused("focus", satblur.dof, IMAGE, DEPTH, focus=(float("nan"), 2))
    refused("focus", satblur.dof, IMAGE, DEPTH, focus=(2**40, 2))
    refused("device", satblur.dof, IMAGE, DEPTH, device=[], error=TypeError)
    refused("radius", satblur.box, IMAGE, (1, 2, 3))
    for value in ("3", None, (1, "2"), {}):
        refused("radius", satblur.box, IMAGE, value, error=TypeError)
    refused("max_radius", satblur.blur_map, IMAGE, DEPTH, "3", error=TypeError)
    refused("bits", satblur.table, IMAGE, bits=16)
    refused("bits", satblur.table, IMAGE, bits=[], error=TypeError)
    words = np.zeros(9, np.uint32)
    refused("op", satblur.reduce, words, "mean")
    refused("op", satblur.reduce, words, [], error=TypeError)
    refused("low", satblur.compact, words, "1", 2, error=TypeError)
    refused("high", satblur.compact, words, 1, 2.5)
    refused("high", satblur.compact, words, 1, 2**40)


def test_types():
    for thing in (None, [[1, 2]], Thing(), 7):
        refused("image is no array", satblur.dof, thing, DEPTH, error=TypeError)
        for function in (satblur.equalize, satblur.measure, satblur.table):
            refused("no array", function, thing, error=TypeError)
    refused("depth is no array", satblur.dof, IMAGE, Thing(), error=TypeError)
    refused("out is no array that can", satblur.box, DEPTH, 1, out=satblur.DepthMap(DEPTH.copy(), {}), error=TypeError)
    refused("map is no array", satblur.blur_map, IMAGE, None, 3, error=TypeError)
    for dtype in (np.int64, np.int32, complex, object, "U1", "M8[s]"):
        refused("image has samples of type", satblur.dof, IMAGE.astype(np.int32).astype(dtype), DEPTH, error=TypeError)
    for dtype in (complex, object, "M8[s]"):
        refused("depth has samples of type", satblur.dof, IMAGE, DEPTH.astype(np.int32).astype(dtype), error=TypeError)
    refused("int16 samples from -9 to", satblur.dof, IMAGE, DEPTH.astype(np.int16) - 9)
    refused("uint32", satblur.scan, IMAGE[0, :, 0].copy(), error=TypeError)
    refused("uint32", satblur.reduce, np.arange(3), error=TypeError)


def test_shapes():
    refused("shape (30,)", satblur.box, IMAGE[0, :, 0], 1)
    refused("1 to 4 channels", satblur.box, np.zeros((3, 20, 30), np.uint8), 1)
    refused("shape", satblur.box, np.zeros((2, 2, 20, 30, 3), np.uint8), 1)
    refused("empty", satblur.box, IMAGE[:0], 1)
    refused("empty", satblur.dof, IMAGE, DEPTH[:, :0])
    refused("empty", satblur.box, IMAGE[:0], 1, out=IMAGE[:0].copy())
    refused("channels that differ", satblur.dof, IMAGE, np.dstack([DEPTH, DEPTH, DEPTH + 1]) / 3.0)
    refused("out has shape", satblur.box, IMAGE, 1, out=np.zeros((20, 31, 3), np.uint8))
    refused("type", satblur.box, IMAGE, 1, out=np.zeros((20, 30, 3), np.uint16))
    refused("planes", satblur.dof, np.stack([IMAGE] * 3), np.stack([DEPTH] * 2))
    refused("planes", satblur.dof, np.stack([IMAGE] * 3), np.stack([DEPTH] * 2) / 3.0)
    refused("shape", satblur.dof, IMAGE, np.zeros((2, 20, 30), np.float32))
    refused("CHW", satblur.box, DEPTH, 1, layout="CHW")
    refused("(20, 30, 3), and layout='CHW' needs", satblur.box, IMAGE, 1, layout="CHW")
    refused("one dimension", satblur.scan, np.zeros((3, 3), np.uint32))
    refused("depth is missing", satblur.dof, IMAGE)


def test_memory():
    closed = IMAGE.copy()
    closed.flags.writeable = False
    refused("read-only", satblur.box, IMAGE, 1, out=closed)
    refused("read-only", satblur.box, IMAGE, 1, out=closed[:, ::-1])
    refused("read-only", satblur.box, IMAGE[..., 0].copy(), 1, out=memoryview(bytes(600)).cast("B", (20, 30)))
    refused("contiguous", satblur.scan, np.zeros(9, np.uint32)[::2])


def test_overlap():
    large = np.zeros((25, 35, 3), np.uint8)
    refused("overlaps", satblur.box, large[:20, :30], 1, out=large[1:21, :30])
    refused("overlaps", satblur.box, large[:20, :30], 1, out=large[:20, 4:34])
    refused("overlaps", satblur.dof, large[:20, :30], DEPTH, out=large[5:, 5:])


def test_sizes():
    pixels = np.lib.stride_tricks.as_strided(np.zeros(1, np.uint8), (2**16, 2**15 + 1), (2**15 + 1, 1))
    refused("2^31", satblur.box, pixels, 1, out=np.empty((2**16, 2**15 + 1), np.uint8))
    refused("", satblur.box, IMAGE, 1e9)
    refused("radius", satblur.dof, np.zeros((600, 600, 4), np.uint16), np.tile(np.arange(600) % 256, (600, 1)).astype(np.uint8),
            focus=0, max_radius=4000, error=satblur.LimitError)  # fmt: skip
    assert issubclass(satblur.LimitError, ValueError)


def test_unknown_depth():
    refused("no number", satblur.dof, IMAGE, np.full((20, 30), np.nan, np.float32))
    refused("infinite", satblur.dof, IMAGE, np.full((20, 30), np.inf, np.float32), depth_type="linear")
    refused("depth_range", satblur.dof, IMAGE, DEPTH / 9.0, depth_range=(50, 60))
    holes = (DEPTH / 9.0 + 1).astype(np.float32)
    holes[3:5, 3:9] = np.nan
    assert satblur.dof(IMAGE, holes, report=True)[1].holes == "fill"


def test_devices():
    if satblur.describe().startswith("cuda"):
        pytest.skip("there is a GPU")
    refused("CUDA", satblur.dof, IMAGE, DEPTH, device="cuda", error=RuntimeError)
    refused("CUDA", satblur.describe, "cuda:3", error=RuntimeError)


def test_calls_go_on_after_an_error():
    refused("outside", satblur.dof, IMAGE, DEPTH, focus=(30, 2))
    assert satblur.dof(IMAGE, DEPTH).shape == IMAGE.shape
