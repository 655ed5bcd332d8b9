"""What all functions on images share: devices, numbers, layouts, results."""

import math
import operator
import sys
import warnings

from . import _core
from . import _frameworks as fw

_CPU, _AUTO, _BY_ARRAYS = -1, -2, -3


def device_number(device):
    """Returns the number that the extension has for None, "auto", "cpu", "cuda" or "cuda:N"."""
    names = {None: _BY_ARRAYS, "auto": _AUTO, "cpu": _CPU, "cuda": 0}
    text = device if device is None else str(device)
    if text in names:
        return names[text]
    kind, _, number = text.partition(":")
    if kind == "cuda" and number.isdigit() and int(number) < 1024:
        return int(number)
    raise ValueError(f"device is {device!r}; give None, 'auto', 'cpu', 'cuda' or 'cuda:N'")


def warn(line):
    """Warns the caller outside the package. The extension calls this, too."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "satblur":
        frame, level = frame.f_back, level + 1
    warnings.warn(line, UserWarning, level)


def choose(name, value, names):
    """Returns the number of a word."""
    try:
        return names[value]
    except (KeyError, TypeError):
        words = ", ".join(repr(each) for each in names)
        raise ValueError(f"{name} is {value!r}; give one of {words}") from None


def parse(name, text):
    """Returns the number that a part of a text is."""
    try:
        return float(text)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is {text!r}; give a number") from None


def number(name, value):
    """Returns a float. A text is none."""
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            return float(value)
    except (TypeError, ValueError, OverflowError, RuntimeError):
        pass
    raise ValueError(f"{name} is {value!r}; give a number")


def whole(name, value):
    """Returns an int that C has room for."""
    given = number(name, value)
    if not math.isfinite(given) or given != int(given) or abs(given) >= 2**31:
        raise ValueError(f"{name} is {value!r}; give a whole number")
    return int(given)


def pair(name, value, read=number):
    """Returns two numbers."""
    try:
        a, b = value
    except (TypeError, ValueError):
        raise ValueError(f"{name} is {value!r}; give two numbers, like (0.8, 20)") from None
    return read(name, a), read(name, b)


def index(name, value):
    """Returns an int of any size."""
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{name} is {value!r}; give a whole number") from None


EDGES = {"shrink": 0, "clamp": 1, "mirror": 2, "wrap": 3}


class Call:
    """The arrays of one call, as the extension takes them: channels last, and no float32 on a GPU."""

    def __init__(self, image, out, layout, device, dtype=None, sides=None):
        choose("layout", layout, {"HWC": 0, "CHW": 1})
        if image is None:
            raise ValueError("image is no array: None; give one of numpy, PyTorch, CuPy or JAX")
        self.given = fw.readable(image, "image")
        self.image = self.given
        self.is_first = layout == "CHW"
        self.out = out
        if self.is_first:
            if len(fw.shape(self.image)) not in (3, 4):
                raise ValueError(f"image has shape {fw.shape(self.image)}, and layout='CHW' needs (channels, height, width)")
            self.image = fw.moved(self.image, True)
        self.is_float = fw.dtype_name(self.given) == "float32" and fw.is_cuda(self.given)
        if self.is_float:
            self.image = codes_of(self.image, "image")
        self.place = _core.Place(device_number(device), fw.stream(self.image))
        if out is not None and fw.framework(out) == "jax":
            raise ValueError("out is an array of JAX, which cannot be written; leave it out")
        self.target = self.make_target(dtype, sides)

    def make_target(self, dtype, sides):
        """Returns the array that the extension writes."""
        if dtype is None and self.out is not None and (self.is_first or self.is_float):
            if tuple(self.out.shape) != fw.shape(self.given) or fw.dtype_name(self.out) != fw.dtype_name(self.given):
                raise ValueError("out has another shape or type than image; give the same")
        elif self.out is not None:
            return fw.readable(self.out, "out")
        name = dtype or fw.dtype_name(self.image) or memoryview(self.image).format
        names = {"B": "uint8", "H": "uint16", "e": "float16", "f": "float32"}
        name = names.get(name, name)
        if sides is None:
            sides = fw.shape(self.image)
        if name not in ("uint8", "uint16", "float16", "float32", "uint32", "uint64"):
            raise ValueError(f"image has samples of type {name}; convert it to uint8, uint16, float16 or float32")
        if 0 in tuple(sides):
            raise ValueError(f"image is empty, of shape {tuple(sides)}; give at least a pixel")
        return fw.empty(self.image, sides, name)

    def result(self, is_picture=True):
        """Returns the result as the caller wants it."""
        result = self.target
        if is_picture and self.is_float:
            floats = fw.empty(self.image, fw.shape(self.image), "float32")
            fw.from_codes(result, floats)
            result = floats
        if is_picture and self.is_first:
            result = fw.moved(result, False)
        if self.out is not None and result is not self.out and is_picture and (self.is_first or self.is_float):
            if fw.framework(self.out) == "torch":
                self.out.copy_(result)
            else:
                self.out[...] = result
            return self.out
        return self.out if self.out is not None else fw.finish(self.given, result)


def codes_of(array, name):
    """Returns codes of floats on a GPU."""
    if fw.framework(array) not in ("torch", "cupy"):
        raise ValueError(f"{name} is float32 on a GPU, of no framework that can convert it; give uint8, uint16 or float16")
    _core.check_floats(name, *fw.count_odd(array))
    return fw.to_codes(array)


def plane(array, name):
    """Returns a map or a mask as the extension takes it: codes, or floats, which are codes except for a depth map."""
    array = fw.readable(array, name)
    dtype = "" if array is None else fw.dtype_name(array)
    if dtype == "bool":
        return fw.cast(array, "uint8") * 255
    if dtype == "int32":
        return _codes_of_integers(array, name)
    if not dtype.startswith("float"):
        return array
    if name != "depth" and dtype in ("float16", "float64"):
        array, dtype = fw.cast(array, "float32"), "float32"
    if not fw.is_cuda(array):
        return array
    if name == "depth":
        return fw.to_host(array)
    return codes_of(array, name) if dtype == "float32" else array


def _codes_of_integers(array, name):
    """Returns codes of 16 bits of int32, which Pillow has for them."""
    if 0 in fw.shape(array):
        return fw.cast(array, "uint16")
    least, most = int(array.min()), int(array.max())
    if least < 0 or most > 65535:
        raise ValueError(f"{name} has int32 samples from {least} to {most}; give uint8, uint16 or floats")
    return fw.cast(array, "uint16")
