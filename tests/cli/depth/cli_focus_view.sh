#!/bin/bash
# --focus-view, through the program: alone and beside OUTPUT, of all kinds of pictures, and what is refused. Its colours are
# compared with its rule in unit_focus_view.    cli_focus_view.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

make png 120 80 3 8 noise:1 photo.png
slope() { # a PGM whose column x has the code 2 x
    printf 'P5\n120 80\n255\n'
    python3 -c 'import sys; sys.stdout.buffer.write(bytes(range(0, 240, 2)) * 80)'
}
slope > depth.pgm
dof=(--depth depth.pgm --focus 0.5 --max-radius 8)

run photo.png "${dof[@]}" --focus-view view.png
alone() { status_is 0 && shape_is view.png '120 80 3 8' && [ -z "$(find . -name 'o.*')" ]; }
ok 'alone: the view and no other file' alone
shares() { # the radius at column x is 8 (2 x / 255 - 0.5): at most 0.5 in 16 columns from 56 on
    says 'view.png: in focus (radius up to 0.5 px) is 13.3% of the picture; orange, in front of the focus, 40%, radius up to 3.5 px; blue, behind it, 46.7%, up to 4.0 px$'
}
ok 'its note has the shares' shares
pixel() { # pixel FILE X Y
    "$satblur" "$1" pixels.ppm --radius 0 --quiet && tail -c 28800 pixels.ppm |
        tail -c +$((3 * ($3 * 120 + $2) + 1)) | head -c 3 | od -An -tu1
}
own_colours() {
    [ "$(pixel photo.png 63 5)" = "$(pixel view.png 63 5)" ] &&
        pixel view.png 0 5 | awk '{ exit $3 <= $1 }' && pixel view.png 119 5 | awk '{ exit $1 <= $3 }'
}
ok 'own colours in focus, blue behind, orange before' own_colours
run photo.png want.png "${dof[@]}"
run photo.png o.png "${dof[@]}" --focus-view view2.png
ok 'beside OUTPUT: the same view' cmp view.png view2.png
ok 'and OUTPUT stays as it is' cmp want.png o.png
run photo.png o.png "${dof[@]}" --focus-view view2.png --dump-coc coc.png
ok 'beside --dump-coc, too' cmp view.png view2.png
run photo.png o.png "${dof[@]}" --dump-coc coc2.png
ok '--dump-coc stays as it is' cmp coc.png coc2.png
run photo.png "${dof[@]}" --focus-view view.jpeg
ok 'a JPEG' shape_is view.jpeg '120 80 3 8'
run photo.png --depth depth.pgm --focus-at 90,40 --focus-view cross.png
crossed() { # an arm of 3 white pixels between black ones
    [ "$(pixel cross.png 91 33)" = ' 255 255 255' ] && [ "$(pixel cross.png 92 33)" = '   0   0   0' ] &&
        [ "$(pixel cross.png 88 33)" = '   0   0   0' ] && [ "$(pixel cross.png 90 40)" = "$(pixel photo.png 90 40)" ]
}
ok '--focus-at has a cross' crossed
run photo.png --depth depth.pgm --focus auto --focus-view auto.png
at=$(sed -n 's/.*auto: detail around \([0-9]*\),\([0-9]*\)).*/\1 \2/p' err)
has_auto_cross() { set -- $at && [ "$(pixel auto.png "$1" $(($2 - 7)))" = ' 255 255 255' ]; }
ok 'auto has one, too' has_auto_cross

# --- All kinds of pictures ------------------------------------------------------------------------
for kind in '1 8' '2 8' '4 8' '1 16' '3 16'; do
    # shellcheck disable=SC2086
    make png 120 80 $kind noise:1 kind.png
    run kind.png "${dof[@]}" --focus-view kind_view.png
    ok "a picture of $kind" shape_is kind_view.png '120 80 3 8'
