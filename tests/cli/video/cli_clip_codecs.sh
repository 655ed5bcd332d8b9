#!/bin/bash
# What an editor brings stays what it is; the encoder, its quality and its options; the index of MP4.
#   cli_clip_codecs.sh SATBLUR MKIMAGE
. "$(dirname "$0")/ffmpeg_case.sh"
has() { ffmpeg -hide_banner -encoders 2> /dev/null | grep -q "^ V[^ ]* $1 "; }
film() { ffmpeg -v error -nostdin -y -f lavfi -i "testsrc2=size=320x192:rate=25" -frames:v 3 "$@"; }
is() { [ "$(ffprobe -v error -select_streams v -show_entries stream=codec_name,profile,pix_fmt -of csv=p=0 "$1" | head -1)" = "$2" ]; }

# --- The codec stays --------------------------------------------------------------------------------
film -c:v prores_ks -profile:v lt lt.mov
film -vf format=yuva444p10le -c:v prores_ks -profile:v 4444 -alpha_bits 16 alpha.mov
film -pix_fmt yuv422p -c:v dnxhd -profile:v dnxhr_sq sq.mov
film -pix_fmt yuv422p10le -c:v dnxhd -profile:v dnxhr_hqx hqx.mxf
run lt.mov o.mov --radius 1
ok "ProRes stays, with its profile" eval 'is o.mov prores,LT,yuv422p10le && ! says "is written"'
film -vf noise=alls=60:allf=t -c:v prores_ks -profile:v proxy proxy.mov
run proxy.mov o.mov --radius 0 --quiet
ok "and its rate" number_near "$(wc -c < o.mov)" "$(wc -c < proxy.mov)" 6000
run lt.mov o.mkv --radius 1 --quiet
ok "also in Matroska" is o.mkv prores,LT,yuv422p10le
run alpha.mov o.mov --radius 1
ok "ProRes 4444 stays; its alpha is named" eval 'is o.mov prores,4444,yuv444p12le && says "alpha.mov: its alpha is lost"'
if has libvpx-vp9; then
    film -pix_fmt yuva420p -c:v libvpx-vp9 -auto-alt-ref 0 -deadline realtime alpha.webm
    run alpha.webm o.webm --radius 1
    ok "so is VP9's, which has no tag of it then" eval 'says "alpha.webm: its alpha is lost" && ! ffprobe -v error -show_streams o.webm | grep -i alpha_mode'
else skip "ALPHA OF VP9: no libvpx-vp9"; fi
run alpha.mov o.png --radius 1 --frame 1
ok "also by one frame" says "alpha.mov: its alpha is lost"
run lt.mov o.mp4 --radius 1
ok "a container that takes none is named, with one that does" says "lt.mov: was ProRes, but H.264 is written, because MP4 .* takes no ProRes; a .mov keeps it"
run lt.mov o.mov --radius 1 --video-codec h264
ok "unless a codec is named" eval 'is o.mov "h264,High 4:2:2,yuv422p10le" && ! says "was ProRes"'
run sq.mov o.mov --radius 1 --quiet
ok "DNxHR stays, with its profile" is o.mov "dnxhd,DNXHR SQ,yuv422p"
run hqx.mxf o.mxf --radius 1 --quiet
ok "also in MXF, with its 10 bits" is o.mxf "dnxhd,DNXHR HQX,yuv422p10le"
"$satblur" lt.mov - --radius 0 --format nut --quiet > o.nut 2> err
ok "a pipe is lossless" is o.nut "ffv1,unknown,yuv422p10le"
if has libx265; then
    film -c:v libx265 -x265-params log-level=none -pix_fmt yuv420p10le hevc.mp4
    for ending in mp4 mov mkv ts; do
        run hevc.mp4 o.$ending --radius 1
        ok "HEVC stays, with its 10 bits, in .$ending" eval 'is o.$ending "hevc,Main 10,yuv420p10le" && ! says "is written"'
    done
    run hevc.mp4 o.avi --radius 1 --quiet
    ok "but not in AVI" is o.avi "h264,High 10,yuv420p10le"
else skip "HEVC: no libx265"; fi

# --- Which players ------------------------------------------------------------------------------------
plays="phones, televisions and browsers do not play"
for kind in yuv422p yuv444p yuv420p10le; do
    film -c:v libx264 -pix_fmt $kind $kind.mp4
    run $kind.mp4 o.mp4 --radius 1
    ok "H.264 of $kind: few players" says "o.mp4: is H.264 of 4:[24]:[024] with [18]0* bits, which $plays; --pixel-format yuv420p plays everywhere"
    run $kind.mp4 o.mp4 --radius 1 --pixel-format yuv420p
    ok "the remedy is one" eval 'is o.mp4 h264,High,yuv420p && ! says "$plays"'
