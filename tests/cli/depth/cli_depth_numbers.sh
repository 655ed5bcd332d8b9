#!/bin/bash
# Depth maps of numbers, as numpy, OpenCV and OpenEXR write them: the blur is that by the codes which numpy computes.
#   cli_depth_numbers.sh SATBLUR MKIMAGE    PYTHON: one that has numpy, cv2 and OpenEXR
here=$(dirname "$(realpath "$0")")
. "$here/../cli_case.sh"

make png 120 80 3 8 noise:1 photo.png
libraries=$("$python" "$here/depth_files.py" .)
[ -n "$libraries" ] || skip 'every test of files by numpy: no numpy in PYTHON'
has() { [[ " $libraries " == *" $1 "* ]] || { skip "files by $1: not in PYTHON"; return 1; }; }

by_codes() { # by_codes OUTPUT CODES NEAR,FAR OPTIONS...: the expected blur
    run photo.png "$1" --depth "$2" --distance "$3" --focus 2m --max-radius 9 "${@:4}"
    [ "$status" = 0 ] || echo "FAIL  $1"
}
same_as() { # same_as OUTPUT MAP OPTIONS...
    run photo.png o.png --depth "$2" --max-radius 9 "${@:3}"
    ok "$2 ${*:3}" cmp o.png "$1"
}

if [ -n "$libraries" ]; then
    by_codes plain.png codes.png 0.75,10
    for map in f4 f8 big columns one last; do
        same_as plain.png $map.npy --depth-type linear --focus 2m
    done
    same_as plain.png stored.npz --depth-type linear --focus 2m
    ok 'the array is said' says 'stored.npz: NPZ numbers of depth, distance 0.75 to 10 m'
    same_as plain.png deflated.npz --depth-from depth-pro --focus 2m
    ok 'the preset is said' says 'as from depth-pro'
    same_as plain.png first.npz --depth-scale 1 --focus 2m
    same_as plain.png names.npz --depth-scale 1 --focus 2m --depth-key far
    same_as plain.png map.dpt --focus 2m
    same_as plain.png da3.npz --focus 2m
    ok 'a depth beside cameras is a distance' says 'da3.npz: NPZ numbers of depth, distance 0.75 to 10 m (assumed)'
    same_as plain.png da3.npz --depth-from depth-anything-3 --focus 2m
    ok 'the preset assumes nothing' says 'as from depth-anything-3, distance 0.75 to 10 m; focus'
    mkdir clip
    cp photo.png clip/1.png && cp photo.png clip/2.png
    run clip/%d.png clip/o%d.png --depth da3_clip.npz --focus 2m --max-radius 9
    ok 'a clip of such depths' cmp clip/o2.png plain.png
    by_codes half.png codes_half.png 0.75,10
    same_as half.png f2.npy --depth-type linear --focus 2m
    run photo.png relative.png --depth codes_relative.png --focus 0.4 --max-radius 9
    same_as relative.png relative.npy --focus 0.4
    ok 'what is assumed is said' says 'relative.npy: NPY numbers, disparity (assumed), -4.25 to 5, near = largest (assumed)'
    by_codes holes.png codes_holes.png 0.75,inf --depth-holes fill --depth-range 1,65535
    same_as holes.png holes.npy --depth-type linear --focus 2m
    ok 'infinity and holes are said' says ' and infinity, 0.19% unknown, filled from around (assumed)'
    run photo.png o.png --depth codes_holes.png --distance 0.75,inf --focus 2m --max-radius 9 --depth-holes fill \
        --depth-range 1,65535 --depth-edges keep --dump-coc coc.png
    run photo.png o.png --depth holes.npy --depth-type linear --focus 2m --max-radius 9 --depth-edges keep --dump-coc coc2.png
    ok 'every radius is the same to 16 bits' cmp coc.png coc2.png
    by_codes mm.png codes_millimetres.png 0.75,10 --depth-holes fill --depth-range 1,65535
    same_as mm.png millimetres.png --depth-scale 1000 --focus 2m
    same_as mm.png millimetres.png --depth-scale 1000 --focus 2000c
    same_as plain.png f4.npy --depth-type linear --focus 2c
    same_as mm.png millimetres.npy --depth-from realsense --focus 2m
    ok 'the unit is said' says 'NPY codes, as from realsense, 1000 a metre, distance 0.75 to 10 m'
    run photo.png range.png --depth millimetres.png --depth-scale 1000 --depth-range 1,inf
    ok 'a range to infinity' says 'distance 1 m to infinity'
    run photo.png range.png --depth f4.npy --depth-type linear --depth-range 2%,98%
    ok 'a range in per cent' says '(2 to 98%)'

    # --- Folders ----------------------------------------------------------------------------------
    mkdir in maps
    cp photo.png in/a.png
    cp f4.npy maps/a.npy
    run in results --depth-dir maps --depth-from zoedepth --focus 2m --max-radius 9 --report r.jsonl
    ok 'a folder of NPY maps' cmp results/a.png plain.png
    ok 'the report names the reader and the preset' \
        grep -q '"depth_from": "zoedepth", "map_format": "NPY", "map_kind": "metres"' r.jsonl

    run photo.png want.ppm --depth f4.npy --depth-type linear --focus 2m
    "$satblur" photo.png got.ppm --quiet --depth - --depth-type linear --focus 2m < f4.npy
    ok 'metres from standard input' cmp want.ppm got.ppm

    # --- Refusals ---------------------------------------------------------------------------------
    refused 'two maps in one array' 1 'two.npy: the array has 3 dimensions, 2 x 80 x 120, .* save one, like maps\[0\]' photo.png o.png --depth two.npy
    refused 'no known array' 1 'give --depth-key NAME: far, near' photo.png o.png --depth names.npz
    refused 'no such array' 1 'has no array middle; give one of: far, near' \
        photo.png o.png --depth names.npz --depth-key middle
    refused 'numbers as a picture' 1 'NPY holds a depth map, not a picture; give it to --depth' f4.npy o.png --radius 2
    refused 'no metres to focus by' 1 'f4.npy: has no known distances, but --focus 2m needs them' \
        photo.png o.png --depth f4.npy --focus 2m
    refused 'no metres for a lens' 1 'f4.npy: has no known distances, but a lens needs them' \
        photo.png o.png --depth f4.npy --fstop 2 --focal 50
    refused 'a focus beyond the map' 1 'is outside f4.npy, 0.75 to 10 m' \
        photo.png o.png --depth f4.npy --depth-scale 1 --focus 20m
    refused 'metres and --distance' 1 'leave out --distance, or add --depth-type linear if its numbers are not metres' photo.png o.png --depth map.dpt --distance 1,2
    refused 'metres and white' 1 'leave out --near white' photo.png o.png --depth map.dpt --near white
