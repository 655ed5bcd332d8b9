#!/usr/bin/env bash
# Installs what is missing, builds, blurs a sample photo by its depth map, and says where the picture is.
# Uses the GPU where there is one. Run it as often as you like.
set -euo pipefail
cd "$(dirname "$0")/.."

tests/packages.sh build
cmake -S . -B build -DBUILD_TESTING=OFF
cmake --build build --parallel "$(nproc)"
mkdir -p out
build/app/satblur assets/table.png out/table.png --depth assets/table_depth.png --timings
echo
echo "The blurred picture: $PWD/out/table.png (from assets/table.png)"
echo "The program:         $PWD/build/app/satblur --help"
