#!/bin/bash
# Programs that make maps: how they may misbehave, orientations, folders, clips, kills.
# cli_program.sh SATBLUR MKIMAGE
. "$(dirname "$0")/program_case.sh"
export TMPDIR=$work/tmp MAP_STARTS=$work/starts MAP_LOG=$work/log
mkdir "$TMPDIR"
ln -s "$here/map_program.py" prog
prog=$work/prog
make png 60 40 3 8 noise:1 photo.png
clean() { [ -z "$(ls -A "$TMPDIR")" ]; }
by() { run photo.png o.png --depth-process "$prog $1" "${@:2}"; }
lines() { wc -l < "$1"; }
count_starts() { [ "$(lines starts)" = "$1" ]; }
count_maps() { [ "$(lines log)" = "$1" ]; }
fresh() { : > starts; : > log; }

# --- Which map is used ----------------------------------------------------------------------------
"$prog" file photo.png map.png
run photo.png want.png --depth map.png
by good
ok 'a program that stays' cmp o.png want.png
ok 'a note says which map is used' says "the map that map_program 1.0 made is used"
run photo.png o.png --depth-command "$prog file {in} {out}"
ok 'a command' cmp o.png want.png
ok 'no file is left' clean
make png 60 40 1 8 step other.png
run photo.png other.want.png --depth other.png
fresh
run photo.png o.png --depth other.png --depth-process "$prog"
ok '--depth comes first' cmp o.png other.want.png
ok 'and no program starts' count_starts 0
"$satblur" photo.png photo.jpg --radius 0 --quiet
"$satblur" other.png small.jpg --radius 0 --quiet
python3 "$here/../codec/mkembedded.py" gdepth photo.jpg small.jpg phone.jpg
run phone.jpg phone.want.png --depth embedded
run phone.jpg o.png --depth-process "$prog"
ok "the photo's own map comes second" cmp o.png phone.want.png
ok 'and no program starts' count_starts 0
run photo.png o.png --depth-process "$prog with-matte"
"$prog" file-with-matte photo.png both.png && mv both.png.matte matte.png
run photo.png both.want.png --depth map.png --matte matte.png
ok 'a matte comes with the map' cmp o.png both.want.png
run photo.png o.png --depth-process "$prog with-matte" --matte-command "$prog file {in} {out}"
run photo.png matte.want.png --matte map.png --depth map.png
ok 'but a program of mattes comes first' cmp o.png matte.want.png
run photo.png o.png --matte-command "$prog file {in} {out}"
run photo.png matte.want.png --matte map.png
ok 'a command of mattes' cmp o.png matte.want.png
run photo.png o.png --matte auto --depth map.png --depth-process "$prog"
run photo.png matte.want.png --matte map.png --depth map.png
ok '--matte auto asks the program of maps' cmp o.png matte.want.png
"$prog" file-npy photo.png map.npy
run photo.png want.npy.png --depth map.npy
by npy
ok 'numbers' cmp o.png want.npy.png
run photo.png want.depth.png --depth map.png --depth-type linear --near black
by depth
ok 'type=depth' cmp o.png want.depth.png
run photo.png want.metres.png --depth map.png --depth-from iphone
by metres
ok 'type=metres' cmp o.png want.metres.png
by depth --depth-type disparity --near white
ok 'options override the program' cmp o.png want.png
refused 'two programs' 2 'exclude each other' photo.png o.png --depth-process a --depth-command 'b {in} {out}'
refused 'auto without a program' 2 '--depth auto needs a program' photo.png o.png --depth auto
refused 'a matte without a program' 2 '--matte auto needs a program' photo.png o.png --matte auto
refused 'a command without files' 2 'expected them in the command' photo.png o.png --depth-command "$prog file {in}"
refused 'an open quote' 2 'is not closed' photo.png o.png --depth-process "'$prog"
refused 'no words' 2 'the command is empty' photo.png o.png --depth-process '  '
three_ways() { status_is 1 && [ "$(lines err)" = 1 ] && says '--depth MAP' && says '--matte MASK' && says '--depth-process CMD' && says '--help=maps'; }
run photo.png o.none.png
ok 'without a map, three ways are named' three_ways
run --help=maps
ok 'and the help explains them' grep -q 'depth-process = satblur-depth' out
mkdir 'a b'
cp "$here/map_program.py" 'a b/it'"'"'s "one"'
run photo.png o.png --depth-process "\"$work/a b/it's \\\"one\\\"\" 'go'od"
ok 'quotes and backslashes' cmp o.png want.png
HOME="$work/a b" run photo.png o.png --depth-process "~/it\\'s\\ \\\"one\\\""
ok '~/ is the home' cmp o.png want.png
mkdir bin && ln -s "$prog" bin/on-the-path
PATH=$work/bin:$PATH run photo.png o.png --depth-process on-the-path
ok 'PATH' cmp o.png want.png

