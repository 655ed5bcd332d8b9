#!/bin/bash
# A look is tuned without the whole clip: one frame, a part, a sheet; the figures, the report and the times of frames.
#   cli_clip_part.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

make_frames
whole() { run in/%03d.png "$1/%03d.png" --depth depth/%03d.png --max-radius 5 --quiet "${@:2}"; }
frame() { run in/%03d.png one.png --depth depth/%03d.png --max-radius 5 --quiet "$@"; }

# --- One frame ------------------------------------------------------------------------------------
number=0
for focus in "--focus 0.5" "--focus-keys 0:0,5:1" "--focus-at 30,20" "--focus auto" "--focus-track 30,20"; do
    number=$((number + 1))
    whole whole$number $focus
    for at in 0 3 5; do
        frame --frame $at $focus
        ok "$focus: frame $at is that of the clip" same one.png whole$number/00$((at + 1)).png
    done
    frame --frame 0.12s $focus
    ok "$focus: by its time" same one.png whole$number/004.png
done
run in/004.png figure.png --depth depth/004.png --max-radius 5 --focus 0.5 --focus-view view.png --dump-coc coc.png --quiet
frame --frame 3 --focus 0.5 --focus-view view2.png --dump-coc coc2.png
ok "its view and its radii are the picture's" eval 'same view.png view2.png && same coc.png coc2.png'
run in/%03d.png --depth depth/%03d.png --max-radius 5 --focus 0.5 --frame 3 --focus-view view3.png --quiet
ok "the view alone" same view.png view3.png
frame --frame 3 --timings --report report.jsonl
ok "its times" says '^blur .* ms'
ok "its report" eval 'valid_json report.jsonl && report_has report.jsonl "\"frame\": 3" 1 && report_has report.jsonl "\"summary\": true" 1'
refused "a frame behind the end" 1 "frame 6: the clip ends before, after 6 frames" in/%03d.png o.png --radius 2 --frame 6
refused "a frame that is a clip" 2 "makes one picture, and OUTPUT is a clip" in/%03d.png o.%03d.png --radius 2 --frame 1
refused "a picture without --frame" 1 "or give --frame N" in/%03d.png o.png --radius 2
refused "a frame of a part" 2 "frame and --start" in/%03d.png o.png --radius 2 --frame 1 --start 1
refused "a frame of a picture" 1 "is one picture" in/001.png o.png --radius 2 --frame 1
refused "no time" 2 "a frame number from 0, or seconds" in/%03d.png o.png --radius 2 --frame 1.5
refused "in an input's place" 1 "would be replaced" in/%03d.png in/002.png --radius 2 --frame 1

refused "a figure with a number of one frame" 2 "--focus-view v%03d.png: has a number, and --frame makes one picture" in/%03d.png o.png --depth depth/001.png \
    --frame 1 --focus-view v%03d.png
run in folder.png --radius 2 --frame 1
run in/%03d.png file.png --radius 2 --frame 1
ok "a frame of a folder" same file.png folder.png

