#!/bin/bash
# Maps of all kinds, through the program: sizes, bits, ranges, holes, and files that are no maps.
#   cli_maps.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

make png 120 80 3 8 noise:1 photo.png
make png 120 80 1 8 ramp depth.png

# --- Maps of other sizes and kinds ----------------------------------------------------------------
make png 33 17 1 8 ramp small.png
run photo.png o.png --depth small.png
ok 'a smaller map is resampled, and said' says 'resampled from 33x17 to 120x80'
make png 120 80 3 8 step colour.png
make png 120 80 1 8 step gray.png
run photo.png o2.png --depth gray.png --max-radius 5
run photo.png o.png --depth colour.png --max-radius 5
ok 'a map of three channels is said' says 'colour.png: 8-bit RGB, first channel used'
ok 'a map of three channels counts by its first' cmp o.png o2.png
make png 120 80 1 8 const:128 flat.png
run photo.png o.png --depth flat.png
ok 'a map of one value works' status_is 0
ok 'a map of one value is said' says 'every depth is the same'
run photo.png o.png --depth flat.png --focus 0 --max-radius 20 --method layered
ok 'a map of one value that is out of focus' different photo.png o.png
make png 120 80 1 16 noise:4 depth16.png
run photo.png o.png --depth depth16.png
ok 'a 16-bit map' says 'depth16.png: 16-bit gray'
make pnm 120 80 1 8 ramp depth.pgm
run photo.png o.png --depth depth.pgm --max-radius 5
run photo.png o2.png --depth depth.png --max-radius 5
ok 'a PGM map is the same as its PNG' cmp o.png o2.png

# --- Near and far ---------------------------------------------------------------------------------
swapped() { says "turned.png: is farther below than above, as if near and far were swapped; --near $1 swaps them"; }
quiet() { ! says 'as if near and far'; }
make png 80 120 3 8 noise:1 tall.png
make png 120 80 1 8 step halves.png
for turn in 6 8; do # the upper half is black, or the lower one
    cp halves.png turned.png
    printf "II*\0\010\0\0\0\001\0\022\001\003\0\001\0\0\0\x0$turn\0\0\0\0\0\0\0" |
        "$mkimage" chunk eXIf turned.png
    [ $turn = 6 ] && near=black || near=white
    run tall.png o.png --depth turned.png
    [ $turn = 6 ] && ok 'ground that comes nearer is not doubted' quiet
    [ $turn = 8 ] && ok 'ground that goes away is doubted' swapped black
    run tall.png o.png --depth turned.png --near $near
    ok 'a near end that is given is not doubted' quiet
done
run photo.png o.png --depth halves.png
ok 'nor is what is nearer to the side' quiet

# --- Smaller maps, soft edges, holes, circles of confusion ------------------------------------------
make png 30 20 1 8 step smallstep.png
make png 120 80 3 8 step edge.png
run edge.png o.png --depth smallstep.png --focus 1 --max-radius 8
ok "a smaller map's edges are cut, and that is said" \
    says "resampled from 30x20 to 120x80, edges fitted, disparity"
make png 120 80 1 8 step step.png
run edge.png o2.png --depth step.png --focus 1 --max-radius 8
unfitted() { cmp o.png o2.png && ! says 'fitted'; }
ok "so it is as good as the whole map" unfitted
run photo.png o.png --depth depth.png --max-radius 7 --dump-coc coc.png
ok '--dump-coc: 16 bits of gray' shape_is coc.png '120 80 1 16'
ok '--dump-coc says its scale' says 'coc.png: code = 32768 + 32767 r / 7 px; the radius r is negative behind'
run photo.png o2.png --depth depth.png --max-radius 7
ok '--dump-coc leaves OUTPUT as it is' cmp o.png o2.png
run photo.png o.png --depth depth.png --focus 1 --max-radius 7 --dump-coc coc.pgm
circles_are_right() { # the map is a ramp, behind the focus: code d is 32768 - 32767 (1 - d / 255)
    paste <("$mkimage" row depth.png 5) <("$mkimage" row coc.pgm 5) | awk '
        { want = 32768 - 32767 * (1 - $1 / 255); off = $2 - want }
        off < -0.51 || off > 0.51 { print NR, $0, want; wrong = 1 }
        END { exit wrong || NR != 120 }'
}
ok '--dump-coc: the radius at every code' circles_are_right
refused '--dump-coc into a JPEG' 2 'ends in .png or .pgm' \
    photo.png o.png --depth depth.png --dump-coc o.jpg
refused '--dump-coc into OUTPUT' 2 "are both 'o.png'" \
    photo.png o.png --depth depth.png --dump-coc o.png
refused '--dump-coc without depth' 2 'needs --depth' photo.png o.png --radius 3 --dump-coc c.png
refused '--dump-coc into no folder' 1 'does not exist' \
    photo.png o.png --depth depth.png --dump-coc nowhere/c.png
