#!/bin/bash
# The depth maps of a clip share one range: that of all of them.
#   cli_clip_range.sh SATBLUR MKIMAGE    PYTHON: one that has numpy
. "$(dirname "$0")/clip_maps_case.sh"

numbers="--focus 0.5 --max-radius 8"

ranged() { # ranged MAPS RANGE OPTIONS...: the clip is the one by that range
    local maps=$1 range=$2
    shift 2
    rm -rf got want
    run in/%03d.png want/%03d.png --depth $maps --depth-range "$range" "$@" --quiet
    run in/%03d.png got/%03d.png --depth $maps "$@"
    ok "$maps $*: as by --depth-range $range" same_folders want got
}
ranged f4.npy "$(cat range)" $numbers
ok 'the range of numbers is said' says 'f4.npy: depth range 0 to 9.603 over 6 maps'
run in/003.png alone.png --depth f4/003.npy $numbers
differs() { ! same alone.png got/003.png; }
ok 'one map alone has another range' differs
ranged pfm/%03d.pfm "$(cat range)" $numbers
if grep -q tifffile libraries && "$satblur" --version | grep -q '^TIFF: '; then ranged tiff/%03d.tif "$(cat range)" $numbers
else skip 'FLOAT TIFFS OF CLIPS: no tifffile in PYTHON, or no libtiff'; fi
if grep -q OpenEXR libraries && "$satblur" --version | grep -q '^EXR: '; then ranged exr/%03d.exr "$(cat range)" $numbers
else skip 'EXRS OF CLIPS: no OpenEXR in PYTHON, or not built in'; fi
ranged metres.npy "$(cat range_metres)" --depth-type linear --focus 2m --max-radius 8
ok 'infinity is said' says 'metres.npy: depth range 1 to 10.6 and infinity over 6 maps'
ranged u2pgm/%03d.pgm 1,10.603 --depth-scale 1000 --focus 2m --max-radius 8
ranged u1pgm/%03d.pgm "0,255" $numbers
ok 'codes without a unit keep their scale' eval '! says "depth range"'
rm -rf want got
run in/%03d.png want/%03d.png --depth u1pgm/%03d.pgm $numbers --depth-range "$(cat range_codes)" --quiet
run in/%03d.png got/%03d.png --depth u1pgm/%03d.pgm $numbers --depth-range 5%,95%
ok 'per cent are those of all maps' same_folders want got
ok 'per cent are said' says 'u1pgm/%03d.pgm: depth range [0-9]* to [0-9]* (5 to 95%) over 6 maps'
run in/%03d.png shard/%03d.png --depth f4.npy $numbers --shard 2/2 --quiet
run in/%03d.png whole/%03d.png --depth f4.npy $numbers --quiet
ok 'a shard has the range of the whole clip' same whole/006.png shard/006.png
if "$satblur" --version | grep -q '^video: lib'; then
    run u2pgm/%03d.pgm u2.mkv --radius 0 --video-codec ffv1 --quiet
    ranged u2.mkv 1,10.603 --depth-scale 1000 --focus 2m --max-radius 8
    "$satblur" in/%03d.png o.%03d.png --depth - --depth-scale 1000 $numbers < u2.mkv > out 2> err
    status=$?
    ok 'metres from a pipe: one line' eval 'status_is 1 && says "a pipe can be read only once; give --depth-range A,B"'
    rm -rf got
    "$satblur" in/%03d.png got/%03d.png --depth - --depth-scale 1000 --depth-range 1,10.603 --focus 2m --max-radius 8 < u2.mkv 2> err
    ok 'metres from a pipe, with a range' same_folders want got
else
    skip 'RANGES OF DEPTH VIDEOS: FFmpeg is not built in'
fi
