#!/bin/bash
# Files of videos as the real program reads and writes them: which kinds, their rates, and those that are cut off.
#   cli_video_files.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

if ! "$satblur" --version | grep -q '^video: lib'; then
    skip "EVERY TEST OF $(basename "$0" .sh): FFmpeg's libraries are not built in"
    exit 0
fi
mkdir in
for i in 1 2 3 4 5 6; do make png 64 48 3 8 noise:$i in/00$i.png; done
run in/%03d.png in.mkv --radius 0 --video-codec ffv1 --quiet

# --- Cut off ---------------------------------------------------------------------------------------
run in/%03d.png whole.y4m --radius 0 --quiet
run whole.y4m o.mkv --radius 2
ok "a whole Y4M is not cut off" eval 'status_is 0 && ! says "cut off"'
head -c $(($(wc -c < whole.y4m) - 9)) whole.y4m > cut.y4m
run cut.y4m o.mkv --radius 2
ok "a Y4M that is cut off is said" eval 'status_is 0 && says "cut.y4m: is cut off inside a frame, after 5 whole ones"'
refused "and no clip with --on-error fail" 1 "cut off inside a frame" cut.y4m o.mkv --radius 2 --on-error fail --pixel-format yuv420p
"$satblur" - - --format y4m --radius 2 --on-error fail < cut.y4m > out.y4m 2> err
status=$?
ok "also of a pipe" eval 'status_is 1 && says "standard input: is cut off inside a frame"'
(cat whole.y4m; printf 'FRA') | "$satblur" - - --format y4m --radius 2 > out.y4m 2> err
ok "also inside a frame's first word" says "after 6 whole ones"
run out.y4m o.mkv --radius 0
ok "what was written until there plays" eval '! says "cut off" && says "^satblur: 6 frames"'

# --- Killed ---------------------------------------------------------------------------------------
mkfifo feed
"$satblur" - left.mkv --radius 0 --quiet < feed 2> /dev/null &
pid=$!
exec 9> feed
cat whole.y4m >&9
for ((i = 0; i < 500; i++)); do ls .left.mkv.satblur.* > /dev/null 2>&1 && break; sleep 0.01; done
sleep 0.1
run in.mkv left.mkv --radius 0 --video-codec ffv1
ok "a video that is being written is left alone" eval '[ -e .left.mkv.satblur.* ] && ! says removed'
kill -9 $pid
wait $pid 2> /dev/null
exec 9>&-
run in.mkv left.mkv --radius 0 --video-codec ffv1
ok "what a killed run has left is removed" eval 'no_leftover && says "left.mkv: removed 1 unfinished file of a run that was killed"'

