#!/bin/bash
# The real program on files with profiles, EXIF and the like: the metadata that its outputs carry, its notes on
# the rest, and the maps of pictures that are stored turned.    cli_metadata.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

has() { grep -aqF "$1" "$2"; }  # has TEXT FILE
lacks() { ! grep -aqF "$1" "$2"; }
exif() { # exif ORIENTATION: a TIFF with that and a maker
    printf 'II*\0\010\0\0\0\002\0\017\001\002\0\006\0\0\0\046\0\0\0'
    printf "\022\001\003\0\001\0\0\0\x0$1\0\0\0\0\0\0\0Maker\0"
}
profile() { # profile COLOURS: a head that says so, 132 bytes
    printf '\0\0\0\204test\002\0\0\0mntr%sXYZ ' "$1"
    head -c 12 /dev/zero
    printf 'acsp'
    head -c 92 /dev/zero
}
turned() { # turned ORIENTATION FILE: marks a PNG
    exif "$1" | "$mkimage" chunk eXIf "$2"
}

# --- What is carried ------------------------------------------------------------------------------
make png 120 80 3 8 noise:1 photo.png
run photo.png plain.jpg --radius 0 --quality 100
ok 'nothing to carry: nothing is said' silent
cp photo.png full.png
printf 'Author\0somebody' | "$mkimage" chunk tEXt full.png
printf '\0\0\056\043\0\0\056\043\001' | "$mkimage" chunk pHYs full.png
printf 'XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta/>' | "$mkimage" chunk iTXt full.png
printf '\0\0\261\217' | "$mkimage" chunk gAMA full.png
turned 1 full.png
cp plain.jpg full.jpg
printf 'a remark' | "$mkimage" segment fe full.jpg
{ printf 'ICC_PROFILE\0\001\001'; profile 'RGB '; } | "$mkimage" segment e2 full.jpg
printf 'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>' | "$mkimage" segment e1 full.jpg
{ printf 'Exif\0\0'; exif 1; } | "$mkimage" segment e1 full.jpg

for codec in fast stb; do
    run full.png o.png --radius 2 --codec $codec
    ok "$codec, PNG to PNG: nothing is lost" silent
    for what in Maker Author somebody gAMA pHYs XML:com.adobe.xmp '<x:xmpmeta/>'; do
        ok "$codec, PNG to PNG: $what" has "$what" o.png
    done
    run full.jpg o.jpg --radius 2 --codec $codec
    ok "$codec, JPEG to JPEG: nothing is lost" silent
    for what in Maker 'a remark' ICC_PROFILE 'RGB XYZ' '<x:xmpmeta/>'; do
        ok "$codec, JPEG to JPEG: $what" has "$what" o.jpg
    done
    run full.png o.jpg --radius 2 --codec $codec
    ok "$codec, PNG to JPEG: what is not carried" says 'o.jpg: not copied: gAMA, text$'
    ok "$codec, PNG to JPEG" has Maker o.jpg
    ok "$codec, PNG to JPEG: XMP" has 'http://ns.adobe.com/xap/1.0/' o.jpg
    run full.jpg o.png --radius 2 --codec $codec
    ok "$codec, JPEG to PNG: what is not carried" says 'o.png: not copied: comment$'
    ok "$codec, JPEG to PNG" has Maker o.png
    ok "$codec, JPEG to PNG: profile" has iCCP o.png
    run o.png back.jpg --radius 0 --codec $codec
    ok "$codec, and back: profile" has 'RGB XYZ' back.jpg
done
run full.jpg o.bmp --radius 2
ok 'to BMP' says 'o.bmp: not copied: colour profile, EXIF, XMP, comment$'
run full.jpg o.bmp --radius 2 --quiet
ok '--quiet' silent
run full.png o2.png --equalize
ok '--equalize carries, too' has Maker o2.png
make png 120 80 1 8 noise:3 gray.png
turned 1 gray.png
run gray.png o.jpg --radius 1
ok 'gray to JPEG' has Maker o.jpg
run full.png threads1.png --radius 2 --threads 1
run full.png threads4.png --radius 2 --threads 4
ok 'the same bytes, whatever the threads' cmp threads1.png threads4.png
cp full.png self.png
run self.png self.png --radius 0
ok 'onto itself' has Maker self.png

cp full.png bad.png
printf 'x' | "$mkimage" chunk cHRM bad.png
run bad.png o.png --radius 2
ok 'what is damaged is left out, and told' says 'o.png: not copied: cHRM (damaged)$'
ok 'and the rest is carried' has Maker o.png
cp photo.png linear.png
printf '\0\001\206\240' | "$mkimage" chunk gAMA linear.png
run linear.png o.png --radius 2
ok 'linear light is told' says 'linear.png: has gamma (gAMA) 1, but is blurred as .* use --gamma, because its values are linear light$'
run linear.png o.png --radius 2 --gamma
ok 'not with --gamma' silent
run linear.png o.png --equalize
ok 'nor where nothing is blurred' silent
run full.png o.png --radius 2
ok 'nor of the usual gAMA' silent

