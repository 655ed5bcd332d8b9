#!/bin/bash
# How the program speaks: two short lines on a run, answers to wrong words, units, and what it replaces.
#   cli_manners.sh SATBLUR MKIMAGE
. "$(dirname "$0")/cli_case.sh"

make png 160 120 3 8 noise:1 photo.png
make png 160 120 1 8 ramp depth.png
make png 160 120 1 8 step matte.png

# --- Notes ----------------------------------------------------------------------------------------
note() { # note LINES "WHAT IS SHARP" "REMEDIES" OPTIONS...: without --verbose
    local lines=$1 sharp=$2 remedies=$3
    shift 3
    "$satblur" photo.png o.png "$@" 2> err
    said() {
        [ "$(wc -l < err)" = "$lines" ] && [ "$(wc -L < err)" -le 140 ] && says "^satblur: focus $sharp; blur radius: largest [0-9.]* px\( (--max-radius [^)]*)\)*\$" &&
            { [ -z "$remedies" ] || grep -qxF "satblur: not right? $remedies" err; }
    }
    ok "note: $*" said
}
pick='--focus-at X,Y to refocus' strength='--max-radius 4% for twice the blur' swap='--near black if near and far are swapped'
note 2 '0[.][0-9]*, the subject at pixel [0-9]*,[0-9]*' "$pick, $strength, $swap" --depth depth.png
note 2 '0[.][0-9]*, the subject at pixel [0-9]*,[0-9]*' "$pick" --depth depth.png --near white --max-radius 4
note 1 '0.500, where 0 is far and 1 near' '' --depth depth.png --focus 0.5 --near black --max-radius 3
note 2 '0[.][0-9]*, 2 m away' "$strength, $swap" --depth depth.png --focus 2m --distance 1,9
note 2 'on the subject, 50% of the picture' "--focus 0 to blur the subject instead, $strength" --matte matte.png
note 2 'on a band from 50 to 70% of the height' "$strength" --tilt-shift 0,0.6,0.2
note 2 'on a band from 49 to 61% of the height' "--tilt-shift A,P,W to move the band, --max-radius 5% for twice the blur" --dof-preset miniature
note 1 'on the plane through 10,10, 150,20 and 80,100' '' --depth depth.png --focus-plane 10,10,150,20,80,100 --max-radius 4 --near white
note 2 '0[.][0-9]*, 2 m away' "a smaller --fstop for more blur, $swap" --depth depth.png --focus 2m --distance 1,9 --fstop 1.8 --focal 50
note 2 '0[.][0-9]*, the subject at pixel [0-9,]*, [0-9.]* m away, if the map spans 1 to 10 m' "$pick, $strength, $swap" \
    --depth depth.png --depth-type linear
"$satblur" photo.png o.png --depth depth.png --focus 0.5 --max-radius 40 2> err
ok 'the radius that --max-radius allows' says ' radius: largest 2[0-9.]* px (--max-radius allows 40 px)$'
run photo.png o.png --depth depth.png
cp err verbose.err
"$satblur" photo.png o.png --depth depth.png -v 2> err
ok '-v is --verbose' cmp err verbose.err
ok '--verbose adds the details' says '^satblur: depth.png: 8-bit gray, disparity (assumed), near = white (assumed); focus'
"$satblur" photo.png o.png --depth depth.png -q 2> err
ok '-q is --quiet' silent
refused '--quiet and --verbose' 2 'exclude each other' photo.png o.png --radius 2 --quiet --verbose
"$satblur" photo.png o.png --radius-map depth.png --max-radius 5 2> err
ok 'a radius map: one line' grep -qxF 'satblur: blur: a radius of 0 where depth.png is black, 5 px where it is white' err
make png 160 60 1 8 ramp wide.png
"$satblur" photo.png o.png --depth wide.png 2> err
ok 'a map of other proportions: still doubted' says 'so it is stretched'
mkdir in && cp photo.png in
"$satblur" in made --matte matte.png --report r.jsonl 2> err
ok 'a report has the details, and not the remedies' \
    grep -qE '"message": "matte.png: matte, 8-bit gray, subject on 50.0% .*, largest [0-9.]+ px"' r.jsonl

