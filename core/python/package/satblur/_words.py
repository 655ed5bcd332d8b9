"""Arguments of Python and options of the program: the same words, with a few exceptions. dof_table.py reads this, too."""

ALIASES = {"focal_mm": "focal", "sensor_mm": "sensor", "holes": "depth-holes", "edges": "depth-edges"}
PYTHON = {**{word: name for name, word in ALIASES.items()}, "focus-at": "focus", "gamma": "linear=False"}
OF_FILES = ("depth-channel", "depth-key", "no-hdr")  # what they choose is not in an array
OF_CLIPS = ("focus-keys", "focus-track", "max-radius-keys", "fps")


def name_of(option):
    """Returns an option's name in Python."""
    return PYTHON.get(option, option.replace("-", "_"))


def option_of(name):
    return ALIASES.get(name, name.replace("_", "-"))


def translated(text, names=None):
    """Returns a message of the program with Python's names; names: those that there are, None: all."""
    import re

    def named(found):
        name = name_of(found[1])
        return name if names is None or name.partition("=")[0] in names else found[0]

    return re.sub(r"(?<![^\s'\"(])--([a-z][a-z-]*)", named, text)


def text_of(value):
    """Returns an option's value as it is typed. Raises TypeError for what has no such text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        raise TypeError
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, (tuple, list)):
        return ",".join(text_of(each) for each in value)
    from decimal import Decimal

    number = float(value)
    text = format(Decimal(repr(number)), "f") if number - number == 0 else repr(number)
    return text[:-2] if text.endswith(".0") else text
