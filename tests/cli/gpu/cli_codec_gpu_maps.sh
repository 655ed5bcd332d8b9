#!/bin/bash
# --codec gpu: maps and mattes of all kinds, beside pictures that stay on the GPU. SATBLUR has a GPU, real or emulated.
#   cli_codec_gpu_maps.sh SATBLUR MKIMAGE [MKJPEG ASSETS]
. "$(dirname "$0")/gpu_case.sh"

if ! with_nvjpeg || [ -z "$mkjpeg" ]; then
    skip 'NOTHING OF nvJPEG WAS RUN: nvJPEG or mkjpeg (libjpeg-turbo) is not built in'
    exit
fi

mkdir stay mattes
run "$assets/table_depth.png" depth.bmp --radius 0 # mkjpeg takes 8-bit RGB
run depth.bmp soft.bmp --radius 2                  # as an enlarged map
make png 96 72 3 8 ramp ramp.png

# KIND WIDTH HEIGHT
photo() { "$mkjpeg" "$2" "$assets/table.png" "$3" "$4" "stay/$1.jpg"; }
map() { "$mkjpeg" "$2" "${5:-depth.bmp}" "$3" "$4" "stay/$1_depth.jpg"; }
png() { make png "$3" "$4" "$2" "$5" "$6" "stay/$1_depth.png"; } # NAME CHANNELS WIDTH HEIGHT BITS PATTERN
staying=0
for kind in same half large soft rgb rgb_half png8_half png16 png16_half png_rgb map_turned turned both_turned; do
    photo $kind 420 96 72
    staying=$((staying + 1))
done
map same gray 96 72
map half gray 48 36
map large gray 180 135
map soft gray 96 72 soft.bmp
map rgb 444 96 72
map rgb_half 420 48 36
png png8_half 1 48 36 8 ramp
png png16 1 96 72 16 ramp
png png16_half 1 48 36 16 noise:3
png png_rgb 3 96 72 8 step
map map_turned gray 72 96 && turn stay/map_turned_depth.jpg
map turned 444 36 48 && turn stay/turned.jpg
map both_turned gray 48 36 && turn stay/both_turned.jpg && turn stay/both_turned_depth.jpg
# Those that nvJPEG does not read, or does not write, do not stay.
photo gray gray 96 72 && map gray gray 48 36
photo late progressive 96 72 && map late gray 48 36
broken=0

stays 'auto focus' $staying --depth-dir stay --max-radius 6
ok 'notes are given' test "$(notes host | wc -l)" = $((staying + 2))
stays 'a depth in focus' $staying --depth-dir stay --max-radius 6 --focus 0.5
through_stay stats --depth-dir stay --max-radius 6 --focus 0.5 --stats --jobs 2 --device cuda
ok '--stats: they stay as well' stayed stats $staying
ok '--stats: the same bytes' same_folders host stats
numbers() { sed -n 's/.*"stats": \(.*\)}$/\1/p' "$1.jsonl" | sort; }
run stay stats_host --depth-dir stay --max-radius 6 --focus 0.5 --stats --codec gpu --device cuda --gpu-memory 64G --report stats_host.jsonl
ok '--stats: the numbers of the host'"'"'s way' test "$(numbers stats)" = "$(numbers stats_host)"
ok '--stats: there are numbers' test "$(numbers stats | wc -l)" = $((staying + 2))
through_stay cpu --depth-dir stay --max-radius 6 --focus 0.5 --jobs 2 --device cpu
ok '--device cpu: the same bytes' same_folders host cpu
EMULATE_DEVICES=3 through_stay all --depth-dir stay --max-radius 6 --focus 0.5 --jobs 6 --device cuda:all
ok 'all GPUs: as many stay' stayed all $staying
ok 'all GPUs: the same bytes' same_folders host all
stays 'a point in focus, gather' $staying --depth-dir stay --max-radius 6 --method gather --focus-at 12,60
stays 'holes filled' $staying --depth-dir stay --max-radius 4 --focus 0.5 --method gather --depth-holes fill

