#!/bin/bash
# As cli.sh: statistics, their figure, and equalisation.    cli_stats.sh SATBLUR MKIMAGE
. "$(dirname "$0")/cli_case.sh"

make png 120 80 3 8 noise:1 photo.png
make png 120 80 1 8 ramp depth.png

# --- Text -----------------------------------------------------------------------------------------
make png 10 10 3 8 const:200 in.png
run in.png --stats
row() { grep -qE "^$1 +$2 +$3 +$4\$" out; }
ok '--stats names the channels' row '' red green blue
for name in minimum '1% percentile' '5% percentile' median '95% percentile' '99% percentile' \
    maximum; do
    ok "--stats prints: $name" row "$name" 200 200 200
done
ok '--stats prints the mean' row mean 200.000 200.000 200.000
ok '--stats prints the standard deviation' row 'standard deviation' 0.000 0.000 0.000
ok '--stats prints the entropy' row 'entropy, bits' 0.000 0.000 0.000
ok '--stats prints what is clipped' row 'clipped high, %' 0.000 0.000 0.000
ok '--stats prints the histogram' grep -qE '^ +192: +0 +0 +0 +0 +0 +0 +0 +0 +[1-9][0-9]* +0' out
ok '--stats leaves stderr alone' silent
ok '--stats fits 80 columns' awk 'length > 80 { long = 1 } END { exit long }' out
make png 200 9 1 16 step in.png
run in.png --stats
row_one() { grep -qE "^$1 +$2\$" out; }
ok 'clipped low' row_one 'clipped low, %' 50.000
ok 'clipped high' row_one 'clipped high, %' 50.000
ok '16-bit median' row_one median 0
ok '16-bit 95% percentile' row_one '95% percentile' 65535
ok 'one bit of entropy' row_one 'entropy, bits' 1.000
make png 16 16 2 8 alpha:9:255 in.png
run in.png --stats
ok 'gray and alpha' grep -qE '^ +gray +alpha$' out

cp photo.png $'a\e[31m\x9b1m\xc2\x9b\xe2\x80\xae.png'
run $'a\e[31m\x9b1m\xc2\x9b\xe2\x80\xae.png' --stats
ok 'no control character of a name reaches the terminal' grep -q '^a?\[31m?1m??.png: ' out
echo broken > $'b\x9b\xc2\x9b\xe2\x80\xae.png'
run $'b\x9b\xc2\x9b\xe2\x80\xae.png' --stats
ok 'and none in a message' says '^satblur: b???.png: '
rm -f [ab]$'\x9b'* $'a\e'*

# --- JSON -----------------------------------------------------------------------------------------
run photo.png --stats=json --timings
json_is_whole() { # json_is_whole CHANNELS PIXELS...: of each channel, in order
    awk -v wanted="$1" -v pixels="$2" '
        { text = text $0 "\n" }
        END {
            number = "[0-9]+[.]?[0-9]*(e-[0-9]+)?"
            keys = split("min max mean stddev median p1 p5 p95 p99 entropy clipped_low clipped_high",
                         key, " ")
            expected = "\"name\": \"[RGBgrayalph]+\""
            for (k = 1; k <= keys; k++) expected = expected ",[ \n]+\"" key[k] "\": " number
            if (gsub(expected ",[ \n]+\"histogram\": \\[", "&", text) != wanted) exit 1
            if (text !~ /"device": "[^"]+"\}\n$/) exit 1
            parts = split(text, part, /"histogram": \[/)
            for (i = 2; i <= parts; i++) {
                sub(/\].*/, "", part[i])
                bins = split(part[i], bin, ",")
                sum = 0
                for (b = 1; b <= bins; b++) sum += bin[b]
                if (bins != 256 || sum != pixels) exit 1
            }
            exit parts != wanted + 1
        }' out
}
ok '--stats=json is whole and counts every pixel' json_is_whole 3 9600
ok '--stats=json begins with the file' \
    grep -q '^{"file": "photo.png", "width": 120, "height": 80, "bits": 8,$' out
