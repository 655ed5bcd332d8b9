"""Results equal those of the program, bit for bit."""

import json
import subprocess
import sys

import numpy as np
import pytest

import satblur

CASES = [
    ({}, []),
    ({"focus": 0.3, "max_radius": 4.5}, ["--focus", "0.3", "--max-radius", "4.5"]),
    ({"focus": (40, 30), "method": "gather"}, ["--focus-at", "40,30", "--method", "gather"]),
    ({"method": "spread", "linear": False}, ["--method", "spread", "--gamma"]),
    ({"bokeh": "square", "focus_range": 0.2}, ["--bokeh", "square", "--focus-range", "0.2"]),
    ({"near": "black", "max_radius": 6}, ["--near", "black", "--max-radius", "6"]),
    ({"near_scale": 0.5, "far_scale": 2}, ["--near-scale", "0.5", "--far-scale", "2"]),
    ({"blades": 5, "blade_rotation": 20, "blade_curvature": 0.5, "squeeze": 1.5, "highlights": 4},
     ["--blades", "5", "--blade-rotation", "20", "--blade-curvature", "0.5", "--squeeze", "1.5", "--highlights", "4"]),
    ({"edge": "wrap"}, ["--edge", "wrap"]),
    ({"dither": False}, ["--dither=off"]),
    ({"vignette": 0.8, "bokeh_edge": -0.5, "spherical": 0.75, "highlights": 4},
     ["--vignette", "0.8", "--bokeh-edge", "-0.5", "--spherical", "0.75", "--highlights", "4"]),
    ({"highlights": 4, "bokeh": "smooth", "max_radius": 8}, ["--highlights", "4", "--bokeh", "smooth", "--max-radius", "8"]),
    ({"depth_range": (20, 200)}, ["--depth-range", "20,200"]),
    ({"depth_range": (0.1, 0.9), "edges": "keep"}, ["--depth-range", "0.1,0.9", "--depth-edges", "keep"]),
    ({"focus": "2.5m", "distance": (1, 20), "fstop": 1.4, "focal_mm": 50},
     ["--focus", "2.5m", "--distance", "1,20", "--fstop", "1.4", "--focal", "50"]),
    ({"depth_type": "linear", "near": "black", "distance": (1, 9), "holes": "none"},
     ["--depth-type", "linear", "--near", "black", "--distance", "1,9", "--depth-holes", "none"]),
]


@pytest.mark.parametrize("ours,theirs", CASES, ids=[" ".join(theirs) or "plain" for _, theirs in CASES])
def test_dof(scene, program, ours, theirs):
    image, depth = scene
    result = satblur.dof(image, depth, **ours)
    assert np.array_equal(result, program(image, "--depth", depth, *theirs))
    assert not np.array_equal(result, image)


@pytest.mark.parametrize("name", [each for each in satblur._core.NUMBERS if each != "orientation"])
def test_numbers(scene, program, name):
    """The option of a number's name has its meaning."""
    given = {"blades": 5, "highlights": 4, name: min(satblur._core.NUMBERS[name][2], 200)}
    theirs = [word for each, value in given.items() for word in ("--" + each.replace("_", "-"), value)]
    assert np.array_equal(satblur.dof(*scene, **given), program(scene[0], "--depth", scene[1], *theirs))


def test_words():
    """The program's choices have the words of the library's table."""
    done = subprocess.run([sys.executable, "-m", "satblur", "--help=json"], capture_output=True, text=True, check=True)
    words = {each["name"]: tuple(choice["word"] for choice in each.get("choices", ())) for each in json.loads(done.stdout)}
    for name in ("method", "bokeh", "holes", "edges", "edge", "depth_type"):
        wanted = tuple(word for word in satblur._core.CHOICES[name] if word != "default")
        assert words[satblur._words.option_of(name)] == wanted, name


