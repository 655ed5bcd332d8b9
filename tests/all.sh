#!/usr/bin/env bash
# Installs the missing packages, builds everything, the tools, too, and runs every test. Further arguments go to CMake:
#   tests/all.sh -DSATB_CUDA=OFF
# CUDA code is compiled for this machine's GPU, otherwise for one virtual architecture.
# SATB_BUILD is the build folder (default: build). SATB_LABELS ("files page") are labels of tests: only these are built and
# run. Tests of the label SATB_WITHOUT are left out.
set -euo pipefail
cd "$(dirname "$0")/.."

tests/packages.sh build test
build=${SATB_BUILD:-build}
read -ra labels <<< "${SATB_LABELS:-}"
targets=() chosen=(${SATB_WITHOUT:+-LE "^$SATB_WITHOUT\$"})
if [ ${#labels[@]} -gt 0 ]; then
    targets=(--target "${labels[@]/#/tests_}")
    chosen+=(-L "^($(IFS='|'; echo "${labels[*]}"))\$")
fi
cmake -S . -B "$build" -DBUILD_TESTING=ON -DSATB_TOOLS=ON -DSATB_CUDA=AUTO "$@" # app/demo.sh may have left OFF there
cmake --build "$build" --parallel "$(nproc)" "${targets[@]}"
# One test more than processors, as some wait. One that hangs is named.
ctest --test-dir "$build" --output-on-failure --no-tests=error --timeout 600 --parallel "$(($(nproc) + 1))" "${chosen[@]}"
