#!/bin/bash
# --depth embedded and --matte embedded: each kind of phone's file gives the bytes that the same map gives as a file of its own.
#   cli_embedded.sh SATBLUR MKIMAGE
here=$(realpath "$(dirname "$0")")
. "$here/../cli_case.sh"
put() { python3 "$here/mkembedded.py" "$@" || { echo "mkembedded.py $* failed"; exit 1; }; }

jpeg() { # jpeg WIDTH HEIGHT CHANNELS PATTERN FILE
    make png "$1" "$2" "$3" 8 "$4" made.png
    "$satblur" made.png "$5" --radius 0 --quiet || exit 1
}
jpeg 120 80 3 noise:1 photo.jpg
jpeg 120 80 3 noise:2 sharp.jpg
make png 120 80 1 8 ramp map.png
jpeg 60 40 1 ramp small.jpg
make pnm 60 40 1 8 ramp raw.pgm
dof=(--focus 0.5 --max-radius 6)
GOOGLE=(--near black --depth-type disparity)
METRES=(--distance 0.5,8)

# --- Each kind is what its map is as a file --------------------------------------------------------
equals() { # equals NAME FILE PICTURE MAP OPTIONS...: FILE with its own map is PICTURE with MAP and these options
    local name=$1 file=$2 picture=$3 map=$4
    shift 4
    rm -f o.ppm o2.ppm
    run "$file" o.ppm --depth embedded "${dof[@]}"
    "$satblur" "$picture" o2.ppm --depth "$map" "${dof[@]}" "$@" > other.log 2>&1
    ok "$name" cmp o.ppm o2.ppm
}
put gdepth photo.jpg map.png g.jpg
equals 'GDepth, attributes' g.jpg photo.jpg map.png "${GOOGLE[@]}"
ok 'the note names it' says "g.jpg: Google's depth map in XMP is used"
ok 'and its meaning, which is not assumed' says "g.jpg's own depth map: 8-bit gray, disparity, near = black;"
put gdepth photo.jpg small.jpg g.jpg
equals 'GDepth, a smaller JPEG' g.jpg photo.jpg small.jpg "${GOOGLE[@]}"
put gdepth-elements photo.jpg map.png g.jpg
equals 'GDepth, elements' g.jpg photo.jpg map.png "${GOOGLE[@]}"
put gdepth-linear photo.jpg map.png g.jpg
equals 'GDepth, RangeLinear, in millimetres' g.jpg photo.jpg map.png --near black --depth-type linear "${METRES[@]}"
ok 'which are metres' says 'distance 0.5 to 8 m'
put gdepth-big photo.jpg small.jpg big.jpg
equals 'GDepth in extended XMP, parts in another order' big.jpg photo.jpg small.jpg "${GOOGLE[@]}"
put gdepth-big photo.jpg small.jpg both.jpg sharp.jpg
equals 'GImage: the photo as it was taken is blurred' both.jpg sharp.jpg small.jpg "${GOOGLE[@]}"
ok 'that is said' says 'both.jpg: the file also carries the original photo, which is blurred instead of the visible one'
put dynamic photo.jpg small.jpg d.jpg
equals 'Dynamic Depth' d.jpg photo.jpg small.jpg "${GOOGLE[@]}"
put dynamic photo.jpg small.jpg d2.jpg sharp.jpg
equals 'Dynamic Depth with the original' d2.jpg sharp.jpg small.jpg "${GOOGLE[@]}"
put apple photo.jpg small.jpg a.jpg
equals "Apple's, behind a gain map and a matte of skin" a.jpg photo.jpg small.jpg
for version in 1 3 4 5 6; do
    put samsung$version photo.jpg 60x40:raw.pgm s.jpg sharp.jpg
    equals "Samsung's, version $version" s.jpg sharp.jpg raw.pgm --near black
done
put huawei photo.jpg 60x40:raw.pgm h.jpg sharp.jpg
equals "Huawei's" h.jpg sharp.jpg raw.pgm
ok 'what it does not say is assumed' says 'near = white (assumed)'

