"""What all functions on images share: devices, layouts, results."""

from . import _core
from . import _frameworks as fw

_CPU, _AUTO, _BY_ARRAYS = -1, -2, -3


def device_number(device):
    """Returns the number that the extension has for None, "auto", "cpu", "cuda" or "cuda:N"."""
    names = {None: _BY_ARRAYS, "auto": _AUTO, "cpu": _CPU, "cuda": 0}
    text = device if device is None else str(device)
    if text in names:
        return names[text]
    kind, _, number = text.partition(":")
    if kind == "cuda" and number.isdigit() and int(number) < 1024:
        return int(number)
    raise ValueError(f"device is {device!r}; give None, 'auto', 'cpu', 'cuda' or 'cuda:N'")


def choose(name, value, names):
    """Returns the number of a word."""
    if value not in names:
        words = ", ".join(repr(each) for each in names)
        raise ValueError(f"{name} is {value!r}; give one of {words}")
    return names[value]


EDGES = {"shrink": 0, "clamp": 1, "mirror": 2, "wrap": 3}


class Call:
    """The arrays of one call, as the extension takes them: channels last, and no float32 on a GPU."""

    def __init__(self, image, out, layout, device, dtype=None, sides=None):
        choose("layout", layout, {"HWC": 0, "CHW": 1})
        if image is None:
            raise ValueError("image is no array: None; give one of numpy, PyTorch, CuPy or JAX")
        self.given = fw.readable(image, "image")
        self.image = self.given
        self.is_first = layout == "CHW"
        self.out = out
        if self.is_first:
            if len(fw.shape(self.image)) not in (3, 4):
                raise ValueError(f"image has shape {fw.shape(self.image)}, and layout='CHW' needs (channels, height, width)")
            self.image = fw.moved(self.image, True)
        self.is_float = fw.dtype_name(self.given) == "float32" and fw.is_cuda(self.given)
        if self.is_float:
            self.image = fw.to_codes(self.image)
        self.place = _core.Place(device_number(device), fw.stream(self.image))
        if out is not None and fw.framework(out) == "jax":
            raise ValueError("out is an array of JAX, which cannot be written; leave it out")
        self.target = self.make_target(dtype, sides)

    def make_target(self, dtype, sides):
        """Returns the array that the extension writes."""
        if dtype is None and self.out is not None and (self.is_first or self.is_float):
            if tuple(self.out.shape) != fw.shape(self.given) or fw.dtype_name(self.out) != fw.dtype_name(self.given):
                raise ValueError("out has another shape or type than image; give the same")
        elif self.out is not None:
            return fw.readable(self.out, "out")
        name = dtype or fw.dtype_name(self.image) or memoryview(self.image).format
        names = {"B": "uint8", "H": "uint16", "e": "float16", "f": "float32"}
        name = names.get(name, name)
        if sides is None:
            sides = fw.shape(self.image)
        if name not in ("uint8", "uint16", "float16", "float32", "uint32", "uint64"):
            raise ValueError(f"image has samples of type {name}; convert it to uint8, uint16, float16 or float32")
        if 0 in tuple(sides):
            raise ValueError(f"image is empty, of shape {tuple(sides)}; give at least a pixel")
        return fw.empty(self.image, sides, name)

    def result(self, is_picture=True):
        """Returns the result as the caller wants it."""
        result = self.target
        if is_picture and self.is_float:
            floats = fw.empty(self.image, fw.shape(self.image), "float32")
            fw.from_codes(result, floats)
            result = floats
        if is_picture and self.is_first:
            result = fw.moved(result, False)
        if self.out is not None and result is not self.out and is_picture and (self.is_first or self.is_float):
            if fw.framework(self.out) == "torch":
                self.out.copy_(result)
            else:
                self.out[...] = result
            return self.out
        return self.out if self.out is not None else fw.finish(self.given, result)


def plane(array, name):
    """Returns a map or a matte as the extension takes it."""
    array = fw.readable(array, name)
    if array is None or not fw.dtype_name(array).startswith("float") or not fw.is_cuda(array):
        return array
    if name == "depth":
        return fw.to_host(array)
    return fw.to_codes(array) if fw.dtype_name(array) == "float32" else array
