"""satblur: box filters and depth-of-field blur from summed-area tables, on the CPU and on NVIDIA GPUs, with the same bits on
both. Arrays of numpy, PyTorch, CuPy and JAX are read and written where they are. dof() is the place to begin."""

import atexit as _atexit
import ctypes as _ctypes
import json as _json
import pathlib as _pathlib

_get, _main = _ctypes.pythonapi.PyInterpreterState_Get, _ctypes.pythonapi.PyInterpreterState_Main
_get.restype = _main.restype = _ctypes.c_void_p
if _get() != _main():  # the extension would break in the main interpreter; later Pythons do not always refuse it
    raise ImportError("satblur runs in Python's main interpreter only; with mod_wsgi, say WSGIApplicationGroup %{GLOBAL}")

from . import _core
from ._arrays import compact, reduce, scan, sort
from ._core import ChannelStats, LimitError, Report
from ._dof import coc, depth_codes, dof
from ._files import DepthMap, Embedded, read_depth, read_embedded
from ._images import blur_map, box, equalize, measure, table
from ._onnx import depth_from_onnx
from ._parameters import Parameter, parameters

__version__ = _core.__version__
__all__ = [
    "ChannelStats", "DepthMap", "Embedded", "LimitError", "Parameter", "Report", "blur_map", "box", "coc", "compact",
    "depth_codes", "depth_from_onnx", "describe", "dof", "equalize", "licences", "measure", "parameters", "read_depth", "read_embedded",
    "reduce", "scan", "sort", "table", "trim",
]  # fmt: skip


def describe(device=None):
    """Returns the name of a device, like "cpu, 2 threads" or "cuda:0 NVIDIA H200". Raises RuntimeError if it is missing."""
    from ._call import device_number

    return _core.describe(device_number("auto" if device is None else device))


def licences():
    """Returns the libraries that are in this package, and the licence of each, from satblur/satblur.spdx.json, which has their
    versions, too. Wheels have the texts in satblur/licences."""
    document = (_pathlib.Path(__file__).parent / "satblur.spdx.json").read_text(encoding="utf-8")
    return {part["name"]: part["licenseDeclared"] for part in _json.loads(document)["packages"]}


def trim():
    """Frees the memory that this thread's contexts keep for their next calls."""
    _core.trim()


_atexit.register(_core.close)
