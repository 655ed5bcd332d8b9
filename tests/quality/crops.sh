#!/usr/bin/env bash
# Puts a region of a scene's pictures side by side, for looking at and for the README:
#     tests/quality/crops.sh SCENE X,Y,WIDTH,HEIGHT[,ZOOM] PICTURE.png [NAME...]
# NAMEs are pictures in the scene's folder without ".png": image, truth and the methods' (default:
# image, each method's that is there, truth). --build and --out as in table.sh, which makes them.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build out=$root/build-quality
while [ $# -gt 1 ]; do
    case $1 in
        --build) build=$2 ;;
        --out) out=$2 ;;
        *) break ;;
    esac
    shift 2
done
[ $# -ge 3 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }

folder=$out/$1 region=$2 result=$3
shift 3
[ -f "$folder/truth.png" ] || { echo "crops.sh: no $folder/truth.png; run table.sh" >&2; exit 1; }
case $region in *,*,*,*,*) ;; *) region=$region,1 ;; esac
if [ $# -eq 0 ]; then
    set -- image
    for file in "$folder"/*.png; do
        name=$(basename "$file" .png)
        case $name in
            image | truth | depth | exact | radius_*) ;;
            *) set -- "$@" "$name" ;;
        esac
    done
    set -- "$@" truth
fi
echo "from left to right: $*"
files=()
for name in "$@"; do files+=("$folder/$name.png"); done
"$build/tests/side" "$region" "$result" "${files[@]}"
