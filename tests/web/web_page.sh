#!/usr/bin/env bash
# Tests the built page: its core under node, the page in headless Chromium and Firefox. web_page.sh SATBLUR MKIMAGE PAGE ASSETS [SCREENSHOTS]
here=$(cd "$(dirname "$0")" && pwd)
page=$(realpath -m "$3") assets=$(realpath "$4") shots=${5:+$(realpath "$5")}
. "$here/../cli/cli_case.sh"

if command -v node > /dev/null; then
    ok "the page's lines for problems" node "$here/page_lines.js"
else
    skip "the page's lines for problems (Debian: nodejs)"
fi
run --page made
if [ ! -e "$page/index.html" ]; then
    ok "a program without the page says how to get it" says 'satblur: this build has no page; run cmake --build BUILD --target page'
    skip "the page is not built (cmake --build BUILD --target page; Debian: emscripten)"
    exit
fi
if [ "$status" = 0 ]; then
    ok "--page writes the built page" diff -r made "$page"
    ok "--page names the file to open" says 'open made/index.html in a browser'
    run --page out
    ok "--page into a file is one line" says '^satblur: out'
    mkdir ort
    run --page model --onnxruntime ort
    ok "--onnxruntime without its files is one line" says '^satblur: ort/ort.min.mjs cannot be opened: .*; give the folder dist'
    ok "and no page is written" test ! -e model
    mkdir part && touch part/ort.wasm.min.mjs part/ort-wasm-simd-threaded.mjs
    run --page model --onnxruntime part
    ok "of a build that is not whole, the line names what it lacks" says '^satblur: part/ort-wasm-simd-threaded.wasm cannot be opened'
    cp "$here/stand_in_ort.mjs" ort/ort.min.mjs
    touch ort/ort-wasm-simd-threaded.jsep.{mjs,wasm}
    run --page model --onnxruntime "${ONNXRUNTIME_WEB:-ort}"
    ok "--onnxruntime puts one file more beside the page" diff -x onnxruntime.js -r model "$page"
else
    skip "this program was built before the page; build it again"
fi
page_in_zip() { "$python" -m zipfile -e "$page.zip" zipped && diff -r zipped "$page"; }
ok "the zip has the page" page_in_zip
ok "the page has at most 2 MB, compressed" test "$(stat -c %s "$page.zip")" -le 2000000
page_with_licences() { for name in satblur libdeflate libspng zlib; do grep "^$name.*:$" "$page/index.html" || return 1; done; }
ok "the page has the licences of what it is made of" page_with_licences

cp "$assets/table.png" "$assets/table_depth.png" .
make png 320 240 3 8 noise:3 photo.png
run photo.png photo.jpg --radius 2 --codec stb
make png 320 240 1 8 ramp map.png
make png 90 70 4 16 noise:5 deep.png
make png 90 70 1 16 ramp deep_map.png
"$python" "$here/../cli/codec/mkembedded.py" dynamic photo.jpg map.png own.jpg || exit 1
if command -v node > /dev/null; then
    ok "the core's bytes are the program's" node "$here/web_core.js" "$page" "$satblur" .
    cat check.log
else
    skip "the core under node (Debian: nodejs)"
fi
if command -v node > /dev/null && "$python" -c 'import PIL, satblur' 2> /dev/null; then
    ok "the Python calls give the page's pixels" node "$here/web_python.js" "$page" "$satblur" "$mkimage" "$python" .
    cat check.log
else
    skip "the Python calls of the page (pip install pillow ./core/python; \$PYTHON is the interpreter)"
fi
if [ -e model/onnxruntime.js ] && "$python" -c 'import numpy' 2> /dev/null; then
    PYTHONPATH=$here/../../core/python/tests "$python" -B -c 'import pathlib, tiny_onnx; tiny_onnx.brightness(pathlib.Path("tiny.onnx"))' || exit 1
    export TINY_MODEL=tiny.onnx
else
    skip "models on the page (pip install numpy; \$PYTHON is the interpreter)"
fi
for browser in "chromium chromium-driver chromedriver" "firefox firefox-esr firefox-esr"; do
    read -r name package program <<< "$browser"
    if command -v "$program" > /dev/null && /usr/bin/python3 -c 'import websocket' 2> /dev/null; then
        echo "$name:"
        PHOTO_WITH_MAP=$PWD/own.jpg /usr/bin/python3 "$here/web_page.py" "$name" "$page" "$satblur" "$assets" ${shots:+"$shots/$name-"} || failed=$((failed + 1))
    else
        skip "the page in $name (Debian: $package python3-websocket)"
    fi
done
if [ -e page_depth.png ] && "$python" -c 'import onnxruntime, PIL, satblur' 2> /dev/null; then
    ok "the page's map is satblur-depth's" "$python" -B "$here/page_map.py" tiny.onnx photo.png page_depth.png
    cat check.log
else
    skip "the page's map and satblur-depth's (pip install onnxruntime pillow ./core/python; \$PYTHON is the interpreter)"
fi
