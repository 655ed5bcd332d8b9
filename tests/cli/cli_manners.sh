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
        [ "$(wc -l < err)" = "$lines" ] && [ "$(wc -L < err)" -le 140 ] && says "^satblur: in focus: $sharp; blur up to a radius of [0-9.]* px\$" &&
            { [ -z "$remedies" ] || grep -qxF "satblur: if that is wrong: $remedies" err; }
    }
    ok "note: $*" said
}
pick='--focus-at X,Y focuses on another pixel' strength='--max-radius 4% sets the strength' swap='--near black swaps near and far'
note 2 'the subject found at pixel [0-9]*,[0-9]*' "$pick, $strength, $swap" --depth depth.png
note 2 'the subject found at pixel [0-9]*,[0-9]*' "$pick" --depth depth.png --near white --max-radius 4
note 1 'depth 0.5, where 0 is far and 1 near' '' --depth depth.png --focus 0.5 --near black --max-radius 3
note 2 'objects 2 m away' "$strength, $swap" --depth depth.png --focus 2m --distance 1,9
note 2 'the subject, 50 % of the picture' "--focus 0 blurs the subject instead, $strength" --matte matte.png
note 2 'a band from 50 to 70 % of the height' "$strength" --tilt-shift 0,0.6,0.2
note 2 'a band from 49 to 61 % of the height' "--tilt-shift A,P,W moves the band, $strength" --dof-preset miniature
note 1 'the plane through 10,10, 150,20 and 80,100' '' --depth depth.png --focus-plane 10,10,150,20,80,100 --max-radius 4 --near white
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
    grep -qE '"message": "matte.png: matte, 8-bit gray, subject on 50.0 % .*, largest [0-9.]+ px"' r.jsonl

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
answers --output x.png '; name OUTPUT after INPUT, or give -o'
answers -output x.png '; name OUTPUT after INPUT, or give -o'
answers -i x.png '; name INPUT'
answers -quality 90 'did you mean --quality?'
answers --max_radius 4 'did you mean --max-radius?'
answers --device gpu "'cuda:all'; did you mean 'cuda'?"
answers --depth-from depthanything "did you mean 'depth-anything'?"
answers --near dark "did you mean 'black'?"
answers --bokeh dics "did you mean 'disc'?"
answers --bokeh x "expected 'disc', 'square' or 'smooth'\$"
answers -o '-o needs a value'
run photo.png -o o.png --radius 2
run photo.png o2.png --radius 2
ok '-o names OUTPUT' cmp o.png o2.png
run -o o3.png photo.png --radius 2
ok '-o before INPUT' cmp o.png o3.png
answers -o x.png "'o.png' is one file too many, because 'x.png' is not a folder"

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
ok 'INPUT as OUTPUT is said' grep -qxF 'satblur: own.png is INPUT and OUTPUT, so it is replaced' err
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
run in beside2 --depth-dir in
ok 'maps beside the pictures' same_folders beside beside2
refused 'two inputs of one name' 1 'would both be written to to/a.png' in/a.png deep/in/a.png to --radius 2
refused 'an input in the folder' 1 'is an input and would be replaced' in/a.png in --radius 2
refused 'no folder' 2 'one file too many' in/a.png in/b.png nowhere --radius 2
refused '--recursive' 2 'is for folders' in/a.png in/b.png to --radius 2 --recursive
run in/a.png deep to --radius 2
one_fails() { status_is 1 && says 'deep: ' && says '1 done, 0 skipped, 1 failed'; }
ok 'a folder among them fails alone' one_fails
run in/a.png photo.png to --radius 2 --format webpx
ok 'a format that is none' status_is 2

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
