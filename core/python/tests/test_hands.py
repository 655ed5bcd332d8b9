"""What people hold in their hands is taken: views, pictures of Pillow, and samples and shapes of all kinds."""

import ast
import pickle

import numpy as np
import pytest

import satblur


@pytest.fixture
def pillow():
    return pytest.importorskip("PIL.Image", reason="SKIPPED LOUDLY: no Pillow, so its pictures are not tested")


# --- Views ----------------------------------------------------------------------------------------

VIEWS = {
    "channels of OpenCV": lambda a: a[..., ::-1] if a.ndim > 2 else a[:, ::-1],
    "mirrored": lambda a: a[:, ::-1],
    "upside down": lambda a: a[::-1],
    "transposed": lambda a: a.swapaxes(0, 1),
    "turned": lambda a: np.rot90(a),
    "stepped": lambda a: a[::2, ::2],
    "Fortran's order": np.asfortranarray,
    "crop": lambda a: a[3:50, 7:71],
    "foreign byte order": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "odd addresses": lambda a: np.frombuffer(b"-" + a.tobytes(), np.uint8)[1:].view(a.dtype).reshape(a.shape),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
def test_views(scene, view, dtype):
    image = scene[0].astype(np.float32) / 255 if dtype == "float32" else scene[0].astype(dtype)
    image, depth = VIEWS[view](image), VIEWS[view](scene[1])
    wanted = satblur.dof(np.ascontiguousarray(image).astype(dtype), np.ascontiguousarray(depth), max_radius=6)
    assert np.array_equal(satblur.dof(image, depth, matte=None, max_radius=6), wanted)
    assert np.array_equal(satblur.dof(image, depth / 3.0, max_radius=6), satblur.dof(image, (depth / 3.0).copy("C"), max_radius=6))
    out = np.zeros_like(scene[0], dtype=image.dtype) if image.shape == scene[0].shape else np.zeros(image.shape, image.dtype)
    for target in (out, out[::-1], out[..., ::-1]):
        assert satblur.dof(image, depth, max_radius=6, out=target) is target and np.array_equal(target, wanted)


def test_other_functions_take_views(scene):
    view, copy = scene[0][::-1, ::2], scene[0][::-1, ::2].copy()
    depth = scene[1][::-1, ::2]
    for function in (lambda i: satblur.box(i, 2), satblur.equalize, satblur.table, lambda i: satblur.coc(i, depth),
                     lambda i: satblur.blur_map(i, depth, 5)):  # fmt: skip
        assert np.array_equal(function(view), function(copy))
    assert satblur.measure(view)[0].sum == satblur.measure(copy)[0].sum
    batch = np.stack([scene[0]] * 3)[::2]
    assert np.array_equal(satblur.box(batch[..., ::-1], 2)[1], satblur.box(scene[0], 2)[..., ::-1])
    assert np.array_equal(satblur.box(np.broadcast_to(scene[0], (2, 60, 80, 3)), 2)[1], satblur.box(scene[0], 2))


# --- Pillow ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["L", "LA", "RGB", "RGBA", "P", "CMYK", "YCbCr", "La", "1", "F", "I;16"])
def test_pillow(scene, pillow, mode):
    plain = pillow.fromarray(scene[0])
    if mode == "I;16":
        image = pillow.fromarray(scene[0][..., 0].astype(np.uint16) * 257)
    elif mode == "F":
        image = pillow.fromarray(scene[0][..., 0].astype(np.float32) / 255)
    else:
        image = plain.convert("LA").convert(mode) if mode == "La" else plain.convert(mode)
    image.info["icc_profile"] = b"a profile"
    result = satblur.dof(image, pillow.fromarray(scene[1]), max_radius=5)
    samples = image.convert("RGB") if mode in ("P", "CMYK", "YCbCr") else image.convert({"1": "L", "La": "LA"}.get(mode, mode))
    assert isinstance(result, pillow.Image) and result.mode == samples.mode
    assert result.info.get("icc_profile") == (None if mode == "CMYK" else b"a profile")
    assert np.array_equal(np.asarray(result), satblur.dof(np.asarray(samples), scene[1], max_radius=5))


def test_pillow_pictures_that_are_see_through(scene, pillow):
    """By a colour that is transparent, or by the alpha of a palette's colours."""
    depth, keyed = scene[1], pillow.fromarray(scene[0])
    keyed.info["transparency"] = tuple(int(c) for c in scene[0][5, 5])
    gray = keyed.convert("L")
    gray.info["transparency"] = gray.getpixel((5, 5))
    for image, mode in ((keyed, "RGBA"), (gray, "LA"), (pillow.fromarray(np.dstack([scene[0], depth])).quantize(30), "RGBA")):
        wanted = satblur.dof(image.convert(mode), depth)
        assert np.asarray(wanted)[..., -1].min() < 255 and np.array_equal(satblur.dof(image, depth), wanted)


def test_a_mask_of_numpy_is_not_lost(scene):
    hidden = np.ma.masked_less(scene[1], 20)
    for call in (lambda: satblur.dof(scene[0], hidden), lambda: satblur.box(hidden, 3)):
        with pytest.raises(ValueError, match="masked"):
            call()
    assert np.array_equal(satblur.box(np.ma.masked_array(scene[0]), 3), satblur.box(scene[0], 3))


def test_pillow_maps(scene, pillow):
    image, depth = scene
    for mode in ("L", "RGB", "P", "I"):
        assert np.array_equal(satblur.dof(image, pillow.fromarray(depth).convert(mode).convert("RGB") if mode == "P" else
                                          pillow.fromarray(depth.astype(np.int32) * 257) if mode == "I" else
                                          pillow.fromarray(depth).convert(mode)), satblur.dof(image, depth))  # fmt: skip
    matte = depth > 100
    assert np.array_equal(satblur.dof(image, matte=pillow.fromarray(matte)), satblur.dof(image, matte=matte))


# --- Samples --------------------------------------------------------------------------------------


def test_float64_and_bool_pictures(scene):
    image, depth = scene[0] / 255, scene[1]
    result = satblur.dof(image, depth)
    assert result.dtype == np.float64
    assert np.array_equal(result, satblur.dof(image.astype(np.float32), depth).astype(np.float64))
    assert np.array_equal(satblur.box(depth > 100, 3), satblur.box((depth > 100).astype(np.uint8) * 255, 3))
    out = np.empty_like(image)
    assert satblur.dof(image, depth, out=out) is out and np.array_equal(out, result)


def test_bfloat16(scene):
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="SKIPPED LOUDLY: no ml_dtypes, so no bfloat16 is tested")
    image = (scene[0] / 255).astype(ml_dtypes.bfloat16)
    depth = (scene[1] / 9.0).astype(ml_dtypes.bfloat16)
    result = satblur.dof(image, depth)
    assert result.dtype == image.dtype
    wanted = satblur.dof(image.astype(np.float32), depth.astype(np.float32))
    assert np.array_equal(result, wanted.astype(ml_dtypes.bfloat16))


