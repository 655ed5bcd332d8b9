#!/usr/bin/env bash
# Measures depth-of-field blurs of clips against ground truth, also over time: renders the clips
# (once), blurs each frame, and prints a Markdown table. --help says more.
set -euo pipefail
export XDG_CONFIG_HOME=/dev/null/none # not the configuration of who runs this

usage() {
    cat << 'END'
usage: tests/quality/moving.sh SATBLUR [options]
  SATBLUR          the program, like build/app/satblur
  --build DIR      build tree with the tools (default: build)
  --out DIR        clips and results (default: build-quality/clips); kept and used again
  --scenes "A B"   only these (build/tests/clip --list names them)
  --frames N       only the first N frames of each
  --methods "A B"  values of --method (default: layered gather spread)
  --depth "A B"    maps: exact, and net as a network for video gives them (default: both)
  --option WORD    one more word of satblur's command line; may be given more than once
  --measure "A B"  blurs nothing and measures these folders of every clip, like frames of a video
  --show N         also writes change-METHOD.png, the change of the error from frame N to the next
  --quick          tests the measure itself on a small clip, in some seconds
Each clip's folder holds image, exact, net and truth, and one folder per method and map, with a
picture 000.png, 001.png, ... per frame; OUT/moving.tsv holds all numbers.
END
}

fail() { echo "moving.sh: $*" >&2; exit 1; }

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build out=$root/build-quality/clips scenes='' frames='' methods='layered gather spread'
kinds='exact net' measured='' shown='' quick='' extra=()
case ${1:-} in
    --help) usage; exit 0 ;;
    '' | -*) usage >&2; exit 2 ;;
esac
satblur=$1
shift
while [ $# -gt 0 ]; do
    if [ "$1" = --quick ]; then quick=1; shift; continue; fi
    [ $# -ge 2 ] || { usage >&2; exit 2; }
    case $1 in
        --build) build=$2 ;;
        --out) out=$2 ;;
        --scenes) scenes=$2 ;;
        --frames) frames=$2 ;;
        --methods) methods=$2 ;;
        --depth) kinds=$2 ;;
        --option) extra+=("$2") ;;
        --measure) measured=$2 ;;
        --show) shown=$2 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift 2
done
bin=$build/tests

number() { awk -v key="$2" '$1 == key { print $2 }' "$out/$1/scene.txt"; }

# render CLIP OPTIONS...: only where the renderers have changed since
render() {
    local clip=$1 made map
    shift
    made="$(cat "$bin/clip" "$bin/worsen" | cksum) $*"
    [ "$(cat "$out/$clip/made" 2> /dev/null)" = "$made" ] && return
    echo "rendering $clip" >&2
    rm -rf "${out:?}/$clip"
    "$bin/clip" --out "$out" --scene "$clip" "$@"
    mkdir "$out/$clip/net"
    for map in "$out/$clip"/exact/*.png; do
        map=${map##*/}
        "$bin/worsen" "$out/$clip/exact/$map" "clip$((10#${map%.png}))" "$out/$clip/net/$map"
    done
    echo "$made" > "$out/$clip/made"
}

# Each frame alone: the focus, the largest radius and the scale of depths are those of the clip. Without
# dither, as its pattern stays while the picture pans, and half a code would count as a change.
blur() { # blur CLIP METHOD MAPS
    local folder=$out/$1 aperture=square
    [ "$2" = layered ] && aperture=$(number "$1" aperture)
    rm -rf "$folder/$2-$3"
    "$satblur" "$folder/image" "$folder/$2-$3" --depth-dir "$folder/$3" --depth-type disparity \
        --near white --depth-range 0,1 --focus "$(number "$1" focus)" \
        --max-radius "$(number "$1" radius)" --method "$2" --bokeh "$aperture" --dither=off --quiet "${extra[@]}"
}

