#!/usr/bin/env bash
# The whole program beside libvips, ffmpeg and GEGL on this machine: peers_process.sh [BUILD [RUNS]]
# A 4K picture with its depth map, PNG to PNG and JPEG to JPEG, every program in turn in every round, medians, and
# ratios to the peer. Uses what is installed (Debian: libvips-tools ffmpeg gegl) and says what is not.
set -euo pipefail
export XDG_CONFIG_HOME=/dev/null/none # not the configuration of who runs this
cd "$(dirname "$0")/../.."
build=$(realpath "${1:-build}") runs=${2:-15}
satblur=$build/app/satblur
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A sample at 4K with some noise, as a camera's picture has it, so that it packs as that does.
assets=$PWD/assets
cd "$work"
command -v ffmpeg >/dev/null || { echo "SKIPPED: ffmpeg, which makes the input, is not installed"; exit 0; }
make() { ffmpeg -v error -y "$@"; }
make -i "$assets/street.png" -vf "scale=3840:2160:flags=lanczos,format=gbrp,noise=alls=6:all_seed=5,format=rgb24" in.png
make -i "$assets/street_depth.png" -vf "scale=3840:2160:flags=bilinear,format=gray" depth.png
make -i in.png -q:v 2 in.jpg
make -i in.png in.ppm
make -i depth.png -vf negate far.png

names=() commands=()
add() { names+=("$1"); commands+=("$2"); }
add "PNG satblur --depth" "$satblur in.png out.png --depth depth.png --quiet --device cpu"
add "PNG satblur --depth, stb" "$satblur in.png out.png --depth depth.png --quiet --device cpu --codec stb"
add "JPEG satblur --radius-map" \
    "$satblur in.jpg out.jpg --radius-map depth.png --max-radius 32 --quiet --device cpu"
add "JPEG satblur --depth" "$satblur in.jpg out.jpg --depth depth.png --quiet --device cpu"
add "JPEG satblur --depth, stb" "$satblur in.jpg out.jpg --depth depth.png --quiet --device cpu --codec stb"
if command -v vips >/dev/null; then
    add "PNG vips gaussblur 8" "vips gaussblur in.png peer.png 8"
else
    echo "SKIPPED vips: not installed"
fi
# In planes of red, green and blue: as it comes, varblur takes a JPEG's colour at half the map's size and strength.
add "JPEG ffmpeg varblur" "ffmpeg -v error -y -i in.jpg -i depth.png -filter_complex [0:v]format=gbrp[a];[1:v]format=gbrp[b];[a][b]varblur=max_r=32,format=yuvj420p -q:v 2 peer.jpg"
# Radii of 32 (1 - q), a disc in linear light for both; and reading and writing alone.
add "PNM satblur --depth" "$satblur in.ppm out.ppm --depth depth.png --focus 1 --max-radius 32 --quiet --device cpu"
add "PNM read and written" "$satblur in.ppm out.ppm --radius 0 --quiet --device cpu"
if command -v gegl >/dev/null; then
    add "PNM gegl lens-blur" "gegl in.ppm -o peer.ppm -- gegl:lens-blur radius=32 aux=[ gegl:load path=far.png ]"
    add "PNM read and written by gegl" "gegl in.ppm -o peer.ppm -- gegl:nop"
else
    echo "SKIPPED gegl: not installed"
fi
export GEGL_THREADS=$(nproc)

for ((round = 0; round <= runs; round++)); do # the first one warms up
    for i in "${!commands[@]}"; do
        read -ra words <<<"${commands[i]}"
        from=$(date +%s%N)
        "${words[@]}" >log 2>&1 || { cat log; exit 1; } # gegl warns of what it leaks
        echo "$round $i $((($(date +%s%N) - from) / 1000))" >>times
    done
done
printf '%s\n' "${names[@]}" >names
echo "satblur $(git -C "$assets" rev-parse --short HEAD), $(nproc) processors, median of $runs rounds"
awk '
    FILENAME == "names" { name[FNR - 1] = $0; count = FNR; next }
    $1 > 0 { t[$2, ++n[$2]] = $3 }
    function median(i,   j, k, x) {
        for (j = 2; j <= n[i]; j++)
            for (k = j; k > 1 && t[i, k] < t[i, k - 1]; k--) { x = t[i, k]; t[i, k] = t[i, k - 1]; t[i, k - 1] = x }
        return t[i, int((n[i] + 1) / 2)]
    }
    END {
        for (i = 0; i < count; i++) m[i] = median(i) / 1000
        for (i = 0; i < count; i++) {
            peer = ""
            for (j = 0; j < count; j++)
                if (name[j] ~ /vips|ffmpeg|lens-blur/ && substr(name[j], 1, 3) == substr(name[i], 1, 3) && i != j && name[i] ~ /satblur/)
                    peer = sprintf("%.2f x %s", m[i] / m[j], substr(name[j], index(name[j], " ") + 1))
            printf "%-29s %8.0f ms  %s\n", name[i], m[i], peer
        }
    }' names times
ls -l in.png out.png in.jpg out.jpg | awk '{ printf "%-8s %.2f MB\n", $NF, $5 / 1e6 }'
