"""What all functions on images share: devices, numbers, layouts, results."""

import math
import operator
import os
import sys
import warnings

from . import _core
from . import _frameworks as fw
from ._samples import TRANSFERS, held, is_pillow, of_samples, to_pillow, to_samples

_CPU, _AUTO, _BY_ARRAYS = -1, -2, -3
PROCESS = os.getpid()  # that imported the package; one forked from it computes on the CPU


def device_number(device):
    """Returns the number that the extension has for None, "auto", "cpu", "cuda" or "cuda:N"."""
    names = {None: _BY_ARRAYS, "auto": _AUTO, "cpu": _CPU, "cuda": 0}
    text = device if device is None else str(device)
    if not (device is None or isinstance(device, str) or type(device).__name__.lower() == "device"):
        raise wrong("device", device, "None, 'auto', 'cpu', 'cuda' or 'cuda:N'")
    if text in names:
        return names[text]
    kind, _, number = text.partition(":")
    if kind == "cuda" and number.isdigit() and int(number) < 1024:
        return int(number)
    raise wrong("device", device, "None, 'auto', 'cpu', 'cuda' or 'cuda:N'", False)


def warn(line):
    """Warns the caller outside the package. The extension calls this, too."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "satblur":
        frame, level = frame.f_back, level + 1
    warnings.warn(line, UserWarning, level)


# TypeError: no value of the type would do. ValueError: another one would.


def shown(value):
    """Returns what a value looks like, in a line."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # numbers of many digits, and objects of others
        text = f"of type {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def wrong(name, value, wanted, of_type=True):
    """Returns the error of an argument."""
    return (TypeError if of_type else ValueError)(f"{name} is {shown(value)}; give {wanted}")


def choose(name, value, names):
    """Returns the number of a word."""
    try:
        return names[value]
    except (KeyError, TypeError):
        words = ", ".join(repr(each) for each in names)
        raise wrong(name, value, f"one of {words}", not isinstance(value, tuple(type(each) for each in names))) from None


def parse(name, text):
    """Returns the number that a part of a text is."""
    try:
        return float(text)
    except (TypeError, ValueError):
        raise wrong(name, text, "a number", not isinstance(text, str)) from None


def number(name, value):
    """Returns a float. A text is none."""
    try:
        if not isinstance(value, (str, bytes, bytearray)):
            return float(value)
    except OverflowError:
        raise wrong(name, value, "a number", False) from None
    except (TypeError, ValueError, RuntimeError):
        pass
    raise wrong(name, value, "a number")


def whole(name, value):
    """Returns an int that C has room for."""
    given = number(name, value)
    if not math.isfinite(given) or given != int(given) or abs(given) >= 2**31:
        raise wrong(name, value, "a whole number", False)
    return int(given)


def pair(name, value, read=number):
    """Returns two numbers."""
    try:
        a, b = value
    except (TypeError, ValueError) as error:
        raise wrong(name, value, "two numbers, like (0.8, 20)", isinstance(error, TypeError)) from None
    return read(name, a), read(name, b)


def index(name, value):
    """Returns an int of any size."""
    try:
        return operator.index(value)
    except TypeError:
        raise wrong(name, value, "a whole number", not isinstance(value, float)) from None


# The choices, name to words to numbers. None is the library's default.
CHOICES = {
    name: {None if word == "default" else word: number for number, word in enumerate(words)} for name, words in _core.CHOICES.items()
}


class Call:
    """The arrays of one call: those of the caller, and those of the extension, whose channels are last."""

    def __init__(self, image, out, layout, device, transfer=None, is_coc=False):
        self.is_first = choose("layout", layout, {"HWC": False, "CHW": True})
        self.linear = choose("transfer", transfer, TRANSFERS)
        self.caller, self.out, self.is_coc = image, out, is_coc
        given = held(image, "image")
        if transfer is None and isinstance(image, (str, os.PathLike)):
            self.linear = fw.dtype_name(given) == "float16"  # as the file says
        self.shape = fw.shape(given)  # of the result, as the caller has it
        if self.is_first:
            if len(self.shape) not in (3, 4) or self.shape[-3] > 4:
                raise ValueError(f"image has shape {self.shape}, and layout='CHW' needs (channels, height, width), or a batch")
            given = fw.moved(given, True)
        if 0 in self.shape:
            raise ValueError(f"image is empty, of shape {self.shape}; give at least a pixel")
        self.given = fw.with_rows(given, min(3, max(2, len(self.shape))))
        self.image = to_samples(self.given, "image", self.linear)
        sides = fw.shape(self.image)
        self.number = sides[0] if len(sides) == 4 else None
        self.sides = sides[:2] if self.number is None else sides[1:3]
        self.dtype = fw.dtype_name(self.image)
        self.is_light = self.linear and self.dtype in ("float16", "float32")
        if is_coc:
            sides = self.shape = sides[:2] if self.number is None else sides[:3] + (1,)
            self.dtype = "uint16"
        self.place = _core.Place(device_number(device), fw.stream(self.image), self.is_light)
        self.to = None if out is None else self.writable(out)
        self.is_direct = self.to is not None and self.fits()
        self.target = self.to if self.is_direct else fw.empty(self.image, sides, self.dtype)

    def gamma(self, linear):
        """Returns whether the samples are blurred as they are: also integers that are light."""
        return int(not self.is_light and (self.linear or not linear))

    def writable(self, out):
        """Returns the caller's out as an array. Raises ValueError for one that cannot take the result."""
        to, given = fw.readable(out, "out", written=True), fw.dtype_name(self.given)
        wanted = self.dtype if self.is_coc or given == "bool" else given
        if fw.shape(to) != tuple(self.shape):
            raise ValueError(f"out has shape {fw.shape(to)}, and the result has {tuple(self.shape)}; give the same shape")
        if fw.dtype_name(to) != wanted:
            raise ValueError(f"out has samples of type {fw.dtype_name(to)}, and the result has {wanted}; give the same type")
        if fw.framework(to) == "numpy" and hasattr(to, "flags") and not to.flags.writeable:
            raise ValueError("out is read-only; give an array that can be written, or a copy")
        return to

    def fits(self):
        """Returns whether the extension can write the result where it belongs."""
        is_moved = self.is_first and not self.is_coc
        is_native = getattr(getattr(self.to, "dtype", None), "isnative", True)
        is_aligned = getattr(getattr(self.to, "flags", None), "aligned", True)
        has_rows = fw.with_rows(self.to, min(3, len(self.shape))) is self.to
        return fw.dtype_name(self.to) == self.dtype and is_native and is_aligned and has_rows and not is_moved

    def take(self, pictures):
        """Takes numpy's results of the program: codes, or half floats."""
        import numpy

        made = pictures[0] if self.number is None else numpy.stack(pictures)
        image = numpy.asarray(fw.to_host(self.image))
        made = of_samples(made, image, fw.cast(image, "float16") if self.is_light else image)
        made = fw.of_host(made, self.given)
        if self.is_direct:
            fw.copy(made, self.target)
        else:
            self.target = made

    def result(self):
        """Returns the result as the caller wants it."""
        result = self.target
        if not self.is_coc:
            result = of_samples(result, self.given, self.image)
            result = fw.moved(result, False) if self.is_first else result
        if self.to is None:
            result = fw.finish(self.given, result)
            return to_pillow(result, self.caller) if is_pillow(self.caller) else result
        if not self.is_direct:
            fw.copy(result, self.to)
        return self.out


def source(image):
    """Returns a picture as the extension reads its codes."""
    given = held(image, "image")
    return to_samples(fw.with_rows(given, min(3, max(2, len(fw.shape(given))))), "image", False)
