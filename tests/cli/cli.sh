#!/bin/bash
# The real program on real files, as a user sees it: pictures, exit status, messages, and the files that it leaves.
#   cli.sh SATBLUR MKIMAGE [ASSETS]
assets=${3:+$(realpath "$3")}
. "$(dirname "$0")/cli_case.sh"

# --- The main command -----------------------------------------------------------------------------
make png 120 80 3 8 noise:1 photo.png
make png 120 80 1 8 ramp depth.png

run photo.png o.png --depth depth.png
ok 'depth of field: exit status' status_is 0
ok 'depth of field: keeps size, channels, bits' shape_is o.png '120 80 3 8'
ok 'depth of field: says what it assumed' \
    says 'depth.png: 8-bit gray, disparity (assumed), near = white (assumed); focus'
ok 'depth of field: nothing on stdout' test ! -s out
differs() { ! same photo.png o.png; }
ok 'depth of field: blurs' differs
run photo.png again.png --depth depth.png --quiet
ok '--quiet is silent' silent
ok 'the same twice' cmp o.png again.png
run photo.png o1.png --depth depth.png --threads 1
ok 'threads do not matter' cmp o.png o1.png
run photo.png o.png --depth depth.png --depth-type disparity --near white --focus 0.5 --max-radius 4
unassumed() { ! says assumed && says 'focus 0.500; radius 4.0 px'; }
ok 'what the user said is not called assumed' unassumed
run photo.png o.png --depth depth.png --near white --focus 0.9 --max-radius 4
run photo.png o2.png --depth depth.png --near black --focus 0.9 --max-radius 4
inverted() { ! cmp -s o.png o2.png; }
ok '--near black differs' inverted
run photo.png o.png --depth depth.png --focus-at 60,40 --focus-range 0.2 --depth-range 10,200
ok '--focus-at, --focus-range, --depth-range' says 'range 10 to 200; focus .* (at 60,40)'
run photo.png o.png --depth depth.png --depth-range 51,204 --max-radius 9
run photo.png o2.png --depth depth.png --depth-range 0.2,0.8 --max-radius 9
ok 'a range in codes is the same as in fractions' cmp o.png o2.png
run photo.png o3.png --depth depth.png --max-radius 9
stretched() { ! cmp -s o2.png o3.png; }
ok 'a map is stretched only when asked' stretched
run photo.png o.png --radius-map depth.png --max-radius 6
ok 'radius map' says 'depth.png: 8-bit gray; radius 0 where it is black, 6 px where it is white'

# --- The methods ----------------------------------------------------------------------------------
depth_of_field() { # depth_of_field OUTPUT OPTIONS...
    run photo.png "$@" --depth depth.png --max-radius 9
    status_is 0
}
depth_of_field o.png
unsaid() { ! says 'layered' && ! says 'gather' && ! says 'spread'; }
ok 'the usual method is not said' unsaid
depth_of_field o2.png --method layered --bokeh disc --edge shrink
ok 'layered, with discs, is the default' cmp o.png o2.png
depth_of_field o3.png --bokeh square
ok '--bokeh square is said' says '; layered, squares$'
ok '--bokeh square differs' different o.png o3.png
depth_of_field o2.png --bokeh smooth
ok '--bokeh smooth is said' says '; layered, smooth$'
ok '--bokeh smooth differs from discs' different o.png o2.png
ok '--bokeh smooth differs from squares' different o3.png o2.png
depth_of_field gather.png --method gather
ok '--method gather is said' says '; gather$'
ok '--method gather differs' different o.png gather.png
ok '--method gather is not layered squares' different o3.png gather.png
depth_of_field o2.png --method gather --bokeh square
ok 'gather has squares' cmp gather.png o2.png
depth_of_field o2.png --edge mirror
ok 'another edge makes it gather, and that is said' says '; gather (because of --edge)$'
depth_of_field o3.png --edge mirror --method gather --bokeh square
ok 'another edge makes it gather' cmp o2.png o3.png
depth_of_field spread.png --method spread
ok '--method spread is said' says '; spread$'
ok '--method spread differs' different o.png spread.png
ok '--method spread is not gather' different gather.png spread.png
depth_of_field o2.png --method spread --bokeh square
ok 'spread has squares' cmp spread.png o2.png
make png 120 80 3 8 lights night.png
night() { run night.png "$@" --depth depth.png --max-radius 9 --focus 0 && status_is 0; }
night o2.png
night o3.png --highlights 1
ok '--highlights differs' different o2.png o3.png
night o2.png --highlights 9
ok 'stronger highlights differ' different o2.png o3.png
night o3.png --highlights 9 --highlight-size 5 --highlight-threshold 0.5
ok 'size and threshold have these defaults' cmp o2.png o3.png
make png 120 80 3 8 step white.png
run white.png o3.png --depth depth.png --max-radius 9 --focus 0 --highlights 9
run white.png o4.png --depth depth.png --max-radius 9 --focus 0
ok 'a white half is no lamp' cmp o3.png o4.png
run night.png o3.png --depth depth.png --highlights 9 --highlight-threshold 1.5
ok 'a threshold above white is refused' status_is 2
refused 'a size without highlights' 2 '--highlight-size needs --highlights' \
    photo.png o.png --depth depth.png --highlight-size 3
