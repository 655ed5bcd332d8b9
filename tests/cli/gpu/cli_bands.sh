#!/bin/bash
# Pictures in bands, within --gpu-memory: the same files as whole. SATBLUR has a GPU, real or emulated.
#   cli_bands.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

make png 301 403 3 8 noise:1 rgb.png
make png 203 301 4 8 noise:2 rgba.png
make png 203 301 1 16 noise:3 gray.png
make png 100 150 1 8 ramp depth.png
make png 203 301 1 8 noise:4 map.png
make png 203 301 3 8 lights night.png
make png 3100 300 4 8 const:255 wide.png # plain RGBA

bands() { sed -n 's/^memory .* \([0-9]*\) bands*$/\1/p' err; }
megabytes() { sed -n "s/^memory *\([0-9.]*\) MB .*/\1/p" err; }
in_bands() { [ "$(bands)" -gt 1 ]; }
within() { awk -v most="$1" -v taken="$(megabytes)" 'BEGIN { exit !(taken > 0 && taken <= most + 0.1) }'; }

# banded NAME PERCENT PICTURE ARGUMENTS...: the same file within PERCENT of the memory that the whole takes
banded() {
    local name=$1 percent=$2 picture=$3 most
    shift 3
    run "$picture" whole.png --device cuda --timings "$@"
    ok "$name: whole" test "$(bands)" = 1
    most=$(awk -v whole="$(megabytes)" -v percent="$percent" 'BEGIN { print whole * percent / 100 }')
    run "$picture" banded.png --device cuda --timings --gpu-memory "${most}M" "$@"
    ok "$name: in bands" in_bands
    ok "$name: within $percent %" within "$most"
    ok "$name: the same bytes" cmp whole.png banded.png
}

banded 'radius' 30 rgb.png --radius 7.5
for edge in clamp mirror wrap; do
    banded "radius, $edge" 30 rgb.png --radius 20,9 --edge $edge
done
banded 'radius, alpha' 50 rgba.png --radius 12
banded 'radius, 16 bits' 70 gray.png --radius 3 --gamma
banded 'radius map' 40 rgba.png --radius-map map.png --max-radius 8
banded 'radius map, wide' 70 wide.png --radius-map map.png --max-radius 60 --gamma
banded 'depth, layered' 70 rgb.png --depth depth.png --max-radius 12
banded 'depth, layered, wrap' 70 rgb.png --depth depth.png --max-radius 12 --edge wrap
banded 'depth, highlights' 70 night.png --depth depth.png --max-radius 12 --highlights 8
banded 'depth, gather' 40 rgb.png --depth depth.png --max-radius 12 --method gather
banded 'depth, spread' 40 rgb.png --depth depth.png --max-radius 12 --method spread
banded 'depth, protected' 70 rgb.png --depth depth.png --max-radius 12 --protect depth.png
banded 'depth, gather, protected' 40 rgb.png --depth depth.png --max-radius 12 --method gather --protect map.png
banded 'equalisation' 50 rgb.png --equalize
run rgb.png --stats=json --device cuda
cp out whole.json
run rgb.png --stats=json --device cuda --gpu-memory 100K --timings
ok 'statistics: in bands' in_bands
ok 'statistics: the same' cmp out whole.json
run rgb.png o.png --radius 9 --gpu-memory 800K --verify
ok '--verify in bands' says 'bytes equal on cpu and cuda'

refused 'too little memory for a row' 1 'rgb.png: cuda.* MB of its memory are needed, but only 0.2 MB' \
    rgb.png o.png --radius 60 --device cuda --gpu-memory 200K
refused 'too little memory to start' 1 '^satblur: --device cuda' \
    rgb.png o.png --radius 60 --device cuda --gpu-memory 1K
mkdir in one maps
for i in 1 2 3 4 5 6; do make png 100 150 3 8 noise:$i in/$i.png; done
cp in/1.png one
cp in/*.png maps
run in on_cpu --radius 5 --device cpu
run in folder --radius 5 --device cuda --jobs 3 --gpu-memory 300K --report report.jsonl
ok 'a folder' says '6 done, 0 skipped, 0 failed'
ok 'a folder: the same bytes' same_folders on_cpu folder
ok 'a folder: in bands' grep -q '"gpu_memory": [0-9]*, "bands": [2-9]' report.jsonl
run in auto --radius 60 --jobs 2 --gpu-memory 200K
ok 'auto: too little memory, so on the CPU' says '6 done, 0 skipped, 0 failed'
run in auto --radius 60 --device cuda --jobs 2 --gpu-memory 100K --resume
ok '--gpu-memory is no reason to do anything again' says '0 done, 6 skipped'

# The emulated GPU's own books.
entry() { sed -n "s/.*$1 \([0-9]*\).*/\1/p" books; }
within_books() { [ "$(entry most)" -le "$1" ] && [ "$(entry left)" = 0 ]; }
export EMULATE_REPORT=$work/books
run in/1.png o.png --radius 5 --device cuda --gpu-memory 300K
if [ -s books ]; then
    ok 'no more is allocated, and all is given back' within_books $((300 << 10))
    run rgb.png o.png --radius 60 --device cuda --gpu-memory 300K
    ok 'all is given back where it is too little' within_books $((300 << 10))
    run in o --radius 5 --device cuda --jobs 3 --gpu-memory 900K
    ok 'workers share it' within_books $((900 << 10))
    for arguments in '--radius 5' '--radius 5 --gpu-memory 300K' '--equalize --gpu-memory 60K' \
        '--depth-dir maps --max-radius 5 --focus 0.5 --gpu-memory 2M'; do
        run one o1 $arguments --device cuda --jobs 1
        first=$(entry allocations)
        run in o6 $arguments --device cuda --jobs 1
        ok "no allocation after the first picture: $arguments" test "$(entry allocations)" = "$first"
    done
else
    skip 'the books: the GPU is a real one'
fi
