#!/bin/bash
# --depth-cache: which maps are found again, and damaged ones. cli_map_cache.sh SATBLUR MKIMAGE
. "$(dirname "$0")/program_case.sh"
export MAP_STARTS=$work/starts MAP_LOG=$work/log
lines() { wc -l < "$1"; }
count_starts() { [ "$(lines starts)" = "$1" ]; }
count_maps() { [ "$(lines log)" = "$1" ]; }
fresh() { : > starts; : > log; }
cp "$here/map_program.py" own
own=$work/own
make png 60 40 3 8 noise:1 photo.png
make png 300 90 3 8 noise:3 wide.png
"$own" file-with-matte photo.png map.png && mv map.png.matte matte.png
run photo.png want.png --depth map.png
run photo.png both.want.png --depth map.png --matte matte.png
run photo.png map.want.png --depth map.png --matte map.png

cached() { run "$1" o.png --depth-process "$own" --depth-cache cache "${@:2}"; }
fresh
cached photo.png
ok 'the first map is made' eval 'cmp o.png want.png && count_maps 1'
cached photo.png
ok 'the second one is found, and no program starts' eval 'cmp o.png want.png && count_maps 1 && count_starts 1'
ok 'a note says so' says 'the map by map_program 1.0, from the cache, is used'
cached wide.png
ok 'another picture is made' count_maps 2
cached wide.png --depth-size 100
ok 'and another size' count_maps 3
run photo.png o.png --depth-process "$own disparity" --depth-cache cache
ok 'and by another command' eval 'cmp o.png want.png && count_maps 4'
echo 2.0 > own.version
touch -d '2001-01-01' own
cached photo.png
ok 'and by another version' eval 'says "map_program 2.0" && count_maps 5'
cached photo.png
ok 'once' eval 'says "map_program 2.0" && count_maps 5'
echo 3.0 > own.version
cached wide.png --depth-size 50
cached photo.png
ok 'a version that shows once the program runs' eval 'says "map_program 3.0" && count_maps 7'
: > log
for file in cache/*.map; do truncate -s -1 "$file"; done
cached photo.png
ok 'a file that is cut off counts as none' eval 'cmp o.png want.png && count_maps 1'
for file in cache/*.map; do printf x | dd of="$file" bs=1 seek=120 conv=notrunc status=none; done
cached photo.png
ok 'and one that is damaged' eval 'cmp o.png want.png && count_maps 2'
run photo.png o.png --depth-process "$own with-matte" --depth-cache cache
run photo.png o.png --depth-process "$own with-matte" --depth-cache cache
ok 'a matte is kept with its map' eval 'cmp o.png both.want.png && count_maps 3'
for i in 1 2; do run photo.png o.png --depth-command "$own file {in} {out}" --depth-cache cache; done
ok 'maps of a command' eval 'cmp o.png want.png && count_maps 4'
run photo.png o.png --depth-command "$own file-damaged {in} {out}" --depth-cache cache
ok 'a map that cannot be decoded fails' eval 'status_is 1 && count_maps 5'
run photo.png o.png --depth-command "$own file-damaged {in} {out}" --depth-cache cache
ok 'and is made again' eval 'status_is 1 && count_maps 6'
echo one > model
run photo.png o.png --depth-process "$own good --model=$work/model" --depth-cache cache
echo three > model
run photo.png o.png --depth-process "$own good --model=$work/model" --depth-cache cache
ok 'a file behind = has changed' eval 'cmp o.png want.png && count_maps 8'
run photo.png o.png --depth-process "$own" --depth-cache none/sub
ok 'a cache that cannot be made costs a note' eval 'cmp o.png want.png && says "^satblur: --depth-cache: none/sub: cannot be created: "'
: > file
run photo.png o.png --depth-process "$own" --depth-cache file
ok 'a cache that cannot be written costs a note' eval 'status_is 0 && cmp o.png want.png && says "^satblur: --depth-cache: "'

# --- Damaged files --------------------------------------------------------------------------------
with_matte() { run photo.png o.png --depth-process "$own with-matte" --depth-cache with "$@"; }
spoil() { printf x | dd of="$(echo with/*.map)" bs=1 seek=$(($(stat -c %s with/*.map) - 9)) conv=notrunc status=none; }
fresh
with_matte
spoil
with_matte --matte map.png
ok 'a damaged matte that the run does not use' eval 'cmp o.png map.want.png && count_maps 1'
with_matte
ok 'one that it uses counts as none' eval 'cmp o.png both.want.png && count_maps 2'
truncate -s -1 with/*.map
with_matte --matte map.png
ok 'a matte that is cut off' eval 'cmp o.png map.want.png && count_maps 2'
rm with/*.map
touch own.spoils
with_matte --matte map.png
rm own.spoils
with_matte
ok 'a matte that no run has looked at, and that is no picture, counts as none' eval 'cmp o.png both.want.png && count_maps 4'
with_matte
ok 'and the new one is kept' eval 'cmp o.png both.want.png && count_maps 4'
sed -i '1s/ [0-9]\( [0-9]* [0-9]*\)$/ 2\1/' with/*.map
with_matte
ok 'a damaged type counts as none' eval 'cmp o.png both.want.png && count_maps 5'
make png 60 40 3 8 const:90 flat.png
make png 40 60 3 8 const:90 tall.png
fresh
cached flat.png
cached tall.png
ok 'a picture of the same bytes and another shape is another' count_maps 2