# --- Metres, and the user's word --------------------------------------------------------------------
run d.jpg o.ppm --depth embedded --focus 2m --max-radius 6
run photo.jpg o2.ppm --depth small.jpg "${GOOGLE[@]}" "${METRES[@]}" --focus 2m --max-radius 6
ok 'a focus in metres' cmp o.ppm o2.ppm
run a.jpg o.ppm --depth embedded --focus 2m --fstop 2 --focal 50
run photo.jpg o2.ppm --depth small.jpg --distance 0.5,8 --focus 2m --fstop 2 --focal 50
ok "a lens by Apple's metres" cmp o.ppm o2.ppm
run d.jpg o.ppm --depth embedded --near white "${dof[@]}"
run photo.jpg o2.ppm --depth small.jpg "${dof[@]}"
ok 'an option wins' cmp o.ppm o2.ppm
put apple-relative photo.jpg small.jpg r.jpg
refused 'relative depth has no metres' 1 'r.jpg.s own depth map: has no known distances, but --focus 2m needs them' r.jpg o.png --depth embedded --focus 2m
refused 'metres outside the map' 1 'focus 20m is outside d.jpg.s own depth map, 0.5 to 8 m' d.jpg o.png --depth embedded --focus 20m

# --- Mattes -----------------------------------------------------------------------------------------
jpeg 120 80 1 step mask.jpg
put apple-matte photo.jpg mask.jpg m.jpg
run m.jpg o.ppm --matte embedded --max-radius 6
run photo.jpg o2.ppm --matte mask.jpg --max-radius 6
ok "Apple's portrait matte" cmp o.ppm o2.ppm
refused 'it is no depth map' 1 'm.jpg: carries no depth map; give --depth MAP' m.jpg o.png --depth embedded
refused 'a depth map is no matte' 1 'a.jpg: carries no matte; give --matte MASK' a.jpg o.png --matte embedded

# --- Without an operation ---------------------------------------------------------------------------
run g.jpg o.ppm
ok 'no operation: the map of the photo' says "g.jpg: no operation is given, so Google's depth map in XMP is used"
run g.jpg o2.ppm --depth embedded
ok 'as by --depth embedded' cmp o.ppm o2.ppm
refused 'no operation and no map' 1 'photo.jpg: there is nothing to do, because the file carries no depth map; give a map (--depth MAP), a matte (--matte MASK) or a program' photo.jpg o.png

# --- What is written --------------------------------------------------------------------------------
for file in g both d2 a m s h; do
    for other in out_$file.jpg out_$file.png; do
        run $file.jpg $other --radius 2
        refused "$other carries no map" 1 'nothing to do' $other o.png
    done
done
run both.jpg out.jpg --depth embedded
ok 'the note names what is not carried' says "out.jpg: not copied: .*depth map.*extended XMP (with a picture)"
run g.jpg out.jpg --depth embedded
ok 'also of standard XMP' says "out.jpg: not copied: XMP's depth map"

# --- Folders ----------------------------------------------------------------------------------------
mkdir in && cp g.jpg d.jpg photo.jpg in
run in outs --depth embedded "${dof[@]}"
ok 'a folder: a photo without a map fails alone' status_is 1
ok 'with one line' says 'in/photo.jpg: carries no depth map; give --depth MAP'
ok 'the others are done' count_is outs 2
run g.jpg o.jpg --depth embedded "${dof[@]}"
ok 'with the bytes of one picture' cmp outs/g.jpg o.jpg
refused 'a folder needs the option' 2 'nothing to do; give --depth embedded if the photos carry maps, --depth-dir DIR, or --radius R to' in o.dir
rm in/photo.jpg
run in outs --depth embedded "${dof[@]}" --resume
ok '--resume skips what is done' says '2 .*skipped'

