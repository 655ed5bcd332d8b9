import os
from typing import Any, Dict, NamedTuple, List, Literal, Optional, Sequence, Tuple, TypeVar, Union, overload

Array = TypeVar("Array")  # of numpy, PyTorch, CuPy or JAX, or a picture of Pillow
_Edge = Literal["shrink", "clamp", "mirror", "wrap"]
_Layout = Literal["HWC", "CHW"]
_Transfer = Optional[Literal["srgb", "linear"]]
_Near = Optional[Literal["white", "black"]]
_Holes = Optional[Literal["none", "far", "near", "fill"]]
_Method = Optional[Literal["layered", "gather", "spread"]]
_Bokeh = Literal["disc", "square", "smooth"]
_DepthType = Literal["disparity", "linear"]
_Path = Union[str, os.PathLike[str]]
_Focus = Union[float, str, Tuple[int, int]]
_Dither = Union[bool, Literal["on"]]
_Look = Union[None, str, float, Sequence[float]]
_Reports = Any  # a Report; of a batch List[Report]
_Range = Union[Tuple[float, float], Tuple[str, str], str, None]

__version__: str

class LimitError(ValueError): ...

class Report:
    focus: float
    focus_x: int
    focus_y: int
    focus_distance: float
    distance_near: float
    distance_far: float
    max_radius: float
    full_radius: float
    largest_radius: float
    unknown: int
    snapped: int
    mixed: int
    subject: float
    kept: float
    lights: int
    least: float
    most: float
    single_value: bool
    resampled: bool
    holes: Literal["none", "far", "near", "fill"]
    method: Literal["layered", "gather", "spread"]
    bokeh: Literal["disc", "square", "smooth"]

class ChannelStats:
    min: int
    max: int
    count: int
    sum: int
    sum_squares: int
    mean: float
    stddev: float
    p1: int
    p5: int
    median: int
    p95: int
    p99: int
    entropy: float
    clipped_low: float
    clipped_high: float
    histogram: Tuple[int, ...]

class DepthMap:
    array: Any
    meaning: Dict[str, Any]
    def __init__(self, array: Any, meaning: Dict[str, Any]) -> None: ...
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any: ...

class Parameter(NamedTuple):
    default: Union[float, str, None]
    low: Optional[float]
    high: Optional[float]
    is_whole: bool
    words: Optional[Tuple[Optional[str], ...]]
    text: str

class Embedded(NamedTuple):
    image: Any
    depth: Optional[DepthMap]
    matte: Any
    transfer: Literal["srgb", "linear"]

