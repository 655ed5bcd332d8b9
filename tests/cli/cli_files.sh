#!/bin/bash
# Files in and out of the real program: formats, codecs, inputs that it refuses, and outputs.
#   cli_files.sh SATBLUR MKIMAGE
. "$(dirname "$0")/cli_case.sh"

make png 120 80 3 8 noise:1 photo.png
make png 120 80 1 8 ramp depth.png

# --- In as out: radius 0 keeps every bit, in every format -----------------------------------------
for channels in 1 2 3 4; do
    for bits in 8 16; do
        make png 67 43 $channels $bits noise:5 in.png
        run in.png o.png --radius 0
        ok "radius 0 keeps PNG, $channels channels, $bits bits" same in.png o.png
        run in.png o.png --radius 3.5
        ok "blurred PNG stays $channels channels, $bits bits" shape_is o.png "67 43 $channels $bits"
    done
    make tga 67 43 $channels 8 noise:6 in.tga
    run in.tga o.tga --radius 0
    ok "radius 0 keeps TGA, $channels channels" same in.tga o.tga
done
for channels in 1 3; do
    for bits in 8 16; do
        make pnm 67 43 $channels $bits noise:7 in.pnm
        run in.pnm o.pnm --radius 0
        ok "radius 0 keeps PNM, $channels channels, $bits bits" same in.pnm o.pnm
    done
done
for channels in 3 4; do
    make bmp 67 43 $channels 8 noise:8 in.bmp
    run in.bmp o.bmp --radius 0
    ok "radius 0 keeps BMP, $channels channels" same in.bmp o.bmp
done
run photo.png o.jpg --radius 0 --quality 100
run o.jpg o.jpeg --radius 2
ok 'JPEG in and out' shape_is o.jpeg '120 80 3 8'
make png 120 80 1 8 const:128 flat.png
run photo.png o.png --depth flat.png --focus 0.50196 --max-radius 1
ok 'in focus everywhere: the input, bit for bit' same photo.png o.png

make png 120 80 1 16 noise:12 random.png
for channels in 1 2 3 4; do
    for bits in 8 16; do
        make png 120 80 $channels $bits noise:5 in.png
        for method in layered gather spread; do
            run in.png o.png --depth random.png --max-radius 0 --method $method
            ok "$method, radius 0 keeps $channels channels, $bits bits" same in.png o.png
        done
    done
done

# --- Codecs ---------------------------------------------------------------------------------------
for bits in 8 16; do
    make png 350 420 3 $bits noise:11 in.png
    for level in 0 1 2 9 12; do
        run in.png o.png --radius 0 --compression $level
        ok "PNG of $bits bits, compression $level" same in.png o.png
    done
    run in.png o.png --radius 2 --timings
    ok "--timings names the libraries, $bits bits" \
        grep -qE '^decode .*%  libdeflate$' err
    run in.png o1.png --radius 2 --threads 1
    ok "threads do not matter to the file, $bits bits" cmp o.png o1.png
    run in.png o1.png --radius 2 --codec stb --timings
    plain() { grep -qE '^decode .*%  libspng$' err && cmp o.png o1.png; }
    ok "--codec stb: the same file, $bits bits" plain
done
run photo.png o.jpg --radius 0 --quality 100 --codec stb
run o.jpg o.png --radius 0 --codec stb --timings
ok '--codec stb takes stb for JPEG' grep -qE '^decode .*%  stb$' err
size=$(stat -c %s o.jpg)
{ head -c $((size * 2 / 3)) o.jpg; printf '\377\331'; } > short.jpg # the end mark is there, some rows are not
for codec in fast stb; do
    run short.jpg o.png --radius 0 --codec $codec
    ok "--codec $codec: a damaged JPEG is done, and a note says so" says 'short.jpg: the JPEG is damaged, so the picture may be wrong: '
done
make pnm 65501 2 1 8 ramp wide.pgm
refused 'more than JPEG can hold is said' 1 'o.jpg: JPEG cannot hold 65501 x 2 pixels; use .png' wide.pgm o.jpg --radius 1
make png 20 20 1 8 ramp gray.png
run gray.png o.jpg --radius 1
! "$satblur" --version | grep -q '^JPEG: libjpeg-turbo' || ok 'gray to JPEG stays gray' shape_is o.jpg '20 20 1 8'
refused 'a codec that is none' 2 "expected 'fast', 'stb' or 'gpu'" photo.png o.png --radius 1 --codec cpu

make png 20 20 4 16 noise:9 deep.png
run deep.png o.jpg --radius 1
ok '16-bit RGBA to JPEG is said' \
    says 'o.jpg: JPEG cannot hold 16 bits or RGBA; written as 8-bit RGB, alpha dropped'