run photo.png o.png --depth depth.png --max-radius 7 --near-scale 1 --far-scale 1
ok 'scales of 1 change nothing' cmp o.png o2.png
run photo.png o.png --depth depth.png --max-radius 7 --near-scale 0 --far-scale 1.5
ok 'scales are said' says ', x 0 in front of and x 1.5 behind the focus, largest'
ok 'scales make another picture' different o.png o2.png
run photo.png o.png --depth depth.png --near-scale 0 --far-scale 0
ok 'scales of 0 blur nothing' same photo.png o.png
refused 'a scale below 0' 2 'expected a factor' photo.png o.png --depth depth.png --far-scale -1
make png 120 80 1 16 ramp holes.png # its first pixel is 0
run photo.png o.png --depth holes.png
ok '16 bits of disparity: 0 is a depth, and that is said' says ', 0 is a depth (assumed); focus'
run photo.png o.png --depth holes.png --depth-type linear --near black
ok '16 bits of distance: 0 is unknown, and that is said' \
    says ', 0.01% unknown (0), filled from around (assumed); focus'
run photo.png o.png --depth holes.png --depth-type linear --near black --depth-holes none
ok '--depth-holes none' says ', 0 is a depth; focus'
run photo.png o2.png --depth holes.png --depth-type linear --near black --depth-holes near
ok '--depth-holes near: black is near, so 0 is' cmp o.png o2.png
run photo.png o.png --depth holes.png --depth-type linear --near black --depth-holes near --method gather
run photo.png o2.png --depth holes.png --depth-type linear --near black --depth-holes far --method gather
ok '--depth-holes far differs' different o.png o2.png
thirds() { # a PGM of 16 bits: rows of 0, of 20000 and of 40000
    printf 'P5\n120 81\n65535\n'
    python3 -c 'import sys; sys.stdout.buffer.write((bytes(240) + b"\x4e\x20" * 120 + b"\x9c\x40" * 120) * 27)'
}
thirds > thirds.pgm
run photo.png o.png --depth thirds.pgm --depth-range 1%,99%
run photo.png o2.png --depth thirds.pgm --depth-range 20000,40000
ok '16 bits: 0 counts in no per cent' cmp o.png o2.png
make png 120 80 1 16 const:0 zeros.png
for how in none far near fill; do
    run photo.png o.png --depth zeros.png --depth-holes $how
    ok "a map of zeros, $how: all in focus" same photo.png o.png
    run photo.png o.png --depth zeros.png --depth-holes $how --focus 0.5 --max-radius 5
    ok "a map of zeros, $how, out of focus" different photo.png o.png
done
refused 'holes that are none' 2 "expected 'none', 'far', 'near' or 'fill'" \
    photo.png o.png --depth depth.png --depth-holes maybe

# --- Ranges ---------------------------------------------------------------------------------------
pgm() { printf 'P5\n3 2\n%d\n\0\262\2\75\1\54\0\262\2\75\1\54' "$1"; } # 178 573 300
pgm 65535 > millimetres.pgm
pgm 4095 > twelve.pgm
sensor='--depth-type linear --near black'
no_doubt() { ! grep -Eq 'channels differ|proportions|uses only|in gray' err; }
run photo.png o.png --depth millimetres.pgm
ok 'a map that uses little of its scale is doubted' \
    says 'uses only the codes 178 to 573 of 65535.*--depth-range 178,573 stretches them to the whole scale$'
run photo.png o.png --depth millimetres.pgm $sensor
ok 'in a map of a sensor, millimetres are proposed' says '--depth-range 178,573 .*, and distances in millimetres$'
run photo.png o.png --depth millimetres.pgm --depth-range 178,573
ok '--depth-range ends the doubt' no_doubt
half_row() { head -c 60 /dev/zero | tr '\0' "$1"; }
{ echo 'P5 120 80 255'; for _ in $(seq 80); do half_row '\0'; half_row '\1'; done; } > ones.pgm
run photo.png o.png --depth ones.pgm
ok 'codes 0 and 1 are doubted' says 'uses only the codes 0 to 1 of 255.*--depth-range 0,0.00392156'
run photo.png o.png --depth ones.pgm --depth-range "$(grep -oE '0,0\.0039[0-9]+' err)"
run photo.png o2.png --depth step.png
ok 'codes 0 and 1: the proposed range is the whole scale' same o.png o2.png
run photo.png o.png --depth depth.png
ok 'a plain map is not doubted' no_doubt
run photo.png o.png --depth twelve.pgm
ok 'a PGM is doubted in its own numbers' says 'uses only the codes 178 to 573 of 4095.*--depth-range 178,573 '
for largest in 65535 4095; do # 5 px * (300 - 178) / (573 - 178)
    printf 'P5\n1 1\n%d\n\1\54' $largest > point.pgm
    run photo.png o.png --depth point.pgm --depth-range 178,573 --focus 0 --max-radius 5
    ok "--depth-range is in the numbers of a PGM up to $largest" says 'range 178 to 573.*largest 1.5 px'
done
refused 'a range beyond the numbers of a PGM' 1 'twelve.pgm has codes up to 4095' \
    photo.png o.png --depth twelve.pgm --depth-range 178,5000

