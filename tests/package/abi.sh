#!/usr/bin/env bash
# Old programs and new libraries. The last release's interface is kept, if it has the soname of today's. The rules of
# core/README.md for a struct that grows hold: a program does not start with a library of another soname; from 1.0 on, one that
# was compiled before the growth gives the same bytes; and abidiff sees a growth that forgot them.
# Takes minutes, so it is no part of ctest. abi.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/tests/package/growth
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
ok() { # ok WHAT COMMAND...: what it printed is shown where it fails
    if "${@:2}" > "$work/log" 2>&1; then echo "ok   $1"; else echo "FAIL $1"; tail -n 30 "$work/log"; failed=1; fi
}
refused() { ! "$@"; }

# library NAME [COMMIT]: $work/NAME gets the library and the header of $work/source, or of a commit
library() {
    local source=$work/source
    [ $# -eq 1 ] || { source=$work/old && mkdir "$source" && git archive "$2" | tar -x -C "$source"; }
    { cmake -S "$source" -B "$source/build" -DSATB_CUDA=OFF -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Debug &&
        cmake --build "$source/build" --parallel "$(nproc)" --target satb_shared; } > "$work/build.log" 2>&1 ||
        { tail -n 30 "$work/build.log"; return 1; }
    mkdir "$work/$1"
    cp -P "$source"/build/core/libsatblur.so* "$source/core/include/satblur.h" "$work/$1/"
    rm "$source"/build/core/libsatblur.so*
}
compile() { # compile PROGRAM LIBRARY [FLAG...]
    ${CC:-cc} -std=c17 "${@:3}" -I "$work/$2" "$here/program.c" "$work/$2/libsatblur.so" -o "$work/$1"
}
with() { LD_LIBRARY_PATH=$work/$1 "$work/$2"; } # with LIBRARY PROGRAM
compatible() { # compatible OLD NEW
    abidiff --no-show-locs --headers-dir1 "$work/$1" --headers-dir2 "$work/$2" "$work/$1/libsatblur.so" "$work/$2/libsatblur.so"
}
header() { sed -i -E "$@" "$work/source/core/include/satblur.h"; }
version() { header "s/(VERSION_MAJOR) [0-9]+/\1 $1/; s/(VERSION_MINOR) [0-9]+/\1 $2/"; }

mkdir "$work/source"
git ls-files -z | tar -c --null -T - | tar -x -C "$work/source"
library today
interface=$(readelf -d "$work/today/libsatblur.so" | sed -nE 's/.*\[libsatblur\.so\.([0-9.]+)\]/\1/p')
release=$(git describe --abbrev=0 --match "v$interface.*" 2> /dev/null || true)
if ! command -v abidiff > /dev/null; then
    echo "SKIPPED: interfaces are not compared: abidiff is missing (Debian: abigail-tools)"
elif [ -z "$release" ]; then
    echo "SKIPPED: no release has the interface $interface yet (git tag v$interface.0)"
else
    library release "$release"
    ok "the interface of $release is kept" compatible release today
fi

compile program today
version 1 0
library one
compile program-one one
ok "a program runs with the library that it was linked with" with today program
ok "it does not start with a library of another soname" refused with one program
ln -s libsatblur.so "$work/one/libsatblur.so.$interface"
ok "nor if that has a link of the old name" grep -F "version \`SATBLUR_$interface' not found" <(with one program 2>&1)

# satb_dof_params gets a member that must be 0 for now.
version 1 1
header 's/^\} satb_dof_params;/    int grown;\n&/'
sed -i '/^satb_status satb_dof(/,/^}/s/^    satb_status status = /    if (p->grown) return satb_fail(context, SATB_ERR_ARG, "grown");\n&/' \
    "$work/source/core/ops/op_dof.c"
library forgotten
cat "$here/old_functions.c" >> "$work/source/core/ops/op_dof.c"
printf 'SATBLUR_1.1 { global: satb_dof; satb_coc; } SATBLUR_1;\n' >> "$work/source/core/package/satblur.map.in"
library grown
compile program-grown grown -DGROWN
expected=$(with one program-one)
gives() { diff <(echo "$1") <(with "$2" "$3"); } # gives TEXT LIBRARY PROGRAM
first() { with "$1" "$2" | head -n 1; }
ok "a program of before a growth gives the same bytes after it" gives "$expected" grown program-one
ok "it would not if the growth forgot it" test "$(first forgotten program-one)" = grown
ok "a program of after a growth has the new member" test "$(first grown program-grown)" = grown
ok "it does not start with a library of before it" refused with one program-grown
if command -v abidiff > /dev/null; then
    ok "abidiff sees a growth that forgot old programs" refused compatible one forgotten
    ok "abidiff accepts one that did not" compatible one grown
fi
exit $failed
