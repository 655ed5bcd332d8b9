"""Depth of field as a node: IMAGE is (batch, height, width, channels) of floats from 0 to 1, and so is the depth map."""

import satblur


class SatblurDepthOfField:
    @classmethod
    def INPUT_TYPES(cls):
        return {
            "required": {
                "image": ("IMAGE",),
                "depth": ("IMAGE", {"tooltip": "Depth map: white is near, as Depth Anything and MiDaS draw it"}),
                "auto_focus": ("BOOLEAN", {"default": True, "tooltip": "Find the subject; off: the focus below"}),
                "focus": ("FLOAT", {"default": 0.5, "min": 0.0, "max": 1.0, "step": 0.01, "tooltip": "0 is far, 1 is near"}),
                "max_radius": ("FLOAT", {"default": 20.0, "min": 0.0, "max": 500.0, "step": 0.5, "tooltip": "Pixels"}),
                "method": (["layered", "gather", "spread"],),
                "bokeh": (["disc", "square", "smooth"],),
                "highlights": ("FLOAT", {"default": 0.0, "min": 0.0, "max": 64.0, "step": 1.0, "tooltip": "0: none"}),
                "near": (["white", "black"],),
            },
            "optional": {"matte": ("MASK", {"tooltip": "The subject's outline"})},
        }

    RETURN_TYPES = ("IMAGE",)
    FUNCTION = "blur"
    CATEGORY = "image/postprocessing"

    def blur(self, image, depth, auto_focus, focus, max_radius, method, bokeh, highlights, near, matte=None):
        """Returns the blurred images. A single map serves all images of the batch."""
        return (
            satblur.dof(
                image,
                depth.to(image.device),
                focus="auto" if auto_focus else focus,
                max_radius=max_radius,
                matte=matte,
                method=method,
                bokeh=bokeh,
                highlights=highlights,
                near=near,
            ),
        )


NODE_CLASS_MAPPINGS = {"SatblurDepthOfField": SatblurDepthOfField}
NODE_DISPLAY_NAME_MAPPINGS = {"SatblurDepthOfField": "Depth of Field (satblur)"}
