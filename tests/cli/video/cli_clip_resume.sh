#!/bin/bash
# Clips that the real program goes on with: --resume keeps the frames that would be the same, and no others.
#   cli_clip_resume.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

make_frames
loud="--focus 0.5 --max-radius 5" blur="--focus 0.5 --max-radius 5 --quiet"
run in/%03d.png want/%03d.png --depth depth/%03d.png $blur
run in/%03d.png made/%03d.png --depth depth/%03d.png $blur
all_alike() { same_folders want made; }

rm made/003.png
run in/%03d.png made/%03d.png --depth depth/%03d.png $loud --resume
ok "--resume makes what is missing" all_alike
ok "--resume keeps what is there" says "5 frames were already there and are kept"
: > made/005.png
run in/%03d.png made/%03d.png --depth depth/%03d.png $loud --resume
ok "--resume makes empty files anew" eval 'all_alike && says "5 frames were already there"'
run in/%03d.png made/%03d.png --depth depth/%03d.png --focus 0.5 --max-radius 2 --resume
ok "--resume makes all anew with other options" eval '! says "were there"'
run in/%03d.png made/%03d.png --depth depth/%03d.png $loud --resume
ok "and so again" all_alike
mkdir other
cp -p in/002.png depth/004.png other
cp in/003.png in/002.png
cp depth/005.png depth/004.png
run in/002.png 2.png --depth depth/002.png $blur
run in/004.png 4.png --depth depth/004.png $blur
run in/%03d.png made/%03d.png --depth depth/%03d.png $loud --resume
ok "--resume: a frame and a map that are others now" eval 'says "4 frames were already there" && same 2.png made/002.png && same 4.png made/004.png'
run in/%03d.png smooth/%03d.png --depth depth/%03d.png --max-radius 5 --quiet
mv other/002.png in && mv other/004.png depth
run in/%03d.png smooth/%03d.png --depth depth/%03d.png --max-radius 5 --resume
ok "--resume: a focus that is found depends on all frames before" says "1 frames were already there"
run in/%03d.png whole/%03d.png --depth depth/%03d.png --max-radius 5 --quiet
ok "--resume: as in one run" same_folders whole smooth
cp -r in in0 && rm in0/001.png
run in0/%03d.png keyed/%03d.png --depth depth/001.png --focus-keys 0:1,5:0 --max-radius 5 --quiet
cp -p in/001.png in0
run in0/%03d.png keyed/%03d.png --depth depth/001.png --focus-keys 0:1,5:0 --max-radius 5 --resume
ok "--resume: frames whose times are others now" eval '! says "were there"'
run in/%03d.png still/%03d.png --depth depth/001.png $blur
run in/%03d.png still/%03d.png --depth depth/001.png $loud --resume
ok "--resume: one map for all frames" says "6 frames were already there"
cp depth/001.png one_map.png && cp depth/002.png depth/001.png
run in/%03d.png still/%03d.png --depth depth/001.png $loud --resume
ok "--resume: that map is another now" eval '! says "were there"'
mv one_map.png depth/001.png
run in/%03d.png made/b%03d.png --depth depth/%03d.png $loud --resume
ok "--resume: two clips in a folder" eval '! says "were there"'
rm made/b*
for i in 1 2; do run in/%03d.png made/%03d.png --depth depth/%03d.png $loud --resume --shard $i/2; done
run in/%03d.png made/%03d.png --depth depth/%03d.png $loud --resume
ok "--resume: all shards are known" eval 'says "6 frames were already there" && all_alike'
touch made/.003.png.satblur.abcdef made/.007.png.satblur.abcdef made/.x003.png.satblur.abcdef
flock made/.satblur-b%03d.png.done "$satblur" in/%03d.png made/%03d.png --depth depth/%03d.png $loud --resume 2> err
ok "--resume: what is unfinished stays beside a run that works" eval '[ -e made/.003.png.satblur.abcdef ] && ! says removed'
run in/%03d.png made/%03d.png --depth depth/%03d.png $loud --resume --shard 1/2
ok "--resume: and what is another shard's" eval '[ -e made/.007.png.satblur.abcdef ] && says "removed 1 unfinished file of a run"'
touch made/.003.png.satblur.abcdef
run in/%03d.png made/%03d.png --depth depth/%03d.png $loud --resume
ok "--resume: what a killed run has left is removed, nothing else" eval '[ "$(ls -a made | grep -c abcdef)" = 1 ] && [ -e made/.x003.png.satblur.abcdef ]'
rm made/.x003.png.satblur.abcdef
figures() { run in/%03d.png seen/%03d.png --depth depth/%03d.png $loud --resume --focus-view view/%03d.png --dump-coc coc/%03d.png; }
run in/%03d.png seen/%03d.png --depth depth/%03d.png $loud --resume
figures
ok "--resume makes figures that are missing" eval '! says "already there" && count_is view 6 && count_is coc 6'
rm view/002.png && : > coc/005.png
figures
ok "also of some frames" eval 'says "4 frames were already there" && count_is view 6 && [ -s coc/005.png ]'
run in/%03d.png seen/%03d.png --depth depth/%03d.png $loud --resume --start 2 --duration 3
ok "--resume: frames of a part are those of the whole clip" says "3 frames were already there"
refused "--resume of a pipe" 2 "compares files, and - is not a file" in/%03d.png o/%03d.png --depth - --resume
