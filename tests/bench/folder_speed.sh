#!/usr/bin/env bash
# Images a second through folders, by --codec fast and gpu in turn, and what the stages take of a picture.
#
# usage: tests/bench/folder_speed.sh SATBLUR (MKJPEG | PHOTOS DEPTHS) [arguments for satblur...]
#
# With MKJPEG (build/tests/mkjpeg), JPEGs of 1920x1080 and gray JPEGs as their maps are made of the samples in
# assets/; or PHOTOS and DEPTHS are folders of one's own. All is copied to memory first, and written there.
# With MKJPEG, jpegloop in the same folder takes its turn: the limit that libjpeg-turbo sets.
#   PICTURES=512  ROUNDS=3  CODECS="fast gpu"  DEVICE=cuda  WORK=/dev/shm
set -euo pipefail
cd "$(dirname "$0")/../.."

[ $# -ge 2 ] || { sed -n '2,8s/^# *//p' "$0"; exit 2; }
satblur=$(realpath "$1") pictures=${PICTURES:-512} rounds=${ROUNDS:-3} codecs=${CODECS:-fast gpu} device=${DEVICE:-cuda}
work=$(mktemp -d "${WORK:-/dev/shm}/folder_speed.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/photos" "$work/depths" "$work/kinds"

# make_kinds MKJPEG: a picture and its map of each sample
make_kinds() {
    for sample in table street; do
        "$1" 420 "assets/$sample.png" 1920 1080 "$work/kinds/$sample.jpg"
        "$satblur" "assets/${sample}_depth.png" "$work/map.bmp" --radius 0 --quiet --device cpu
        "$1" gray "$work/map.bmp" 1920 1080 "$work/kinds/${sample}_depth.jpg"
    done
}

# fill: as many of the kinds again and again as are wanted
fill() {
    local photos=("$work"/kinds/*[!h].jpg) i photo
    for ((i = 0; i < pictures; i++)); do
        photo=${photos[i % ${#photos[@]}]}
        cp "$photo" "$work/photos/$i.jpg"
        cp "${photo%.jpg}_depth.jpg" "$work/depths/$i.jpg"
    done
}

if [ -d "$2" ]; then
    cp -r "$2/." "$work/photos" && cp -r "$3/." "$work/depths"
    shift 3
else
    make_kinds "$2"
    fill
    loop=$(dirname "$(realpath "$2")")/jpegloop
    shift 2
fi

# figures NAME: of the last run's report, the rate into a list and the stages onto the screen
figures() {
    grep -o '"images_per_second": [0-9.]*' "$work/report" | cut -d ' ' -f 2 >> "$work/$1.rates"
    awk -v name="$1" '
        /"summary"/ { next }
        {
            n++
            ms = $0; sub(/.*"ms": \{/, "", ms); sub(/\}.*/, "", ms)
            count = split(ms, parts, ", ")
            for (i = 1; i <= count; i++) {
                split(parts[i], pair, ": "); gsub(/"/, "", pair[1])
                if (!(pair[1] in sum)) order[++stages] = pair[1]
                sum[pair[1]] += pair[2]
            }
        }
        END {
            printf "%-16s", name
            for (i = 1; i <= stages; i++) printf "  %s %.2f", order[i], sum[order[i]] / n
            printf "\n"
        }' "$work/report"
    grep -oE '"(decoder|map_decoder|encoder)": "[^"]*"' "$work/report" | sort | uniq -c |
        awk '{ $1 = $1; print "                 " $0 }' >> "$work/$1.libraries"
}

# once NAME CODEC ARGUMENTS...: one run, which must do all
once() {
    local name=$1 codec=$2
    shift 2
    rm -rf "$work/out"
    "$satblur" "$work/photos" "$work/out" --codec "$codec" --report "$work/report" "$@" 2> "$work/err" ||
        { head -3 "$work/err"; exit 1; }
    figures "$name"
}

echo "$(find "$work/photos" -type f | wc -l) pictures, $(nproc) processors, mean ms of a picture by stage:"
for ((round = 0; round < rounds; round++)); do
    for codec in $codecs; do
        once "depth, $codec" "$codec" --depth-dir "$work/depths" --device "$device" "$@"
        once "radius 8, $codec" "$codec" --radius 8 --device "$device" "$@"
        once "copy, $codec" "$codec" --radius 0 --device cpu "$@"
    done
    if [ -x "${loop-}" ]; then
        rm -rf "$work/out" && mkdir "$work/out"
        "$loop" "$work/photos" "$work/depths" "$work/out" "$(nproc)" >> "$work/loop.rates"
    fi
done

echo "images a second, the median of $rounds, and all:"
for what in depth 'radius 8' copy; do
    for codec in $codecs; do
        name="$what, $codec"
        median=$(sort -n "$work/$name.rates" | sed -n "$((rounds / 2 + 1))p")
        printf '%-16s %8s   (%s)\n' "$name" "$median" "$(tr '\n' ' ' < "$work/$name.rates" | sed 's/ $//')"
        sort -u "$work/$name.libraries"
    done
done
[ ! -s "$work/loop.rates" ] || echo "libjpeg-turbo by itself, $(nproc) threads: $(tr '\n' ' ' < "$work/loop.rates")"
