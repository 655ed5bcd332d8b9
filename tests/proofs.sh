#!/usr/bin/env bash
# Proves by cbmc, for every input at once, what tests try for some: readers stay within their bytes, and bands and windows
# within the picture. Each function prove_...() in proofs/ is one; its file's first comment has options for cbmc.
#   proofs.sh [FILE...]      files of proofs/; Debian 13: cbmc. CBMC: another program.
set -euo pipefail
cd "$(dirname "$0")/.."
export CBMC=${CBMC:-cbmc}
command -v "$CBMC" > /dev/null || { echo "SKIPPED: nothing is proved (Debian 13: cbmc)"; exit 0; }
[ $# -gt 0 ] || set -- tests/proofs/*.c

prove() { # prove FILE FUNCTION
    local options begin=$SECONDS said
    options=$(sed -n 's/.*cbmc: \(.*\) \*\/$/\1/p' "$1")
    # shellcheck disable=SC2086 # options are words
    if said=$(timeout 600 "$CBMC" --no-malloc-may-fail --pointer-overflow-check --unwinding-assertions $options \
        -I app -I core -I core/include -I kernels -I tests --function "$2" "$1" 2>&1); then
        echo "ok   $1 $2, $((SECONDS - begin)) s"
    else
        echo "FAIL $1 $2, $((SECONDS - begin)) s"; grep FAILURE <<< "$said" || tail -n 3 <<< "$said"; return 1
    fi
}
export -f prove
grep -oE '^void prove_[a-z_]+' "$@" /dev/null | sed 's/:void / /' | xargs -P "$(nproc)" -L 1 bash -c 'prove "$@"' prove
