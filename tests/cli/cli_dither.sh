#!/bin/bash
# --dither, --grain and --fringe, through the program: the bits follow from the blur of 16 bits, sharp pixels keep theirs, and the grain
# of blurred parts is that of sharp ones. On a GPU, real or emulated, if SATBLUR has one.    cli_dither.sh SATBLUR MKIMAGE
. "$(dirname "$0")/cli_case.sh"

cat > pictures.py << 'PYTHON'
import random, struct
def write(name, width, height, channels, rows, white=255):
    with open(name, "wb") as f:
        f.write(b"P%d\n%d %d\n%d\n" % (6 if channels == 3 else 5, width, height, white))
        f.write(bytes(rows) if white < 256 else struct.pack(">%dH" % len(rows), *rows))
random.seed(5)
def noise(sigma, low, high, width, height, channels):
    return [min(255, max(0, round(random.gauss(low + (high - low) * x / width, sigma))))
            for y in range(height) for x in range(width) for c in range(channels)]
rgb = noise(3, 120, 120, 256, 96, 3)
write("rgb.ppm", 256, 96, 3, rgb)
write("deep.ppm", 256, 96, 3, [v * 257 for v in rgb], 65535)
sky = noise(0, 90, 96, 256, 96, 1)
write("sky.pgm", 256, 96, 1, sky)
write("deep.pgm", 256, 96, 1, [v * 257 for v in sky], 65535)
write("half.pgm", 256, 96, 1, [255 * (x >= 128) for y in range(96) for x in range(256)])
PYTHON
cat > check.py << 'PYTHON'
# check.py dither DEEP SHALLOW: SHALLOW is DEEP, of 16 bits, with dither
# check.py light DEEP SHALLOW MOST: no code of SHALLOW is farther than 1.1 from DEEP, and their light differs by less than a part
# check.py channels ONE OTHER WORDS: whether the channels are equal
# check.py deviation FILE FROM TO: standard deviation of columns
# check.py runs FILE: number of lengths of runs in its rows
import itertools, math, struct, sys
def read(name):
    data = open(name, "rb").read()
    kind, width, height, white = data.split(None, 4)[:4]
    width, height, white, channels = int(width), int(height), int(white), 3 if kind == b"P6" else 1
    size = width * height * channels
    body = data[-size * (2 if white > 255 else 1):]
    return width, height, channels, struct.unpack(">%dH" % size, body) if white > 255 else body
