"""Pictures and maps from files, as the program reads them: all its formats, upright."""

import os
from collections import namedtuple

from . import _words
from ._call import wrong

Embedded = namedtuple("Embedded", "image depth matte transfer")
Embedded.__doc__ = "A photo, as it was before a phone blurred it, its DepthMap or None, its matte or None, and dof()'s transfer."


class DepthMap:
    """A depth map of a file: array, and meaning, the arguments of dof() that say what its numbers are. dof() takes both."""

    def __init__(self, array, meaning):
        self.array, self.meaning = array, meaning

    def __array__(self, dtype=None, copy=None):
        import numpy

        return numpy.array(self.array, dtype, copy=copy)

    def __repr__(self):
        meaning = "".join(f", {name}={value!r}" for name, value in self.meaning.items())
        return f"satblur.DepthMap({self.array.dtype} {self.array.shape}{meaning})"


def is_path(thing):
    return isinstance(thing, (str, os.PathLike))


def _file(path, name="path"):
    """Returns the whole name of a file that is there. Raises OSError, and TypeError for what is no name."""
    if not is_path(path):
        raise wrong(name, path, "the name of a file")
    os.stat(path)
    return os.path.abspath(os.fspath(path))


def _meaning_of(host):
    """Returns the arguments of dof() of what the file says of its map."""
    meaning = {}
    for word in host.meaning():
        option, _, value = word.partition("=")
        numbers = tuple(float(each) for each in value.split(",")) if "," in value else value
        meaning[_words.name_of(option[2:])] = numbers
    if float("inf") in meaning.get("distance", ()) and meaning.get("depth_type") == "linear":
        del meaning["distance"]
    return meaning


def read(path, name):
    """Returns the array of a picture, or of a mask of that name."""
    from . import _host

    if name == "image":
        words, role = [_file(path), "result.png", "--radius=1"], _host.IMAGE
    else:
        words, role = ["image", "result.png", "--depth=depth", "--protect=" + _file(path, name)], _host.PROTECT
    with _host.read(words + ["--no-config"], role) as host:
        return host.picture(role)


def read_depth(path, *, depth_from=None, depth_colormap=None, depth_channel=None, depth_key=None):
    """Returns the DepthMap of a file: PNG, TIFF, PFM, EXR, NPY, NPZ and others, codes or numbers. dof() takes it, or the path.

    depth_from, depth_colormap    as of dof(): the map's colours become codes
    depth_channel                 the channel of an EXR
    depth_key                     the array of an NPZ
    Raises OSError if there is no such file, ValueError if it is no map, and RuntimeError if the package has no program.
    """
    from . import _host

    given = {"depth_from": depth_from, "depth_colormap": depth_colormap, "depth_channel": depth_channel, "depth_key": depth_key}
    words = ["image", "result.png", "--no-config", "--depth=" + _file(path)]
    words += [f"--{_words.option_of(name)}={value}" for name, value in given.items() if value is not None]
    with _host.read(words, _host.DEPTH) as host:
        meaning = _meaning_of(host)
        return DepthMap(host.picture(_host.DEPTH), {**meaning, "depth_from": depth_from} if depth_from else meaning)


def read_embedded(path):
    """Returns Embedded(image, depth, matte, transfer): a photo, and the depth map and the matte that a phone or an EXR has within.

    transfer is "linear" if the image is light, as that of an EXR is, else "srgb".

    Raises OSError, ValueError if the file has neither, and RuntimeError, as of read_depth().
    """
    from . import _host

    with _host.read([_file(path), "result.png", "--no-config", "--depth=embedded"], _host.RESULT) as host:
        depth = host.picture(_host.DEPTH)
        depth = None if depth is None else DepthMap(depth, _meaning_of(host))
        image = host.picture(_host.IMAGE)
        return Embedded(image, depth, host.picture(_host.MATTE), "linear" if image.dtype == "float16" else "srgb")


def meant(depth, options, given):
    """Returns the array of a depth map, and the options with what its file says of those that are not given."""
    if is_path(depth):
        depth = read_depth(depth, **{name: options.get(name) for name in ("depth_from", "depth_colormap")})
        options = {**options, "depth_colormap": None}
    if not isinstance(depth, DepthMap):
        return depth, options
    for name in depth.meaning:
        if name not in options:
            raise ValueError(f"depth was read with {name}, which only dof() has")
    told = {name: value for name, value in depth.meaning.items() if name not in given}
    return depth.array, {**options, **told}