# --- Samples and rates -----------------------------------------------------------------------------
run in.mkv deep.mkv --radius 0 --video-codec ffv1 --pixel-format yuv420p10 --quiet
"$satblur" deep.mkv - --format y4m --radius 0 --quiet 2> err > deep.y4m
run deep.y4m deep.nut --radius 0
ok "10 bits through a pipe" says "^satblur: 6 frames"
ok "a Y4M has the clip's rate" eval 'head -c 99 deep.y4m | grep -aq " F25:1 "'
for fps in 30000/1001 240000/1001 24; do # Matroska has whole nanoseconds a frame
    "$satblur" in/%03d.png - --format y4m --radius 0 --fps $fps --quiet 2> err > rate.y4m
    [[ $fps = */* ]] && rate=$fps || rate=$fps/1
    ok "--fps $fps is exact" eval 'head -c 99 rate.y4m | grep -aq " F${rate/\//:} "'
    if command -v ffprobe > /dev/null; then
        for ending in mp4 mov mkv nut; do
            [ $ending$fps = mkv240000/1001 ] && continue
            run in/%03d.png rate.$ending --radius 0 --fps $fps --quiet
            ffprobe -v error -show_entries stream=r_frame_rate -of csv=p=0 rate.$ending > probed 2>&1
            ok "also in .$ending" [ "$(cat probed)" = $rate ]
        done
    else skip "RATES AS FFPROBE SEES THEM: no ffprobe"; fi
done

# --- Names and kinds -------------------------------------------------------------------------------
refused "no such video" 1 "no.mkv: there is no such file" no.mkv o.mkv --radius 2
refused "nor one of another ending" 1 "no.xyz: there is no such file" no.xyz o.mkv --radius 2
echo hello > hello.txt
refused "a text" 1 "hello.txt: cannot be read as a video" hello.txt o.mkv --radius 2
printf '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nin.mkv\n' > list.m3u8
refused "a playlist" 1 "list.m3u8: cannot be read as a video: its kind is not read" list.m3u8 o.mkv --radius 2
printf 'YUV4MPEG2 W60000 H60000 F25:1 Ip A1:1 C420\nFRAME\nxx' > large.y4m
refused "a Y4M of 60000 x 60000" 1 "large.y4m: cannot be read as a video: .* claims too many pixels" large.y4m o.mkv --radius 2
cp in.mkv in.xyz
run in.xyz xyz/%03d.png --radius 0 --quiet
ok "a video of another ending" same in/006.png xyz/006.png
if command -v ffmpeg > /dev/null && command -v ffprobe > /dev/null; then
    ffmpeg -v error -i in.mkv in.gif
    ffmpeg -v error -i in.gif -c:v ffv1 -pix_fmt bgr0 gif.mkv
    run in.gif gif/%03d.png --radius 2 --quiet
    run gif.mkv gif2/%03d.png --radius 2 --quiet
    ok "a GIF that moves is a clip" eval 'count_is gif 6 && same_folders gif2 gif'
    run in.gif gif.mp4 --radius 2
    ok "and becomes a video" says "^satblur: 6 frames"
    run in/%03d.png in.apng --radius 2 --quiet
    run in/%03d.png want/%03d.png --radius 2 --quiet
    run in.apng apng/%03d.png --radius 0 --quiet
    ok "an APNG is a clip, written and read" same_folders want apng
    ok "it repeats without end" grep -qaP "acTL\x00{3}\x06\x00{4}" in.apng
    cp in.apng moves.png
    run moves.png moves/%03d.png --radius 0 --quiet
    ok "under the name of a PNG, too" same_folders want moves
    run moves.png one.png --radius 0
    ok "but it is one picture if OUTPUT is" eval 'same one.png want/001.png && says "further frames of the animation"'
    lengths() { ffprobe -v error -show_entries packet=duration_time -of csv=p=0 $1; }
    ffmpeg -v error -f lavfi -i testsrc=s=64x48:r=10:d=0.5 -vf "select='not(between(n,2,3))'" -fps_mode vfr -final_delay 90 ticks.gif
    run ticks.gif ticks.apng --radius 0 --quiet
    ok "each frame has its length, the last one, too" eval '[ "$(lengths ticks.apng | tr "\n" " ")" = "0.100000 0.300000 0.900000 " ]'
    run ticks.apng again.apng --radius 0 --quiet
    ok "also of an APNG" eval '[ "$(lengths ticks.apng)" = "$(lengths again.apng)" ]'
    run in.apng sheet.png --radius 0 --frames 4
    ok "an APNG says how many frames it has" says "^satblur: 4 frames"
    ffmpeg -v error -i in.mkv -c:v mpeg2video near.ts
    ffmpeg -v error -i in.mkv -c:v mpeg2video -output_ts_offset 900 far.ts
    cat far.ts near.ts near.ts far.ts > joined.ts
    run joined.ts o.mkv --radius 0
    ffprobe -v error -show_entries packet=pts_time -of csv=p=0 o.mkv | sort -n | awk 'NR > 1 { print $1 - last } { last = $1 }' > gaps
    ok "a clock that jumps goes on" eval '[ "$(sort gaps | uniq -c | tr -s " ")" = " 23 0.04" ] && ! says "cut off"'
    rm o.mkv
    ffmpeg -v error -i in.mkv raw.h264
    refused "raw H.264 does not" 1 'its number of frames is unknown, which --frames needs; convert it to .mkv first' raw.h264 sheet.png --radius 0 --frames 4
    run in.apng one.apng --radius 0 --duration 1 --quiet
    run one.apng one.png --radius 0
    ok "an APNG of one frame is a picture" eval 'status_is 0 && same one.png want/001.png'
    refused "and no clip" 1 "one.apng: is one picture; name a video" one.apng o.mkv --radius 2
    refused "another codec in APNG" 1 'takes no h264, so o.apng cannot be written; name another ending' in.mkv o.apng --radius 2 --video-codec libx264
    "$satblur" - o.mkv --radius 2 < <(cat in.apng) 2> err
    ok "an APNG through a pipe is refused" says 'standard input: this kind of video is read in any order; name a file'
    ffmpeg -v error -f lavfi -i color=s=48x32:d=0.4 bad.apng # whose third frame has one pixel, and then says five
    printf '\005' | dd of=bad.apng bs=1 conv=notrunc status=none seek=$(($(grep -obUa fcTL bad.apng | sed -n '3s/:.*//p') + 11))
    timeout -s KILL 20 "$satblur" bad.apng o.mkv --radius 0 2> err
    ok "an APNG whose decoder waits for ever in threads ends" says "damaged frames concealed"
    rm -f o.mkv
else skip "GIFS AND APNGS: no ffmpeg and ffprobe"; fi
# An animated WebP of two frames, as far as its header: VP8X with the bit of animation.
printf 'RIFF\036\0\0\0WEBPVP8X\012\0\0\0\002\0\0\0\077\0\0\057\0\0' > moves.webp
refused "an animated WebP is named" 1 "moves.webp: is an animated WebP, which FFmpeg's libraries do not read; make files" moves.webp o.mkv --radius 2
