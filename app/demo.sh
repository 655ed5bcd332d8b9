#!/usr/bin/env bash
# Installs the missing packages, builds the program, blurs a sample photo by its depth map, and prints where the picture is.
# Uses the GPU where there is one.
set -euo pipefail
export XDG_CONFIG_HOME=/dev/null/none # not the configuration of who runs this
cd "$(dirname "$0")/.."

tests/packages.sh build
# CUDA code takes longest to compile, and only a machine with a GPU can show it.
cuda=OFF
if nvidia-smi -L >/dev/null 2>&1; then cuda=AUTO; fi
cmake -S . -B build -DBUILD_TESTING=OFF -DSATB_CUDA=$cuda
cmake --build build --parallel "$(nproc)"
mkdir -p out
build/app/satblur assets/table.png out/table.png --depth assets/table_depth.png --timings
echo
echo "The blurred picture: $PWD/out/table.png (from assets/table.png)"
echo "The program:         $PWD/build/app/satblur --help"
