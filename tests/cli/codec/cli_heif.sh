#!/bin/bash
# HEIC and AVIF against the programs of libheif and exiftool: files that heif-enc writes are read with the pixels that
# heif-convert finds, and those that satblur writes are read by both.    cli_heif.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

for tool in heif-enc heif-convert heif-info exiftool python3; do
    if ! command -v "$tool" > /dev/null; then
        skip "HEIC and AVIF: there is no $tool (Debian: libheif-examples libimage-exiftool-perl)"
        exit 0
    fi
done

has() { grep -qe "$1" "$2"; }
deep_as() { # deep_as BITS OURS THEIRS: heif-convert shifts samples of BITS into 16; ours are scaled, rounded
    python3 - "$@" << 'END'
import struct, sys, zlib
def samples(path):
    b, at, packed = open(path, "rb").read(), 8, b""
    while at < len(b):
        size, kind = struct.unpack(">I4s", b[at:at + 8])
        data, at = b[at + 8:at + 8 + size], at + 12 + size
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[:10])
        packed += data if kind == b"IDAT" else b""
    each = {0: 1, 2: 3, 4: 2, 6: 4}[colour] * depth // 8
    raw, rows, above = zlib.decompress(packed), [], bytearray(width * each)
    for y in range(height):
        kind, row = raw[y * (1 + width * each)], bytearray(raw[y * (1 + width * each) + 1:(y + 1) * (1 + width * each)])
        for i in range(len(row)):
            left, up, corner = row[i - each] if i >= each else 0, above[i], above[i - each] if i >= each else 0
            near = sorted((left, up, corner), key=lambda v: abs(left + up - corner - v))[0]
            row[i] = (row[i] + [0, left, up, (left + up) // 2, near][kind]) & 255
        rows.append(row)
        above = row
    assert depth == 16
    return [row[i] << 8 | row[i + 1] for row in rows for i in range(0, len(row), 2)]
bits, white = int(sys.argv[1]), (1 << int(sys.argv[1])) - 1
ours, theirs = samples(sys.argv[2]), samples(sys.argv[3])
assert len(ours) == len(theirs) and len(set(ours)) > 10
for a, b in zip(ours, theirs):
    v = b >> 16 - bits
    assert a == (v * 65535 + white // 2) // white, (a, b)
END
}

# --- Reading --------------------------------------------------------------------------------------
make png 129 67 3 8 noise:1 colour.png
make png 129 67 4 8 noise:2 alpha.png
make png 96 64 3 16 noise:3 deep.png
for kind in heic avif; do
    option=-q70
    [ $kind = avif ] && option=-A
    for picture in colour alpha; do
        heif-enc $option $picture.png -o $picture.$kind > /dev/null 2>&1
        heif-convert $picture.$kind theirs.png > /dev/null 2>&1
        run $picture.$kind o.png --radius 0
        ok "$kind, $picture: as heif-convert reads it" same o.png theirs.png
        ok "$kind, $picture: without a note" silent
    done
done
heif-enc -b 10 deep.png -o deep.heic > /dev/null 2>&1
heif-convert deep.heic theirs.png > /dev/null 2>&1
run deep.heic o.png --radius 0
ok '10 bits: exactly as heif-convert reads them, on the scale of 16' deep_as 10 o.png theirs.png

# --- Writing --------------------------------------------------------------------------------------
for kind in heic avif; do
    run colour.png o.$kind --radius 2
    ok "$kind: written without a note" silent
    heif-convert o.$kind theirs.png > /dev/null 2>&1
    run o.$kind again.png --radius 0
    ok "$kind: heif-convert reads the same" same again.png theirs.png
    heif-info o.$kind > info 2>&1
    ok "$kind: of the picture's size" has 'image: 129x67.*primary' info
    run alpha.png o.$kind --radius 0
    heif-info o.$kind > info 2>&1
    ok "$kind: alpha" has 'alpha channel: yes' info
    run deep.png o.$kind --radius 0
    ok "$kind: 16 bits are rounded, and a note says so" says "cannot hold 16 bits; written as 1[02]-bit RGB"
    run colour.png low.$kind --radius 0 --quality 20
    run colour.png high.$kind --radius 0 --quality 90
    smaller() { [ "$(stat -c %s "$1")" -lt "$(stat -c %s "$2")" ]; }
    ok "$kind: --quality counts" smaller low.$kind high.$kind
done

# --- What is carried ------------------------------------------------------------------------------
run colour.png photo.jpg --radius 0
exiftool -q -overwrite_original -Orientation#=6 -Artist=Ann -XMP:Title=Street photo.jpg
for kind in heic avif; do
    run photo.jpg o.$kind --radius 1
    ok "$kind: rotated upright" says 'rotated upright'
    exiftool -s -Artist -Title -Orientation# -ImageSize o.$kind > info 2>&1
    ok "$kind: EXIF" has 'Artist *: Ann' info
    ok "$kind: XMP" has 'Title *: Street' info
    ok "$kind: its orientation is 1" has 'Orientation *: 1' info
    ok "$kind: its size is the upright one's" has 'ImageSize *: 67x129' info
    run o.$kind back.jpg --radius 0
    exiftool -s -Artist -Title -Orientation# back.jpg > info 2>&1
    ok "$kind to JPEG: EXIF" has 'Artist *: Ann' info
    ok "$kind to JPEG: the orientation is 1" has 'Orientation *: 1' info
done

# --- Refusals -------------------------------------------------------------------------------------
head -c 400 colour.heic > cut.heic
refused 'a HEIC that is cut off' 1 'cut.heic: its list of items is damaged' cut.heic o.png --radius 1
printf '\0\0\0\030ftypisom\0\0\0\0isommp42' > film.dat
refused 'a film' 1 'is not read here' film.dat o.png --radius 1
refused 'too many pixels' 1 'max-pixels' colour.avif o.png --radius 1 --max-pixels 8000

# --- Few threads, little memory --------------------------------------------------------------------
# The libraries would wait for ever for threads that they cannot start, and abort without memory.
ended_well() { # a file, or one line that refuses it; no temporary
    { status_is 0 && [ -s few/o.$kind ]; } || { status_is 1 && [ ! -e few/o.$kind ] && says 'not enough memory\|too few threads'; } &&
        [ -z "$(find few -name '.*.??????' -print)" ]
}
mkdir -m 777 few
chmod 755 .
limited() { # limited COMMAND...: within the limit, or skipped where PNG fails, too
    if ! "$@" "$satblur" colour.png few/o.png --radius 1 > /dev/null 2>&1; then
        skip "$kind: $*: PNG fails, too"
        return
    fi
    rm -f few/o.*
    timeout 60 "$@" "$satblur" colour.png few/o.$kind --radius 1 --threads 2 > out 2> err < /dev/null
    status=$?
    ok "$kind: $*: written or refused" ended_well
}
command -v prlimit > /dev/null || skip 'few threads, little memory: there is no prlimit'
for kind in heic avif; do
    command -v prlimit > /dev/null || break
    for memory in 58000 60000 63000 66000 70000 75000 80000 90000; do
        limited prlimit --as=${memory}000
    done
    if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
        for threads in 1 2 3 4 5 6; do
            limited setpriv --reuid 65534 --clear-groups prlimit --nproc=$threads
        done
    else
        skip "$kind: few threads: not the superuser"
    fi
done
