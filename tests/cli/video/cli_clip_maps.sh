#!/bin/bash
# Clips by numpy's arrays of many depth maps: as by files of one map each; refusals.
#   cli_clip_maps.sh SATBLUR MKIMAGE    PYTHON: one that has numpy
. "$(dirname "$0")/clip_maps_case.sh"

blur="--focus 0.5 --max-radius 5"

as_files() { # as_files KIND MAP OPTIONS...: the clip is the one by files of one map each
    rm -rf got
    run in/%03d.png got/%03d.png --depth "$2" "${@:3}" $blur --quiet
    ok "$2 ${*:3}: status 0" status_is 0
    ok "$2 ${*:3}: as by the same maps in files" same_folders want_$1 got
}
for kind in f4 f2 f8 u1 u2; do
    run in/%03d.png want_$kind/%03d.png --depth $kind/%03d.npy $blur --quiet
    as_files $kind $kind.npy
done
for kind in f4 u1; do as_files $kind ${kind}_stored.npz; done
for kind in f2 u2; do as_files $kind ${kind}_packed.npz; done
differ() { ! same_folders "$1" "$2"; }
ok 'other maps give other pictures' differ want_f4 want_u1
as_files f4 channel.npy
as_files f4 crafter.npz
as_files f4 only.npz
as_files f4 keys.npz --depth-key b
refused 'two arrays of maps' 1 'give --depth-key NAME: a, b, fps' in/%03d.png o.%03d.png --depth keys.npz
refused 'a deflated array that is damaged' 1 'damaged' in/%03d.png got/%03d.png --depth bad_f4_packed.npz --quiet
refused 'a photo by many packed maps' 1 'save one, like maps\[0\]' in/001.png o.png --depth f4_packed.npz
run in/%03d.png got/%03d.png --depth f4_stored.npz $blur
ok 'the array is said' says 'f4_stored.npz: NPZ numbers of depths, '
run in/001.png one.png --depth f4/001.npy $blur
run in/%03d.png still/%03d.png --depth one.npy $blur
ok 'an array of one map serves all frames' same one.png still/001.png
run in/%03d.png held/%03d.png --depth five.npz $blur --depth-sync frame
ok '--depth-sync frame holds the last map' status_is 0
ok '--depth-sync frame makes all frames' count_is held 6
refused 'fewer maps' 1 'five.npz: has 5 frames, and in/%03d.png has 6; give --depth-sync' in/%03d.png o.%03d.png --depth five.npz
refused 'a photo by many maps' 1 'save one, like maps\[0\]' in/001.png o.png --depth f4.npy
refused "Fortran's order" 1 'numpy.ascontiguousarray' in/%03d.png o.%03d.png --depth columns.npy
refused 'complex numbers' 1 'save it as float32' in/%03d.png o.%03d.png --depth complex.npy
refused 'four dimensions' 1 'a clip of maps three' in/%03d.png o.%03d.png --depth four.npy
refused 'no maps' 1 'an array of 0 depth maps' in/%03d.png o.%03d.png --depth empty.npy
refused 'no number is known' 1 'no number in it is a depth' in/%03d.png o.%03d.png --depth unknown.npy
refused 'no number is known in one map' 1 'frame 3: hidden.npy: no number in it is a depth' in/%03d.png got/%03d.png --depth hidden.npy --quiet
refused 'an array that is cut off' 1 '73728 bytes and 49[0-9]* are there' in/%03d.png o.%03d.png --depth cut_f4.npy
refused 'an archive that is cut off' 1 'damaged or cut off' in/%03d.png o.%03d.png --depth cut_f4_stored.npz
refused 'an archive that is cut off, packed' 1 'damaged or cut off' in/%03d.png o.%03d.png --depth cut_f4_packed.npz
refused 'a stored array that is damaged' 1 'wrong checksum' in/%03d.png got/%03d.png --depth bad_f4_stored.npz --quiet
refused 'more pixels than allowed' 1 'max-pixels' in/%03d.png o.%03d.png --depth f4.npy --max-pixels 3000
refused 'a claim of many bytes' 1 'max-pixels' in/%03d.png o.%03d.png --depth claims.npy
