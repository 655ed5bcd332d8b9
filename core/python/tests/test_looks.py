"""The program's looks on arrays, and its files, equal the program's results, bit for bit."""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest
from test_program import CASES

import satblur
from satblur import _host

LOOKS = [
    ({"dof_preset": "cine", "max_radius": "8%"}, ["--dof-preset", "cine", "--max-radius", "8%"]),
    ({"max_radius": "7.5%"}, ["--max-radius", "7.5%"]),
    ({"grain": "auto"}, ["--grain", "auto"]),
    ({"grain": 3.5, "method": "gather"}, ["--grain", "3.5", "--method", "gather"]),
    ({"dither": "on", "method": "spread"}, ["--dither=on", "--method", "spread"]),
    ({"focus_plane": (9, 9, 70, 20, 40, 50)}, ["--focus-plane", "9,9,70,20,40,50"]),
    ({"focus_plane": (9, 9, 0.25, 70, 20, 0.5, 40, 50, 0.75)}, ["--focus-plane", "9,9,0.25,70,20,0.5,40,50,0.75"]),
    ({"depth_scale": 50, "focus": "2m", "fstop": 2, "focal_mm": 80, "sensor_mm": 24},
     ["--depth-scale", "50", "--focus", "2m", "--fstop", "2", "--focal", "80", "--sensor", "24"]),
    ({"focus": "60c"}, ["--focus", "60c"]),
    ({"depth_from": "zoedepth", "depth_type": "disparity"}, ["--depth-from", "zoedepth", "--depth-type", "disparity"]),
]  # fmt: skip


def named(theirs):
    return " ".join(theirs) or "plain"


@pytest.mark.parametrize("ours,theirs", LOOKS, ids=[named(theirs) for _, theirs in LOOKS])
def test_looks(scene, program, ours, theirs):
    image, depth = scene
    result = satblur.dof(image, depth, **ours)
    assert np.array_equal(result, program(image, "--depth", depth, *theirs)) and not np.array_equal(result, image)


SOME = [CASES[i] for i in (2, 3, 7, 8, 13, 14, 15)]


@pytest.mark.parametrize("ours,theirs", SOME, ids=[named(theirs) for _, theirs in SOME])
def test_arguments_reach_the_program(scene, program, ours, theirs):
    """A look stands beside other arguments, which become the program's options."""
    image, depth = scene
    result = satblur.dof(image, depth, grain=0.01, **{"dither": False, **ours})
    theirs = ["--dither=off"] * ("dither" not in ours) + theirs
    assert np.array_equal(result, program(image, "--depth", depth, "--grain", 0.01, *theirs))


def test_without_a_map(scene, program):
    image = scene[0]
    wanted = program(image, "--tilt-shift", "20,0.6,0.2")
    for band in ((20, 0.6, 0.2), "20,0.6,0.2"):
        assert np.array_equal(satblur.dof(image, tilt_shift=band), wanted)
    assert np.array_equal(satblur.dof(image, dof_preset="miniature"), program(image, "--dof-preset", "miniature"))
    matte = scene[1] > 100
    ours = satblur.dof(image, matte=matte, grain=4)
    assert np.array_equal(ours, program(image, "--matte", matte.astype(np.uint8) * 255, "--grain", 4))


def test_numbers_with_a_meaning(scene, program):
    image, depth = scene[0], (scene[1] + 20).astype(np.float32) * 37
    for name, words in (("realsense", []), ("zoedepth", []), ("zbuffer", ["--depth-range", "5%,95%"])):
        given = {"depth_range": ("5%", "95%")} if words else {}
        ours = satblur.dof(image, depth, depth_from=name, **given)
        assert np.array_equal(ours, program(image, "--depth", depth, "--depth-from", name, *words)), name
    wanted = satblur.dof(image, depth, depth_from="realsense")
    assert np.array_equal(satblur.dof(image, depth.astype(np.float64), depth_scale=1000), wanted)


