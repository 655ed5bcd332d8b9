#!/usr/bin/env bash
# Who may know whom: app -> core -> kernels, and nothing else. layering.sh [libsatblur.so]
set -euo pipefail
cd "$(dirname "$0")/.."
failed=0 passed=0

# forbid FILES PATTERN WHY: no #include of the files matches.
forbid() {
    local files=("$1"/*.[ch]*) hits
    hits=$(grep -nE "^ *# *include +\"($2)\"" "${files[@]}" || true)
    if [ -n "$hits" ]; then
        echo "FAIL $3:"; echo "$hits"; failed=$((failed + 1))
    else
        echo "ok   $3"; passed=$((passed + 1))
    fi
}

# headers FOLDER EXCEPT: its header names as a regular expression.
headers() { find "$1" -maxdepth 1 -name '*.*h' ! -name "${2:-}" -printf '%f|' | sed 's/|$//; s/\./\\./g'; }

kernels=$(headers kernels) core=$(headers core) app=$(headers app)
forbid app "$kernels" "app includes no header of kernels"
forbid app "$core" "app includes no internal header of core"
forbid core "$app" "core includes no header of app"
forbid kernels "$core|satblur\.h" "kernels include no header of core"
forbid kernels "$app" "kernels include no header of app"

# Every primitive has its contract, its CUDA code and its check beside its CPU code.
for source in kernels/*_cpu.c; do
    name=$(basename "$source" _cpu.c)
    for file in "kernels/$name.h" "kernels/${name}_cuda.cu" "tests/check_$name.c"; do
        if [ -e "$file" ]; then
            passed=$((passed + 1))
        else
            echo "FAIL $source has no $file"; failed=$((failed + 1))
        fi
    done
done

# Host code talks to the GPU in backend_cuda*.[ch] alone, and to nvJPEG in its codec.
hits=$(grep -lE 'cuda_runtime|nvjpeg\.h' app/*.[ch] core/*.[ch] |
    grep -vE '^(core/backend_cuda[a-z_]*|app/codec_nvjpeg[a-z_]*)\.[ch]$' || true)
if [ -n "$hits" ]; then
    echo "FAIL only core/backend_cuda* and app/codec_nvjpeg* include the CUDA runtime: $hits"; failed=$((failed + 1))
else
    echo "ok   only core/backend_cuda* and app/codec_nvjpeg* include the CUDA runtime"; passed=$((passed + 1))
fi

if [ $# -gt 0 ]; then
    symbols=$(nm -D --defined-only "$1" | awk '{ print $3 }')
    foreign=$(grep -v '^satb_' <<<"$symbols" || true)
    if [ -z "$symbols" ] || [ -n "$foreign" ]; then
        echo "FAIL the library exports more than satb_*: ${foreign:-nothing at all}"; failed=$((failed + 1))
    else
        echo "ok   the library exports satb_* alone"; passed=$((passed + 1))
    fi
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
