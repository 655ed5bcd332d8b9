"""Blurs without depth, equalisation, tables and statistics."""

from . import _core
from . import _frameworks as fw
from ._call import CHOICES, Call, choose, device_number, number, pair, source
from ._samples import held, plane


def box(image, radius, *, transfer=None, linear=True, edge="shrink", layout="HWC", out=None, device=None):
    """Returns the mean of the (2 radius + 1)**2 pixels around each: exact, and rounded half up.

    radius       pixels, 0 to 2**23, with fractions; or (across, down)
    image, transfer, linear, edge, layout, out, device, errors and threads are as of dof(); all edges are allowed.
    """
    rx, ry = pair("radius", radius if isinstance(radius, (tuple, list)) else (radius, radius))
    call = Call(image, out, layout, device, transfer)
    _core.box(call.image, call.target, rx, ry, call.gamma(linear), choose("edge", edge, CHOICES["edge"]), call.place)
    return call.result()


def blur_map(image, map, max_radius, *, transfer=None, linear=True, edge="shrink", layout="HWC", out=None, device=None):
    """Blurs by a box with a radius per pixel: max_radius * map / largest code.

    map          codes or floats (0 to 1), (H, W) of any size, or (N, H, W) for a batch
    max_radius   pixels where the map is white, 0 to 2**23
    image, transfer, linear, edge, layout, out, device, errors and threads are as of dof().
    """
    call = Call(image, out, layout, device, transfer)
    look = call.gamma(linear), choose("edge", edge, CHOICES["edge"])
    if map is None:
        raise TypeError("map is no array: None; give the radii")
    map = plane(map, "map", call.number)
    _core.blur_map(call.image, map, call.target, number("max_radius", max_radius), *look, call.place)
    return call.result()


def equalize(image, *, layout="HWC", out=None, device=None):
    """Equalises the histogram of the luminance. Colour differences and alpha stay.

    image is codes or floats of 0 to 1. layout, out, device, errors and threads are as of dof().
    """
    call = Call(image, out, layout, device)
    _core.equalize(call.image, call.target, call.place)
    return call.result()


def measure(image, *, luminance=False, device=None):
    """Returns a list of ChannelStats, one for each channel of (H, W) or (H, W, C); luminance=True: one, of the luminance.

    image is uint8, uint16 or floats (0 to 1, measured as codes of 16 bits). Errors and threads are as of dof().
    """
    image = source(image)
    return _core.measure(image, bool(luminance), _core.Place(device_number(device), fw.stream(image)))


def table(image, *, bits=None, out=None, device=None):
    """Returns the inclusive summed-area table of the codes, in the shape of image: T[y, x] is the sum of image[:y+1, :x+1].

    image        uint8 or uint16, (H, W), (H, W, C) or (N, H, W, C)
    bits         32 or 64: numpy's uint32 or uint64 in the host's memory; sums wrap around modulo 2**bits. None: out's, or 32 where
                 no sum can be larger (16,843,009 pixels of 8 bits, 65,537 of 16 bits), else 64
    Errors and threads are as of dof().
    """
    import numpy

    image = held(image, "image")
    image = fw.with_rows(image, min(3, max(2, len(fw.shape(image)))))
    if bits is None:
        sides = fw.shape(image)[-3:-1] if len(fw.shape(image)) > 2 else fw.shape(image)
        most = int(numpy.prod(sides)) * (255 if fw.dtype_name(image) == "uint8" else 65535)
        bits = {"uint32": 32, "uint64": 64}.get(fw.dtype_name(out), 32 if most < 2**32 else 64)
    dtype = choose("bits", bits, {32: "uint32", 64: "uint64"})
    if out is None:
        out = numpy.empty(fw.shape(image), dtype)
    elif fw.dtype_name(out) != dtype:
        raise ValueError(f"out is not {dtype}; give an array of {dtype}, or another number of bits")
    _core.table(image, fw.readable(out, "out", written=True), _core.Place(device_number(device), fw.stream(image)))
    return out