@pytest.mark.parametrize("dtype", ["int16", "int32", "int64", "uint32", "uint64"])
def test_maps_of_integers(scene, dtype):
    image, depth = scene
    wanted = satblur.dof(image, depth.astype(np.uint16) * 100)
    assert np.array_equal(satblur.dof(image, depth.astype(dtype) * 100), wanted)


# --- Shapes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.uint8, np.float32, np.int64, bool])
def test_shapes_of_maps(scene, kind):
    image = scene[0]
    map = scene[1] > 100 if kind is bool else scene[1].astype(kind)
    three = np.repeat(map[..., None], 3, 2)
    shapes = [map[None], map[None, None], map[..., None], map[None, ..., None], three, three[None], three.transpose(2, 0, 1)]
    wanted = satblur.dof(image, map)
    for each in shapes:
        assert np.array_equal(satblur.dof(image, each), wanted), each.shape
    mask = scene[1] > 100
    for each in (mask[None], mask[None, None], np.repeat(mask[None, ..., None], 3, 3)):
        assert np.array_equal(satblur.dof(image, map, protect=each), satblur.dof(image, map, protect=mask)), each.shape


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
def test_shapes_of_maps_of_batches(scene, kind):
    images, maps = np.stack([scene[0]] * 2), np.stack([scene[1], scene[1] // 2]).astype(kind)
    three = np.repeat(maps[..., None], 3, 3)
    wanted = satblur.dof(images, maps)
    for each in (maps[:, None], maps[..., None], three, three.transpose(0, 3, 1, 2)):
        assert np.array_equal(satblur.dof(images, each), wanted), each.shape
    for each in (maps[:1], maps[:1, None], maps[0], three[:1]):
        assert np.array_equal(satblur.dof(images, each)[1], satblur.dof(images[1], maps[0])), each.shape


# --- Reports --------------------------------------------------------------------------------------


def test_reports_have_texts(scene):
    report, stats = satblur.dof(*scene, focus=(40, 30), report=True)[1], satblur.measure(scene[0])[0]
    for result, name in ((report, "Report"), (stats, "ChannelStats")):
        call = ast.parse(repr(result), mode="eval").body
        assert ast.unparse(call.func) == f"satblur.{name}" and "histogram" not in repr(result)
        assert {each.arg: ast.literal_eval(each.value) for each in call.keywords} == {
            each: getattr(result, each) for each in dir(result) if each[0] != "_" and each != "histogram"}  # fmt: skip
        assert type(result).__module__ == "satblur" and repr(pickle.loads(pickle.dumps(result))) == repr(result)
