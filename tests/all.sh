#!/usr/bin/env bash
# Installs the missing packages, builds everything, the tools, too, and runs every test. Further arguments go to CMake:
#   tests/all.sh -DSATB_CUDA=OFF
# CUDA code is compiled for this machine's GPU, otherwise for one virtual architecture.
# SATB_BUILD is the build folder (default: build); SATB_SKIP is a pattern of tests to leave out ("check|quality"), and
# SATB_ONLY one of tests to run.
set -euo pipefail
cd "$(dirname "$0")/.."

tests/packages.sh build test
build=${SATB_BUILD:-build}
cmake -S . -B "$build" -DBUILD_TESTING=ON -DSATB_TOOLS=ON -DSATB_CUDA=AUTO "$@" # app/demo.sh may have left OFF there
cmake --build "$build" --parallel "$(nproc)"
ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$(nproc)" -R "^(${SATB_ONLY:-.*})\$" \
    -E "^(${SATB_SKIP:-})\$"
