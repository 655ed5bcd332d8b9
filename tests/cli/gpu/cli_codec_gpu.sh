#!/bin/bash
# --codec gpu: JPEGs by nvJPEG, and pictures that stay on the GPU. SATBLUR has a GPU, real or emulated.
#   cli_codec_gpu.sh SATBLUR MKIMAGE [MKJPEG ASSETS]
. "$(dirname "$0")/gpu_case.sh"

# The largest difference of a sample that another inverse transform and another interpolation of the
# colours may make, where `fast` reads the same file.
most=${SATB_JPEG_MOST:-6}

make png 40 30 3 8 ramp photo.png
run photo.png fast.jpg --radius 0 --quality 95
if ! with_nvjpeg; then
    refused 'without nvJPEG: one line, status 2' 2 'nvJPEG is not built in' photo.png o.jpg --radius 1 --codec gpu
    refused 'without nvJPEG: also for a folder' 2 'nvJPEG is not built in' . o.d --radius 1 --codec gpu
    skip 'NOTHING OF nvJPEG WAS RUN: it is not built in'
    exit
fi

# by STAGE WORDS: that library did it, by --timings
by() { grep -qE "^$1 .*$2" err; }
differ() { "$mkjpeg" differ "$1" "$2"; }
near() { [ "$(differ "$1" "$2" | cut -d ' ' -f 1)" -le "$3" ]; }

run photo.png gpu.jpg --radius 0 --quality 95 --codec gpu --timings
ok 'a JPEG is written by nvJPEG' by encode nvJPEG
grep '^encode' err
ok 'PNGs are read as by fast' grep -qE '^decode +[0-9.]+ ms +[0-9.]+% +libdeflate' err
head_is_same() { cmp -n 20 fast.jpg gpu.jpg; }
ok 'it begins as those of fast do' head_is_same
no_comment() { ! grep -q emulated gpu.jpg; }
ok 'it has no comment of the encoder' no_comment
run gpu.jpg o.png --radius 0 --codec gpu --timings
ok 'a JPEG is read by nvJPEG' by decode nvJPEG
run gpu.jpg o.png --radius 2 --codec gpu --device cpu --timings
ok '--device cpu blurs on the CPU alone' by device cpu
ok 'and still reads by nvJPEG' by decode nvJPEG
refused 'a device that is not there' 1 'no CUDA device 900' gpu.jpg o.png --radius 1 --codec gpu --device cuda:900
refused 'also for a folder' 1 'CUDA device 900' . o.d --radius 1 --codec gpu --device cuda:900
CUDA_VISIBLE_DEVICES='' EMULATE_DEVICES=0 refused 'no device at all' 1 'CUDA device' gpu.jpg o.png --radius 1 --codec gpu --device cpu

# --- What it leaves, and what is broken -----------------------------------------------------------

as_fast() { # as_fast NAME FILE: the line of fast, or where it does it the picture of fast
    rm -f got.png want.png
    run "$2" got.png --radius 0
    local want=$status
    mv err want.err
    [ "$want" != 0 ] || mv got.png want.png
    run "$2" got.png --radius 0 --codec gpu
    is_alike() { status_is "$want" && cmp want.err err && { [ "$want" != 0 ] || $3 want.png got.png; }; }
    ok "$1: as with fast" is_alike "$1" "$2" "${3:-same}" # its arguments, as it sees them
}
head -c 400 gpu.jpg > cut.jpg
as_fast 'a file that is cut off' cut.jpg
cp gpu.jpg more.jpg && head -c 100 /dev/zero >> more.jpg
run more.jpg o.png --radius 0 --codec gpu --timings
ok 'what follows the end does not matter' by decode nvJPEG
{ head -c 20 gpu.jpg; printf '\0\0'; tail -c +21 gpu.jpg; } > loose.jpg
as_fast 'bytes between segments' loose.jpg
run loose.jpg o.png --radius 0 --codec gpu --timings
not_by_nvjpeg() { ! by decode nvJPEG; }
ok 'bytes between segments: not by nvJPEG' not_by_nvjpeg
for byte in 2 3 5 25 30; do
    cp gpu.jpg flipped.jpg && "$mkimage" flip flipped.jpg $byte
    as_fast "a bit of byte $byte" flipped.jpg true # quantizers only make other pictures
done
: > empty.jpg
as_fast 'an empty file' empty.jpg
run photo.png o.jpg --radius 0 --codec gpu --max-pixels 100
refused '--max-pixels' 1 'that --max-pixels allows' gpu.jpg o.png --radius 0 --codec gpu --max-pixels 100

