#!/bin/bash
# Pictures of high dynamic range: EXR, HDR, PFM and float TIFF, as this program and others write them.
#   cli_hdr.sh SATBLUR MKIMAGE    PYTHON: one that has numpy, OpenEXR, cv2 and tifffile
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli_case.sh"

has_format() { "$satblur" --version | grep -q "^$1: "; }
formats='hdr pfm'
has_format EXR && formats="$formats exr"
has_format TIFF && formats="$formats tif"

for channels in 1 3 4; do
    make png 53 37 $channels 8 noise:7 p$channels.png
    run p$channels.png p$channels.tga --radius 0
done
run p3.png light.pfm --radius 0
ok 'codes become light' says 'light.pfm: PFM cannot hold sRGB codes; written as linear RGB'

# --- Formats --------------------------------------------------------------------------------------
for format in $formats; do
    run light.pfm a.$format --radius 0
    ok "$format is written" status_is 0
    run a.$format b.pfm --radius 0
    case $format in
    hdr) ok 'hdr is read' eval 'status_is 0 && silent' ;; # it rounds to 8 bits
    *) ok "$format keeps every half" cmp light.pfm b.pfm ;;
    esac
    run a.$format b.bmp --radius 0
    [ $format = hdr ] || ok "$format gives the codes back" same b.bmp p3.png
    ok "$format: the note" says 'b.bmp: BMP cannot hold high dynamic range; written as 8-bit RGB, light above white clipped'
    if [ $format != tif ]; then
        "$satblur" light.pfm - --radius 0 --format $format > piped 2> /dev/null
        ok "$format through a pipe" cmp piped a.$format
    fi
done
run p4.png a.hdr --radius 0
ok 'alpha is dropped' says 'a.hdr: HDR cannot hold sRGB codes or RGBA; written as linear RGB, alpha dropped'
if has_format EXR; then
    run p4.png a.exr --radius 0
    run a.exr b.exr --radius 0
    ok 'EXR to EXR: the same bytes' cmp a.exr b.exr
    run p1.png a.exr --radius 0
    run a.exr b.tga --radius 0
    ok 'gray' same b.tga p1.png
fi

# --- Folders --------------------------------------------------------------------------------------
mkdir in
cp light.pfm in/one.pfm
cp p3.png in/two.png
for format in $formats; do
    run light.pfm in/$format.$format --radius 0
done
run in results --radius 0 --report report.jsonl
ok 'a folder of both kinds' eval 'status_is 0 && cmp in/one.pfm results/one.pfm && [ -s results/hdr.hdr ] && [ -s results/two.png ]'
ok 'the report says which' eval 'valid_json report.jsonl && grep -q "one.pfm.*\"half_float\": true" report.jsonl && ! grep -q "two.png.*half_float" report.jsonl'
run in jpgs --radius 0 --format jpg --suffix _j
ok 'to JPEG' eval 'status_is 0 && [ -s jpgs/two_j.jpg ] && [ -s jpgs/one_j.jpg ]'

# --- What light is not for --------------------------------------------------------------------------
make png 53 37 1 8 noise:3 d.png
refused 'equalize' 1 'light.pfm: --equalize takes integers, and this picture has floats; convert it to PNG' light.pfm o.png --equalize
refused 'stats' 1 'light.pfm: --stats takes integers' light.pfm --stats
refused 'gamma' 1 'light.pfm: --gamma is for codes, and this picture has linear light; leave out --gamma' light.pfm o.pfm --radius 2 --gamma
refused 'highlights' 1 'light.pfm: --highlights is for 8 and 16 bits' light.pfm o.pfm --depth d.png --highlights 4 --quiet
refused 'a matte of light' 1 'light.pfm: PFM holds light, not depths or codes; convert it to PNG' p3.png o.png --matte light.pfm
refused 'a radius map of light' 1 'light.pfm: PFM holds light' p3.png o.png --radius-map light.pfm --max-radius 3
run light.pfm a.hdr --radius 0
refused 'a depth map of light' 1 'a.hdr: HDR holds light' p3.png o.png --depth a.hdr
refused 'no depth within' 1 'light.pfm: there is nothing to do, because the file carries no depth map' light.pfm o.pfm

# --- Damage ---------------------------------------------------------------------------------------
for format in $formats; do
    run light.pfm whole.$format --radius 0
    head -c $(($(stat -c %s whole.$format) * 2 / 3)) whole.$format > cut.$format
    refused "$format, cut off" 1 "cut.$format: .*\(cut off\|damaged\)" cut.$format o.pfm --radius 0
    head -c 30 whole.$format > head.$format
    refused "$format, its head alone" 1 "head.$format: " head.$format o.pfm --radius 0
