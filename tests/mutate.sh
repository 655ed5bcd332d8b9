#!/usr/bin/env bash
# Looks for code that no test of its room holds: changes one operator or constant at a time, in turn of a rule of the kernels, of a
# plan and of a bound in a reader of files, and lists the mutants that live. Some mean the same as the code, so a person has to
# look. It fails if most of them live. Works on a copy; readers have sanitizers, which see reads beyond the end. Takes minutes.
#   mutate.sh [COUNT [SEED [FILE...]]]
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-30}
RANDOM=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git ls-files -z | tar -c --null -T - | tar -x -C "$work"
cd "$work"
shopt -s globstar
rules=(kernels/*/*_rule.h)
plans=(core/backend/bands.c core/blur/{dof_slabs,forms}.c core/depth/{dof_plan,focus_grid}.c)
readers=(app/codec/*/*.c app/format/**/*.c app/embedded/*.c app/metadata/*.c)
given=("${@:3}")

quiet() { "$@" > log 2>&1; }
units() { # units FILE: the programs of its room's unit tests, of those that this machine can build
    local tests=(tests/unit/{codec,metadata}/unit_*.c tests/unit/app/unit_embedded.c)
    case $1 in
    kernels/*) tests=(tests/unit/{kernels,core}/unit_*.c) ;;
    core/*) tests=(tests/unit/{core,api}/unit_*.c) ;;
    esac
    basename -s .c "${tests[@]}" | grep -Fxf known
}
has_check() { [[ $1 != app/* ]]; } # whether the kernels' proof is one of its room; the others have sanitizers
folder() { has_check "$1" && echo build || echo build-sanitize; }
build() {
    local targets
    mapfile -t targets < <(has_check "$1" && echo check; units "$1")
    quiet cmake --build "$(folder "$1")" --parallel "$(nproc)" --target "${targets[@]}"
}
proof() {
    { ! has_check "$1" || quiet timeout 600 build/tests/check --quick; } &&
        quiet ctest --test-dir "$(folder "$1")" --stop-on-failure --timeout 120 --parallel "$(nproc)" -R "^($(units "$1" | paste -sd '|'))\$"
}
plain=(-S . -DSATB_CUDA=OFF -DSATB_EMULATE=OFF)
quiet cmake "${plain[@]}" -B build
quiet cmake "${plain[@]}" -B build-sanitize -DSATB_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=None
ctest --test-dir build -N | sed -n 's/.*: \(unit_.*\)/\1/p' > known

# Prints the mutants of files: file, line, the first byte and the one behind, and what replaces them. Comments, texts and macros
# have none. Of a reader, lines that compare have.
mutants() {
    python3 - "$@" << 'PY'
import re, sys
others = dict(zip("< <= > >= == != + - * && || >> <<".split(), "<= < >= > != == - + + || && << >>".split()))
token = re.compile(r"(?<= )(?:[<>]=?|[=!]=|[-+*]|&&|\|\||<<|>>)(?= )|(?<![\w.])\d+(?![\w.])")
hidden = re.compile(r"""/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^ *\#(?:[^\n]*\\\n)*[^\n]*""", re.S | re.M)
for name in sys.argv[1:]:
    code = hidden.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), open(name, encoding="latin-1", newline="").read())
    at = 0
    for number, line in enumerate(code.split("\n"), 1):
        if not name.startswith("app/") or re.search(" [<>]=? ", line):
            for m in token.finditer(line):
                print(name, number, at + m.start(), at + m.end(), others.get(m[0]) or int(m[0]) + 1)
        at += len(line) + 1
PY
}
kinds=(rules plans readers)
[ ${#given[@]} -eq 0 ] || kinds=(given)
declare -A tried=() lives=()
for kind in "${kinds[@]}"; do
    declare -n files=$kind
    mutants "${files[@]}" > "$kind.list"
    { build "${files[0]}" && proof "${files[0]}"; } || { tail log; echo "mutate.sh: the tests fail as they are" >&2; exit 1; }
done

for ((i = 0; i < count; i++)); do
    kind=${kinds[$((i % ${#kinds[@]}))]}
    mapfile -t all < "$kind.list"
    read -r file line begin end new <<< "${all[$(((RANDOM << 15 | RANDOM) % ${#all[@]}))]}"
    cp "$file" old
    { head -c "$begin" old; printf %s "$new"; tail -c "+$((end + 1))" old; } > "$file"
    if build "$file"; then # otherwise it is no program at all
        tried[$kind]=$((${tried[$kind]:-0} + 1))
        if proof "$file"; then
            lives[$kind]=$((${lives[$kind]:-0} + 1))
            printf 'lives: %s:%s\n  %s\n  %s\n' "$file" "$line" "$(sed -n "${line}p" old)" "$(sed -n "${line}p" "$file")"
        fi
    fi
    cp old "$file"
done
most=0
for kind in "${kinds[@]}"; do
    echo "$kind: ${lives[$kind]:-0} of ${tried[$kind]:-0} mutants live"
    most=$((most + 2 * ${lives[$kind]:-0} - ${tried[$kind]:-0}))
done
[ $most -lt 0 ]
