#!/bin/bash
# Folders on GPUs: workers that share them, and the CPU's bits. SATBLUR has a GPU, real or emulated.
#   cli_batch_gpu.sh SATBLUR MKIMAGE
. "$(dirname "$0")/../cli_case.sh"

mkdir in
for i in 1 2 3 4 5 6 7 8 9; do
    make png $((30 + i)) $((50 - i)) 3 8 noise:$i in/$i.png
    make png 30 40 1 8 ramp in/${i}_depth.png
done

run in cpu --depth-dir in --max-radius 4 --focus 0.5 --device cpu
ok 'on the CPU' says '9 done, 0 skipped, 0 failed'
run in gpu --depth-dir in --max-radius 4 --focus 0.5 --device cuda --jobs 7 --report gpu.jsonl
ok 'on the GPU' says '9 done, 0 skipped, 0 failed'
ok 'on the GPU: the same bytes' same_folders cpu gpu
ok 'on the GPU: the report says so' test "$(grep -c '"device": "cuda:0' gpu.jsonl)" = 9
EMULATE_DEVICES=3 run in all --depth-dir in --max-radius 4 --focus 0.5 --device cuda:all --jobs 6 --report all.jsonl
ok 'on all GPUs: the same bytes' same_folders cpu all
devices() { grep -o '"device": "cuda:[0-9]*' all.jsonl | sort -u | wc -l; }
if [ "$(EMULATE_DEVICES=3 "$satblur" in/1.png o.png --radius 1 --device cuda:2 2>&1)" = '' ]; then
    ok 'on all GPUs: all three of them' test "$(devices)" = 3
else
    skip 'on all GPUs: there are no three of them'
fi
jobs_are() { grep -q "\"jobs\": $(($1 < 18 ? $1 : 18))," jobs.jsonl; } # no more than pictures
run in jobs --radius 3 --device cuda --report jobs.jsonl
ok 'half as many jobs again as processors' jobs_are $(($(nproc) * 3 / 2))
run in jobs --radius 3 --device cpu --report jobs.jsonl
ok 'on the CPU as many' jobs_are "$(nproc)"
CUDA_VISIBLE_DEVICES='' EMULATE_DEVICES=0 run in jobs --radius 3 --report jobs.jsonl
ok 'auto, and there is no GPU: as many' jobs_are "$(nproc)"
run in auto --radius 3 --jobs 3
ok 'auto takes the GPU' says '18 done'
run in cpu_box --radius 3 --jobs 3 --device cpu
ok 'auto: the same bytes' same_folders cpu_box auto
run in/1.png one.png --radius 3 --timings
ok 'auto: one small picture is not worth starting the GPU' says '^device  *cpu, .* (auto: about '
run in/1.png gpu.png --radius 3 --timings --device cuda
ok 'one picture on the GPU' says '^device  *cuda:0'
ok 'one picture: the same bytes' cmp one.png gpu.png
make png 1300 1200 4 16 const:9 large.png && make png 1300 1200 1 8 const:9 flat.png
run large.png o.png --depth flat.png --max-radius 300 --threads 1 --timings
ok 'auto: one large picture is' says '^device  *cuda:0'
run in verified --radius 3 --jobs 3 --verify
ok '--verify of a folder' says '18 done, 0 skipped, 0 failed'
EMULATE_REPORT=books run in waits --radius 3 --device cuda --jobs 1
if [ -s books ]; then
    ok 'one job waits awake for the GPU' grep -q ' asleep 0 ' books
    EMULATE_REPORT=books run in waits --radius 3 --device cuda --jobs 4
    ok 'several wait asleep' grep -q ' asleep [1-9]' books
    make png 1600 600 3 8 ramp large.png
    mkdir many && for i in 1 2 3 4 5 6 7; do cp large.png "many/$i.png"; done
    EMULATE_REPORT=books run many pinned --radius 1 --device cuda --jobs 2
    ok 'large pictures are pinned, and no longer at the end' grep -qE ' left 0 pinned [1-9][0-9]* still 0$' books
    EMULATE_REPORT=books run many pinned_cpu --radius 1 --device cpu --jobs 2
    ok 'for the CPU none is' grep -qE ' pinned 0 still 0$' books

    # Contexts that together take more memory than there is
    mkdir crowd
    for i in 1 2 3 4 5 6 7 8; do
        make png $((110 + i)) 94 3 8 noise:$i crowd/$i.png
        make png $((110 + i)) 94 1 8 ramp crowd/${i}_depth.png
    done
    of_crowd() { # OPTIONS...
        rm -rf crowd_out
        run crowd crowd_out --depth-dir crowd --max-radius 8 --focus 0.5 --report crowd.jsonl "$@"
    }
    of_crowd --device cpu && mv crowd_out crowd_want
    by_cpu() { [ "$(grep -c '"device": "cpu' crowd.jsonl)" = "$1" ]; }
    for bytes in 6000000 3300000; do
        for options in '--device cuda' ''; do
            # shellcheck disable=SC2086
            EMULATE_MEMORY=$bytes of_crowd --jobs 8 $options
            ok "$bytes bytes for a crowd, '$options': all are done" says '8 done, 0 skipped, 0 failed'
            ok "$bytes bytes for a crowd, '$options': the same bytes" same_folders crowd_want crowd_out
            ok "$bytes bytes for a crowd, '$options': by the GPU" by_cpu 0
        done
    done
    EMULATE_MEMORY=500000 of_crowd --jobs 8
    ok 'too little for any: the CPU does them' by_cpu 8
    ok 'too little for any: the same bytes' same_folders crowd_want crowd_out
    EMULATE_MEMORY=500000 of_crowd --jobs 8 --device cuda
    ok 'too little for any, and the GPU was asked for: all fail' says '0 done, 0 skipped, 8 failed'

    # A device that goes away in the middle of a folder. The first calls open it.
    goes() { # goes CALLS OPTIONS...
        EMULATE_LIVES=$1 of_crowd "${@:2}"
    }
    for calls in 0 40 250 400; do
        goes $calls --jobs 2
        ok "a device that goes after $calls calls: all are done" says '8 done, 0 skipped, 0 failed'
        ok "a device that goes after $calls calls: the same bytes" same_folders crowd_want crowd_out
    done
    goes 250 --jobs 2 --device cuda
    made=$(find crowd_out -name '*.png' | wc -l)
    all_are_whole() { [ "$made" -gt 0 ] && for file in crowd_out/*.png; do cmp "$file" "crowd_want/${file#*/}" || return 1; done; }
    ok 'the GPU was asked for, and goes: what was made is whole' all_are_whole
    ok 'the GPU was asked for, and goes: the others fail' says "$made done, 0 skipped, $((8 - made)) failed"
    ok 'the GPU was asked for, and goes: a line for each' test "$(grep -c 'unknown error' err)" = $((8 - made))
fi
make png 300 200 3 8 noise:4 picture.png && make png 300 200 1 8 noise:5 map.png
run picture.png one_cpu.png --depth map.png --max-radius 6 --device cpu
run picture.png one_gpu.png --depth map.png --max-radius 6 --device cuda
ok 'a map of the same size: the same bytes' cmp one_cpu.png one_gpu.png
EMULATE_UNPINNED=1 run picture.png one_gpu.png --depth map.png --max-radius 6 --device cuda
ok 'no memory can be pinned: the same bytes' cmp one_cpu.png one_gpu.png
run in resumed --depth-dir in --max-radius 4 --device cpu
run in resumed --depth-dir in --max-radius 4 --device cuda --resume
ok '--resume on another device' says '0 done, 9 skipped'
