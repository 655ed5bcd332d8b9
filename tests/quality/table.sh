#!/usr/bin/env bash
# Measures depth-of-field blurs against ground truth: builds what is missing, renders the scenes
# (once), runs every method that is installed, and prints Markdown tables. --help says more.
set -euo pipefail
export XDG_CONFIG_HOME=/dev/null/none # not the configuration of who runs this

usage() {
    cat << 'END'
usage: tests/quality/table.sh [options]
  --build DIR      build tree (default: build; made when it is not there)
  --out DIR        scenes and results (default: build-quality); kept and used again
  --scenes "A B"   only these (layers --list names them)
  --methods "A B"  only these of: input satblur ffmpeg gegl (default: all)
  --satblur "A B"  values for satblur's --method (default: all that it has)
  --depth KIND     give satblur a depth map of this kind instead of the scene's: exact, or mean4,
                   net and others as worsen makes them (its usage lists them)
  --light          give satblur image.pfm, which has the light above white, instead of image.png
  --disc           blur by the plain aperture where the scene's lens has a cat's eye or rings
  --option WORD    one more word of satblur's command line; may be given more than once
  --quick          tests the measure itself on three small scenes, in some seconds
Each scene's folder holds image.png, depth.png, truth.png and one picture per method;
OUT/scores.tsv holds all numbers.
END
}

fail() { echo "table.sh: $*" >&2; exit 1; }

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build out=$root/build-quality scenes='' methods='input satblur ffmpeg gegl'
variants='' quick='' kind='' disc='' picture=image.png extra=()
while [ $# -gt 0 ]; do
    case $1 in
        --quick) quick=1; shift; continue ;;
        --light) picture=image.pfm; shift; continue ;;
        --disc) disc=1; shift; continue ;;
        --help) usage; exit 0 ;;
    esac
    [ $# -ge 2 ] || { usage >&2; exit 2; }
    case $1 in
        --build) build=$2 ;;
        --out) out=$2 ;;
        --scenes) scenes=$2 ;;
        --methods) methods=$2 ;;
        --satblur) variants=$2 ;;
        --depth) kind=$2 ;;
        --option) extra+=("$2") ;;
        *) usage >&2; exit 2 ;;
    esac
    shift 2
done

bin=$build/tests satblur=$build/app/satblur
make_tools() {
    cmake -S "$root" -B "$build" -DSATB_TOOLS=ON > /dev/null
    cmake --build "$build" --target layers score coc side worsen satblur -j > /dev/null
}

number() { awk -v key="$2" '$1 == key { print $2 }' "$out/$1/scene.txt"; }

# render SCENE OPTIONS...: only where the renderer has changed since
render() {
    local scene=$1 made
    shift
    made="$(cksum < "$bin/layers") $*"
    [ "$(cat "$out/$scene/made" 2> /dev/null)" = "$made" ] && return
    echo "rendering $scene" >&2
    rm -rf "${out:?}/$scene"
    "$bin/layers" --out "$out" --scene "$scene" "$@"
    echo "$made" > "$out/$scene/made"
}

# --- Methods: each makes $out/SCENE/NAME.png; those of other programs are kept

depth_map() { # depth_map SCENE: satblur's
    local folder=$out/$1
    case $kind in
        '') echo "$folder/depth.png" ;;
        exact) echo "$folder/exact.png" ;;
        *)
            "$bin/worsen" "$folder/exact.png" "$kind" "$folder/depth-$kind.png"
            echo "$folder/depth-$kind.png" ;;
    esac
}

shape() { [ "$1" = hexagon ] && echo --blades 6 || echo --bokeh "$1"; }

# The options for a lens that is not ideal: those that the scene's numbers name.
lens() {
    [ -n "$disc" ] || awk '$1 == "vignette" { print "--vignette", $2 }
        $1 == "edge" { print "--bokeh-edge", $2 }
        $1 == "spherical" { print "--spherical", $2 }' "$out/$1/scene.txt"
}

# Mean squares count dither as noise, so there is none.
run_satblur() {
    local folder=$out/$1 aperture depth
    depth=$(depth_map "$1")
    local options=(--depth "$depth" --depth-type disparity --near white --quiet --dither=off
        --focus "$(number "$1" focus)" --max-radius "$(number "$1" radius)")
    aperture=$(number "$1" aperture)
    options+=("${extra[@]}")
    if [ -z "$variants" ]; then
        "$satblur" "$folder/$picture" "$folder/satblur.png" "${options[@]}" \
            $(shape "$aperture") $(lens "$1")
        return
    fi
    for variant in $variants; do # only layers have discs
        [ "$variant" = layered ] || aperture=square
        "$satblur" "$folder/$picture" "$folder/satblur-$variant.png" "${options[@]}" \
            --method "$variant" $(shape "$aperture") $(lens "$1")
        aperture=$(number "$1" aperture)
    done
}

# A map of radii for the others; white is FULL pixels.
radius_map() { "$bin/coc" "$out/$1" "$2" "$out/$1/$3"; }

# varblur's windows reach four times its radius: measured on a step (FFmpeg 5.1), and so undone here.
run_ffmpeg() {
    local folder=$out/$1 limit
    [ -s "$folder/ffmpeg.png" ] && return
    limit=$(awk -v r="$(number "$1" radius)" 'BEGIN { n = int(r / 4); print n + (4 * n < r) }')
    radius_map "$1" $((4 * limit)) radius_ffmpeg.png
    ffmpeg -y -loglevel error -i "$folder/image.png" -i "$folder/radius_ffmpeg.png" \
        -filter_complex "[0]format=gbrp16[a];[1]format=gbrp16[b];[a][b]varblur=max_r=$limit" \
        -frames:v 1 -pix_fmt rgb48be "$folder/ffmpeg.png"
}

