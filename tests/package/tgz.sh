#!/usr/bin/env bash
# The tarball runs on other systems: builds it without CUDA, with the libraries that the program links, and unpacks it in
# small new systems that have none of them. There the program reads and writes every format.
# Takes minutes, so it is no part of ctest. tgz.sh [BUILD]: a folder, which is kept. SATB_SUITES are the systems' releases.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/package/clean_root.sh
build=${1:-build-tgz}
failed=0
ok() { # ok WHAT COMMAND...: what it printed is shown where it fails
    if "${@:2}" > "$build/log" 2>&1; then echo "ok   $1"; else echo "FAIL $1"; tail -n 30 "$build/log"; failed=1; fi
}
refused() { ! "$@"; }

cmake -S . -B "$build" -DSATB_PORTABLE=ON -DSATB_CUDA=OFF -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Release
cmake --build "$build" --parallel "$(nproc)"
rm -f "$build"/*.tar.gz
(cd "$build" && cpack -G TGZ)
tarball=$(echo "$build"/*.tar.gz)
version=$(sed -nE 's/^#define SATB_VERSION_(MAJOR|MINOR|PATCH) //p' core/include/satblur.h | paste -sd.)
rm -rf "$build/unpacked" "$build/program"
mkdir "$build/unpacked"
tar -xzf "$tarball" -C "$build/unpacked" --strip-components=1
needed() { # prints the versions of glibc that the files need
    find "$build"/unpacked/{bin,lib/satblur,libexec} -type f -exec objdump -T {} + |
        grep -oE '\*UND\*.*\(GLIBC_[0-9.]+' | grep -oE '[0-9.]+$' | sort -uV
}
glibc=$(needed | tail -n 1)
echo "$(du -h "$tarball" | cut -f 1) in $tarball; it needs glibc $glibc or newer"
names() { (cd "$build/unpacked/$1" && ls) | sed 's/\.so.*//' | sort -u; }
ok "glibc is left to the system" refused grep -E '^(libc|libm|libpthread|ld-linux.*)$' <(names lib/satblur)
ok "satblur.spdx.json has what libraries need, too" grep -F '"name" : "libpng1.6"' "$build/unpacked/share/doc/satblur/satblur.spdx.json"
ok "each library's licence is there" test "$(names share/doc/satblur/libraries | wc -l)" -ge 30
cmake --install "$build" --prefix "$build/program" --component program > "$build/log"
ok "only the tarball has them, not Debian's packages" test ! -e "$build/program/lib"

# A picture with every value of the three channels, in every format that this program writes.
seeds=$build/seeds
rm -rf "$seeds"
mkdir "$seeds"
{ printf 'P6\n16 16\n255\n' && for i in {0..255}; do printf "\\x$(printf %x "$i")\\x$(printf %x $((255 - i)))\\x80"; done; } > "$seeds/in.ppm"
cp "$seeds/in.ppm" "$seeds/frame0.ppm"
cp "$seeds/in.ppm" "$seeds/frame1.ppm"
formats="png jpg tiff webp heic avif jxl exr bmp hdr"
for format in $formats; do
    "$build/app/satblur" "$seeds/in.ppm" "$seeds/$format.$format" --radius 0.5
    "$build/app/satblur" "$seeds/$format.$format" "$seeds/expected-$format.ppm" --radius 2
done

runs_in() { # runs_in SUITE
    local root=$work/$1
    new_root "$1" "$root"
    cp -r "$build/unpacked" "$root/trial/satblur"
    cp "$seeds"/* "$root/trial/"
    echo "Debian $1, $(inside "$root" ldd --version | head -n 1)"
    ok "$1: satblur says its version" grep -F "satblur $version" <(inside "$root" satblur/bin/satblur --version)
    for format in $formats; do
        ok "$1: $format is read as here" inside "$root" sh -c \
            "satblur/bin/satblur $format.$format out.ppm --radius 2 && cmp out.ppm expected-$format.ppm"
        ok "$1: $format is written as here" inside "$root" sh -c \
            "satblur/bin/satblur in.ppm out.$format --radius 0.5 && cmp out.$format $format.$format"
    done
    ok "$1: a clip is written and read" inside "$root" sh -c \
        "satblur/bin/satblur frame%01d.ppm out.mp4 --radius 2 && satblur/bin/satblur out.mp4 again.mkv --radius 2"
    ok "$1: a histogram is drawn" inside "$root" satblur/bin/satblur in.ppm --histogram out.svg
    rm -rf --one-file-system "$root"
}
need_roots "the tarball is not unpacked elsewhere" $failed
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
for suite in ${SATB_SUITES:-bookworm trixie}; do
    runs_in "$suite"
done
exit $failed
