#!/bin/sh
# The proof on a GPU machine, in one command: builds, compares every kernel with the CPU, runs the
# sanitizers, the program itself where its libraries are, and the benchmark.
#
# usage: tests/gpu.sh [arguments for CMake...]
#
# Needs CMake, a C and C++ compiler and the CUDA Toolkit; stb, libdeflate, libspng and cmocka only for the
# program and the unit tests (-DCMAKE_PREFIX_PATH=... where they are elsewhere).
#   SATB_ARCH=90          the GPU's architecture
#   SATB_BUILD=build-gpu  where to build
#   SATB_NO_SANITIZER=1   do not insist on compute-sanitizer
set -u
cd "$(dirname "$0")/.." || exit 1

arch=${SATB_ARCH:-90}
build=${SATB_BUILD:-build-gpu}
jobs=$(nproc)
failed=0
summary=

command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin
export PATH
# Several processes share the long checks, at most four: some groups compare on the CPU alone, and a part that has no
# other group of a primitive fails.
check_parts=4
tools='memcheck:1 racecheck:4 synccheck:1'
last_tools='initcheck:4' # beside others it takes ten times as long
largest='sort compact box sat' # of 24 to 58 GB on the GPU, one at a time
large='scan histogram equalize blur' # up to 20, beside them
huge=reduce # the textbook's copies make 90
passive=OMP_WAIT_POLICY=passive # as check would choose, but without starting itself anew
gpus=$(nvidia-smi -L | grep -c ^GPU)
gpu=0 # of the next check: they take turns
[ "$gpus" -gt 0 ] || {
    echo "gpu.sh: this machine has no GPU that nvidia-smi lists" >&2
    exit 1
}

# note NAME STATUS BEGAN [ENDED]: one line of the summary
note()
{
    summary="$summary$(printf '%-36s rc %-3s %4s s' "$1" "$2" $((${4:-$(date +%s)} - $3)))
"
    [ "$2" -eq 0 ] || failed=1
}

# step NAME LIMIT_S COMMAND...: runs it and remembers how it ended; 124 is a timeout
step()
{
    name=$1
    limit=$2
    shift 2
    printf '\n== %s: %s\n' "$name" "$*"
    began=$(date +%s)
    timeout -k 10 "$limit" "$@"
    status=$?
    note "$name" $status "$began"
    return $status
}

finish()
{
    printf '\n== summary: commit %s, %s\n%s' "$(git rev-parse --short HEAD 2>/dev/null)" \
        "$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)" "$summary"
    if [ $failed -eq 0 ]; then echo "all passed"; else echo "FAILED"; fi
    exit $failed
}

# program NAME: where the build has put it
program()
{
    find "$build" -type f -perm -u+x -name "$1" | head -n 1
}

# start NAME LIMIT_S COMMAND...: like step, but beside others; prints a line at its end, in case the machine goes before
# judge NAME prints the verdict
start()
{
    name=$1
    limit=$2
    shift 2
    gpu=$(((gpu + 1) % gpus))
    {
        began=$(date +%s)
        env $passive CUDA_VISIBLE_DEVICES=$gpu timeout -k 10 "$limit" "$@" >"$build/$name.log" 2>&1
        echo "$? $began $(date +%s)" >"$build/$name.rc"
        read -r status began ended <"$build/$name.rc"
        echo "== $name has ended: rc $status, $((ended - began)) s: $(tail -n 1 "$build/$name.log")"
    } &
}

# judge NAME [LINE]: LINE must be in its output, too, so that a tool that checked nothing fails
judge()
{
    status=1 began=0 ended=0
    [ -s "$build/$1.rc" ] && read -r status began ended <"$build/$1.rc"
    printf '\n== %s\n' "$1"
    tail -n 24 "$build/$1.log"
    if [ "$status" -eq 0 ] && ! grep -Eq "${2:-.}" "$build/$1.log"; then
        echo "$1 has not said that it found nothing"
        status=1
    fi
    note "$1" "$status" "$began" "$ended"
}

