#!/bin/bash
# JPEG XL against the programs of libjxl and exiftool: files that cjxl writes are read with the pixels that djxl finds, and those
# that satblur writes are read by djxl.    cli_jxl.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

for tool in cjxl djxl exiftool; do
    if ! command -v "$tool" > /dev/null; then
        skip "JPEG XL: there is no $tool (Debian: libjxl-tools libimage-exiftool-perl)"
        exit 0
    fi
done

has() { grep -qe "$1" "$2"; }
as_djxl() { # as_djxl FILE: both find the same pixels
    rm -f ours.png theirs.png
    run "$1" ours.png --radius 0 --quiet
    djxl "$1" theirs.png > log 2>&1 && status_is 0 && same ours.png theirs.png
}

# --- Both ways ------------------------------------------------------------------------------------
for picture in '1 8' '2 8' '3 8' '4 8' '1 16' '3 16'; do
    # shellcheck disable=SC2086
    make png 129 67 $picture noise:7 p.png
    for quality in 0 1; do
        cjxl p.png theirs.jxl -d $quality -e 3 > log 2>&1
        ok "$picture: cjxl -d $quality, as djxl reads it" as_djxl theirs.jxl
    done
    run p.png ours.jxl --radius 0 --quality 100
    ok "$picture: written without a note" silent
    ok "$picture: djxl reads what was written" as_djxl ours.jxl
    ok "$picture: without loss" same theirs.png p.png
    run p.png ours.jxl --radius 0
    ok "$picture: lossy, as djxl reads it" as_djxl ours.jxl
done
make png 600 400 3 8 noise:1 p.png
for quality in 92 100; do
    run p.png a.jxl --radius 2 --threads 1 --quality $quality
    run p.png b.jxl --radius 2 --threads 3 --quality $quality
    ok "quality $quality: the threads do not count" cmp a.jxl b.jxl
done

# --- What is carried ------------------------------------------------------------------------------
make png 129 67 3 8 noise:1 p.png
run p.png photo.jpg --radius 0
exiftool -q -overwrite_original -Orientation#=6 -Artist=Ann -XMP:Title=Street photo.jpg
cjxl photo.jpg packed.jxl > log 2>&1 # its JPEG again, if one wants it
ok 'a packed JPEG: as djxl reads it, upright' as_djxl packed.jxl
run packed.jxl o.png --radius 0
ok 'a packed JPEG: without a note' silent
run photo.jpg o.jxl --radius 1
ok 'rotated upright' says 'rotated upright'
for file in o.png o.jxl; do
    exiftool -s -Artist -Title -Orientation# $file > info 2>&1
    ok "$file: EXIF" has 'Artist *: Ann' info
    ok "$file: XMP" has 'Title *: Street' info
    ok "$file: its orientation is 1" has 'Orientation *: 1' info
done

# --- Refusals -------------------------------------------------------------------------------------
head -c 400 ours.jxl > cut.jxl
refused 'a JPEG XL that is cut off' 1 'cut.jxl: the JPEG XL is cut off' cut.jxl o.png --radius 1
cp packed.jxl bad.jxl
printf 'xxxxxxxx' | dd of=bad.jxl bs=1 seek=3000 conv=notrunc status=none
refused 'a JPEG XL that is damaged' 1 'bad.jxl: the JPEG XL is damaged' bad.jxl o.png --radius 1
refused 'too many pixels' 1 'max-pixels' packed.jxl o.png --radius 1 --max-pixels 8000

# --- Little memory --------------------------------------------------------------------------------
ended_well() { # a file, or one line that refuses it; no temporary
    { status_is 0 && [ -s few.jxl ]; } || { status_is 1 && [ ! -e few.jxl ] && says 'not enough memory'; } && no_leftover
}
little="100 120 140 160"
{ prlimit --as=160000000 "$satblur" --help > out; } 2> err ||
    { skip 'little memory: there is no prlimit, or this build needs more (sanitizers do)'; little=; }
for memory in $little; do
    rm -f few.jxl
    prlimit --as=${memory}000000 "$satblur" p.png few.jxl --radius 0 --threads 1 > out 2> err < /dev/null
    status=$?
    ok "$memory MB: written or refused" ended_well
done