# --- Maps that are kept -----------------------------------------------------------------------------
kept() { # kept NAME PHOTO MAP OPTIONS...: OUTPUT with its own map is OUTPUT with MAP and these options
    local name=$1 photo=$2 map=$3
    shift 3
    rm -f kept.jpg o.ppm o2.ppm
    "$satblur" "$photo" kept.jpg --depth "$map" "$@" --keep-depth --quiet
    run kept.jpg o.ppm "${dof[@]}"
    "$satblur" kept.jpg o2.ppm --depth "$map" "${dof[@]}" "$@" > other.log 2>&1
    ok "kept: $name" cmp o.ppm o2.ppm
}
make png 120 80 1 16 noise:5 deep.png
make png 80 120 1 8 ramp tall.png
make png 120 80 1 8 noise:6 noise.png
python3 -c "import sys
code = lambda x, y: 0 if 30 <= x < 60 and y > 30 else 900 + 40 * x + 3 * y
sys.stdout.buffer.write(b'P5 120 80 65535 ' + b''.join(code(x, y).to_bytes(2, 'big') for y in range(80) for x in range(120)))" > holes.pgm
put own-xmp photo.jpg map.png own.jpg
kept '8 bits' photo.jpg map.png
ok 'its meaning is not assumed' says "kept.jpg's own depth map: 8-bit gray, disparity, near = white;"
kept '16 bits, black is near' photo.jpg deep.png --near black
kept 'a smaller JPEG' photo.jpg small.jpg
kept 'linear distances, of which 0 is one' photo.jpg deep.png --depth-type linear --near black --depth-holes none "${METRES[@]}"
kept "a sensor's, of which 0 is unknown" photo.jpg holes.pgm --depth-type linear --near black
kept 'metres, of which 0 is unknown' photo.jpg holes.pgm --depth-scale 1000
kept 'holes that are far' photo.jpg map.png --depth-holes far
kept 'from here to infinity' photo.jpg map.png --distance 0.8,inf
run kept.jpg o.ppm --focus 2m --max-radius 6
run kept.jpg o2.ppm --depth map.png --distance 0.8,inf --focus 2m --max-radius 6
ok 'with a focus in metres' cmp o.ppm o2.ppm
kept 'a photo that is shown turned' own.jpg tall.png
stored() { # stored FILE OPTIONS...: the map in photo.jpg's output
    "$satblur" photo.jpg o.jpg "${@:2}" --keep-depth --quiet
    put kept o.jpg map.png "$1"
}
stored plane.png --depth deep.png --focus-plane 10,10,100,20,40,70
stored deep2.png --depth deep.png
ok 'the map itself, not its differences from a plane' cmp plane.png deep2.png
stored o.png --depth map.png --depth-range 20,200
ok 'the codes of a range, as they are' shape_is o.png '120 80 1 8'
kept 'a range of noise, of 8 bits' photo.jpg noise.png --depth-range 20,200
kept 'a range of noise' photo.jpg deep.png --depth-range 9000,50000 --near black
put kept kept.jpg map.png o.png
run o.png o.ppm --radius 0
run deep.png o2.ppm --radius 0
ok 'codes with black near are stored as they are' cmp o.ppm o2.ppm
run own.jpg kept.jpg --depth tall.png --keep-depth
ok 'extended XMP makes room, which a note says' says 'kept.jpg: not copied: extended XMP (a depth map has its place)$'
ok 'but not the other XMP' grep -aq 'dc:format=.mine' kept.jpg
kept 'beside extended XMP, in a photo that is shown turned' own.jpg tall.png
put kept kept.jpg map.png o.png
ok 'its pixels are those that are stored' shape_is o.png '120 80 1 8'
run kept.jpg o.jpg --keep-depth --focus 0.2
ok 'again: nothing is lost' eval 'status_is 0 && ! says "not copied"'
put kept o.jpg map.png o2.png
ok 'by the map that is kept' cmp o.png o2.png
run kept.jpg o.jpg --keep-depth --focus 0.2 --depth deep.png
ok 'by another map: its own is lost' says "o.jpg: not copied: XMP's depth map$"
run photo.jpg kept.jpg --depth map.png --keep-depth
mkdir satblur && printf 'near = black\nkeep-depth\n' > satblur/config
for near in '' '--near black' '--near white'; do # of GDepth's codes
    run kept.jpg o.ppm "${dof[@]}" $near --no-config
    run kept.jpg o2.ppm --depth map.png "${dof[@]}" $([ "$near" = '--near white' ] && echo --near black)
    ok "a map that is kept and '$near'" cmp o.ppm o2.ppm