# --- Kinds, sizes, quality ------------------------------------------------------------------------

if [ -z "$mkjpeg" ]; then
    skip 'KINDS OF JPEG ARE NOT COMPARED: there is no mkjpeg (libjpeg-turbo)'
else
    for size in '1 1' '17 33' '16 16' '333 251'; do
        for kind in gray 444 422 420 440 restart; do
            # shellcheck disable=SC2086
            "$mkjpeg" $kind "$assets/table.png" $size a.jpg || { echo 'mkjpeg failed'; exit 1; }
            run a.jpg fast.png --radius 0
            run a.jpg gpu.png --radius 0 --codec gpu --timings
            echo "$kind $size: $(differ fast.png gpu.png) (largest difference, PSNR)," \
                "$(grep '^decode' err | sed 's/.*%  //')"
            ok "$kind, $size: as fast reads it, up to $most codes" near fast.png gpu.png "$most"
            [ "$size" = '333 251' ] && ok "$kind, $size: by nvJPEG" by decode nvJPEG
        done
    done
    for kind in progressive cmyk 411; do
        "$mkjpeg" $kind "$assets/table.png" 333 251 a.jpg
        as_fast "$kind" a.jpg
        run a.jpg o.png --radius 0 --codec gpu --timings
        ok "$kind: not by nvJPEG" not_by_nvjpeg
    done
    "$mkjpeg" 420 "$assets/table.png" 512 384 photo.jpg
    run photo.jpg photo.png --radius 1 # not the samples of a JPEG, which pack without loss
    for quality in 30 75 90 95 100; do
        run photo.png fast.jpg --radius 0 --quality $quality
        run photo.png gpu.jpg --radius 0 --quality $quality --codec gpu --timings
        ok "quality $quality: by nvJPEG" by encode nvJPEG
        fast_psnr=$(differ photo.png fast.jpg | cut -d ' ' -f 2) gpu_psnr=$(differ photo.png gpu.jpg | cut -d ' ' -f 2)
        echo "quality $quality: $fast_psnr dB in $(stat -c %s fast.jpg) bytes by fast," \
            "$gpu_psnr dB in $(stat -c %s gpu.jpg) by nvJPEG"
        ok "quality $quality: within 1.5 dB of fast" number_near "$fast_psnr" "$gpu_psnr" 1.5
        ok "quality $quality: within a tenth of its bytes" \
            number_near "$(stat -c %s fast.jpg)" "$(stat -c %s gpu.jpg)" $(($(stat -c %s fast.jpg) / 10))
    done
    for size in '1 1' '3 50' '17 33'; do
        # shellcheck disable=SC2086
        "$mkjpeg" 444 "$assets/table.png" $size a.jpg
        run a.jpg a.png --radius 0
        run a.png fast.jpg --radius 0
        run a.png gpu.jpg --radius 0 --codec gpu --timings
        echo "written, $size: $(differ fast.jpg gpu.jpg), $(grep '^encode' err | sed 's/.*%  //')"
        ok "written, $size: near what fast writes" near fast.jpg gpu.jpg 24
    done

    # A bit of the entropy-coded data may make other samples, or damage that libjpeg-turbo warns of.
    for byte in 2000 4000 6000 8000 10000 12000 14000 16000; do
        cp photo.jpg flipped.jpg && "$mkimage" flip flipped.jpg $byte
        as_fast "a bit of byte $byte, in the samples" flipped.jpg true
    done
    { head -c 9000 photo.jpg; printf '\377\331'; } > half.jpg
    as_fast 'half of the samples, and an end mark' half.jpg
    ok 'half of the samples: a note says so' says 'half.jpg: the JPEG is damaged'
    run half.jpg o.png --radius 0 --codec gpu --timings
    ok 'half of the samples: not by nvJPEG' not_by_nvjpeg

    # Metadata, and a picture that is stored turned: nvJPEG must not turn it.
    turn photo.jpg
    printf 'a remark' | "$mkimage" segment fe photo.jpg
    run photo.jpg fast.jpg --radius 0
    cp err want.err
    run photo.jpg gpu.jpg --radius 0 --codec gpu --timings
    ok 'with metadata: read by nvJPEG' by decode nvJPEG
    ok 'with metadata: written by nvJPEG' by encode nvJPEG
    ok 'a comment is carried over' grep -q 'a remark' gpu.jpg
    first_segments() { head -c "$(LC_ALL=C grep -abo $'\xff\xdb' "$1" | head -n 1 | cut -d : -f 1)" "$1"; }
    same_heads() { cmp <(first_segments fast.jpg) <(first_segments gpu.jpg); }
    ok 'all segments before the tables are those of fast' same_heads
    run photo.jpg fast.png --radius 0
    run photo.jpg gpu.png --radius 0 --codec gpu
    ok 'what EXIF turns' near fast.png gpu.png "$most"
