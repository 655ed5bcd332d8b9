#!/bin/bash
# --matte: masks and cut-outs, alone and beside a map, of one picture and of folders, and files that are no mattes.
#   cli_matte.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

make png 120 80 3 8 noise:1 photo.png
make png 120 80 1 8 step mask.png
make png 120 80 1 8 ramp depth.png

# --- One picture ----------------------------------------------------------------------------------
run photo.png o.png --matte mask.png --max-radius 6
ok 'a matte alone blurs the background' different photo.png o.png
ok 'it says so' says 'mask.png: matte, 8-bit gray, subject on 50.0% of the picture, at disparity 1, everything else at 0; focus 1.000 (auto: the subject); radius 6.0 px'
halves() { # columns 0 to 59 are blurred, 60 to 119 are not
    diff <("$mkimage" row photo.png 40 | tail -n 60) <("$mkimage" row o.png 40 | tail -n 60) &&
        ! cmp -s <("$mkimage" row photo.png 40 | head -n 60) <("$mkimage" row o.png 40 | head -n 60)
}
ok 'and keeps the subject' halves
run photo.png o2.png --depth mask.png --focus 1 --max-radius 6
ok 'a hard mask is what it is as a map' same o.png o2.png
make png 120 80 4 8 step cutout.png
run photo.png o2.png --matte cutout.png --max-radius 6
ok 'a cut-out is the matte of its alpha' same o.png o2.png
ok 'that is said' says 'cutout.png: matte, 8-bit RGBA, subject on'
make png 120 80 1 16 step deep.png
run photo.png o2.png --matte deep.png --max-radius 6
ok '16 bits' same o.png o2.png
make png 60 40 1 8 step half.png
run photo.png o2.png --matte half.png --max-radius 6
ok 'a smaller matte is resampled, and said' says 'resampled from 60x40 to 120x80, subject on'
run photo.png o2.png --matte mask.png --max-radius 6 --focus 0
ok 'the background in focus' different o.png o2.png
run photo.png o2.png --matte mask.png --max-radius 6 --focus-at 110,40
ok 'focus at a point of the subject' same o.png o2.png
run photo.png o2.png --matte mask.png --distance 2,10 --fstop 1.4 --focal 85
ok 'a lens, and the distances of both planes' says 'focus 1.000 = 2 m (auto: the subject); radius .* (85 mm f/1.4'
run photo.png o2.png --matte mask.png --max-radius 6 --dump-coc coc.png
ok '--dump-coc' test "$("$mkimage" row coc.png 3 | sort -u | tr '\n' ' ')" = '1 32768 '
run photo.png o2.png --matte mask.png --max-radius 6 --device cpu --threads 1
ok 'one thread, the same bytes' same o.png o2.png

# --- Beside a map ---------------------------------------------------------------------------------
run photo.png o.png --depth depth.png --focus 0.5 --max-radius 6
run photo.png o2.png --depth depth.png --matte mask.png --focus 0.5 --max-radius 6
both() { says 'mask.png: matte, 8-bit gray, subject on 50.0% of the picture$' && says 'depth.png: 8-bit gray, .*focus 0.500'; }
ok 'a matte and a map: a note on each' both
make png 120 80 1 8 const:255 white.png
make png 120 80 1 8 const:3 black.png
run photo.png o2.png --depth depth.png --matte white.png --focus 0.5 --max-radius 6
ok 'a white matte leaves the map' same o.png o2.png
ok 'that is said' says 'white.png: is all white, so it marks no subject, and depth.png is used unchanged'
run photo.png o2.png --depth depth.png --matte black.png --focus 0.5 --max-radius 6
ok 'a black one, too' says 'black.png: is all black'

# --- Refused --------------------------------------------------------------------------------------
refused 'a black matte alone' 1 'black.png: is all black, so it marks no subject' photo.png o.png --matte black.png
refused 'a white matte alone' 1 'white.png: is all white, so it marks no subject' photo.png o.png --matte white.png
refused 'no such matte' 1 'none.png: ' photo.png o.png --matte none.png
make png 120 80 3 8 noise:7 other.png
refused 'a picture in colours' 1 'other.png: is a colour picture, not a matte' photo.png o.png --matte other.png
make png 80 120 1 8 step turned.png
refused 'a turned matte' 1 'turned.png: has the proportions of photo.png turned' photo.png o.png --matte turned.png
refused 'an option of maps' 2 '--near needs --depth MAP' photo.png o.png --matte mask.png --near black
refused 'a radius map' 2 '--matte and --radius exclude each other' photo.png o.png --matte mask.png --radius 2
refused 'a figure over the matte' 1 'mask.png is an input' photo.png o.png --matte mask.png --dump-coc mask.png
refused 'a folder for one picture' 1 'maps: ' photo.png o.png --matte maps

# --- Folders --------------------------------------------------------------------------------------
mkdir in mattes maps
for i in 1 2 3; do
    make png 60 40 3 8 noise:$i in/$i.png
    make png 60 40 1 8 ramp maps/$i.png
done
make png 60 40 1 8 step mattes/1.png
make png 60 40 1 8 step mattes/2_matte.png
make png 60 40 4 8 step mattes/3.matte.png
run in made --matte mattes --max-radius 5 --report r.jsonl
ok 'a folder of mattes' says '3 done, 0 skipped, 0 failed'
ok 'the report names them' report_has r.jsonl '"matte": "mattes/' 3
run in/2.png o.png --matte mattes/2_matte.png --max-radius 5
ok 'as one by one' same o.png made/2.png
run in made --matte mattes --max-radius 5 --resume
ok '--resume: nothing is left' says '0 done, 3 skipped'
make png 60 40 1 8 noise:3 mattes/1.png
run in made --matte mattes --max-radius 5 --resume
ok '--resume: another matte' says '1 done, 2 skipped'
run in out2 --matte mattes --depth-dir maps --max-radius 5 --report r.jsonl
ok 'mattes and maps' says '3 done, 0 skipped, 0 failed'
ok 'the report names both' report_has r.jsonl '"map": "maps/.*"matte": "mattes/' 3
run in out3 --matte mattes/2_matte.png --max-radius 5
ok 'one matte for all' says '3 done, 0 skipped, 0 failed'
ok 'as its own' same made/2.png out3/2.png
head -c 60 mattes/1.png > cut.png
refused 'a damaged matte for all: one line' 1 'cut.png: ' in o.x --matte cut.png --max-radius 5
mkdir tree && cp in/*.png tree && cp -r mattes tree
run tree out6 --matte tree/mattes --max-radius 5 --recursive
ok 'a folder of mattes within that of the pictures' says '3 done, 0 skipped, 0 failed'
rm mattes/3.matte.png
run in out4 --matte mattes --max-radius 5
ok 'a matte that is missing' says '3.png: its matte is missing; expected 3.png, 3_matte.png or 3.matte.png'
ok 'the others are done' says '2 done, 0 skipped, 1 failed'
cp mattes/2_matte.png in/2_matte.png && cp mattes/2_matte.png in/1_matte.png && cp mattes/2_matte.png in/3_matte.png
run in out5 --matte in --max-radius 5
ok 'mattes among the pictures' says '3 done, 0 skipped, 0 failed'
refused 'mattes in OUTPUT' 1 'mattes is OUTPUT and the folder of mattes' in mattes --matte mattes --max-radius 5
ok 'nothing is left behind' no_leftover