# lens-blur: a disc in linear light. A code c of the map becomes the radius c * radius when
# linear-mask is off: measured on a point (GEGL 0.4.42).
run_gegl() {
    local folder=$out/$1 radius
    [ -s "$folder/gegl.png" ] && return
    radius=$(number "$1" radius)
    radius_map "$1" "$radius" radius_gegl.png
    gegl "$folder/image.png" -o "$folder/gegl.png" -- gegl:lens-blur radius="$radius" \
        'aux=[' gegl:load path="$folder/radius_gegl.png" ']' > "$folder/gegl.log" 2>&1
    [ -s "$folder/gegl.png" ] || fail "gegl failed on $1: $(cat "$folder/gegl.log")"
}

available() { # drops, loudly, what is not installed
    local method kept=
    for method in $methods; do
        if [ "$method" = input ] || [ "$method" = satblur ] || command -v "$method" > /dev/null; then
            kept="$kept $method"
        else
            echo "table.sh: *** $method is NOT INSTALLED: its column is missing ***" >&2
        fi
    done
    methods=$kept
}

score_scene() {
    local files=() method
    for method in $methods; do
        case $method in
            input) files+=("$out/$1/image.png") ;;
            satblur)
                run_satblur "$1"
                if [ -z "$variants" ]; then
                    files+=("$out/$1/satblur.png")
                else
                    for variant in $variants; do files+=("$out/$1/satblur-$variant.png"); done
                fi ;;
            *) "run_$method" "$1"; files+=("$out/$1/$method.png") ;;
        esac
    done
    "$bin/score" "$out/$1" "${files[@]}"
    # Pictures of a sequence: do their changes follow the truth's, or do they pop?
    local next=${1%[0-9]}$((${1##*[a-z]} + 1)) file
    if [[ $1 == *[0-9] && -f $out/$next/truth.png ]]; then
        for file in "${files[@]}"; do
            [ -f "$out/$next/${file##*/}" ] || continue
            "$bin/score" --step "$out/$1" "$file" "$out/$next" "$out/$next/${file##*/}"
        done
    fi
}

full() {
    local scene scene_list=${scenes:-$("$bin/layers" --list)}
    for scene in $scene_list; do render "$scene"; done
    available
    if [ -z "$variants" ]; then
        variants=$("$satblur" a b --depth c --method none 2>&1 | grep -o "'[a-z]*'" | tr -d "'" || true)
    fi
    # Backwards, so that a sequence's next picture is there.
    for scene in $(tr ' ' '\n' <<< "$scene_list" | tac); do
        score_scene "$scene" > "$out/$scene/scores"
    done
    { "$bin/score" --header
        for scene in $scene_list; do cat "$out/$scene/scores"; done
    } > "$out/scores.tsv"
    awk -f "$here/table.awk" "$out/scores.tsv"
}

# --- The measure, measured

value() { # value COLUMN: of the one line on standard input
    awk -F '\t' -v name="$1" 'NR == FNR { for (i = 1; i <= NF; ++i) if ($i == name) c = i; next }
        { print $c }' <("$bin/score" --header) -
}

expect() { # expect TEXT EXPRESSION
    if awk "BEGIN { exit !($2) }"; then
        echo "ok    $1"
    else
        echo "FAIL  $1: $2"
        failed=1
    fi
}

quick_scene() {
    local s=$1 folder=$out/$1 truth few shifted input blurred
    render "$s" --scale 4 --samples 256
    "$bin/layers" --out "$out/few" --scene "$s" --scale 4 --samples 256 --divide 16
    truth=$("$bin/score" "$folder" "$folder/truth.png")
    few=$("$bin/score" "$folder" "$out/few/$s/truth.png")
    shifted=$("$bin/score" --shift 1 "$folder" "$folder/truth.png")
    input=$("$bin/score" "$folder" "$folder/image.png")
    expect "$s: the truth is 99 dB" "$(value edge <<< "$truth") == 99 && $(value all <<< "$truth") == 99"
    expect "$s: the truth's SSIM is 1" "$(value ssim <<< "$truth") == 1"
    expect "$s: fewer lens samples are better than none" \
        "$(value edge <<< "$few") > $(value edge <<< "$input") + 5"
    expect "$s: one pixel aside is worse" \
        "$(value all <<< "$shifted") < 45 && $(value ssim <<< "$shifted") < 0.999"
    run_satblur "$s"
    blurred=$("$bin/score" "$folder" "$folder/satblur.png")
    if [ "$s" != black ]; then # its wall is plain: there is next to nothing to blur
        expect "$s: a blur is better than none" \
            "$(value all <<< "$blurred") > $(value all <<< "$input")"
    fi
    if [ "$s" = lights ]; then
        expect "$s: the truth's lights are whole" \
            "$(value energy <<< "$truth") == 1 && $(value shape <<< "$truth") == 0"
        expect "$s: the input's lights have another shape" "$(value shape <<< "$input") > 1"
    fi
    if [ "$s" = black ]; then
        expect "$s: the truth does not leak" "$(value leak_in <<< "$truth") == 0"
    fi
}

quick() {
    local scene
    out=$(mktemp -d)
    trap 'rm -rf "$out"' EXIT
    mkdir "$out/few"
    failed=0
    for scene in black strands lights; do quick_scene "$scene"; done
    return "$failed"
}

# CTest runs --quick on tools that are built; it must not build a second time.
if [ -z "$quick" ] || [ ! -x "$bin/score" ] || [ ! -x "$bin/layers" ] || [ ! -x "$satblur" ]; then
    make_tools
fi
mkdir -p "$out"
if [ -n "$quick" ]; then quick; else full; fi
