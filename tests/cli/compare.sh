#!/bin/bash
# Runs a list of commands with two programs and compares what they write: files, standard output, lines and exit status. For
# a change that must change no byte. compare.sh OLD NEW MKIMAGE ASSETS; prints each command that differs. The lines on
# standard error are compared with NOTES=1 alone: notes may get other words, outputs and reports may not.
set -u
export LC_ALL=C XDG_CONFIG_HOME=/dev/null/none
old=$(realpath "$1") new=$(realpath "$2") mkimage=$(realpath "$3") assets=$(realpath "$4")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# --- Inputs ---------------------------------------------------------------------------------------
mkdir "$work/in" && cd "$work/in" || exit 1
cp "$assets"/{table,table_depth,street,street_depth,table_truth}.png .
"$mkimage" png 131 97 3 8 noise:1 rgb.png
"$mkimage" png 131 97 4 8 noise:2 rgba.png
"$mkimage" png 131 97 1 8 noise:3 gray.png
"$mkimage" png 131 97 3 16 noise:4 deep.png
"$mkimage" png 131 97 3 8 lights lights.png
"$mkimage" png 131 97 1 8 ramp map.png
"$mkimage" png 131 97 1 16 ramp map16.png
"$mkimage" png 131 97 1 8 step mask.png
"$mkimage" png 131 97 1 8 const:7 flat.png
"$mkimage" png 97 131 1 8 ramp turned.png
mkdir photos maps frames depths
for i in 0 1 2 3 4; do
    "$mkimage" png 64 48 3 8 noise:$i photos/$i.png
    "$mkimage" png 64 48 1 8 noise:1$i maps/$i.png
    cp photos/$i.png frames/0$i.png
    cp maps/$i.png depths/0$i.png
done
head -c 300 rgb.png > cut.png
echo nothing > text.png

# --- Commands: a line each; OUTPUTs are named o.* -------------------------------------------------
commands() {
    cat << 'END'
rgb.png o.png --radius 5
rgba.png o.png --radius 3.5
gray.png o.png --radius 2,9 --edge mirror
deep.png o.png --radius 300
rgb.png o.png --radius 4 --gamma
rgb.png o.png --radius 4 --edge zero
rgb.png o.png --radius-map map.png --max-radius 12
rgb.png o.png --equalize
rgb.png --stats
rgb.png --stats=json
table.png o.png --depth table_depth.png
table.png o.png --depth table_depth.png --max-radius 48
table.png o.jpg --depth table_depth.png --focus 0.7 --quality 80
table.png o.png --depth table_depth.png --focus-at 300,200
table.png o.png --depth table_depth.png --focus-plane 10,10,300,40,100,200
table.png o.png --depth table_depth.png --focus-range 0.1 --near-scale 0
table.png o.png --depth table_depth.png --method gather
table.png o.png --depth table_depth.png --method spread
table.png o.png --depth table_depth.png --bokeh square
table.png o.png --depth table_depth.png --bokeh smooth
table.png o.png --depth table_depth.png --blades 6 --blade-rotation 10
table.png o.png --depth table_depth.png --vignette 0.8 --max-radius 32
table.png o.png --depth table_depth.png --bokeh-edge 1
table.png o.png --depth table_depth.png --spherical -0.5
table.png o.png --depth table_depth.png --squeeze 2
table.png o.png --depth table_depth.png --fringe 0.2
table.png o.png --depth table_depth.png --highlights 8
table.png o.png --depth table_depth.png --grain auto
table.png o.png --depth table_depth.png --dither
table.png o.png --depth table_depth.png --depth-edges keep
table.png o.png --depth table_depth.png --depth-range 2%,98%
table.png o.png --depth table_depth.png --dof-preset portrait
table.png o.png --depth table_depth.png --distance 1,10 --fstop 1.8 --focal 50
table.png o.png --depth table_depth.png --near black
table.png o.png --depth table_depth.png --dump-coc o.coc.png --focus-view o.view.png
street.png o.png --depth street_depth.png --max-radius 3%
street.png o.tga --depth street_depth.png --highlights 4 --blades 5
street.png o.ppm --tilt-shift 10,0.6,0.2
lights.png o.png --depth map.png --highlights 6 --highlight-threshold 200
rgb.png o.png --depth map.png --protect mask.png
rgb.png o.png --matte mask.png
rgb.png o.png --depth map.png --matte mask.png
deep.png o.png --depth map16.png --max-radius 9
rgba.png o.png --depth map.png --max-radius 9
rgb.png o.png --depth flat.png
rgb.png o.png --depth turned.png
rgb.png o.png --depth rgb.png
rgb.png o.bmp --radius 2
rgb.png o.tif --radius 2
rgb.png o.webp --radius 2
rgb.png o.exr --radius 2
rgb.png o.heic --radius 2
rgb.png o.avif --radius 2
photos o.dir --radius 3
photos o.dir --depth-dir maps --report o.csv --jobs 2
photos o.dir --depth-dir maps --format jpg
frames/%02d.png o.%02d.png --depth depths/%02d.png
frames/%02d.png o.%02d.png --depth depths/%02d.png --focus-keys 0:0.2,4:0.8
frames/%02d.png o.y4m --depth depths/%02d.png
cut.png o.png --radius 2
text.png o.png --radius 2
none.png o.png --radius 2
rgb.png o.xyz --radius 2
rgb.png o.png --radius
rgb.png o.png --nothing
rgb.png rgb.png o.png
--version
--help
--help=all
--help=man
END
}

# run PROGRAM FOLDER ARGUMENTS...: leaves everything in FOLDER. Times, rates and the order of a report differ each time.
run() {
    local program=$1 folder=$2
    shift 2
    rm -rf "$folder" && cp -r "$work/in" "$folder" && cd "$folder" || exit 1
    "$program" "$@" > stdout 2> stderr < /dev/null
    echo $? > status
    sed -i -E 's/[0-9.]+ s, [0-9.]+ (images|frames)\/s/TIME/; s/[0-9]+\.[0-9]+ ms/TIME/' stdout stderr
    find . -name '.satblur*' -delete
    [ "${NOTES:-}" = 1 ] || rm stderr
    [ ! -e o.csv ] || sed -E 's/[0-9]+\.[0-9]+/TIME/g' o.csv | sort -o o.csv
}

total=0 differ=0
while read -r line; do
    read -ra arguments <<< "$line"
    run "$old" "$work/a" "${arguments[@]}"
    run "$new" "$work/b" "${arguments[@]}"
    total=$((total + 1))
    if ! diff -rq "$work/a" "$work/b" > "$work/diff"; then
        differ=$((differ + 1))
        echo "DIFFERS  satblur $line"
        (cd "$work" && diff -r a b | head -6 | cut -c1-200 | sed 's/^/         /')
    fi
done < <(commands)
echo "$((total - differ)) passed, $differ failed"
[ $differ = 0 ] && [ $total -gt 60 ]
