#!/usr/bin/env bash
# Debian's packages are as Debian wants them: builds them without CUDA, reads their contents and dependencies, runs lintian.
# Takes minutes, so it is no part of ctest. deb.sh [BUILD]: a folder, which is kept
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build-deb}
failed=0
ok() { # ok WHAT COMMAND...
    if "${@:2}"; then echo "ok   $1"; else echo "FAIL $1"; failed=1; fi
}

cmake -S . -B "$build" -DCMAKE_INSTALL_PREFIX=/usr -DSATB_CUDA=OFF -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Release
cmake --build "$build" --parallel "$(nproc)"
rm -f "$build"/*.deb
(cd "$build" && cpack -G DEB)
version=$(sed -nE 's/^#define SATB_VERSION "(.*)"/\1/p' core/include/satblur.h)
library=libsatblur${version%.*}
has() { dpkg-deb --fsys-tarfile "$build/$1_$version"-*.deb | tar -t | grep -E "$2" > "$build/found"; }
field() { dpkg-deb -f "$build/$1_$version"-*.deb Depends | grep -F "$2" > "$build/found"; }
control() { dpkg-deb --ctrl-tarfile "$build/$1_$version"-*.deb | tar -xO "./$2" | grep -F "$3" > "$build/found"; }
ok "satblur has its man page" has satblur 'man1/satblur\.1\.gz$'
ok "satblur depends on what it links" field satblur libdeflate0
ok "$library has its library" has "$library" "libsatblur\.so\.${version%.*}\$"
ok "$library tells dpkg-shlibdeps its name" control "$library" shlibs "libsatblur ${version%.*} $library (>= $version)"
ok "$library refreshes the linker's cache" control "$library" triggers "activate-noawait ldconfig"
ok "libsatblur-dev needs the same version" field libsatblur-dev "$library (= $version-"
ok "libsatblur-dev has satblur.pc" has libsatblur-dev 'pkgconfig/satblur\.pc$'
for package in satblur "$library" libsatblur-dev; do
    ok "$package has its papers" has "$package" "doc/$package/copyright\$"
done
if command -v lintian > "$build/found"; then
    ok "lintian has no complaint" lintian --allow-root --fail-on error,warning "$build"/*.deb
else
    echo "SKIPPED: lintian is missing (Debian: lintian)"
fi
exit $failed
