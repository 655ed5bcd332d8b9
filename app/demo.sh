#!/usr/bin/env bash
# Installs what is missing, builds, blurs a sample photo by its depth map, and says where the picture is.
# Uses the GPU where there is one. Run it as often as you like.
set -euo pipefail
cd "$(dirname "$0")/.."

tests/packages.sh build
# For every GPU there is takes many minutes to compile; a demonstration needs this machine's, or none.
if nvidia-smi -L >/dev/null 2>&1; then
    gpu=(-DSATB_CUDA=AUTO -DCMAKE_CUDA_ARCHITECTURES=native)
else
    gpu=(-DSATB_CUDA=OFF)
fi
cmake -S . -B build -DBUILD_TESTING=OFF "${gpu[@]}"
cmake --build build --parallel "$(nproc)"
mkdir -p out
build/app/satblur assets/table.png out/table.png --depth assets/table_depth.png --timings
echo
echo "The blurred picture: $PWD/out/table.png (from assets/table.png)"
echo "The program:         $PWD/build/app/satblur --help"
