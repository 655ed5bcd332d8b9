"""Stubs, docstrings and the version fit the code."""

import ast
import importlib.util
import inspect
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import satblur

PACKAGE = pathlib.Path(importlib.util.find_spec("satblur").origin).parent


def test_stubs():
    assert (PACKAGE / "py.typed").exists()
    found = {}
    for node in ast.parse((PACKAGE / "__init__.pyi").read_text()).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = [a.arg for a in node.args.args + node.args.kwonlyargs]
        elif isinstance(node, ast.ClassDef):
            found[node.name] = None
            if node.name in ("Report", "ChannelStats"):
                fields = {item.target.id for item in node.body}
                assert fields == {f for f in dir(getattr(satblur, node.name)) if not f.startswith("_")}
    assert set(found) == set(satblur.__all__)
    for name, names in found.items():
        if names is not None:
            assert names == list(inspect.signature(getattr(satblur, name)).parameters), name


def test_docstrings():
    for name in satblur.__all__:
        assert getattr(satblur, name).__doc__, name


def test_version():
    from importlib.metadata import version

    assert version("satblur") == satblur.__version__


def test_parameters():
    """Defaults are within, and what is beyond is refused."""
    image = np.zeros((8, 8), np.uint8)
    rows = satblur.parameters()
    presets = {name: each.default for name, each in inspect.signature(satblur.dof).parameters.items()}
    assert set(rows) == {*satblur._core.NUMBERS} | {name for name in satblur._core.CHOICES if name in presets}
    for name, row in rows.items():
        assert row.default == presets[name] and row.text
        if row.words:
            assert row.default in row.words
            continue
        assert row.low <= row.default <= row.high
        for value in (row.low - 2, row.high + 1):
            with pytest.raises(ValueError):
                satblur.dof(image, image, **{"highlights": 4, name: value})


def test_licences():
    """What the program has is in the list, and what it lacks is not."""
    licences = satblur.licences()
    assert licences["satblur"] == "MIT" and all(licences.values())
    done = subprocess.run([sys.executable, "-m", "satblur", "--version"], capture_output=True, text=True, check=True)
    for names, word in (({"ffmpeg", "libavformat-dev"}, "video: not"), ({"CUDA Toolkit"}, "GPU: not")):
        assert bool(names & {*licences}) != (word in done.stdout), names
