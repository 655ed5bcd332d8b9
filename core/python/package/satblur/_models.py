"""The models of depth and mattes that satblur-depth knows, and where their files are found."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

Triple = tuple[float, float, float]
Scale = tuple[Triple, Triple]  # mean and standard deviation of samples from 0 to 1

IMAGENET: Scale = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
UNIT: Scale = ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))  # samples stay 0 to 1
SIGNED: Scale = ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))  # -1 to 1
BYTES: Scale = ((0.0, 0.0, 0.0), (1 / 255, 1 / 255, 1 / 255))  # 0 to 255

OUTPUTS = {
    "disparity": "larger is nearer, in no unit",
    "depth": "larger is farther, in no unit",
    "metres": "distance from the camera",
    "matte": "share of the subject, 0 to 1",
    "mask": "a coarse matte, whose edge is then fitted to the photo",
    "logits": "a matte before its sigmoid",
}


class Known(NamedTuple):
    """A kind of model. The model's file says more: a fixed size there is used in place of `size`."""

    name: str  # --model takes it
    pattern: str  # found in the file's name, without regard to case
    output: str  # a word of OUTPUTS
    scale: Scale
    size: int | tuple[int, int]  # the shorter side of what the model is given, or height and width
    multiple: int  # of which both sides are
    licence: str  # of the weights
    source: str

    @property
    def kind(self) -> str:
        """Returns depth or matte, as requests name it."""
        return "matte" if self.output in ("matte", "mask", "logits") else "depth"


# The first row whose pattern is found describes a file. Without --model, the first row of depth that has a file is taken.
KNOWN = (
    Known("depth-anything-v2-metric", r"(depth.?anything.?v2|dav2).*(metric|indoor|outdoor|hypersim|vkitti)", "metres",
          IMAGENET, 518, 14, "Apache-2.0 for Small, not confirmed by its authors; CC BY-NC 4.0 for others",
          "https://github.com/DepthAnything/Depth-Anything-V2/tree/main/metric_depth"),
    Known("depth-anything-v2-small", r"depth.?anything.?v2.*(vits|small)|dav2.?s", "disparity", IMAGENET, 518, 14,
          "Apache-2.0", "https://huggingface.co/onnx-community/depth-anything-v2-small"),
    Known("depth-anything-v2", r"depth.?anything.?v2|dav2", "disparity", IMAGENET, 518, 14,
          "CC BY-NC 4.0 (Base, Large, Giant): no commercial use", "https://github.com/DepthAnything/Depth-Anything-V2"),
    Known("zipdepth", r"zip.?depth", "disparity", UNIT, 384, 32, "MIT", "https://github.com/fabiotosi92/ZipDepth"),
    Known("midas-small", r"midas.*small", "disparity", IMAGENET, 256, 32, "MIT", "https://github.com/isl-org/MiDaS"),
    Known("midas-small-release", r"^model-small\.", "disparity", UNIT, (256, 256), 32, "MIT",  # scales the samples itself
          "https://github.com/isl-org/MiDaS/releases/tag/v2_1"),
    Known("tcmonodepth", r"tc.?mono.?depth", "disparity", BYTES, 192, 32,
          "MIT, by those who distribute it; its authors name none", "https://github.com/royshil/obs-backgroundremoval"),
    Known("depth-pro", r"depth.?pro", "metres", SIGNED, (1536, 1536), 32, "Apple's own (apple-ascl, apple-amlr): read it",
          "https://huggingface.co/onnx-community/DepthPro-ONNX"),
    Known("birefnet", r"bi.?ref.?net", "logits", IMAGENET, (1024, 1024), 32,
          "MIT; its author reports training pictures with terms of their own", "https://github.com/ZhengPeng7/BiRefNet"),
    Known("modnet", r"modnet", "matte", SIGNED, 512, 32, "Apache-2.0", "https://github.com/ZHKKKe/MODNet"),
    Known("u2net", r"u2.?net", "mask", IMAGENET, (320, 320), 32, "Apache-2.0 for the code; not stated for the weights",
          "https://github.com/xuebinqin/U-2-Net"),
    Known("mediapipe-selfie", r"selfie", "mask", UNIT, (256, 256), 32, "Apache-2.0",
          "https://github.com/google-ai-edge/mediapipe"),
)  # fmt: skip
UNKNOWN = Known("", "", "disparity", IMAGENET, 518, 14, "", "")  # what most models of depth want


def known(path: Path) -> Known:
    """Returns the row of a file, or UNKNOWN. Of a file like small/onnx/model.onnx, the folders are looked at, too."""
    names = [path.name]
    if path.name.lower().startswith("model"):
        names += [path.absolute().parent.name, path.absolute().parent.parent.name]
    return next((row for name in names for row in KNOWN if re.search(row.pattern, name, re.IGNORECASE)), UNKNOWN)


def folders() -> list[Path]:
    """Returns the folders of models, the user's own first."""
    given = [Path(place).expanduser() for place in os.environ.get("SATBLUR_MODELS", "").split(os.pathsep) if place]
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return [*given, Path(data).expanduser() / "satblur" / "models", Path("/usr/share/satblur/models")]


def files() -> Iterator[Path]:
    """Returns the model files in these folders and two levels below."""
    for folder in folders():
        for depth in ("*", "*/*", "*/*/*"):
            yield from (path for path in sorted(folder.glob(depth)) if path.suffix in (".onnx", ".tflite"))


def find(name: str | None) -> Path:
    """Returns the file of a name of the table, a file's name in the folders, or a path. None: the first model of depth."""
    found = list(files())
    if name is None:
        fitting = [path for row in KNOWN if row.kind == "depth" for path in found if known(path) is row]
    else:
        if Path(name).expanduser().is_file():
            return Path(name).expanduser()
        fitting = [path for path in found if name in (path.name, path.stem)] or [p for p in found if known(p).name == name]
    if fitting:
        return fitting[0]
    wanted = "a model of depth" if name is None else name
    raise ValueError(f"cannot find {wanted}; give a file by --model, or put one into {folders()[0]} "
                     "(satblur-depth --models lists models and their sources)")
