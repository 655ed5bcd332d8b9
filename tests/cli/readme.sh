#!/usr/bin/env bash
# The READMEs are true: every option that they name exists, every file that they link to does, and the example of the
# top README compiles, runs, and blurs. readme.sh SATBLUR LIBRARY_FOLDER INCLUDE_FOLDER
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
satblur=$(realpath "$1") library=$(realpath "$2") headers=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
ok() { # ok WHAT COMMAND...
    if "${@:2}" > "$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        echo "FAIL $1"; cat "$work/log"; failed=$((failed + 1))
    fi
}

"$satblur" --help=all > "$work/help"
for option in $(grep -ohE -e '--[a-z][a-z-]+' "$root/README.md" "$root/app/README.md" | sort -u); do
    case $option in
    --build | --parallel | --install | --prefix | --wrap | --array) continue ;; # of cmake and sbatch
    esac
    ok "$option exists" grep -qE -e "(^|[^a-z-])$option([^a-z-]|\$)" "$work/help"
done
for readme in README.md app core kernels tests tests/bench tests/quality assets; do
    [ -d "$root/$readme" ] && readme=$readme/README.md
    for target in $(grep -oE '\]\([^)#:]+\)' "$root/$readme" | sed -E 's/^\]\(|\)$//g'); do
        ok "$readme links to $target" test -e "$root/$(dirname "$readme")/$target"
    done
done
ok "the README fits 250 lines" test "$(wc -l < "$root/README.md")" -le 250

sed -n '/^```c$/,/^```$/p' "$root/README.md" | sed '/^```/d' > "$work/example.c"
ok "the example compiles" cc -std=c17 -Wall -Wextra -Werror -I"$headers" "$work/example.c" -L"$library" -lsatblur -o "$work/example"
run_example() {
    LD_LIBRARY_PATH=$library "$work/example" > "$work/example.txt"
}
ok "the example runs" run_example
ok "the example blurs" grep -qE 'focus 0\.[0-9]+, radii up to [1-9]' "$work/example.txt"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 20 ]
