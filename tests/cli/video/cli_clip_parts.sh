#!/bin/bash
# Depth maps within the video itself, as a track and as a half of each frame: as by the same maps in a file.
#   cli_clip_parts.sh SATBLUR MKIMAGE
. "$(dirname "$0")/ffmpeg_case.sh"

blur="--focus 0.5 --max-radius 6 --quiet" exact="-c:v libx264rgb -crf 0 -preset ultrafast"
same_video() { [ "$(ffmpeg -v error -i $1 -f md5 -)" = "$(ffmpeg -v error -i $2 -f md5 -)" ]; }
video() { ffmpeg -v error -f lavfi -i "$1=s=96x64:r=10:d=0.5" -vf "$2" "${@:3}"; }
as() { # as WANT ARGUMENTS...: makes the frames of WANT
    rm -rf got
    run "${@:2}" $blur
    ok "${*:2}: status 0" status_is 0
    ok "${*:2}: as by a file" same_folders "$1" got
}
video testsrc2 format=rgb24 $exact photo.mkv
video testsrc format=gray,format=rgb24 $exact maps.mkv
run photo.mkv want/%03d.png --depth maps.mkv $blur

# --- Halves ----------------------------------------------------------------------------------------
beside() { ffmpeg -v error -i photo.mkv -i maps.mkv -filter_complex "$1" $exact "$2.mkv"; }
beside '[1][0]hstack' left
beside '[0][1]hstack' right
beside '[1][0]vstack' top
beside '[0][1]vstack' bottom
beside '[0]pad=146:64[a];[a][1]hstack' gap
for half in left right top bottom; do as want $half.mkv got/%03d.png --depth half:$half; done
as want gap.mkv got/%03d.png --depth half:right:50
# A cut that goes through blocks of chroma, and one through bytes of eight pixels.
ffmpeg -v error -f lavfi -i testsrc2=s=130x35:r=10:d=0.2,format=yuv420p -c:v ffv1 chroma.mkv
ffmpeg -v error -f lavfi -i testsrc2=s=84x35:r=10:d=0.2,format=monob -c:v rawvideo bits.nut
for name in chroma.mkv bits.nut; do
    rm -rf rgb want_*
    run $name rgb/%03d.png --radius 0 --quiet
    ffmpeg -v error -y -i rgb/%03d.png -c:v ffv1 rgb.mkv
    for half in left top; do
        run rgb.mkv want_$half/%03d.png --depth half:$half --depth-colormap none $blur
        as want_$half $name got/%03d.png --depth half:$half --depth-colormap none
    done
done
run right.mkv range.mkv --depth half:right --depth-range 2%,98% --max-radius 6
ok "the range of all maps" eval 'status_is 0 && says "right.mkv: depth range 0 to 255 .2 to 98%. over 5 maps"'
run right.mkv half.mkv --matte half:right $blur
ok "the video has half the width" test "$(ffprobe -v error -show_entries stream=width -of csv=p=0 half.mkv)" = 96
"$satblur" - got.mkv --depth half:right --video-codec libx264rgb --crf 0 $blur < <(cat right.mkv) 2> err
run got.mkv got2/%03d.png --radius 0 --quiet
ok "through a pipe, as video" same_folders want got2
refused "another half" 2 'half:middle: is no half of INPUT; give half:left' right.mkv o.mkv --depth half:middle
refused "another gap" 2 'half:right:x: is no half' right.mkv o.mkv --depth half:right:x
refused "a gap as wide as the frames" 1 'have no halves with a gap of 192' right.mkv o.mkv --depth half:right:192
refused "both halves for others" 2 '--depth and --matte name both' right.mkv o.mkv --depth half:right --matte half:left
refused "a half of pictures" 1 'is no video, so there is no half:right in it' want/%03d.png o.%03d.png --depth half:right
refused "a half of one picture" 2 'is for clips' want/001.png o.png --depth half:right
ffmpeg -v error -i right.mkv -c copy -f mp4 turned0.mp4 && ffmpeg -v error -display_rotation 90 -i turned0.mp4 -c copy turned.mp4 2> /dev/null ||
    ffmpeg -v error -i turned0.mp4 -c copy -metadata:s:v rotate=90 turned.mp4
refused "halves of what is turned" 1 'turn it first' turned.mp4 o.mkv --depth half:right

# --- Tracks ----------------------------------------------------------------------------------------
ffmpeg -v error -i photo.mkv -i maps.mkv -map 0 -map 1 -c copy tracks.mkv
ffmpeg -v error -i photo.mkv -i maps.mkv -map 1 -map 0 -c copy swapped.mkv
as want tracks.mkv got/%03d.png --depth track:2
as want swapped.mkv got/%03d.png --depth track:1
ffmpeg -v error -i tracks.mkv -map 0 -c copy -disposition:v:0 0 -disposition:v:1 default second.mkv # the best track is the second
run tracks.mkv matte.mkv --depth second.mkv --matte track:2 $blur
run photo.mkv matte2.mkv --depth maps.mkv --matte maps.mkv $blur
ok "tracks of INPUT are not those of another file" same_video matte.mkv matte2.mkv
run tracks.mkv named.mkv --depth track:2 --max-radius 6
ok "another picture is named as left" says 'named.mkv: tracks that are not copied: another picture (h264)'
refused "a track that is not there" 1 'has no video track 3, but 2 of them' tracks.mkv o.mkv --depth track:3
refused "the only track" 1 'has no other video stream' photo.mkv o.mkv --depth track:1
refused "no number of a track" 2 'track:0: is no track of INPUT; give track:2' tracks.mkv o.mkv --depth track:0
refused "a track of a pipe" 2 'a pipe is read once' - o.mkv --depth track:2

# Azure Kinect's recordings: big-endian codes of millimetres behind the colours.
ffmpeg -v error -f lavfi -i testsrc2=s=96x64:r=10:d=0.5 -f lavfi -i testsrc=s=48x32:r=10:d=0.5,format=gray16be,lutyuv=y=val/8 \
    -map 0 -map 1 -c:v:0 mjpeg -c:v:1 rawvideo -allow_raw_vfw 1 kinect.mkv
python3 - << 'END' # ffmpeg does not write the codec's name
file = bytearray(open("kinect.mkv", "rb").read())
header = file.index(bytes((40, 0, 0, 0)), file.index(b"V_MS/VFW/FOURCC"))
file[header + 16:header + 20] = b"b16g"
open("kinect.mkv", "wb").write(file)
END
mkdir depth
ffmpeg -v error -i kinect.mkv -map 0:1 depth/%03d.png
run kinect.mkv kinect/%03d.png --depth depth/%03d.png --depth-scale 1000 --focus 3m --max-radius 6 --quiet
rm -rf got
run kinect.mkv got/%03d.png --depth track:2 --depth-scale 1000 --focus 3m --max-radius 6 --quiet
ok "depths of Azure Kinect" same_folders kinect got
ok "nothing is left behind" no_leftover