# --- Programs that behave oddly, but may ----------------------------------------------------------
for mode in more-greeting no-name splits late-greeting slow fields disparity leaves child dies-after; do
    by $mode
    ok "odd: $mode" cmp o.png want.png
done
by control-name
ok 'control characters of a name are not printed' eval 'cmp o.png want.png && says "red" && ! grep -q "[^[:print:]]" err'
for mode in tiny half; do
    by $mode
    ok "odd: $mode" status_is 0
done
for mode in file-talks file-quietly file-child; do
    run photo.png o.png --depth-command "$prog $mode {in} {out}" --depth-timeout 10
    ok "odd: $mode" cmp o.png want.png
done
begin=$(date +%s)
by stays-at-the-end
ok 'a program that ignores the end is ended' eval 'cmp o.png want.png && [ $(($(date +%s) - begin)) -le 5 ]'

# --- Programs that misbehave: one line, no output, nothing left -----------------------------------
timeout_of() { case $1 in *'took more'*) echo 0.6 ;; *) echo 20 ;; esac; }
while IFS='|' read -r mode pattern; do
    refused "bad: $mode" 1 "photo.png\(: prog made no map\|'s map by map_program 1.0\): $pattern" photo.png o.png \
        --depth-process "$prog $mode" --depth-timeout $(timeout_of "$pattern") --quiet
done << 'END'
wrong-version|it speaks version 2 of the protocol
other-greeting|its first line is 'Loading the model...'
short-greeting|its first line is 'satblur-map'
binary-greeting|its first line is ''
long-greeting|it printed a line of more than 4096 bytes
endless-greeting|it printed a line of more than 4096 bytes
no-greeting|it took more than 0.6 s; raise --depth-timeout
never-greets|it took more than 0.6 s; raise --depth-timeout
exits-at-once|it ended with status 3 before its first line
dies-at-once|it was ended by a signal (Killed) before its first line
dies-after-greeting|it was ended by a signal (Segmentation fault) before it answered
closes-input|it closed its standard input or output before it answered
closes-after-greeting|it closed its standard input or output before it answered
dies-at-1|it was ended by a signal (Killed) before it answered
dies-always|it ended with status 9 before it answered
no-newline|it ended with status 0 before it answered
hangs|it took more than 0.6 s; raise --depth-timeout
closes|it closed its standard input or output before it answered
error|no depth in here
error-alone|it gives no reason
noise|it printed '50%
blank-line|it printed '' instead of an answer
other|it answered for picture 2 instead of 1
negative|it printed '-1' instead of an answer
huge-number|it answered for picture 99999999999999999999 instead of 1
endless|it printed a line of more than 4096 bytes
binary|it printed '' instead of an answer
case|it answered 'OK' instead of ok or error
spaces|it printed '1 ok' instead of an answer
no-word|it printed '1' instead of an answer
type-unknown|it answered 'type=parsecs'
matte-missing|it wrote no matte
nothing|it wrote no map
empty|its map is empty
folder|its map is not a regular file
link|its map cannot be opened
fifo|its map is not a regular file
sparse-matte|\(its matte has\|it wrote a file of\) more than
sparse|\(its map has\|it wrote a file of\) more than
grows|it wrote a file of more than 256 MiB
damaged|.*
text|not a picture
huge-header|.*
END
while IFS='|' read -r mode pattern; do
    refused "bad: $mode" 1 "photo.png: prog made no map: $pattern" photo.png o.png \
        --depth-command "$prog $mode {in} {out}" --depth-timeout $(timeout_of "$pattern") --quiet
