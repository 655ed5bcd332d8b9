#!/bin/bash
# --protect: a mask keeps parts sharp, of one picture, of a folder and of a clip's files, beside a map, a matte and a band.
#   cli_protect.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

make png 120 80 3 8 noise:1 photo.png
make png 120 80 1 8 step mask.png # columns 60 to 119 are white
make png 120 80 1 8 const:0 none.png
make png 120 80 1 8 const:90 depth.png

kept() { # the right half of a row is that of the photo, the left half is not
    diff <("$mkimage" row photo.png 40 | tail -n 60) <("$mkimage" row "$1" 40 | tail -n 60) &&
        ! cmp -s <("$mkimage" row photo.png 40 | head -n 60) <("$mkimage" row "$1" 40 | head -n 60)
}

for method in layered gather spread; do
    run photo.png o.png --depth depth.png --focus 1 --max-radius 20 --method $method --protect mask.png
    ok "$method keeps what is white" kept o.png
done
ok 'it says so' says 'mask.png: mask, 8-bit gray, keeps 50.0% of the picture sharp'
run photo.png plain.png --depth depth.png --focus 1 --max-radius 20
run photo.png o.png --depth depth.png --focus 1 --max-radius 20 --protect none.png
ok 'a black mask changes nothing' same o.png plain.png
ok 'and that is said' says 'keeps 0.0% of the picture sharp; nothing stays sharp, because the mask has no white'
run photo.png o.png --matte none.png --depth depth.png --focus 1 --max-radius 20 --protect mask.png
ok 'beside a matte' kept o.png
run photo.png o.png --tilt-shift 90,0,0.1 --protect mask.png
ok 'beside a band' kept o.png
run photo.png o.png --depth depth.png --focus 1 --max-radius 20 --protect mask.png --dump-coc coc.png
ok '--dump-coc is in focus there' test "$("$mkimage" row coc.png 3 | tail -n 60 | sort -u)" = 32768
"$satblur" photo.png o2.png --depth depth.png --focus 1 --max-radius 20 --protect - <mask.png 2>err
ok 'from standard input' same o.png o2.png

# --- Many ----------------------------------------------------------------------------------------
mkdir in maps
for i in 1 2; do cp photo.png in/$i.png && cp depth.png maps/$i.png; done
run in done --depth-dir maps --focus 1 --max-radius 20 --protect mask.png --resume
ok 'one mask for a folder' same done/2.png o.png
run in done --depth-dir maps --focus 1 --max-radius 20 --protect mask.png --resume
ok '--resume skips' says '2 skipped'
make png 120 80 1 8 step new.png && mv new.png mask.png
run in done --depth-dir maps --focus 1 --max-radius 20 --protect mask.png --resume
ok 'another mask is another picture' says '2 done, 0 skipped'
run in/%d.png clip%d.png --depth depth.png --focus 1 --max-radius 20 --protect mask.png
ok 'one mask for a clip' same clip2.png o.png

# A pipe has the mask once, so a run that reads it for each picture fails, or waits for ever.
piped() { # piped ARGUMENTS...
    (timeout -s KILL 20 cat mask.png > pipe &)
    timeout -s KILL 20 "$satblur" "$@" --depth depth.png --focus 1 --max-radius 20 --protect pipe 2> err
    status=$?
}
mkfifo pipe
run photo.png o.png --depth depth.png --focus 1 --max-radius 20 --protect mask.png
piped in once
ok 'it is read once for a folder' eval 'status_is 0 && same once/1.png o.png && same once/2.png o.png'
piped in/%d.png once%d.png
ok 'it is read once for a clip' eval 'status_is 0 && same once1.png o.png && same once2.png o.png'
"$satblur" in/%d.png stream%d.png --depth depth.png --focus 1 --max-radius 20 --protect - < mask.png 2> err
ok 'from standard input, for a clip' eval 'same stream1.png o.png && same stream2.png o.png'
head -c 60 mask.png > cut.png
refused 'a damaged mask of a folder: one line' 1 'cut.png: ' in o.x --depth depth.png --max-radius 20 --protect cut.png

# --- Mistakes ------------------------------------------------------------------------------------
refused 'no depth' 2 '--protect needs --depth MAP, --matte MASK or --tilt-shift A,P,W' photo.png x.png --radius 3 --protect mask.png
refused 'a picture in colours' 1 'photo.png: is a colour picture, not a mask' \
    photo.png x.png --depth depth.png --protect photo.png
refused 'no such file' 1 'nope.png: there is no such file' photo.png x.png --depth depth.png --protect nope.png
refused 'a mask that is replaced' 1 'mask.png' in/%d.png mask.png --depth depth.png --protect mask.png
refused '- for a folder' 2 'can be only one picture' in x --depth-dir maps --protect -
ok 'nothing is left behind' no_leftover
