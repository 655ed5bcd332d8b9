#!/usr/bin/env bash
# Checks the order of the rooms, and the sizes of folders and files. Prints violations. layering.sh [libsatblur.so [BUILD]]
set -euo pipefail
cd "$(dirname "$0")/.."
failed=0 passed=0

# A room, and the rooms on its floor whose headers it includes. Each room may include itself; app and tests <satblur.h>.
rooms='
app base
app image       base
app format      base
app metadata    base image format
app nvjpeg      base image format
app codec       base image format metadata nvjpeg
app embedded    base image format metadata codec
app depth       base image codec
app engine      base image codec depth
app program     base image codec engine
app figure      base image codec engine
app cli         base codec depth engine figure
app job         base image codec embedded depth engine program figure metadata cli
app batch       base codec depth engine job cli
app video       base image format metadata codec engine job batch
app web         base image codec embedded engine cli job
app hosts       base image codec engine cli job video

core base
core backend    base
core cuda       base backend
core depth      base backend
core blur       base backend depth
core ops        base backend depth blur
core package
core python

kernels common
kernels sat       common
kernels array     common
kernels box       common sat
kernels layer     common sat box
kernels spread    common sat box
kernels highlight common sat box layer
kernels surface   common
kernels fill      common surface
kernels cover     common surface
kernels matte     common surface
kernels protect   common surface matte
kernels stats     common sat array

tests support
tests textbook  support
tests check     support textbook
tests bench     support textbook check
tests unit      support
tests cli
tests quality
tests fuzz      support
tests proofs
tests emulate
tests package
tests web
'
# The floors below a floor, whose rooms it may include, too.
below() { case $1 in core) echo kernels ;; tests) echo app core kernels ;; esac; }

verdict() { # verdict LINES WHAT
    if [ -n "$1" ]; then
        echo "FAIL $2:"; echo "$1"; failed=$((failed + 1))
    else
        echo "ok   $2"; passed=$((passed + 1))
    fi
}
files() { git ls-files -- "$@" 2>/dev/null || find "$@" -type f; }
sources() { files "$@" | grep -E '\.(c|h|cu|cuh|cc|cpp)$'; }
# The quoted includes below a folder: FILE:LINE ROOM/HEADER
includes() { sources "$1" | xargs -r grep -nHE '^ *# *include +"' | sed -E 's/^([^:]*:[0-9]*):[^"]*"([^"]*)".*/\1 \2/'; }

while read -r floor room allowed; do
    [ -n "$floor" ] || continue
    lower=
    for f in $(below "$floor"); do lower+=" $(cd "$f" && echo */ *.h)"; done # and kernels.h
    names="$room $allowed ${lower//\//}"
    verdict "$(includes "$floor/$room" | awk -v names="$names" '
        BEGIN { n = split(names, list, " "); for (i = 1; i <= n; i++) open[list[i]] = 1; open["main.c"] = 1 }
        { split($2, part, "/"); if (!(part[1] in open)) print "  " $1 " includes \"" $2 "\"" }')" \
        "$floor/$room includes ${allowed:-itself alone}"
done <<<"$rooms"

# A folder of a room includes the room's headers and its own, no other folder's. Tests are free.
verdict "$(for floor in app core kernels; do includes "$floor"; done | awk '
    { split($1, from, "/"); depth = split($2, to, "/") }
    depth > 2 && from[2] == to[1] && from[4] != "" && from[3] != to[2] { print "  " $1 " includes \"" $2 "\"" }')" \
    "a folder of a room includes no other folder of it"

# Every room stands in the table, but for the public header and the manual.
verdict "$(for room in app/*/ core/*/ kernels/*/ tests/*/; do
    case $room in core/include/ | app/doc/) continue ;; esac
    grep -Eq "^${room%%/*} +$(basename "$room")( |\$)" <<<"$rooms" || echo "  $room"
done)" "every room stands in the table"

# A comment of a lower floor names no file of a higher one.
names_of() { sources "$1" | xargs -r grep -nHE "(^|[^A-Za-z_])($2)/[a-z_/]+\.(c|h|cu|cuh)" | grep -vE '# *include' || true; }
verdict "$(names_of kernels 'core|app|tests'; names_of core 'app|tests'; names_of app 'tests')" "no comment names a file of a higher floor"

