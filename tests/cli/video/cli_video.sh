#!/bin/bash
# Clips: numbered files and lossless video give the same bytes as the frames one by one; refusals; focus over time.
# cli_video.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

make_frames
blur="--focus 0.5 --max-radius 5 --quiet"
for i in 1 2 3 4 5 6; do run in/00$i.png want$i.png --depth depth/00$i.png $blur; done

# --- Numbered files -------------------------------------------------------------------------------
all_alike() { for i in 1 2 3 4 5 6; do same want$i.png "$1/00$i.png" || return 1; done; }
run in/%03d.png made/%03d.png --depth depth/%03d.png $blur
ok "numbered files: status 0" status_is 0
ok "numbered files: as one by one" all_alike made
for i in 1 2; do run in/%03d.png shard/%03d.png --depth depth/%03d.png $blur --shard $i/2; done
ok "shards make all frames" all_alike shard
for i in 1 2 3 4 5 6 7 8 9; do run in/%03d.png few/%03d.png --depth depth/%03d.png $blur --shard $i/9; done
ok "more shards than frames" all_alike few
run in/%03d.png still/%03d.png --depth depth/001.png $blur
ok "one map serves all frames" same want1.png still/001.png

# --- Focus ----------------------------------------------------------------------------------------
run in/%03d.png keys/%03d.png --depth depth/%03d.png --focus-keys 0:0.5,1s:0.5 --max-radius-keys 0s:5 --quiet
ok "keys of one value are that value" all_alike keys
run in/%03d.png rack/%03d.png --depth depth/%03d.png --focus-keys 0:1,5:0 --max-radius 5 --quiet
run in/001.png near.png --depth depth/001.png --focus 1 --max-radius 5 --quiet
run in/006.png far.png --depth depth/006.png --focus 0 --max-radius 5 --quiet
ok "keys: the first frame" same near.png rack/001.png
ok "keys: the last frame" same far.png rack/006.png
run in/%03d.png auto/%03d.png --depth depth/001.png --max-radius 5 --jobs 1 --quiet
run in/%03d.png auto4/%03d.png --depth depth/001.png --max-radius 5 --jobs 4 --quiet
ok "a focus that is found does not depend on --jobs" same_folders auto auto4
run in/%03d.png track/%03d.png --depth depth/001.png --focus-track 30,20 --max-radius 5 --jobs 1
ok "a place that is lost is said, with its frames" says "--focus-track 30,20: the object was lost from frame 1 to frame 5, and the focus stayed"
run in/%03d.png track4/%03d.png --depth depth/001.png --focus-track 30,20 --max-radius 5 --jobs 4 --quiet
ok "a focus that follows does not depend on --jobs" same_folders track track4
run in/001.png at.png --depth depth/001.png --focus-at 30,20 --max-radius 5 --quiet
ok "the first frame's focus is at the pixel" same at.png track/001.png
run in/%03d.png second/%03d.png --depth depth/001.png --focus-at 30,20 --max-radius 5 --shard 2/6 --quiet
run in/002.png second.png --depth depth/001.png --focus-at 30,20 --max-radius 5 --quiet
ok "the first frame of a shard is measured" same second.png second/002.png
mkdir still6
for i in 1 2 3 4 5 6; do cp in/001.png still6/00$i.png; done
run still6/%03d.png stays/%03d.png --depth depth/001.png --focus-track 30,20 --max-radius 5
ok "what stays is not lost" eval '! says lost'
ok "what stays has one focus" eval 'same stays/001.png stays/006.png && same at.png stays/006.png'