# --- Millimetres ----------------------------------------------------------------------------------
run photo.png o.png --depth millimetres.pgm $sensor --depth-range 178,573 --fstop 2 --focal 50 --focus 0.3m
ok 'a range in millimetres is the distances' \
    says 'linear distance 0.178 to 0.573 m (codes are millimetres), .*= 0.3 m'
run photo.png o2.png --depth millimetres.pgm $sensor --depth-range 178,573 --distance 0.178,0.573 \
    --fstop 2 --focal 50 --focus 0.3m
ok 'so it is as good as --distance' cmp o.png o2.png
run photo.png o.png --depth millimetres.pgm $sensor --depth-range 178,573 --distance 1,2
ok '--distance comes first' says 'linear distance 1 to 2 m, '
run photo.png o.png --depth millimetres.pgm $sensor --depth-range 0.1,0.9
ok 'fractions are no millimetres' says 'linear distance 1 to 10 m (assumed)'
run photo.png o.png --depth depth.png $sensor --depth-range 10,200
ok '8 bits are no millimetres' says 'linear distance 1 to 10 m (assumed)'
refused '8 bits are no millimetres to focus by' 1 'its 8 bits cannot be millimetres; give --distance' \
    photo.png o.png --depth depth.png $sensor --depth-range 10,200 --focus 0.1m
refused 'a focus outside the millimetres' 2 'outside --depth-range, 0.178 to 0.573 m' \
    photo.png o.png --depth millimetres.pgm $sensor --depth-range 178,573 --focus 2m
refused 'white is near, so these are no millimetres' 2 'needs --distance' \
    photo.png o.png --depth millimetres.pgm --depth-type linear --depth-range 178,573 --focus 0.3m

# --- No maps --------------------------------------------------------------------------------------
run photo.png o.png --depth small.png
ok 'a map of other proportions is doubted' \
    says 'small.png: 33 x 17 does not have the proportions of photo.png, 120 x 80'
make png 80 120 1 8 ramp turned.png
refused 'a turned map' 1 'turned.png: has the proportions of photo.png turned' \
    photo.png o.png --depth turned.png
make png 80 80 1 8 ramp square.png
run photo.png o.png --depth square.png
ok 'a square map is only doubted' says 'square.png: 80 x 80 does not have the proportions of'
make png 121 80 1 8 ramp rounded.png
run photo.png o.png --depth rounded.png
ok 'a pixel more is no other proportion' no_doubt
make png 120 80 3 8 ramp colours.png
refused 'a map in false colours' 1 'colours.png: is a photo or a false-colour map.*give a gray map' \
    photo.png o.png --depth colours.png
refused 'a photo and its map, swapped' 1 'colours.png: is in colour, and depth.png is gray; if they are swapped' \
    depth.png o.png --depth colours.png
refused 'a map of radii in false colours' 1 'colours.png: is a false-colour map or a photo, because its channels differ much' \
    photo.png o.png --radius-map colours.png --max-radius 5
printf 'P6\n6 4\n255\n' > tint.ppm
for i in 1 2 3 4 5 6 7 8; do printf '\200\160\120\310\260\220\50\40\40' >> tint.ppm; done
run photo.png o.png --depth tint.ppm
ok 'a tinted map is only doubted' says 'tint.ppm: may be a false-colour map or a photo'
ok 'a tinted map works' status_is 0
make png 120 80 4 8 alpha:77:9 rgba.png
run photo.png o.png --depth rgba.png
ok 'alpha is no colour' no_doubt
run colour.png step.jpg --radius 0
run photo.png o.png --depth step.jpg
ok 'a JPEG of a gray map is not doubted' no_doubt

make png 120 80 3 8 ramp scene.png
refused 'a picture as its own map' 1 'scene.png: is the picture itself, not a gray map' \
    scene.png o.png --depth scene.png
make pnm 120 80 3 8 ramp scene.ppm
refused 'the same picture in another file' 1 'scene.ppm: is the picture itself, not a gray map' \
    scene.png o.png --depth scene.ppm
run depth.png o.png --depth depth.png
ok 'a gray picture as its own map is doubted' says 'depth.png: looks like depth.png in gray'
{ printf 'P6\n120 160\n255\n'; tail -c 28800 scene.ppm; head -c 28800 /dev/zero; } > pair.ppm
refused 'a picture above its map' 1 'pair.ppm: shows scene.png beside a map; cut out the map' \
    scene.png o.png --depth pair.ppm

mkdir photos maps
cp photo.png photos/a.png; cp photo.png photos/b.png; cp photo.png photos/c.png
cp depth.png maps/a.png; cp colours.png maps/b.png; cp depth.png maps/c.png
run photos done --depth-dir maps
one_fails() {
    status_is 1 && count_is done 2 && says 'photos/b.png: maps/b.png: is a photo or a false-colour map' && ! says 'a.png: is'
}
ok 'in a folder only its own picture fails' one_fails

ok 'nothing is left behind' no_leftover
