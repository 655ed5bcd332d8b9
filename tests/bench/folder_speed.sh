#!/usr/bin/env bash
# Images a second through folders, by --codec fast and gpu in turn, and what the stages take of a picture.
#
# usage: tests/bench/folder_speed.sh SATBLUR (MKJPEG | PHOTOS DEPTHS) [arguments for satblur...]
#        tests/bench/folder_speed.sh --maps SATBLUR MKJPEG [arguments for satblur...]
#
# With MKJPEG (build/tests/mkjpeg), JPEGs of 1920x1080 and gray JPEGs as their maps are made of the samples in
# assets/; or PHOTOS and DEPTHS are folders of one's own. All is copied to memory first, and written there.
# --maps compares kinds of maps instead, by depth alone, with the rate of the first kind by the first codec. Kinds:
#   same (JPEG, the picture's size), half (JPEG), enlarged (JPEG, from a width of 518 to the picture's size),
#   png16 (16 bits, enlarged alike), rgb (as same), png16_518 (16 bits, a width of 518)
#   PICTURES=512, or 400  ROUNDS=3  CODECS="fast gpu"  DEVICE=cuda  WORK=/dev/shm  MAPS="same half enlarged png16"
set -euo pipefail
export XDG_CONFIG_HOME=/dev/null/none # not the configuration of who runs this
cd "$(dirname "$0")/../.."

by_maps=
[ "${1-}" != --maps ] || { by_maps=yes; shift; }
[ $# -ge 2 ] || { sed -n '2,13s/^# *//p' "$0"; exit 2; }
satblur=$(realpath "$1") rounds=${ROUNDS:-3} device=${DEVICE:-cuda} maps=${MAPS:-same half enlarged png16}
pictures=${PICTURES:-${by_maps:+400}} codecs=${CODECS:-${by_maps:+gpu fast}}
pictures=${pictures:-512} codecs=${codecs:-fast gpu}
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

# resample FROM TO WIDTH HEIGHT [RANGE]: a map of that size, as a PNG of 16 bits: the radii for a focus at the far end are
# its codes, in the upper half of the scale
resample() {
    "$mkjpeg" 420 assets/table.png "$3" "$4" "$work/size.jpg"
    "$satblur" "$work/size.jpg" "$work/o.bmp" --depth "$1" ${5:+--depth-range "$5"} --depth-edges keep --focus 0 \
        --max-radius 1 --method gather --dump-coc "$2" --quiet --device cpu
}

# make_maps: of each sample the kinds of maps, all in the upper half of the scale
make_maps() {
    local sample as kind
    for sample in table street; do
        as="$work/kinds/$sample"
        resample "${as}_depth.jpg" "$as.same.png" 1920 1080
        resample "${as}_depth.jpg" "$as.half.png" 960 540
        resample "${as}_depth.jpg" "$as.png16_518.png" 518 291
        resample "$as.png16_518.png" "$as.png16.png" 1920 1080 0.5,1
        cp "$as.png16.png" "$as.enlarged.png"
        for kind in same half enlarged; do
            "$satblur" "$as.$kind.png" "$as.$kind.jpg" --radius 0 --quiet --device cpu && rm "$as.$kind.png"
        done
        "$satblur" "$as.same.jpg" "$work/map.bmp" --radius 0 --quiet --device cpu
        "$mkjpeg" 444 "$work/map.bmp" 1920 1080 "$as.rgb.jpg"
    done
    for kind in $maps; do
        mkdir "$work/$kind"
        for ((i = 0; i < pictures; i++)); do # as fill() chooses photos
            [ $((i % 2)) = 0 ] && sample=street || sample=table
            as=$(echo "$work/kinds/$sample.$kind".*)
            cp "$as" "$work/$kind/$i.${as##*.}"
        done
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
    mkjpeg=$(realpath "$2")
    make_kinds "$mkjpeg"
    fill
    [ -z "$by_maps" ] || make_maps
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

# median NAME: of the rates
median() { sort -n "$work/$1.rates" | sed -n "$((rounds / 2 + 1))p"; }

# compare_maps ARGUMENTS...: all kinds by all codecs in turn, and the table
compare_maps() {
    local round codec kind first="" name
    for ((round = 0; round < rounds; round++)); do
        for codec in $codecs; do
            for kind in $maps; do
                name="$kind, $codec"
                once "$name" "$codec" --depth-dir "$work/$kind" --depth-range 0.5,1 --device "$device" "$@"
                grep -c '"stayed": true' "$work/report" > "$work/$name.stayed" || true
            done
        done
    done
    printf '\n%-10s %-6s %10s %8s %8s   %s\n' maps codec images/s x stayed "all rounds; libraries"
    for codec in $codecs; do
        for kind in $maps; do
            name="$kind, $codec"
            first=${first:-$(median "$name")}
            printf '%-10s %-6s %10s %8s %8s   %s; %s\n' "$kind" "$codec" "$(median "$name")" \
                "$(awk -v a="$(median "$name")" -v b="$first" 'BEGIN { printf "%.2f", a / b }')" \
                "$(cat "$work/$name.stayed")" "$(tr '\n' ' ' < "$work/$name.rates" | sed 's/ $//')" \
                "$(sed 's/^ *[0-9]* //' "$work/$name.libraries" | sort -u | tr -d '"' | tr '\n' ' ' | sed 's/ $//')"
        done
    done
}

echo "$(find "$work/photos" -type f | wc -l) pictures, $(nproc) processors, mean ms of a picture by stage:"
if [ -n "$by_maps" ]; then
    compare_maps "$@"
    exit
fi
for ((round = 0; round < rounds; round++)); do
    for codec in $codecs; do
        once "depth, $codec" "$codec" --depth-dir "$work/depths" --device "$device" "$@"
        once "radius 8, $codec" "$codec" --radius 8 --device "$device" "$@"
        once "copy, $codec" "$codec" --radius 0 --device cpu "$@"
    done
done

echo "images a second, the median of $rounds, and all:"
for what in depth 'radius 8' copy; do
    for codec in $codecs; do
        name="$what, $codec"
        printf '%-16s %8s   (%s)\n' "$name" "$(median "$name")" "$(tr '\n' ' ' < "$work/$name.rates" | sed 's/ $//')"
        sort -u "$work/$name.libraries"
    done
done
