#!/usr/bin/env python3
"""Writes the page as one file, and a zip of it: bundle.py CORE PHOTO MAP LIBRARIES FOLDER.

CORE has the built core, LIBRARIES the sources of its libraries. FOLDER/index.html and FOLDER.zip are written.
"""
import base64
import gzip
import json
import pathlib
import re
import runpy
import sys
import zipfile

PAGE = pathlib.Path(__file__).parent / "page"
MODELS = pathlib.Path(__file__).parents[2] / "core/python/package/satblur/_models.py"
SCRIPTS = ["option_facts.js", "options.js", "past.js", "files.js", "view.js", "work.js", "model.js", "live.js", "controls.js", "hands.js", "page.js"]


def encoded(data):
    return base64.b64encode(data).decode()


def text_of(value):
    """JavaScript of a value, within an element of HTML."""
    return json.dumps(value).replace("</", "<\\/")


def core_of(folder):
    """The core: its WebAssembly, compressed, and the script of its worker."""
    glue, wasm = (folder / ("satblur_web" + ending) for ending in (".js", ".wasm"))
    return {"glue": glue.read_text(), "worker": (PAGE / "worker.js").read_text(), "wasm": encoded(gzip.compress(wasm.read_bytes(), mtime=0))}


def models():
    """satblur-depth's table of models. Its last row describes all others."""
    table = runpy.run_path(str(MODELS))
    return [{**row._asdict(), "kind": row.kind} for row in (*table["KNOWN"], table["UNKNOWN"])]


def licences(libraries):
    """The licences of all that is in the page, but stb, which is in the public domain."""
    files = [PAGE.parents[2] / "LICENSE", *sorted(path for name in ("COPYING", "LICENSE") for path in libraries.glob(f"*/{name}"))]
    return "\n\n".join(f"{path.parent.name if i else 'satblur'}:\n{path.read_text().strip()}" for i, path in enumerate(files))


def main():
    core, photo, depth, libraries, folder = map(pathlib.Path, sys.argv[1:])
    scripts = "\n".join((PAGE / name).read_text() for name in SCRIPTS)
    scripts += f"\nconst MODELS = {text_of(models())};\nconst MODEL_WORKER = {text_of((PAGE / 'model_worker.js').read_text())};\n"
    scripts = "(() => {\n\"use strict\";\n" + scripts + "\nObject.assign(window, {satblur_page: page, satblur_missing: missingIn, satblur_core: Core});\n})();\n"
    scripts += f"const SATBLUR_CORE = {text_of(core_of(core))};\n"
    scripts += f"const SATBLUR_SAMPLE = {text_of({path.name: encoded(path.read_bytes()) for path in (photo, depth)})};\n"
    html = re.sub("<script .*\n", "", (PAGE / "index.html").read_text())
    html = html.replace('<link rel="stylesheet" href="style.css">', f"<style>\n{(PAGE / 'style.css').read_text()}</style>")
    html = html.replace("</body>", f"<script>\n{scripts}</script>\n</body>") + f"<!--\n{licences(libraries)}\n-->\n"
    if html.count("</script>") != 1 or html.count("</style>") != 1 or html.count("-->") != 1:
        sys.exit("bundle.py: a text ends the element that it is in; write </ as <\\/ there")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(html)
    with zipfile.ZipFile(f"{folder}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr(zipfile.ZipInfo("index.html"), html, zipfile.ZIP_DEFLATED)


main()
