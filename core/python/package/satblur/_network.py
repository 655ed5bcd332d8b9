"""A network of depth or mattes: a picture in, a map of floats out. onnxruntime runs .onnx, and LiteRT .tflite."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnxruntime
from PIL import Image

from ._mask import decided, fitted, resized, settled
from ._models import Known

TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(uint8)": np.uint8}
Box = tuple[float, float, float, float]  # left, top, right, bottom, in pixels of the picture


def start(model: Path, device: str = "auto", threads: int = 0) -> Any:
    """Returns a session of a file, on the GPU if onnxruntime can use it and device is not cpu."""
    if model.suffix == ".tflite":
        return Lite(model, threads)
    providers = ["CPUExecutionProvider"]
    if device != "cpu" and "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        providers.insert(0, "CUDAExecutionProvider")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(model), options, providers=providers)
    if device == "cuda" and "CUDAExecutionProvider" not in session.get_providers():
        raise ValueError("onnxruntime cannot use CUDA here; install onnxruntime-gpu, or leave --device cuda out")
    return session


@contextmanager
def quiet() -> Iterator[None]:
    """Drops what goes to the standard error: LiteRT tells each user how it computes."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


class Lite:
    """A .tflite file behind those methods of onnxruntime's sessions that Network calls."""

    def __init__(self, model: Path, threads: int):
        try:
            from ai_edge_litert.interpreter import Interpreter
        except ImportError:
            raise ValueError("LiteRT, which reads .tflite, is missing; "
                             f"{sys.executable} -m pip install ai-edge-litert") from None
        with quiet():
            self.interpreter = Interpreter(str(model), num_threads=threads or None)
            self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()

    def get_inputs(self) -> list[SimpleNamespace]:
        types = {np.dtype(kind): name for name, kind in TYPES.items()}
        return [SimpleNamespace(name=each["name"], shape=each["shape"].tolist(), type=types.get(np.dtype(each["dtype"]), "?"))
                for each in self.input]  # fmt: skip

    def run(self, _: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
        self.interpreter.set_tensor(self.input[0]["index"], given[self.input[0]["name"]])
        self.interpreter.invoke()
        return [self.interpreter.get_tensor(each["index"]) for each in self.interpreter.get_output_details()]


class Network:
    """A session, and how its samples and its result are scaled."""

    def __init__(self, session: Any, row: Known):
        inputs = session.get_inputs()
        if len(inputs) != 1:
            raise ValueError(f"the model has {len(inputs)} inputs; one picture is wanted")
        shape, self.name = inputs[0].shape, inputs[0].name
        if len(shape) not in (3, 4) or 3 not in (shape[-3], shape[-1]) and isinstance(shape[-3], int):
            raise ValueError(f"the model's input has the shape {shape}; pictures of three channels are wanted")
        if len(shape) == 4 and isinstance(shape[0], int) and shape[0] != 1:
            raise ValueError(f"the model takes {shape[0]} pictures at once; one is wanted")
        if inputs[0].type not in TYPES:
            raise ValueError(f"the model's input is a {inputs[0].type}; floats or bytes are wanted")
        self.session, self.row, self.type, self.batch = session, row, TYPES[inputs[0].type], len(shape) == 4
        self.channels_last = shape[-1] == 3 and shape[-3] != 3
        self.fixed = [side if isinstance(side, int) else None for side in (shape[-3:-1] if self.channels_last else shape[-2:])]

    def sides(self, width: float, height: float) -> tuple[int, int]:
        """Returns the height and width that the model is given of such a picture. Strips become at most 3 : 1."""
        size, multiple = self.row.size, self.row.multiple
        if isinstance(size, int):
            scale = size / min(width, height)
            size = tuple(max(multiple, round(min(side * scale, 3 * size) / multiple) * multiple) for side in (height, width))
        return self.fixed[0] or size[0], self.fixed[1] or size[1]

    def samples(self, picture: Image.Image, box: Box) -> np.ndarray:
        """Returns the part of the picture in the box as the model wants it."""
        height, width = self.sides(box[2] - box[0], box[3] - box[1])
        small = np.asarray(picture.resize((width, height), Image.Resampling.BICUBIC, box, reducing_gap=3))
        if self.type != np.uint8:
            mean, std = (np.float32(numbers) for numbers in self.row.scale)
            small = ((small.astype(np.float32) / 255 - mean) / std).astype(self.type)
        small = np.ascontiguousarray(small if self.channels_last else small.transpose(2, 0, 1))
        return small[None] if self.batch else small

    def raw(self, picture: Image.Image, box: Box | None = None) -> np.ndarray:
        """Returns the first output that has one number a pixel, as float32 (height, width)."""
        outputs = self.session.run(None, {self.name: self.samples(picture, box or (0, 0, *picture.size))})
        maps = [each for each in map(np.squeeze, outputs) if each.ndim == 2 and each.dtype.kind == "f"]
        if not maps:
            raise ValueError(f"the model's output has the shape {np.shape(outputs[0])}; one number a pixel is wanted")
        if not np.isfinite(maps[0]).any():
            raise ValueError("the model's output has no finite number")
        return np.ascontiguousarray(maps[0], np.float32)

    def part(self, picture: Image.Image, box: Box | None = None) -> np.ndarray:
        """Returns raw() with metres as 1 / metres, where tiles can be aligned, and mattes as 0 to 1."""
        result = self.raw(picture, box)
        if self.row.output == "metres":
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.where(result > 0, 1 / result, np.nan).astype(np.float32)
        if self.row.output == "logits":
            result = 1 / (1 + np.exp(-np.clip(result, -60, 60)))
        return np.clip(result, 0, 1) if self.row.kind == "matte" else result

    def map(self, picture: Image.Image, times: int = 1, depth: np.ndarray | None = None) -> np.ndarray:
        """Returns the picture's map in the picture's proportions, of `times` the model's size by tiles. Masks become mattes,
        by the picture's depth map if there is one, or 0 without a subject."""
        result = self.part(picture)
        if self.row.output == "mask":
            if not decided(result):
                return np.zeros_like(result)
            return fitted(result if depth is None else settled(result, depth), picture)
        if times > 1 and self.row.kind == "depth":
            result = self.tiled(picture, result, times)
        (height, width), (right, bottom) = result.shape, picture.size
        if abs(width * bottom - height * right) > 0.01 * width * bottom:  # a model of fixed size, or a strip
            across, down = width / right, height / bottom
            scale = min(max(across, down), 4 * min(across, down))
            result = resized(result, max(1, round(right * scale)), max(1, round(bottom * scale)))
        return result

    def tiled(self, picture: Image.Image, whole: np.ndarray, times: int) -> np.ndarray:
        """Returns the map made of overlapping tiles of 1 / times the picture's sides, each aligned to the whole map."""
        height, width = whole.shape[0] * times, whole.shape[1] * times
        across, down = picture.size[0] / width, picture.size[1] / height
        whole = resized(whole, width, height)
        total, weights = np.zeros_like(whole), np.zeros_like(whole)
        for top, bottom in spans(height, times):
            for left, right in spans(width, times):
                tile = self.part(picture, (left * across, top * down, right * across, bottom * down))
                tile = aligned(resized(tile, right - left, bottom - top), whole[top:bottom, left:right], times)
                weight = np.outer(tent(bottom - top), tent(right - left))
                total[top:bottom, left:right] += tile * weight
                weights[top:bottom, left:right] += weight
        return total / weights


def spans(length: int, times: int) -> list[tuple[int, int]]:
    """Returns spans of 1 / times the length that cover it and overlap by a quarter or more."""
    size = -(-length // times)
    count = -(-(length - size // 4) // (size - size // 4))
    return [(first, first + size) for first in (round(i * (length - size) / (count - 1)) for i in range(count))]


def tent(length: int) -> np.ndarray:
    """Returns weights that fall from the middle to the ends, and are nowhere 0."""
    rising = np.arange(1, length + 1, dtype=np.float32)
    return np.minimum(rising, rising[::-1])


def aligned(tile: np.ndarray, whole: np.ndarray, times: int) -> np.ndarray:
    """Returns scale * tile + shift next to whole by least squares, then bent to it in `times` parts of its sides: a part of a
    photo shows the network less than the whole. A tile that contradicts the whole gives way to it. Both are compared in
    1 / times of their size, without the detail that only the tile has, because it would make the scale too small."""
    height, width = (max(1, side // times) for side in tile.shape)
    x, y = (resized(each, width, height).astype(np.float64) for each in (tile, whole))
    both = np.isfinite(x) & np.isfinite(y)
    if not both.any():
        return whole
    x, y = x[both], y[both]
    spread = ((x - x.mean()) ** 2).mean()
    scale = ((x - x.mean()) * (y - y.mean())).mean() / spread if spread > 0 else 0
    if scale <= 0:
        return whole
    tile = np.where(np.isfinite(tile), scale * tile + (y.mean() - scale * x.mean()), whole).astype(np.float32)
    return tile + resized(resized(whole - tile, times, times), *tile.shape[::-1])


def codes(numbers: np.ndarray) -> np.ndarray:
    """Returns a map as codes from 1 to 65535, and 0 where it has no number. Outliers are clipped: 0.1 % at either end, if they
    lie more than a quarter of the rest's range away."""
    finite = numbers[np.isfinite(numbers)].astype(np.float64)
    if not finite.size:
        raise ValueError("the map has no number")
    low, high = np.percentile(finite, (0.1, 99.9))
    margin = (high - low) / 4
    low, high = max(finite.min(), low - margin), min(finite.max(), high + margin)
    scaled = (np.clip(np.nan_to_num(numbers, nan=low, posinf=high, neginf=low), low, high) - low) / ((high - low) or 1)
    return np.where(np.isnan(numbers), 0, np.rint(scaled * 65534) + 1).astype(np.uint16)


def shares(matte: np.ndarray) -> np.ndarray:
    """Returns a matte as codes of 16 bits."""
    return np.rint(matte * 65535).astype(np.uint16)


def metres(inverse: np.ndarray) -> np.ndarray:
    """Returns 1 / metres as metres; what is not above 0 is infinitely far."""
    with np.errstate(divide="ignore"):
        return (1 / np.maximum(inverse, 0)).astype(np.float32)
