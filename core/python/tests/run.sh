#!/usr/bin/env bash
# Installs the package into a temporary venv, over a build of the library, and runs its tests. run.sh PYTHON BUILD
# PYTHON has pip, scikit-build-core, nanobind, numpy and pytest; other packages that it has are tested, too.
set -euo pipefail
export XDG_CONFIG_HOME=/dev/null/none # not the configuration of who runs this
python=$1 build=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv --without-pip "$work/venv"
# The venv also sees the packages of PYTHON, which may be in a venv itself.
"$python" -c 'import site, sys; print("\n".join(site.getsitepackages()))' \
    >"$(echo "$work"/venv/lib/python*/site-packages)/outer.pth"
export PYTHONPYCACHEPREFIX=$work/bytecode # most tests start a Python that imports large packages
unset PYTHONDONTWRITEBYTECODE
"$work/venv/bin/python" -m pip install . -q --no-index --no-build-isolation --no-deps --force-reinstall \
    --prefix "$work/venv" -C cmake.define.SATB_BUILD="$build" -C build-dir="$work/build" \
    -C cmake.define.CMAKE_BUILD_TYPE=Release
cd "$work"
"$work/venv/bin/python" -m pytest -q -rs -p no:cacheprovider "$OLDPWD/tests"
