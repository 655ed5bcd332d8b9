#!/usr/bin/env bash
# Puts frames of clips side by side, a row for each folder, for looking at and for pages:
#     tests/quality/sheet.sh COUNT X,Y,WIDTH,HEIGHT[,ZOOM] SHEET.png FOLDER...
# A FOLDER holds PNGs of one size; COUNT of them are taken, from the first to the last, at equal
# distances. Before all: --build DIR, which has tests/side (default: build).
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build
if [ "${1:-}" = --build ]; then build=${2:-}; shift 2; fi
if [ $# -lt 4 ] || ! [[ $1 =~ ^[1-9][0-9]*$ ]]; then
    sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi

count=$1 region=$2 sheet=$3
shift 3
case $region in *,*,*,*,*) ;; *) region=$region,1 ;; esac
words=()
for folder in "$@"; do
    frames=("$folder"/*.png)
    if [ ! -f "${frames[0]}" ] || [ "${#frames[@]}" -lt "$count" ]; then
        echo "sheet.sh: $folder has fewer than $count PNGs; take a smaller COUNT" >&2
        exit 1
    fi
    [ ${#words[@]} -eq 0 ] || words+=(/)
    for ((i = 0; i < count; ++i)); do
        last=$((${#frames[@]} - 1)) steps=$((count > 1 ? count - 1 : 1))
        words+=("${frames[(i * last + steps / 2) / steps]}")
    done
done
"$build/tests/side" "$region" "$sheet" "${words[@]}"
