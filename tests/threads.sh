#!/usr/bin/env bash
# Looks for data races: builds the library and the program by clang with ThreadSanitizer, and runs what has threads.
# Clang's OpenMP tells the sanitizer (by archer) how threads wait for each other; GCC's does not. The programs' verdicts do
# not count here: that OpenMP fails when a test fills the disk or kills the program.
#   tests/threads.sh [BUILD]      Debian: clang, libomp-dev, and what tests/packages.sh build test installs
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build-threads}
cmake -S . -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSATB_CUDA=OFF \
    -DSATB_SANITIZE=thread
units=(unit_api_open unit_api_images unit_array unit_stats unit_layers unit_engine_pool unit_throttle unit_codec_fast)
replays=(arrays operations decode jpeg)
cmake --build "$build" --parallel "$(nproc)" --target satblur mkimage "${units[@]}" "${replays[@]/#/replay_}"

archer=$(ls /usr/lib/llvm-*/lib/libarcher.so 2> /dev/null | sort -V | tail -n 1 || true)
[ -n "$archer" ] || { echo "threads.sh: libarcher.so not found; every wait of OpenMP would look like a race" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_TOOL_LIBRARIES=$archer OMP_NUM_THREADS=4
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 log_path=$work/race exitcode=0"

# Something that must be found: otherwise a clean run says nothing.
cat > "$work/race.c" << 'END'
int main(void)
{
    int sum = 0;
#pragma omp parallel for
    for (int i = 0; i < 100000; i++)
        sum += i;
    return sum == 1;
}
END
clang -g -fsanitize=thread -fopenmp "$work/race.c" -o "$work/racing"
"$work/racing"
grep -sq 'data race' "$work"/race.[0-9]* || { echo "threads.sh: a race on purpose is not found" >&2; exit 1; }
rm "$work"/race.[0-9]*

for unit in "${units[@]}"; do "$build/tests/$unit" > /dev/null 2>&1 || echo "threads.sh: $unit fails"; done
for name in "${replays[@]}"; do "$build/tests/fuzz/replay_$name" "tests/fuzz/corpus/$name.tar" > /dev/null 2>&1; done
tests/cli/cli_batch.sh "$build/app/satblur" "$build/tests/mkimage" > /dev/null 2>&1 || true
tests/cli/cli_resume.sh "$build/app/satblur" "$build/tests/mkimage" > /dev/null 2>&1 || true
tests/cli/cli.sh "$build/app/satblur" "$build/tests/mkimage" assets > /dev/null 2>&1 || true
tests/cli/cli_files.sh "$build/app/satblur" "$build/tests/mkimage" > /dev/null 2>&1 || true
if grep -sl 'data race' "$work"/race.*; then
    cat "$work"/race.*
    echo "threads.sh: data races" >&2
    exit 1
fi
echo "no data race"
