"""The node of ComfyUI, called as ComfyUI calls it."""

import importlib
import pathlib
import sys

import numpy as np
import pytest

import satblur


@pytest.fixture
def node(monkeypatch):
    monkeypatch.syspath_prepend(str(pathlib.Path(__file__).parents[1] / "examples"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (name, found), = importlib.import_module("comfyui").NODE_CLASS_MAPPINGS.items()
    return found


def test_conventions(node):
    inputs = node.INPUT_TYPES()
    assert inputs["required"]["image"] == ("IMAGE",) and node.RETURN_TYPES == ("IMAGE",)
    assert callable(getattr(node(), node.FUNCTION))


def test_blur(node, scene):
    torch = pytest.importorskip("torch", reason="SKIPPED LOUDLY: no PyTorch, so the node's blur is not tested")
    image = torch.from_numpy(np.stack([scene[0]] * 2).astype(np.float32) / 255)
    depth = torch.from_numpy(np.repeat(scene[1][None, ..., None], 3, 3).astype(np.float32) / 255)
    matte = torch.from_numpy((scene[1][None] > 100).astype(np.float32))
    defaults = {name: row[1]["default"] if len(row) > 1 and "default" in row[1] else row[0][0]
                for name, row in node.INPUT_TYPES()["required"].items() if name not in ("image", "depth")}  # fmt: skip
    (result,) = getattr(node(), node.FUNCTION)(image=image, depth=depth, **defaults)
    wanted = satblur.dof(image, depth[0, ..., 0].contiguous(), max_radius=20)
    assert result.shape == image.shape and torch.equal(result, wanted) and not torch.equal(result, image)
    (other,) = getattr(node(), node.FUNCTION)(image=image, depth=depth, matte=matte, **defaults)
    assert not torch.equal(other, result)
