#!/usr/bin/env python3
"""Writes page/option_facts.js: what the page takes from the program's table of options.

satblur --help=json | option_facts.py            writes the file
satblur --help=json | option_facts.py --check    says whether it is as the program has it, and fails if not
"""
import json
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).parent / "page"
FACTS = PAGE / "option_facts.js"


def facts_of(option):
    """Returns an option's range, default, words and text, by the names of the page's rows."""
    facts = {key: option[key] for key in ("low", "high") if key in option}
    if re.fullmatch(r"-?[\d.]+", option.get("default", "")):
        facts["standard"] = float(option["default"]) if "." in option["default"] else int(option["default"])
    if option["type"] == "choice":
        facts["words"] = [choice["word"] for choice in option["choices"]]
    return {**facts, "help": option["help"]}


def beyond(rows, options):
    """Returns the sliders that go beyond their options. Left of a range may be 0, which leaves the option out."""
    ends = re.findall(r'option: "([a-z-]+)"[^}]*? (low|high): (-?[\d.]+)', rows)
    for name, end, value in ends:
        low, high = (options.get(name, {}).get(key) for key in ("low", "high"))
        if low is not None and float(value) != 0 and not low <= float(value) <= high:
            yield f"options.js: {end}: {value} of {name} is beyond the program's range, {low} to {high}"


def main():
    options = {option["name"]: option for option in json.load(sys.stdin)}
    rows = (PAGE / "options.js").read_text()
    names = [name for name in dict.fromkeys(re.findall(r'option: "([a-z-]+)"', rows)) if name in options]
    lines = "".join(f"    {json.dumps(name)}: {json.dumps(facts_of(options[name]))},\n" for name in names)
    text = f"// What the program's table says of the page's options. Made by app/web/option_facts.py; edit that table.\nconst OPTION_FACTS = {{\n{lines}}};\n"
    text += "const PRESETS = [\n" + "".join(f"    {json.dumps(choice)},\n" for choice in options["dof-preset"]["choices"]) + "];\n"
    faults = list(beyond(rows, options))
    if "--check" not in sys.argv:
        FACTS.write_text(text)
    elif not FACTS.exists() or FACTS.read_text() != text:
        faults.append("page/option_facts.js is not as the program's options are; run satblur --help=json | app/web/option_facts.py")
    print(*faults, sep="\n", end="\n" if faults else "")
    sys.exit(len(faults) > 0)


main()