# Two files that include each other, directly or not, are a circle.
circles() {
    includes "$1" | sed -E "s,^($1/[^:]*):[0-9]* (.*),\1 $1/\2," | while read -r from to; do
        [ -e "$to" ] && echo "${from%.*} ${to%.*}"
    done | awk '$1 != $2' | sort -u | tsort 2>&1 >/dev/null | grep -v 'input contains a loop' || true
}
for floor in app core kernels; do
    verdict "$(circles "$floor")" "$floor has no circle of files"
done

# A folder has at most 40 files, and a file of the product 420 lines. This list of longer ones may only become shorter. A number
# is the most lines of the file before it.
long='
core/include/satblur.h 600
'
verdict "$(files app core kernels tests assets | sed 's,/[^/]*$,,' | sort | uniq -c | awk '$1 > 40 { print "  " $2 ": " $1 " files" }')" \
    "no folder has more than 40 files"
verdict "$(sources app core kernels | xargs wc -l | awk -v long="${long//$'\n'/ }" '
    BEGIN { n = split(long, list, " "); for (i = 1; i <= n; i++)
            if (list[i] ~ /^[0-9]+$/) known[file] = list[i]; else known[file = list[i]] = 1e9 }
    $2 == "total" || $1 <= 420 { next }
    $2 in known && $1 <= known[$2] { delete known[$2]; next }
    $2 in known { delete known[$2] }
    { print "  " $2 ": " $1 " lines" }
    END { for (file in known) print "  " file " is not longer, and needs no name in the list" }')" \
    "no file has more than 420 lines"

# Every primitive has its contract, its CUDA code and its check beside its CPU code.
for source in kernels/*/*_cpu.c; do
    name=$(basename "$source" _cpu.c) room=$(dirname "$source")
    case $name in *_*) continue ;; esac # a step of a primitive
    missing=
    for file in "$room/$name.h" "$room/${name}_cuda.cu" "tests/check/*/check_$name.c"; do
        compgen -G "$file" > /dev/null || missing+="  $file"$'\n'
    done
    verdict "$missing" "$name has a contract, CUDA code and a check"
done

# Host code talks to the GPU in core/cuda alone, and to nvJPEG in its room.
verdict "$(grep -rlE 'cuda_runtime|nvjpeg\.h>' app core | grep -E '\.[ch]$' |
    grep -vE '^(core/cuda|app/nvjpeg)/|^app/image/device_pixels\.c$' || true)" \
    "only core/cuda, app/nvjpeg and app/image/device_pixels.c include the CUDA runtime"

# The files of a room call each other in one direction, too. The formats of app/codec and app/metadata may call those that find
# them in a table.
calls() { # the calls between objects: FILE FILE
    nm -gPA "$@" | sed -E 's,^[^ ]*/([^/ ]*)\.o: ,\1 ,' | awk '$3 == "U" { user[NR] = $1; used[NR] = $2; next } { home[$2] = $1 }
        END { for (i in user) if (used[i] in home && home[used[i]] != user[i]) print user[i], home[used[i]] }'
}
if [ -n "${2:-}" ] && [ -n "$(find "$2" -path '*.dir/cli/args.c.o')" ]; then
    for room in app/*/ core/*/; do
        room=$(basename "$room")
        mapfile -t objects < <(find "$2/app" "$2/core" -path "*.dir/$room/*.o")
        case $room in codec | metadata) continue ;; esac
        [ ${#objects[@]} -lt 2 ] ||
            verdict "$(calls "${objects[@]}" | sort -u | tsort 2>&1 > /dev/null | grep -v 'contains a loop')" "no circle of calls in $room"
    done
else
    echo "SKIP circles of calls: no build folder with objects is given"
fi

if [ $# -gt 0 ]; then
    symbols=$(nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }')
    verdict "$([ -n "$symbols" ] || echo "  nothing at all"; grep -v '^satb_' <<<"$symbols" || true)" \
        "the library exports satb_* alone"
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
