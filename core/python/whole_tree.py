"""The build backend: scikit-build-core's, whose source distribution is the whole tree, so that it builds alone. The files of
core/python need those above them, and a source distribution begins at the folder of its pyproject.toml."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from scikit_build_core.build import *  # noqa: F403
from scikit_build_core.build import build_sdist as _build_sdist

_HERE = pathlib.Path(__file__).resolve().parent
_TOP = _HERE.parent.parent
_TREES = ["CMakeLists.txt", "LICENSE", "app", "core", "kernels"]
# The paths of pyproject.toml, here and from the top of the tree.
_MOVED = {
    'build-backend = "whole_tree"\nbackend-path = ["."]': 'build-backend = "scikit_build_core.build"',
    'readme = "README.md"': 'readme = "core/python/README.md"',
    '"package/satblur"': '"core/python/package/satblur"',
    '"../include/satblur.h"': '"core/include/satblur.h"',
    "[tool.scikit-build]\n": '[tool.scikit-build]\ncmake.source-dir = "core/python"\n',
}


def _lay(folder):
    listed = subprocess.run(["git", "ls-files", "-z", "--", *_TREES], cwd=_TOP, check=True, stdout=subprocess.PIPE).stdout
    for name in os.fsdecode(listed).split("\0")[:-1]:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(_TOP / name, target)
    text = (_HERE / "pyproject.toml").read_text(encoding="utf-8")
    for here, there in _MOVED.items():
        if text.count(here) != 1:
            raise RuntimeError(f"pyproject.toml lacks {here!r}; bring whole_tree.py up to date")
        text = text.replace(here, there)
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")


def build_sdist(sdist_directory, config_settings=None):
    into = os.path.abspath(sdist_directory)
    with tempfile.TemporaryDirectory() as work:
        _lay(pathlib.Path(work))
        os.chdir(work)
        try:
            return _build_sdist(into, config_settings)
        finally:
            os.chdir(_HERE)