# --- Pictures that are stored turned --------------------------------------------------------------
cp plain.jpg turned.jpg
{ printf 'Exif\0\0'; exif 6; } | "$mkimage" segment e1 turned.jpg
run turned.jpg o.jpg --radius 2
ok 'JPEG to JPEG: stays as it is stored' shape_is o.jpg '120 80 3 8'
ok 'JPEG to JPEG: with its EXIF' has Maker o.jpg
ok 'JPEG to JPEG: nothing to say' silent
run turned.jpg o.png --radius 2
ok 'JPEG to PNG: turned' shape_is o.png '80 120 3 8'
ok 'JPEG to PNG: said' says 'o.png: rotated upright (EXIF orientation 6)$'
run o.png o2.bmp --radius 0
ok 'and not twice' shape_is o2.bmp '80 120 3 8'

make png 80 120 1 8 ramp seen_map.png
make png 120 80 1 8 ramp stored_map.png
make png 20 30 1 8 ramp small_map.png
make png 50 50 1 8 ramp square_map.png
for orientation in 2 3 4 5 6 7 8; do
    cp photo.png in.png
    turned $orientation in.png
    run in.png o.png --radius 0
    ok "$orientation: PNG to PNG stays" same in.png o.png
    ok "$orientation: with its tag" has Maker o.png
    run in.png upright.bmp --radius 0
    ok "$orientation: said" says "upright.bmp: rotated upright (EXIF orientation $orientation)"
    run upright.bmp back.png --radius 0
    turned $((orientation == 6 ? 8 : orientation == 8 ? 6 : orientation)) back.png
    run back.png back.bmp --radius 0
    ok "$orientation: turned back" same back.bmp photo.png

    # The map is of what is seen; so are the radii and the point.
    map=seen_map.png point=25,100
    [ $orientation -lt 5 ] && map=stored_map.png point=100,25
    for options in "--radius 9,2" "--radius-map $map --max-radius 9" \
        "--radius-map square_map.png --max-radius 5" \
        "--depth $map --method gather --max-radius 20" \
        "--depth $map --method gather --max-radius 20 --focus-plane 10,10,60,20,30,70" \
        "--tilt-shift 30,0.3,0.1 --method gather --max-radius 20" \
        "--depth $map --method gather --max-radius 20 --focus-at $point"; do
        # shellcheck disable=SC2086
        run in.png a.bmp $options
        cp err turned.err
        # shellcheck disable=SC2086
        run upright.bmp b.bmp $options
        ok "$orientation, $options: as of the upright picture" same a.bmp b.bmp
    done
    run in.png --depth $map --max-radius 20 --focus-at $point --focus-view a.png
    run upright.bmp --depth $map --max-radius 20 --focus-at $point --focus-view b.png
    ok "$orientation, --focus-view: upright" cmp a.png b.png
    ok "$orientation: the map's way is said" grep -q "$map: is aligned with in.png as displayed (EXIF" turned.err
    ok "$orientation: the point is told as it was given" grep -q "(at $point)" turned.err
done
for orientation in 5 6 7 8; do
    cp photo.png in.png
    turned $orientation in.png
    run in.png a.png --radius-map stored_map.png --max-radius 9
    ok "$orientation: a map that lies as the stored picture does, said" \
        says 'stored_map.png: is aligned with the unrotated pixels of in.png'
    run photo.png b.png --radius-map stored_map.png --max-radius 9
    ok "$orientation: a map that lies as the stored picture does" same a.png b.png
    run in.png a.bmp --depth small_map.png --max-radius 9
    ok "$orientation: a small map" says 'small_map.png: .*resampled from .* to 120x80'
    cp seen_map.png tagged.png
    turned 3 tagged.png
    run in.png o.png --radius-map tagged.png --max-radius 9
    ok "$orientation: a map that is stored turned, too" says 'tagged.png: is aligned with in.png as displayed'
done
cp photo.png in.png && turned 8 in.png
cp stored_map.png map.png && turned 8 map.png
run in.png a.png --radius-map map.png --max-radius 9
run photo.png b.png --radius-map stored_map.png --max-radius 9
ok 'both with the same tag: as they are' same a.png b.png
run photo.png a.png --radius-map map.png --max-radius 9
ok 'only the map has a tag, and fits without it' same a.png b.png
refused 'a point beyond what is seen' 1 'focus-at 100,25 is .* displayed as 80 x 120' \
    in.png o.png --depth map.png --focus-at 100,25