fi
refused 'a scale of disparity' 2 'give one of them' photo.png o.png --depth d.png --depth-scale 9 --depth-type disparity
refused 'a scale and white' 2 'leave out --near white' photo.png o.png --depth d.png --depth-scale 9 --near white
refused 'a scale and --distance' 2 'exclude each other' photo.png o.png --depth d.png --depth-scale 9 --distance 1,2
refused 'an unknown program' 2 'expected' photo.png o.png --depth d.png --depth-from nobody

if [ -n "$libraries" ] && has cv2; then
    same_as plain.png map.pfm --depth-type linear --focus 2m
fi
if [ -n "$libraries" ] && ! "$satblur" --version | grep -q '^EXR'; then
    skip 'EXR files: satblur is built without OpenEXRCore'
elif [ -n "$libraries" ] && has OpenEXR; then
    for map in scan tiles blender; do
        same_as plain.png $map.exr --focus 2m
    done
    ok 'metres by the name of the channel' says 'distance 0.75 to 10 m (assumed); focus'
    run photo.png o.png --depth scan.exr --fstop 2 --focal 50
    ok 'a lens by metres that are assumed' says 'for more blur, --depth-scale 100 if the map is in centimetres$'
    ok 'no doubt of metres' eval "! says 'give --depth-from nuke'"
    same_as half.png half.exr --focus 2m
    run photo.png inverse.png --depth inverse.npy --focus 0.4 --max-radius 9
    same_as inverse.png inverse.exr --depth-from nuke --focus 0.4
    run photo.png o.png --depth inverse.exr
    ok 'a doubt of 1/z' says '17% of its numbers are 0 and none is above 1; if they are 1/z, with the largest nearest, give --depth-from nuke'
    run photo.png o.png --depth share.exr
    ok 'a doubt of metres that are parts' says 'share.exr: none of its numbers is above 1; .*, give --depth-type linear --distance NEAR,FAR$'
    same_as plain.png colours.exr --depth-channel R --depth-scale 1 --focus 2m
    refused 'colours are no depth' 1 'give --depth-channel NAME: B, G, R' photo.png o.png --depth colours.exr
fi
