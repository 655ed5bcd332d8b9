#!/bin/bash
# --dof-preset and --max-radius in per cent, through the program: a preset is the options that it stands for.
#   cli_presets.sh SATBLUR MKIMAGE
. "$(dirname "$0")/cli_case.sh"

make png 160 120 3 8 noise:1 photo.png
make png 160 120 1 8 ramp depth.png

# --- Per cent -------------------------------------------------------------------------------------
pixels_are() { # pixels_are PER_CENT PIXELS PICTURE OPTIONS...
    local per_cent=$1 pixels=$2 picture=$3
    shift 3
    run "$picture" o.png "$@" --max-radius "$per_cent"
    cp err per_cent.err
    "$satblur" "$picture" o2.png "$@" --max-radius "$pixels" --quiet
    ok "$per_cent of $picture is $pixels: $*" cmp o.png o2.png
}
pixels_are 5% 8 photo.png --depth depth.png
ok 'per cent are said' grep -q '; radius 8.0 px at a disparity difference of 1 (5% of the longer side), largest' per_cent.err
pixels_are 0% 0 photo.png --depth depth.png --focus 1
pixels_are 2.5% 4 photo.png --radius-map depth.png
pixels_are 10% 16 photo.png --tilt-shift 0,0.5,0.1
pixels_are 10% 16 photo.png --depth depth.png --focus-plane 10,10,150,20,80,100
make png 30 60 3 8 noise:1 tall.png
pixels_are 5% 3 tall.png --matte depth.png
for wrong in % 101% -1% 5%% '5 %' 1e9 5%x; do
    refused "--max-radius '$wrong'" 2 'expected pixels, 0 to 8388608, or per cent of the longer side' \
        photo.png o.png --depth depth.png --max-radius "$wrong"
done
mkdir in && cp photo.png tall.png in
run in made --matte depth.png --max-radius 5% --method gather
run tall.png o.png --matte depth.png --max-radius 3 --method gather
ok 'a folder: per cent of each picture' cmp o.png made/tall.png

# --- Presets --------------------------------------------------------------------------------------
stands_for() { # stands_for PRESET OPTIONS...
    local preset=$1
    shift
    local depth=(--depth depth.png)
    [ "$preset" = miniature ] && depth=()
    run photo.png o.png --dof-preset "$preset" "${depth[@]}"
    cp err preset.err
    ok "$preset: one note with its options" grep -qxF "satblur: --dof-preset $preset sets $*" preset.err
    run photo.png o2.png "$@" "${depth[@]}"
    ok "$preset: is its options" cmp o.png o2.png
    "$satblur" --help=all > help
    ok "$preset: --help=all has its options" grep -qE "^ +$preset +$(printf '%s ' "$@" | sed 's/ $//')\$" help
}
stands_for portrait --focus-range 0.1 --max-radius 3%
stands_for street --focus-range 0.15 --max-radius 1%
stands_for macro --focus-range 0.03 --max-radius 5% --bokeh smooth
stands_for cine --focus-range 0.05 --max-radius 2.5% --highlights 6
stands_for miniature --tilt-shift 0,0.55,0.12 --max-radius 2.5%
overrides() { # overrides PRESET "WHAT IT STILL STANDS FOR" OPTIONS...
    local preset=$1 left=$2
    shift 2
    run photo.png o.png --dof-preset "$preset" "$@"
    cp err preset.err
    ok "$preset with $*: what is left" grep -qxF "satblur: --dof-preset $preset sets $left" preset.err
    # shellcheck disable=SC2086
    run photo.png o2.png $left "$@"
    ok "$preset with $*" cmp o.png o2.png
}
overrides portrait '--focus-range 0.1' --depth depth.png --max-radius 4
overrides portrait '--focus-range 0.1' --depth depth.png --fstop 2 --focal 50 --distance 1,10
overrides portrait '--max-radius 3%' --tilt-shift 20,0.5,0.2
overrides macro '--focus-range 0.03 --max-radius 5%' --depth depth.png --method gather
overrides macro '--focus-range 0.03 --max-radius 5%' --depth depth.png --edge mirror
overrides macro '--focus-range 0.03 --max-radius 5%' --depth depth.png --bokeh square
overrides cine '--focus-range 0.05 --max-radius 2.5%' --depth depth.png --method spread
overrides street '--focus-range 0.15 --max-radius 1%' --depth depth.png --focus-plane 10,10,150,20,80,100
overrides miniature '--max-radius 2.5%' --tilt-shift 90,0.5,0.2
run photo.png o.png --dof-preset street --depth depth.png --max-radius 4 --focus-range 0.2
ok 'nothing is left' says '^satblur: --dof-preset street sets nothing, because other options override it$'
run photo.png want.png --depth depth.png --focus-range 0.05 --max-radius 2.5%
run photo.png o.png --dof-preset cine --depth depth.png --highlights 0
ok 'cine without highlights' cmp o.png want.png
run photo.png o.png --dof-preset street --depth depth.png --quiet
ok '--quiet' silent
run photo.png light.pfm --radius 0
run light.pfm o.pfm --dof-preset cine --depth depth.png
ok 'light has no highlights, and cine works' status_is 0
run light.pfm o2.pfm --max-radius 2.5% --focus-range 0.05 --depth depth.png
ok 'so it is the rest' cmp o.pfm o2.pfm
run in again --dof-preset portrait --matte depth.png --resume
ok 'a folder: one note' test "$(grep -c -- '--dof-preset .* sets ' err)" = 1
run in again --dof-preset macro --matte depth.png --resume
ok '--resume: another preset, done again' says '2 done'

refused 'a preset that is none' 2 "expected 'portrait', 'street', 'macro', 'cine' or 'miniature'" \
    photo.png o.png --depth depth.png --dof-preset landscape
refused 'a preset without depth' 2 'dof-preset needs --depth MAP, --matte MASK or --tilt-shift A,P,W' photo.png o.png --radius 3 --dof-preset portrait
for other in '--depth depth.png' '--matte depth.png' '--radius 3' --equalize; do
    # shellcheck disable=SC2086
    refused "miniature and $other" 2 "sets --tilt-shift, which excludes --${other:2:5}" photo.png o.png --dof-preset miniature $other
done
refused 'miniature and --focus' 2 'has no effect with --dof-preset miniature, which sets the focus; leave out --focus' \
    photo.png o.png --dof-preset miniature --focus 0.3