def test_any_array_has_looks(scene):
    image, depth = scene
    wanted, report = satblur.dof(image, depth, dof_preset="portrait", report=True)
    same = {"focus_range": 0.1, "max_radius": "3%"}
    assert np.array_equal(wanted, satblur.dof(image, depth, **same)) and report.max_radius == pytest.approx(2.4)
    out = np.empty((80, 60, 3), np.uint8).swapaxes(0, 1)
    assert satblur.dof(image[..., ::-1], depth[None], dof_preset="portrait", out=out) is out
    assert np.array_equal(out, satblur.dof(image[..., ::-1], depth, **same))
    first = image.transpose(2, 0, 1)
    assert np.array_equal(satblur.dof(first, depth, dof_preset="portrait", layout="CHW"), wanted.transpose(2, 0, 1))
    batch, reports = satblur.dof(np.stack([image, image]), np.stack([depth, depth // 2]), dof_preset="portrait", report=True)
    assert np.array_equal(batch[0], wanted) and len(reports) == 2 and reports[1].least < report.most
    plane = satblur.dof(image, depth, focus_plane=np.array([9, 9, 70, 20, 40, 50]), vignette=0.0)
    assert np.array_equal(plane, satblur.dof(image, depth, focus_plane="9,9,70,20,40,50"))
    for floats, more in ((image / 255, {}), (image.astype(np.float32) / 30, {"transfer": "linear"}), (image.astype(np.uint16), {}),
                         (image[..., 0], {}), (image[..., :2], {})):  # fmt: skip
        wanted = satblur.dof(floats, depth, **same, **more)
        assert np.array_equal(satblur.dof(floats, depth, dof_preset="portrait", **more), wanted)


def test_what_is_given_overrules_a_look(scene):
    image, depth = np.full((200, 300, 3), 10, np.uint8), np.tile((np.arange(300) * 0.85).astype(np.uint8), (200, 1))
    image[::40, ::40] = image[1::40, ::40] = 255
    for name, given, same in (("cine", {"highlights": 1}, {"focus_range": 0.05, "max_radius": "2.5%", "highlights": 1}),
                              ("macro", {"bokeh": "disc"}, {"focus_range": 0.03, "max_radius": "5%"}),
                              ("street", {"focus_range": 0}, {"max_radius": "1%"})):  # fmt: skip
        result = satblur.dof(image, depth, dof_preset=name, **given)
        assert np.array_equal(result, satblur.dof(image, depth, **same)), name
        assert not np.array_equal(result, satblur.dof(image, depth, dof_preset=name)), name
    metres = (scene[1] + 20).astype(np.float32)
    map = satblur.DepthMap(metres, {"depth_type": "linear"})
    assert np.array_equal(satblur.dof(scene[0], map, depth_type="disparity"), satblur.dof(scene[0], metres))
    for dither in (True, False):
        wanted = satblur.dof(*scene, focus=1.0, dither=dither, grain=0)
        assert np.array_equal(satblur.dof(*scene, focus=True, dither=np.bool_(dither), grain=0), wanted)


@pytest.mark.parametrize("ours,theirs", [
    ({"focus_keys": "0:0.1,0.1s:40,30"}, ["--focus-keys", "0:0.1,0.1s:40,30"]),
    ({"max_radius_keys": "0:0,3:9", "focus": 0.3, "fps": 12.5}, ["--max-radius-keys", "0:0,3:9", "--focus", "0.3", "--fps", "12.5"]),
    ({"focus_track": (40, 30), "grain": 2}, ["--focus-track", "40,30", "--grain", "2"]),
])  # fmt: skip
def test_focus_over_time(scene, tmp_path, ours, theirs):
    pillow = pytest.importorskip("PIL.Image", reason="SKIPPED LOUDLY: no Pillow, so clips are not compared")
    frames, maps = (np.stack([np.roll(each, 3 * i, axis=1) for i in range(4)]) for each in scene)
    for name, pictures in (("in", frames), ("map", maps)):
        (tmp_path / name).mkdir()
        for i, picture in enumerate(pictures):
            pillow.fromarray(picture).save(tmp_path / name / f"{i}.png")
    words = ["in/%d.png", "out/%d.png", "--depth", "map/%d.png", "--device", "cpu", *theirs]
    done = subprocess.run([sys.executable, "-m", "satblur", *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    result = satblur.dof(frames, maps, **ours)
    for i, frame in enumerate(result):
        assert np.array_equal(frame, np.asarray(pillow.open(tmp_path / "out" / f"{i}.png"))), i


def test_threads_and_forks(scene):
    wanted = satblur.dof(*scene, grain=3)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for result in pool.map(lambda _: satblur.dof(*scene, grain=3), range(8)):
            assert np.array_equal(result, wanted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads that fork
        child = os.fork()
    if not child:
        os._exit(0 if np.array_equal(satblur.dof(*scene, grain=3), wanted) else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("error,words,options", [
    (ValueError, "dof_preset", {"dof_preset": "sunset"}),
    (ValueError, "grain", {"grain": 99}),
    (ValueError, "grain", {"grain": "much"}),
    (TypeError, "grain", {"grain": {}}),
    (TypeError, "grain", {"grain": True}),
    (TypeError, "focus_plane", {"focus_plane": (1, 2, None)}),
    (ValueError, "focus_plane", {"focus_plane": (1, 2, 3)}),
    (ValueError, "outside the picture", {"focus_plane": (1, 2, 300, 4, 50, 60)}),
    (ValueError, "tilt_shift", {"tilt_shift": (0, 0.5, 0.1)}),
    (ValueError, "depth_scale", {"depth_scale": -1}),
    (ValueError, "depth_from", {"depth_from": "a program"}),
    (ValueError, "focus_keys is for the frames", {"focus_keys": "0:0.5"}),
    (ValueError, "fps", {"fps": 24}),
    (ValueError, "orientation", {"grain": 1, "orientation": 6}),
    (ValueError, "line break", {"grain": "1\n--equalize"}),
    (ValueError, "max_radius", {"max_radius": "wide"}),
    (ValueError, "max_radius", {"max_radius": "x%"}),
    (ValueError, "depth is missing", {"dof_preset": "portrait", "depth": None}),
    (ValueError, "highlights is 0", {"dof_preset": "cine", "highlights": 0}),
    (TypeError, "focus is None", {"grain": 1, "focus": None}),
    (TypeError, "focus is array", {"grain": 1, "focus": np.array([10, 20])}),
    (ValueError, "focus is '0.5'", {"grain": 1, "focus": "0.5"}),
    (ValueError, "max_radius is ", {"grain": 1, "max_radius": 10**400}),
    (ValueError, "max_radius is '20'", {"grain": 1, "max_radius": "20"}),
    (TypeError, "blades is '6'", {"grain": 1, "blades": "6"}),
    (ValueError, "depth_range is in per cents", {"grain": 1, "depth_range": ("2%", "98%")}),
    (ValueError, "dither is 'off'", {"grain": 1, "dither": "off"}),
])  # fmt: skip
def test_errors(scene, error, words, options):
    with pytest.raises(error) as raised:
        satblur.dof(scene[0], **{"depth": scene[1], **options})
    text = str(raised.value)
    assert type(raised.value) is error and words in text and "\n" not in text and "--" not in text.replace("'satblur --help=all'", ""), text


def test_a_missing_device(scene):
    if satblur.describe().startswith("cuda"):
        pytest.skip("there is a GPU")
    with pytest.raises(RuntimeError, match="CUDA"):
        satblur.dof(*scene, grain=2, device="cuda:3")


@pytest.mark.parametrize("name,shape", [
    ("image", (60,)), ("image", (3, 60, 80)), ("image", (0, 80, 3)), ("image", (1, 2, 60, 80, 3)), ("depth", (60,)), ("depth", (60, 0)),
    ("depth", (2, 60, 80)), ("depth", (60, 80, 9)), ("matte", (60, 80, 9)), ("depth", (2, 2, 60, 80)),
])  # fmt: skip
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_wrong_shapes(scene, name, shape, dtype):
    given = {"image": scene[0], "depth": scene[1], name: np.ones(shape, dtype)}
    for look in ({}, {"grain": 2}):
        with pytest.raises(ValueError, match=f"^{name} (has|is) .*shape"):
            satblur.dof(**given, **look)


def test_notes_are_warnings(scene):
    with pytest.warns(UserWarning, match="dither and grain have no effect") as caught:
        satblur.dof(scene[0].astype(np.uint16), scene[1], grain=2)
    assert caught[0].filename == __file__
    light = (scene[0] / 255).astype(np.float32)
    light[0, :3, 0] = np.nan, -3, 1e4
    for look in ({}, {"dof_preset": "street"}):
        with pytest.warns(UserWarning, match="image has 3 half floats"):
            satblur.dof(light, scene[1], transfer="linear", **look)


# --- Files ----------------------------------------------------------------------------------------


def files_of(depth, folder):
    """Writes maps of many formats, and returns their paths."""
    pillow = pytest.importorskip("PIL.Image", reason="SKIPPED LOUDLY: no Pillow, so files are not compared")
    numbers = depth.astype(np.float32) / 16 + 1
    pillow.fromarray(depth).save(folder / "codes.png")
    pillow.fromarray(depth.astype(np.uint16) * 257).save(folder / "deep.png")
    np.save(folder / "numbers.npy", numbers)
    np.savez(folder / "metres.npz", depth=numbers, intrinsics=np.eye(3), extrinsics=np.eye(4)[:3])
    np.savez(folder / "two.npz", depth=depth * 0, mine=numbers)
    (folder / "numbers.pfm").write_bytes(b"Pf\n80 60\n-1\n" + numbers[::-1].tobytes())
    return pillow


def test_read_depth(scene, program, tmp_path):
    image, depth = scene
    files_of(depth, tmp_path)
    for name, options in (("codes.png", {}), ("deep.png", {}), ("numbers.npy", {}), ("metres.npz", {}), ("numbers.pfm", {}),
                          ("two.npz", {"depth_key": "mine"}), ("numbers.npy", {"depth_from": "realsense"})):  # fmt: skip
        words = [word for key, value in options.items() for word in ("--" + key.replace("_", "-"), value)]
        wanted, map = program(image, "--depth", tmp_path / name, *words), satblur.read_depth(tmp_path / name, **options)
        assert np.array_equal(satblur.dof(image, map), wanted) and np.asarray(map) is map.array, name
        assert np.array(map).dtype == map.array.dtype and np.array(map) is not map.array
        if "depth_key" not in options:
            assert np.array_equal(satblur.dof(image, str(tmp_path / name), **options), wanted), name
    with pytest.raises(ValueError, match="only dof"):
        satblur.coc(image, map)
    assert satblur.read_depth(tmp_path / "metres.npz").meaning == {"depth_type": "linear"}
    assert "float32 (60, 80), depth_type='linear'" in repr(satblur.read_depth(tmp_path / "metres.npz"))
    wanted = satblur.coc(image, depth.astype(np.float32) / 16 + 1, depth_type="linear")
    assert np.array_equal(satblur.coc(image, tmp_path / "metres.npz"), wanted)
    numbers = depth.astype(np.float32) / 16 + 1
    for map in (tmp_path / "metres.npz", satblur.read_depth(tmp_path / "metres.npz")):
        assert np.array_equal(satblur.depth_codes(map)[0], satblur.depth_codes(numbers, "linear")[0])
        assert np.array_equal(satblur.depth_codes(map, "disparity")[0], satblur.depth_codes(numbers)[0])
    with pytest.raises(TypeError, match="matte is a map of depth"):
        satblur.dof(image, matte=map)


def test_read_false_colours(scene, program, tmp_path):
    cv2 = pytest.importorskip("cv2", reason="SKIPPED LOUDLY: no OpenCV, so false colours are not tested")
    cv2.imwrite(str(tmp_path / "hot.png"), cv2.applyColorMap(scene[1], cv2.COLORMAP_INFERNO))
    wanted = program(scene[0], "--depth", tmp_path / "hot.png")
    map = satblur.read_depth(tmp_path / "hot.png")
    assert map.array.ndim == 2 and np.abs(map.array.astype(int) - scene[1]).max() <= 1
    for depth, given in ((map, {}), (tmp_path / "hot.png", {}), (tmp_path / "hot.png", {"depth_colormap": "inferno"})):
        assert np.array_equal(satblur.dof(scene[0], depth, **given), wanted)
    array = cv2.applyColorMap(scene[1], cv2.COLORMAP_INFERNO)[..., ::-1]
    assert np.array_equal(satblur.dof(scene[0], array, depth_colormap="auto"), wanted)


def test_paths(scene, program, tmp_path, monkeypatch):
    image, depth = scene
    monkeypatch.chdir(tmp_path)
    for name in ("image", "result.png"):  # words that the package gives the program
        (tmp_path / name).mkdir()
    pillow = files_of(depth, tmp_path)
    turned = pillow.fromarray(np.rot90(image))  # is shown turned back, to the right
    exif = turned.getexif()
    exif[0x0112] = 6
    turned.save(tmp_path / "turned.png", exif=exif)
    pillow.fromarray((depth > 100).astype(np.uint8) * 255).save(tmp_path / "mask.png")
    result = satblur.dof(tmp_path / "turned.png", tmp_path / "codes.png", protect=str(tmp_path / "mask.png"))
    assert np.array_equal(result, satblur.dof(image, depth, protect=depth > 100))
    light = (image / 40.0).astype(np.float16)
    (tmp_path / "light.pfm").write_bytes(b"PF\n80 60\n-1\n" + light[::-1].astype(np.float32).tobytes())
    assert np.array_equal(satblur.box(tmp_path / "light.pfm", 3), satblur.box(light, 3, transfer="linear"))
    (tmp_path / "no--grain.png").write_text("no picture")
    for function in (satblur.read_depth, satblur.read_embedded, lambda path: satblur.box(path, 1)):
        with pytest.raises(FileNotFoundError):
            function(tmp_path / "missing.png")
        with pytest.raises(ValueError, match="no--grain.png: "):
            function(tmp_path / "no--grain.png")
    (tmp_path / "a\n--equalize").write_bytes((tmp_path / "codes.png").read_bytes())
    with pytest.raises(ValueError, match="line break"):
        satblur.read_depth(tmp_path / "a\n--equalize")
    with pytest.raises(TypeError, match="path is 3"):
        satblur.read_depth(3)


def test_read_embedded(scene, tmp_path):
    pillow = files_of(scene[1], tmp_path)
    make = pathlib.Path(__file__).parents[3] / "tests/cli/codec/mkembedded.py"
    pillow.fromarray(scene[0]).save(tmp_path / "photo.jpg", quality=95)
    pillow.fromarray(scene[1]).save(tmp_path / "map.jpg", quality=95)
    pillow.fromarray(np.where(scene[1] > 100, 255, 0).astype(np.uint8)).save(tmp_path / "matte.jpg", quality=95)

    def put(kind, photo, map, out):
        subprocess.run([sys.executable, make, kind, photo, map, out], cwd=tmp_path, check=True)
        return tmp_path / out

    def shown(path):
        words = [sys.executable, "-m", "satblur", path, tmp_path / "out.png", "--device", "cpu"]
        subprocess.run(words, check=True, capture_output=True)
        return np.asarray(pillow.open(tmp_path / "out.png"))

    for kind in ("gdepth", "gdepth-linear", "apple"):
        found = satblur.read_embedded(put(kind, "photo.jpg", "map.jpg", "phone.jpg"))
        assert found.image.shape == (60, 80, 3) and found.depth.array.shape == (60, 80) and found.matte is None
        assert found.transfer == "srgb"
        assert np.array_equal(satblur.dof(found.image, found.depth), shown(tmp_path / "phone.jpg")), kind
    found = satblur.read_embedded(put("apple-matte", "photo.jpg", "matte.jpg", "cut.jpg"))
    assert found.depth is None and ((found.matte > 127) == (scene[1] > 100)).mean() > 0.97
    with pytest.raises(ValueError, match="carries neither a depth map nor a matte"):
        satblur.read_embedded(tmp_path / "photo.jpg")


def test_a_package_without_the_program(monkeypatch, tmp_path):
    monkeypatch.setattr(_host, "_HERE", str(tmp_path))
    with pytest.raises(RuntimeError, match="built without the program"):
        _host._load()
    (tmp_path / "libsatblur-host.so").write_text("no library")
    with pytest.raises(RuntimeError, match="does not load"):
        _host._load()


def test_the_program_is_loaded_once(monkeypatch):
    monkeypatch.setattr(_host, "_LOADED", [])
    monkeypatch.setattr(_host, "_load", lambda: time.sleep(0.05) or object())
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(lambda _: _host._library(), range(4)))) == 1
