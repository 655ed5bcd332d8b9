"""The parallel primitives on arrays of one dimension in the host's memory. All devices give the same bits."""

from . import _core
from . import _frameworks as fw
from ._call import choose, device_number, index

_REDUCE = {"sum": 0, "product": 1, "min": 2, "max": 3, "argmin": 4, "argmax": 5}
_NOTHING = {"sum": 0, "product": 1, "min": 2**32 - 1, "max": 0, "argmin": 2**64 - 1, "argmax": 2**64 - 1}


def _device(device):
    return device_number("auto" if device is None else device)


def scan(values, *, op="sum", exclusive=False, out=None, device=None):
    """Returns running sums, or maxima (op="max"), of uint32 or uint64, modulo their size. out may be values.

    exclusive: out[i] has only the elements before values[i]. Raises as dof() does.
    """
    is_max = choose("op", op, {"sum": False, "max": True})
    values = fw.readable(values, "values")
    out = fw.empty(values, fw.shape(values), fw.dtype_name(values)) if out is None else fw.readable(out, "out", written=True)
    if 0 not in fw.shape(values):
        _core.scan(values, out, is_max, bool(exclusive), _device(device))
    return fw.finish(values, out)


def reduce(values, op="sum", *, device=None):
    """Returns the sum, product (both modulo 2**64), min, max, argmin or argmax of uint32 as an int. Raises as dof() does."""
    number = choose("op", op, _REDUCE)
    values = fw.readable(values, "values")
    return _NOTHING[op] if 0 in fw.shape(values) else _core.reduce(values, number, _device(device))


def compact(values, low, high, *, device=None):
    """Returns the uint32 values from low to high in their order, and their places, uint64. Raises as dof() does."""
    values = fw.readable(values, "values")
    out, places = fw.empty(values, fw.shape(values), "uint32"), fw.empty(values, fw.shape(values), "uint64")
    low, high = index("low", low), index("high", high)
    if not 0 <= low <= high < 2**32:
        raise ValueError(f"low is {low} and high is {high}; give 0 <= low <= high < 2**32")
    kept = 0 if 0 in fw.shape(values) else _core.compact(values, low, high, out, places, _device(device))
    return fw.finish(values, out[:kept]), fw.finish(values, places[:kept])


def sort(keys, values=None, *, device=None):
    """Sorts uint32 or uint64 keys in place, ascending and stable. values, uint32, travel with them. Raises as dof() does."""
    keys, values = fw.readable(keys, "keys", written=True), fw.readable(values, "values", written=True)
    if 0 not in fw.shape(keys):
        _core.sort(keys, values, _device(device))