done << 'END'
file-fails|RuntimeError: out of memory
file-hangs|it took more than 0.6 s; raise --depth-timeout
file-floods|it took more than 0.6 s; raise --depth-timeout
file-dies|it was ended by a signal (Aborted)
file-status|it ended with status 4
file-nothing|it wrote no map
END
refused 'no such program' 1 'it cannot be started: Not a directory' photo.png o.png --depth-process /dev/null/none
refused 'a program that is not installed' 1 'it is not in PATH; install it' photo.png o.png --depth-process no-such-program
refused 'a folder as a program' 1 'it cannot be started: Permission denied' photo.png o.png --depth-process "$work"
TMPDIR=$work/none refused 'no TMPDIR' 1 'set TMPDIR to another folder' photo.png o.png --depth-process "$prog"
TMPDIR=$work/$'a\tb' && mkdir "$TMPDIR"
refused 'a tab in TMPDIR' 1 'has a tab or a newline' photo.png o.png --depth-process "$prog"
TMPDIR=$work/tmp
ok 'nothing is left' clean
gone() { # those that nobody has waited for are zombies
    for pid in $(cat starts); do ! grep -s '^State:.[^Z]' "/proc/$pid/status" || { echo "$pid"; return 1; }; done
}
ok 'no program is left' gone

# --- Orientations ---------------------------------------------------------------------------------
python3 - << 'END'
import struct, zlib
data = open("photo.png", "rb").read()
for turn in range(1, 9):
    exif = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01" + struct.pack(">H", turn) + b"\0\0\0\0\0\0"
    chunk = struct.pack(">I", len(exif)) + b"eXIf" + exif + struct.pack(">I", zlib.crc32(b"eXIf" + exif))
    open("turned%d.png" % turn, "wb").write(data[:33] + chunk + data[33:])
END
turns() { # turns MODE
    local i
    for i in 1 2 3 4 5 6 7 8; do
        "$satblur" turned$i.png up.bmp --radius 0 --quiet && "$satblur" up.bmp up.png --radius 0 --quiet &&
            "$prog" "file-$1" up.png up.map && "$satblur" turned$i.png up.want.png --depth up.map --quiet &&
            "$satblur" turned$i.png o.png --depth-process "$prog $1" --quiet && cmp o.png up.want.png || { echo "$i"; return 1; }
    done
}
ok 'eight orientations' turns good
ok 'eight orientations, of numbers' turns npy

# --- Size -----------------------------------------------------------------------------------------
make png 300 90 3 8 noise:3 wide.png
fresh
run wide.png o.png --depth-process "$prog" --depth-size 100
ok '--depth-size' grep -q ' 100 30 ' log
make png 60 40 4 16 noise:4 deep.png
make png 60 40 1 8 noise:5 gray.png
for name in deep gray; do
    run $name.png o.png --depth-process "$prog"
    ok "RGB of 8 bits is handed over for $name.png" status_is 0
done

# --- Folders --------------------------------------------------------------------------------------
mkdir in maps
for i in 01 02 03 04 05 06 07 08 09 10 11 12; do
    make png 48 32 3 8 noise:$i in/$i.png
    "$prog" file in/$i.png maps/$i.png
