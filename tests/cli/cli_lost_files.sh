#!/bin/bash
# No run writes over what it reads, and no file twice, however the names are spelled or linked.
#   cli_lost_files.sh SATBLUR MKIMAGE
. "$(dirname "$0")/cli_case.sh"

make_frames
make png 64 48 1 8 ramp mask.png
make png 64 48 1 8 step one.png
mkdir pristine && mv in depth mask.png one.png pristine

run() { # as cli_case.sh's, beside the files
    : > ../out
    "$satblur" "$@" 1<> "${to:-../out}" 2> ../err < "${from:-/dev/null}"
    status=$?
}
keeps() { # keeps NAME PREPARATION PATTERN ARGUMENTS...: the run is refused and changes no file
    local name=$1 preparation=$2 pattern=$3
    shift 3
    rm -rf here before
    cp -r pristine here && mkdir here/out
    (cd here && eval "$preparation") || exit 1
    cp -a here before
    cd here || exit 1
    run "$@"
    cd .. || exit 1
    unchanged() { status_is 1 && [ "$(wc -l < err)" = 1 ] && says "$pattern" && diff -r --no-dereference before here; }
    ok "$name" unchanged
}
lost="is an input and would be replaced, so nothing was done" twice="would both be written to"

# --- Numbered files -------------------------------------------------------------------------------
keeps "frames, another pattern" : "in/001.png $lost" in/%03d.png in/00%d.png --radius 2
keeps "frames, by a link to the folder" "ln -s in same" "$lost" in/%03d.png same/%03d.png --radius 2
keeps "frames, some of them" "mv in/001.png out && mv in/002.png in/003.png out" "$lost" \
    out/%03d.png ./out/%03d.png --radius 2
keeps "a frame, by a link" "ln -s ../in/004.png out/006.png" "out/006.png $lost" in/%03d.png out/%03d.png --radius 2
keeps "a frame, by a hard link" "ln in/004.png out/006.png" "out/006.png $lost" in/%03d.png out/%03d.png --radius 2
keeps "two frames, one file" "ln -s ../new.png out/002.png; ln -s ../new.png out/005.png" \
    "out/002.png and out/005.png $twice" in/%03d.png out/%03d.png --radius 2
keeps "a frame is the list of frames" "ln -s .satblur-%03d.png.done out/003.png" "$twice" in/%03d.png out/%03d.png --radius 2
for option in --depth --matte '--max-radius 5 --radius-map'; do
    keeps "$option: maps, another pattern" : "depth/001.png $lost" in/%03d.png depth/00%d.png $option depth/%03d.png
    keeps "$option: one map" "mv one.png out/003.png" "out/003.png $lost" in/%03d.png out/%03d.png $option out/003.png
done
keeps "--protect" "mv mask.png out/003.png" "out/003.png $lost" \
    in/%03d.png out/%03d.png --depth depth/%03d.png --protect out/003.png
keeps "in a shard that is another's" "mv one.png out/006.png" "$lost" \
    in/%03d.png out/%03d.png --depth out/006.png --shard 1/3
prepared() { rm -rf here && cp -r pristine here && mkdir here/out && cd here; }
(prepared && mv one.png out/007.png && run in/%03d.png out/%03d.png --depth out/007.png --quiet && echo $status > ../status)
status=$(cat status)
ok "a number that no frame has" eval 'status_is 0 && cmp pristine/one.png here/out/007.png'

# --- One picture ----------------------------------------------------------------------------------
for option in --depth --matte '--max-radius 5 --radius-map' '--depth depth/002.png --protect'; do
    for link in 'ln -s ../one.png' 'ln one.png'; do
        keeps "OUTPUT, $option, $link" "$link out/o.png" "out/o.png $lost" in/001.png out/o.png $option one.png
    done
done
for figure in --histogram --dump-coc --focus-view; do
    keeps "$figure over INPUT, by a link" "ln -s ../in/001.png out/f.png" "out/f.png $lost" \
        in/001.png o.png --depth one.png $figure out/f.png
    keeps "$figure over OUTPUT, by a link that leads nowhere yet" "ln -s ../o.png out/f.png" "$figure and OUTPUT $twice" \
        in/001.png o.png --depth one.png $figure out/f.png
