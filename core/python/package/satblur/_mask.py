"""Mattes and depth maps of one photo: coarse masks are fitted to the photo's edges, and the two to each other."""

from __future__ import annotations

import numpy as np
from PIL import Image

RADIUS = 5  # of the windows, in half pixels of the mask: its edge is at most 2 pixels off
FAR = 32  # of the windows, in pixels of the mask, that a part of which the network is unsure is compared with
SOFT = 4  # pixels of a depth map beside an outline that belong to neither side: networks make steps soft, with rims
LEAST = 0.08  # of the map's range: the difference of depths that counts as a step
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


def settled(mask: np.ndarray, depth: np.ndarray) -> np.ndarray:
    """Returns a mask whose unsure parts are as the depth and the mask find together: 1 where the depth is the subject's, 0 where
    it is that of the rest. The gray of an outline is no such part."""
    near, far, is_step = sides(resized(depth, *mask.shape[::-1]), mask > 0.9, mask < 0.1, FAR)
    unsure = grown(shrunk((mask > 0.05) & (mask < 0.95), 2), 4) & (mask > 0.02) & (mask < 0.98) & is_step
    share = np.divide(resized(depth, *mask.shape[::-1]) - far, near - far, out=np.zeros(mask.shape), where=unsure)
    return np.where(unsure, np.clip((share + mask - 1) * 2 + 0.5, 0, 1), mask).astype(np.float32)


def agreed(depth: np.ndarray, matte: np.ndarray) -> np.ndarray:
    """Returns a depth map whose steps are at the matte's outline where they were beside it. The subject keeps its depth up to
    there, and what is behind it its own."""
    subject = np.asarray(Image.fromarray(matte).resize(depth.shape[::-1], Image.Resampling.BOX)) > 0.5
    near, far, is_step = sides(depth, shrunk(subject, SOFT), shrunk(~subject, SOFT), 3 * SOFT)
    beside = grown(subject, SOFT) & grown(~subject, SOFT) & is_step
    return np.where(beside, np.where(subject, near, far), depth).astype(np.float32)


def sides(depth: np.ndarray, subject: np.ndarray, rest: np.ndarray, radius: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the mean depths of the subject and of the rest around each pixel, and where both are there and the subject is
    nearer by a step. Depth that is no number counts on neither side."""
    known = np.isfinite(depth)
    if not known.any():
        return depth, depth, known
    depth = np.where(known, depth, 0)
    means, is_step = [], known
    for side in (subject & known, rest & known):
        weight = mean(side.astype(np.float64), radius)
        is_step = is_step & (weight > 0.01)
        means.append(np.divide(mean(depth * side, radius), weight, out=np.zeros(depth.shape), where=weight > 0))
    low, high = np.percentile(depth[known], (1, 99))
    return means[0], means[1], is_step & (means[0] - means[1] > LEAST * (high - low))


def grown(part: np.ndarray, radius: int) -> np.ndarray:
    """Returns where a square window holds a pixel of the part."""
    return mean(part.astype(np.float64), radius) > 0


def shrunk(part: np.ndarray, radius: int) -> np.ndarray:
    """Returns where a square window holds pixels of the part alone."""
    return ~grown(~part, radius)


def mean(numbers: np.ndarray, radius: int = RADIUS) -> np.ndarray:
    """Returns the means of square windows, which shrink at the border, from sums along rows and columns."""
    for _ in range(2):
        sums = np.cumsum(np.pad(numbers, ((1, 0), (0, 0))), 0)
        place = np.arange(len(numbers))
        first, last = np.maximum(place - radius, 0), np.minimum(place + radius + 1, len(numbers))
        numbers = ((sums[last] - sums[first]) / (last - first)[:, None]).T
    return numbers
