#!/usr/bin/env bash
# How tables, blurs and statistics compare with OpenCV and libvips on this machine, in one process:
# peers_library.sh [BUILD [THREADS]]
# Uses what is installed (Debian: libvips-dev libvips-tools libopencv-dev hyperfine) and says what is not. These are
# peers to measure against, not dependencies.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build} threads=${2:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

flags=()
peer() { # peer MACRO PACKAGE
    if pkg-config --exists "$2" 2>/dev/null; then
        read -ra found <<<"$(pkg-config --cflags "$2" | sed 's/-I/-isystem /g')"
        flags+=("-D$1" "${found[@]}")
        case $2 in
        opencv4) flags+=(-lopencv_imgproc -lopencv_core) ;;
        *) read -ra found <<<"$(pkg-config --libs "$2")"; flags+=("${found[@]}") ;;
        esac
        echo "$2 $(pkg-config --modversion "$2")"
    else
        echo "SKIPPED $2: not installed"
    fi
}
peer SATB_VIPS vips
peer SATB_OPENCV opencv4
for what in blur stats; do
    g++ -std=c++17 -O2 -Icore/include "tests/bench/peers_$what.cc" "$build/core/libsatblur.a" "$build/kernels/libsatk.a" \
        $(find "$build" -name CMakeCache.txt -exec sed -n 's/^CUDA_cudart_static_LIBRARY:FILEPATH=\(.*\.a\)$/\1/p' {} +) \
        "${flags[@]}" -fopenmp -lpthread -ldl -lrt -o "$work/peers"
    echo
    OMP_WAIT_POLICY=passive "$work/peers" "$threads" # waiting OpenMP threads would otherwise take the processors from the others
done

echo
if ! command -v vips >/dev/null || ! command -v hyperfine >/dev/null || [ ! -x "$build/tests/mkimage" ]; then
    echo "SKIPPED the whole program: vips, hyperfine or mkimage is not here"
    exit 0
fi
echo "Whole process, a 4K RGB PNG of blurred noise:"
"$build/tests/mkimage" png 3840 2160 3 8 noise:1 "$work/noise.png"
"$build/app/satblur" "$work/noise.png" "$work/in.png" --radius 1 --quiet
export VIPS_CONCURRENCY=$threads
hyperfine --warmup 2 --runs 25 --export-csv "$work/times.csv" \
    "$build/app/satblur $work/in.png --stats=json --device cpu --threads $threads" \
    "vips stats $work/in.png $work/out.v" >/dev/null 2>&1
awk -F, 'NR > 1 { n = split($1, word, "/"); printf "%-10s median %.0f ms, least %.0f ms\n", NR == 2 ? "satblur" : "vips", 1000 * $4, 1000 * $7; m[NR] = $4 }
         END { printf "vips / satblur: %.2f\n", m[3] / m[2] }' "$work/times.csv"