# Checks of more than 2^32 elements, GROUP after GROUP.
start_large()
{
    for group in "$@"; do
        start "large-$group" 900 "$check" --require-cuda --large --filter $group.
        wait $!
    done
}

# start_parts NAME COUNT COMMAND...: check by that command, shared by COUNT processes
start_parts()
{
    base=$1
    parts=$2
    shift 2
    for part in $(seq 0 $((parts - 1))); do
        start "$base-$part" 900 "$@" --require-cuda --part "$part/$parts"
    done
}

# judge_parts NAME COUNT LINE: each of them
judge_parts()
{
    for part in $(seq 0 $(($2 - 1))); do
        judge "$1-$part" "$3"
    done
}

# left_out TOOL: bands launch what whole pictures launch; racecheck would take more than half an hour for them
left_out()
{
    [ "$1" != racecheck ] || echo --without blur.bands
}

# start_tools TOOL:PARTS...: checks under compute-sanitizer
start_tools()
{
    for tool in "$@"; do
        start_parts "${tool%:*}" "${tool#*:}" compute-sanitizer --tool "${tool%:*}" \
            --error-exitcode 9 --print-limit 10000 "$check" --quick $(left_out "${tool%:*}")
    done
}

# All proofs run at once; nothing is timed beside them.
prove()
{
    rm -f "$build"/*.rc "$build"/*.log
    if [ "$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits | head -n 1)" -ge 100000 ]; then
        largest="$largest $huge"
        start_large $largest &
        start_large $large &
    else
        summary="${summary}large-$huge                         NOT RUN: this GPU has less than 100 GB
"
        start_large $largest $large & # two at a time leave too little for the rest
    fi
    start_parts check $check_parts "$check"
    # Tests that do not need the GPU run without it, since a start of CUDA takes longer than a test.
    start ctest 540 env CUDA_VISIBLE_DEVICES= ctest --test-dir "$build" -E '^check' --parallel 4 \
        --output-on-failure --no-tests=error
    if command -v compute-sanitizer >/dev/null; then
        start_tools $tools
    fi
    run_program
    wait
    if command -v compute-sanitizer >/dev/null; then
        start_tools $last_tools
        wait
    fi
    judge_parts check $check_parts ' 0 failed, 0 skipped'
    judge ctest '100% tests passed'
    for group in $largest $large; do
        judge "large-$group" ' 0 failed, 0 skipped'
    done
    if command -v compute-sanitizer >/dev/null; then
        for tool in $tools $last_tools; do
            judge_parts "${tool%:*}" "${tool#*:}" 'SUMMARY: 0 (errors|hazards)'
        done
    elif [ "${SATB_NO_SANITIZER:-0}" = 1 ]; then
        printf '\n== NO SANITIZER HAS RUN: compute-sanitizer is absent and SATB_NO_SANITIZER=1\n'
        summary="${summary}sanitizers                           NOT RUN
"
    else
        printf '\n== FAILED: compute-sanitizer is absent (SATB_NO_SANITIZER=1 to go without)\n'
        note "sanitizers: absent" 1 "$(date +%s)"
    fi
}

# The profiler's counts against the models'. Where it may not count, a line says that, and nothing fails.
profile()
{
    printf '\n== profile\n'
    began=$(date +%s)
    timeout -k 10 120 tests/bench/profile.sh "$satbench" "$build" >"$build/profile.log" 2>&1
    status=$?
    cat "$build/profile.log"
    if [ $status -eq 77 ]; then
        summary="${summary}profile: $(grep '^NOT CONFIRMED' "$build/profile.log")
"
    else
        note "profile" $status "$began"
    fi
}

# blur_both NAME PICTURE ARGUMENTS...: on each device, into a file each; both must be the same
blur_both()
{
    case=$1
    picture=$2
    shift 2
    step "$case, cuda" 300 "$satblur" "$picture" "$build/$case-cuda.png" \
        --device cuda --verify --timings "$@"
    step "$case, cpu" 300 "$satblur" "$picture" "$build/$case-cpu.png" --device cpu --timings "$@"
    step "$case, cuda = cpu" 10 cmp "$build/$case-cuda.png" "$build/$case-cpu.png"
}

# Every picture of assets/ by a fixed radius, equalised, and by its depth map where it has one.
blur_all()
{
    for file in assets/*.png; do
        [ -f "$file" ] || continue
        depth=${file%.png}_depth.png
        blur_both "$(basename "$file" .png)-radius" "$file" --radius 7.5
        blur_both "$(basename "$file" .png)-equalize" "$file" --equalize
        [ -f "$depth" ] && blur_both "$(basename "$file" .png)-depth" "$file" --depth "$depth"
    done
}

# A large picture, whole and within MEGABYTES of the GPU's memory: the same file.
blur_in_bands()
{
    megabytes=$1
    shift
    step "whole, $*" 300 "$satblur" "$build/large.png" "$build/whole.ppm" --device cuda --timings "$@" \
        2>"$build/whole.txt"
    step "$megabytes MB, $*" 300 "$satblur" "$build/large.png" "$build/bands.ppm" --device cuda --timings \
        --gpu-memory "${megabytes}M" "$@" 2>"$build/bands.txt"
    cat "$build/whole.txt" "$build/bands.txt"
    step "one band, $*" 10 grep ' 1 band$' "$build/whole.txt"
    step "several, $*" 10 grep ' bands$' "$build/bands.txt"
    step "whole = in bands, $*" 10 cmp "$build/whole.ppm" "$build/bands.ppm"
    rm -f "$build/whole.ppm" "$build/bands.ppm"
}

blur_large()
{
    mkimage=$(program mkimage)
    "$mkimage" png 8192 6000 3 8 noise:7 "$build/large.png"
    "$mkimage" png 2048 1500 1 8 ramp "$build/large_depth.png"
    blur_in_bands 200 --radius 31.5
    blur_in_bands 200 --radius 31.5 --edge mirror
    blur_in_bands 1500 --depth "$build/large_depth.png" --max-radius 40
    blur_in_bands 40 --equalize
    rm -f "$build/large.png" "$build/large_depth.png"
}

# The program itself, on the GPU and on the CPU.
run_program()
{
    satblur=$(program satblur)
    if [ -z "$satblur" ]; then
        printf '\n== satblur is not built, its libraries were not found: only the library is checked\n'
        summary="${summary}satblur                              NOT BUILT
"
        return
    fi
    blur_all
    unit_stream=$(program unit_stream)
    if [ -n "$unit_stream" ]; then
        step "callers' streams" 60 "$unit_stream" --require-cuda
    else
        summary="${summary}unit_stream                          NOT BUILT
"
    fi
    step "folders" 540 tests/cli/gpu/cli_batch_gpu.sh "$satblur" "$(program mkimage)"
    step "codec gpu" 540 tests/cli/gpu/cli_codec_gpu.sh "$satblur" "$(program mkimage)" "$(program mkjpeg)" assets
    step "codec gpu, maps" 540 tests/cli/gpu/cli_codec_gpu_maps.sh "$satblur" "$(program mkimage)" "$(program mkjpeg)" assets
    "$satblur" --version | grep -q nvJPEG || summary="${summary}nvJPEG                               NOT BUILT IN
"
    step "bands" 540 tests/cli/gpu/cli_bands.sh "$satblur" "$(program mkimage)"
    blur_large
}

step configure 120 cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DSATB_CUDA=ON -DSATB_TOOLS=ON \
    -DCMAKE_CUDA_ARCHITECTURES="$arch" "$@" || finish
step build 300 cmake --build "$build" -j "$jobs" || finish
check=$(program check)
satbench=$(program satbench)

step "satbench cuda" 300 "$satbench" --cuda # while nothing else runs
step "textbook figures" 60 "$satbench" --textbook --cuda
profile
prove
finish