@overload
def dof(
    image: Array, depth: Any = None, *, focus: _Focus = "auto", max_radius: Union[float, str, None] = None,
    fstop: Optional[float] = None, focal_mm: Optional[float] = None, sensor_mm: Optional[float] = None, matte: Any = None, protect: Any = None,
    method: _Method = "layered", bokeh: _Bokeh = "disc",
    # numbers: all
    focus_range: float = 0, near_scale: float = 1, far_scale: float = 1, blades: int = 0, blade_rotation: float = 0,
    blade_curvature: float = 0, squeeze: float = 1, vignette: float = 0, bokeh_edge: float = 0, spherical: float = 0,
    orientation: int = 1, fringe: float = 0, highlights: float = 0, highlight_threshold: float = 0.5, highlight_size: float = 5,
    # numbers end
    # looks
    tilt_shift: _Look = None, dof_preset: Optional[str] = None, focus_plane: _Look = None, depth_colormap: Optional[str] = None,
    depth_from: Optional[str] = None, depth_scale: Optional[float] = None, grain: _Look = None, focus_keys: _Look = None,
    focus_track: _Look = None, max_radius_keys: _Look = None, fps: _Look = None,
    # looks end
    transfer: _Transfer = None, linear: bool = True, dither: _Dither = True, near: _Near = None, depth_type: _DepthType = "disparity",
    depth_range: _Range = None, distance: Optional[Tuple[float, float]] = None, holes: _Holes = None,
    edges: Literal["fit", "keep"] = "fit", edge: _Edge = "shrink", layout: _Layout = "HWC", out: Any = None, report: Literal[False] = False, device: Optional[str] = None,
) -> Array: ...
@overload
def dof(
    image: Array, depth: Any = None, *, focus: _Focus = "auto", max_radius: Union[float, str, None] = None,
    fstop: Optional[float] = None, focal_mm: Optional[float] = None, sensor_mm: Optional[float] = None, matte: Any = None, protect: Any = None,
    method: _Method = "layered", bokeh: _Bokeh = "disc",
    # numbers: all
    focus_range: float = 0, near_scale: float = 1, far_scale: float = 1, blades: int = 0, blade_rotation: float = 0,
    blade_curvature: float = 0, squeeze: float = 1, vignette: float = 0, bokeh_edge: float = 0, spherical: float = 0,
    orientation: int = 1, fringe: float = 0, highlights: float = 0, highlight_threshold: float = 0.5, highlight_size: float = 5,
    # numbers end
    # looks
    tilt_shift: _Look = None, dof_preset: Optional[str] = None, focus_plane: _Look = None, depth_colormap: Optional[str] = None,
    depth_from: Optional[str] = None, depth_scale: Optional[float] = None, grain: _Look = None, focus_keys: _Look = None,
    focus_track: _Look = None, max_radius_keys: _Look = None, fps: _Look = None,
    # looks end
    transfer: _Transfer = None, linear: bool = True, dither: _Dither = True, near: _Near = None, depth_type: _DepthType = "disparity",
    depth_range: _Range = None, distance: Optional[Tuple[float, float]] = None, holes: _Holes = None,
    edges: Literal["fit", "keep"] = "fit", edge: _Edge = "shrink", layout: _Layout = "HWC", out: Any = None, report: Literal[True], device: Optional[str] = None,
) -> Tuple[Array, _Reports]: ...
@overload
def coc(
    image: Array, depth: Any = None, *, focus: _Focus = "auto", max_radius: Union[float, str, None] = None,
    fstop: Optional[float] = None, focal_mm: Optional[float] = None, sensor_mm: Optional[float] = None, matte: Any = None, protect: Any = None,
    # numbers: depth
    focus_range: float = 0, near_scale: float = 1, far_scale: float = 1, orientation: int = 1,
    # numbers end
    transfer: _Transfer = None, near: _Near = None, depth_type: _DepthType = "disparity",
    depth_range: _Range = None, distance: Optional[Tuple[float, float]] = None, holes: _Holes = None,
    edges: Literal["fit", "keep"] = "fit", layout: _Layout = "HWC", out: Any = None, report: Literal[False] = False, device: Optional[str] = None,
) -> Any: ...
@overload
def coc(
    image: Array, depth: Any = None, *, focus: _Focus = "auto", max_radius: Union[float, str, None] = None,
    fstop: Optional[float] = None, focal_mm: Optional[float] = None, sensor_mm: Optional[float] = None, matte: Any = None, protect: Any = None,
    # numbers: depth
    focus_range: float = 0, near_scale: float = 1, far_scale: float = 1, orientation: int = 1,
    # numbers end
    transfer: _Transfer = None, near: _Near = None, depth_type: _DepthType = "disparity",
    depth_range: _Range = None, distance: Optional[Tuple[float, float]] = None, holes: _Holes = None,
    edges: Literal["fit", "keep"] = "fit", layout: _Layout = "HWC", out: Any = None, report: Literal[True], device: Optional[str] = None,
) -> Tuple[Any, _Reports]: ...
def depth_codes(depth: Any, depth_type: Optional[_DepthType] = None) -> Tuple[Any, Tuple[float, float, int]]: ...
def box(
    image: Array, radius: Union[float, Tuple[float, float]], *, transfer: _Transfer = None, linear: bool = True, edge: _Edge = "shrink",
    layout: _Layout = "HWC", out: Any = None, device: Optional[str] = None,
) -> Array: ...
def blur_map(
    image: Array, map: Any, max_radius: float, *, transfer: _Transfer = None, linear: bool = True, edge: _Edge = "shrink",
    layout: _Layout = "HWC",
    out: Any = None, device: Optional[str] = None,
) -> Array: ...
def equalize(image: Array, *, layout: _Layout = "HWC", out: Any = None, device: Optional[str] = None) -> Array: ...
def measure(image: Any, *, luminance: bool = False, device: Optional[str] = None) -> List[ChannelStats]: ...
def table(image: Any, *, bits: Optional[Literal[32, 64]] = None, out: Any = None, device: Optional[str] = None) -> Any: ...
def scan(
    values: Array, *, op: Literal["sum", "max"] = "sum", exclusive: bool = False, out: Any = None,
    device: Optional[str] = None,
) -> Array: ...
def reduce(
    values: Any, op: Literal["sum", "product", "min", "max", "argmin", "argmax"] = "sum", *,
    device: Optional[str] = None,
) -> int: ...
def compact(values: Array, low: int, high: int, *, device: Optional[str] = None) -> Tuple[Array, Array]: ...
def sort(keys: Any, values: Any = None, *, device: Optional[str] = None) -> None: ...
def read_depth(
    path: _Path, *, depth_from: Optional[str] = None, depth_colormap: Optional[str] = None,
    depth_channel: Optional[str] = None, depth_key: Optional[str] = None,
) -> DepthMap: ...
def read_embedded(path: _Path) -> Embedded: ...
def depth_from_onnx(
    model: Any, image: Any, *, size: Optional[Tuple[int, int]] = None, mean: Sequence[float] = ...,
    std: Sequence[float] = ..., providers: Optional[Sequence[str]] = None,
) -> Any: ...
def parameters() -> Dict[str, Parameter]: ...
def licences() -> Dict[str, str]: ...
def describe(device: Optional[str] = None) -> str: ...
def trim() -> None: ...