done
run kept.jpg o2.ppm "${dof[@]}" --no-config
XDG_CONFIG_HOME=$work run kept.jpg o.ppm "${dof[@]}"
ok 'near of the configuration file is not for it' eval 'status_is 0 && cmp o.ppm o2.ppm'
put hard-xmp photo.jpg map.png hard.jpg
kept 'XMP with another prefix, names of its own, a comment and much white space' hard.jpg map.png
put kept kept.jpg map.png o.png
put full-xmp photo.jpg map.png full.jpg
refused 'XMP without a place' 1 'full.jpg: its XMP leaves no place for a depth map; remove some of it, or leave out --keep-depth' full.jpg o.jpg --depth map.png --keep-depth
XDG_CONFIG_HOME=$work run full.jpg o.jpg --depth map.png
ok 'by the configuration file, a note' eval 'status_is 0 && says "full.jpg: its XMP leaves no place for a depth map"'
XDG_CONFIG_HOME=$work run photo.jpg o.png --depth map.png
ok 'and no map in other formats' status_is 0
put gdepth photo.jpg map.png gd.jpg
put apple-matte gd.jpg mask.jpg both2.jpg
run both2.jpg kept.jpg --depth embedded --matte embedded --keep-depth --max-radius 6
ok 'the matte of the file is used, too' status_is 0
put kept kept.jpg map.png o.png
ok "a phone's map stays" same o.png map.png
refused 'a format that holds no map' 1 'o.png: --keep-depth stores the map in JPEG files alone; name OUTPUT .jpg' photo.jpg o.png --depth map.png --keep-depth
refused 'no map' 2 'keep-depth needs --depth MAP' photo.jpg o.jpg --matte mask.jpg --keep-depth
refused 'a clip' 2 'keep-depth is for one picture' in/%02d.jpg o.%02d.jpg --depth map.png --keep-depth
run in outs --depth embedded "${dof[@]}" --keep-depth --resume
ok 'a folder, again' says '2 done, 0 skipped'
run outs outs2 --depth embedded "${dof[@]}"
ok 'and all have their maps' count_is outs2 2

# --- Damage -----------------------------------------------------------------------------------------
put gdepth-guid photo.jpg small.jpg x.jpg
refused 'extended XMP of another name' 1 'x.jpg: its XMP names a depth map, but the extended XMP' x.jpg o.png --depth embedded
put gdepth-strange photo.jpg map.png x.jpg
refused 'an unknown format' 1 'x.jpg: its GDepth:Format is neither' x.jpg o.png --depth embedded
put dynamic-cut photo.jpg small.jpg x.jpg
refused 'a file that is cut off' 1 'x.jpg: it is cut off before its depth map' x.jpg o.png --depth embedded
put samsung9 photo.jpg 60x40:raw.pgm x.jpg sharp.jpg
refused 'an unknown version' 1 "x.jpg: it has Samsung's depth map, but in an unknown version, 9" x.jpg o.png --depth embedded
{ head -c 200 sharp.jpg; printf '\xff\xd9'; } > hurt.jpg
put dynamic photo.jpg small.jpg x.jpg hurt.jpg
equals 'an original that is damaged: the visible photo' x.jpg photo.jpg small.jpg "${GOOGLE[@]}"
ok 'that is said, too' says 'x.jpg: the original photo in the file cannot be used, so the visible one is blurred'
refused 'a map of too many pixels' 1 'max-pixels' d.jpg o.png --depth embedded --max-pixels 2000

# --- Another program's word -------------------------------------------------------------------------
if command -v exiftool > /dev/null; then
    put gdepth photo.jpg map.png g.jpg
    exiftool -b -XMP-GDepth:DepthImage g.jpg > got.png
    ok 'exiftool finds the same map' cmp got.png map.png
    exiftool -b -XMP-GDepth:DepthImage big.jpg > got.jpg
    ok 'and in extended XMP' cmp got.jpg small.jpg
    exiftool -b -Samsung:DepthMapData s.jpg > got.raw
    tail -c 2400 raw.pgm > want.raw
    ok 'and in the trailer' cmp got.raw want.raw
else
    skip 'exiftool is not here'
fi
