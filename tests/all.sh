#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test. Further arguments go to CMake:
#   tests/all.sh -DSATB_CUDA=OFF
# SATB_BUILD names the build folder (default: build), SATB_SKIP tests that are left out ("check|quality").
set -euo pipefail
cd "$(dirname "$0")/.."

tests/packages.sh build test
build=${SATB_BUILD:-build}
cmake -S . -B "$build" -DBUILD_TESTING=ON -DSATB_CUDA=AUTO "$@" # AUTO: app/demo.sh may have built there
cmake --build "$build" --parallel "$(nproc)"
ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$(nproc)" -E "^(${SATB_SKIP:-})\$"