night o3.png --highlights 9 --method layered --bokeh square
ok 'square highlights differ' different o2.png o3.png
night o2.png --bokeh smooth
night o3.png --bokeh smooth --highlights 9
ok 'smooth highlights differ' different o2.png o3.png
works_on_depth() { awk '$1 == "depth" { ms = $2 } END { exit !(ms > 0) }' err; }
depth_of_field o2.png --quiet --timings
ok '--timings says the method' grep -qx 'method    layered, discs' err
ok '--timings has the work on the depth map' works_on_depth
depth_of_field o2.png --quiet --timings --method gather
ok '--timings says the method, gather' grep -qx 'method    gather' err
ok '--timings has the work on the depth map, gather' works_on_depth
depth_of_field o2.png --quiet --timings --method spread
ok '--timings says the method, spread' grep -qx 'method    spread' err
ok '--timings has the work on the depth map, spread' works_on_depth
run photo.png o2.png --radius 3 --timings
ok '--timings of a box blur has no depth' grep -q '^depth  *0.00 ms' err
without_method() { ! says '^method'; }
ok '--timings of a box blur names no method' without_method
refused 'layers have one edge' 2 '--method layered cannot be combined with --edge mirror' \
    photo.png o.png --depth depth.png --method layered --edge mirror
refused 'gather has no discs' 2 'exclude each other' \
    photo.png o.png --depth depth.png --method gather --bokeh disc
refused 'gather is not smooth' 2 '--bokeh smooth and --method gather exclude each other' \
    photo.png o.png --depth depth.png --method gather --bokeh smooth
refused 'spread has one edge' 2 '--method spread cannot be combined with --edge clamp' \
    photo.png o.png --depth depth.png --method spread --edge clamp
refused 'spread has no discs' 2 'exclude each other' \
    photo.png o.png --depth depth.png --method spread --bokeh disc
refused 'discs have one edge' 2 '--bokeh disc cannot be combined with --edge clamp' \
    photo.png o.png --depth depth.png --edge clamp --bokeh disc
refused 'gather has no highlights' 2 '--highlights and --method gather exclude each other' \
    photo.png o.png --depth depth.png --method gather --highlights 4
refused 'highlights have one edge' 2 '--highlights cannot be combined with --edge mirror' \
    photo.png o.png --depth depth.png --edge mirror --highlights 4
refused 'highlights that darken' 2 'expected 0, or a factor, 1 to 64' \
    photo.png o.png --depth depth.png --highlights 0.5
refused 'a method that is none' 2 "expected 'layered', 'gather' or 'spread'" \
    photo.png o.png --depth depth.png --method scatter
refused 'a bokeh that is none' 2 "expected 'disc', 'square' or 'smooth'" \
    photo.png o.png --depth depth.png --bokeh heart
