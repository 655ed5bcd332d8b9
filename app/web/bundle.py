#!/usr/bin/env python3
"""Writes the page into a folder: bundle.py CORE.js CORE.wasm ASSETS FOLDER"""
import base64
import json
import pathlib
import sys

PAGE = pathlib.Path(__file__).parent / "page"
SCRIPTS = ["options.js", "view.js", "work.js", "live.js", "controls.js", "hands.js", "page.js"]


def encoded(path):
    return base64.b64encode(pathlib.Path(path).read_bytes()).decode()


def main():
    glue, wasm, assets, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    core = {"glue": glue.read_text(), "worker": (PAGE / "worker.js").read_text(), "wasm": encoded(wasm)}
    sample = {name: encoded(assets / name) for name in ("table.png", "table_depth.png")}
    for name in ("index.html", "style.css"):
        (folder / name).write_text((PAGE / name).read_text())
    scripts = "\n".join((PAGE / name).read_text() for name in SCRIPTS)
    (folder / "page.js").write_text("(() => {\n\"use strict\";\n" + scripts + "\nObject.assign(window, {satblur_page: page, satblur_missing: missingIn});\n})();\n")
    (folder / "core.js").write_text("const SATBLUR_CORE = " + json.dumps(core) + ";\n")
    (folder / "sample.js").write_text("const SATBLUR_SAMPLE = " + json.dumps(sample) + ";\n")


main()
