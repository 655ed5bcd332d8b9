#!/bin/bash
# Pictures and maps through standard input and output: the same bytes as through files, nothing else on standard
# output, and nothing at all there after an error.    cli_pipes.sh SATBLUR MKIMAGE
. "$(dirname "$0")/cli_case.sh"

pipe() { # pipe INPUT ARGUMENTS...: standard input is that file
    local input=$1
    shift
    "$satblur" "$@" > out 2> err < "$input"
    status=$?
}
refused_pipe() { # refused_pipe NAME STATUS PATTERN INPUT ARGUMENTS...
    local name=$1 want=$2 pattern=$3
    shift 3
    pipe "$@"
    one_error() { status_is "$want" && [ "$(wc -l < err)" = 1 ] && says "$pattern" && [ ! -s out ] && no_leftover; }
    ok "$name" one_error
}

make png 64 48 3 8 noise:1 photo.png
make png 64 48 1 8 noise:2 map.png
make png 64 48 1 8 noise:3 matte.png
run photo.png photo.ppm --radius 0
run photo.png want.png --radius 2
run photo.png want.jpg --radius 2
run photo.png depth.png --depth map.png --quiet
run photo.png matted.png --matte matte.png --quiet

# --- The same bytes -------------------------------------------------------------------------------
pipe photo.png - - --radius 2
ok 'both: the format of the input' cmp out want.png
ok 'both: no note' silent
pipe photo.png - - --radius 2 --format jpg
ok 'both, --format jpg' cmp out want.jpg
pipe photo.ppm - - --radius 2 --format png
ok 'a PPM becomes a PNG' cmp out want.png
pipe photo.png - o.png --radius 2
ok 'INPUT alone' cmp o.png want.png
pipe /dev/null photo.png - --radius 2
ok 'OUTPUT alone' cmp out want.png
pipe map.png photo.png o.png --depth - --quiet
ok '--depth -' cmp o.png depth.png
pipe matte.png photo.png - --matte - --quiet
ok '--matte -' cmp out matted.png
run photo.png radius.png --radius-map map.png --max-radius 4 --quiet
pipe map.png photo.png - --radius-map - --max-radius 4 --quiet
ok '--radius-map -' cmp out radius.png
cat photo.png | "$satblur" - - --radius 2 2> err | cat > out
ok 'pipes on both sides' cmp out want.png
pipe photo.png - - --radius 2 --timings
ok '--timings goes to standard error' cmp out want.png
pipe photo.png - --stats=json
ok '--stats of standard input' python3 -c 'import json; json.load(open("out"))'
pipe photo.png - - --depth map.png
ok 'notes go to standard error' cmp out depth.png
pipe photo.png - - --depth map.png --verbose
ok 'a note names the map' says '^satblur: map.png: 8-bit gray'

# --- A file with that name ------------------------------------------------------------------------
cp photo.png ./-
pipe /dev/null ./- o.png --radius 2
ok './- is a file' cmp o.png want.png
mkdir 'standard input' && cp photo.png 'standard input/a.png'
pipe photo.png - - --radius 2
ok 'a folder with the name of the messages is none of the streams' cmp out want.png
pipe /dev/null 'standard input' folder --radius 2
ok 'and is read as a folder' cmp folder/a.png want.png
rm -r ./- 'standard input' folder

# --- Refusals -------------------------------------------------------------------------------------
refused_pipe 'INPUT and --depth' 2 'INPUT and --depth are both -.*name a file for one' photo.png - - --depth -
refused_pipe '--depth and --matte' 2 '--depth and --matte are both -' map.png photo.png o.png --depth - --matte -
refused_pipe '--stats beside OUTPUT -' 2 'OUTPUT is -, but --stats also prints' photo.png - - --radius 2 --stats
refused_pipe 'a list and a picture' 2 'INPUT and --files-from are both -' photo.png - out --radius 2 --files-from -
mkdir folder && cp photo.png folder
refused_pipe 'a folder into standard output' 2 'standard output can take only one picture; name a folder' photo.png folder - --radius 2
refused_pipe 'a report and OUTPUT -' 2 'OUTPUT is -, but --report - also prints' photo.png folder - --radius 2 --report -
refused_pipe 'a map for a folder' 2 '.-. can be only one picture' map.png folder out --depth -
refused_pipe 'nothing to read' 1 'standard input: the file is empty' /dev/null - - --radius 2
echo text > text
refused_pipe 'no picture' 1 'standard input: not a picture' text - - --radius 2
head -c 2000 photo.png > cut.png
refused_pipe 'a picture that is cut off' 1 'standard input: the PNG is cut off' cut.png - - --radius 2
refused_pipe '--format without OUTPUT -' 2 '--format is for folders and for OUTPUT -' photo.png - o.png --radius 2 --format png
refused_pipe 'an unknown format' 2 '--format gif: expected' photo.png - - --radius 2 --format gif
make png 64 48 4 16 noise:1 deep.png
refused_pipe 'a format that cannot hold it' 1 'standard output: PGM holds only gray' deep.png - - --radius 2 --format pgm

# --- Errors of the stream -------------------------------------------------------------------------
"$satblur" photo.png - --radius 2 2> err > /dev/full
status=$?
ok 'a full device' status_is 1
ok 'a full device: the line' says 'standard output cannot be written: No space left'
make png 700 500 3 8 noise:1 large.png
{ "$satblur" large.png - --radius 2 2> err; echo $? > broken; } | true
status=$(cat broken)
ok 'a reader that has gone' status_is 1
ok 'a reader that has gone: the line' says 'standard output cannot be written: Broken pipe'
"$satblur" photo.png - --radius 2 2> err >&-
status=$?
ok 'standard output is closed' status_is 1
