"""The node of ComfyUI, loaded and called as ComfyUI does that, with PyTorch or with numpy's arrays that have its methods."""

import functools
import importlib.util
import pathlib
import re
import sys

import numpy as np
import pytest

import satblur

FOLDER = pathlib.Path(__file__).parents[1] / "examples/comfyui"
TYPES = {"INT": int, "FLOAT": float}


class Fake(np.ndarray):
    """What the node needs of a tensor."""

    def to(self, device):
        return self

    def int(self):
        return self.astype(np.int32)

    def abs(self):
        return np.abs(self)


@pytest.fixture
def node(monkeypatch):
    """Loads a folder of custom_nodes."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    spec = importlib.util.spec_from_file_location("custom_nodes_satblur", FOLDER / "__init__.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    (name, found), = module.NODE_CLASS_MAPPINGS.items()
    assert list(module.NODE_DISPLAY_NAME_MAPPINGS) == [name]
    return found


@pytest.fixture(params=["torch", "numpy"])
def tensor(request, monkeypatch):
    """Returns what makes a tensor of an array."""
    if request.param == "torch":
        return pytest.importorskip("torch", reason="SKIPPED LOUDLY: no PyTorch, so the node has only numpy's arrays").from_numpy

    def faked(function):
        return functools.wraps(function)(lambda *given, **named: function(*given, **named).view(Fake))

    for name in ("dof", "coc"):
        monkeypatch.setattr(satblur, name, faked(getattr(satblur, name)))
    return lambda array: array.view(Fake)


@pytest.fixture
def call(node):
    """Calls the node with what ComfyUI would give: the defaults, checked, and what is connected."""
    inputs = node.INPUT_TYPES()

    def run(**given):
        for name, (kind, options) in {**inputs["required"], **inputs["optional"]}.items():
            if kind not in ("IMAGE", "MASK"):
                given.setdefault(name, options.get("default", kind[0]))
                assert given[name] in kind if isinstance(kind, list) else options["min"] <= given[name] <= options["max"], name
        return getattr(node(), node.FUNCTION)(**given)

    return run


@pytest.fixture
def batch(scene, tensor):
    """Two images, and two maps of three channels."""
    image = np.stack([scene[0], scene[0][::-1]]).astype(np.float32) / 255
    depth = np.repeat(np.stack([scene[1], scene[1][:, ::-1]])[..., None], 3, 3).astype(np.float32) / 255
    return tensor(image), tensor(depth)


def same(a, b):
    return np.array_equal(np.asarray(a), np.asarray(b))


def test_conventions(node):
    inputs = node.INPUT_TYPES()
    assert inputs["required"]["image"][0] == inputs["required"]["depth"][0] == "IMAGE"
    assert inputs["optional"]["matte"][0] == inputs["optional"]["protect"][0] == "MASK"
    assert node.RETURN_TYPES == ("IMAGE", "MASK") and len(node.RETURN_NAMES) == len(node.OUTPUT_TOOLTIPS) == 2
    for kind, options in (*list(inputs["required"].values()), *inputs["optional"].values()):
        assert options["tooltip"]
        for name in ("default", "min", "max", "step") if kind in list(TYPES) else ():
            assert type(options[name]) is TYPES[kind] and options["step"] > 0


def test_inputs_are_those_of_the_table(node):
    inputs = node.INPUT_TYPES()["optional"]
    table = satblur.parameters()
    assert set(table) - set(inputs) == {"orientation"} and {"blades", "highlights", "bokeh", "method"} < set(table)
    for name in set(table) & set(inputs):
        (kind, options), row = inputs[name], table[name]
        assert options["tooltip"] == row.text and options["default"] == (row.default or options["default"])
        assert row.words and len(kind) == len(row.words) or (options["min"], options["max"]) == (row.low, row.high)


def test_blur(call, batch, tensor):
    image, depth = batch
    result, mask = call(image=image, depth=depth)
    assert same(result, satblur.dof(image, depth)) and type(result) is type(image)
    assert mask.shape == image.shape[:3] and 0 <= mask.min() < 0.1 and 0.3 < mask.max() <= 1
    codes = np.asarray(satblur.coc(image, depth))[..., 0].astype(np.int32)
    assert np.allclose(np.asarray(mask), np.abs(codes - 32768) / 32767)
    assert same(call(image=image, depth=depth[:1])[0][0], result[0])  # one map for all
    subject = tensor((np.asarray(depth)[..., 0] > 0.4).astype(np.float32))
    for name in ("matte", "protect"):
        masked, _ = call(image=image, depth=depth, **{name: subject})
        assert same(masked, satblur.dof(image, depth, **{name: subject})) and not same(masked, result)


def test_focus_and_lens(call, batch):
    image, depth = batch
    metres = 1 + 5 * depth
    for given, wanted in (
        ({"focus": "value", "focus_value": 0.25}, {"focus": 0.25}),
        ({"focus": "point", "focus_x": 40, "focus_y": 30, "max_radius": 5.0}, {"focus": (40, 30), "max_radius": "5%"}),
        ({"range_high": 2.0}, {"depth_range": (0, 2)}),
        ({"distance_near": 1.0, "focus": "metres", "fstop": 0.1},
         {"distance": (1, np.inf), "focus": "2m", "fstop": 0.1, "focal_mm": 50}),
    ):
        result, mask = call(image=image, depth=depth, **given)
        assert same(result, satblur.dof(image, depth, **wanted)) and not same(result, image)
        assert given.get("focus") != "point" or mask[0, 30, 40] < 0.01
    given = {"depth_type": "linear", "focus": "metres", "focus_metres": 3.0, "fstop": 0.1, "focal_mm": 35.0}
    wanted = {"depth_type": "linear", "focus": "3m", "fstop": 0.1, "focal_mm": 35}
    assert same(call(image=image, depth=metres, **given)[0], satblur.dof(image, metres, **wanted))


def test_each_number_arrives(call, batch):
    image, depth = (each[:1, :30, :50] for each in batch)
    for name, row in satblur.parameters().items():
        value = row.words[-1] if row.words else min(row.high, 9.0)
        given = {name: int(value) if row.is_whole else value}
        for whole, part in (("blades", "blade_"), ("highlights", "highlight_")):
            if name.startswith(part):
                given[whole] = 5
        if name not in ("orientation", "edge"):  # layered has one edge
            assert same(call(image=image, depth=depth, **given)[0], satblur.dof(image, depth, **given)), name


def test_pyproject():
    tomllib = pytest.importorskip("tomllib", reason="SKIPPED LOUDLY: no tomllib, so pyproject.toml is not read")
    found = tomllib.loads((FOLDER / "pyproject.toml").read_text())
    project, registry = found["project"], found["tool"]["comfy"]
    assert re.fullmatch(r"[a-z](-?[a-z0-9])*", project["name"]) and "comfyui" not in project["name"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", project["version"]) and registry["PublisherId"]
    assert (FOLDER / found["tool"]["setuptools"]["dynamic"]["dependencies"]["file"][0]).read_text().split() == ["satblur"]
