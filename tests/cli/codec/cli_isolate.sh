#!/bin/bash
# A decoder of HEIC and AVIF that crashes, hangs or eats memory costs its own file, and nothing else.
# cli_isolate.sh SATBLUR MKIMAGE BAD_DECODER
bad=$(realpath "$3")
. "$(dirname "$0")/../cli_case.sh"

mkdir in
for i in 1 2 3 4; do
    make png 48 40 3 8 noise:$i $i.png
    "$satblur" $i.png in/$i.heic --radius 0 2> /dev/null
done
make png 64 40 3 8 noise:5 bad.png
make png 48 40 1 8 noise:6 map.png
if ! "$satblur" bad.png in/bad.heic --radius 0 2> err || ! "$satblur" map.png map.heic --radius 0 2> err; then
    skip "crashes of decoders: $(cat err)"
    exit 0
fi
make png 64 40 1 8 noise:7 mask.png
"$satblur" mask.png mask.heic --radius 0
"$satblur" in good --radius 2 2> /dev/null

# with HOW ARGUMENTS...: runs the program with a decoder that does so
with() {
    local how=$1
    shift
    LIBHEIF_BAD_DECODER=$how LD_PRELOAD=$bad ASAN_OPTIONS=verify_asan_link_order=0:$ASAN_OPTIONS "$satblur" "$@" \
        > out 2> err < /dev/null
    status=$?
}
ASAN_OPTIONS=${ASAN_OPTIONS:-}
in_folder() ( # in_folder HOW PATTERN: of five pictures four are done, and a line says what the fifth met
    mkdir "$1" && cd "$1" || exit 1
    with "$1" ../in out.d --radius 2
    [ "$status" = 1 ] && says "in/bad.heic: $2" && says '4 done, 0 skipped, 1 failed' && [ "$(grep -c bad.heic err)" = 1 ] || exit 1
    for i in 1 2 3 4; do cmp out.d/$i.heic ../good/$i.heic || exit 1; done
    [ ! -e out.d/bad.heic ] && no_leftover
)
# AddressSanitizer ends a process that crashes by exit().
crashed='the library that reads it crashed (Segmentation fault)'
is_sanitized=$(ldd "$satblur" | grep -c libasan)
[ "$is_sanitized" = 0 ] || crashed='the library that reads it gave up (status 1)'
# Two that take their time, at once with the others
in_folder hang 'the library that reads it hangs' > hang.log 2>&1 &
hang=$!
in_folder spin 'the library that reads it takes too much time' > spin.log 2>&1 &
spin=$!
ok 'a decoder that crashes' in_folder crash "$crashed"
ok 'a decoder that calls exit()' in_folder leave 'the library that reads it gave up (status 3)'
[ "$is_sanitized" != 0 ] || # its memory cannot be limited
    ok 'a decoder that eats memory' in_folder eat 'the library that reads it crashed (Aborted)'

one_line() { status_is 1 && [ "$(wc -l < err)" = 1 ] && says "$1: $crashed"; }
with crash in/bad.heic o.png --radius 2
ok 'one picture' one_line in/bad.heic
with crash 1.png o.png --depth in/bad.heic
ok 'a depth map' one_line in/bad.heic
with crash bad.png o.png --matte mask.heic
ok 'a matte' one_line mask.heic
with crash bad.png o.png --depth map.png --protect mask.heic
ok 'a mask' one_line mask.heic
with crash in/bad.heic --stats
ok 'statistics' one_line in/bad.heic
with talk in/bad.heic o.png --radius 2
quiet() { status_is 0 && silent && [ -s o.png ]; }
ok 'its own words go nowhere' quiet

# It reaches no file, program, process or network. Sanitizers read files for their reports, so their builds confine nothing.
if "$satblur" --version | grep -q '^sandbox: Landlock, seccomp$'; then
    echo content > victim
    chmod 644 victim
    SECRET=1 with reach in/bad.heic o.png --radius 2 9< victim
    one_line_of() { status_is 1 && [ "$(wc -l < err)" = 1 ] && says "in/bad.heic: the library that reads it $1"; }
    refused() { one_line_of 'gave up (status 100)' && [ "$(cat victim)" = content ] && [ ! -e made ]; }
    ok 'a decoder that reaches for more' refused
    LIBHEIF_BAD_DECODER=load LIBHEIF_PLUGIN_PATH=$(dirname "$bad") "$satblur" in/bad.heic o.png --radius 2 2> err
    status=$?
    ok 'plug-ins of libheif are loaded before' one_line_of 'gave up (status 7)'
else
    skip "a decoder that reaches for more: $("$satblur" --version | grep '^sandbox')"
fi

mkdir pngs
cp [1-4].png pngs
with nothing pngs heics --radius 2 --format heic --jobs 4
all_done() { status_is 0 && [ "$(ls heics | wc -l)" = 4 ]; }
ok 'an encoder whose first picture must be alone' all_done

# Few files may be open, so not every picture gets a process at once. None is read in the process of the others.
mkdir many
for i in 1 2 3 4 5 6 7 8; do cp in/bad.heic many/$i.heic; done
scarce() {
    local files
    for files in 10 11 12 13 14 15 16 17; do
        rm -rf scarce
        (ulimit -n $files && with crash many scarce --radius 2 --jobs 8 --format png && exit $status)
        status=$?
        status_is 1 && says 'of 8 pictures failed' || return 1
    done
}
ok 'a folder, and few files may be open' scarce

# Where the system starts no process, a single picture is read in this one.
if [ "$(id -u)" = 0 ] && command -v setpriv prlimit > /dev/null; then
    chmod 755 . && mkdir -m 777 open
    setpriv --reuid 65534 --clear-groups prlimit --nproc=1 "$satblur" in/1.heic open/o.png --radius 2 --threads 1 \
        > out 2> err
    status=$?
    "$satblur" in/1.heic o.png --radius 2
    ok 'without a second process: the same bytes' cmp open/o.png o.png
else
    skip 'without a second process: only root can take one away from itself'
fi

wait $hang
status=$?
ok 'a decoder that hangs' status_is 0
wait $spin
status=$?
ok 'a decoder that takes for ever' status_is 0
cat hang.log spin.log
