#!/usr/bin/env python3
"""Writes the page into a folder: bundle.py CORES PHOTO MAP FOLDER. CORES has a folder for each build of the core."""
import base64
import gzip
import json
import pathlib
import runpy
import sys

PAGE = pathlib.Path(__file__).parent / "page"
MODELS = pathlib.Path(__file__).parents[2] / "core/python/package/satblur/_models.py"
SCRIPTS = ["option_facts.js", "options.js", "past.js", "files.js", "view.js", "work.js", "model.js", "live.js", "controls.js", "hands.js", "page.js"]


def encoded(data):
    return base64.b64encode(data).decode()


def core_of(folder):
    """A build of the core: its WebAssembly, compressed, and the scripts of its worker and of a thread."""
    glue, wasm, thread = (folder / ("satblur_web" + ending) for ending in (".js", ".wasm", ".worker.js"))
    return {"glue": glue.read_text(), "worker": (PAGE / "worker.js").read_text(), "wasm": encoded(gzip.compress(wasm.read_bytes(), mtime=0)),
            "thread": thread.read_text() if thread.exists() else ""}


def models():
    """satblur-depth's table of models. Its last row describes all others."""
    table = runpy.run_path(str(MODELS))
    return [{**row._asdict(), "kind": row.kind} for row in (*table["KNOWN"], table["UNKNOWN"])]


def main():
    cores, photo, depth, folder = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("index.html", "style.css"):
        (folder / name).write_text((PAGE / name).read_text())
    scripts = "\n".join((PAGE / name).read_text() for name in SCRIPTS)
    scripts += f"\nconst MODELS = {json.dumps(models())};\nconst MODEL_WORKER = {json.dumps((PAGE / 'model_worker.js').read_text())};\n"
    (folder / "page.js").write_text("(() => {\n\"use strict\";\n" + scripts + "\nObject.assign(window, {satblur_page: page, satblur_missing: missingIn, satblur_core: Core});\n})();\n")
    for build in ("simd", "threads"):
        core = json.dumps(core_of(cores / build / "app" / "web"))
        (folder / f"core_{build}.js").write_text(f"SATBLUR_CORES.{build} = {core};\n")
    sample = {path.name: encoded(path.read_bytes()) for path in (photo, depth)}
    (folder / "sample.js").write_text("const SATBLUR_SAMPLE = " + json.dumps(sample) + ";\n")


main()