# --- Mattes: JPEGs and PNGs, of all sizes ---------------------------------------------------------

make png 96 72 3 8 step step.png
make png 180 135 3 8 step step_large.png
i=0
for picture in stay/*[!h].jpg; do
    name=$(basename "$picture" .jpg)
    case $((i++ % 5)) in
    0) "$mkjpeg" gray step.png 96 72 "mattes/$name.jpg" ;;
    1) "$mkjpeg" gray step_large.png 180 135 "mattes/$name.jpg" ;;
    2) "$mkjpeg" 420 step.png 48 36 "mattes/$name.jpg" ;;
    3) make png 96 72 1 8 step "mattes/$name.png" ;;
    4) make png 48 36 4 16 step "mattes/$name.png" ;;
    esac
done
make png 72 96 3 8 step step_up.png # for the picture that is displayed so
rm -f mattes/turned.* mattes/both_turned.*
"$mkjpeg" gray step_up.png 72 96 mattes/turned.jpg && "$mkjpeg" 444 step_up.png 72 96 mattes/both_turned.jpg
stays 'depth and a matte' $staying --depth-dir stay --matte mattes --max-radius 5 --focus 0.5
through_stay cpu --depth-dir stay --matte mattes --max-radius 5 --focus 0.5 --jobs 2 --device cpu
ok 'a matte, --device cpu: the same bytes' same_folders host cpu
mkdir maps && mv stay/*_depth.* maps
stays 'a matte alone' $staying --matte mattes --max-radius 5

# --- Radii ----------------------------------------------------------------------------------------

stays 'a radius for each direction' $staying --radius 4,1
make png 48 36 1 16 ramp radii16.png
"$mkjpeg" gray ramp.png 96 72 radii.jpg
"$mkjpeg" gray ramp.png 48 36 radii_half.jpg
"$mkjpeg" 444 step_large.png 180 135 radii_rgb.jpg
rm stay/*turned.jpg # a map for all has their proportions turned
for radii in radii.jpg radii_half.jpg radii_rgb.jpg radii16.png; do
    stays "$radii" $((staying - 3)) --radius-map $radii --max-radius 5
done

# --- What is refused, and noted -------------------------------------------------------------------

# alike WORDS STATUS PATTERN MAP OPTIONS...: the same line within a bound on memory and free of it
alike() {
    local words=$1 state=$2 pattern=$3 map=$4
    shift 4
    rm -rf one && mkdir one
    cp photo.jpg one/a.jpg && cp "$map" one_map.jpg
    for way in bound free; do
        [ $way = free ] || set -- --gpu-memory 64G "$@"
        run one one_out --codec gpu --device cuda --report $way.jsonl "$@" one_map.jpg
        [ $way = free ] || shift 2
        rm -rf one_out
        ok "$words, $way: status $state" status_is "$state"
        ok "$words, $way: the line" grep -q "$pattern" $way.jsonl
    done
    ok "$words: the same notes" same_notes bound free
    [ "$state" != 0 ] || ok "$words: it has stayed" stayed free 1
}
"$mkjpeg" 420 "$assets/table.png" 320 240 photo.jpg
make pnm 160 80 3 8 noise:5 noise.ppm # colours below black
{ printf 'P6\n160 120\n255\n' && head -c $((160 * 40 * 3)) /dev/zero && tail -c $((160 * 80 * 3)) noise.ppm; } > colours.ppm
"$mkjpeg" 444 colours.ppm 160 120 colours.jpg
alike 'colours as a map' 1 'its colours are not those of' colours.jpg --method gather --depth
run photo.jpg photo.ppm --radius 0
cat > scale.py << 'PY'
# Draws a ramp in the colours of OpenCV's jet, and the same beside photo.ppm.
clip = lambda v: max(0, min(255, v))
jet = lambda i: bytes((clip(min(4 * i - 382, 1148 - 4 * i)), clip(min(4 * i - 128, 892 - 4 * i)), clip(min(4 * i + 128, 638 - 4 * i))))
data = open("photo.ppm", "rb").read()
width, height = (int(n) for n in data.split()[1:3])
photo, row = data[-3 * width * height:], b"".join(jet(40 + 180 * x // width) for x in range(width))
write = lambda name, w, rows: open(name, "wb").write(b"P6\n%d %d\n255\n" % (w, height) + b"".join(rows))
write("scale.ppm", width, [row] * height)
lines = [photo[3 * width * y:3 * width * (y + 1)] for y in range(height)]
write("pair.ppm", 2 * width + 50, [line + b"\xff" * 150 + row for line in lines])
PY
python3 scale.py
for file in scale pair; do
    read -r width height _ < <("$mkimage" shape $file.ppm)
    "$mkjpeg" 444 $file.ppm "$width" "$height" $file.jpg
done
alike 'false colours' 0 'false colours of .*jet are read back' scale.jpg --method gather --depth
alike 'false colours beside the picture' 0 'side by side; the map, 320 x 240 at 370,0, is cut out.*jet are read back' pair.jpg \
    --method gather --depth
alike 'colours as radii' 1 'channels differ much' colours.jpg --max-radius 3 --radius-map
alike 'the picture as its map' 1 'the picture itself' photo.jpg --method gather --depth
alike 'colours as a matte' 1 'a colour picture' colours.jpg --method gather --matte
read -r width height _ < <("$mkimage" shape "$assets/table.png")
"$mkjpeg" 420 "$assets/table.png" "$width" "$height" photo.jpg
"$mkjpeg" 420 "$assets/table.png" $((3 * width)) "$height" beside.jpg
"$mkjpeg" gray "$assets/table.png" $((3 * width)) "$height" beside_gray.jpg
alike 'the picture beside its map' 1 'not a gray map\|shows .* beside a map' beside.jpg --method gather --depth
alike 'the picture in gray beside its map' 1 'shows .* beside a map' beside_gray.jpg --method gather --depth
"$mkjpeg" 420 "$assets/table.png" 160 120 photo.jpg
make png 80 60 3 8 const:90 flat.png && "$mkjpeg" gray flat.png 80 60 flat.jpg
run depth.bmp dull.bmp --radius 120 && "$mkjpeg" gray dull.bmp 80 60 dull.jpg
alike 'few codes' 0 'uses only the codes' dull.jpg --method gather --depth
alike 'one code' 0 'every depth is the same' flat.jpg --method gather --depth
run depth.bmp dull.bmp --radius 1 && "$mkjpeg" 444 dull.bmp 240 60 wide.jpg
alike 'other proportions' 0 'does not have the proportions' wide.jpg --method gather --depth

# --- Copies, and too little memory (emulated alone) -----------------------------------------------

if ! emulated photo.jpg; then
    skip 'copies: the GPU is a real one'
    exit
fi
mkdir big few few_maps few_mattes
"$mkjpeg" 420 "$assets/table.png" 640 480 big/a.jpg
# copied WORDS UP DOWN OPTIONS...: on a device that guards its memory, less than so many bytes come from the host and go there
copied() {
    local words=$1 up=$2 down=$3
    shift 3
    rm -rf big_out copied.jsonl memory.txt
    EMULATE_GUARDED=1 EMULATE_REPORT=memory.txt run big big_out --codec gpu --device cuda --report copied.jsonl "$@"
    ok "$words: it stays" stayed copied 1
    ok "$words: $(grep -o ' up [0-9]*' memory.txt) bytes" up_below "$up"
    ok "$words: $(grep -o ' down [0-9]*' memory.txt) bytes" down_below "$down"
    ok "$words: all memory is given back" all_given_back
}
copied_map() { # copied_map WORDS UP DOWN
    copied "$1" "$2" "$3" --depth-dir . --depth-suffix _map --method gather --max-radius 4 --focus 0.9
}
# The picture has 921,600 bytes. What goes up is tables by code of a map, whose 65,536 are of 4 bytes if it is resampled. What
# comes down is the codes that occur, the row in four that is looked at for colours, and 216,600 bytes of patches for the
# automatic focus.
"$mkjpeg" gray depth.bmp 320 240 a_map.jpg # 76,800 bytes
copied_map 'a map of half the size' 320000 40000
copied 'a point in focus' 320000 90000 --depth-dir . --depth-suffix _map --method gather --max-radius 4 --focus-at 30,40
copied 'a matte of half the size' 60000 20000 --matte a_map.jpg --method gather --max-radius 4
copied 'radii of half the size' 320000 20000 --radius-map a_map.jpg --max-radius 4
"$mkjpeg" gray depth.bmp 640 480 a_map.jpg # 307,200 bytes
copied 'auto focus' 60000 290000 --depth-dir . --depth-suffix _map --method gather --max-radius 4
"$mkjpeg" gray depth.bmp 960 720 a_map.jpg # 691,200 bytes
copied_map 'a map of one and a half times the size' 320000 40000
"$mkjpeg" 444 depth.bmp 320 240 a_map.jpg # 230,400 bytes
copied_map 'an RGB map of half the size' 320000 90000
copied 'RGB radii of half the size' 320000 80000 --radius-map a_map.jpg --max-radius 4
"$mkjpeg" 444 depth.bmp 640 480 a_map.jpg # 921,600 bytes
copied_map 'an RGB map' 60000 240000
copied 'an RGB matte' 60000 240000 --matte a_map.jpg --method gather --max-radius 4
rm a_map.jpg && make png 640 480 1 16 ramp a_map.png # 614,400 bytes
copied_map 'a PNG of 16 bits' 940000 40000
rm a_map.png && make png 640 480 4 8 step cutout.png # 1,228,800 bytes
copied 'a PNG as a matte' 2600000 20000 --matte cutout.png --method gather --max-radius 4
copied 'a radius' 60000 20000 --radius 4

# From so little that nothing stays to so much that all does, the host touches no memory of the device.
for i in 1 2 3; do
    "$mkjpeg" 420 "$assets/table.png" $((170 + i)) 131 few/$i.jpg
    "$mkjpeg" 420 depth.bmp 85 65 few_maps/$i.jpg
    "$mkjpeg" gray step_large.png $((170 + i)) 131 few_mattes/$i.jpg
done
of_few() { # OPTIONS...
    rm -rf few_out
    run few few_out --codec gpu --depth-dir few_maps --matte few_mattes --max-radius 8 --report few.jsonl "$@"
}
same_few() { same_folders few_want few_out; }
of_few --device cpu && mv few_out few_want
for bytes in 350000 450000 600000 800000 3000000; do
    EMULATE_GUARDED=1 EMULATE_MEMORY=$bytes EMULATE_REPORT=memory.txt of_few --jobs 1
    echo "$bytes: $(grep -c '"stayed": true' few.jsonl) stay, $(grep -c 'continuing on the CPU' few.jsonl) go to the CPU"
    ok "$bytes bytes of memory: all are done" says '3 done, 0 skipped, 0 failed'
    ok "$bytes bytes of memory: the same bytes" same_few
    ok "$bytes bytes of memory: all is given back" all_given_back
done
of_few --device cpu --max-radius 40 && rm -rf few_want && mv few_out few_want
EMULATE_GUARDED=1 EMULATE_MEMORY=450000 EMULATE_REPORT=memory.txt of_few --jobs 1 --max-radius 40
ok 'too little for the work: the CPU does it' test "$(grep -c 'continuing on the CPU' few.jsonl)" = 3
ok 'too little for the work: the same bytes' same_few
ok 'too little for the work: all is given back' all_given_back
