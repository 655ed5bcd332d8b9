"""The examples of the README run."""

import pathlib
import re
import subprocess
import sys
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from tiny_onnx import model, node, value

import satblur

EXAMPLES = re.findall(r"^## ([^\n]*)\n(?:(?!^## ).)*?^```python\n(.*?)^```",
                      (pathlib.Path(__file__).parents[1] / "README.md").read_text(), re.M | re.S)  # fmt: skip


def need(words, folder):
    if "torch" in words:
        pytest.importorskip("torch", reason="SKIPPED LOUDLY: no PyTorch")
    if "cuda" in words and not pytest.importorskip("torch").cuda.is_available():
        pytest.skip("SKIPPED LOUDLY: no GPU")
    if "program" in words and not (pathlib.Path(satblur.__file__).parent / "bin/satblur").exists():
        pytest.skip("SKIPPED LOUDLY: the package has no program")
    if "cv2" in words:
        pytest.importorskip("cv2", reason="SKIPPED LOUDLY: no OpenCV")
    if "onnx" in words:
        pytest.importorskip("onnxruntime", reason="SKIPPED LOUDLY: no onnxruntime")
        make_model(folder / "model.onnx")


def make_portrait(pillow, image, depth):
    """Writes portrait.jpg, with its map."""
    for name, array in (("plain.jpg", image), ("map.jpg", depth)):
        pillow.fromarray(array).save(name)
    make = pathlib.Path(__file__).parents[3] / "tests/cli/codec/mkembedded.py"
    subprocess.run([sys.executable, make, "gdepth", "plain.jpg", "map.jpg", "portrait.jpg"], check=True)


def make_model(path):
    """Writes a network whose depth is a mean of the colours, a quarter of the picture's size."""
    nodes = [node("AveragePool", ["image"], "small", kernel_shape=[4, 4], strides=[4, 4]),
             node("ReduceMean", ["small"], "depth", axes=[1], keepdims=0)]  # fmt: skip
    path.write_bytes(model(nodes, [value("image", "float32", (1, 3, "h", "w"))], [value("depth", "float32", (1, "y", "x"))]))


def test_there_are_all():
    names = [name for name, _ in EXAMPLES]
    assert names[:5] == ["numpy", "Pillow", "OpenCV", "PyTorch", "A pipeline, as of diffusers"] and len(names) == 9


@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("code", [code for _, code in EXAMPLES], ids=[name for name, _ in EXAMPLES])
def test_example(code, bits, scene, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    needs = re.match(r"# needs: (.*)\n", code)
    need(needs[1] if needs else "", tmp_path)
    if ".png" in code or ".jpg" in code:
        pillow = pytest.importorskip("PIL.Image", reason="SKIPPED LOUDLY: no Pillow")
        pillow.fromarray(scene[0]).save("photo.png")
        pillow.fromarray(scene[1] if bits == 8 else scene[1].astype(np.uint16) * 257).save("depth.png")
        make_portrait(pillow, *scene)
    if bits == 16 and "depth.png" not in code:
        pytest.skip("reads no depth.png")
    exec(compile(code, "README.md", "exec"), {})
    if bits == 16 and "max_radius" in code:  # the map was read whole
        wanted = satblur.dof(scene[0], scene[1].astype(np.uint16) * 257, max_radius="3%")
        assert np.array_equal(np.asarray(pillow.open("blurred.png")), wanted)


def test_onnx(scene, tmp_path):
    pytest.importorskip("onnxruntime", reason="SKIPPED LOUDLY: no onnxruntime")
    make_model(tmp_path / "model.onnx")
    depth = satblur.depth_from_onnx(tmp_path / "model.onnx", scene[0], mean=(0, 0, 0), std=(1, 1, 1))
    wanted = (scene[0] / 255).reshape(15, 4, 20, 4, 3).mean((1, 3, 4))
    assert depth.dtype == np.float32 and np.allclose(depth, wanted, atol=1e-5)
    assert satblur.depth_from_onnx((tmp_path / "model.onnx").read_bytes(), scene[0], size=(32, 64)).shape == (8, 16)
    with pytest.raises(ValueError, match="uint8"):
        satblur.depth_from_onnx(tmp_path / "model.onnx", scene[1])


def test_blender(scene, monkeypatch):
    """The script for Blender blurs the render by its metres, and hands the rows over from below."""
    metres = satblur.DepthMap(1 + scene[1] / np.float32(25), {"depth_type": "linear"})
    light = np.dstack([scene[0] / 64, np.ones((60, 80))]).astype(np.float16)
    bpy = mock.MagicMock()
    dof = SimpleNamespace(focus_distance=3.5, aperture_fstop=0.125, aperture_blades=5)
    bpy.context.scene.camera.data = SimpleNamespace(dof=dof, lens=50, sensor_width=36)
    monkeypatch.setitem(sys.modules, "bpy", bpy)
    monkeypatch.setattr(satblur, "read_embedded", lambda path: satblur.Embedded(light, metres, None, "linear"))
    text = (pathlib.Path(__file__).parents[1] / "examples/blender/README.md").read_text()
    exec(compile(re.search(r"```python\n(.*?)```", text, re.S)[1], "blender", "exec"), {})
    wanted = satblur.dof(light, metres, transfer="linear", focus="3.5m", fstop=0.125, focal_mm=50, sensor_mm=36, blades=5)
    (given,) = bpy.data.images.new.return_value.pixels.foreach_set.call_args[0]
    assert given.dtype == np.float32 and np.array_equal(given.reshape(60, 80, 4)[::-1], wanted)
    assert not np.array_equal(wanted, light) and not dof.use_dof