def numbers(rng, kind):
    """Returns floats with the unknown and the infinite."""
    y, x = np.mgrid[:60, :80]
    depth = 1.5 + y / 10 + (x > 40) * 3 + rng.random((60, 80)) / 50
    if "holes" in kind:
        depth[5:9, 5:9] = np.nan
        depth[20, :7] = -1
        depth[30, 30] = 0
    if "infinite" in kind:
        depth[:4] = np.inf
        depth[4, :9] = 6e4 if "half" in kind else 1e10
        depth[5, 3] = -np.inf
    return depth * 0 + 2.0 if "constant" in kind else depth


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("kind", ["plain", "holes", "infinite", "holes infinite", "constant"])
@pytest.mark.parametrize("depth_type", ["disparity", "linear"])
def test_floats(scene, program, rng, dtype, kind, depth_type):
    depth = numbers(rng, kind + " half" * (dtype == "float16")).astype(dtype)
    ours = satblur.dof(scene[0], depth, depth_type=depth_type, max_radius=5)
    theirs = program(scene[0], "--depth", depth, "--depth-type", depth_type, "--max-radius", 5)
    assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("ours,theirs", [
    ({"depth_range": (2, 5)}, ["--depth-range", "2,5"]),
    ({"depth_range": ("2%", "90%")}, ["--depth-range", "2%,90%"]),
    ({"depth_type": "linear", "depth_range": (2, float("inf"))}, ["--depth-type", "linear", "--depth-range", "2,inf"]),
    ({"depth_type": "linear", "depth_range": ("5%", "95%")}, ["--depth-type", "linear", "--depth-range", "5%,95%"]),
    ({"depth_type": "linear", "distance": (1, 8)}, ["--depth-type", "linear", "--distance", "1,8"]),
    ({"depth_type": "linear", "focus": "3m", "fstop": 2, "focal_mm": 80},
     ["--depth-type", "linear", "--focus", "3m", "--fstop", "2", "--focal", "80"]),
    ({"holes": "far"}, ["--depth-holes", "far"]),
    ({"near": "black"}, ["--near", "black"]),
])  # fmt: skip
def test_float_options(scene, program, rng, ours, theirs):
    depth = numbers(rng, "holes").astype(np.float32)
    assert np.array_equal(satblur.dof(scene[0], depth, **ours), program(scene[0], "--depth", depth, *theirs))


def test_box_equalize_map_matte(scene, program):
    image, depth = scene
    assert np.array_equal(satblur.box(image, 2.5), program(image, "--radius", 2.5))
    assert np.array_equal(satblur.box(image, (8, 0), edge="wrap"), program(image, "--radius", "8,0", "--edge", "wrap"))
    assert np.array_equal(satblur.equalize(image), program(image, "--equalize"))
    assert np.array_equal(satblur.blur_map(image, depth, 7), program(image, "--radius-map", depth, "--max-radius", 7))
    matte = np.where(depth > 100, 255, 0).astype(np.uint8)
    assert np.array_equal(satblur.dof(image, matte=matte, max_radius=9), program(image, "--matte", matte, "--max-radius", 9))
    kept = satblur.dof(image, depth, protect=matte, max_radius=9)
    assert np.array_equal(kept, program(image, "--depth", depth, "--protect", matte, "--max-radius", 9))


def test_light(scene, run_program, tmp_path):
    """Light of floats is blurred as that of a PFM, whose rows begin at the bottom."""
    light = (scene[0] / 40.0).astype(np.float32)
    (tmp_path / "light.pfm").write_bytes(b"PF\n80 60\n-1\n" + light[::-1].tobytes())
    words = ["-m", "satblur", "light.pfm", "out.pfm", "--depth", "depth.png", "--max-radius", "7", "--device", "cpu"]
    run_program(scene[0], "--depth", scene[1])  # which leaves the map
    (tmp_path / "map1.png").rename(tmp_path / "depth.png")
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    header, rest = (tmp_path / "out.pfm").read_bytes().split(b"\n80 60\n", 1)
    theirs = np.frombuffer(rest.split(b"\n", 1)[1], np.float32).reshape(60, 80, 3)[::-1]
    ours = satblur.dof(light, scene[1], max_radius=7, transfer="linear")
    assert np.array_equal(ours.astype(np.float16), theirs.astype(np.float16)) and ours.max() > 4


def test_program_is_there():
    done = subprocess.run([sys.executable, "-m", "satblur", "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and satblur.__version__ in done.stdout
