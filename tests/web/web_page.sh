#!/usr/bin/env bash
# Tests the built page: its core under node, the page in headless Chromium. web_page.sh SATBLUR MKIMAGE PAGE ASSETS [SCREENSHOTS]
here=$(cd "$(dirname "$0")" && pwd)
page=$(realpath -m "$3") assets=$(realpath "$4") shots=${5:+$(realpath "$5")}
. "$here/../cli/cli_case.sh"

run --page made
if [ ! -e "$page/index.html" ]; then
    ok "a program without the page says how to get it" says 'satblur: this build has no page; run app/web/build.sh'
    skip "the page is not built (app/web/build.sh; Debian: emscripten)"
    exit $((failed > 0))
fi
if [ "$status" = 0 ]; then
    ok "--page writes the built page" diff -r made "$page"
    ok "--page names the file to open" says 'open made/index.html in a browser'
    run --page out
    ok "--page into a file is one line" says '^satblur: out'
else
    skip "this program was built before the page; run cmake again"
fi
ok "the page's folder has at most 3 MB, compressed" test "$(cat "$page"/* | gzip -9 | wc -c)" -le 3000000

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
if command -v chromium chromedriver > /dev/null && /usr/bin/python3 -c 'import selenium' 2> /dev/null; then
    PHOTO_WITH_MAP=$PWD/own.jpg /usr/bin/python3 "$here/web_page.py" "$page" "$satblur" "$assets" ${shots:+"$shots"} || failed=$((failed + 1))
else
    skip "the page in a browser (Debian: chromium chromium-driver python3-selenium)"
fi
echo "$passed passed, $failed failed, $skipped skipped"
exit $((failed > 0))
