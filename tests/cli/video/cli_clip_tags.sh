#!/bin/bash
# What a clip's header says beside its streams: keys of phones, tags, the light of HDR10, tracks that are lost.
#   cli_clip_tags.sh SATBLUR MKIMAGE
. "$(dirname "$0")/ffmpeg_case.sh"
has() { ffmpeg -hide_banner -encoders 2> /dev/null | grep -q "^ V[^ ]* $1 "; }
film() { ffmpeg -v error -nostdin -y -f lavfi -i "testsrc2=size=64x48:rate=25" -frames:v 3 "$@"; }
tags() { ffprobe -v error -show_entries format_tags:stream_tags -of default=nw=1 "$1" | sed 's/^TAG://' > tags; }
lists() { grep -qix "$1" tags; }

# --- Keys and tags ----------------------------------------------------------------------------------
a=com.apple.quicktime
film -c:v mpeg4 -movflags use_metadata_tags -metadata $a.make=Apple -metadata $a.model='iPhone 15' -metadata $a.location.ISO6709=+10.0+020.0/ \
    -metadata $a.creationdate=2024-05-29T18:04:24+0700 -metadata $a.content.identifier=0000-1111 phone.mov
film -c:v mpeg4 -metadata title=Sea -metadata artist=Ann -metadata creation_time=2024-05-29T11:04:24.000000Z -timecode 01:00:00:00 tagged.mov
film -c:v ffv1 -metadata title=Sea -metadata NUMBER_OF_FRAMES=99 tagged.mkv
all_keys() {
    tags "$1"
    lists "$a.make=Apple" && lists "$a.model=iPhone 15" && lists "$a.location.ISO6709=+10.0+020.0/" &&
        lists "$a.creationdate=2024-05-29T18:04:24+0700" && lists "$a.content.identifier=0000-1111"
}
for ending in mov mp4 m4v mkv webm nut; do
    run phone.mov o.$ending --radius 1
    ok "keys of a phone stay in .$ending" eval 'all_keys o.$ending && ! says "are lost"'
done
for ending in avi ts 3gp mxf; do
    run phone.mov o.$ending --radius 1
    ok "keys that .$ending does not take are named" says "o.$ending: tags are lost, because the container does not take them: .*make, model"
done
run o.mkv again.mov --radius 1 --quiet
run phone.mov o.mkv --radius 1 --quiet
run o.mkv again.mov --radius 1 --quiet
ok "also from MOV to Matroska and back" all_keys again.mov
for ending in mov mp4 mkv; do
    run tagged.mov o.$ending --radius 1 --quiet
    tags o.$ending
    ok "plain tags stay in .$ending" eval 'lists title=Sea && lists artist=Ann && lists creation_time=2024-05-29T11:04:24.000000Z'
    ok "the time code stays in .$ending" lists timecode=01:00:00:00
    ok "the encoder in .$ending is the one that was" eval '! grep -i ^encoder= tags | grep -i mpeg4 && grep -i ^encoder= tags | grep -q libx264'
