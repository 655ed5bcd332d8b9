"""What callers hold, as the extension takes it: Pillow's pictures, views of any strides, and types that it has no samples of."""

import os

from . import _core
from . import _frameworks as fw

FLOATS = ("float16", "float32", "float64", "longdouble", "float128", "bfloat16")
INTEGERS = ("int8", "int16", "uint32", "int32", "uint64", "int64")
TRANSFERS = {None: False, "srgb": False, "linear": True}

# --- Pillow ---------------------------------------------------------------------------------------


def is_pillow(thing):
    return type(thing).__module__.startswith("PIL.") and hasattr(thing, "getbands")


def _of_pillow(picture):
    """Returns the samples of Pillow's picture: as they are, or those of RGB."""
    import numpy

    plain = ("1", "L", "LA", "RGB", "RGBA", "I", "F")
    has_key = "transparency" in picture.info and picture.mode in ("1", "L", "P", "RGB")
    if has_key or (picture.mode not in plain and not picture.mode.startswith("I;16")):
        see_through = has_key or picture.mode in ("PA", "La", "RGBa") or getattr(picture.palette, "mode", "") == "RGBA"
        picture = picture.convert("LA" if picture.mode in ("La", "L") else "RGBA" if see_through else "RGB")
    return numpy.asarray(picture)


def to_pillow(array, like):
    """Returns samples as a picture with the EXIF and the like of another, and with its profile if that is still of its colours."""
    from PIL import Image

    picture = Image.fromarray(array)
    stale = ("transparency", "icc_profile") if like.mode in ("CMYK", "LAB") else ("transparency",)
    picture.info.update({key: value for key, value in like.info.items() if key not in stale})
    return picture


def held(thing, name):
    """Returns an array of what a caller holds. Raises TypeError for what has no samples."""
    if thing is None:
        raise TypeError(f"{name} is no array: None; give one of numpy, PyTorch, CuPy or JAX, or a picture of Pillow")
    if getattr(thing, "meaning", None):
        raise TypeError(f"{name} is a map of depth with a meaning, which only depth has; give its array")
    if isinstance(thing, (str, os.PathLike)):
        from ._files import read

        return read(thing, name)
    return fw.readable(_of_pillow(thing) if is_pillow(thing) else thing, name)


# --- Pictures -------------------------------------------------------------------------------------


def to_samples(array, name, linear):
    """Returns a picture in the samples of the extension: codes, half floats if it is linear, or (on the host) floats."""
    dtype = fw.dtype_name(array)
    if dtype == "bool":
        return fw.cast(array, "uint8") * 255
    if dtype in ("uint8", "uint16") or (linear and dtype == "float16"):
        return array
    if dtype not in FLOATS:
        raise TypeError(f"{name} has samples of type {dtype or type(array).__name__}; give uint8, uint16 or floats")
    if not fw.is_cuda(array):
        return array if dtype in ("float16", "float32") else fw.cast(array, "float16" if linear else "float32")
    return fw.cast(array, "float16") if linear else codes_of(fw.cast(array, "float32"), name)


def of_samples(result, given, samples):
    """Returns the extension's result in the type of the given picture. Light that did not change keeps its bits."""
    result = fw.finish(given, result)
    dtype, made = fw.dtype_name(given), fw.dtype_name(result)
    if dtype == made or dtype not in FLOATS:
        return result
    if made == "float16":
        return fw.where(fw.bits_of(result) == fw.bits_of(samples), given, fw.cast(result, dtype))
    if made == "uint16":
        floats = fw.empty(result, fw.shape(result), "float32")
        fw.from_codes(result, floats)
        result = floats
    return result if dtype == "float32" else fw.cast(result, dtype)


def codes_of(array, name):
    """Returns codes of floats on a GPU."""
    if fw.framework(array) not in ("torch", "cupy"):
        raise TypeError(f"{name} has floats on a GPU, of no framework that can convert them; give uint8 or uint16")
    _core.check_floats(name, *fw.count_odd(array))
    return fw.to_codes(array)


# --- Maps and masks -------------------------------------------------------------------------------


def plane(thing, name, number=None):
    """Returns a map or a mask as the extension takes it: codes, or floats, which are codes except for a depth map.

    number: of the pictures of a batch; None: there is one picture.
    """
    if thing is None:
        return None
    array = _with_channels_last(held(thing, name), number)
    dtype = fw.dtype_name(array)
    if dtype == "bool":
        array = fw.cast(array, "uint8") * 255
    elif dtype in INTEGERS:
        array = _codes_of_integers(array, name, dtype)
    elif dtype not in FLOATS and dtype not in ("uint8", "uint16"):
        raise TypeError(f"{name} has samples of type {dtype}; give bool, integers or floats")
    elif dtype in FLOATS:
        array = _numbers(array, dtype, number) if name == "depth" else _shares(array, name, dtype)
    has_channels = len(fw.shape(array)) == (3 if number is None else 4)
    return fw.with_rows(array, 3 if has_channels else 2)


def _with_channels_last(array, number):
    """Returns (height, width, channels) of (1, height, width), and the like of a batch. The single map of one picture is taken
    out of its batch."""
    sides = fw.shape(array)
    if number is None and len(sides) == 4 and sides[0] == 1:
        array, sides = array[0], sides[1:]
    if len(sides) == (3 if number is None else 4) and sides[-1] > 4 and sides[-3] in (1, 3, 4):
        last = len(sides) - 1
        return fw.permuted(array, list(range(last - 2)) + [last - 1, last, last - 2])
    return array


def _numbers(array, dtype, number):
    """Returns the numbers of a depth map on the host. Channels that are equal are one."""
    if dtype not in ("float16", "float32", "float64"):
        array = fw.cast(array, "float32" if dtype == "bfloat16" else "float64")
    array = fw.to_host(array) if fw.is_cuda(array) else array
    if len(fw.shape(array)) != (3 if number is None else 4) or fw.shape(array)[-1] > 4:
        return array
    first, colours = array[..., 0], 3 if fw.shape(array)[-1] > 2 else 1
    for channel in range(1, colours):
        other = array[..., channel]
        if not bool(((first == other) | (first != first) & (other != other)).all()):
            raise ValueError("depth has channels that differ; give depth[..., 0] if that is the map")
    return first


def _shares(array, name, dtype):
    """Returns float32 of a mask or a map of radii, or codes on a GPU."""
    array = array if dtype == "float32" else fw.cast(array, "float32")
    return codes_of(array, name) if fw.is_cuda(array) else array


def _codes_of_integers(array, name, dtype):
    """Returns codes of 16 bits."""
    if 0 not in fw.shape(array):
        least, most = int(array.min()), int(array.max())
        if least < 0 or most > 65535:
            raise ValueError(f"{name} has {dtype} samples from {least} to {most}; give codes up to 65535, or floats")
    return fw.cast(array, "uint16")
