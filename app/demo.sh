#!/usr/bin/env bash
# Installs what is missing, builds, blurs a sample photo by its depth map, and says where the picture is.
# Uses the GPU where there is one. Run it as often as you like.
set -euo pipefail
cd "$(dirname "$0")/.."

tests/packages.sh build
cmake -S . -B build
cmake --build build --parallel "$(nproc)" --target satblur
mkdir -p out
build/app/satblur assets/desk.png out/desk.png --depth assets/desk_depth.png --timings
echo
echo "The blurred picture: $PWD/out/desk.png (from assets/desk.png)"
echo "The program:         $PWD/build/app/satblur --help"