run deep.png o.ppm --radius 1
ok 'RGBA to PPM is said and keeps 16 bits' shape_is o.ppm '20 20 3 16'
run deep.png o.tga --radius 1
ok '16 bits to TGA is said' says 'TGA cannot hold 16 bits; written as 8-bit RGBA'
refused 'colour to PGM is refused' 1 'PGM holds only gray' deep.png o.pgm --radius 1

# --- A gray map drives every kind of picture ------------------------------------------------------
for channels in 1 2 3 4; do
    make png 120 80 $channels 8 ramp in.png
    run in.png o.png --depth depth.png --max-radius 9
    ok "a gray map blurs $channels channels" shape_is o.png "120 80 $channels 8"
done

# --- Bad input ------------------------------------------------------------------------------------
: > empty.png
echo 'this is no picture' > text.png
printf 'GIF89a and more' > animal.gif
mkdir folder.png
"$mkimage" claim 2147483647 2147483647 claim.png
"$mkimage" claim 30000 30000 claim2.png
"$mkimage" claim 65535 65535 claim4.png
printf 'P5\n20000 20000\n255\nxx' > claim.pgm
printf 'P5\n1000000 1000000\n255\nxx' > claim2.pgm
"$mkimage" claim 32769 32768 claim3.png && head -c 70000 /dev/zero | "$mkimage" chunk skIp claim3.png
make png 60 60 3 8 ramp small.png
refused 'missing file' 1 'no such file' none.png o.png --radius 3
refused 'missing map' 1 'none.png: there is no such file' photo.png o.png --depth none.png
refused 'both missing: the picture is what is told of' 1 'none.png: there is no such file' \
    none.png o.png --depth nomap.png
refused 'picture and map damaged: the picture is what is told of' 1 'empty.png: the file is empty' \
    empty.png o.png --depth text.png
refused 'empty file' 1 'empty.png: the file is empty' empty.png o.png --radius 3
refused 'a text' 1 'not a picture' text.png o.png --radius 3
refused 'a GIF that is none' 1 'animal.gif: the ' animal.gif o.png --radius 3
refused 'a folder without pictures' 1 'folder.png: no pictures found; use --recursive' folder.png o.png --radius 3
refused 'a claim of 2^31 x 2^31' 1 'claim.png: ' claim.png o.png --radius 3
refused 'a claim of 30000 x 30000 in 64 bytes' 1 'claims 30000 x 30000 pixels in' \
    claim2.png o.png --radius 3
refused 'a claim of 65535 x 65535' 1 'claims 65535 x 65535 pixels in' claim4.png o.png --radius 3
refused 'a PGM that claims more than it has' 1 'cut off' claim.pgm o.png --radius 3
refused 'a PGM that claims too much' 1 'cut off' claim2.pgm o.png --radius 3
refused 'a picture of more pixels than --max-pixels' 1 'photo.png: .* 9599 that --max-pixels allows' \
    photo.png o.png --radius 3 --max-pixels 9599
refused 'a depth map of more' 1 'claim3.png: 32769 x 32768 pixels are more than the 1073741824 that' \
    photo.png o.png --depth claim3.png
refused 'a radius map of more' 1 'depth.png: .* that --max-pixels allows' \
    small.png o.png --radius-map depth.png --max-radius 3 --max-pixels 4K
run photo.png o.png --radius 3 --max-pixels 9.6K
ok 'a picture of as many' status_is 0
in_400_mb() { (ulimit -v 400000; "$satblur" "$@") 2>&1; }
claim_allocates_nothing() { in_400_mb claim2.png o.png --radius 3 | grep -q 'claims'; }
if (in_400_mb --version) > /dev/null 2>&1; then
    ok 'a claim allocates nothing' claim_allocates_nothing
    larger_claim() { in_400_mb claim3.png o.png --radius 3 | grep -q 'that --max-pixels allows'; }
    ok 'nor does one beyond --max-pixels' larger_claim
else
    skip 'a claim allocates nothing: this build does not start in 400 MB of address space'
fi
make tga 67 43 3 8 noise:6 in.tga
make bmp 67 43 3 8 noise:6 in.bmp
make pnm 67 43 3 16 noise:6 in.ppm
make png 67 43 3 8 noise:6 in.png
run in.png in.jpg --radius 0
for file in in.png in.jpg in.bmp in.tga in.ppm; do
    size=$(stat -c %s $file)
    for left in 1 10 30 $((size / 2)) $((size - 3)) $((size - 1)); do
        head -c "$left" $file > "cut.${file#in.}"
        refused "$file cut to $left of $size bytes" 1 "cut.${file#in.}: " \
            "cut.${file#in.}" o.png --radius 3
    done
