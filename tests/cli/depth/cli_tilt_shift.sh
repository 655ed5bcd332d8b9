#!/bin/bash
# --tilt-shift, through the program: the same bytes as with the map that it stands for, in folders and clips, too, and what
# is refused. The map is compared with its rule in unit_tilt_shift.    cli_tilt_shift.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

make png 120 80 3 8 noise:1 photo.png
make png 64 96 3 16 noise:2 tall.png
cat > map.py << 'PYTHON'
# map.py WIDTH HEIGHT ANGLE POSITION BAND: writes the map of the band as a PGM of 16 bits
import math, struct, sys
width, height = map(int, sys.argv[1:3])
angle, position, band = map(float, sys.argv[3:])
s, c = math.sin(math.radians(angle)), math.cos(math.radians(angle))
extent = width * abs(s) + height * abs(c)
longest = max(position, 1 - position) - band / 2
codes = []
for y in range(height):
    for x in range(width):
        way = 0.5 + ((x + 0.5 - width / 2) * s + (y + 0.5 - height / 2) * c) / extent - position
        beyond = max(0, abs(way) - band / 2) / longest
        codes.append(32768 + round(math.copysign(32767 * beyond, way)))
sys.stdout.buffer.write(b"P5\n%d %d\n65535\n" % (width, height) + struct.pack(">%dH" % len(codes), *codes))
PYTHON
stands_for=(--focus 0.50000762951094835 --near-scale 2.0000305185094758 --far-scale 2.0000305185094758 --depth-edges keep --depth-holes none)

equals() { # equals PICTURE WIDTH HEIGHT ANGLE POSITION BAND OPTIONS...
    local picture=$1 band=$4,$5,$6
    python3 map.py "$2" "$3" "$4" "$5" "$6" > map.pgm
    shift 6
    rm -f o.png o2.png
    run "$picture" o.png --tilt-shift "$band" "$@"
    "$satblur" "$picture" o2.png --depth map.pgm "${stands_for[@]}" "$@" --quiet
    ok "$picture $band $*" cmp o.png o2.png
}
equals photo.png 120 80 0 0.6 0.2
equals photo.png 120 80 0 0.6 0.2 --max-radius 9 --method gather
equals photo.png 120 80 30 0.3 0.1 --max-radius 9 --bokeh smooth
equals photo.png 120 80 90 0.1 0 --max-radius 7.5 --highlights 4
equals photo.png 120 80 -45 1 0.5 --max-radius 9 --method spread
equals photo.png 120 80 180 0.25 0.3 --max-radius 9 --edge mirror
equals tall.png 64 96 20 0.5 0.25 --max-radius 5 --gamma
says_band() { says "^satblur: tall.png: sharp band at 20 degrees, from 0.375 to 0.625 of the way across; radius 5.0 px at the farther border$"; }
ok 'the note tells the band' says_band
run photo.png o.png --tilt-shift 0,0.25,0.3
ok 'and the radius that is the default' says 'from 0.1 to 0.4 .*; radius 2.4 px (2% of the longer side) at the farther'
run photo.png o.png --tilt-shift 0,0.25,0.3 --max-radius 9 --dump-coc coc.png
rows_are_right() { # the middle of row y is at (y + 0.5) / 80; the farther border is 0.6 beyond the band
    for y in 0 7 8 20 31 32 60 79; do
        set -- "$("$mkimage" row coc.png $y | sort -u)"
        awk -v y=$y -v code="$1" 'BEGIN {
            at = (y + 0.5) / 80
            g = at < 0.1 ? at - 0.1 : at > 0.4 ? at - 0.4 : 0
            off = code - (32768 + 32767 * g / 0.6 * 32767 / 65535)
            exit off > 1 || off < -1 }' || { echo "row $y: $1"; return 1; }
    done
}
ok '--dump-coc: the radius of every row' rows_are_right
sharp_rows() { cmp <("$mkimage" row o.png 20) <("$mkimage" row photo.png 20); }
ok 'the band keeps its bits' sharp_rows
run photo.png o.png --tilt-shift 0,0.5,0.2 --max-radius 9 --near-scale 0 --method gather
below_is_sharp() { cmp <("$mkimage" row o.png 70) <("$mkimage" row photo.png 70) && ! cmp -s <("$mkimage" row o.png 10) <("$mkimage" row photo.png 10); }
ok '--near-scale 0 keeps what is below the band sharp' below_is_sharp
run photo.png --tilt-shift 0,0.5,0.2 --focus-view view.png
ok '--focus-view' shape_is view.png '120 80 3 8'

# --- Many pictures --------------------------------------------------------------------------------
mkdir in && cp photo.png tall.png in
run in made --tilt-shift 15,0.4,0.2 --max-radius 6 --resume
ok 'a folder' status_is 0
for picture in photo tall; do
    run $picture.png o.png --tilt-shift 15,0.4,0.2 --max-radius 6
    ok "a folder: $picture.png has the band of its own size" cmp o.png made/$picture.png
done
run in made --tilt-shift 15,0.4,0.3 --max-radius 6 --resume
ok '--resume: another band, done again' says '2 done'
mkdir frames && cp photo.png frames/00001.png && make png 120 80 3 8 noise:3 frames/00002.png
run frames/%05d.png done/%05d.png --tilt-shift 15,0.4,0.2 --max-radius-keys 0:0,1:6
ok 'frames' status_is 0
run frames/00002.png o.png --tilt-shift 15,0.4,0.2 --max-radius 6
ok 'frames: each as a picture, with --max-radius-keys, too' cmp o.png done/00002.png

# --- What is refused ------------------------------------------------------------------------------
for wrong in 0 0,0.5 0,0.5,0.1,3 181,0.5,0.1 -181,0.5,0.1 0,1.1,0.1 0,-0.1,0.1 0,0.5,2 0,0.5,-1 nan,0.5,0.1 0,,0.1 '0,0.5,0.1 '; do
    refused "--tilt-shift '$wrong'" 2 'expected ANGLE,POSITION,WIDTH' photo.png o.png --tilt-shift "$wrong"
done
refused 'a band that covers all' 2 'covers the whole picture' photo.png o.png --tilt-shift 0,0.5,1
make png 120 80 1 8 ramp depth.png
for other in '--depth depth.png' '--matte depth.png' '--radius 3' '--radius-map depth.png' --equalize; do
    # shellcheck disable=SC2086
    refused "$other" 2 'exclude each other' photo.png o.png --tilt-shift 0,0.5,0.1 $other
done
for other in '--focus 0.5' '--focus-at 3,3' '--focus-range 0.1' '--fstop 2' '--distance 1,2'; do
    # shellcheck disable=SC2086
    refused "$other" 2 'has no effect with --tilt-shift, which sets the focus; leave out --' photo.png o.png --tilt-shift 0,0.5,0.1 $other
done
refused '--near' 2 'near needs --depth MAP' photo.png o.png --tilt-shift 0,0.5,0.1 --near black
refused '--focus-keys' 2 'focus-keys and --tilt-shift exclude' frames/%05d.png o.%05d.png --tilt-shift 0,0.5,0.1 --focus-keys 0:0.5
refused '--focus-track' 2 'focus-track and --tilt-shift exclude' frames/%05d.png o.%05d.png --tilt-shift 0,0.5,0.1 --focus-track 3,3
