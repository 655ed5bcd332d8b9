#!/bin/bash
# Numbered files by other names than %05d: by ####, by their folder, by a star. Numbers that are missing.
#   cli_clip_names.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

blur="--focus 0.5 --max-radius 5"
mkdir in depth long two other empty sparse
for i in 1 2 3 4; do
    make png 32 24 3 8 noise:$i in/f_000$i.png
    make png 32 24 1 8 noise:1$i depth/f_000$i.png
    cp in/f_000$i.png long/a$((i + 7)).png
    cp in/f_000$i.png two/a$i.png
    cp in/f_000$i.png two/b$i.png
done
cp in/f_0001.png other/01.png
cp in/f_0001.png other/002.png
cp in/f_0001.png sparse/1.png
cp in/f_0001.png sparse/999999999999.png
echo 5 > in/notes_5.txt
echo 9 > in/.f_0009.png
run in/f_%04d.png want/%04d.png --depth depth/f_%04d.png $blur

as() { # as INPUT MAPS PATTERN
    rm -rf got
    run "$1" "got/$3" --depth "$2" $blur
    ok "$1, $2, $3: as by %04d" eval 'status_is 0 && same_folders want got'
}
as in depth %04d.png
as in/ depth/ '####.png'
as 'in/f_####.png' 'depth/f_####.png' '####.png'
as 'in/*.png' 'depth/f_*' %04d.png
run long long/%04d.png --radius 2
ok "numbers of one digit and of two" count_is long 8
run 'long/a*.png' got.png --frame 3 --radius 2 --quiet
ok "a frame of a folder" same got.png long/0011.png
run 'two/a*.png' a/%d.png --radius 0
ok "one of two patterns" eval 'count_is a 4 && same a/4.png in/f_0004.png'
refused "two patterns" 1 'two: has files of several patterns; name one, like two/.%d.png' two o.%03d.png --radius 2
mkdir wide && cp in/f_0001.png wide/a001.png && cp in/f_0001.png wide/b002.png
refused "two patterns of three digits" 1 'name one, like wide/.###.png' wide o.%03d.png --radius 2
refused "digits of two kinds" 1 'files of several patterns' other o.%03d.png --radius 2
refused "an empty folder" 1 'empty: no picture with a number in its name is there; name' empty o.%03d.png --radius 2
refused "a star of a folder that is not there" 1 'no/: cannot be read: No such file' 'no/*.png' o.%03d.png --radius 2
refused "inputs as outputs" 1 'is an input and would be replaced' in in/f_####.png --radius 2
run in/f_0001.png 'a##.png' --radius 2
ok "two signs are a name" test -s 'a##.png'
refused "a star without quotes" 2 "name the frames of a clip by one word, like 'in/\*.png' in quotes" in/*.png o.mp4 --radius 2

mkdir 50% still
for i in 1 2 3 4; do
    cp in/f_000$i.png "50%/a$i.png"
done
run '50%/a%d.png' 'got%/%d.png' --radius 2
ok "a folder with a percent sign" eval 'status_is 0 && count_is got% 4'
run 50% 'got%/a_####.png' --radius 2
ok "a folder with a percent sign, by ####" same got%/a_0004.png got%/4.png
run 50%/a1.png still --radius 2
ok "a picture of that folder into a folder" same still/a1.png got%/1.png
refused "a star in OUTPUT" 2 "OUTPUT o.\*.png: \* stands for files that are there; .* like out/####.png" in 'o.*.png' --radius 2
refused "a star in a figure's name" 2 '^satblur: --focus-view o.\*.png: ' in/f_0001.png o.png --depth depth/f_0001.png --focus-view 'o.*.png'
run 'in/*.png' still --depth depth/f_0001.png
ok "a still with a star" says 'in/\*.png: there is no such file; leave out the quotes'
if "$satblur" --version | grep -q '^video: lib'; then
    refused "a container that no pipe takes" 2 'format apng: a pipe takes clips as y4m, mkv, nut; give .* out.apng' in - --radius 2 --format apng
else
    skip "A CONTAINER THAT NO PIPE TAKES: FFmpeg's libraries are not built in"
fi
mkfifo in/f_0005.png
ln -s f_0001.png depth/f_0005.png
rm depth/f_0004.png
mkfifo depth/f_0004.png
hangs() { timeout -s KILL 3 "$satblur" "$@" > out 2> err; [ $? = 137 ]; }
ok "a pipe is no frame of a folder" eval '! hangs in fifo/%d.png --radius 2 && count_is fifo 4'
ok "a pipe is no frame of a pattern" eval '! hangs in/f_####.png fifo/%d.png --radius 2 && count_is fifo 4'
ok "a pipe among maps" eval '! hangs in fifo/%d.png --depth depth && says "f_0004.png is no file; make it"'
ok "a link is a frame" eval '! hangs depth link/%d.png --gaps hold --radius 2 && count_is link 5'
rm in/f_0005.png depth/f_000[45].png
make png 32 24 1 8 noise:14 depth/f_0004.png

# --- Gaps ------------------------------------------------------------------------------------------
rm in/f_0002.png in/f_0003.png depth/f_0003.png
refused "a number that is missing" 1 'in/f_0002.png is missing; make it, or give --gaps hold' in o.%03d.png --radius 2
run in held/%d.png --depth depth --gaps hold $blur
ok "--gaps hold makes every frame, and says it" eval 'count_is held 4 && says "^satblur: in: 2 of 4 frames are missing"'
run in held/%d.png --depth depth --gaps hold --depth-range 2%,98% --max-radius 5
ok "gaps of maps are said once" eval '[ "$(grep -c "depth: 1 of 4 frames are missing" err)" = 1 ]'
run in held/%d.png --depth depth --gaps hold $blur
run in/f_0001.png second.png --depth depth/f_0002.png $blur --quiet
ok "the frame before, with the map of its number" same held/2.png second.png
ok "map and frame before" same held/3.png second.png
refused "nearly all are missing" 1 'sparse/%d.png: has 2 files for the numbers 1 to 999999999999' sparse o.%03d.png --radius 2 --gaps hold
refused "--gaps without numbers" 2 'leave out --gaps' no.mp4 o.mp4 --radius 2 --gaps hold
ok "nothing is left behind" no_leftover
