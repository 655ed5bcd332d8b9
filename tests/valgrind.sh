#!/usr/bin/env bash
# Runs the command line tests with the program under valgrind, which sees reads of memory that nothing was written to,
# also in the libraries' code; the sanitizers see ours alone, and do not see those.
#   tests/valgrind.sh BUILD [TEST...]      tests: cli cli_files cli_batch cli_resume cli_metadata cli_stats; Debian: valgrind
# BUILD is an ordinary one, by -DCMAKE_BUILD_TYPE=RelWithDebInfo for line numbers. The tests' verdicts do not count here:
# some limit memory or time, and valgrind fails under these limits.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- cli cli_files cli_batch cli_resume cli_metadata cli_stats
export OMP_WAIT_POLICY=passive # otherwise the program starts itself again with it, and without valgrind
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The address sanitizer finds leaks: leaks.supp lists the memory that libgomp and fontconfig keep.
started() { # started PROGRAM: a program that starts it under valgrind
    printf '#!/bin/sh\necho >> %s/started\nexec valgrind -q --log-file=%s/found-%%p %s "$@"\n' \
        "$work" "$work" "$1" > "$work/program"
    chmod +x "$work/program"
}

# Something that must be found: otherwise a clean run says nothing.
echo 'int main(int argc, char **argv) { int a[2]; a[0] = argc; return a[argc] == 1 && argv; }' > "$work/stray.c"
cc -O0 "$work/stray.c" -o "$work/stray" 2> "$work/cc"
started "$work/stray"
"$work/program" || true
grep -qs 'uninitialised' "$work"/found-* || { echo "valgrind.sh: what is wrong on purpose is not found" >&2; exit 1; }
rm "$work"/found-* "$work/started"

started "$build/app/satblur"
for test in "$@"; do
    begin=$SECONDS
    result=$("$(find "$here/cli" -name "$test.sh")" "$work/program" "$build/tests/mkimage" "$here/../assets" 2> "$work/err" | tail -n 1) || true
    echo "$test: $result, $((SECONDS - begin)) s"
done
find "$work" -name 'found-*' -size 0 -delete
echo "$(wc -l < "$work/started") runs, $(find "$work" -name 'found-*' | wc -l) with findings"
if [ -n "$(find "$work" -name 'found-*')" ]; then
    cat "$work"/found-* | head -n 200
    exit 1
fi