# --- The stage on a terminal ----------------------------------------------------------------------
terminal() { # terminal FILE COMMAND: FILE gets what the command prints there
    script -qec "$2" "$1" > /dev/null < /dev/null
}
late() { sleep 2.7; cat photo.png; } # a slow pipe makes the work long
if command -v script > /dev/null; then
    mkfifo slow slow2
    late > slow &
    late > slow2 &
    terminal quiet.out "'$satblur' - o.png --radius 3 --quiet < slow2" &
    terminal typed "'$satblur' - o2.png --radius 3 < slow"
    wait
    ok 'after two seconds a terminal shows the stage' grep -q 'satblur: reading, 2 s' typed
    erased() { tr '\r' '\n' < typed | grep -A1 reading | tail -1 | grep -q $'^\033\\[K' && [ -f o2.png ]; }
    ok 'and it is erased' erased
    ok '--quiet shows none' test -z "$(grep reading quiet.out)"
    terminal typed "'$satblur' photo.png o.png --radius 3"
    ok 'a quick run shows none' test -z "$(grep -E 'reading|computing' typed)"
else
    skip 'the stage on a terminal: script is not here'
fi

# --- Wrong words ----------------------------------------------------------------------------------
answers() { # answers WORD... ANSWER: the last is a part of the line
    local answer=${*: -1}
    set -- "${@:1:$#-1}"
    refused "$*" 2 "$answer" photo.png o.png --depth depth.png "$@"
}
answers --aperture 2.8 "^satblur: unknown option '--aperture'; --fstop N sets the lens opening\$"
answers --blur=9 '; --radius R blurs evenly, and --depth MAP'
answers --strength 4 '; --max-radius N sets the strength'
answers --invert '; --near black swaps near and far'
answers --gpu '; --device cuda'
answers --output x.png "'o.png' is one file too many, because 'x.png' is not a folder"
answers --output '--output needs a value'
answers -f "'-f'; 'satblur --help=all' lists"
answers -r 5 '; --radius R blurs evenly$'
answers -output x.png 'did you mean --output?'
answers -i x.png '; name INPUT'
answers -quality 90 'did you mean --quality?'
answers --max_radius 4 'did you mean --max-radius?'
answers --device gpu "'cuda:all'; did you mean 'cuda'?"
answers --depth-from depthanything "did you mean 'depth-anything'?"
answers --near dark "did you mean 'black'?"
answers --bokeh dics "did you mean 'disc'?"
answers --bokeh x "expected 'disc', 'square' or 'smooth'\$"
answers -o '-o needs a value'
answers -o --radius 3 '-o needs a value'
answers -ox.png 'give OUTPUT after a space: -o OUTPUT'
run photo.png -o o.png --radius 2
run photo.png o2.png --radius 2
ok '-o names OUTPUT' cmp o.png o2.png
run photo.png --output o3.png --radius 2
ok '--output, too' cmp o.png o3.png
rm o3.png
run -o o3.png photo.png --radius 2
ok '-o before INPUT' cmp o.png o3.png
answers -o x.png "'o.png' is one file too many, because 'x.png' is not a folder"

same_help() { "$satblur" $1 | cmp - <("$satblur" $2); }
ok '--help SECTION' same_help '--help depth' --help=depth
ok 'help' same_help help --help
ok 'help SECTION' same_help 'help depth' --help=depth
ok '--help beside a file' same_help 'photo.png --help' --help
run photo.png o.png --radius 2 --quality 20
ok '--quality of a PNG' says '^satblur: PNG has no quality, so --quality changes nothing$'
run photo.png o.jpg --radius 2 --compression 9
ok '--compression of a JPEG' says '^satblur: JPEG has no compression level, so --compression changes nothing$'
run photo.png o.jpg --depth depth.png --compression 9 --dump-coc coc.png
ok '--compression of a figure' test -z "$(grep 'changes nothing' err)"

# --- Units ----------------------------------------------------------------------------------------
equal() { # equal WITH-UNIT PLAIN OPTIONS...: --NAME=VALUE twice
    local with=$1 plain=$2
    shift 2
    run photo.png o.png "$with" "$@"
    "$satblur" photo.png o2.png "$plain" "$@" --quiet
    ok "$with is $plain" cmp o.png o2.png
}
equal --radius=3px --radius=3
equal --radius=2px,5px --radius=2,5
equal --radius=2.5% --radius=4
equal --radius=5%,2.5% --radius=8,4
equal --max-radius=9px --max-radius=9 --depth depth.png
equal --focus=30% --focus=0.3 --depth depth.png
equal --tilt-shift=10deg,60%,20% --tilt-shift=10,0.6,0.2
equal --fstop=f/1.8 --fstop=1.8 --focal 50mm --sensor 36mm --distance 1m,9m --depth depth.png
equal --near-scale=0.5x --near-scale=50% --depth depth.png
equal --vignette=80% --vignette=0.8 --depth depth.png
equal --spherical=-50% --spherical=-0.5 --depth depth.png
for wrong in --radius=3mm --radius=2px% --radius=101% --radius=2%,3; do
    refused "$wrong" 2 'expected pixels' photo.png o.png "$wrong"