refused 'a method of a box blur' 2 '--method needs --depth MAP' \
    photo.png o.png --radius 3 --method layered
refused 'a bokeh of a radius map' 2 '--bokeh needs --depth MAP' \
    photo.png o.png --radius-map depth.png --max-radius 3 --bokeh disc

# --- A constant stays constant --------------------------------------------------------------------
for options in '--radius 40' '--radius 40 --gamma' '--radius 7.3,500 --edge mirror' \
    '--radius 3 --edge wrap'; do
    make png 90 70 3 8 const:255 in.png
    run in.png o.png $options
    ok "255 stays 255: $options" same in.png o.png
    make png 90 70 1 16 const:43691 in.png
    run in.png o.png $options
    ok "16-bit 43691 stays: $options" same in.png o.png
    make png 90 70 4 16 alpha:54321:777 in.png
    run in.png o.png $options
    ok "16-bit colour 54321 under alpha 777 stays: $options" same in.png o.png
done
make png 120 80 4 8 alpha:201:77 in.png
run in.png o.png --depth depth.png --max-radius 50
ok 'a constant stays under depth of field' same in.png o.png
make png 120 80 1 16 noise:12 random.png
for pattern in '1 8 const:201' '3 8 const:77' '4 8 alpha:201:77' '1 16 const:43691' \
    '3 16 const:511' '4 16 alpha:54321:777'; do
    set -- $pattern
    make png 120 80 $1 $2 $3 in.png
    for options in '' '--method gather' '--method spread' '--bokeh square --gamma' '--focus 0.1 --gamma'; do
        run in.png o.png --depth random.png --max-radius 23 $options
        ok "a constant stays between all depths: $pattern $options" same in.png o.png
    done
done

# --- The reach of a radius: a step edge -----------------------------------------------------------
# Pixel x averages x-32 .. x+32: the first pixel that sees the white half is 32 to the left of it,
# the last that sees the black half is 31 to the right, and both sides mirror each other.
make png 200 9 1 8 step in.png
run in.png o.png --radius 32 --gamma
step_is_right() {
    "$mkimage" row o.png 4 | awk '
        { v[NR - 1] = $1 }
        END {
            for (x = 0; x < 200; x++) {
                expected = x < 68 ? 0 : x > 131 ? 255 : int((255 * (x - 67) + 32) / 65)
                if (v[x] != expected) { print "pixel", x, "is", v[x], "not", expected; exit 1 }
                if (v[x] + v[199 - x] != 255) { print "not symmetric at", x; exit 1 }
            }
        }'
}
ok '--radius 32 reaches exactly 32 pixels, centred' step_is_right
make png 200 9 1 8 const:255 white.png
run in.png o2.png --radius-map white.png --max-radius 32 --gamma
ok 'a white radius map is the same as --radius' cmp o.png o2.png

# --- A focus that is a code ------------------------------------------------------------------------
code_is() { # code_is CODE DISPARITY OPTIONS...: both give the same blur
    run photo.png o.png --depth depth.png --max-radius 9 --focus "$1" "${@:3}"
    status_is 0 || return
    run photo.png o2.png --depth depth.png --max-radius 9 --focus "$(awk "BEGIN { printf \"%.17g\", $2 }")" "${@:3}"
    cmp o.png o2.png
}
ok 'a code' code_is 55c '55 / 255'
ok 'a code, black is near' code_is 55c '1 - 55 / 255' --near black
ok 'a code within a range' code_is 55c '35 / 200' --depth-range 20,220
ok 'a code of distances' code_is 51c '(1 / 8.2 - 0.1) / 0.9' --depth-type linear --distance 1,10
refused 'a code beyond the map' 1 'depth.png has codes from 0 to 255' photo.png o.png --depth depth.png --focus 256c

