"""What the array frameworks need: results of their own kind, streams, and conversions on their devices."""

import sys


def framework(array):
    """Returns "torch", "cupy", "jax" or "numpy", which also serves all others."""
    name = type(array).__module__.partition(".")[0]
    return {"torch": "torch", "cupy": "cupy", "jax": "jax", "jaxlib": "jax"}.get(name, "numpy")


def is_cuda(array):
    kind = framework(array)
    if kind == "torch":
        return array.is_cuda
    if kind == "jax":
        return array.platform() == "gpu" if hasattr(array, "platform") else next(iter(array.devices())).platform == "gpu"
    return kind == "cupy"


def dtype_name(array):
    """Returns a name like "uint8" or "float32"."""
    dtype = getattr(array, "dtype", "")
    return getattr(dtype, "name", None) or str(dtype).rpartition(".")[2]


def shape(array):
    return tuple(array.shape)


def readable(array, name, written=False):
    """Returns the array without what hinders others from reading its memory: on the host aligned and in its own byte order, unless
    the array is to be written. Raises TypeError for what is no array, and ValueError for what has no memory, or cannot be written."""
    if array is None:
        return None
    kind = framework(array)
    if kind == "torch":
        if array.layout is not sys.modules["torch"].strided or array.device.type == "meta":
            raise ValueError(f"{name} is a {array.layout} tensor on {array.device}; give a dense one with memory")
        if array.numel() and not array.data_ptr():
            raise ValueError(f"{name} has no memory; its storage was freed")
        return array.detach() if array.requires_grad else array
    if kind == "jax":
        if written:
            raise ValueError(f"{name} is an array of JAX, which cannot be written; give one of numpy")
        if array.is_deleted():
            raise ValueError(f"{name} has no memory; it was deleted or donated")
        return array.block_until_ready()
    if kind == "cupy" or hasattr(array, "__cuda_array_interface__"):
        return array
    array = _numpy_of(array, name, written)
    if getattr(array, "mask", False) is not False and array.mask.any():
        raise ValueError(f"{name} is a masked array, and its mask would be lost; give its filled(), with nan for unknown depths")
    return array if written or (array.dtype.isnative and array.flags.aligned) else array.astype(array.dtype.newbyteorder("="))


def _numpy_of(array, name, written):
    """Returns numpy's view of an array of the host: of a buffer, and, unless it is to be written, of all that numpy can read."""
    import numpy

    if isinstance(array, numpy.ndarray):
        return array
    if is_buffer(array) or hasattr(array, "__array_interface__") or (hasattr(array, "__array__") and not written):
        return numpy.asarray(array)
    if hasattr(array, "__dlpack__"):
        return numpy.from_dlpack(array)
    if written:
        raise TypeError(f"{name} is no array that can be written in place: {type(array).__name__}; give one of numpy, or a tensor")
    raise TypeError(f"{name} is no array: {type(array).__name__}; give numpy.asarray() of it, or a tensor")


def is_buffer(array):
    try:
        memoryview(array)
    except TypeError:
        return False
    return True


def stream(array):
    """Returns the handle of the CUDA stream that is current for the array; None: the call waits for its own end."""
    kind = framework(array)
    if kind == "torch":
        return sys.modules["torch"].cuda.current_stream(array.device).cuda_stream if array.is_cuda else None
    if kind == "cupy":
        with array.device:
            return sys.modules["cupy"].cuda.get_current_stream().ptr
    return 0 if kind == "numpy" and hasattr(array, "__cuda_array_interface__") else None


def empty(like, sides, dtype):
    """Returns a new array of the framework and on the device of another. JAX: one of numpy, or of the device; see finish()."""
    kind = framework(like)
    if kind == "torch":
        torch = sys.modules["torch"]
        if not hasattr(torch, dtype):
            raise ValueError(f"this PyTorch has no {dtype}, which the result needs; install PyTorch 2.3 or newer")
        return torch.empty(sides, dtype=getattr(torch, dtype), device=like.device)
    if kind == "cupy":
        with like.device:
            return sys.modules["cupy"].empty(sides, dtype=dtype)
    import numpy

    host = numpy.empty(sides, dtype=dtype)
    if kind == "jax" and is_cuda(like):
        import jax

        return jax.device_put(host, next(iter(like.devices()))).block_until_ready()
    return host


def finish(like, result):
    """Returns the result as an array of the framework of another."""
    if framework(like) == "jax" and framework(result) == "numpy":
        import jax

        return jax.numpy.asarray(result)
    return result