done
refused '--fstop=1.8mm' 2 'expected an f-number' photo.png o.png --depth depth.png --fstop=1.8mm
refused '--vignette=8px' 2 'expected a number' photo.png o.png --depth depth.png --vignette=8px
refused '--vignette=180%' 2 'expected a number' photo.png o.png --depth depth.png --vignette=180%
rm -rf made
run in made --radius 3
run in made --radius 3px --resume
ok '--resume: a unit changes nothing' says '0 done, 1 skipped'

# --- What is replaced -----------------------------------------------------------------------------
cp photo.png own.png
"$satblur" own.png own.png --radius 1 2> err
ok 'INPUT as OUTPUT is said' grep -qxF 'satblur: own.png is INPUT and OUTPUT, so it will be replaced' err
cp photo.png taken.png
keeps() { # keeps NAME FILE ARGUMENTS...
    local name=$1 file=$2
    shift 2
    cp "$file" before
    refused "--no-clobber: $name" 1 "$file exists, and --no-clobber keeps it; name another file" "$@" --no-clobber
    ok "--no-clobber: $name stays" cmp "$file" before
}
keeps OUTPUT taken.png photo.png taken.png --radius 2
keeps 'OUTPUT that is INPUT' photo.png photo.png photo.png --radius 2
keeps --dump-coc taken.png photo.png o.png --depth depth.png --dump-coc taken.png
cp r.jsonl taken.jsonl
keeps --report taken.jsonl in o.dir --radius 2 --report taken.jsonl
(sleep 0.5; cp taken.jsonl taken2.png; cat photo.png) | "$satblur" - taken2.png --radius 2 --no-clobber 2> err
status=$?
ok '--no-clobber: a file that comes up during the run stays' eval 'status_is 1 && says "taken2.png exists" && cmp taken2.png taken.jsonl && no_leftover'
run photo.png new.png --radius 2 --no-clobber
ok '--no-clobber writes what is new' status_is 0
cp photo.png in/b.png
cp photo.png made/b.png
run in made --radius 9 --no-clobber
skipped() { status_is 0 && says '0 done, 2 skipped' && says '2 outputs were already there, and --no-clobber kept them' && cmp made/b.png photo.png; }
ok '--no-clobber skips in a folder' skipped
mkdir frames done && cp photo.png frames/1.png && cp photo.png done/1.png
keeps 'a frame' done/1.png frames/%d.png done/%d.png --radius 2