done
run photo.png light.pfm --radius 0
run light.pfm "${dof[@]}" --focus-view light_view.png
ok 'light becomes codes: the same view' same light_view.png view.png
make png 120 80 1 8 step matte.png
run photo.png --matte matte.png --focus-view matte_view.png
ok 'with a matte alone' status_is 0
run photo.png --depth depth.pgm --focus 0 --max-radius 0 --focus-view sharp.png
ok 'all in focus: the picture itself' same sharp.png photo.png
cp photo.png profile.png
{
    printf 'p\0\0'
    python3 -c 'import sys, zlib; sys.stdout.buffer.write(zlib.compress(b"\0\0\0\204test\2\0\0\0mntrRGB XYZ " + bytes(12) + b"acsp" + bytes(92)))'
} | "$mkimage" chunk iCCP profile.png
run profile.png "${dof[@]}" --focus-view view2.png
has_profile() { grep -aqF iCCP view2.png; }
ok 'a colour profile is kept' has_profile
run profile.png o.png "${dof[@]}" --focus-view view2.png
ok 'beside OUTPUT, too' has_profile
python3 - > float.tif <<'PY' # floats with a colour profile
import struct, sys
profile = b"\0\0\0\204test\2\0\0\0mntrRGB XYZ " + bytes(12) + b"acsp" + bytes(92)
samples = struct.pack("<f", 0.25) * (120 * 80 * 3)
bits = 8 + len(samples) # offsets: of 3 x 32, of 3 x 3, of the profile, of the tags
tags = [(256, 3, 1, 120), (257, 3, 1, 80), (258, 3, 3, bits), (259, 3, 1, 1), (262, 3, 1, 2), (273, 4, 1, 8), (277, 3, 1, 3), (278, 3, 1, 80),
        (279, 4, 1, len(samples)), (339, 3, 3, bits + 6), (34675, 7, len(profile), bits + 12)]
sys.stdout.buffer.write(b"II*\0" + struct.pack("<I", bits + 12 + len(profile)) + samples + struct.pack("<6H", 32, 32, 32, 3, 3, 3) + profile +
                        struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", *t) for t in tags) + bytes(4))
PY
if "$satblur" --version | grep -q '^TIFF'; then
    run float.tif "${dof[@]}" --focus-view view2.png
    ok 'but not that of floats, which the view has none of' eval 'status_is 0 && ! has_profile'
    run float.tif o.tif "${dof[@]}"
    ok 'which OUTPUT keeps' grep -aqF 'RGB XYZ' o.tif
fi

# --- What is refused ------------------------------------------------------------------------------
refused 'another ending' 2 'ends in .jpg or .png' photo.png "${dof[@]}" --focus-view o.tif
refused 'without depth' 2 'focus-view needs --depth MAP, --matte MASK or --tilt-shift A,P,W' photo.png o.png --radius 3 --focus-view o.view.png
refused 'a photo without a map of its own' 1 'photo.png: ' photo.png --focus-view o.png
refused 'OUTPUT as its name' 2 "OUTPUT and --focus-view are both 'o.png'" photo.png o.png "${dof[@]}" --focus-view o.png
refused '--dump-coc as its name' 2 "--dump-coc and --focus-view are both 'o.png'" photo.png o2.png "${dof[@]}" --dump-coc o.png --focus-view o.png
refused 'OUTPUT, spelled otherwise' 1 'would both be written to' photo.png o.png "${dof[@]}" --focus-view ./o.png
make png 120 80 1 8 ramp depth.png
refused 'over the map' 1 'depth.png is an input' photo.png --depth depth.png --focus-view ./depth.png
refused '--dump-coc needs an OUTPUT' 2 'OUTPUT is missing' photo.png "${dof[@]}" --dump-coc o.png --focus-view o.view.png
refused 'into no folder' 1 'does not exist' photo.png "${dof[@]}" --focus-view nowhere/o.png
mkdir folder && cp photo.png folder
refused 'of a folder' 2 'focus-view is for one picture' folder out --depth depth.pgm --focus-view o.png
refused 'of a folder, without OUTPUT' 2 'focus-view is for one picture' folder --depth depth.pgm --focus-view o.png
refused 'of frames' 2 'focus-view o.png: a clip has one for each frame' folder/%05d.png out/%05d.png --depth depth.pgm --focus-view o.png
