"""Depth of field as a node: IMAGE is (batch, height, width, channels) of floats from 0 to 1, a MASK (batch, height, width)."""

import inspect
import math

import satblur

SHOWN = ("bokeh", "blades", "highlights")  # the other parameters of satblur are "advanced"
FOCUS = {
    "auto": lambda value, metres, point: "auto",
    "value": lambda value, metres, point: value,
    "point": lambda value, metres, point: point,
    "metres": lambda value, metres, point: f"{metres}m",
}


def _step(row):
    """Returns a hundredth of the power of ten of the default, or of the range."""
    return 10.0 ** (math.floor(math.log10(row.default or row.high - row.low)) - 2)


def _table():
    """Returns satblur's own numbers and choices as inputs of ComfyUI, whose photos are upright."""
    inputs = {}
    for name, row in satblur.parameters().items():
        options = {"tooltip": row.text, "advanced": name not in SHOWN}
        if row.words:
            inputs[name] = ([word or "default" for word in row.words], {"default": row.default or "default", **options})
        elif row.is_whole:
            inputs[name] = ("INT", {"default": row.default, "min": row.low, "max": row.high, "step": 1, **options})
        else:
            numbers = {"default": float(row.default), "min": float(row.low), "max": float(row.high), "step": _step(row)}
            inputs[name] = ("FLOAT", {**numbers, **options})
    del inputs["orientation"]
    return inputs


def _number(default, low, high, step, tooltip, **options):
    kind = "INT" if isinstance(step, int) else "FLOAT"
    return (kind, {"default": default, "min": low, "max": high, "step": step, "tooltip": tooltip, **options})


def _accepted(function, options):
    return {name: value for name, value in options.items() if name in inspect.signature(function).parameters}


class SatblurDepthOfField:
    @classmethod
    def INPUT_TYPES(cls):
        lens = "A lens instead of max_radius, which needs metres: depth_type linear, or distance_near"
        ends, own = "{} at the {} end of the map; ", "equal ones: the ends that each map has"
        return {
            "required": {
                "image": ("IMAGE", {"tooltip": "Sharp images"}),
                "depth": ("IMAGE", {"tooltip": "One depth map, or one for each image. White is near, unless near is black"}),
                "focus": (list(FOCUS), {"tooltip": "auto finds the subject; the others use the inputs of their names"}),
                "max_radius": _number(2.0, 0.0, 100.0, 0.1, "Blur radius far from the focus, in % of the longer side"),
            },
            "optional": {
                "matte": ("MASK", {"tooltip": "The subject's outline"}),
                "protect": ("MASK", {"tooltip": "Stays sharp at any depth"}),
                "focus_value": _number(0.5, 0.0, 1.0, 0.01, "Focus by value: 0 is the farthest depth, 1 the nearest"),
                "focus_x": _number(0, 0, 2**24, 1, "Focus by point: pixels from the left"),
                "focus_y": _number(0, 0, 2**24, 1, "Focus by point: pixels from the top"),
                "focus_metres": _number(2.0, 0.01, 1e6, 0.01, "Focus by metres, which the map must have", advanced=True),
                "near": (["default", "white", "black"], {"tooltip": "The colour of what is near", "advanced": True}),
                "fstop": _number(0.0, 0.0, 1000.0, 0.1, lens + "; 0: none", advanced=True),
                "focal_mm": _number(50.0, 1.0, 10000.0, 1.0, lens, advanced=True),
                "sensor_mm": _number(36.0, 1.0, 1000.0, 0.1, "Width of the lens's sensor", advanced=True),
                "distance_near": _number(0.0, 0.0, 1e6, 0.01, ends.format("Metres", "near") + "0: unknown", advanced=True),
                "distance_far": _number(0.0, 0.0, 1e6, 0.01, ends.format("Metres", "far") + "0: endless", advanced=True),
                "range_low": _number(0.0, -1e6, 1e6, 0.01, ends.format("Number", "low") + own, advanced=True),
                "range_high": _number(0.0, -1e6, 1e6, 0.01, ends.format("Number", "high") + own, advanced=True),
                "transfer": (["srgb", "linear"], {"tooltip": "linear: the image is light, as of EXR files", "advanced": True}),
                **_table(),
            },
        }

    RETURN_TYPES = ("IMAGE", "MASK")
    RETURN_NAMES = ("image", "circle_of_confusion")
    OUTPUT_TOOLTIPS = ("The blurred images", "Blur radii of the depths: white is the largest")
    FUNCTION = "blur"
    CATEGORY = "image/postprocessing"
    DESCRIPTION = "Blurs images by their depth, as a lens does"

    def blur(self, image, depth, focus, max_radius, focus_value=0.5, focus_x=0, focus_y=0, focus_metres=2.0,
             fstop=0.0, focal_mm=50.0, sensor_mm=36.0, distance_near=0.0, distance_far=0.0, range_low=0.0,
             range_high=0.0, **rest):  # fmt: skip
        """Returns the blurred images, and the masks of their circles of confusion. A single map serves all images."""
        options = {name: None if isinstance(value, str) and value == "default" else value for name, value in rest.items()}
        masks = {name: options.pop(name, None) for name in ("matte", "protect")}
        options.update((name, mask.to(image.device)) for name, mask in masks.items() if mask is not None)
        options["focus"] = FOCUS[focus](focus_value, focus_metres, (focus_x, focus_y))
        if fstop:
            options.update(fstop=fstop, focal_mm=focal_mm, sensor_mm=sensor_mm)
        else:
            options["max_radius"] = f"{max_radius}%"
        if distance_near:
            options["distance"] = distance_near, distance_far or math.inf
        if range_low != range_high:
            options["depth_range"] = range_low, range_high
        depth = depth.to(image.device)
        codes = satblur.coc(image, depth, **_accepted(satblur.coc, options))
        return satblur.dof(image, depth, **options), (codes[..., 0].int() - 32768).abs() / 32767


NODE_CLASS_MAPPINGS = {"SatblurDepthOfField": SatblurDepthOfField}
NODE_DISPLAY_NAME_MAPPINGS = {"SatblurDepthOfField": "Depth of Field (satblur)"}