# --- Pictures into a folder -----------------------------------------------------------------------
rm -rf in made && mkdir in to maps deep deep/in && cp photo.png in/a.png && cp own.png in/b.png
cp depth.png maps/a.png && cp depth.png maps/b_depth.png && cp photo.png deep/in/a.png
run photo.png to --radius 2
run photo.png o.png --radius 2
ok 'a picture into a folder' cmp to/photo.png o.png
run in/a.png in/b.png to/ --depth maps --report to.jsonl --jobs 2
run in made --depth-dir maps
rm to/photo.png
ok 'pictures into a folder are those of a folder' same_folders to made
ok 'their report' report_has to.jsonl '"map": "maps/.*"status": "done"' 2
run in/*.png to --depth maps --resume
ok '--resume' says '0 done, 2 skipped'
run in/a.png -o new/ --radius 2
ok 'a folder that is made' test -f new/a.png
cp depth.png in/a_depth.png && cp depth.png in/b_depth.png
mkdir beside
(cd in && "$satblur" ./*.png ../beside --depth .) 2> err
cp err beside.err
run in beside2 --depth-dir in
maps_beside() { same_folders beside beside2 && grep -q '2 done, 0 skipped, 0 failed' beside.err; }
ok 'maps beside the pictures' maps_beside
run .//in/a.png ./in/a.png in/a.png ././in/b.png plain/ --radius 2
once() { status_is 0 && says '2 done' && count_is plain 2; }
ok 'a picture in several spellings is one' once
refused 'two inputs of one name' 1 'would both be written to to/a.png' in/a.png deep/in/a.png to --radius 2
refused 'a picture as a folder' 1 'photo.png/ is a file; name a folder as OUTPUT' photo.png photo.png/ --radius 2
refused 'an input in the folder' 1 'is an input and would be replaced' in/a.png in --radius 2
refused 'no folder yet' 2 "'nowhere' is not a folder; give 'nowhere/' to make it a folder for 2 pictures" in/a.png in/b.png nowhere --radius 2
refused 'a map without its option' 2 "'depth.png' is one file too many; if it is the depth map, give --depth depth.png" \
    photo.png o.png depth.png
refused '--recursive' 2 'is for folders' in/a.png in/b.png to --radius 2 --recursive
refused 'a folder among them' 2 "'deep' is a folder among several inputs; leave it out" in/a.png deep to --radius 2
refused 'maps without --depth-dir' 2 "'in/' is a folder among .* --depth-dir DIR" in/ nowhere maps/
ok 'nothing is written among the maps' test ! -e maps/.satblur.done
run in/a.png in/nope.png to --depth maps
ok 'a picture that does not exist' says '^satblur: in/nope.png: cannot be opened: No such file'
run in/a.png photo.png to --radius 2 --format webpx
ok 'a format that is none' status_is 2

# --- Notes on a folder ----------------------------------------------------------------------------
says_not() { ! says "$1"; }
mkdir pics wides && cp photo.png pics/a.png && cp photo.png pics/b.png
cp wide.png wides/a.png && cp depth.png wides/b.png
"$satblur" pics soft --depth-dir wides 2> err
ok 'a folder: warnings are printed, with the name' says '^satblur: pics/a.png: wides/a.png: .* so it is stretched$'
ok 'pictures with warnings are counted' says '^satblur: 1 picture has warnings; --report FILE.jsonl records them$'
ok 'details are not printed' says_not 'pics/b.png'
"$satblur" pics soft --depth-dir wides -v 2> err
ok '--verbose prints the details' says '^satblur: pics/b.png: wides/b.png: 8-bit gray, disparity (assumed)'
ok 'and counts warnings alone' says '^satblur: 1 picture has warnings'
"$satblur" pics soft --depth-dir wides --quiet 2> err
ok '--quiet prints neither' silent
mkdir many many_wides
for i in 1 2 3 4 5; do cp photo.png many/$i.png && cp wide.png many_wides/$i.png; done
stretches() { [ "$(grep -c "$1many_wides/.*is stretched$" err)" = "$2" ]; }
"$satblur" many soft --depth-dir many_wides --report all.jsonl 2> err
ok 'a note that many pictures have is printed once' stretches '^satblur: many/.*' 1
ok 'and the number of pictures at the end' says '^satblur: 4 more pictures (many/..png, many/..png, many/..png, ...) have a note like this: many/..png: many_wides/..png: .*is stretched$'
ok '--report has it for each' test "$(grep -c '"message": "many_wides/.*is stretched' all.jsonl)" = 5
"$satblur" many soft --depth-dir many_wides -v 2> err
ok '--verbose prints it for each' stretches '' 5
"$satblur" pics/a.png o.png --depth wide.png 2> one
"$satblur" pics/a.png soft/ --depth wide.png 2> err
same_lines() { [ "$(wc -l < one)" = 3 ] && head -3 err | cmp - one && says_not 'has warnings'; }
ok 'one picture into a folder: the lines of one picture' same_lines

# --- Options without their map --------------------------------------------------------------------
needs='needs --depth MAP, --matte MASK or --tilt-shift A,P,W$'
refused '--focus-at without a map' 2 '^satblur: --focus-at needs --depth MAP or --matte MASK$' photo.png --focus-at 1,2
refused '--focus-at, the photo has no map' 1 'photo.png: carries no depth map, and --focus-at needs' photo.png o.png --focus-at 1,2
refused '--focus-view without a map' 1 "photo.png: carries no depth map, and --focus-view $needs" photo.png --focus-view o.v.png
refused '--dof-preset without a map' 1 "and --dof-preset $needs" photo.png o.png --dof-preset portrait --quiet
refused 'pictures without an operation' 2 'nothing to do; give --depth embedded' in/a.png in/b.png to/
refused 'pictures, and an option without a map' 2 "^satblur: --dof-preset $needs" in/a.png in/b.png to/ --dof-preset portrait --quiet
