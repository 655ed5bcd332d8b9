#!/usr/bin/env bash
# pip builds and installs the source distribution with nothing but what its page names, in small new systems with the oldest
# and the newest Python. Then wheels.sh makes a wheel, which is used in new systems that lack its libraries, if it is for their
# Python. The package's tests run in each.
# Takes many minutes, so it is no part of ctest. python.sh; SATB_SUITES are the systems' releases, "" for the wheel alone.
# SATB_WHEELS is a folder with wheels that were made before.
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
    cp "$sdist" "$root/trial/"
    ok "$1: pip builds and installs it" in_venv pip install "./$(basename "$sdist")"
    tested "$@"
    rm -rf --one-file-system "$root"
}
inside_has() { [ "$1" = bullseye ] || echo "libstb-dev libspng-dev libturbojpeg0-dev libtiff-dev libwebp-dev"; }

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q build
ok "a source distribution is made" "$work/venv/bin/python" -m build --sdist core/python -o "$work"
sdist=$(echo "$work"/satblur-*.tar.gz)
for suite in ${SATB_SUITES-bullseye trixie}; do
    # Debian 11 has no libspng, so the package has no program there.
    case $suite in bullseye) built_in bullseye -k 'not (program or looks or doubts or licences or grain)' ;; *) built_in "$suite" ;; esac
done

wheels=${SATB_WHEELS:-$work/wheels}
[ -n "${SATB_WHEELS-}" ] || ok "wheels.sh makes a wheel" core/python/wheels.sh "$wheels"
for wheel in "$wheels"/*.whl; do
    ok "$(basename "$wheel") has less than 6 MB" test "$(stat -c %s "$wheel")" -lt 6000000
done
used_in() { # used_in SUITE
    new_venv "$1"
    local tag
    tag=$(inside "$root" venv/bin/python -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
    if ! compgen -G "$wheels/*-$tag-*.whl" > /dev/null; then echo "SKIPPED: there is no wheel for the Python of Debian $1"; return; fi
    copy_source "$root/trial/source"
    cp "$wheels"/*.whl "$root/trial/"
    ok "$1: pip installs the wheel" in_venv pip install --no-index --find-links . satblur
    ok "$1: nothing of it is under the LGPL or the GPL" in_venv python -c \
        'import satblur; found = satblur.licences(); assert "tiff" in str(found) and "GPL" not in str(found), found'
    for format in png jpg tiff webp; do
        printf 'P6\n2 1\n255\n\0\0\0\377\377\377' > "$root/trial/in.ppm"
        ok "$1: the wheel's program writes and reads $format" inside "$root" sh -c \
            "venv/bin/satblur in.ppm out.$format --radius 1 && venv/bin/satblur out.$format again.ppm --radius 1"
    done
    tested "$1"
    rm -rf --one-file-system "$root"
}
for suite in bookworm trixie; do used_in "$suite"; done
exit $failed