def bayer(side, x, y):
    half = side // 2
    return 4 * bayer(half, x % half, y % half) + [[0, 2], [3, 1]][y // half][x // half] if half else 0
def light(v):
    v /= 65535
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
if sys.argv[1] == "dither":
    width, height, channels, deep = read(sys.argv[2])
    shallow, at = read(sys.argv[3])[3], 0
    for y in range(height):
        for x in range(width):
            t = (2 * bayer(8, x % 8, y % 8) + 1) * 257 // 128
            for c in range(channels):
                if shallow[at] != (deep[at] + t) // 257:
                    sys.exit("%d,%d: %d of %d" % (x, y, shallow[at], deep[at]))
                at += 1
elif sys.argv[1] == "channels":
    a, b = read(sys.argv[2])[3], read(sys.argv[3])[3]
    sys.exit(" ".join(str(a[c::3] == b[c::3]) for c in range(3)) != sys.argv[4])
elif sys.argv[1] == "light":
    width, height, channels, deep = read(sys.argv[2])
    shallow = read(sys.argv[3])[3]
    far = max(abs(a - b / 257) for a, b in zip(shallow, deep))
    off = sum(light(257 * a) - light(b) for a, b in zip(shallow, deep)) / sum(light(b) for b in deep)
    print("off by %.2f codes, light by %.5f" % (far, off))
    sys.exit(not (far < 1.1 and abs(off) < float(sys.argv[4])))
elif sys.argv[1] == "deviation":
    width, height, channels, samples = read(sys.argv[2])
    part = [v for i, v in enumerate(samples) if int(sys.argv[3]) <= i // channels % width < int(sys.argv[4])]
    mean = sum(part) / len(part)
    print("%.3f" % math.sqrt(sum((v - mean) ** 2 for v in part) / len(part)))
else:
    width, height, channels, samples = read(sys.argv[2])
    print(len({len(list(g)) for y in range(height) for k, g in itertools.groupby(samples[y * width:(y + 1) * width])}))
PYTHON
python3 pictures.py || exit 1
deviation() { python3 check.py deviation "$@"; }
by_gpu() { [ "$("$satblur" rgb.ppm g.ppm --radius 1 --device cuda > /dev/null 2>&1; echo $?)" = 0 ]; }
gpu=$(by_gpu && echo 1)

# everywhere NAME PICTURE ARGUMENTS...: makes o.pnm; the same bytes on one thread, on two and on a GPU
everywhere() {
    local name=$1 picture=$2
    shift 2
    rm -f o.p?m
    run "$picture" "o.${picture##*.}" "$@" --device cpu --threads 1
    ok "$name" status_is 0
    cp err first
    run "$picture" "two.${picture##*.}" "$@" --device cpu --threads 2
    ok "$name: two threads" cmp "o.${picture##*.}" "two.${picture##*.}"
    if [ -n "$gpu" ]; then
        run "$picture" "gpu.${picture##*.}" "$@" --device cuda
        ok "$name: a GPU" cmp "o.${picture##*.}" "gpu.${picture##*.}"
        run "$picture" "gpu.${picture##*.}" "$@" --verify
        ok "$name: --verify" status_is 0
    else
        skip "$name: no GPU"
    fi
    mv first err
}

differs() { ! cmp -s "$@"; }

# --- Dither ---------------------------------------------------------------------------------------
everywhere '--radius' rgb.ppm --radius 4 --dither
run deep.ppm d.ppm --radius 4
ok '--radius: each sample by the rule' python3 check.py dither d.ppm o.ppm
everywhere '--radius of gray' sky.pgm --radius 20 --dither
run deep.pgm d.pgm --radius 20
ok '--radius of gray: each sample by the rule' python3 check.py dither d.pgm o.pgm
run sky.pgm plain.pgm --radius 20
fewer_bands() { [ "$(python3 check.py runs o.pgm)" -gt "$(python3 check.py runs plain.pgm)" ]; }
ok 'runs of more lengths than without' fewer_bands
for blur in '--radius-map half.pgm' '--depth half.pgm --focus 0 --method gather' '--depth half.pgm --focus 0 --method spread'; do
    # shellcheck disable=SC2086
    everywhere "$blur" rgb.ppm $blur --max-radius 6 --dither
    # shellcheck disable=SC2086
    run deep.ppm d.ppm $blur --max-radius 6
    ok "$blur: each sample by the rule" python3 check.py dither d.ppm o.ppm
done

for method in gather layered; do
    run rgb.ppm plain.ppm --depth half.pgm --focus 0 --max-radius 6 --method $method --dither=off
    run rgb.ppm o.ppm --depth half.pgm --focus 0 --max-radius 6 --method $method --dither=off --grain 0
    ok "--grain 0 is none: $method" cmp plain.ppm o.ppm
done

mkdir in frames && cp rgb.ppm frames/00001.ppm && cp rgb.ppm frames/00002.ppm
# --- Dither in layers -----------------------------------------------------------------------------
layers='--depth half.pgm --max-radius 6 --focus'
# shellcheck disable=SC2086
{
    everywhere 'layers' rgb.ppm $layers 0
    cp o.ppm by_default.ppm
    run deep.ppm d.ppm $layers 0
    ok 'layers: each sample is near that of 16 bits, and the light is the same' python3 check.py light d.ppm o.ppm 0.0005
    run rgb.ppm o.ppm $layers 0 --dither
    ok 'layers: --dither is what happens without' cmp o.ppm by_default.ppm
    run rgb.ppm o.ppm $layers 0 --dither=off
    ok 'layers: --dither=off rounds' differs o.ppm by_default.ppm
    run rgb.ppm o.ppm $layers 0 --max-radius 0
    ok 'layers: radius 0 keeps every bit' cmp rgb.ppm o.ppm
    everywhere 'layers of a sky' sky.pgm $layers 1 --max-radius 20
    run sky.pgm plain.pgm $layers 1 --max-radius 20 --dither=off
    ok 'layers: runs of more lengths than without' fewer_bands
    cp by_default.ppm plain.ppm
    everywhere 'fringes' rgb.ppm $layers 0 --fringe 0.3
    ok 'fringes: green stays, red and blue change' python3 check.py channels plain.ppm o.ppm "False True False"
    everywhere 'fringes of gathering' rgb.ppm $layers 0 --fringe 0.3 --method gather
    run frames/%05d.ppm still/%05d.ppm $layers 0
    ok 'layers: frames have one pattern' cmp still/00001.ppm still/00002.ppm
}

run rgb.ppm o.ppm --radius 0 --dither --grain 5
ok 'radius 0 keeps every bit' cmp rgb.ppm o.ppm

# --- Grain ----------------------------------------------------------------------------------------
near() { number_near "$(deviation o.ppm "$1" "$2")" 3 0.45; }
everywhere 'grain' rgb.ppm --radius 4 --grain auto
ok 'grain: the note has its strength' says '^satblur: rgb.ppm: grain of [23].[0-9] codes (measured)$'
ok 'grain: as strong as before' near 8 248
for blur in '--radius-map half.pgm' '--depth half.pgm --focus 0' '--tilt-shift 90,0.2,0.1'; do
    # shellcheck disable=SC2086
    everywhere "grain, $blur" rgb.ppm $blur --max-radius 6 --grain auto
    ok "grain, $blur: as strong as before" near 150 248
done
run rgb.ppm o.ppm --radius-map half.pgm --max-radius 6 --grain auto
sharp_half() { python3 - << 'PYTHON'
a, b = (open(f, "rb").read()[-256 * 96 * 3:] for f in ("rgb.ppm", "o.ppm"))
rows = [(a[i:i + 128 * 3], b[i:i + 128 * 3]) for i in range(0, len(a), 256 * 3)]
assert all(x == y for x, y in rows)
PYTHON
}
ok 'grain, --radius-map: black keeps its bits' sharp_half
run sky.pgm o.pgm --radius 20 --grain auto
run sky.pgm two.pgm --radius 20 --dither
ok 'no grain in a picture without' cmp o.pgm two.pgm
run sky.pgm o.pgm --radius 20 --grain 6
ok '--grain 6' number_near "$(deviation o.pgm 40 60)" 6 0.5
run rgb.ppm o.ppm --depth half.pgm --max-radius 6 --grain 3 --dump-coc coc.png --stats
cp out stats
ok 'with --dump-coc and --stats' status_is 0
run rgb.ppm two.ppm --depth half.pgm --max-radius 6 --dump-coc coc2.png --stats
ok '--dump-coc is the same without' cmp coc.png coc2.png
ok '--stats are those of the picture' cmp stats out

# --- Many pictures, notes, refusals ---------------------------------------------------------------
cp rgb.ppm sky.pgm in
run in made --radius 3 --grain auto --resume
ok 'a folder' status_is 0
run rgb.ppm o.ppm --radius 3 --grain auto
ok 'a folder: as single pictures' cmp o.ppm made/rgb.ppm
run in made --radius 3 --dither --resume
ok '--resume: without grain, done again' says '2 done'
run frames/%05d.ppm done/%05d.ppm --radius 3 --grain auto
ok 'frames: the first as a picture' cmp o.ppm done/00001.ppm
run frames/%05d.ppm part/%05d.ppm --radius 3 --grain auto --shard 2/2
ok 'frames: a shard has the same' cmp done/00002.ppm part/00002.ppm
ok 'frames: each has its own noise' differs done/00001.ppm done/00002.ppm
make png 40 30 4 8 noise:4 rgba.png
run rgba.png o.png --radius 2 --grain 4 --threads 1
ok 'alpha' shape_is o.png '40 30 4 8'
run deep.ppm o.ppm --radius 4 --dither
cp o.ppm two.ppm
ok 'a note: 16 bits' says 'deep.ppm: --dither and --grain have no effect, because the picture has 16 bits'
run deep.ppm o.ppm --radius 4
ok '16 bits stay as they are' cmp o.ppm two.ppm
refused 'no blur' 2 'dither needs a blur' rgb.ppm o.ppm --equalize --dither
refused '--dither=x' 2 'dither' rgb.ppm o.ppm --radius 2 --dither=x
for wrong in x -1 65 nan ''; do
    refused "--grain '$wrong'" 2 "expected 'auto' or a standard deviation" rgb.ppm o.ppm --radius 2 --grain "$wrong"
done
