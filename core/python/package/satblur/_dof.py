"""Depth of field."""

from . import _core
from . import _frameworks as fw
from ._call import CHOICES, Call, choose, number, pair, parse, shown, whole, wrong
from ._files import meant
from ._samples import plane

_DISPARITY, _RELATIVE, _METRES = 0, 1, 2


LOOKS = (
    # names of looks
    "tilt_shift", "dof_preset", "focus_plane", "depth_colormap", "depth_from", "depth_scale", "grain", "focus_keys",
    "focus_track", "max_radius_keys", "fps",
    # names of looks end
)


def _set_focus(p, focus):
    if isinstance(focus, str):
        if focus == "auto":
            return
        if focus.endswith("m"):
            p.focus_mode, p.focus = 2, parse("focus", focus[:-1])
            return
        raise wrong("focus", focus, "'auto', a disparity from 0 to 1, metres like '2.5m', or a pixel (x, y)", False)
    if isinstance(focus, (tuple, list)):
        p.focus_mode, (p.focus_x, p.focus_y) = 3, pair("focus", focus, whole)
    else:
        p.focus_mode, p.focus = 1, number("focus", focus)


def _radius(max_radius, sides):
    """Returns pixels of "2%" of the longer side, or of a number."""
    if not isinstance(max_radius, str):
        return number("max_radius", max_radius)
    if not max_radius.strip().endswith("%"):
        raise wrong("max_radius", max_radius, "pixels, or per cent of the longer side like '2%'", False)
    return parse("max_radius", max_radius.strip()[:-1]) / 100 * max(sides)


def _set_strength(p, sides, max_radius, fstop, focal_mm, sensor_mm):
    lens = [each for each in (fstop, focal_mm, sensor_mm) if each is not None]
    if max_radius is not None and lens:
        raise ValueError("max_radius and a lens (fstop, focal_mm, sensor_mm) exclude each other; give one of them")
    if max_radius is not None:
        p.strength, p.max_radius = 1, _radius(max_radius, sides)
    elif lens:
        if fstop is None or focal_mm is None:
            raise ValueError("a lens needs fstop and focal_mm; give both")
        p.strength, p.fstop, p.focal_mm = 2, number("fstop", fstop), number("focal_mm", focal_mm)
        p.sensor_mm = 0 if sensor_mm is None else number("sensor_mm", sensor_mm)


def _ends(depth_range):
    """Returns the ends, and whether they are per cents."""
    if depth_range is None:
        return None, False
    try:
        a, b = depth_range.split(",") if isinstance(depth_range, str) else depth_range
    except (TypeError, ValueError) as error:
        raise wrong("depth_range", depth_range, "(a, b), or ('2%', '98%')", isinstance(error, TypeError)) from None
    per_cent = [isinstance(each, str) and each.strip().endswith("%") for each in (a, b)]
    if all(per_cent):
        a, b = a.strip()[:-1], b.strip()[:-1]
    low, high = parse("depth_range", a), parse("depth_range", b)
    if not low < high or (all(per_cent) and not 0 <= low < high <= 100):
        raise wrong("depth_range", depth_range, "(a, b) with a below b", False)
    return [low, high], all(per_cent)


def _set_range(p, ends, is_percent, depth):
    """Sets the range of codes: fractions of the full scale, or codes."""
    if ends is None:
        return
    if is_percent:
        raise ValueError("depth_range is in per cents, which only maps of floats have here; give codes or fractions")
    full = 1 if ends[1] <= 1 else 65535 if fw.dtype_name(depth) == "uint16" else 255
    p.range_low, p.range_high = ends[0] / full, ends[1] / full
    if ends[0] < 0 or p.range_high > 1:
        raise ValueError(f"depth_range is {shown(tuple(ends))}, and the map has codes up to {full}; give a range within")


def _set_distance(p, distance):
    if distance is not None:
        p.distance_near, p.distance_far = pair("distance", distance)


def _check_metres(p, kind, focus, fstop, near, distance):
    """Refuses what metres contradict."""
    if kind != _METRES:
        return
    if near == "white":
        raise ValueError("depth is in metres, and the smallest distance is nearest; leave near out")


def _params(o, depth, gamma, sides):
    """Returns the extension's arguments for the options."""
    p = _core.DofParams()
    _set_focus(p, o["focus"])
    _set_strength(p, sides, o["max_radius"], o["fstop"], o["focal_mm"], o["sensor_mm"])
    for name in ("method", "bokeh", "holes", "edges", "edge", "depth_type"):
        setattr(p, name, choose(name, o[name], CHOICES[name]))
    for name, (is_whole, *_, preset) in _core.NUMBERS.items():
        setattr(p, name, (whole if is_whole else number)(name, o.get(name, preset)))
    p.scaled = int(p.near_scale != 1 or p.far_scale != 1)
    p.gamma = gamma
    p.rounding = 0 if o["dither"] else 1
    _set_distance(p, o["distance"])
    return p, *_set_depth(p, o, depth)


