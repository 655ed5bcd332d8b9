#!/bin/bash
# The configuration file: options for all runs, and what is refused in it. cli_config.sh SATBLUR MKIMAGE
. "$(dirname "$0")/program/program_case.sh"
export XDG_CONFIG_HOME=$work/etc
mkdir -p etc/satblur home/.config/satblur
file=$work/etc/satblur/config prog=$here/program/map_program.py
config() { printf '%s\n' "$@" > "$file"; }
make png 60 40 3 8 noise:1 photo.png
make png 60 40 1 8 ramp map.png
"$prog" file photo.png made.png
want() { run "$1" want.png "${@:2}" --no-config; }
gives() { run photo.png o.png "$@" && cmp o.png want.png; }

# --- A program for all photos ---------------------------------------------------------------------
want photo.png --depth made.png
config '# my model' '' "  depth-process =  $prog  " "depth-cache=$work/cache" 'quiet'
"$satblur" photo.png o.png > printed 2>&1
ok 'a photo and nothing else, quietly' eval 'cmp o.png want.png && [ ! -s printed ]'
config "depth-process = $prog"
ok 'a note says which map' eval 'gives && says "no operation is given\|the map that map_program 1.0 made is used"'
ok 'again by --depth auto' gives --depth auto
run photo.png o.png
ok 'a note names the file and what it sets' says "^satblur: $file sets --depth-process$"
run photo.png o.png --radius 3
ok 'but not what is ignored' eval '! says "config sets"'
mkdir in
cp photo.png in/
run in to
ok 'a folder' cmp to/photo.png want.png
run in to --report r.jsonl
ok 'the report names the file and what it sets' report_has r.jsonl "\"summary\": true.*\"config\": \"$file sets --depth-process\"" 1
run in to --report r.jsonl --radius 2
ok 'but not without one' report_has r.jsonl '"summary": true.*"config"' 0
run photo.png to2/
ok 'a picture for a folder' cmp to2/photo.png want.png
run photo.png o.none.png --no-config
ok '--no-config' eval 'status_is 1 && says "carries no depth map"'
config "depth-command = $prog file {in} {out}"
ok 'a command' gives
ok 'the command line comes first' gives --depth-process "$prog"
config "depth-process = /dev/null/none" "matte-command = /dev/null/none {in} {out}"
want photo.png --depth map.png
ok '--depth comes first' gives --depth map.png
want photo.png --matte map.png
ok '--matte, too' gives --matte map.png
want photo.png --radius 3
ok 'and --radius' gives --radius 3
run photo.png --stats
ok 'and --stats' status_is 0
config "matte-command = $prog file {in} {out}"
want photo.png --matte made.png
ok 'a program of mattes' gives
config "depth-process = $prog" "matte-command = $prog file {in} {out}"
want photo.png --depth made.png --matte made.png
ok 'maps and mattes' gives
config "depth-process = $prog with-matte"
"$prog" file-with-matte photo.png both.png
want photo.png --depth both.png --matte both.png.matte
ok 'a matte with the map' gives

# --- Any option -----------------------------------------------------------------------------------
config 'max-radius = 5%' 'quality = 50' 'focus=0.25' 'jobs = 3' 'video-codec = hevc' 'threads = 1'
want photo.png --depth map.png --max-radius 5% --focus 0.25
ok 'numbers' gives --depth map.png
want photo.png --depth map.png --max-radius 2 --focus 0.25
ok 'a number of the command line' gives --depth map.png --max-radius 2
want photo.png --depth map.png --fstop 2 --focal 50 --distance 1,9 --focus 0.25
ok 'a lens instead of a radius' gives --depth map.png --fstop 2 --focal 50 --distance 1,9
want photo.png --depth map.png --max-radius 5% --focus-at 3,3
ok 'a pixel instead of a focus' gives --depth map.png --focus-at 3,3
want photo.png --radius 2
ok 'what has no place is ignored' gives --radius 2
run photo.png o.jpg --radius 2
cp o.jpg config.jpg
run photo.png o.jpg --radius 2 --quality 50 --no-config
ok 'quality' cmp o.jpg config.jpg
config 'dof-preset = portrait'
want photo.png --depth map.png --dof-preset portrait
ok 'a preset' gives --depth map.png
config 'gamma' 'verbose'
want photo.png --depth map.png --gamma
ok 'flags' gives --depth map.png
ok '--quiet instead of verbose' eval 'gives --depth map.png --quiet && silent'
printf 'max-radius = 5%%\r\nfocus = 0.25' > "$file"
want photo.png --depth map.png --max-radius 5% --focus 0.25
ok 'lines of DOS, and no last newline' gives --depth map.png
unset XDG_CONFIG_HOME
HOME=$work/home
cp "$file" home/.config/satblur/config
ok '~/.config' gives --depth map.png
XDG_CONFIG_HOME=relative gives --depth map.png
ok 'a folder that is not absolute does not count' cmp o.png want.png
HOME=/dev/null/none
want photo.png --depth map.png
ok 'no file' gives --depth map.png
export XDG_CONFIG_HOME=$work/etc

# --- Refused --------------------------------------------------------------------------------------
bad() { # bad NAME PATTERN LINE...
    config "${@:3}"
    refused "$1" 2 "$2" photo.png o.png --depth map.png
}
bad 'an unknown option' "config:2: unknown option '--max-radios'; did you mean --max-radius" '# first' 'max-radios = 3'
bad 'dashes' "config:1: unknown option" '--max-radius = 3'
bad 'a value that is none' 'config:1: --max-radius lots: expected pixels' 'max-radius = lots'
bad 'no value' 'config:1: --max-radius needs a value' 'max-radius'
bad 'an empty value' 'config:3: --depth-process' '' '' 'depth-process ='
bad 'a value too many' 'config:1: gamma takes no value' 'gamma = yes'
bad 'twice' 'config:3: quality is set in line 1, too' 'quality = 3' 'gamma' 'quality = 4'
for option in 'depth = map.png' 'matte = m.png' 'radius = 3' 'stats' 'report = r.jsonl' 'resume' 'help' 'version' 'page = p' 'no-config' \
    'histogram = h.png' 'depth-dir = d' 'files-from = f' 'frame = 3' 'focus-at = 1,2' 'format = jpg' 'suffix = x'; do
    bad "$option" "config:1: ${option%% *} applies to one run only; give --${option%% *} on the command line" "$option"
done
bad 'a contradiction names the line' 'config:1 sets --method, and --no-config ignores it' 'method = gather' 'bokeh = disc'
printf 'quality = 3\0\n' > "$file"
refused 'no text' 2 'config: is not a text file' photo.png o.png --radius 1
head -c 70000 /dev/zero | tr '\0' '#' > "$file"
refused 'too long' 2 'has more than 65536 bytes' photo.png o.png --radius 1
rm "$file"
mkdir "$file"
refused 'a folder' 2 'is not a regular file; --no-config ignores it' photo.png o.png --radius 1
run --help
ok '--help does without' status_is 0
run --version
ok '--version does without' status_is 0
ok 'and so does --no-config' eval 'run photo.png o.png --radius 1 --no-config && status_is 0'