done
hdr() { printf '#?RADIANCE\nFORMAT=32-bit_rle_%s\n\n%s\n' "$1" "$2"; }
{ hdr rgbe '-Y 1 +X 8'; printf '\2\2\0\10\211\1\210\1\210\1\210\1'; } > run.hdr
refused 'HDR: a run past its row' 1 'run.hdr: its pixels at row 0 are damaged' run.hdr o.pfm --radius 0
{ hdr rgbe '-Y 1 +X 8'; printf '\2\2\0\10\0'; } > zero.hdr
refused 'HDR: a run of nothing' 1 'zero.hdr: its pixels at row 0 are \(damaged\|cut off\)' zero.hdr o.pfm --radius 0
{ hdr xyze '-Y 1 +X 8'; head -c 32 /dev/zero; } > xyze.hdr
refused 'HDR: XYZE' 1 'xyze.hdr: its colours are of the kind 32-bit_rle_xyze' xyze.hdr o.pfm --radius 0
{ hdr rgbe '+Y 1 +X 8'; head -c 32 /dev/zero; } > down.hdr
refused 'HDR: from the bottom' 1 'down.hdr: its rows do not run' down.hdr o.pfm --radius 0
{ hdr rgbe '-Y 9999999 +X 9999999'; head -c 32 /dev/zero; } > huge.hdr
refused 'HDR: an absurd size' 1 'huge.hdr: claims 9999999 x 9999999 pixels in' huge.hdr o.pfm --radius 0
printf 'PF\n9999999 9999999\n-1\nabc' > huge.pfm
refused 'PFM: an absurd size' 1 'huge.pfm: the file is cut off' huge.pfm o.pfm --radius 0

# EXR headers by hand: exr CHANNELS WIDTH HEIGHT
number() { printf "\\x$(printf %02x $(($1 & 255)))\\x$(printf %02x $(($1 >> 8 & 255)))\\x$(printf %02x $(($1 >> 16 & 255)))\\x$(printf %02x $(($1 >> 24 & 255)))"; }
window() { printf '%s\0box2i\0' "$1"; number 16; number 0; number 0; number $(($2 - 1)); number $(($3 - 1)); }
exr() {
    local i
    printf 'v/1\1\2\0\0\0channels\0chlist\0'
    number $(($1 * 22 + 1))
    for ((i = 0; i < $1; i++)); do
        printf 'c%04d\0\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0' $i
    done
    printf '\0compression\0compression\0\1\0\0\0\0'
    window dataWindow "$2" "$3"
    window displayWindow "$2" "$3"
    printf 'lineOrder\0lineOrder\0\1\0\0\0\0pixelAspectRatio\0float\0\4\0\0\0\0\0\200\077'
    printf 'screenWindowCenter\0v2f\0\10\0\0\0\0\0\0\0\0\0\0\0screenWindowWidth\0float\0\4\0\0\0\0\0\200\077\0'
    head -c 64 /dev/zero
}
if has_format EXR; then
    exr 10000 4 4 > many.exr
    refused 'EXR: 10,000 channels' 1 'many.exr: more than 1024 parts or 1024 channels' many.exr o.pfm --radius 0
    exr 3 4 4 > other.exr
    refused 'EXR: no colours' 1 'other.exr: no channels R, G and B, or Y, but c0000, c0001, c0002; if that is depth' other.exr o.pfm --radius 0
    exr 3 4 4 | sed 's/c0000/B\x00\x01\x00\x00/' > odd.exr
    refused 'EXR: a broken list' 1 'odd.exr: ' odd.exr o.pfm --radius 0
    run light.pfm a.exr --radius 0
    python3 - << 'PY'
import struct
data = open("a.exr", "rb").read()
box = struct.pack("<4i", 0, 0, 52, 36)
for name, window in (("absurd", (0, 0, 2**31 - 1, 2**31 - 1)), ("turned", (5, 5, -5, -5)), ("nan", struct.unpack("<4i", struct.pack("<4f", *[float("nan")] * 4))),
                     ("far", (2**30, 2**30, 2**30 + 52, 2**30 + 36))):
    open(f"{name}.exr", "wb").write(data.replace(box, struct.pack("<4i", *window)))
open("tall.exr", "wb").write(data.replace(box, struct.pack("<4i", 0, 0, 52, 2**23)))
PY
    for name in absurd turned nan far tall; do
        refused "EXR: a window, $name" 1 "$name.exr: .*; " $name.exr o.pfm --radius 0
    done
fi

# --- Gain maps --------------------------------------------------------------------------------------
if ! "$satblur" --version | grep -q '^JPEG: libjpeg-turbo'; then
    skip 'GAIN MAPS: without libjpeg-turbo, JPEGs have other pixels than PIL reads'
elif "$python" -c 'import numpy, PIL' 2> /dev/null; then
    kinds=
    for ending in heic avif; do
        run p3.png any.$ending --radius 0
        [ "$status" != 0 ] && skip "GAIN MAPS IN ${ending^^}: it cannot be written" || kinds="$kinds $ending"
    done
    ok 'gain maps, by the published formula' "$python" "$here/gain_files.py" "$satblur" $kinds
else
    skip "PYTHON'S NUMPY OR PIL IS MISSING"
fi

# --- Python's libraries -----------------------------------------------------------------------------
for library in OpenEXR cv2 tifffile; do
    if ! "$python" -c "import numpy, $library" 2> /dev/null; then
        skip "PYTHON'S ${library^^} IS MISSING"
    elif { [ $library = OpenEXR ] && ! has_format EXR; } || { [ $library = tifffile ] && ! has_format TIFF; }; then
        skip "THE FORMAT OF $library IS NOT BUILT IN"
    else
        ok "Python's $library" "$python" "$here/hdr_files.py" "$satblur" $library
    fi
done

ok 'nothing is left behind' no_leftover
