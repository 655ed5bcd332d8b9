#!/bin/bash
# --focus-plane, through the program: the same bytes as with a map of the differences from the plane, made by another program,
# for maps of all kinds; and what is refused.    cli_focus_plane.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

make png 120 80 3 8 noise:1 photo.png
cat > differences.py << 'PYTHON'
# differences.py MAP WIDTH HEIGHT X Y D X Y D X Y D [WORD=NUMBER...]: writes the differences of a PGM's disparities from the
# plane in a picture of WIDTH x HEIGHT pixels. Words: low, high (of the full scale), black (near is black), near, far
# (metres: the map is linear), zero (fill: code 0 stays; or its disparity).
import struct, sys
from fractions import Fraction as F
data = open(sys.argv[1], "rb").read()
head = data.split(b"\n", 3)
columns, rows = map(int, head[1].split())
full = int(head[2])
codes = struct.unpack(">%d%s" % (columns * rows, "H" if full > 255 else "B"), head[3])
width, height = map(int, sys.argv[2:4])
points = [tuple(map(F, sys.argv[i:i + 3])) for i in (4, 7, 10)]
words = dict(w.split("=") for w in sys.argv[13:])
low, high = F(words.get("low", 0)), F(words.get("high", 1))

def disparity(code):
    z = min(F(1), max(F(0), (F(code, full) - low) / (high - low)))
    if "black" in words:
        z = 1 - z
    if "near" not in words:
        return z
    near, far = F(words["near"]), F(words["far"])
    return (1 / (far + z * (near - far)) - 1 / far) / (1 / near - 1 / far)

def determinant(a, b, c):
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]))

# d = u x + v y + w, by Cramer's rule
one = [(F(2 * x + 1, 2), F(2 * y + 1, 2), F(1)) for x, y, _ in points]
depths = [p[2] for p in points]
whole = determinant(*one)
u = determinant(*[(d, o[1], o[2]) for d, o in zip(depths, one)]) / whole
v = determinant(*[(o[0], d, o[2]) for d, o in zip(depths, one)]) / whole
w = determinant(*[(o[0], o[1], d) for d, o in zip(depths, one)]) / whole
u, v, w = float(u * width), float(v * height), float(w)
known = {code: float(disparity(code)) for code in set(codes)}
if words.get("zero", "fill") != "fill":
    known[0] = float(words["zero"])
