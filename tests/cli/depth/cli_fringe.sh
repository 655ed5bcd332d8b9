#!/bin/bash
# --fringe, through the program: the same bytes as the channels of three runs with scaled radii, in folders and frames, too,
# and what is refused.    cli_fringe.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

cat > join.py << 'PYTHON'
# join.py RED GREEN BLUE OUT PIXELS CHANNELS BYTES: joins the channels of three files that have one header and bare samples
import sys
names, (pixels, channels, size) = sys.argv[1:5], map(int, sys.argv[5:])
red, green, blue = (open(name, "rb").read() for name in names[:3])
start, step = len(green) - pixels * channels * size, channels * size
out = bytearray(green)
for byte in range(size):
    out[start + byte::step] = red[start + byte::step]
    out[start + 2 * size + byte::step] = blue[start + 2 * size + byte::step]
open(names[3], "wb").write(out)
PYTHON

fringe=0.2 near=1 far=1
times() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.17g", a * b }'; }
equals() { # equals NAME PICTURE KIND PIXELS CHANNELS BYTES OPTIONS...: KIND is the ending of files with bare samples
    local name=$1 picture=$2 kind=$3 pixels=$4 channels=$5 size=$6
    shift 6
    rm -f o.* red.* green.* blue.* joined.*
    run "$picture" "o.$kind" "$@" --fringe $fringe --near-scale $near --far-scale $far
    local more less
    more=$(awk -v f=$fringe 'BEGIN { print 1 + f }') less=$(awk -v f=$fringe 'BEGIN { print 1 - f }')
    "$satblur" "$picture" "red.$kind" "$@" --near-scale "$(times $near "$more")" --far-scale "$(times $far "$less")" --quiet
    "$satblur" "$picture" "green.$kind" "$@" --near-scale $near --far-scale $far --quiet
    "$satblur" "$picture" "blue.$kind" "$@" --near-scale "$(times $near "$less")" --far-scale "$(times $far "$more")" --quiet
    local first=red last=blue
    [ "$kind" != bmp ] || first=blue last=red # BMP's order
    python3 join.py "$first.$kind" "green.$kind" "$last.$kind" "joined.$kind" "$pixels" "$channels" "$size"
    differs() { cmp "o.$kind" "joined.$kind" && ! cmp -s "o.$kind" "green.$kind"; }
    ok "$name" differs
}

make png 120 80 3 8 noise:1 photo.png
make png 120 80 3 16 noise:2 deep.png
make png 120 80 4 8 noise:3 clear.png
make png 120 80 1 8 ramp depth.png
make png 60 40 1 8 noise:5 rough.png
depth=(--depth depth.png --max-radius 12)
equals 'layered, the focus is found' photo.png ppm 9600 3 1 "${depth[@]}"
equals 'gather, at a pixel' photo.png ppm 9600 3 1 "${depth[@]}" --method gather --edge mirror --focus-at 30,30
equals 'spread' photo.png ppm 9600 3 1 "${depth[@]}" --method spread --focus 0.3
equals '16 bits, a rough map' deep.png ppm 9600 3 2 --depth rough.png --max-radius 9 --focus 0.5
equals 'highlights, blades' photo.png ppm 9600 3 1 "${depth[@]}" --highlights 8 --blades 5 --squeeze 2 --focus 0.4
equals 'a matte' photo.png ppm 9600 3 1 --matte rough.png --max-radius 9
equals 'a lens' photo.png ppm 9600 3 1 --depth depth.png --distance 1,5 --fstop 1 --focal 200 --focus 2m
equals 'a tilted plane' photo.png ppm 9600 3 1 "${depth[@]}" --focus-plane 10,10,100,20,50,70
equals 'a band' photo.png ppm 9600 3 1 --tilt-shift 20,0.5,0.2 --max-radius 9
near=0.5 far=2
equals 'scales of its own' photo.png ppm 9600 3 1 "${depth[@]}" --focus 0.6
near=1 far=1 fringe=0.5
equals 'the largest fringe' photo.png ppm 9600 3 1 "${depth[@]}" --focus 0.6
fringe=0.2
"$satblur" photo.png light.pfm --radius 0 --quiet
equals 'half floats' light.pfm pfm 9600 3 4 "${depth[@]}" --focus 0.4
equals 'alpha, that of green' clear.png bmp 9600 4 1 "${depth[@]}" --focus 0.4

run photo.png o.png "${depth[@]}" --fringe 0 && "$satblur" photo.png o2.png "${depth[@]}" --quiet
ok '0 is no fringe' cmp o.png o2.png
ok '0: no word of it' eval '! says fringe'
run photo.png o.png "${depth[@]}" --fringe 0.2 --dump-coc coc.png
ok 'the note' says '; fringe 0.2'
"$satblur" photo.png o2.png "${depth[@]}" --dump-coc coc2.png --quiet
ok '--dump-coc: the radii of green' cmp coc.png coc2.png
make png 120 80 1 8 noise:4 gray.png
run gray.png o.png "${depth[@]}" --fringe 0.2 && "$satblur" gray.png o2.png "${depth[@]}" --quiet
ok 'gray stays gray' cmp o.png o2.png
ok 'gray: a note' says '^satblur: gray.png: --fringe has no effect, because the picture is gray; convert it to RGB'
make png 300 260 4 16 noise:6 large.png
make png 300 260 1 8 ramp large_depth.png
wide=(--depth large_depth.png --max-radius 90 --focus 0 --fringe 0.5)
run large.png o.png "${wide[@]}"
"$satblur" large.png o2.png "${wide[@]}" --method gather --quiet
ok 'sums of red alone that overflow: all gather' cmp o.png o2.png
ok 'and the note says so' says 'gather (because the sums of layers would overflow)'

# --- Many pictures --------------------------------------------------------------------------------
mkdir in frames && cp photo.png in && cp photo.png frames/00001.png && cp deep.png in
run in made --depth depth.png --max-radius 12 --fringe 0.2 --resume
ok 'a folder' status_is 0
for picture in photo deep; do
    "$satblur" $picture.png o.png "${depth[@]}" --fringe 0.2 --quiet
    ok "a folder: $picture.png" cmp o.png made/$picture.png
done
run in made --depth depth.png --max-radius 12 --fringe 0.3 --resume
ok '--resume: another fringe, done again' says '2 done'
run frames/%05d.png done/%05d.png "${depth[@]}" --fringe 0.2
"$satblur" photo.png o.png "${depth[@]}" --fringe 0.2 --quiet
ok 'frames' cmp o.png done/00001.png

# --- What is refused ------------------------------------------------------------------------------
for wrong in -0.1 0.51 nan '' 0.2x; do
    refused "--fringe '$wrong'" 2 'expected a number, 0 to 0.5' photo.png o.png "${depth[@]}" --fringe "$wrong"
done
refused 'without a map' 2 'fringe needs --depth MAP, --matte MASK or --tilt-shift A,P,W' photo.png o.png --radius 3 --fringe 0.1