def cast(array, dtype):
    """Returns the array with another type of samples: numpy's type, or a name."""
    if framework(array) == "torch":
        torch = sys.modules["torch"]
        if not hasattr(torch, dtype):
            raise ValueError(f"this PyTorch has no {dtype}, which the array needs; install PyTorch 2.3 or newer")
        return array.to(getattr(torch, dtype))
    if framework(array) == "numpy":
        import numpy

        with numpy.errstate(over="ignore", invalid="ignore"):
            return array.astype(dtype)
    return array.astype(dtype)


def copy(array, out):
    """Writes an array into another of its shape."""
    if framework(out) == "torch":
        out.copy_(array)
    else:
        out[...] = array


def where(condition, a, b):
    """Returns a where the condition holds, else b."""
    return sys.modules[{"jax": "jax.numpy"}.get(framework(a), framework(a))].where(condition, a, b)


def bits_of(array):
    """Returns the samples of 16 bits as integers."""
    return array.view(sys.modules["torch"].int16 if framework(array) == "torch" else "uint16")


def count_odd(array):
    """Returns of floats: how many they are, are below 0, above 1 and NaN; the least and the most of 0 and the numbers."""
    is_number = array == array
    numbers = array + 0
    numbers[~is_number] = 0
    samples = 1
    for side in array.shape:
        samples *= side
    return (
        samples, int((numbers < 0).sum()), int((numbers > 1).sum()), samples - int(is_number.sum()),
        min(0.0, float(numbers.min())), max(0.0, float(numbers.max())),
    )  # fmt: skip


def to_codes(array):
    """Returns uint16 codes of float32, 0 to 1, rounded half up; NaN becomes 0."""
    if framework(array) == "torch":
        torch = sys.modules["torch"]
        return (array.nan_to_num(nan=0.0).clamp(0, 1) * 65535 + 0.5).to(torch.int32).to(torch.uint16)
    arrays = sys.modules[framework(array)]
    return (arrays.clip(arrays.nan_to_num(array, nan=0.0), 0, 1) * arrays.float32(65535) + arrays.float32(0.5)).astype("uint16")


def from_codes(codes, out):
    """Writes codes as floats, 0 to 1, into out."""
    if framework(out) == "torch":
        torch = sys.modules["torch"]
        white = torch.full((), 65535.0, device=codes.device)  # a number would be multiplied by its reciprocal
        out.copy_(codes.to(torch.int32).to(torch.float32) / white)
    else:
        out[...] = codes.astype("float32") / sys.modules[framework(out)].float32(65535)


def of_host(array, like):
    """Returns numpy's array as one of the framework and on the device of another."""
    kind = framework(like)
    if kind == "torch":
        return sys.modules["torch"].from_numpy(array).to(like.device)
    if kind == "cupy":
        with like.device:
            return sys.modules["cupy"].asarray(array)
    return array


def to_host(array):
    """Returns a copy in the host's memory."""
    kind = framework(array)
    if kind == "torch":
        return array.cpu()
    if kind == "cupy":
        return array.get()
    import numpy

    return numpy.asarray(array)


def moved(array, forth):
    """Returns a dense copy with the channels last (forth), or first again."""
    last = len(array.shape) - 1
    return dense(permuted(array, list(range(last - 2)) + ([last - 1, last, last - 2] if forth else [last, last - 2, last - 1])))


def permuted(array, order):
    """Returns a view whose sides are those of the array in another order."""
    return array.permute(order) if framework(array) == "torch" else array.transpose(order)


def dense(array):
    """Returns the array, or a copy, whose samples follow each other."""
    kind = framework(array)
    if kind == "torch":
        return array.contiguous()
    return array if kind == "jax" else sys.modules[kind].ascontiguousarray(array)


def with_rows(array, sides):
    """Returns the array, or a copy, in whose rows samples follow each other. sides: 2, or 3 with channels."""
    measures = _steps(array)
    if measures is None:
        return array
    needed, steps = measures
    rows = len(array.shape) - sides
    for side in reversed(range(len(array.shape))):
        count, step = array.shape[side], steps[side]
        if count > 1 and (step < needed or (side > rows and step != needed)):
            return dense(array)
        needed = count * (step if count > 1 and side <= rows else needed)
    return array


def _steps(array):
    """Returns the bytes of a sample, and those from one to the next along each side. None: the framework has no views."""
    kind = framework(array)
    if kind == "torch":
        return array.element_size(), [step * array.element_size() for step in array.stride()]
    return (array.dtype.itemsize, array.strides) if kind in ("numpy", "cupy") and hasattr(array, "strides") else None
