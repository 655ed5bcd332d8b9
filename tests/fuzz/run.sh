#!/usr/bin/env bash
# Runs fuzzers one after the other, for SECONDS each: run.sh BUILD SECONDS [NAME...]
# BUILD comes of    cmake -S . -B BUILD -DCMAKE_C_COMPILER=clang -DSATB_CUDA=OFF -DSATB_FUZZ=ON -DSATB_SANITIZE=address,undefined
# New inputs go to BUILD/corpus/NAME, and crashing ones to BUILD/found. Each fuzzer prints a line with its result.
# run.sh BUILD merge [NAME...] then adds those that reach new code to corpus/NAME.tar.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1") seconds=$2
shift 2
[ $# -gt 0 ] || set -- $(basename -s .tar -a "$here"/corpus/*.tar)
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$here/../leaks.supp}
failed=0

fuzz() { # fuzz NAME: with the known inputs
    nice -n 19 "$build/tests/fuzz/fuzz_$1" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
        -malloc_limit_mb=256 -max_len=8192 -print_final_stats=1 -artifact_prefix="$build/found/$1-" \
        "$build/corpus/$1" "$build/known/$1" > "$build/found/$1.log" 2>&1
    local status=$?
    echo "$1: status $status, $(grep -oE 'number_of_executed_units: [0-9]+' "$build/found/$1.log" | grep -oE '[0-9]+$') executions," \
        "$(ls "$build/corpus/$1" | wc -l) inputs kept"
    return $status
}

merge() { # merge NAME
    "$build/tests/fuzz/fuzz_$1" -merge=1 "$build/known/$1" "$build/corpus/$1" > "$build/found/$1.log" 2>&1 &&
        "$here/pack.sh" "$build/known/$1" "$here/corpus/$1.tar" && rm -r "$build/corpus/$1"
    local status=$?
    echo "$1: status $status, $(ls "$build/known/$1" | wc -l) inputs"
    return $status
}

for name in "$@"; do
    rm -rf "$build/known/$name"
    mkdir -p "$build/found" "$build/corpus/$name" "$build/known/$name"
    tar -x -f "$here/corpus/$name.tar" -C "$build/known/$name" || exit 1
    case $seconds in
        merge) merge "$name" ;;
        *) fuzz "$name" ;;
    esac || failed=1
done
exit $failed
