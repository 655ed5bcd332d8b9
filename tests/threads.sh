#!/usr/bin/env bash
# Looks for data races: builds the library, the kernels' proof and the program with ThreadSanitizer, and runs what has
# threads. The tests' verdicts on the program do not count here.
#   tests/threads.sh [BUILD [PART]]      Debian: what tests/packages.sh build test installs
# PART is one of the kernels' proof, as 0/2: then only it and the pool are built and run.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build-threads} part=${2:-}
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSATB_CUDA=OFF -DSATB_SANITIZE=thread
units=(unit_pool unit_api_open unit_api_images unit_array unit_stats unit_layers unit_engine_pool unit_throttle unit_codec_fast)
replays=(arrays operations decode jpeg)
programs=(satblur mkimage "${replays[@]/#/replay_}")
[ -z "$part" ] || { units=(unit_pool) programs=(); }
cmake --build "$build" --parallel "$(nproc)" --target check "${units[@]}" "${programs[@]}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 log_path=$work/race exitcode=0"

# Something that must be found: otherwise a clean run says nothing.
cat > "$work/race.c" << 'END'
#include <pthread.h>
static int sum;
static void *add(void *unused)
{
    sum++;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    sum++;
    return pthread_join(thread, 0);
}
END
cc -g -fsanitize=thread "$work/race.c" -o "$work/racing"
"$work/racing"
grep -sq 'data race' "$work"/race.[0-9]* || { echo "threads.sh: a race on purpose is not found" >&2; exit 1; }
rm "$work"/race.[0-9]*

"$build/tests/check" --quick --part "${part:-0/1}" > "$work/check" 2>&1 || { tail -n 3 "$work/check"; exit 1; }
failed=
for unit in "${units[@]}"; do "$build/tests/$unit" > /dev/null 2>&1 || { echo "threads.sh: $unit fails" >&2; failed=1; }; done
if [ -z "$part" ]; then
    for name in "${replays[@]}"; do "$build/tests/fuzz/replay_$name" "tests/fuzz/corpus/$name.tar" > /dev/null 2>&1; done
    for script in cli_batch cli_resume cli cli_files; do
        "tests/cli/$script.sh" "$build/app/satblur" "$build/tests/mkimage" assets > /dev/null 2>&1 || true
    done
fi
if grep -sl 'data race' "$work"/race.*; then
    cat "$work"/race.*
    echo "threads.sh: data races" >&2
    exit 1
fi
[ -z "$failed" ] || exit 1
echo "no data race"
