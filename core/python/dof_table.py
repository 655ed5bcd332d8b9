#!/usr/bin/env python3
"""Writes the numbers of core/include/dof_table.h, and what else the program's table of options has of looks, into the signatures,
stubs and texts of satblur.dof() and satblur.coc().

satblur --help=json | dof_table.py            writes the package's files
satblur --help=json | dof_table.py --check    says which of them are not as the tables are, and fails
"""
import csv
import difflib
import json
import pathlib
import re
import runpy
import sys
import textwrap

HERE = pathlib.Path(__file__).parent
INCLUDE = HERE.parent / "include"
PACKAGE = HERE / "package" / "satblur"
WIDTH = 130
WORDS = runpy.run_path(str(PACKAGE / "_words.py"))
SECTIONS = ("Focus", "Blur", "Depth map", "Camera", "Colour and border") # of options that change a picture in memory


def table():
    """Returns the numbers in the table's order, name to (type, low, high, zero, preset, unit, text), and those of depth."""
    text = (INCLUDE / "dof_table.h").read_text().replace("\\\n", " ")
    limits = dict(re.findall(r"#define (SATB_MOST_\w+) +(\d+)", (INCLUDE / "satblur.h").read_text()))
    rows = {}
    for macro, row in re.findall(r"#define (SATB_DOF_(?!CHOICES|OTHERS)\w+)\(ROW\) +ROW\((.*)\)", text):
        name, kind, low, high, zero, preset, unit, words, _ = next(csv.reader([row], skipinitialspace=True))
        low, high = (eval(re.sub(r"SATB_MOST_\w+", lambda found: limits[found[0]], cell)) for cell in (low, high))
        rows[macro] = name, (kind, low, high, zero == "1", preset, unit, words)
    lists = {name: re.findall(r"(SATB_DOF_\w+)\(ROW\)", body) for name, body in re.findall(r"#define (SATB_DOF_\w+_NUMBERS)\(ROW\) +(.*)", text)}
    order = [macro for part in ("DEPTH", "SHAPE", "LIGHT") for macro in lists[f"SATB_DOF_{part}_NUMBERS"]]
    assert sorted(order) == sorted(rows), "a row is in no list of dof_table.h, or in two"
    return dict(rows[macro] for macro in order), [rows[macro][0] for macro in lists["SATB_DOF_DEPTH_NUMBERS"]]


def looks_of(options, code):
    """Returns the looks of the program that dof() has no other argument for, name to option."""
    signature = re.sub(r"# looks\n.*?# looks end\n", "", code[code.index("def dof(") : code.index('"""Blurs each')], flags=re.S)
    own = set(re.findall(r"(\w+)=", signature)) | {"linear=False"}
    looks = {}
    for option in options:
        word, name = option["name"], WORDS["name_of"](option["name"])
        is_look = option["section"].startswith(SECTIONS) or word == "tilt-shift" or word in WORDS["OF_CLIPS"]
        if is_look and word not in WORDS["OF_FILES"] and name not in own:
            looks[name] = option
    return looks


def look_type(option):
    return {"number": "Optional[float]", "choice": "Optional[str]"}.get(option["type"], "_Look")


def look_text(name, option):
    """Returns the line of the docstring."""
    words = [choice["word"] for choice in option.get("choices", [])]
    value = " | ".join(words) if option["type"] == "choice" and len(words) < 6 else option["argument"]
    return f"    {name + ' ':<12} {value}: {WORDS['translated'](option['help'])}\n"


def wrapped(words, indent):
    """Returns lines that end behind a comma."""
    line = ", ".join(word.replace(" ", "\0") for word in words) + ","
    return textwrap.fill(line, WIDTH, initial_indent=indent, subsequent_indent=indent).replace("\0", " ") + "\n"


def manual(numbers):
    """Returns the lines of the docstring."""
    lines = []
    for name, (_, low, high, zero, preset, unit, words) in numbers.items():
        none = "0, or " if zero and preset == "0" else ""
        lines.append(f"    {name + ' ':<12} {none}{low:g} to {high:g}{unit}. {words}\n")
    return "".join(lines)


def between(text, mark, new):
    """Returns the text with new lines between `# mark` and `# mark end`; `# mark: kind` has the same end."""
    end = mark.partition(":")[0]
    text, count = re.subn(rf"( *# {mark}\n)[^#]*?( *# {end} end\n)", lambda found: found[1] + new + found[2], text)
    assert count, f"the marks of {mark} are missing"
    return text


def rewritten(text, numbers, of_depth, cell, indent):
    """Returns a file's text with new arguments between its marks: `# numbers: all` or `# numbers: depth`, and `# numbers end`."""
    for kind, names in (("all", list(numbers)), ("depth", of_depth)):
        text = between(text, f"numbers: {kind}", wrapped([cell(name, *numbers[name]) for name in names], indent))
    return text


def main():
    numbers, of_depth = table()
    of_depth.append("orientation")  # the automatic focus goes by it
    stubs = PACKAGE / "__init__.pyi"
    code = PACKAGE / "_dof.py"
    looks = looks_of(json.load(sys.stdin), code.read_text())
    stub = rewritten(stubs.read_text(), numbers, of_depth,
                     lambda name, kind, low, high, zero, preset, *_: f"{name}: {'int' if kind == 'int' else 'float'} = {preset}", "    ")
    source = rewritten(code.read_text(), numbers, of_depth, lambda name, kind, low, high, zero, preset, *_: f"{name}={preset}", " " * 8)
    texts = manual(numbers) + "".join(look_text(name, option) for name, option in looks.items())
    source = re.sub(r"(    bokeh  .*\n)(?s:.*?)(    transfer  )", lambda found: found[1] + texts + found[2], source)
    source = between(source, "names of looks", wrapped([f'"{name}"' for name in looks], "    "))
    new = {
        stubs: between(stub, "looks", wrapped([f"{name}: {look_type(option)} = None" for name, option in looks.items()], "    ")),
        code: between(source, "looks", wrapped([f"{name}=None" for name in looks], " " * 8)),
    }
    stale = [path for path, text in new.items() if text != path.read_text()]
    for path in stale:
        if "--check" in sys.argv:
            print(f"{path.name} is not as the tables are; run satblur --help=json | core/python/dof_table.py")
            print(*difflib.unified_diff(path.read_text().splitlines(), new[path].splitlines(), lineterm="", n=0), sep="\n")
        else:
            path.write_text(new[path])
    sys.exit("--check" in sys.argv and len(stale) > 0)


main()