fi

# --- Folders --------------------------------------------------------------------------------------

mkdir in
for i in 1 2 3 4 5 6 7 8 9; do
    make png $((90 + i)) $((150 - i)) 3 8 ramp step.png
    run step.png in/$i.jpg --radius 4
    make png 40 30 1 8 ramp step.png
    run step.png in/${i}_depth.jpg --radius 1
done
run in one --depth-dir in --max-radius 4 --focus 0.5 --codec gpu --jobs 1 --device cpu --report one.jsonl
ok 'a folder, one job' says '9 done, 0 skipped, 0 failed'
run in eight --depth-dir in --max-radius 4 --focus 0.5 --codec gpu --jobs 8 --device cuda --report eight.jsonl
ok 'eight jobs' says '9 done, 0 skipped, 0 failed'
ok 'the same bytes' same_folders one eight
by_report() { [ "$(grep -c "\"$1\": \"nvJPEG" eight.jsonl)" = 9 ]; }
for role in decoder map_decoder encoder; do
    ok "the report names the $role" by_report $role
done
EMULATE_DEVICES=3 run in all --depth-dir in --max-radius 4 --focus 0.5 --codec gpu --jobs 6 --device cuda:all
ok 'all GPUs: the same bytes' same_folders one all
run in fast --depth-dir in --max-radius 4 --focus 0.5 --device cpu
differs() { ! same_folders one fast > /dev/null; }
ok 'fast writes other bytes' differs
run in one --depth-dir in --max-radius 4 --focus 0.5 --codec gpu --device cpu --resume
ok '--resume' says '0 done, 9 skipped'
run in one --depth-dir in --max-radius 4 --focus 0.5 --device cpu --resume
ok '--resume with another codec does all again' says '9 done, 0 skipped'
head -c 500 in/5.jpg > cut && mv cut in/5.jpg
run in broken --depth-dir in --max-radius 4 --device cpu --jobs 3
cp err want.err
run in broken_gpu --depth-dir in --max-radius 4 --codec gpu --device cpu --jobs 3
same_line() { [ "$(grep '5.jpg' want.err)" = "$(grep '5.jpg' err)" ]; }
ok 'one broken picture: the line of fast' same_line
ok 'and the others are done' says '8 done, 0 skipped, 1 failed'

jobs_are() { grep -q "\"jobs\": $(($1 < 18 ? $1 : 18))," jobs.jsonl; } # no more than pictures
run in jobs --radius 3 --codec gpu --device cuda --report jobs.jsonl
ok 'three jobs for each processor' jobs_are $(($(nproc) * 3))
run in jobs --radius 3 --codec gpu --device cpu --report jobs.jsonl
ok 'on the CPU one' jobs_are "$(nproc)"

# --- Pictures that stay on the GPU ----------------------------------------------------------------

if [ -z "$mkjpeg" ]; then
    skip 'PICTURES THAT STAY ON THE GPU ARE NOT COMPARED: there is no mkjpeg (libjpeg-turbo)'
else
    mkdir stay
    run "$assets/table_depth.png" depth.bmp --radius 0 # mkjpeg takes 8-bit RGB
    make png 160 120 3 8 ramp ramp.png
    photo() { "$mkjpeg" "$2" "$assets/table.png" "$3" "$4" "stay/$1.jpg"; } # NAME KIND WIDTH HEIGHT
    map() { "$mkjpeg" "$2" depth.bmp "$3" "$4" "stay/$1_depth.jpg"; }
    for i in 1 2 3; do
        photo $i 420 $((170 + i)) 131 && map $i gray $((170 + i)) 131
    done
    photo png_map 444 160 120 && make png 160 120 1 8 step stay/png_map_depth.png
    photo wide 420 160 120 && "$mkjpeg" gray ramp.png 160 120 stay/wide_depth.jpg # a map without edges
    photo late_map 420 160 120 && map late_map progressive 160 120 # by libjpeg-turbo
    photo turned 420 160 120 && map turned gray 160 120 && turn stay/turned.jpg
    staying=7 # these, and those of other kinds do not:
    photo gray gray 160 120 && map gray gray 160 120
    photo late 'progressive' 160 120 && map late gray 160 120
    photo broken 420 160 120 && map broken gray 160 120 && head -c 1500 stay/broken.jpg > cut && mv cut stay/broken.jpg
    broken=1

    stays 'depth' $staying --depth-dir stay --max-radius 12 --focus 0.5
    cp -r host depth
    through_stay alone --depth-dir stay --max-radius 12 --focus 0.5 --jobs 1 --device cuda
    ok 'one job: as many stay' stayed alone $staying
    ok 'one job: the same bytes' same_folders depth alone
    EMULATE_DEVICES=3 through_stay all --depth-dir stay --max-radius 12 --focus 0.5 --jobs 6 --device cuda:all
    ok 'all GPUs: as many stay' stayed all $staying
    ok 'all GPUs: the same bytes' same_folders depth all
    through_stay verified --depth-dir stay --max-radius 12 --focus 0.5 --verify --jobs 2 --device cuda
    ok '--verify: none stays' stayed verified 0
    ok '--verify: the same bytes' same_folders depth verified
    through_stay cpu --depth-dir stay --max-radius 12 --focus 0.5 --jobs 2 --device cpu
    ok '--device cpu: none stays' stayed cpu 0
    ok '--device cpu: the same bytes' same_folders depth cpu
    stays 'gather, a point in focus' $staying --depth-dir stay --max-radius 12 --method gather --focus-at 100,100
    stays 'spread, holes filled' $staying --depth-dir stay --max-radius 12 --method spread --depth-holes fill
    rm stay/*_depth.*
    stays 'a radius' 7 --radius 7.5
    stays 'equalised' 7 --equalize
    stays 'into PNG' 0 --radius 2 --format png
    "$mkjpeg" gray ramp.png 160 120 radii.jpg
    stays 'radii' 7 --radius-map radii.jpg --max-radius 9
fi

# --- Where the library fails (emulated alone) -----------------------------------------------------

if ! emulated gpu.jpg; then
    skip 'failures of the library: it is the real one'
else
    EMULATE_DECODE=6 run gpu.jpg o.png --radius 0 --codec gpu --timings
    ok 'decoding fails: fast does it' by decode '(libjpeg-turbo|stb)'
    EMULATE_ENCODE=6 run photo.png o.jpg --radius 0 --codec gpu --timings
    ok 'encoding fails: fast does it' by encode '(libjpeg-turbo|stb)'
    EMULATE_DECODE=5 refused 'decoding has no memory' 1 'gpu.jpg: not enough memory of CUDA device 0' gpu.jpg o.png --radius 0 --codec gpu
    EMULATE_ENCODE=5 refused 'encoding has no memory' 1 'o.jpg: not enough memory of CUDA device 0' photo.png o.jpg --radius 0 --codec gpu
    EMULATE_LACKS=2 run gpu.jpg o.png --radius 0 --codec gpu --timings
    ok 'a decoder that the GPU lacks is left out' by decode 'nvJPEG .CPU and GPU.'
    make png 9 9 3 8 ramp tiny.png && run tiny.png tiny.jpg --radius 0
    run tiny.jpg o.png --radius 0 --codec gpu --timings
    ok 'the next decoder takes what the first does not' by decode 'nvJPEG .CPU and GPU.'
    EMULATE_REPORT=memory.txt run in left --depth-dir in --max-radius 4 --codec gpu --jobs 5 --device cpu
    ok 'all memory is given back' all_given_back
    ok 'sixteen connections to the GPU' grep -q '^connections 16 ' memory.txt
    most_memory() { sed 's/.* most \([0-9]*\) .*/\1/' memory.txt; }
    plenty=$(most_memory)
    CUDA_DEVICE_MAX_CONNECTIONS=9 EMULATE_MEMORY=2000000000 EMULATE_REPORT=memory.txt \
        run in few --depth-dir in --max-radius 4 --codec gpu --jobs 5 --device cpu
    ok 'or as the environment says' grep -q '^connections 9 ' memory.txt
    ok 'a GPU of less memory: fewer codecs' test "$(most_memory)" -lt $((plenty / 2))
    ok 'a GPU of less memory: the same bytes' same_folders left few

    # Pictures that stay, on a device that guards and counts its memory, has little of it, or no codec for a picture.
    if [ -n "$mkjpeg" ]; then
        mkdir three
        for i in 1 2 3; do
            "$mkjpeg" 420 "$assets/table.png" $((330 + i)) 251 three/$i.jpg
            "$mkjpeg" gray depth.bmp $((330 + i)) 251 three/${i}_depth.jpg
        done
        of_three() { # OPTIONS...
            rm -rf three_out
            # shellcheck disable=SC2086
            run three three_out --codec gpu --depth-dir three --max-radius 12 $focus --report three.jsonl "$@"
        }
        same_three() { same_folders three_want three_out; }
        focus=''
        of_three --device cpu && cp -r three_out three_want
        EMULATE_GUARDED=1 of_three --device cuda --jobs 1
        ok 'guarded, auto focus: all stay' stayed three 3
        ok 'guarded, auto focus: nobody on the host touches them' same_three
        rm -rf three_want
        focus='--focus 0.9' # auto focus has its counts come to the host
        of_three --device cpu && cp -r three_out three_want
        EMULATE_GUARDED=1 EMULATE_REPORT=memory.txt of_three --device cuda --jobs 1
        ok 'guarded: all stay' stayed three 3
        ok 'guarded: nobody on the host touches them' same_three
        ok 'guarded: no pixels come to the host' down_below 20000 # counts, of 3 x 250,000
        ok 'guarded: none come from there' up_below 200000 # tables, of 3 x 330,000
        ok 'guarded: all memory is given back' all_given_back
        EMULATE_ENCODE=6 of_three --device cpu && rm -rf three_fast && cp -r three_out three_fast
        EMULATE_ENCODE=6 of_three --device cuda --jobs 2
        ok 'no codec for them: they come to the host' stayed three 0
        ok 'no codec for them: the bytes of fast' same_folders three_fast three_out
        EMULATE_ENCODE=5 of_three --device cuda --jobs 2
        ok 'no memory to encode them: they fail' says '0 done, 0 skipped, 3 failed'
        ok 'no memory to encode them: none has stayed' stayed three 0
        EMULATE_MEMORY=2800000 EMULATE_REPORT=memory.txt of_three --jobs 1
        ok 'too little memory for the work: the CPU does it' grep -q 'continuing on the CPU' three.jsonl
        ok 'too little memory for the work: with the same bytes' same_three
        ok 'too little memory for the work: no results come down' down_below 2700000 # they are 750,000
        rm three/*_depth.jpg
        of_these() { rm -rf three_out && run three three_out --codec gpu --radius 2 --report three.jsonl "$@"; }
        of_these --device cpu && rm -rf three_want && cp -r three_out three_want
        for bytes in 1000000 1300000 1600000; do
            EMULATE_MEMORY=$bytes of_these --device cuda --jobs 1
            ok "$bytes bytes of memory: all are done" says '3 done, 0 skipped, 0 failed'
            ok "$bytes bytes of memory: none stays" stayed three 0
            ok "$bytes bytes of memory: the same bytes" same_three
        done
    fi

    # What is kept of small pictures that stayed is memory that larger ones need.
    if [ -n "$mkjpeg" ]; then
        mkdir sizes
        for size in '500 420' '700 500' '704 500'; do
            # shellcheck disable=SC2086
            "$mkjpeg" 420 "$assets/table.png" $size "sizes/${size% *}.jpg"
        done
        of_sizes() { # RADIUS
            rm -rf sizes_out
            run sizes sizes_out --codec gpu --radius "$1" --device cuda --jobs 1 --report sizes.jsonl
        }
        EMULATE_WORKSPACE=6 EMULATE_MEMORY=3375000 of_sizes 2
        ok 'kept memory is given to nvJPEG' says '3 done, 0 skipped, 0 failed'
        EMULATE_MEMORY=2900000 of_sizes 400
        ok 'kept memory is given to the blur' says '3 done, 0 skipped, 0 failed'
    fi

    # Memory that runs out while many pictures are in work: they wait for each other.
    if [ -n "$mkjpeg" ]; then
        mkdir crowd
        for i in 1 2 3 4 5 6 7 8 9; do
            "$mkjpeg" 420 "$assets/table.png" $((115 + i)) 95 crowd/$i.jpg
            "$mkjpeg" gray depth.bmp $((115 + i)) 95 crowd/${i}_depth.jpg
        done
        for i in 3 5 6 7 8; do
            "$mkjpeg" 420 "$assets/table.png" $((200 - i)) 150 crowd/$i.jpg # with a map of another size
        done
        export EMULATE_WORKSPACE=24
        of_crowd() { # OPTIONS...
            rm -rf crowd_out
            run crowd crowd_out --codec gpu --depth-dir crowd --max-radius 8 --focus 0.5 --report crowd.jsonl "$@"
        }
        of_crowd --device cuda --jobs 1 && mv crowd_out crowd_want && mv crowd.jsonl crowd_want.jsonl
        notes() { grep -o '"message": "[^"]*"' "$1" | sort; }
        same_notes() { cmp <(notes crowd_want.jsonl) <(notes crowd.jsonl); }
        for bytes in 3750000 1300000 1000000; do # 1 band a picture, 1 to 2, 1 to 4
            for options in '--device cuda --jobs 8' '--device cuda --jobs 1' '--jobs 3'; do
                # shellcheck disable=SC2086
                EMULATE_MEMORY=$bytes EMULATE_REPORT=memory.txt of_crowd $options
                ok "$bytes bytes for a crowd, $options: all are done" says '9 done, 0 skipped, 0 failed'
                ok "$bytes bytes for a crowd, $options: the same bytes" same_folders crowd_want crowd_out
                ok "$bytes bytes for a crowd, $options: the same notes" same_notes
                ok "$bytes bytes for a crowd, $options: all memory is given back" all_given_back
            done
        done
        EMULATE_MEMORY=250000 of_crowd --device cuda --jobs 8
        ok 'too little for any: all fail' says '0 done, 0 skipped, 9 failed'
        ok 'too little for any: each says why' test "$(grep -c 'memory' crowd.jsonl)" = 9
        unset EMULATE_WORKSPACE
    fi

    # The hardware decoder: the bytes do not depend on its batches, and a picture that it refuses is refused alone.
    mkdir engines && cp in/[1-46-9]*.jpg engines && cp tiny.jpg engines/tiny.jpg && cp in/1_depth.jpg engines/tiny_depth.jpg
    through() { run engines "$1" --depth-dir engines --max-radius 4 --codec gpu --device cpu --jobs "$2" --report "$1.jsonl"; }
    decoded_by() { [ "$(grep -c "\"decoder\": \"$2\"" "$1.jsonl")" = "$3" ]; } # NAME LIBRARY COUNT
    export EMULATE_ENGINES=30 EMULATE_BATCH=batch.txt
    through engines_1 1
    ok 'engines: they decode all but the picture that is too small' decoded_by engines_1 'nvJPEG (engines)' 8
    ok 'engines: that is decoded nevertheless' decoded_by engines_1 'nvJPEG (CPU and GPU)' 1
    ok 'engines: one job, one picture at a time' grep -qx 1 batch.txt
    through engines_8 8
    ok 'engines: eight jobs, several at a time' grep -qx '[2-8]' batch.txt
    ok 'engines: other decoders are made where something is left to them' grep -qx 'decoders 2' batch.txt
    ok 'engines: the same bytes' same_folders engines_1 engines_8
    export EMULATE_REFUSES=93 # the third picture
    through refused_1 1
    through refused_8 8
    ok 'engines refuse one: eight jobs, several at a time' grep -qx '[2-8]' batch.txt
    ok 'engines refuse one: another decoder takes it' decoded_by refused_8 'nvJPEG' 1
    ok 'engines refuse one: and they the others, nevertheless' decoded_by refused_8 'nvJPEG (engines)' 7
    ok 'engines refuse one: the same bytes' same_folders refused_1 refused_8
    other_bytes() { ! cmp -s engines_8/3.jpg refused_8/3.jpg && cmp engines_8/4.jpg refused_8/4.jpg; }
    ok 'engines refuse one: its bytes alone are others' other_bytes
    EMULATE_DECODE=5 refused 'engines without memory' 1 'gpu.jpg: not enough memory of CUDA device 0' gpu.jpg o.png --radius 0 --codec gpu
    EMULATE_REPORT=memory.txt through left_engines 8
    ok 'engines: all memory is given back' all_given_back
    unset EMULATE_REFUSES
    EMULATE_CROWDED=1 run engines crowded --radius 3 --codec gpu --device cuda --jobs 8
    ok 'engines: no memory for a batch, and no picture fails by it' says '18 done, 0 skipped, 0 failed'
    unset EMULATE_ENGINES EMULATE_BATCH
    make png 1600 500 3 8 ramp step.png && run step.png in/large.jpg --radius 2
    cp in/large.jpg in/larger.jpg
    EMULATE_REPORT=memory.txt run in large --radius 1 --codec gpu --jobs 3 --device cpu
    ok 'large pictures are pinned, and no longer at the end' grep -qE ' left 0 pinned [1-9][0-9]* still 0$' memory.txt
fi
