#!/usr/bin/env bash
# Installs the packages of the groups that are named, where they are missing: tests/packages.sh build [page] [test]
# Works on Debian and its relatives, as root or with sudo. Needs no network when all are installed.
set -euo pipefail

packages=()
for kind in "$@"; do
    case $kind in
    build)
        packages+=(gcc libc6-dev make cmake $(sed -nE 's/^ *(set\()?DEBIAN ([^)]*).*/\2/p' \
            "$(dirname "$0")/../app/CMakeLists.txt" "$(dirname "$0")/../app/optional.cmake"))
        # The CUDA compiler works through g++.
        if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then packages+=(g++); fi
        ;;
    page) packages+=(emscripten bzip2 nodejs python3 chromium-driver firefox-esr python3-websocket) ;;
    test) packages+=(g++ libcmocka-dev libheif-examples libjxl-tools libimage-exiftool-perl libgegl-dev pkgconf gegl) ;;
    *) echo "packages.sh: no group '$kind' (build, page, test)" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null; then
    echo "packages.sh: this is no Debian system; install: ${packages[*]}" >&2
    exit 0
fi
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

run=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
        { echo "packages.sh: packages are missing and there is no sudo; install as root: ${missing[*]}" >&2; exit 1; }
    run=(sudo)
fi
echo "Installing: ${missing[*]}"
"${run[@]}" apt-get update -qq
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