done
run in wanted --depth-dir maps
fresh
run in out1 --depth-process "$prog" --jobs 4 --report r.jsonl
ok 'a folder by one process' eval 'status_is 0 && same_folders wanted out1 && count_starts 1 && count_maps 12'
ok 'the report names the program' report_has r.jsonl '"map_program": "map_program 1.0"' 12
fresh
run in out2 --depth-process "$prog slow" --jobs 6 --depth-jobs 3
ok 'by three' eval 'same_folders wanted out2 && [ $(lines starts) -le 3 ] && [ $(lines starts) -ge 2 ] && count_maps 12'
run in out3 --depth-command "$prog file {in} {out}" --jobs 4 --depth-jobs 4
ok 'by a command' same_folders wanted out3
fresh
run in out1 --depth-process "$prog" --resume
ok '--resume: nothing is made again' eval 'says "0 done, 12 skipped" && count_starts 0'
run in out1 --depth-process "$prog" --resume --depth-size 32
ok '--resume: another size is' eval 'says "12 done" && count_maps 12'
fresh
run in out4 --depth-process "$prog dies-at-3" --jobs 4
ok 'a program that dies costs one picture, and is started again' eval 'says "8 done, 0 skipped, 4 failed" && count_starts 4'
fresh
run in out5 --depth-process "$prog dies-always" --jobs 4
ok 'one that always dies is started four times' eval 'says "12 failed" && count_starts 4 && says "it failed 4 times in a row"'
run in out5 --depth-command 'none/at/all {in} {out}' --jobs 1
ok 'a command that cannot start is tried four times' eval 'says "12 failed" && says "it failed 4 times in a row, and is not started again; the last time it cannot be started"'
run in out6 --depth-process "$prog error-for-dark"
ok 'a picture without a map fails alone' eval 'status_is 1 && says "no depth in here" && [ "$(ls out6 | wc -l)" -gt 1 ]'
run in out7 --depth-process "$prog twice"
ok 'an answer too many' says 'it answered for picture 1 instead of 2'
run in out8 --depth-process "$prog deaf" --depth-timeout 2
ok 'a program that reads nothing' eval 'status_is 1 && says "made no map"'
"$satblur" in out10 --depth-process "$prog fds" --report - --jobs 4 > report 2> err 3>&- 4>&- 5>&- 6>&- 7>&- # ctest leaves one open
ok 'a program inherits standard streams alone' report_has report 'inherits nothing' 12
run in/01.png in/02.png out9/ --depth-process "$prog"
ok 'a list of pictures' eval 'cmp out9/01.png wanted/01.png && cmp out9/02.png wanted/02.png'

# --- Clips ----------------------------------------------------------------------------------------
mkdir frames depths
for i in 1 2 3 4 5; do
    make png 48 32 3 8 noise:$i frames/$i.png
    "$prog" file frames/$i.png depths/$i.png
