#!/bin/bash
# HEIC and AVIF whose items lead in rings, to too many parts, or to more pixels than they claim: one line each, at once, and
# the other pictures of a folder are done. Gray of limited range is read as its twin of full range.
#                                                             cli_heif_graph.sh SATBLUR MKIMAGE
here=$(realpath "$(dirname "$0")")
. "$here/../cli_case.sh"
{ (ulimit -v 8000000 && "$satblur" --help > /dev/null); } 2> /dev/null && ulimit -v 8000000 # sanitizers map more

if ! command -v python3 > /dev/null; then
    skip 'HEIC and AVIF: there is no python3'
    exit 0
fi
make png 64 64 3 8 noise:1 small.png
make png 2304 1024 3 8 ramp large.png
python3 - << 'END'
import struct
with open("studio8.pgm", "wb") as to:
    to.write(b"P5 256 64 255\n" + bytes(max(8, min(244, v)) for v in range(256)) * 64)
with open("studio16.pgm", "wb") as to:
    to.write(b"P5 256 64 65535\n" + struct.pack(">256H", *(max(8, min(244, v)) * 257 for v in range(256))) * 64)
END
for ending in heic avif; do
    for name in small.png large.png studio8.pgm studio16.pgm; do
        run $name ${name%.*}.$ending --radius 0 --quality 100
        [ "$status" = 0 ] || { skip "HEIC and AVIF: this libheif cannot write $ending"; exit 0; }
    done
done
python3 "$here/heif_files.py" . || { echo "FAIL  heif_files.py"; exit 1; }
reason() { # the words of the line
    case $1 in
    ring_*) echo 'one is made of itself' ;;
    levels*) echo 'made of each other through more than 4 levels' ;;
    overlay_many*) echo 'an overlay has more than 256 pictures' ;;
    overlay_large*) echo 'its parts have far more pixels than it claims' ;;
    tile_alpha* | layer_alpha*) echo 'a part has alpha of its own' ;;
    overlay_outside*) echo 'an overlay lacks places, or begins beyond its canvas' ;;
    items*) echo 'more than 2048 items' ;;
    *) echo 'a part has .* pixels, far more than it claims' ;;
    esac
}
hard="ring_self.heic ring_of_2.heic ring_grids.heic ring_alphas.heic"
for name in levels overlay_many codes_more large_alpha large_grid overlay_large overlay_outside tile_alpha layer_alpha items; do
    hard="$hard $name.heic $name.avif"
done

# --- What would end the program, or last for ever --------------------------------------------------
make png 64 64 3 8 noise:2 any.png
for name in $hard; do
    refused "$name: a picture" 1 "$name: .*$(reason "$name").*; " "$name" o.png --radius 1 --max-pixels 16M
    refused "$name: a map" 1 "$name: .*$(reason "$name")" any.png o.png --depth "$name"
done
for name in ring_self.heic levels.avif; do
    refused "$name: --matte" 1 "$name: .*$(reason "$name")" any.png o.png --depth any.png --matte "$name"
    refused "$name: --protect" 1 "$name: .*$(reason "$name")" any.png o.png --depth any.png --protect "$name"
    refused "$name: --stats" 1 "$name: .*$(reason "$name")" "$name" --stats
done
for name in large_depth.heic large_depth.avif; do
    refused "$name: its own map" 1 'far more than it claims' "$name" o.png --depth embedded
    run "$name" o.png --radius 1
    ok "$name: the picture" status_is 0
done
mkdir in folder
cp any.png in/1.png
cp ring_self.heic in/0.heic
cp ring_alphas.heic in/2.heic
cp levels.avif in/3.avif
run in folder --radius 2
ok 'a folder: the others are done' test -s folder/1.png
ok 'a folder: three are counted as failed' says '3 failed'

# --- What is sound ---------------------------------------------------------------------------------
for ending in heic avif; do
    for name in tiles burst overlay_few; do
        run $name.$ending o.png --radius 0
        ok "$name.$ending is read" status_is 0
    done
    run small.$ending s.png --radius 0
    run burst.$ending b.png --radius 0
    ok "burst.$ending: the first picture" same s.png b.png
    run tiles.$ending t.png --radius 0
    ok "tiles.$ending: turned" shape_is t.png '120 180 3 8'
done

# --- Gray of limited range -------------------------------------------------------------------------
# The same coded picture, which is of full range: 16 .. 235 of 255 are 0 .. 1.
stretched() { # stretched FULL LIMITED BITS CHANNEL
    python3 - "$@" << 'END'
import re, struct, sys
def read(path):
    data = open(path, "rb").read()
    kind, words, head = data[:2], [], 2
    if kind == b"P7":
        head = data.index(b"ENDHDR\n") + 7
        tell = dict(line.split() for line in data[3:head - 7].decode().splitlines() if line)
        wide, channels = int(tell["MAXVAL"]) > 255, int(tell["DEPTH"])
    else:
        match = re.match(rb"P([56])\s+\d+\s+\d+\s+(\d+)\s", data)
        head, channels, wide = match.end(), 1 if match[1] == b"5" else 3, int(match[2]) > 255
    body = data[head:]
    values = struct.unpack(f">{len(body) // 2}H", body) if wide else body
    return list(values), channels
full, n = read(sys.argv[1])
ours, m = read(sys.argv[2])
bits, channel = int(sys.argv[3]), int(sys.argv[4])
white, top = (1 << bits) - 1, 65535 if bits > 8 else 255
low, span = 16 << bits - 8, 219 << bits - 8
full, ours = full[::n], ours[channel::m]
assert len(full) == len(ours), (len(full), len(ours))
for a, b in zip(full, ours):
    v = min(max((a * white + top // 2) // top - low, 0), span)
    assert abs((v * top + span // 2) // span - b) <= (1 if m == 3 else 0), (a, b)
END
}
for ending in heic avif; do
    for name in studio8 studio16; do
        bits=8
        [ $name = studio16 ] && { bits=10; [ $ending = avif ] && bits=12; }
        run $name.$ending full.pgm --radius 0
        ok "$name.$ending: of full range as it is" status_is 0
        run ${name}_by_file.$ending o.pgm --radius 0
        ok "$name.$ending: of limited range by the file" stretched full.pgm o.pgm $bits 0
        run ${name}_iden.$ending i.ppm --radius 0
        ok "$name.$ending: turned" stretched full.pgm i.ppm $bits 0
        run ${name}_grid.$ending g.ppm --radius 0
        ok "$name.$ending: a tile" stretched full.pgm g.ppm $bits 0
        [ $ending = avif ] || continue
        run ${name}_turned_full.$ending full.pgm --radius 0
        run ${name}_turned_by_header.$ending o.pgm --radius 0
        ok "$name.$ending: of limited range by its header, turned" stretched full.pgm o.pgm $bits 0
    done
done