ok '--timings go to stderr' grep -q '^total .* ms 100.0%$' err
run photo.png o.png --radius 2 --stats=json
ok 'statistics beside a blur are the input'"'"'s' json_is_whole 3 9600
run photo.png o.png --depth depth.png --stats=json
ok '--depth: the map is measured, too' json_is_whole 4 9600
ok '--depth: in an object of its own' \
    grep -q '^  "depth": {"file": "depth.png", "width": 120, "height": 80, "bits": 8,$' out
run photo.png o.png --depth depth.png --stats
ok '--depth: a section of its own' grep -q '^depth.png: 120 x 80, gray, 8 bits, depth map$' out
make png 120 80 4 8 step colour.png
run photo.png o.png --depth colour.png --stats
ok '--depth: only the channel that counts' \
    grep -q '^colour.png: 120 x 80, RGBA, 8 bits, depth map, first channel$' out
cp photo.png $'quo"te\\\xff.png'
run $'quo"te\\\xff.png' --stats=json
ok 'JSON escapes file names' grep -qF '{"file": "quo\"te\\\ufffd.png"' out
if command -v python3 > /dev/null; then
    ok 'JSON parses' python3 -c 'import json; json.load(open("out"))'
else
    skip 'JSON parses: there is no python3'
fi

# --- Figure ---------------------------------------------------------------------------------------
is_png() { [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]; }
is_svg() { head -c 200 "$1" | grep -q '<svg ' && tail -c 20 "$1" | grep -q '</svg>'; }
run photo.png --histogram h.svg
if says 'this build has no cairo'; then
    refused 'without cairo, --histogram is refused' 1 'no cairo to draw with' \
        photo.png --histogram o.svg
    skip 'the figure: this build has no cairo'
else
    ok '--histogram draws an SVG' is_svg h.svg
    silent_and_done() { status_is 0 && silent && [ ! -s out ]; }
    ok '--histogram alone says nothing' silent_and_done
    run photo.png --histogram h.png
    ok '--histogram draws a PNG' is_png h.png
    ok 'a figure has the size of a figure' grep -qE '^2000 1[0-9]{3} 3 8$' <("$mkimage" shape h.png)
    run photo.png --histogram H.PNG
    ok 'the ending may be in capitals' cmp h.png H.PNG
    for channels in 1 2 3 4; do
        for bits in 8 16; do
            make png 37 23 $channels $bits noise:5 in.png
            run in.png --histogram h.png
            ok "a figure of $channels channels, $bits bits" is_png h.png
        done
    done
    make png 1 1 3 8 const:77 one.png
    run one.png --histogram h.png
    ok 'a figure of one pixel' is_png h.png
    make png 9 9 4 8 alpha:50:0 clear.png
    run clear.png --histogram h.png
    ok 'a figure of nothing visible' is_png h.png
    for name in $'<&">\xff\n.png' "$(printf 'n%.0s' {1..200}).png"; do
        cp photo.png "$name"
        run "$name" --histogram h.svg
        ok 'a figure of a file with a strange name' is_svg h.svg
    done
    run photo.png o.png --radius 2 --histogram h.svg --stats=json
    all_three() { status_is 0 && is_svg h.svg && json_is_whole 3 9600 && shape_is o.png '120 80 3 8'; }
    ok 'a blur, a figure and statistics at once' all_three
    cp photo.png old.svg
    # Noise and many letters: more than what is buffered, so that drawing meets the full disk.
    make png 300 300 4 16 noise:1 abcdefghijkmnopqrstuvwxyz0123456789ABCDEFGH.png
    (ulimit -f 8; "$satblur" abcd*.png --histogram old.svg > out 2> err)
    status=$?
    full_disk() {
        status_is 1 && [ "$(wc -l < err)" = 1 ] && says 'old.svg: cannot be written' &&
            cmp old.svg photo.png && no_leftover
    }
    ok 'a figure and a full disk: error, old file kept, nothing left behind' full_disk
    refused 'a figure into no folder' 1 "folder 'nowhere/' does not exist" \
        photo.png --histogram nowhere/h.svg
    refused 'a figure into no folder, before the work' 1 "folder 'nowhere/' does not exist" \
        photo.png o.png --radius 1 --histogram nowhere/h.svg