# --- Lens -----------------------------------------------------------------------------------------
run photo.png o.png --depth depth.png --fstop 1.8 --focal 50 --distance 1,10 --focus 2m
lens_is_right() {
    local said want
    said=$(sed -n 's/.*radius \([0-9.]*\) px at.*/\1/p' err)
    want=$(awk 'BEGIN {
        f = 50; s = 2000; print 120 / 72 * f * f * s / (1.8 * (s - f)) * (1 / 1000 - 1 / 10000) }')
    echo "said $said, expected $want"
    number_near "$said" "$want" 0.06 && says '= 2 m'
}
ok 'thin lens: radius and focus distance' lens_is_right
run photo.png o.png --depth depth.png --fstop 4 --focal 35 --sensor 23.5 --distance 1,inf --focus 1
ok 'thin lens: far may be inf' status_is 0

# --- Sizes ----------------------------------------------------------------------------------------
make png 1 1 3 8 const:77 one.png
run one.png o.png --radius 5
ok '1 x 1' same one.png o.png
run one.png o.png --depth one.png
ok '1 x 1 with depth' same one.png o.png
for options in '--method layered' '--method gather' '--method spread' '--bokeh square' '--edge wrap'; do
    run one.png o.png --depth one.png --focus 1 --max-radius 10000 $options
    ok "1 x 1 with depth, out of focus: $options" same one.png o.png
done
for method in layered gather spread; do
    run photo.png o.png --depth depth.png --max-radius 10000 --method $method
    ok "$method: a radius far beyond the picture" status_is 0
    make png 300 1 1 8 noise:2 wide.png
    run wide.png o.png --depth wide.png --max-radius 10000 --method $method
    ok "$method: a radius far beyond a picture of one row" shape_is o.png '300 1 1 8'
done
make png 300 1 1 8 noise:2 wide.png
run wide.png o.png --radius 100000
ok 'a radius beyond the picture' status_is 0
flat_row() { [ "$("$mkimage" row o.png 0 | sort -u | wc -l)" = 1 ]; }
ok 'a radius beyond the picture averages all of it' flat_row

# --- Messages -------------------------------------------------------------------------------------
cp photo.png $'new\nline.png'
run $'new\nline.png' o.png --depth none.png
ok 'a line break in a name stays out of the messages' test "$(wc -l < err)" = 1

# --- Options --------------------------------------------------------------------------------------
run --help
ok '--help' grep -q -- '--depth MAP' out
run --version
ok '--version' grep -qE '^satblur [0-9]+\.[0-9]+' out
lists_codecs() { grep -qE '^PNG: .*libspng' out && grep -qE '^JPEG: .*stb$' out; }
ok '--version lists the codecs' lists_codecs
ok '--version says whether CUDA is built in' grep -qE '^GPU: (CUDA|not built in)$' out
refused 'nothing given' 2 'satblur --help'
refused 'no operation' 2 "OUTPUT is missing; give its name after 'photo.png'" photo.png
refused 'no operation, and no map in the photo' 1 'nothing to do' photo.png o.png
refused 'no output' 2 'OUTPUT is missing' photo.png --radius 3
refused 'a third file' 2 'one file too many' photo.png o.png third.png --radius 3
refused 'unknown option' 2 "did you mean --depth" photo.png o.png --dpeth depth.png
refused 'unknown option, nothing near' 2 'help' photo.png o.png --zzzzzzzz
refused 'two operations' 2 'exclude each other' photo.png o.png --radius 3 --depth depth.png
refused 'a lens and a radius' 2 'exclude each other' photo.png o.png --depth depth.png \
    --max-radius 3 --fstop 2 --focal 50 --distance 1,2
refused 'focus without depth' 2 'needs --depth' photo.png o.png --radius 3 --focus 0.5
refused 'half a lens' 2 'focal MM is missing' photo.png o.png --depth depth.png --fstop 2
refused 'metres without distance' 2 'needs --distance' photo.png o.png --depth depth.png --focus 2m
refused "a radius map called 'embedded'" 1 'embedded: there is no such file' photo.png o.png --radius-map embedded --max-radius 3
refused 'radius map without a radius' 2 'needs --max-radius' photo.png o.png --radius-map depth.png
for text in nan -nan inf -1 -0 '' ' 1' 1x 0x10 1,2,3 1, ,1 1e999 +1 1e; do
    refused "radius '$text'" 2 '^satblur: --radius .*: expected' photo.png o.png --radius "$text"