# --- Refusals -------------------------------------------------------------------------------------
refused "a frame is missing" 1 "in/%04d.png: there is no such file" in/%04d.png o/%03d.png --radius 2
mv in/004.png away.png
refused "a gap" 1 "in/004.png is missing" in/%03d.png o/%03d.png --radius 2
mv away.png in/004.png
mv depth/006.png away.png
refused "fewer maps" 1 "depth-sync" in/%03d.png o/%03d.png --depth depth/%03d.png
run in/%03d.png held/%03d.png --depth depth/%03d.png $blur --depth-sync frame
ok "--depth-sync frame holds the last map" status_is 0
mv away.png depth/006.png
refused "no such frame" 1 "no.png: there is no such file" no.png o.%03d.png --radius 2
mkdir bare
refused "a folder without frames" 1 "bare: no picture with a number in its name is there" bare o.%03d.png --radius 2
refused "an ending that is no video's" 1 "o.gif: is not a video that can be written" in/%03d.png o.gif --radius 2
refused "one picture of a clip" 1 "is one picture" in/%03d.png o.png --radius 2
refused "keys that go back" 2 "times in order" in/%03d.png o/%03d.png --depth depth/001.png --focus-keys 2s:0,1s:1
refused "keys of a picture" 2 "is for clips" in/001.png o.png --depth depth/001.png --focus-keys 0s:1
refused "two ways to the focus" 2 "focus-track and --focus exclude" in/%03d.png o/%03d.png --depth depth/001.png --focus-track 3,4 --focus 0.5
refused "two ways to move the focus" 2 "focus-track and --focus-keys" in/%03d.png o/%03d.png --depth depth/001.png --focus-track 3,4 --focus-keys 0s:1
refused "a place of a shard" 2 "leave out --shard" in/%03d.png o/%03d.png --depth depth/001.png --focus-track 3,4 --shard 2/2
refused "a place without depth" 2 "focus-track needs --depth" in/%03d.png o/%03d.png --radius 2 --focus-track 3,4
refused "a place outside" 1 "64,4 is outside the frames of 64 x 48 pixels" in/%03d.png o/%03d.png --depth depth/001.png --focus-track 64,4
refused "a place of a picture" 2 "focus-track is for clips" in/001.png o.png --depth depth/001.png --focus-track 3,4
refused "maps that would be replaced" 1 "would be replaced" in/%03d.png depth/%03d.png --depth depth/%03d.png
refused "frames that would be replaced" 1 "would be replaced" in/%03d.png in/../in/%03d.png --radius 2
refused "statistics of a clip" 2 "is for one picture" in/%03d.png o/%03d.png --radius 2 --stats

# --- Options that would do nothing ----------------------------------------------------------------
refused "quality of a video" 2 "--quality is for pictures, .* give --crf" in/%03d.png o.mp4 --radius 2 --quality 90
refused "compression of a video" 2 "--compression is for pictures" in/%03d.png o.mp4 --radius 2 --compression 9
refused "a codec of pictures" 2 "--video-codec is for videos" in/%03d.png o.%03d.png --radius 2 --video-codec ffv1
refused "a quality of videos" 2 "--crf is for videos" in/%03d.png o.%03d.png --radius 2 --crf 20
refused "a pixel format of pictures" 2 "--pixel-format is for videos" in/%03d.png o.%03d.png --radius 2 --pixel-format gray
refused "another rate for a video" 2 "--fps is for numbered files" in.mkv o.mkv --radius 2 --fps 30
refused "damage without a video" 2 "--on-error is for videos" in/%03d.png o.%03d.png --radius 2 --on-error fail
refused "a sync of nothing" 2 "--depth-sync needs maps or mattes" in/%03d.png o.%03d.png --radius 2 --depth-sync time
run in/%03d.png jpg/%03d.jpg --radius 2 --quality 30
ok "quality of numbered files" status_is 0