done
mkdir clip.want clip
run frames/%d.png clip.want/%d.png --depth depths/%d.png --focus 0.5
fresh
run frames/%d.png clip/%d.png --depth-process "$prog" --jobs 4 --focus 0.5
ok 'a clip of five frames' eval 'same_folders clip.want clip && count_starts 1'
order() { for i in 1 2 3 4 5; do "$prog" file frames/$i.png m.png; done; tail -5 log | cut -d' ' -f 4 | cmp - <(head -5 log | cut -d' ' -f 4); }
ok 'in order' order
fresh
run frames/%d.png clip/%d.png --depth-process "$prog" --jobs 4 --focus 0.5 --resume
ok 'its --resume makes nothing' eval 'status_is 0 && count_maps 0'
rm clip/3.png
run frames/%d.png clip/%d.png --depth-process "$prog" --jobs 4 --focus 0.5 --resume
ok 'or what is missing' eval 'same_folders clip.want clip'
run frames/%d.png one.png --depth-process "$prog" --frame 2 --focus 0.5
ok 'one frame' cmp one.png clip.want/3.png
run frames/%d.png clip/%d.png --depth-process "$prog dies-at-3" --jobs 4 --focus 0.5
ok 'a clip without a map for a frame fails' eval 'status_is 1 && says "frame 2: .*made no map"'
mattes() { # mattes WANTED ARGUMENTS...: of two frames at a time; a clip that waits for ever ends by no other signal
    local wanted=$1
    shift
    rm -f clip/*
    timeout -s KILL 20 "$satblur" frames/%d.png clip/%d.png --jobs 2 --focus 0.5 --quiet "$@" && same_folders "$wanted" clip
}
both=(--depth-process "$prog" --matte-command "$prog file {in} {out}")
mkdir mattes.want
run frames/%d.png mattes.want/%d.png --depth depths/%d.png --matte depths/%d.png --focus 0.5
ok 'mattes alone come from a program' mattes mattes.want --depth depths/%d.png "${both[@]:2}"
ok 'maps and mattes come from two programs' mattes mattes.want "${both[@]}"
rm mattes.want/*
run frames/%d.png mattes.want/%d.png --matte depths/%d.png --focus 0.5
ok 'mattes alone, without maps' mattes mattes.want "${both[@]:2}"

# --- Kills ----------------------------------------------------------------------------------------
wait_for() { for _ in $(seq 100); do [ -s "$1" ] && return 0; sleep 0.02; done; return 1; }
fresh
"$satblur" photo.png o.kill.png --depth-process "$prog hangs" --quiet & pid=$!
wait_for starts && sleep 0.2
kill -TERM $pid; wait $pid 2> /dev/null
sleep 0.1
ok 'SIGTERM leaves nothing' eval 'clean && gone'
fresh
"$satblur" photo.png o.kill.png --depth-process "$prog hangs" --quiet & pid=$!
wait_for starts && sleep 0.2
run photo.png o.png --depth-process "$prog"
ok 'a run leaves the folder of another' eval 'cmp o.png want.png && [ "$(ls "$TMPDIR" | wc -l)" = 1 ]'
kill -KILL $pid; wait $pid 2> /dev/null
ok 'kill -9 leaves a folder' eval '[ "$(ls "$TMPDIR" | wc -l)" = 1 ]'
mkdir -p "$TMPDIR"/satblur-maps-killed/inner "$TMPDIR/mine"
touch "$TMPDIR"/satblur-maps-killed/inner/x
ln -s "$work" "$TMPDIR/satblur-maps-link"
run photo.png o.png --depth-process "$prog"
ok 'the next run removes it, and nothing else' eval '[ "$(ls "$TMPDIR" | tr "\n" " ")" = "mine satblur-maps-link " ] && [ -e photo.png ]'
rm -r "$TMPDIR/mine" "$TMPDIR/satblur-maps-link"
kill -KILL $(cat starts) 2> /dev/null
printf '#!/bin/sh\necho $$ >> "$MAP_STARTS"\nexec sleep 60\n' > stays && chmod +x stays
mkdir many
for i in $(seq 100 160); do ln -s ../in/01.png many/$i.png; done
ends() { # the second signal ends the run, while threads start programs for the next pictures
    for i in 1 2 3 4 5 6; do
        : > starts
        "$satblur" many ended --depth-command "$work/stays {in} {out}" --jobs 8 --depth-jobs 8 --quiet & pid=$!
        wait_for starts && sleep 0.05
        kill -TERM $pid; sleep 0.02; kill -TERM $pid; wait $pid
        sleep 0.1
        clean && gone || return 1
    done 2> /dev/null
}
ok 'SIGTERM leaves nothing of a folder' ends
fresh
begin=$(date +%s)
"$satblur" many ended --depth-command "$work/stays {in} {out}" --quiet 2> err & pid=$!
wait_for starts
kill -TERM $pid; wait $pid 2> /dev/null
ok 'one SIGTERM gives a program some seconds' eval '[ $(($(date +%s) - begin)) -le 20 ] && says "a signal stops this run" && clean && gone'
kill -KILL $(cat starts) 2> /dev/null
storm() {
    for i in 1 2 3 4 5 6 7 8; do
        "$satblur" in storm --depth-process "$prog" --jobs 3 --depth-jobs 2 --quiet 2> /dev/null & pid=$!
        sleep 0.0$((RANDOM % 9 + 1)); sleep 0.1
        kill -KILL $pid; wait $pid
    done 2> /dev/null
    sleep 0.2 # the last program ends
    "$satblur" in storm --depth-process "$prog" --resume --quiet && same_folders wanted storm && clean
}
ok 'a storm of kills' storm
if command -v strace > /dev/null && strace -o trace true 2> /dev/null; then
    rm -f o.png
    strace -f -o trace -e trace=network "$satblur" photo.png o.png --depth-process "$prog" --quiet
    ok 'no network' eval 'cmp o.png want.png && ! grep -E "AF_INET|AF_NETLINK" trace'
else
    skip 'NETWORK CALLS WERE NOT LOOKED FOR: strace is missing'
fi