out = []
for i, code in enumerate(codes):
    x, y = (i % columns + 0.5) / columns, (i // columns + 0.5) / rows
    difference = min(1, max(-1, known[code] - (u * x + v * y + w)))
    hole = code == 0 and words.get("zero") == "fill"
    out.append(0 if hole else 32768 + round(32767 * difference))
sys.stdout.buffer.write(b"P5\n%d %d\n65535\n" % (columns, rows) + struct.pack(">%dH" % len(out), *out))
PYTHON

scene() { # scene COLUMNS ROWS WHITE: a PGM of a ground that rises to the bottom and to the right, and a box on it; one hole
    python3 -c '
import struct, sys
columns, rows, white = map(int, sys.argv[1:])
codes = []
for y in range(rows):
    for x in range(columns):
        d = 0.1 + 0.6 * y / rows + 0.2 * x / columns
        if rows / 4 < y < rows / 2 and columns / 3 < x < columns / 2:
            d = 0.8
        codes.append(round(white * d) if (x, y) != (columns // 5, rows // 4) else 0)
sys.stdout.buffer.write(b"P5\n%d %d\n%d\n" % (columns, rows, white) + struct.pack(">%d%s" % (len(codes), "H" if white > 255 else "B"), *codes))
' "$@"
}
scene 120 80 255 > map8.pgm
scene 120 80 65535 > map16.pgm
scene 45 30 65535 > small.pgm
points=(10 70 0.6 100 75 0.75 60 5 0.15)
plane=10,70,0.6,100,75,0.75,60,5,0.15
near=2.0000305185094758 # 65535 / 32767: the scale of differences is half that of depths
stands_for=(--focus 0.50000762951094835 --near-scale $near --far-scale $near)

equals() { # equals NAME MAP "WORDS" "OPTIONS OF THE MAP" OPTIONS OF BOTH...
    local name=$1 map=$2 words=$3 of_map=$4
    shift 4
    # shellcheck disable=SC2086
    python3 differences.py $map 120 80 "${points[@]}" $words > differences.pgm
    rm -f o.png o2.png
    # shellcheck disable=SC2086
    run photo.png o.png --depth $map --focus-plane $plane $of_map "$@"
    "$satblur" photo.png o2.png --depth differences.pgm "${stands_for[@]}" "$@" --quiet
    ok "$name" cmp o.png o2.png
}
for method in layered gather spread; do
    equals "8 bits, $method" map8.pgm '' '' --max-radius 9 --method $method
done
equals '16 bits' map16.pgm '' '' --max-radius 9
equals 'the default radius' map16.pgm '' ''
equals 'edges that are kept' map16.pgm '' '' --max-radius 9 --depth-edges keep
equals 'a smaller map' small.pgm '' '' --max-radius 9
equals 'with --bokeh, --highlights' map16.pgm '' '' --max-radius 9 --bokeh smooth --highlights 4
equals '--depth-range' map8.pgm 'low=0.2 high=0.7' '--depth-range 0.2,0.7' --max-radius 9
equals '--near black' map8.pgm 'black=1' '--near black' --max-radius 9
equals '--depth-type linear: 1 to 10 m' map8.pgm 'near=1 far=10' '--depth-type linear' --max-radius 9
equals '--distance' map8.pgm 'near=0.5 far=4 black=1' '--depth-type linear --distance 0.5,4 --near black' --max-radius 9
equals 'holes that are near' map16.pgm 'zero=1' '--depth-holes near' --max-radius 9
equals 'holes that are far' map16.pgm 'zero=0 black=1' '--depth-holes far --near black' --max-radius 9
ok 'holes that are far: said' says '0.01% unknown (0), read as far;'
equals 'holes that are filled' map16.pgm 'zero=fill' '' --depth-holes fill --max-radius 9
equals 'holes that are filled, in a smaller map' small.pgm 'zero=fill' '' --depth-holes fill --max-radius 9
make png 120 80 1 8 step matte.png
equals 'beside a matte' map16.pgm '' '' --max-radius 9 --matte matte.png
run photo.png o.png --depth map16.pgm --focus-plane $plane --max-radius 9 --focus-range 0.2 --near-scale 0.5
python3 differences.py map16.pgm 120 80 "${points[@]}" > differences.pgm
run photo.png o2.png --depth differences.pgm "${stands_for[@]}" --max-radius 9 --near-scale 1.0000152592547379 --focus-range 0.099998474097810332
ok '--focus-range and --near-scale' cmp o.png o2.png

# --- Depths that are the map's --------------------------------------------------------------------
# The ground rises evenly, so the median of 3 x 3 samples is the middle one: 0.1 + 0.6 y / 80 + 0.2 x / 120.
run photo.png o.png --depth map16.pgm --focus-plane 10,70,100,75,60,5 --max-radius 9 --focus-view view.png
at_pixels() { says '; focus on the plane of 0.642 at 10,70, 0.829 at 100,75 and 0.238 at 60,5; radius 9.0 px at a disparity difference of 1, largest '; }
ok 'the note tells the three depths' at_pixels
exact() { python3 -c "print(round(65535 * (0.1 + 0.6 * $2 / 80 + 0.2 * $1 / 120)) / 65535)"; }
run photo.png o2.png --depth map16.pgm --focus-plane "10,70,$(exact 10 70),100,75,$(exact 100 75),60,5,$(exact 60 5)" --max-radius 9
ok 'they are those of the map' cmp o.png o2.png
ground_is_sharp() { # the plane is the ground, so all but the box, which begins in row 21 and ends in row 39, is sharp
    cmp <("$mkimage" row o.png 60) <("$mkimage" row photo.png 60) && cmp <("$mkimage" row o.png 5) <("$mkimage" row photo.png 5) &&
        ! cmp -s <("$mkimage" row o.png 30) <("$mkimage" row photo.png 30)
}
ok 'the ground is sharp from near to far' ground_is_sharp
ok 'a view' shape_is view.png '120 80 3 8'
run photo.png o.png --depth small.pgm --focus-plane 10,70,100,75,60,5
ok 'a smaller map is said' says 'small.pgm: 16-bit gray, resampled from 45x30 to 120x80.*; focus on the plane of 0.63'
{ printf 'Pf\n120 80\n-1\n'; python3 -c '
import struct, sys
codes = struct.unpack(">9600H", open("map16.pgm", "rb").read()[-19200:])
rows = [codes[i:i + 120] for i in range(0, 9600, 120)][::-1]
codes = [c for row in rows for c in row]
codes[0], codes[1] = 65535, 0
sys.stdout.buffer.write(struct.pack("<9600f", *codes))'; } > map.pfm
python3 - << 'PYTHON'
import struct
data = bytearray(open("map16.pgm", "rb").read())
data[-240:-236] = struct.pack(">2H", 65535, 0)
open("ends.pgm", "wb").write(data)
PYTHON
run photo.png o.png --depth map.pfm --focus-plane $plane --max-radius 9
run photo.png o2.png --depth ends.pgm --focus-plane $plane --max-radius 9
ok 'a map of numbers' cmp o.png o2.png
run photo.png o.png --depth map.pfm --focus-plane $plane --max-radius 9 --depth-scale 1000
ok 'a map in metres: its codes are disparities' says 'distance .* to 65.53 m.*; focus on the plane of 0.600 at'

# --- Many pictures --------------------------------------------------------------------------------
mkdir in maps && cp photo.png in && cp map16.pgm maps/photo.pgm
run photo.png o.png --depth map16.pgm --focus-plane $plane --max-radius 9
run in done --depth-dir maps --focus-plane $plane --max-radius 9
ok 'a folder' cmp o.png done/photo.png
mkdir frames && cp photo.png frames/1.png
run frames/%d.png done/%d.png --depth map16.pgm --focus-plane $plane --max-radius-keys 0:9
ok 'frames' cmp o.png done/1.png

# --- What is refused ------------------------------------------------------------------------------
for wrong in 1,2,3,4,5 1,2,3,4,5,6,7 1,1,2,2,3,3 10,10,50,50,100,101 1,1,1,1,5,5 -1,2,30,4,5,60 1.5,2,30,4,5,60 1,1,2,50,1,0.5,1,50,0.5 '1,2,30,4,5,60 ' ,,,,,; do
    refused "--focus-plane '$wrong'" 2 'expected three pixels that are not on a line' photo.png o.png --depth map16.pgm --focus-plane "$wrong"
done
refused 'a pixel outside the picture' 1 'focus-plane: 120,75 is outside the picture of 120 x 80' \
    photo.png o.png --depth map16.pgm --focus-plane 10,70,120,75,60,5
make png 120 80 1 16 const:0 empty.png
refused 'no depth is known there' 1 'empty.png: no depth is known around 10,70; give another' \
    photo.png o.png --depth empty.png --depth-holes fill --focus-plane 10,70,100,75,60,5
refused 'without a map' 2 'focus-plane needs --depth MAP' photo.png o.png --matte matte.png --focus-plane $plane
for other in '--focus 0.5' '--focus-at 3,3' --stats; do
    # shellcheck disable=SC2086
    refused "$other" 2 'and --focus-plane exclude' photo.png o.png --depth map16.pgm --focus-plane $plane $other
done
refused 'a lens' 2 '--fstop needs one focus distance' \
    photo.png o.png --depth map16.pgm --focus-plane $plane --fstop 2 --focal 50 --distance 1,9
refused '--focus-keys' 2 'focus-keys and --focus-plane exclude' \
    frames/%d.png o.%d.png --depth map16.pgm --focus-plane $plane --focus-keys 0:0.5