done
keeps "a map in its own place is no picture in its own place" : "$lost" in/001.png one.png --depth one.png
(prepared && ln in/001.png linked.png && run in/001.png linked.png --radius 2 && echo $status > ../status)
status=$(cat status)
ok "a hard link of INPUT: INPUT stays" eval 'status_is 0 && cmp pristine/in/001.png here/in/001.png && ! cmp here/in/001.png here/linked.png'

# --- Standard input and output that are files ------------------------------------------------------
for option in --depth --matte '--max-radius 5 --radius-map' '--depth depth/002.png --protect'; do
    from=one.png keeps "OUTPUT is standard input, as $option" : "one.png $lost" in/001.png one.png $option -
    to=one.png keeps "standard output is the file of $option" : "standard output $lost" in/001.png - $option one.png
done
to=in/001.png keeps "standard output is INPUT" : "standard output $lost" in/001.png - --radius 2
to=in/003.png keeps "standard output is a picture and the report" : "standard output $lost" in out --report - --radius 2
(cd pristine && ls in/*.png > list)
from=list keeps "the report is standard input" : "list $lost" out --files-from - --report list --radius 2
rm pristine/list
(prepared && from=in/001.png run - in/001.png --radius 2 && echo $status > ../status)
status=$(cat status)
ok "standard input may be in its own place" eval 'status_is 0 && ! cmp pristine/in/001.png here/in/001.png'

# --- What is read has the name of a temporary file -------------------------------------------------
stays() { # stays NAME FILE ARGUMENTS...: the run ends well, and the file is there
    local name=$1 file=$2
    shift 2
    (prepared && cp one.png "$file" && run "$@" && echo $status > ../status)
    status=$(cat status)
    ok "$name" eval 'status_is 0 && cmp pristine/one.png "here/$file"'
}
left=out/.001.png.satblur.ABCDEF
stays "a map, of a folder" $left in out --depth $left --resume
stays "a mask, of a folder" $left in out --depth-dir depth --protect $left --resume
stays "a mask, of frames" $left in/%03d.png out/%03d.png --depth depth/%03d.png --protect $left --resume

# --- Folders --------------------------------------------------------------------------------------
keeps "a folder, by links" "ln -s ../in/004.png out/002.png" "out/002.png $lost" in out --radius 2
keeps "a folder, over a mask" "ln mask.png out/002.png" "out/002.png $lost" in out --depth-dir depth --protect mask.png
keeps "a folder, over one map" "ln -s ../one.png out/002.png" "out/002.png $lost" in out --depth one.png
keeps "two pictures, one file" "ln -s ../new.png out/002.png; ln -s ../new.png out/005.png" "$twice" in out --radius 2
keeps "a picture is the list" "ln -s .satblur.done out/003.png" "$twice" in out --radius 2
keeps "the report is the list" "ln -s out/.satblur.done r.jsonl" "$twice" in out --radius 2 --report r.jsonl
keeps "the report is a picture" "ln -s out/003.png r.jsonl" "$twice" in out --radius 2 --report r.jsonl
(prepared && run in out --radius 1 && ln -f out/001.png out/002.png && run in out --radius 2 && echo $status > ../status)
status=$(cat status)
ok "results that share a file are made anew" eval 'status_is 0 && ! cmp here/out/001.png here/out/002.png'

# --- Videos ---------------------------------------------------------------------------------------
if "$satblur" --version | grep -q '^video: lib'; then
    (cd pristine && run in/%03d.png c.mkv --radius 0 --video-codec ffv1 --quiet)
    to=in/003.png keeps "standard output is a frame" : "standard output $lost" in/%03d.png - --format y4m --radius 2
    keeps "a video, by a hard link" "ln c.mkv o.mkv" "o.mkv $lost" c.mkv o.mkv --radius 2
    from=c.mkv keeps "a video that is standard input" : "c.mkv $lost" - c.mkv --radius 2
    stays "a map, of a video" .o.mkv.satblur.ABCDEF c.mkv o.mkv --depth .o.mkv.satblur.ABCDEF
    keeps "a frame that is a video" "ln -s ../c.mkv out/003.png" "$lost" c.mkv out/%03d.png --radius 2
    keeps "a video over one map" "ln -s one.png o.mkv" "$lost" c.mkv o.mkv --depth one.png
    for option in --depth --matte; do
        keeps "the one file of $option" "mv one.png out/003.png" "out/003.png $lost" c.mkv out/%03d.png $option out/003.png
    done
else
    skip "VIDEOS: FFmpeg's libraries are not built in"
fi
