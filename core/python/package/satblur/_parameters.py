"""The parameters of dof() with their ranges, for controls in other programs."""

import inspect
import re
from collections import namedtuple

from . import _core
from ._call import CHOICES
from ._dof import dof

Parameter = namedtuple("Parameter", "default low high is_whole words text")
Parameter.__doc__ = """A number of dof(), from low to high, or a choice, one of words. None as a word is the library's default."""


def parameters():
    """Returns the numbers and choices of dof(), name to Parameter, in the order of the library's table.

    A low of 0 may be apart from the range, as text says; dof() refuses the numbers between.
    """
    presets = {name: each.default for name, each in inspect.signature(dof).parameters.items()}
    lines = re.findall(r"^(\w+) +(.+(?:\n +.+)*)", inspect.getdoc(dof) or "", re.M)
    texts = {name: " ".join(text.split()) for name, text in lines}
    found = {}
    for name, (is_whole, low, high, zero, preset) in _core.NUMBERS.items():
        found[name] = Parameter(preset, 0 if zero and preset == 0 else low, high, is_whole, None, texts.get(name, ""))
    for name, words in CHOICES.items():
        if name in presets:
            found[name] = Parameter(presets[name], None, None, False, tuple(words), texts.get(name, ""))
    return found