run in.png o.bmp --depth map.png --max-radius 9 --dump-coc coc.png
ok 'the radii lie as the output does' shape_is coc.png '80 120 1 16'
run in.png o.png --depth map.png --max-radius 9 --dump-coc coc.png
ok 'the radii lie as the output does, stored' shape_is coc.png '120 80 1 16'

# --- The subject ----------------------------------------------------------------------------------
make png 120 80 1 8 step sides.png
regions='<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><m:Regions
    xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:a="http://ns.adobe.com/xmp/sType/Area#"><rdf:li
    m:Type="Face"><m:Area a:x="0.2" a:y="0.5" a:w="0.1" a:h="0.2"/></rdf:li></m:Regions></rdf:RDF>'
run photo.png o.png --depth sides.png
ok 'without a word on it, the near side' says 'focus 1.000, the subject at pixel'
cp photo.png named.png
printf 'XML:com.adobe.xmp\0\0\0\0\0%s' "$regions" | "$mkimage" chunk iTXt named.png
run named.png o.png --depth sides.png
ok 'a face that XMP names' says "focus 0.000, the face that the photo's metadata names, at pixel [12]"
ok 'the region is carried' has 'm:Type="Face"' o.png
run named.png o.png --depth sides.png --matte sides.png
ok 'a matte goes before it' says 'focus 1.000, the subject at pixel'
run named.png o.png --depth sides.png --focus-at 100,40
ok 'and so does --focus-at' says 'focus 1.000, pixel 100,40'

# --- Panoramas ------------------------------------------------------------------------------------
sphere() { # sphere FULL CUT FILE: marks a JPEG as one of that width, cut to another
    printf 'http://ns.adobe.com/xap/1.0/\0%s' "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \
xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description \
xmlns:GPano='http://ns.google.com/photos/1.0/panorama/' GPano:ProjectionType='equirectangular' \
GPano:FullPanoWidthPixels='$1' GPano:CroppedAreaImageWidthPixels='$2'/></rdf:RDF></x:xmpmeta>" |
        "$mkimage" segment e1 "$3"
}
differ() { ! same "$1" "$2"; }
make png 160 80 3 8 noise:5 wide.png
run wide.png sphere.jpg --radius 0
cp sphere.jpg part.jpg
cp sphere.jpg unmarked.jpg
sphere 160 160 sphere.jpg
sphere 320 160 part.jpg
make png 160 80 1 8 const:60 wide_depth.png
depth=(--depth wide_depth.png --focus 1 --max-radius 9)
run unmarked.jpg shrunk.png "${depth[@]}"
run unmarked.jpg joined.png "${depth[@]}" --edge wrap
ok '--edge wrap joins the sides in layers' differ shrunk.png joined.png
run sphere.jpg o.png "${depth[@]}"
ok 'a panorama: the same without the option' same joined.png o.png
ok 'a panorama: a note' says 'its left and right sides meet; --edge shrink keeps them apart$'
run sphere.jpg o.png "${depth[@]}" --edge shrink
ok 'a panorama: --edge shrink' same shrunk.png o.png
run part.jpg o.png "${depth[@]}"
ok 'a part of a panorama has sides' same shrunk.png o.png
run sphere.jpg o.png --radius 9
run unmarked.jpg box.png --radius 9
ok 'a box blur of a panorama stays' same box.png o.png
{ printf 'Exif\0\0'; exif 6; } | "$mkimage" segment e1 unmarked.jpg
run unmarked.jpg o.png --depth wide_depth.png --edge wrap
ok 'a picture that is stored turned' status_is 1 -a says 'rotate the picture upright first$'

# --- Folders --------------------------------------------------------------------------------------
mkdir many
cp full.png full.jpg turned.jpg bad.png many
run many out_same --radius 3 --report same.jsonl
ok 'a folder' status_is 0
ok 'a folder: carried' has Maker out_same/full.png -a has Maker out_same/full.jpg
ok 'a folder: the notes are in the report' grep -q '"message": "out_same/bad.png: not copied: cHRM (damaged)"' same.jsonl
ok 'a folder: nothing to say of the others' test "$(grep -c '"message"' same.jsonl)" = 1
run many/full.png single.png --radius 3
ok 'a picture is what it is when given alone' cmp single.png out_same/full.png
run many out_same --radius 3 --resume
ok '--resume: nothing is left' says '0 done, 4 skipped'
rm many/full.png many/bad.png
run many out_png --radius 3 --format png --report png.jsonl
ok 'a folder to PNG: turned, and told' grep -q 'out_png/turned.png: rotated upright' png.jsonl
ok 'a folder to PNG: carried' has iCCP out_png/full.png
