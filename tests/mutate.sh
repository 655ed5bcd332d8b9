#!/usr/bin/env bash
# Looks for rules that no check holds: changes one operator of a kernels/*/*_rule.h at a time, and lists the mutants that the
# kernels' proof lets live. Some mean the same as the rule, so a person has to look. It fails if most of them live.
# Works on a copy. Takes minutes.    mutate.sh [COUNT [SEED]]
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-20}
RANDOM=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git ls-files -z | tar -c --null -T - | tar -x -C "$work"
cd "$work"

quiet() { "$@" > log 2>&1; }
quiet cmake -S . -B build -DSATB_CUDA=OFF -DSATB_EMULATE=OFF
build() { quiet cmake --build build --parallel "$(nproc)" --target check; }
proof() { quiet timeout 600 build/tests/check --quick; }
build && proof || { tail log; echo "mutate.sh: the rules fail as they are" >&2; exit 1; }

# FILE:LINE:OPERATOR, of no comment and no macro
mutants() {
    grep -nHoE ' (<|<=|>|>=|==|\+|-|\*|&&|\|\||>>) ' kernels/*/*_rule.h |
        while IFS=: read -r file line operator; do
            sed -n "${line}p" "$file" | grep -qE '^ *(/\*|\*|#|//)' || echo "$file:$line:$operator"
        done
}
other() { # other OPERATOR: the one in its place
    case $1 in
    '<') echo '<=' ;; '<=') echo '<' ;; '>') echo '>=' ;; '>=') echo '>' ;; '==') echo '!=' ;; '+') echo '-' ;; '-') echo '+' ;;
    '*') echo '+' ;; '&&') echo '||' ;; '||') echo '\&\&' ;; '>>') echo '<<' ;;
    esac
}
mapfile -t all < <(mutants)
tried=0 lives=0
while [ "$tried" -lt "$count" ]; do
    IFS=: read -r file line operator <<< "${all[$(((RANDOM << 15 | RANDOM) % ${#all[@]}))]}"
    operator=${operator// /}
    cp "$file" rule
    was=$(sed -n "${line}p" "$file")
    sed -i "${line}s, ${operator/\*/\\*} , $(other "$operator") ," "$file"
    tried=$((tried + 1))
    if ! build; then
        tried=$((tried - 1)) # no program at all
    elif proof; then
        lives=$((lives + 1))
        printf 'lives: %s:%s\n  %s\n  %s\n' "$file" "$line" "$was" "$(sed -n "${line}p" "$file")"
    fi
    cp rule "$file"
done
echo "$lives of $tried mutants live"
[ $((lives * 2)) -lt "$tried" ]
