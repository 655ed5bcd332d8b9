"""The program's own work on arrays and files, through libsatblur-host.so (app/hosts/host.h)."""

import atexit
import ctypes
import os
import threading

from . import _core
from . import _frameworks as fw
from ._call import warn
from ._dof import NAMES
from ._words import translated

IMAGE, DEPTH, MATTE, PROTECT, RESULT = range(5)
_KINDS = {"uint8": 8, "uint16": 16, "float16": -16, "float32": 32}
_HERE = os.path.dirname(os.path.abspath(__file__))


_LOADED, _LOADING = [], threading.Lock()


def _library():
    if not _LOADED:
        with _LOADING:
            _LOADED or _LOADED.append(_load())
    return _LOADED[0]


def _load():
    path = os.path.join(_HERE, "libsatblur-host.so")
    if not os.path.exists(path):
        raise RuntimeError("this package was built without the program, which does this; install libstb-dev libdeflate-dev "
                           "libspng-dev and build it again")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise RuntimeError(f"the program's library, which does this, does not load: {error}") from None
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    for name, result, arguments in (
        ("begin", None, [text]), ("end", None, []), ("problem", text, []), ("is_starved", number, []),
        ("open", pointer, [text, number]), ("close", None, [pointer]), ("run", number, [pointer]),
        ("give", number, [pointer, number, pointer] + [number] * 4), ("read", pointer, [text, number]),
        ("picture", pointer, [pointer, number, ctypes.POINTER(number)]), ("report", pointer, [pointer]),
        ("notes", pointer, [pointer, ctypes.POINTER(ctypes.c_size_t)]), ("meaning", text, [pointer]),
    ):  # fmt: skip
        function = getattr(library, "satb_host_" + name)
        function.restype, function.argtypes = result, arguments
    library.satb_host_begin(os.fsencode(os.path.join(_HERE, "bin", "satblur")))
    atexit.register(library.satb_host_end)
    return library


def _refuse():
    starved, text = _library().satb_host_is_starved(), _library().satb_host_problem()
    raise (MemoryError if starved else ValueError)(translated(text.decode(errors="replace"), NAMES))


class Host:
    """Pictures between the program and numpy."""

    def __init__(self, handle):
        self.handle = handle
        if not handle:
            _refuse()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        _library().satb_host_close(self.handle)

    def give(self, role, array):
        """Hands over samples, (H, W) or (H, W, C)."""
        import numpy

        array = numpy.ascontiguousarray(array)
        height, width, channels = (*array.shape, 1)[:3]
        done = _library().satb_host_give(self.handle, role, array.ctypes.data, width, height, channels, _KINDS[array.dtype.name])
        if not done:
            raise MemoryError(f"there is not enough memory for a copy of {width} x {height} pixels")

    def run(self):
        """Returns the result and its report."""
        if not _library().satb_host_run(self.handle):
            _refuse()
        self.tell()
        state = ctypes.string_at(_library().satb_host_report(self.handle), _core.REPORT_BYTES)
        report = _core.Report.__new__(_core.Report)
        report.__setstate__((_core.__version__, state))
        return self.picture(RESULT), report

    def tell(self):
        size = ctypes.c_size_t()
        notes = _library().satb_host_notes(self.handle, ctypes.byref(size))
        for note in ctypes.string_at(notes, size.value).split(b"\0")[:-1]:
            warn(translated(note.decode(errors="replace"), NAMES))

    def picture(self, role):
        """Returns a copy of a picture; None: there is none."""
        import numpy

        shape = (ctypes.c_int * 4)()
        data = _library().satb_host_picture(self.handle, role, shape)
        if not data:
            return None
        width, height, channels, kind = shape
        dtype = numpy.dtype(next(name for name, each in _KINDS.items() if each == kind))
        samples = numpy.frombuffer((ctypes.c_char * (width * height * channels * dtype.itemsize)).from_address(data), dtype)
        return samples.reshape((height, width, channels) if channels > 1 else (height, width)).copy()

    def meaning(self):
        return _library().satb_host_meaning(self.handle).decode().splitlines()


def _lines(words):
    if any("\n" in word or "\0" in word for word in words):
        raise ValueError("a name or an option has a line break; leave it out")
    return os.fsencode("\n".join(words))


def opened(words, is_clip=False):
    """Returns a Host for pictures, by the words of a command line."""
    return Host(_library().satb_host_open(_lines(words), is_clip))


def read(words, role):
    """Returns a Host with what a file has."""
    host = Host(_library().satb_host_read(_lines(words), role))
    host.tell()
    return host


def samples_of(array, name, is_light=False):
    """Returns codes or half floats on the host, of what the extension takes."""
    import numpy

    array = numpy.asarray(fw.to_host(array))
    if is_light:
        array = fw.cast(array, "float16")
        _core.check_halves(array)
        return array
    if fw.dtype_name(array) not in ("float16", "float32"):
        return array
    array = fw.cast(array, "float32")
    _core.check_floats(name, *fw.count_odd(array))
    return fw.to_codes(array)