def _set_depth(p, o, depth):
    """Sets how the map is read. Returns the kind of its numbers, their ends, and whether these are per cents."""
    ends, is_percent = _ends(o["depth_range"])
    near = choose("near", o["near"], {None: None, "white": "white", "black": "black"})
    numbers = depth is not None and fw.dtype_name(depth).startswith("float")
    kind = _DISPARITY if not p.depth_type else _RELATIVE if o["distance"] is not None else _METRES
    if numbers:
        _check_metres(p, kind, o["focus"], o["fstop"], near, o["distance"])
        p.near_black = int(near == "black" if near else kind == _RELATIVE)
    else:
        p.near_black = int(near == "black")
        _set_range(p, ends, is_percent, depth)
        ends = None
    return kind, ends, is_percent


def _run(call, depth, matte, protect, coc, options, report):
    maps = {"depth": depth, "matte": matte, "protect": protect}
    maps = {name: plane(each, name, call.number) for name, each in maps.items()}
    reports = _looked(call, maps, options) if not coc and _needs_program(options) else _blurred(call, maps, coc, options)
    result = call.result()
    if not report:
        return result
    return result, reports[0] if call.number is None else reports


def _needs_program(options):
    focus = options["focus"]
    return options["dither"] == "on" or (isinstance(focus, str) and focus.endswith("c")) or any(
        options[name] is not None for name in LOOKS)


def _looked(call, maps, options):
    """Lets the program do the work. Returns the reports."""
    from . import _looks

    return _looks.run(_DEFAULTS, call, maps, options)


def _blurred(call, maps, coc, options):
    """Lets the library do the work. Returns the reports."""
    depth, matte, protect = maps.values()
    p, kind, ends, is_percent = _params(options, depth, call.gamma(options["linear"]), call.sides)
    return _core.dof(
        call.image, depth, matte, protect, call.target, coc, p, kind, options["near"] is not None,
        options["distance"] is not None, ends, is_percent, call.place,
    )