done
film -c:v libx264 -pix_fmt yuv420p usual.mp4
run usual.mp4 o.mp4 --radius 1
ok "the usual kind has no note" eval '! says "$plays" && ! says interlaced'
run usual.mp4 o.flv --radius 1 --quiet
ok "FLV has it, too" is o.flv h264,High,yuv420p
film -c:v libx264 -pix_fmt yuv420p -x264-params bff=1 fields.mkv
run fields.mkv o.mkv --radius 1
ok "fields are named that only the frames tell" says "fields.mkv: is interlaced"

# --- The encoder ----------------------------------------------------------------------------------------
for row in h264:libx264:mp4:h264 hevc:libx265:mp4:hevc prores:prores_ks:mov:prores dnxhr:dnxhd:mov:dnxhd av1:libsvtav1:mp4:av1 \
    vp9:libvpx-vp9:webm:vp9 ffv1:ffv1:mkv:ffv1; do
    IFS=: read -r word encoder ending codec <<< "$row"
    if has $encoder; then
        run usual.mp4 o.$ending --radius 1 --video-codec $word
        ok "--video-codec $word" [ "$(ffprobe -v error -select_streams v -show_entries stream=codec_name -of csv=p=0 o.$ending)" = $codec ]
        "$satblur" --help=all > help
        ok "--help=all has its encoder" grep -q "^  $word  *$encoder\$" help
    else skip "--video-codec $word: no $encoder"; fi
done
refused "an unknown codec" 1 "--video-codec h266: FFmpeg has no encoder of this name" usual.mp4 o.mp4 --radius 1 --video-codec h266
"$satblur" --help=video > help
ok "--help=video has the encoders" grep -q "^Encoders of this build" help
"$satblur" --help=depth > help
ok "--help=depth has none" eval '! grep -q "^Encoders of this build" help'
setting() { grep -aoq "$2" "$1"; } # libx264 writes its settings into the stream
run usual.mp4 o.mp4 --radius 1 --encoder-options preset=fast:tune=film --quiet
ok "--encoder-options: preset and tune" eval 'setting o.mp4 "ref=2 " && setting o.mp4 "psy_rd=1.00:0.15" && setting o.mp4 "crf=18.0"'
run usual.mp4 o.mp4 --radius 1 --encoder-options qp=30 --quiet
ok "a quality among them counts" setting o.mp4 "qp=30"
run usual.mp4 o.mp4 --radius 1 --crf 30 --quiet
ok "--crf" setting o.mp4 "crf=30.0"
if has libx265; then
    long=$(printf 'ref=3\\:%.0s' $(seq 200))
    run usual.mp4 o.mkv --radius 1 --video-codec hevc --encoder-options "x265-params=${long}bframes=1\:max-cll=7,5" --quiet
    ok "long values count to their end" eval 'ffprobe -v error -show_frames -read_intervals "%+#1" o.mkv | grep -q "max_content=7"'
    refused "a colon within a value" 1 "has no option ref; .* write colons within a value .:" usual.mp4 o.mkv --radius 1 --video-codec hevc \
        --encoder-options x265-params=bframes=1:ref=3
fi
refused "an option that the encoder does not have" 1 "the encoder libx264 has no option prset" usual.mp4 o.mp4 --radius 1 --encoder-options prset=fast
refused "options without values" 1 "expected NAME=VALUE" usual.mp4 o.mp4 --radius 1 --encoder-options fast
refused "encoder options of numbered files" 2 "--encoder-options is for videos" usual.mp4 o.%03d.png --radius 1 --encoder-options preset=fast
run usual.mp4 o.mp4 --radius 1 --encoder-options preset=quick
ok "a value that it refuses" eval 'status_is 1 && says "--encoder-options preset=quick: the encoder libx264 refuses a value" && [ ! -e o.mp4 ]'
refused "an option that is none of this program's" 2 "--encoder-options" usual.mp4 o.mp4 --radius 1 --tune film

# --- The index of MP4 -----------------------------------------------------------------------------------
begins() { [ "$(grep -aobm1 moov "$1" | head -1 | cut -d: -f1)" -lt "$(grep -aobm1 mdat "$1" | head -1 | cut -d: -f1)" ]; }
for ending in mp4 mov m4v 3gp; do
    run usual.mp4 o.$ending --radius 1 --quiet
    ok "the index of .$ending is at its begin" begins o.$ending
done
ffmpeg -v error -nostdin -stream_loop 40 -i usual.mp4 -c copy late.mp4
late="standard input: this MP4 has its index at the end, which comes too late in a pipe; name the file, or move the index"
piped() { cat "$1" | "$satblur" - o.mp4 --radius 1 > out 2> err; status=$?; }
piped late.mp4
ok "an index at the end of a pipe is said, with the remedy" eval 'status_is 1 && says "$late" && [ "$(wc -l < err)" = 1 ]'
cat late.mp4 | "$satblur" usual.mp4 o.mp4 --max-radius 2 --depth - > out 2> err
ok "also of maps" says "$late"
run late.mp4 early.mp4 --radius 0
piped early.mp4
ok "an index at the start is good in a pipe" eval 'status_is 0 && says "123 frames"'
"$satblur" - o.mp4 --radius 1 < late.mp4 > out 2> err
ok "standard input that is a file is read in any order" says "123 frames"
