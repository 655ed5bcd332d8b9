#!/usr/bin/env bash
# The READMEs and the manual are true: every option that they name exists, and so does every file or heading that they link to.
# The examples of the library compile, run, and blur. With MKIMAGE, the commands of the top README and of the manual are run as
# well, and the options of their tables. readme.sh SATBLUR LIBRARY_FOLDER INCLUDE_FOLDER [MKIMAGE]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
satblur=$(realpath "$1") library=$(realpath "$2") headers=$(realpath "$3") mkimage=${4:+$(realpath "$4")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
ok() { # ok WHAT COMMAND...
    if "${@:2}" > "$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        echo "FAIL $1"; cat "$work/log"; failed=$((failed + 1))
    fi
}

"$satblur" --help=all > "$work/help"
manual=("$root/README.md" "$root"/app/doc/*.md)
for option in $(grep -ohE -e '--[a-z][a-z-]+' "${manual[@]}" "$root/app/README.md" | sort -u); do
    case $option in
    --build | --target | --parallel | --install | --prefix | --wrap | --array | --cflags | --libs) continue ;; # of cmake, sbatch, pkg-config
    --no-deps | --only-binary | --python-version | --platform) continue ;; # of pip
    esac
    ! grep -qF "\"$option\"" "$root/core/python/package/satblur/_depth_program.py" || continue # of satblur-depth
    ok "$option exists" grep -qE -e "(^|[^a-z-])$option([^a-z-]|\$)" "$work/help"
done
headings() { # headings FILE: as anchors
    sed -nE 's/^#+ +//p' "$1" | tr A-Z a-z | sed 's/[^a-z0-9 -]//g; s/ /-/g'
}
has_target() { # has_target README TARGET: a file, a heading of the same page (#...), or of another (FILE#...)
    local file=$1
    [ -z "${2%%#*}" ] || file=$(dirname "$1")/${2%%#*}
    [ -e "$file" ] || return 1
    [[ $2 != *#* ]] || headings "$file" | grep -qx -- "${2#*#}"
}
cd "$root"
for readme in README.md .github/CONTRIBUTING.md {app,app/hosts,app/web,core,core/python,kernels,tests,tests/bench,tests/quality,assets}/README.md app/doc/*.md; do
    for target in $(tr '\n' ' ' < "$readme" | grep -oE '\]\([^):]+\)' | sed -E 's/^\]\(|\)$//g'); do
        ok "$readme links to $target" has_target "$root/$readme" "$target"
    done
done
for page in app/doc/[!R]*.md; do
    ok "the index of the manual has $page" grep -qF "(${page##*/}" app/doc/README.md
done
for picture in assets/*.jpg; do
    ok "a page shows $picture" grep -qF "$picture)" README.md app/doc/*.md core/README.md
done
ok "the README fits 200 lines" test "$(wc -l < README.md)" -le 200
ok "app/README.md fits 100 lines" test "$(wc -l < app/README.md)" -le 100

ok "the example compiles" cc -std=c17 -Wall -Wextra -Werror -I"$headers" core/package/dof.c -L"$library" -lsatblur -o "$work/example"
run_example() {
    LD_LIBRARY_PATH=$library "$work/example" > "$work/example.txt"
}
ok "the example runs" run_example
ok "the example blurs" grep -qE 'focus 0\.[0-9]+, radii up to [1-9]' "$work/example.txt"
if command -v c++ > "$work/log"; then
    ok "the example in C++ compiles" c++ -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Werror -I"$headers" core/package/dof.cc \
        -L"$library" -lsatblur -o "$work/example-c++"
    same_in_cxx() { LD_LIBRARY_PATH=$library "$work/example-c++" | cmp - "$work/example.txt"; }
    ok "the example in C++ prints the same" same_in_cxx
else
    echo "SKIPPED: the example in C++: no c++"
fi

if [ -n "$mkimage" ]; then
    home=$work/home # with the files that the README names
    mkdir -p "$home/photos" "$home/depths" "$home/portraits" "$home/build/app" "$work/bin"
    ln -s "$satblur" "$work/bin/satblur"
    ln -s "$satblur" "$home/build/app/satblur"
    printf '#!/bin/sh\n[ $# -lt 4 ] || set -- file "$3" "$4"\nexec python3 -IS %s "$@"\n' \
        "$root/tests/cli/program/map_program.py" > "$work/bin/satblur-depth" # in its place
    chmod +x "$work/bin/satblur-depth"
    printf 'import os, sys\nos.execvp("satblur-depth", ["satblur-depth", "file"] + sys.argv[1:])\n' > "$home/my_model.py"
    ln -s "$root/assets" "$home/assets"
    cd "$home"
    "$mkimage" png 900 500 3 8 noise:1 night.png
    "$mkimage" png 900 500 1 16 ramp depth.png
    "$mkimage" png 900 500 4 8 step cutout.png
    "$satblur" night.png in.jpg --radius 3
    for copy in photo.jpg photos/a.jpg photos/b.jpg; do cp in.jpg "$copy"; done
    for copy in depths/a.png depths/b_depth.png depths/in.png; do cp depth.png "$copy"; done
    "$satblur" depth.png small.jpg --radius 0 --quiet
    python3 "$root/tests/cli/codec/mkembedded.py" gdepth in.jpg small.jpg portrait.jpg
    cp portrait.jpg portraits/
    python3 - d.npz << 'END' # NumPy's savez(depth=...) of metres
import struct, sys, zipfile
words = b"{'descr': '<f4', 'fortran_order': False, 'shape': (50, 90), }\n"
samples = struct.pack('<4500f', *(1 + i % 90 / 10 for i in range(4500)))
with zipfile.ZipFile(sys.argv[1], 'w') as to:
    to.writestr('depth.npy', b'\x93NUMPY\1\0' + struct.pack('<H', len(words)) + words + samples)
END
    python3 - render.exr << 'END' # half floats of a slope of metres: a line of B, G, R and Z after another, not packed
import struct, sys
width, height, channels = 90, 50, b'BGRZ'
def attribute(name, kind, value):
    return name + b'\0' + kind + b'\0' + struct.pack('<I', len(value)) + value
box = struct.pack('<4i', 0, 0, width - 1, height - 1)
head = struct.pack('<2I', 20000630, 2) + attribute(b'channels', b'chlist', b''.join(
    bytes([c, 0]) + struct.pack('<iI2i', 1, 0, 1, 1) for c in channels) + b'\0')
head += attribute(b'compression', b'compression', b'\0') + attribute(b'dataWindow', b'box2i', box)
head += attribute(b'displayWindow', b'box2i', box) + attribute(b'lineOrder', b'lineOrder', b'\0')
head += attribute(b'pixelAspectRatio', b'float', struct.pack('<f', 1))
head += attribute(b'screenWindowCenter', b'v2f', struct.pack('<2f', 0, 0))
head += attribute(b'screenWindowWidth', b'float', struct.pack('<f', 1)) + b'\0'
lines = [struct.pack('<%de' % (4 * width), *[(x + 5 * y) % 9 / 4 for _ in 'BGR' for x in range(width)],
                     *[1 + x / 10 for x in range(width)]) for y in range(height)]
first = len(head) + 8 * height
with open(sys.argv[1], 'wb') as to:
    to.write(head + b''.join(struct.pack('<Q', first + y * (8 + len(lines[0]))) for y in range(height)))
    to.write(b''.join(struct.pack('<iI', y, len(line)) + line for y, line in enumerate(lines)))
END
    for copy in beauty.exr z.exr; do cp render.exr "$copy"; done
    has() { "$satblur" --version | grep -q "^$1"; }
    if has 'video: lib'; then
        mkdir frames
        for i in 1 2 3; do
            "$mkimage" png 96 64 3 8 "noise:$i" frames/$i.png
            "$mkimage" png 96 64 1 8 ramp frames/depth$i.png
        done
        "$satblur" frames/%d.png clip.mp4 --radius 0 --quiet
        "$satblur" frames/depth%d.png depth.mp4 --radius 0 --quiet
    fi
    run() { PATH=$work/bin:$PATH bash -ec "$1"; }

    before=$((passed + failed))
    while read -r command; do # indented, perhaps with an explanation behind two blanks
        case $command in
        *.exr*) has EXR || { echo "SKIP $command: this build has no EXR"; continue; } ;;
        *.mp4*) has 'video: lib' || { echo "SKIP $command: this build has no video"; continue; } ;;
        esac
        ok "$command" run "$command"
    done < <(sed -nE '/^    (satblur|build\/app\/satblur|find) /{s/^ +//; s/ {2,}[^ ].*//; p}' "${manual[@]}" | sort -u)
    while read -r options; do # a cell of a table: `--name value`
        case $options in
        --device* | --resume* | *X,Y,X*) continue ;; # of a GPU, and of a folder
        *--depth\ embedded*) ok "$options" run "satblur portrait.jpg out.jpg $options"; continue ;;
        *--depth-scale*) options+=' --focus 0.5m' ;;
        *--distance* | *carla) ;; # has metres, or gets them
        *) options+=' --distance 1,20' ;;
        esac
        ok "$options" run "satblur in.jpg out.jpg --depth depth.png $options"
    done < <({ sed -n '/^## Main options/,/^## When/p' "$root/README.md"; cat "$root"/app/doc/{depth-maps,focus,lens}.md; } |
        sed -nE '/^\|/{s/^[^`]*`(--[^`]*)`.*/\1/; s/X,Y/81,40/; s/LOW,HIGH/10,200/; s/MASK/cutout.png/; s/scale N/scale 5000/; s/from NAME/from marigold/; /^--/p}' | sort -u)
    ok "the manual has commands and options" test $((passed + failed - before)) -gt 45
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 20 ]