measure() { # measure CLIP
    local names=() method kind
    if [ -n "$measured" ]; then
        read -ra names <<< "$measured"
    else
        for kind in $kinds; do
            for method in $methods; do
                blur "$1" "$method" "$kind"
                names+=("$method-$kind")
            done
        done
    fi
    "$bin/flicker" "$out/$1" "${names[@]}"
    [ -n "$shown" ] || return 0
    for method in "${names[@]}"; do
        "$bin/flicker" --show "$shown" "$out/$1/change-$method.png" "$out/$1" "$method"
    done
}

table() {
    awk -F '\t' 'NR == 1 {
            print "| clip | method | band, dB | worst frame | still: change | truth | of the error |" \
                " pops | rim: change / truth | of the error | pops |"
            print "|---|---|---|---|---|---|---|---|---|---|---|"
            next
        }
        { printf "| %s | %s | %.1f | %.1f | %.2f | %.2f | %.2f | %.1f | %.2f | %.2f | %.1f |\n",
            $1, $2, $3, $4, $5, $6, $7, $8, $13, $11, $12 }' "$out/moving.tsv"
}

full() {
    local clip clips=${scenes:-$("$bin/clip" --list)}
    for clip in $clips; do render "$clip" ${frames:+--frames "$frames"}; done
    { "$bin/flicker" --header
        for clip in $clips; do measure "$clip"; done
    } > "$out/moving.tsv"
    table
}

# --- The measure, measured

value() { # value COLUMN CLIP CANDIDATE
    "$bin/flicker" "$out/$2" "$3" | awk -F '\t' -v name="$1" '
        NR == FNR { for (i = 1; i <= NF; ++i) if ($i == name) c = i; next }
        { print $c }' <("$bin/flicker" --header) -
}

expect() { # expect TEXT EXPRESSION
    if awk "BEGIN { exit !($2) }"; then
        echo "ok    $1"
    else
        echo "FAIL  $1: $2"
        failed=1
    fi
}

# A candidate whose frames are by turns those of two others.
by_turns() { # by_turns CLIP NAME A B
    local folder=$out/$1 file kinds=("$3" "$4")
    mkdir "$folder/$2"
    for file in "$folder/truth"/*.png; do
        file=${file##*/}
        cp "$folder/${kinds[10#${file%.png} % 2]}/$file" "$folder/$2"
    done
}

quick_clip() {
    local c=$1
    render "$c" --scale 2 --samples 128 --frames 5
    expect "$c: the truth is 99 dB" "$(value band "$c" truth) == 99"
    expect "$c: the truth changes as itself" \
        "$(value rim_ratio "$c" truth) == 1 && $(value rim_error "$c" truth) == 0"
    by_turns "$c" turns truth image
    expect "$c: blurred and sharp frames by turns flicker" \
        "$(value still_error "$c" turns) > 5 && $(value rim_ratio "$c" turns) > 1.5"
    blur "$c" layered exact
    expect "$c: a blur of each frame changes as the truth" \
        "$(value rim_ratio "$c" layered-exact) < 1.2 && $(value still_error "$c" layered-exact) < 0.5"
    expect "$c: its worst frame is near the others" \
        "$(value worst "$c" layered-exact) > $(value band "$c" layered-exact) - 1"
}

quick() {
    out=$(mktemp -d)
    trap 'rm -rf "$out"' EXIT
    failed=0
    quick_clip walk
    expect "walk: what stands still does not change" \
        "$(value still_truth walk image) == 0 && $(value still walk image) == 0"
    expect "walk: the subject's outline is followed" "$(value rim_truth walk truth) < 6"
    render walk-pan --scale 4 --samples 128 --frames 3
    expect "walk-pan: the pan is followed" "$(value still_truth walk-pan truth) < 1.5"
    blur walk layered net
    expect "walk: depths that change show" \
        "$(value still walk layered-net) > $(value still walk layered-exact)"
    return "$failed"
}

for tool in "$satblur" "$bin/clip" "$bin/worsen" "$bin/flicker"; do
    [ -x "$tool" ] || fail "no $tool; cmake -S $root -B $build -DSATB_TOOLS=ON && cmake --build $build --target clip worsen flicker satblur"
done
mkdir -p "$out"
if [ -n "$quick" ]; then quick; else full; fi