# --- Video ----------------------------------------------------------------------------------------
if "$satblur" --version | grep -q '^video: lib'; then
    refused "quality of a pipe" 2 "--quality is for pictures" in/%03d.png - --format y4m --radius 2 --quality 90
    run in/%03d.png in.mkv --radius 0 --video-codec ffv1 --quiet
    run depth/%03d.png depth.mkv --radius 0 --video-codec ffv1 --quiet
    run in.mkv out.mkv --depth depth.mkv $blur --video-codec ffv1
    ok "video: status 0" status_is 0
    run out.mkv frames/%03d.png --radius 0 --quiet
    ok "lossless video: as one by one" all_alike frames
    "$satblur" in.mkv - --depth depth.mkv $blur --format nut | "$satblur" - pipe.mkv --radius 0 --video-codec ffv1 --quiet
    run pipe.mkv piped/%03d.png --radius 0 --quiet
    ok "pipes: as one by one" all_alike piped
    refused "a clip in its own place" 1 "would be replaced" in.mkv ./in.mkv --radius 2
    printf '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\nin.mkv\n#EXT-X-ENDLIST\n' > list.mp4
    refused "a list of other files" 1 "cannot be read as a video" list.mp4 o.mkv --radius 2
    printf 'ffconcat version 1.0\nfile in.mkv\n' > list.mp4
    refused "also of FFmpeg's own kind" 1 "cannot be read as a video" list.mp4 o.mkv --radius 2
    for i in 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do ln in/001.png in/0$i.png; done
    run in/%03d.png slow.mkv --radius 0 --video-codec ffv1 --fps 10 --quiet
    head -c 60000 slow.mkv > cut.mkv
    run cut.mkv o.mkv --radius 2
    ok "a clip that is cut off is said" says 'is cut off: about'
    refused "and no clip with --on-error fail" 1 'is cut off: about' cut.mkv o2.mkv --radius 2 --on-error fail --video-codec ffv1
    rm in/00[7-9].png in/0[123]?.png
    run in/%03d.png quick.mkv --radius 0 --video-codec ffv1 --fps 50 --quiet
    run quick.mkv timed/%03d.png --depth depth/%03d.png $blur --depth-sync time
    ok "maps without times have the clip's" all_alike timed
    run in.mkv odd.ts --radius 0 --quiet
    ok "MPEG-TS is written" status_is 0
    make png 65 47 3 8 noise:1 one65.png
    mkdir odd && cp one65.png odd/1.png && cp one65.png odd/2.png
    run odd/%d.png odd.mkv --radius 0 --video-codec ffv1 --pixel-format yuv420p --quiet
    run odd.mkv odd.mp4 --radius 1 --quiet
    ok "odd sides" status_is 0
    run in.mkv yuv.mkv --radius 0 --video-codec ffv1 --pixel-format yuv420p --quiet
    run yuv.mkv again.mkv --radius 0 --video-codec ffv1 --quiet
    run yuv.mkv yuv/%03d.png --radius 0 --quiet
    run again.mkv again/%03d.png --radius 0 --quiet
    ok "what is not changed keeps its luma and chroma" same_folders yuv again
    if command -v ffmpeg > /dev/null && ffmpeg -v error -i in/%03d.png -c:v png flat.mov &&
        { ffmpeg -v quiet -y -display_rotation 90 -i flat.mov -c copy turned.mov ||
            ffmpeg -v quiet -y -i flat.mov -c copy -metadata:s:v rotate=90 turned.mov; }; then
        mkdir upright
        ffmpeg -v error -i turned.mov upright/%03d.png
        run turned.mov turned/%03d.png --radius 0
        ok "files of a turned video are upright" eval 'shape_is turned/006.png "48 64 3 8" && same upright/006.png turned/006.png'
        ok "the rotation is said" says "turned/001.png: rotated upright (rotation of the video: 90 degrees [lr][a-z]*)"
    else
        skip "A VIDEO THAT IS TURNED: no ffmpeg"
    fi
    times() { ffprobe -v error -read_intervals %+#4 -show_entries frame=best_effort_timestamp_time -of csv=p=0 "$1" | tr -d ',' | xargs; }
    if command -v ffprobe > /dev/null && ffmpeg -v error -i slow.mkv -c:v libx264 -bf 0 raw.h264 &&
        ffmpeg -v error -i slow.mkv -c copy -bsf:v 'setts=duration=if(eq(N\,29)\,500\,100)' last.mkv &&
        ffmpeg -v error -i slow.mkv -c copy -bsf:v 'setts=ts=floor(N/2)*200' pairs.mkv; then
        for name in raw.h264 last.mkv pairs.mkv; do
            run $name t_${name%.*}.mkv --radius 0 --video-codec ffv1
            ok "$name: is whole" eval 'status_is 0 && ! says "cut off"' # also if the last frame lasts half a second
        done
        ok "frames without times have those of their rate" test "$(times t_raw.mkv)" = "0.000000 0.100000 0.200000 0.300000"
        ok "of frames with one time, the second is later" test "$(times t_pairs.mkv)" = "0.000000 0.001000 0.200000 0.201000"
    else
        skip "ODD TIMES OF FRAMES: no ffmpeg with libx264 and setts, or no ffprobe"
    fi
    mkdir rgba sizes light
    for i in 1 2; do make png 64 48 4 8 noise:$i rgba/$i.png; make png $((32 * i)) 48 3 8 noise:$i sizes/$i.png; done
    run rgba/%d.png rgba.mkv --radius 0 --video-codec ffv1
    ok "pictures with alpha become a video, which is said" eval 'status_is 0 && says "^satblur: rgba/1.png: its alpha is lost"'
    refused "frames of other sizes" 1 "but the first one was 32 x 48" sizes/%d.png o.mkv --radius 0 --video-codec ffv1
    run in/001.png light.pfm --radius 0
    mv light.pfm light/1.pfm
    refused "linear light" 1 "has linear light" light/%d.pfm o.mkv --radius 0 --video-codec ffv1
    head -c 200 in.mkv > cut.mkv
    refused "a video that is cut off" 1 "cut.mkv" cut.mkv o.mkv --radius 2
    refused "no such encoder" 1 "no encoder of this name" in.mkv o.mkv --radius 2 --video-codec nothing
    refused "no such pixel format" 1 "does not know the format" in.mkv o.mkv --radius 2 --video-codec ffv1 --pixel-format nothing
else
    refused "a build without video" 1 "reads and writes no video" in/%03d.png o.mkv --radius 2
    skip "video: FFmpeg's libraries are not built in"
fi