fi
refused 'a figure of an unknown kind' 2 'expected a file name that ends in .svg or .png' \
    photo.png --histogram o.pdf
refused 'a figure without a name' 2 'expected' photo.png --histogram .svg
refused 'a figure and a picture in one file' 2 'name two files' \
    photo.png o.png --radius 1 --histogram o.png
refused 'a figure alone writes no picture' 2 '--histogram writes no picture' \
    photo.png o.png --histogram h.svg

# --- Equalisation ---------------------------------------------------------------------------------
make png 8 1 1 8 ramp in.png # 0, 3, 6, ... 21
run in.png o.png --equalize
ok '--equalize: exit status' status_is 0
spread() { [ "$("$mkimage" row o.png 0 | tr '\n' ' ')" = '0 36 73 109 146 182 219 255 ' ]; }
ok '--equalize spreads the codes over the scale' spread
ok '--equalize says nothing' silent
for channels in 1 2 3 4; do
    for bits in 8 16; do
        make png 67 43 $channels $bits noise:5 in.png
        run in.png o.png --equalize
        ok "--equalize keeps $channels channels, $bits bits" shape_is o.png "67 43 $channels $bits"
        run in.png o1.png --equalize --threads 1
        ok "--equalize: threads do not matter, $channels channels, $bits bits" cmp o.png o1.png
        cp in.png inout.png
        run inout.png inout.png --equalize
        ok "--equalize in place, $channels channels, $bits bits" cmp o.png inout.png
    done
done
make png 9 9 4 16 alpha:777:50 flat.png
run flat.png o.png --equalize
ok 'a picture of one luminance stays' same flat.png o.png
run photo.png o.jpg --equalize --quality 90
ok '--equalize into a JPEG' shape_is o.jpg '120 80 3 8'
run photo.png o.png --equalize --timings --stats
ok '--equalize has a time of its own' grep -q '^equalize .* ms' err
ok '--stats beside --equalize' row '' red green blue
refused '--equalize and a blur' 2 '--radius and --equalize exclude each other' \
    photo.png o.png --equalize --radius 3
refused '--equalize and depth' 2 '--depth and --equalize exclude each other' \
    photo.png o.png --depth depth.png --equalize
run photo.png o.png --depth depth.png --stats=json
cp out with.json
run photo.png --depth depth.png --stats=json
measured() { status_is 0 && silent && cmp out with.json && grep -q '"depth"' out; }
ok '--stats with --depth needs no OUTPUT' measured
refused 'what blurs needs one' 2 'OUTPUT is missing' photo.png --depth depth.png --stats --max-radius 4
refused '--equalize without an output' 2 'OUTPUT is missing' photo.png --equalize
refused '--equalize and --gamma' 2 '--gamma needs a blur' photo.png o.png --equalize --gamma
refused '--equalise is near' 2 "did you mean --equalize" photo.png o.png --equalise
refused '--histograms is near' 2 "did you mean --histogram" photo.png --histograms h.svg
if run photo.png o.png --equalize --device cuda && [ "$status" = 0 ]; then
    run photo.png o.png --equalize --verify
    ok '--equalize --verify on this GPU' says '^satblur: verify: 28800 bytes equal on cpu and cuda:0'
    run photo.png o.png --depth depth.png --stats --histogram h.png --verify
    ok '--verify of all statistics' status_is 0
else
    refused '--equalize --verify without a GPU' 1 '--verify needs a CUDA device' \
        photo.png o.png --equalize --verify
fi

ok 'nothing is left behind' no_leftover
