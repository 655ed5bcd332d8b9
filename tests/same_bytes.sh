#!/usr/bin/env bash
# Compilers and processors that give other bytes: builds the program without optional libraries by gcc, and compares it over the
# commands of cli/compare.sh with those built by clang, for newer processors, and for AArch64; and with itself on older ones,
# which qemu and valgrind emulate. The proof of the kernels runs on each, too.
# Takes an hour, most of it emulated, so it is no part of ctest. same_bytes.sh [BUILDS]: a folder, which is kept
set -euo pipefail
cd "$(dirname "$0")/.."
builds=${1:-build-same}
mkdir -p "$builds"
builds=$(realpath "$builds")
failed=0
lacks() { # lacks WHAT COMMAND PACKAGE: says that WHAT is left out
    ! command -v "$2" > /dev/null && echo "SKIPPED: $1: $2 is missing (Debian: $3)"
}
build() { # build NAME OPTION...
    { cmake -S . -B "$builds/$1" -DSATB_CUDA=OFF -DSATB_EMULATE=OFF -DSATB_OPTIONAL=OFF -DBUILD_TESTING=ON "${@:2}" &&
        cmake --build "$builds/$1" --parallel "$(nproc)" --target satblur check mkimage; } > "$builds/$1.log" 2>&1 ||
        { echo "FAIL $1 is not built"; tail -n 20 "$builds/$1.log"; failed=1; return 1; }
}
same() { # same NAME [EMULATOR...]: the program of that build, or the first build's
    local folder=$builds/$1 as=$builds/satblur-on-this
    [ -d "$folder" ] || folder=$builds/gcc
    printf '#!/bin/sh\nexec %s "$@"\n' "${*:2} $folder/app/satblur" > "$as"
    chmod +x "$as"
    if ! "${@:2}" "$folder/tests/check" --quick > "$builds/log" 2>&1; then
        echo "FAIL $1: the proof of the kernels"; grep -A 4 ^FAIL "$builds/log"; failed=1
    fi
    if ! tests/cli/compare.sh "$builds/gcc/app/satblur" "$as" "$builds/gcc/tests/mkimage" assets > "$builds/log" 2>&1; then
        echo "FAIL $1: bytes of the program"; cat "$builds/log"; failed=1
    fi
    echo "done $1"
}

# Debian's libraries of another architecture, in $builds/arm64-libraries; this system stays as it is.
foreign_libraries() {
    local folder=$builds/arm64-libraries
    local options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$folder/state"
        -o Dir::State::status=/dev/null -o Dir::Cache="$folder/cache" -o APT::Sandbox::User=root)
    mkdir -p "$folder"/{state/lists/partial,cache/archives/partial}
    (cd "$folder" && apt-get "${options[@]}" update && apt-get "${options[@]}" download libdeflate-dev libspng-dev libspng0 zlib1g-dev zlib1g &&
        for package in *.deb; do dpkg-deb -x "$package" .; done) > "$builds/log" 2>&1
}
arm64() {
    local at=$builds/arm64-libraries part
    local zlib=$at/lib/aarch64-linux-gnu libraries=$at/usr/lib/aarch64-linux-gnu
    local options=(-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc
        "-DCMAKE_EXE_LINKER_FLAGS=-Wl,-rpath-link,$zlib" "-DDEFLATE_LIBRARY=$libraries/libdeflate.a"
        "-DSPNG_LIBRARY=$libraries/libspng.so" "-DZLIB_LIBRARY=$zlib/libz.so.1")
    foreign_libraries || { echo "SKIPPED: arm64: apt has no libraries of it"; tail -n 3 "$builds/log"; return 0; }
    for part in DEFLATE SPNG ZLIB; do options+=("-D${part}_INCLUDE_DIR=$at/usr/include"); done
    build arm64 "${options[@]}" && same arm64 qemu-aarch64 -L /usr/aarch64-linux-gnu -E "LD_LIBRARY_PATH=$zlib:$libraries"
}

build gcc -DCMAKE_C_COMPILER=gcc || exit 1
lacks clang clang clang || { build clang -DCMAKE_C_COMPILER=clang && same clang; } || true
if grep -q avx2 /proc/cpuinfo; then
    build x86-64-v3 -DCMAKE_C_COMPILER=gcc -DCMAKE_C_FLAGS=-march=x86-64-v3 && same x86-64-v3 || true
    # AVX2 without AVX-512 is valgrind's processor. With qemu 7.2 the second of two vpgatherdd loses what the first has gathered.
    # check starts itself again, beyond valgrind, unless OMP_WAIT_POLICY is set.
    lacks AVX2 valgrind valgrind || same AVX2 env OMP_WAIT_POLICY=passive valgrind -q
else
    echo "SKIPPED: x86-64-v3 and AVX2: this processor has no AVX2"
fi
lacks Nehalem qemu-x86_64 qemu-user || same Nehalem qemu-x86_64 -cpu Nehalem # has no AVX2
lacks arm64 qemu-aarch64 qemu-user || lacks arm64 aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu || arm64
exit $failed