def dof(image, depth=None, *, focus="auto", max_radius=None, fstop=None, focal_mm=None, sensor_mm=None, matte=None, protect=None,
        method="layered", bokeh="disc",
        # numbers: all
        focus_range=0, near_scale=1, far_scale=1, blades=0, blade_rotation=0, blade_curvature=0, squeeze=1, vignette=0,
        bokeh_edge=0, spherical=0, orientation=1, fringe=0, highlights=0, highlight_threshold=0.5, highlight_size=5,
        # numbers end
        # looks
        tilt_shift=None, dof_preset=None, focus_plane=None, depth_colormap=None, depth_from=None, depth_scale=None, grain=None,
        focus_keys=None, focus_track=None, max_radius_keys=None, fps=None,
        # looks end
        transfer=None, linear=True, dither=True, near=None, depth_type="disparity", depth_range=None, distance=None, holes=None,
        edges="fit", edge="shrink", layout="HWC", out=None, report=False, device=None):
    """Blurs each pixel by the circle of confusion of its depth.

    image        (H, W), (H, W, C) of 1 to 4 channels, or a batch (N, H, W, C), of codes (uint8, uint16), floats or bool; a
                 picture of Pillow; or the path of a file. It is read where it is if its samples follow each other in rows, else
                 from a copy.
    depth        (H, W) of any size, or one for each of a batch; None: only the matte. Integers are codes, of 16 bits but in
                 uint8. Floats are disparity, of any scale, or metres (depth_type="linear" without distance); NaN is unknown.
                 Floats on a GPU are copied to the host. (1, H, W), (1, 1, H, W) and equal channels will do. A path, and what
                 read_depth() gives, has its own meaning.
    focus        "auto"; a disparity from 0 (farthest) to 1 (nearest); metres like "2.5m"; or a pixel (x, y)
    max_radius   pixels at a disparity difference of 1 from the focus, 0 to 2**23, or "3%" of the longer side; None: "2%"
    fstop, focal_mm, sensor_mm    a lens instead, which needs distances; the sensor is 36 mm wide if left out
    matte        (H, W) or (H, W, C) of any size: white, True, 1.0 or opaque is the subject
    protect      likewise: white, True or opaque stays sharp at any depth
    method       "layered", "gather", "spread"; None: layered if possible
    bokeh        "disc", "square" or "smooth"
    focus_range  0 to 2 of disparity. Width of the band around the focus that stays sharp
    near_scale   0 to 1000. Factor of the blur radius in front of the focus; 0 is sharp
    far_scale    0 to 1000. Factor of the blur radius behind the focus; 0 is sharp
    blades       0, or 3 to 9. Number of blades of a polygonal aperture; 0 is a disc
    blade_rotation  -360 to 360 degrees. Turn the polygon clockwise; at 0 a corner is at the top
    blade_curvature  0 to 1. Round the polygon's sides: 0 is straight, 1 is a disc
    squeeze      0.25 to 4. Height of the aperture shape by its width, like 2 for an anamorphic lens
    vignette     0 to 1. Cat's eyes: cut the aperture shape towards the corners
    bokeh_edge   -1 to 1. Rim of the aperture shape: bright up to 1, soft down to -1
    spherical    -1 to 1. Rims are brighter behind the focus, and dimmer in front of it
    orientation  1 to 8. EXIF orientation, which the automatic focus and the aperture need
    fringe       0 to 0.5. Colour fringes: red is blurred more in front of the focus, blue behind it
    highlights   0, or 1 to 64. Highlights become bright discs; 4 to 16 suit night scenes
    highlight_threshold  0.01 to 1. Least brightness of a highlight, as a fraction of white
    highlight_size  0.01 to 20. Width of the largest highlight, in % of the longer side
    tilt_shift   A,P,W: Miniature look without a map: a sharp band, like 0,0.6,0.2
    dof_preset   portrait | street | macro | cine | miniature: A ready look
    focus_plane  X,Y,X,Y,X,Y: Focus on the tilted plane through the objects at three pixels
    depth_colormap  NAME: Colour scale of a false-colour map, like inferno or spectral_r
    depth_from   NAME: Program or sensor that made the map, like zoedepth
    depth_scale  N: The map holds distances, N units per metre; 1000 is millimetres
    grain        auto|F: Restore the grain that blurring removes
    focus_keys   T:D,...: Move the focus, like 0s:0.8,2.5s:0.3 or 0:640,360,75:2.5m
    focus_track  X,Y: Keep the object at pixel X,Y of the first frame in focus
    max_radius_keys  T:R,...: Change the largest radius, like 0s:0,2s:20
    fps          N[/D]: Frames per second of numbered files
    transfer     "srgb": samples are sRGB codes, floats from 0 to 1, with straight alpha; floats become codes of 16 bits and back.
                 "linear": they are light. Floats then may be above 1, and are multiplied by alpha, as in EXR; they are blurred as
                 half floats, up to 4096, and keep their bits where nothing changes. None: "srgb", but of a path what the file says
    linear       True: blur in linear light; False: blur the stored codes
    dither       True: layers round to 8 bits by a fine pattern, so that skies have no bands; False: to the nearest code; "on": all
                 methods have the pattern
    near         "white" or "black": the nearest code. None: white, but black for floats of relative distance
    depth_type   "disparity" or "linear" (distance)
    depth_range  (a, b): fractions of the full scale, codes, or the map's own floats, whose per cents are ("2%", "98%")
    distance     metres (near, far) at the ends of the map; far may be math.inf with disparity
    holes        meaning of code 0: "none", "far", "near", "fill"; None: fill for unknown floats, else as the library says
    edges        "fit" or "keep" the map's soft edges
    edge         "shrink", "clamp", "mirror" or "wrap": the pixels beyond the border; spread has only shrink, layered also wrap
    layout       "CHW": channels are first, at the cost of a copy
    out          an array like image, which may be image; None: a new one of the same framework
    report       True: returns (result, Report), or a list of reports for a batch
    device       None: where the arrays are, and for arrays of the host as "auto"; "auto", "cpu", "cuda" or "cuda:N"

    Raises TypeError (no value of that type would do), ValueError (another value would; maps that are refused), LimitError (too
    large together), MemoryError, RuntimeError (devices).
    Warns of maps that are odd, and of numbers that become black or white.
    Threads may call at the same time; each has its own contexts, and the GIL is released. On a GPU the work is queued on
    the current stream of PyTorch or CuPy.
    """
    options = dict(locals())
    depth, options = meant(depth, options, _DEFAULTS)
    call = Call(image, out, layout, device, transfer)
    return _run(call, depth, matte, protect, False, options, report)


def coc(image, depth=None, *, focus="auto", max_radius=None, fstop=None, focal_mm=None, sensor_mm=None, matte=None, protect=None,
        # numbers: depth
        focus_range=0, near_scale=1, far_scale=1, orientation=1,
        # numbers end
        transfer=None, near=None, depth_type="disparity", depth_range=None, distance=None, holes=None, edges="fit", layout="HWC",
        out=None, report=False, device=None):
    """Returns the signed circles of confusion that dof() would blur by: uint16 (H, W), or (N, H, W, 1) for a batch.

    A pixel is 32768 + 32767 r / full_radius, rounded; r, in pixels, is below 0 behind the focus, and full_radius is the
    report's. The arguments, errors and threads are those of dof().
    """
    options = dict(locals(), method=None, bokeh="disc", linear=True, dither=True, edge="shrink")
    depth, options = meant(depth, options, _DEFAULTS)
    call = Call(image, out, layout, device, transfer, is_coc=True)
    return _run(call, depth, matte, protect, True, options, report)


_DEFAULTS = dof.__kwdefaults__


def depth_codes(depth, depth_type="disparity"):
    """Returns the codes that dof() makes of a map of floats, as numpy's uint16 (H, W), and (least, most, unknown).

    depth_type is "disparity", or "linear" for metres. least and most are the numbers at the ends of the scale, and unknown
    counts samples without a depth, whose code is 0. Raises ValueError.
    """
    import numpy

    depth = plane(depth, "depth")
    kind = choose("depth_type", depth_type, {"disparity": _DISPARITY, "linear": _METRES})
    out = numpy.empty(fw.shape(depth), "uint16")
    least, most, unknown = _core.depth_codes(depth, out, kind)
    return out, (least, most, unknown)
