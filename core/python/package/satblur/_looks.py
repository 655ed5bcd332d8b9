"""Looks that the program has and the library alone has not: its own parser reads them, and it does the work, on the host."""

import os

from . import _core, _host, _words
from . import _frameworks as fw
from ._call import PROCESS, device_number, wrong

_NOT_WORDS = ("matte", "protect", "transfer", "linear", "dither", "focus", "orientation", "layout", "out",
              "report", "device")  # fmt: skip
_OF_LOOKS = {"dof_preset": ("focus_range", "bokeh"), "depth_from": ("depth_type",)}  # they have other defaults


def _words_of(defaults, options, given, gamma):
    """Returns the options as words of a command line: those that are not as the function has them, or overrule a look."""
    if options["dof_preset"] == "cine" and "highlights" in given and options["highlights"] == 0:
        raise ValueError("highlights is 0, and the look cine has them; give focus_range and max_radius instead of the look")
    overruling = {name for look, names in _OF_LOOKS.items() if options[look] is not None for name in names} & given
    words = []
    for name, default in defaults.items():
        value = options[name]
        is_default = isinstance(value, (str, int, float)) and value == default and name not in overruling
        if name in _NOT_WORDS or value is None or (is_default and name != "method"):
            continue
        try:
            words.append(f"--{_words.option_of(name)}={_words.text_of(value)}")
        except (TypeError, ValueError, OverflowError):
            raise wrong(name, value, "a text, a number or a tuple of numbers") from None
    focus, dither = options["focus"], options["dither"]
    if isinstance(focus, (tuple, list)):
        words.append("--focus-at=" + _words.text_of([float(each) for each in focus]))
    elif focus != "auto":
        words.append("--focus=" + _words.text_of(focus if isinstance(focus, str) else float(focus)))
    if dither is not True:
        words.append("--dither=" + ("on" if dither else "off"))
    return words + ["--gamma"] * gamma


def _device(call, device):
    if device not in (None, "auto", "cpu"):
        _core.describe(device_number(device))  # which raises if it is missing
    if device is None and fw.is_cuda(call.image):
        where = getattr(call.image, "device", None)
        return f"cuda:{getattr(where, 'index', None) or getattr(where, 'id', None) or 0}"
    return "cpu" if os.getpid() != PROCESS else str(device or "auto")


def _numbers(array):
    import numpy

    with numpy.errstate(over="ignore"):
        return numpy.asarray(array).astype(numpy.float32)


def _pictures(array, number, name, most=4):
    """Returns the pictures of a batch, or the one. Raises ValueError for what is no picture of up to that many channels."""
    pictures = [array] if number is None else list(array)
    sides = pictures[0].shape if pictures else (0,)
    if 0 in sides or len(sides) not in (2, 3) or max(sides[:2]) > 2**24 or (*sides, 1)[2] > most:
        raise ValueError(f"{name} has shape {array.shape}; give (height, width), or also 1 to 4 channels, or a batch of these")
    return pictures


def _maps_of(maps, number):
    """Returns each map that there is as pictures of the program, one or as many as the batch has."""
    found = {}
    for role, name in enumerate(("depth", "matte", "protect"), _host.DEPTH):
        array = maps[name]
        if array is None:
            continue
        is_number = name == "depth" and fw.dtype_name(array) in ("float16", "float32", "float64")
        array = _numbers(array) if is_number else _host.samples_of(array, name)
        each = _pictures(array, number if array.ndim > 2 else None, name, 1 if is_number else 4)
        if len(each) not in (1, number or 1):
            raise ValueError(f"{name} has {len(each)} planes and image {number or 1}; give one, or as many")
        found[role] = each
    return found


def run(defaults, call, maps, options, given):
    """Returns the results and the reports. Raises as dof() does."""
    if options["orientation"] != 1:
        raise ValueError("orientation cannot be given with looks of the program; turn image upright")
    clip = [name for name in map(_words.name_of, _words.OF_CLIPS[:-1]) if options[name] is not None]
    if clip and call.number is None:
        raise ValueError(f"{clip[0]} is for the frames of a clip; give a batch, (number, height, width, channels)")
    if options["fps"] is not None and not clip:
        raise ValueError("fps is for the frames of a clip; add focus_keys, focus_track or max_radius_keys")
    pictures = _pictures(_host.samples_of(call.image, "image", call.is_light), call.number, "image")
    found = _maps_of(maps, call.number)
    names = {_host.DEPTH: "--depth=depth", _host.MATTE: "--matte=matte", _host.PROTECT: "--protect=protect"}
    words = ["image", "result.png", "--no-config", "--device=" + _device(call, options["device"])]
    words += [names[role] + ".npy" * (each[0].dtype == "float32") for role, each in found.items()]
    results, reports = [], []
    with _host.opened(words + _words_of(defaults, options, given, call.gamma(options["linear"])), bool(clip)) as host:
        for i, picture in enumerate(pictures):
            host.give(_host.IMAGE, picture)
            for role, each in found.items():
                host.give(role, each[i if len(each) > 1 else 0])
            result, report = host.run()
            results.append(result.reshape(picture.shape))
            reports.append(report)
    call.take(results)
    return reports