# --- A part ---------------------------------------------------------------------------------------
part_is() { count_is part "$#" && for i in "$@"; do same part/00$i.png whole$number/00$i.png || return 1; done; }
number=4
for row in "--start 2:3 4 5 6" "--start 0.08s --duration 2:3 4" "--duration 0.08s:1 2" "--start 4 --duration 9:5 6"; do
    rm -rf part
    whole part --focus auto ${row%:*}
    ok "${row%:*}: these frames, as in the whole clip" part_is ${row#*:}
done
refused "a part of nothing" 1 "start 9s: the clip ends before" in/%03d.png o.%03d.png --radius 2 --start 9s
refused "no length" 2 "--duration 0 leaves no frames" in/%03d.png o.%03d.png --radius 2 --duration 0

# --- Figures of all frames --------------------------------------------------------------------------
run in/%03d.png made/%03d.png --depth depth/%03d.png --max-radius 5 --focus 0.5 --focus-view view/%03d.png --dump-coc coc/%03d.png --report all.jsonl \
    --timings
ok "a view and radii for each frame" eval 'count_is view 6 && count_is coc 6 && same view/004.png view.png && same coc/004.png coc.png'
ok "times are means" says "^means of 6 frames"
ok "a line of the report for each frame" eval 'valid_json all.jsonl && report_has all.jsonl "\"frame\": " 6'
refused "one name for all views" 2 "a clip has one for each frame" in/%03d.png o.%03d.png --depth depth/001.png --focus-view view.png
mkdir old && cp view.png old/006.png
refused "views that are there, with --no-clobber" 1 "old/006.png exists" in/%03d.png o/%03d.png --depth depth/001.png --focus-view old/%03d.png --no-clobber
ok "before the first frame" [ ! -e o ]
refused "views in the inputs' place" 1 "would be replaced" in/%03d.png o.%03d.png --depth depth/001.png --focus-view depth/../in/%03d.png
refused "a histogram of a clip" 2 "is for one picture" in/%03d.png o.%03d.png --radius 2 --histogram h%03d.svg

# --- A sheet ----------------------------------------------------------------------------------------
run in/%03d.png sheet.png --depth depth/%03d.png --max-radius 5 --focus-keys 0:0,5:1 --frames 6 --quiet
ok "a sheet has rows of frames" shape_is sheet.png "200 100 3 8"
run in/%03d.png sheet4.png --radius 0 --frames 2 --start 2 --quiet
ok "of a part, two frames" shape_is sheet4.png "132 48 3 8"
run in/%03d.png sheet1.png --depth depth/%03d.png --max-radius 5 --focus 0.5 --frames 1 --start 3 --duration 1 --quiet
ok "a sheet of one frame is the frame" same sheet1.png whole1/004.png
refused "a sheet with figures" 2 "--frames makes a sheet" in/%03d.png o.png --depth depth/001.png --frames 2 --focus-view v%03d.png
refused "a sheet of less than a frame" 1 "duration 0.0005s: is shorter than a frame; give more" in/%03d.png o.png --radius 2 --frames 2 --duration 0.0005s
refused "a sheet behind the end" 1 "start is behind them" in/%03d.png o.png --radius 2 --frames 2 --start 9
refused "a video's option for a sheet" 2 "is one picture" in/%03d.png o.png --radius 2 --frames 2 --crf 20

# --- Videos -----------------------------------------------------------------------------------------
if ! "$satblur" --version | grep -q '^video: lib'; then
    skip "PARTS OF VIDEOS: FFmpeg's libraries are not built in"
elif ! command -v ffmpeg > /dev/null || ! command -v ffprobe > /dev/null; then
    skip "PARTS OF VIDEOS: no ffmpeg and ffprobe"
else
    ffmpeg -v error -nostdin -f lavfi -i "testsrc2=s=64x48:r=25:d=4" -f lavfi -i "sine=f=440:r=48000:d=4" -c:v libx264 -bf 3 -g 25 -pix_fmt yuv420p \
        -c:a aac film.mp4
    run film.mp4 film/%d.png --radius 3 --quiet
    run film.mp4 one.png --radius 3 --frame 40 --quiet
    ok "a frame of a video" same one.png film/41.png
    run film.mp4 timed/%d.png --radius 0 --report timed.jsonl --quiet
    ok "the total of a frame has all its stages" python3 -c '
import json
for line in open("timed.jsonl"):
    times = json.loads(line).get("ms", {"total": 0})
    assert sum(times.values()) <= 2 * times["total"] + 0.02, times'
    cat film.mp4 > film.xyz
    run film.xyz one.png --radius 3 --frame 1.6s --quiet
    ok "by its time, of a video with another ending" same one.png film/41.png
    seen() { ffprobe -v error -select_streams "$2" -show_frames -show_entries frame=best_effort_timestamp_time -of csv=p=0 "$1" | sed 's/,.*//; /^$/d'; }
    for ending in mp4 mov mkv ts; do
        run film.mp4 part.$ending --radius 3 --start 1s --duration 0.4s --quiet
        seen part.$ending v > pictures
        seen part.$ending a > sounds
        ok "10 frames of .$ending" [ "$(wc -l < pictures)" = 10 ]
        ok "the sound of .$ending begins and ends with them" awk -v p="$(head -1 pictures)" -v q="$(tail -1 pictures)" -v a="$(head -1 sounds)" \
            -v b="$(tail -1 sounds)" 'BEGIN { exit !(a - p < 0.023 && p - a < 0.001 && b - q < 0.04 && q - b < 0.03) }'
    done
    ffmpeg -v error -nostdin -i film.mp4 -c copy -movflags +frag_keyframe behind.mp4
    ffmpeg -v error -nostdin -i film.mp4 -c:v libx264 -bf 0 -g 25 -c:a copy -movflags +frag_keyframe straight.mp4
    for row in behind:25 straight:25 straight:48 straight:49; do
        run ${row%:*}.mp4 part.mkv --radius 3 --duration ${row#*:} --quiet
        ok "${row#*:} frames of ${row%:*}.mp4: sound that stands behind its pictures stays" awk -v p="$(seen part.mkv v | tail -1)" \
            -v a="$(seen part.mkv a | tail -1)" 'BEGIN { exit !(a - p < 0.07 && p - a < 0.005) }'
    done
    printf '1\n00:00:00,500 --> 00:00:03,500\nlong\n\n2\n00:00:03,600 --> 00:00:03,900\nshort\n' > film.srt
    for ending in mkv mp4; do
        [ $ending = mp4 ] && kind=mov_text || kind=subrip
        ffmpeg -v error -nostdin -i film.mp4 -i film.srt -c copy -c:s $kind words.$ending
        run words.$ending part.$ending --radius 3 --start 2s --duration 1.9s --quiet
        ffprobe -v error -select_streams s -show_entries packet=pts_time,duration_time,size -of csv=p=0 part.$ending | grep -v ',2$' > words
        ok "a subtitle of .$ending that is shown when a part begins is cut" awk -F, -v OFS=, '
            function is(a, b) { return a - b < 0.03 && b - a < 0.03 }
            NR == 1 { first = is($1, 0) && is($2, 1.5) } NR == 2 { second = is($1, 1.6) && is($2, 0.3) }
            END { exit !(NR == 2 && first && second) }' words
    done
    printf '%s\n00:00:0%s --> 00:00:0%s\n%s\n\n' 1 0,200 0,400 gone 2 0,500 0,700 kept 3 3,600 3,900 later 4 3,700 3,900 last > open.srt
    ffmpeg -v error -nostdin -i film.mp4 -i open.srt -c copy -c:s subrip -bsf:s setts=duration=0 open.mkv
    run open.mkv part.mkv --radius 3 --start 2s --duration 1.9s --quiet
    ok "a subtitle without a length lasts until the next" [ "$(ffprobe -v error -select_streams s -show_entries packet=pts_time,size -of csv=p=0 \
        part.mkv | sed 's/,$//' | tr '\n' ' ')" = "0.000000,4 1.600000,5 " ]
    printf ';FFMETADATA1\n%s' '[CHAPTER]
TIMEBASE=1/1000
START=0
END=2000
[CHAPTER]
TIMEBASE=1/1000
START=2000
END=4000' > chapters.txt
    ffmpeg -v error -nostdin -i film.mp4 -i chapters.txt -map_metadata 1 -c copy chapters.mp4
    while read -r row wanted; do
        for ending in mkv mp4; do
            run chapters.mp4 part.$ending --radius 3 ${row//_/ } --verbose
            ok "$row, .$ending: the chapters within the part" eval '[ "$(ffprobe -v error -show_entries chapter=start_time,end_time -of csv=p=0 \
                part.$ending | sed "s/0*,/-/; s/0*$//" | tr "\n" " ")" = "$wanted " ] && ! says chapters'
        done
    done <<< '--duration_9s 0.-2. 2.-4.
        --duration_4s 0.-2. 2.-4.
        --duration_100 0.-2. 2.-4.
        --duration_1s 0.-1.
        --start_1s_--duration_2s 0.-1. 1.-2.
        --start_3s 0.-1.'
    run film.mp4 part.mkv --radius 3 --start 1s --duration 0.4s --video-codec ffv1 --quiet
    run part.mkv part_of/%02d.png --radius 0 --quiet
    run film.mp4 all.mkv --radius 3 --video-codec ffv1 --quiet
    run all.mkv all/%d.png --radius 0 --quiet
    ok "its frames are those of the whole" eval 'same part_of/01.png all/26.png && same part_of/10.png all/35.png'
    run film.mp4 sheet.jpg --radius 3 --frames 8
    ok "a sheet of a video" shape_is sheet.jpg "268 100 3 8"
    run film.mp4 seen.mp4 --depth film/1.png --depth-colormap none --focus-view seen/%03d.jpg --duration 3 --quiet
    ok "a video and its views" eval 'status_is 0 && count_is seen 3'
    cat film.mp4 | "$satblur" - o.png --radius 3 --frame 2 > out 2> err
    ok "a frame of a pipe whose index is at its end" eval 'same o.png film/3.png 2> /dev/null || says "index at the end"'
fi
