#!/usr/bin/env bash
# Builds the page: build.sh [FOLDER] writes FOLDER/index.html, by default build/page/index.html, and a zip of it, FOLDER.zip.
# Needs emscripten, libstb-dev, python3 and bzip2 (Debian), and the sources of libdeflate, libspng and zlib: as folders in
# $SATB_WEB_LIBRARIES, or by apt-get source.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
out=$(realpath -m "${1:-$top/build/page}")
work=$(dirname "$out")/web
libraries=${SATB_WEB_LIBRARIES:-$work/libraries}

fail() { echo "build.sh: $1" >&2; exit 1; }

# Fetches the sources of Debian's packages, without Debian's patches; apt checks their sums by its signed list.
fetch() {
    local apt=(apt-get -q -o Dir::Etc::sourcelist="$work/sources" -o Dir::Etc::sourceparts=/dev/null
               -o Dir::State::lists="$work/lists")
    mkdir -p "$libraries" "$work/lists/partial"
    cat /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources 2>/dev/null |
        sed 's/^Types: deb$/Types: deb-src/; s/^deb /deb-src /' >"$work/sources"
    grep -q '^Types' "$work/sources" && mv "$work/sources" "$work/deb.sources" && apt[3]="Dir::Etc::sourcelist=$work/deb.sources"
    "${apt[@]}" update >"$work/apt.log" 2>&1 || return 1
    (cd "$libraries" && "${apt[@]}" source --tar-only libdeflate libspng zlib >>"$work/apt.log" 2>&1 &&
        for f in *.orig.tar.*; do tar xf "$f"; done)
}

command -v emcc >/dev/null || fail "emcc was not found; install emscripten"
export NODE_PATH=${NODE_PATH:+$NODE_PATH:}/usr/share/nodejs # where Debian puts what emscripten requires
mkdir -p "$work"
ls -d "$libraries"/libspng-* >/dev/null 2>&1 || fetch ||
    fail "the sources of libdeflate, libspng and zlib were not found; unpack them in \$SATB_WEB_LIBRARIES"

stb=
for stb in /usr/include/stb /usr/local/include/stb ""; do [ ! -e "$stb/stb_image.h" ] || break; done
[ -n "$stb" ] || fail "stb_image.h was not found; install libstb-dev"

core=$work/core
mkdir -p "$core"
emcmake cmake -S "$top" -B "$core" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-msimd128 \
    -DCMAKE_C_FLAGS_RELEASE="-O3 -DNDEBUG" -DSATB_CUDA=OFF -DSATB_OPTIONAL=OFF \
    -DBUILD_TESTING=OFF -DCMAKE_SKIP_INSTALL_RULES=ON -DSTB_INCLUDE_DIR="$stb" -DSATB_WEB_LIBRARIES="$libraries" \
    -DDEFLATE_INCLUDE_DIR="$here" -DDEFLATE_LIBRARY=web_libraries \
    -DSPNG_INCLUDE_DIR="$here" -DSPNG_LIBRARY=web_libraries \
    -DZLIB_INCLUDE_DIR="$here" -DZLIB_LIBRARY=web_libraries >"$core/configure.log" 2>&1 ||
    { cat "$core/configure.log"; exit 1; }
cmake --build "$core" --target satblur_web -j"$(nproc)"
node "$here/sample.js" "$core/app/web/satblur_web" "$top/assets/table.png" "$work/table.jpg"
python3 "$here/bundle.py" "$core/app/web" "$work/table.jpg" "$top/assets/table_depth.png" "$libraries" "$out"
echo "$out/index.html: $(wc -c <"$out/index.html") bytes; $out.zip: $(wc -c <"$out.zip")"