done
mkdir kept && cp in.png depth.png kept
for figure in --histogram --dump-coc --focus-view; do
    for file in kept/in.png ./kept//depth.png; do
        refused "$figure over $file" 1 'is an input and would be replaced' kept/in.png o.png --depth kept/depth.png $figure $file
    done
    refused "$figure over the output" 1 'would both be written to' kept/in.png o.png --depth kept/depth.png $figure ./o.png
done
for options in '--depth' '--matte' '--max-radius 9 --radius-map'; do
    # shellcheck disable=SC2086
    refused "OUTPUT over the file of $options" 1 'kept/depth.png is an input and would be replaced' kept/in.png kept/depth.png \
        $options ./kept/depth.png
done
kept() { cmp in.png kept/in.png && cmp depth.png kept/depth.png; }
ok 'what is read is still there' kept
cp in.png flipped.png
"$mkimage" flip flipped.png 3000
refused 'one bit of a PNG turned over' 1 'checksum' flipped.png o.png --radius 3

# --- Output ---------------------------------------------------------------------------------------
cp photo.png inout.png
run inout.png inout.png --radius 4
run photo.png o.png --radius 4
ok 'output = input' cmp inout.png o.png
for method in layered gather spread; do
    cp photo.png both.png
    run both.png both.png --depth depth.png --max-radius 9 --method $method
    run photo.png o.png --depth depth.png --max-radius 9 --method $method
    ok "output = input, $method" cmp both.png o.png
done
chmod 640 inout.png
run photo.png inout.png --radius 4
ok 'a replaced file keeps its permissions' test "$(stat -c %a inout.png)" = 640
rm -f o.png
(umask 027; "$satblur" photo.png o.png --radius 1)
ok 'a new file follows the umask' test "$(stat -c %a o.png)" = 640
mkdir -p far
cp photo.png far/target.png
ln -sf far/target.png link.png
run photo.png link.png --radius 4
through_link() { [ -L link.png ] && [ ! -L far/target.png ] && cmp far/target.png inout.png; }
ok 'a symbolic link stays, its target is replaced' through_link
ln -sf far/new.png dangling.png
run photo.png dangling.png --radius 4
dangling() { [ -L dangling.png ] && cmp far/new.png inout.png; }
ok 'a dangling link makes its target' dangling
refused 'no such folder' 1 "folder 'nowhere/' does not exist" photo.png nowhere/x.png --radius 3
refused 'a folder takes no standard input' 1 'folder.png is a folder; name a file in it' - folder.png --radius 3
mkfifo pipe.png
refused 'the output is no plain file' 1 'not a plain file' photo.png pipe.png --radius 3
if [ "$(id -u)" = 0 ]; then
    skip 'a folder that cannot be written: root may write everywhere'
else
    mkdir closed && chmod 555 closed
    refused 'a folder that cannot be written' 1 'cannot be written' \
        photo.png closed/x.png --radius 3
fi

make png 400 400 3 8 noise:3 big.png
cp photo.png old.png
(ulimit -f 20; "$satblur" big.png old.png --radius 1 > out 2> err)
status=$?
full_disk() {
    status_is 1 && [ "$(wc -l < err)" = 1 ] && says 'cannot be written' && cmp old.png photo.png &&
        no_leftover
}
ok 'a full disk: error, old file kept, nothing left behind' full_disk
for option in --stats --help --version; do
    "$satblur" photo.png $option > /dev/full 2> err
    status=$?
    ok "$option into a full disk fails" status_is 1
done

# A slow encoder gives time to meet the temporary file. A signal that comes too late, when the output has
# got its name, proves nothing: then the output is whole, and the next attempt may be in time. A shell's
# background jobs ignore SIGINT; env turns it on again.
make png 1500 1500 3 8 noise:3 slow.png
run slow.png whole.png --radius 1 --compression 12
for signal in INT TERM HUP USR1 ALRM; do
    for ((attempt = 0; attempt < 10; attempt++)); do
        rm -f s.png
        env --default-signal=INT,TERM,HUP,USR1,ALRM "$satblur" slow.png s.png --radius 1 --compression 12 2> err &
        pid=$!
        for ((i = 0; i < 500; i++)); do
            [ -n "$(find . -maxdepth 1 -name '.s.png.*')" ] && break
            [ -e s.png ] && break
            sleep 0.01
        done
        met=$(find . -maxdepth 1 -name '.s.png.*')
        kill -$signal $pid 2> /dev/null
        kill -TERM $pid 2> /dev/null # impatient people, and timeout(1), send more than one
        wait $pid 2> /dev/null
        status=$?
        cmp -s s.png whole.png || break
    done
    interrupted() { [ -n "$met" ] && [ "$status" -gt 128 ] && [ ! -e s.png ] && no_leftover; }
    ok "SIG$signal in the middle leaves nothing behind" interrupted
done

ok 'nothing is left behind' no_leftover
