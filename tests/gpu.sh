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
tools='memcheck racecheck initcheck synccheck'
passive=OMP_WAIT_POLICY=passive # as check would choose, but without starting itself anew

# note NAME STATUS BEGAN: one line of the summary
note()
{
    summary="$summary$(printf '%-36s rc %-3s %4s s' "$1" "$2" $(($(date +%s) - $3)))
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

# sanitize TOOL: its output and status go to files, since all tools run at once
sanitize()
{
    env $passive timeout -k 10 540 compute-sanitizer --tool "$1" --error-exitcode 9 \
        "$check" --require-cuda --quick >"$build/$1.log" 2>&1
    echo $? >"$build/$1.rc"
}

# judge TOOL BEGAN: a tool that did not look must not pass, so besides the status its summary counts
judge()
{
    printf '\n== %s\n' "$1"
    tail -n 15 "$build/$1.log"
    status=$(cat "$build/$1.rc")
    if [ "$status" -eq 0 ] && ! grep -Eq 'SUMMARY: 0 (errors|hazards)' "$build/$1.log"; then
        echo "$1 has not said that it found nothing"
        status=1
    fi
    note "$1" "$status" "$2"
}

sanitize_all()
{
    if command -v compute-sanitizer >/dev/null; then
        began=$(date +%s)
        for tool in $tools; do
            sanitize $tool &
        done
        wait
        for tool in $tools; do
            judge $tool "$began"
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

# The profiler's counts against the models'. Often it may not count: that is said, and no failure.
profile()
{
    printf '\n== profile\n'
    began=$(date +%s)
    timeout -k 10 120 tests/profile.sh "$satbench" "$build" >"$build/profile.log" 2>&1
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
    step "$case, cuda" 60 "$satblur" "$picture" "$build/$case-cuda.png" \
        --device cuda --verify --timings "$@"
    step "$case, cpu" 60 "$satblur" "$picture" "$build/$case-cpu.png" --device cpu --timings "$@"
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

step configure 120 cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DSATB_CUDA=ON \
    -DCMAKE_CUDA_ARCHITECTURES="$arch" "$@" || finish
step build 300 cmake --build "$build" -j "$jobs" --target check satbench || finish
check=$(program check)
satbench=$(program satbench)

step "check" 240 env $passive "$check" --require-cuda
step "check --large" 600 env $passive "$check" --require-cuda --large
step "textbook figures" 60 "$satbench" --textbook --cuda
profile
step "satbench cuda" 300 "$satbench" --cuda # before the tools that slow everything down
sanitize_all

if cmake --build "$build" --target help | grep -qw satblur; then
    if step "build the program" 300 cmake --build "$build" -j "$jobs"; then
        satblur=$(program satblur)
        blur_all
        step "folders" 120 tests/cli_batch_gpu.sh "$satblur" "$(program mkimage)"
        # What does not need the GPU is quick without it: a start of CUDA costs more than a test.
        step "ctest without the GPU" 300 env CUDA_VISIBLE_DEVICES= ctest --test-dir "$build" \
            -E '^check' --output-on-failure --no-tests=error
    fi
else
    printf '\n== satblur is not built, its libraries were not found: only the library is checked\n'
    summary="${summary}satblur                              NOT BUILT
"
fi

step "satbench cpu" 180 "$satbench" --cpu --quick --filter 3840x2160 --threads 1,2
finish
