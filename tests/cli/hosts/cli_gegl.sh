#!/bin/bash
# The plug-in for GEGL, in the program gegl: the bytes of satblur, a property for each row of the table, and what is refused.
#   cli_gegl.sh SATBLUR MKIMAGE PLUG-IN DOF_TABLE
plugin=$(realpath "$3") table=$(realpath "$4")
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli_case.sh"
export XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache
mkdir -p data/gegl-0.4/plug-ins && cp "$plugin" data/gegl-0.4/plug-ins/

blur() { # blur PICTURE MAP OUTPUT PROPERTY=VALUE...: says in err what GEGL warned of
    local picture=$1 map=$2 output=$3
    shift 3
    rm -f "$output"
    gegl "$picture" -o "$output" -- satblur:depth-of-field "$@" aux=[ load path="$work/$map" ] > out 2> err
}
alike() { # alike NAME PICTURE MAP PROPERTIES OPTION...
    local name=$1 picture=$2 map=$3
    blur $picture $map a.exr $4
    shift 4
    "$satblur" $picture b.exr --depth $map --quiet "$@" > /dev/null
    ok "$name" same a.exr b.exr
}

for channels in 1 3 4; do
    make png 90 60 $channels 8 noise:3 p$channels.png
    "$satblur" p$channels.png p$channels.exr --radius 0 --quiet
done
make png 90 60 1 8 noise:4 d8.png
make png 90 60 1 16 noise:5 d16.png
make png 90 60 3 8 noise:6 d24.png
make png 45 30 1 8 noise:7 half.png

# --- The library's bytes --------------------------------------------------------------------------
for channels in 1 3 4; do
    alike "$channels channels" p$channels.exr d8.png max-radius=6 --max-radius 6
    blur p$channels.exr d8.png same.exr near-scale=0 far-scale=0
    ok "$channels channels: what is sharp keeps its bits" same same.exr p$channels.exr
done
for map in d16 half; do
    alike "map $map" p3.exr $map.png max-radius=6 --max-radius 6
done
alike 'the first channel of a map' p3.exr d24.png max-radius=6 --max-radius 6 --depth-colormap none
alike 'no property' p3.exr d8.png ''
alike 'focus' p3.exr d8.png 'max-radius=7 focus=0.8 blades=6 near-black=true' --max-radius 7 --focus 0.8 --blades 6 --near black
alike 'a point' p3.exr d8.png 'focus-x=60 focus-y=20' --focus-at 60,20
alike 'words' p3.exr d8.png 'method=gather edge=clamp' --method gather --edge clamp
alike 'a lens' p3.exr d8.png 'fstop=1 focal-mm=90 distance-near=1 distance-far=9' --fstop 1 --focal 90 --distance 1,9
blur p3.exr d8.png a.exr max-radius=6
ok 'something is blurred' eval '! same a.exr p3.exr'
blur p3.png d16.png a.png near-scale=0 far-scale=0
gegl p3.png -o b.png -- gegl:nop > /dev/null 2>&1
ok 'sharp codes stay' same a.png b.png
gegl p3.exr -o a.exr -- satblur:depth-of-field max-radius=6 > /dev/null 2>&1
ok 'without a map nothing changes' same a.exr p3.exr
part=(gegl:crop x=30 y=20 width=40 height=30)
gegl p3.exr -o b.exr -- "${part[@]}" satblur:depth-of-field max-radius=6 focus-x=50 focus-y=45 aux=[ load path="$work/d8.png" ] > /dev/null 2>&1
gegl d8.png -o part.png -- "${part[@]}" > /dev/null 2>&1
gegl p3.exr -o part.exr -- "${part[@]}" > /dev/null 2>&1
"$satblur" part.exr a.exr --depth part.png --max-radius 6 --focus-at 20,25 --quiet > /dev/null
ok 'a part of the picture has its part of the map' same a.exr b.exr

# --- Properties -----------------------------------------------------------------------------------
gegl --info satblur:depth-of-field > info 2> /dev/null
for name in $(grep -oE 'ROW\([a-z_]+, (int|double|satb_[a-z_]+),' "$table" | sed 's/ROW(//; s/,.*//; s/_/-/g'); do
    case $name in
    highlight* | rounding | orientation | focus-area) ok "no $name" eval "! grep -q '^$name ' info" ;;
    *) ok "$name" grep -q "^$name " info ;;
    esac
done

# --- What is refused ------------------------------------------------------------------------------
refused() { # refused NAME TEXT PICTURE MAP PROPERTY...: there is a warning, and nothing changes
    local name=$1 text=$2 picture=$3 map=$4
    shift 4
    blur $picture $map a.exr "$@"
    ok "$name" eval 'says "$text" && same a.exr $picture'
}
make png 50 60 1 8 noise:8 tall.png
refused 'proportions' "field: the map of 50 x 60 has other proportions than 90 x 60; crop it" p3.exr tall.png
refused 'a point outside' 'field: focus point: 90,3 is outside the picture of 90 x 60' p3.exr d8.png focus-x=90 focus-y=3
make png 300 200 1 8 noise:9 large.png
blur large.png large.png a.exr focus-x=300 focus-y=3
ok "not each of GEGL's threads blurs the picture" [ "$(grep -c 'is outside' err)" = 1 ]
blur p3.exr d8.png a.exr squeeze=9
ok 'a range' says "out of range for property 'squeeze'"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
