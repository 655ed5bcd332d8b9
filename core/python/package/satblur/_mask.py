"""Coarse masks of a segmenting network, fitted to the photo's edges."""

from __future__ import annotations

import numpy as np
from PIL import Image

RADIUS = 5  # of the windows, in half pixels of the mask: its edge is at most 2 pixels off
NOISE = 1e-4  # variance of the photo, of 0 to 1, below which it has no edges
LARGEST = 2048  # longer side of a matte


def decided(mask: np.ndarray) -> bool:
    """Returns whether a mask shows a subject. Where a network sees none of its kind, much is gray, or nothing is white."""
    sure, unsure = (mask > 0.9).mean(), ((mask > 0.1) & (mask <= 0.9)).mean()
    return bool(sure >= 0.01 and unsure <= 0.4 * sure)


def fitted(mask: np.ndarray, picture: Image.Image) -> np.ndarray:
    """Returns the matte of a mask: a guided filter (He, Sun and Tang 2010), fitted in twice the mask's size and applied in the
    picture's, so that the matte ends where the photo's brightness does, and has its hair."""
    scale = min(1, LARGEST / max(picture.size))
    size = tuple(max(1, round(side * scale)) for side in picture.size)
    scale = min(1, 2 * max(mask.shape) / max(size))
    small = tuple(max(1, round(side * scale)) for side in size)
    guide = picture.convert("L")
    light = np.asarray(guide.resize(small, Image.Resampling.BICUBIC), np.float64) / 255
    mask = np.asarray(Image.fromarray(mask).resize(small, Image.Resampling.BICUBIC), np.float64)
    mask = np.clip((mask - 0.5) * 4 + 0.5, 0, 1)
    mean_light, mean_mask = mean(light), mean(mask)
    slope = (mean(light * mask) - mean_light * mean_mask) / (mean(light * light) - mean_light**2 + NOISE)
    shift = mean_mask - slope * mean_light
    slope, shift = (resized(mean(each).astype(np.float32), *size) for each in (slope, shift))
    light = np.asarray(guide.resize(size, Image.Resampling.BICUBIC), np.float32) / 255
    return np.clip((slope * light + shift - 0.5) * 1.5 + 0.5, 0, 1)


def resized(numbers: np.ndarray, width: int, height: int) -> np.ndarray:
    """Returns a map of floats in another size, bilinear."""
    return np.asarray(Image.fromarray(numbers).resize((width, height), Image.Resampling.BILINEAR))


def mean(numbers: np.ndarray) -> np.ndarray:
    """Returns the means of square windows, which shrink at the border, from sums along rows and columns."""
    for _ in range(2):
        sums = np.cumsum(np.pad(numbers, ((1, 0), (0, 0))), 0)
        place = np.arange(len(numbers))
        first, last = np.maximum(place - RADIUS, 0), np.minimum(place + RADIUS + 1, len(numbers))
        numbers = ((sums[last] - sums[first]) / (last - first)[:, None]).T
    return numbers
