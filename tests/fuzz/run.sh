#!/usr/bin/env bash
# Runs fuzzers one after the other, for SECONDS each: run.sh BUILD SECONDS [NAME...]
# BUILD comes of    cmake -S . -B BUILD -DCMAKE_C_COMPILER=clang -DSATB_CUDA=OFF -DSATB_FUZZ=ON -DSATB_SANITIZE=address,undefined
# New inputs go to BUILD/corpus/NAME, and crashing ones to BUILD/found. Each fuzzer prints a line with its result.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1") seconds=$2
shift 2
[ $# -gt 0 ] || set -- arrays args decode embedded entropy heif jpeg lists operations
export OMP_WAIT_POLICY=passive LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$here/../leaks.supp}
failed=0
mkdir -p "$build/found"
for name in "$@"; do
    mkdir -p "$build/corpus/$name"
    nice -n 19 "$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
        -malloc_limit_mb=256 -max_len=8192 -print_final_stats=1 -artifact_prefix="$build/found/$name-" \
        "$build/corpus/$name" "$here/corpus/$name" > "$build/found/$name.log" 2>&1
    status=$?
    [ $status = 0 ] || failed=1
    echo "$name: status $status, $(grep -oE 'number_of_executed_units: [0-9]+' "$build/found/$name.log" | grep -oE '[0-9]+$') executions," \
        "$(ls "$build/corpus/$name" | wc -l) inputs kept"
done
exit $failed