done
ok "Matroska has no brand of MOV" eval '! grep -i -e brand -e minor_version tags'
run tagged.mkv o.mkv --radius 1 --quiet
tags o.mkv
ok "nor numbers of the packets before" eval 'lists title=Sea && ! grep NUMBER_OF tags'
run tagged.mov o.ts --radius 1
ok "a container without tags: they are named" says "o.ts: tags are lost, .*: creation_time, artist, title, timecode"
film -c:v ffv1 -metadata title=Sea -metadata director=Ann -metadata shop=Bob -metadata date=2020 tags.mkv
for row in "mp4 DIRECTOR, SHOP" "mov DIRECTOR, SHOP" "m4v DIRECTOR, SHOP" "avi DIRECTOR, SHOP" "flv none" "mkv none" "webm none" "nut none" "3gp DIRECTOR, SHOP"; do
    ending=${row%% *}
    run tags.mkv o.$ending --radius 1
    ok "tags that .$ending does not take are named once: ${row#* }" [ "$(sed -n 's/.*tags are lost, .*: //p' err)" = "$(sed 's/none//' <<< "${row#* }")" ]
done
run tags.mkv o.mp4 --radius 1 --quiet
ok "but not with --quiet" silent

# --- Light ------------------------------------------------------------------------------------------
light() {
    ffprobe -v error -show_entries "$2=side_data_list" -show_streams -show_frames -read_intervals %+#1 -select_streams v -of json "$1" |
        python3 -c '
import json, sys
from fractions import Fraction
found = json.load(sys.stdin)[sys.argv[1]][0].get("side_data_list", [])
number = lambda side, name: str(Fraction(side[name])) if name in side else ""
for side in sorted(found, key=str):
    names = [n for n in ("red_x", "green_y", "white_point_x", "max_luminance", "min_luminance", "max_content", "max_average") if n in side]
    print(*(n + "=" + str(Fraction(side[n])) for n in names))' "$2s" | sed '/^$/d' | sort > light
    grep -q 'red_x=17/25 green_y=69/100 white_point_x=3127/10000 max_luminance=1000 min_luminance=1/10000' light &&
        grep -q 'max_content=900 max_average=300' light
}
if has libx265; then
    film -pix_fmt yuv420p10le -c:v libx265 -x265-params \
        'log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=900,300' hdr.mp4
    for ending in mp4 mov mkv; do
        run hdr.mp4 hdr2.$ending --radius 1 --gamma --quiet
        ok "HDR10's light stays in the header of .$ending" light hdr2.$ending stream
    done
    for ending in mp4 ts; do
        run hdr.mp4 hdr2.$ending --radius 1 --gamma --quiet
        ok "and in the frames of .$ending" light hdr2.$ending frame
    done
    run hdr2.mkv hdr3.mov --radius 1 --gamma --quiet --video-codec prores
    ok "and in ProRes" light hdr3.mov stream
    run hdr.mp4 hdr4.ts --radius 1 --gamma --quiet --encoder-options 'x265-params=max-cll=7,5'
    ok "parameters of the user count more" eval '! light hdr4.ts frame && grep -q "max_content=7 max_average=5" light && grep -q red_x=17/25 light'
else skip "HDR10: no libx265"; fi

# --- Tracks -----------------------------------------------------------------------------------------
sed 's/tmcd/mebx/g' tagged.mov > sensor.mov
run sensor.mov o.mov --radius 1
ok "a track of data is named" says "o.mov: tracks that are not copied: mebx"
ok "in one note" [ "$(grep -c mebx err)" = 1 ]
run tagged.mov o.mov --radius 1
ok "a track of time code is not lost" eval '! says "not copied"'
printf ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=100\ntitle=One\n' > chapters.txt
ffmpeg -v error -nostdin -i phone.mov -i chapters.txt -map 0:v -map_metadata 1 -c copy chapters.mp4
run chapters.mp4 o.mp4 --radius 1
ok "nor are titles of chapters" eval '! says "not copied" && ffprobe -v error -show_chapters o.mp4 | grep -q title=One'
printf '\0\1\0\0 a font with the bytes GIF89a' > font.ttf
printf 'GIF89a' > cover.bin
for row in font.ttf:application/x-truetype-font cover.bin:application/octet-stream; do
    film -c:v ffv1 -attach ${row%:*} -metadata:s:t mimetype=${row#*:} ${row%.*}.mkv
done
run font.mkv o.mkv --radius 1
ok "a font stays in Matroska" eval '! says lost && ffprobe -v error -show_entries stream=codec_name o.mkv | grep -q ttf'
for ending in webm mp4 ts nut; do
    run font.mkv o.$ending --radius 1
    ok "and is named in .$ending" says "o.$ending: lost, because the container does not take it: an attachment (ttf)"
done
run cover.mkv o.mkv --radius 1
ok "a picture in an attachment is left out" says "o.mkv: tracks that are not copied: an attachment"
film -frames:v 150 -c:v mpeg2video silent.ts
sounds=(-map 0)
for number in $(seq 40); do sounds+=(-map 1); done
ffmpeg -v error -nostdin -f lavfi -i "testsrc2=size=64x48:rate=25:duration=1" -f lavfi -i "sine=duration=1" "${sounds[@]}" -c:v mpeg2video \
    -c:a mp2 sounds.ts
cat silent.ts sounds.ts | "$satblur" - late.mkv --radius 1 > out 2> err
ok "sounds that begin late do no harm" eval '[ $? = 0 ] && [ "$(ffprobe -v error -select_streams v -count_frames -show_entries stream=nb_read_frames -of csv=p=0 late.mkv)" = 175 ]'
ok "and are named once" [ "$(grep -c "late.mkv: streams that begin after the clip's first frame are left out" err)" = 1 ]