done
refused 'focus 1.5' 2 'expected' photo.png o.png --depth depth.png --focus 1.5
refused 'distance far to near' 2 'expected' photo.png o.png --depth depth.png --distance 5,2
refused 'f-number 0' 2 'expected' photo.png o.png --depth depth.png --fstop 0
refused 'a value that is missing' 2 'needs a value' photo.png o.png --radius
refused 'unknown ending' 2 'o.gif: the ending names no format' photo.png o.gif --radius 3
refused 'no ending' 2 'the ending names no format' photo.png o --radius 3
refused 'a focus point outside' 1 'outside the picture' \
    photo.png o.png --depth depth.png --focus-at 500,500
refused 'a range beyond the map' 1 'has codes up to 255' \
    photo.png o.png --depth depth.png --depth-range 10,300

# --- Small stacks, few threads --------------------------------------------------------------------
run photo.png o.png --depth depth.png
small_stack() { # small_stack COMMAND...: the same picture in the end
    rm -f o2.png
    "$@" "$satblur" photo.png o2.png --depth depth.png --threads 3 2> err && cmp o.png o2.png
}
ok 'small stacks of all threads' small_stack prlimit --stack=131072:131072
ok 'nothing is said of stacks' test "$(wc -l < err)" = 2
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --clear-groups "$satblur" --version > /dev/null 2>&1; then
    chmod 777 .
    for most in 1 2 3; do
        ok "no more than $most threads" small_stack env ASAN_OPTIONS=detect_leaks=0 \
            setpriv --reuid 65534 --clear-groups prlimit --nproc=$most # looking for leaks takes a thread, too
        ok "no more than $most threads is said" says '^satblur: too few threads can be started, so --threads 1 is used; raise ulimit'
    done
else
    skip "few threads: only root can start the program as a user without any others"
fi

# --- Devices --------------------------------------------------------------------------------------
if run one.png o.png --radius 1 --device cuda && [ "$status" = 0 ]; then
    run photo.png o.png --depth depth.png --verify
    ok '--verify on this GPU' says '^satblur: verify: 28800 bytes equal on cpu and cuda:0'
    run photo.png --stats --verify
    ok '--verify of statistics' status_is 0
else
    refused '--device cuda without a GPU' 1 '^satblur: --device cuda: ' \
        photo.png o.png --radius 3 --device cuda
    refused '--verify without a GPU' 1 '--verify needs a CUDA device' \
        photo.png o.png --radius 3 --verify
fi
refused 'a device that is none' 2 'expected' photo.png o.png --radius 3 --device gpu
run photo.png o.png --radius 3 --device auto --timings
ok 'auto says what it took' grep -qE '^device +(cpu|cuda)' err

# --- The samples ----------------------------------------------------------------------------------
if [ -n "$assets" ]; then
    found=0
    for depth in "$assets"/*_depth.png; do
        photo=${depth%_depth.png}.png
        [ -e "$photo" ] || continue
        found=1
        run "$photo" o.png --depth "$depth"
        ok "sample $(basename "$photo")" status_is 0
    done
    [ $found = 1 ] || skip "no pairs NAME.png and NAME_depth.png among the samples"
fi

# --- Small stacks ---------------------------------------------------------------------------------
# Threads have 128 KB with some C libraries. Sanitizers and valgrind need more.
if [ "$(head -c 4 "$satblur" | tail -c 3)" = ELF ] && ! grep -q __asan_init "$satblur"; then
    for method in layered gather spread; do
        (ulimit -s 128; "$satblur" photo.png o.png --depth depth.png --method $method) > out 2> err
        status=$?
        ok "--method $method with stacks of 128 KB" status_is 0
    done
else
    skip 'stacks of 128 KB: the program is instrumented'
fi

ok 'nothing is left behind' no_leftover
