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
    return str(getattr(array, "dtype", "")).rpartition(".")[2]


def shape(array):
    return tuple(array.shape) if hasattr(array, "shape") else memoryview(array).shape


def readable(array, name):
    """Returns the array without what hinders others from reading its memory."""
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
        if array.is_deleted():
            raise ValueError(f"{name} has no memory; it was deleted or donated")
        return array.block_until_ready()
    has_memory = hasattr(array, "__dlpack__") or hasattr(array, "__array_interface__")
    if not (hasattr(array, "shape") and has_memory or is_buffer(array)):
        raise ValueError(f"{name} is no array: {type(array).__name__}; give numpy.asarray() of it, or a tensor")
    if kind == "numpy" and dtype_name(array).startswith((">", "<")):
        raise ValueError(f"{name} has samples of foreign byte order; give array.astype(array.dtype.newbyteorder('='))")
    return array


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
    """Returns the array with another type of samples."""
    if framework(array) == "torch":
        torch = sys.modules["torch"]
        if not hasattr(torch, dtype):
            raise ValueError(f"this PyTorch has no {dtype}, which the array needs; install PyTorch 2.3 or newer")
        return array.to(getattr(torch, dtype))
    if not hasattr(array, "astype"):
        import numpy

        array = numpy.asarray(array)
    return array.astype(dtype)


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
    """Returns uint16 codes of floats on a GPU, 0 to 1, rounded half up; NaN becomes 0."""
    if framework(array) == "torch":
        torch = sys.modules["torch"]
        return (array.nan_to_num(nan=0.0).clamp(0, 1) * 65535 + 0.5).to(torch.int32).to(torch.uint16)
    cupy = sys.modules["cupy"]
    return (cupy.clip(cupy.nan_to_num(array, nan=0.0), 0, 1) * cupy.float32(65535) + cupy.float32(0.5)).astype(cupy.uint16)


def from_codes(codes, out):
    """Writes codes as floats, 0 to 1, into out."""
    if framework(out) == "torch":
        torch = sys.modules["torch"]
        white = torch.full((), 65535.0, device=codes.device)  # a number would be multiplied by its reciprocal
        out.copy_(codes.to(torch.int32).to(torch.float32) / white)
    else:
        out[...] = codes.astype("float32") / sys.modules["cupy"].float32(65535)


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
    order = list(range(last - 2)) + ([last - 1, last, last - 2] if forth else [last, last - 2, last - 1])
    if framework(array) == "torch":
        return array.permute(order).contiguous()
    if framework(array) == "jax":
        return array.transpose(order)
    return array.transpose(order).copy()
