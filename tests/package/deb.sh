#!/usr/bin/env bash
# Debian's packages are as Debian wants them: builds them without CUDA, reads their contents and dependencies, runs lintian.
# Then apt installs them in a small new system, where the program runs and the installed example is compiled.
# Takes minutes, so it is no part of ctest. deb.sh [BUILD]: a folder, which is kept. SATB_SUITE is the new system's release.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/package/clean_root.sh
build=${1:-build-deb}
suite=${SATB_SUITE:-$(. /etc/os-release; echo "${VERSION_CODENAME-}")}
failed=0
ok() { # ok WHAT COMMAND...: what it printed is shown where it fails
    if "${@:2}" > "$build/log" 2>&1; then echo "ok   $1"; else echo "FAIL $1"; tail -n 30 "$build/log"; failed=1; fi
}
refused() { ! "$@"; }

page=$PWD/build/page pages=
if [ -e "$page/index.html" ]; then pages=satblur-page; else echo "SKIPPED: satblur-page, as $page is not built (cmake --build build --target page)"; fi
cmake -S . -B "$build" -DCMAKE_INSTALL_PREFIX=/usr -DSATB_CUDA=OFF -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Release -DSATB_PAGE="$page"
cmake --build "$build" --parallel "$(nproc)"
rm -f "$build"/*.deb
(cd "$build" && cpack -G DEB)
version=$(sed -nE 's/^#define SATB_VERSION_(MAJOR|MINOR|PATCH) //p' core/include/satblur.h | paste -sd.)
library=libsatblur${version%.*}
has() { dpkg-deb --fsys-tarfile "$build/$1_$version"-*.deb | tar -t | grep -E "$2"; }
field() { dpkg-deb -f "$build/$1_$version"-*.deb Depends | grep -F "$2"; }
control() { dpkg-deb --ctrl-tarfile "$build/$1_$version"-*.deb | tar -xO "./$2" | grep -F "$3"; }
ok "satblur has its man page" has satblur 'man1/satblur\.1\.gz$'
ok "satblur depends on what it links" field satblur libdeflate0
ok "$library has its library" has "$library" "libsatblur\.so\.${version%.*}\$"
ok "$library tells dpkg-shlibdeps its symbols" control "$library" symbols " satb_dof@SATBLUR_${version%.*} ${version%.*}"
ok "$library refreshes the linker's cache" control "$library" triggers "activate-noawait ldconfig"
ok "libsatblur-dev needs the same version" field libsatblur-dev "$library (= $version-"
ok "libsatblur-dev has satblur.pc" has libsatblur-dev 'pkgconfig/satblur\.pc$'
for package in satblur "$library" libsatblur-dev $pages; do
    ok "$package has its papers" has "$package" "doc/$package/copyright\$"
done
for package in $pages; do
    ok "$package has the page" has "$package" 'satblur/satblur\.html$'
    ok "$package has a line in the menu" has "$package" 'applications/satblur-page\.desktop$'
    ok "$package is for every machine" test -e "$build/${package}_$version-1_all.deb"
done
if command -v lintian > /dev/null; then
    ok "lintian has no complaint" lintian --allow-root --fail-on error,warning "$build"/*.deb
else
    echo "SKIPPED: lintian is missing (Debian: lintian)"
fi

need_roots "the packages are not installed anywhere" $failed
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root" "$root.log"' EXIT
echo "A new system of Debian $suite in $root"
new_root "$suite" "$root"
cp "$build"/*.deb "$root/trial/"
[ -z "$pages" ] || cp "$page/index.html" "$root/trial/page.html"
printf 'P6\n2 1\n255\n\0\0\0\377\377\377' > "$root/trial/in.ppm"
printf 'P6\n2 1\n255\n\274\274\274\274\274\274' > "$root/trial/expected.ppm" # the mean in linear light
blurs() { # blurs COMMAND...: it wrote out.ppm
    rm -f "$root/trial/out.ppm"
    inside "$root" "$@" && cmp "$root/trial/out.ppm" "$root/trial/expected.ppm"
}
whole() { # whole FILE: each library that it links is there
    inside "$root" ldd "$1" > "$root/trial/ldd" && ! grep -F "not found" "$root/trial/ldd"
}
deb() { cd "$root/trial" && echo "./$(basename "$1_$version"-*.deb)"; }
ok "apt installs satblur alone, with what it depends on" get "$root" "$(deb satblur)"
ok "satblur has all its libraries" whole /usr/bin/satblur
ok "satblur says its version" grep -F "satblur $version" <(inside "$root" satblur --version)
ok "satblur blurs a picture" blurs satblur in.ppm out.ppm --radius 1
for format in png jpg tiff webp heic avif jxl exr; do
    ok "satblur writes and reads $format" inside "$root" sh -c \
        "satblur in.ppm blurred.$format --radius 1 && satblur blurred.$format again.$format --radius 1"
done
cp "$root/trial/in.ppm" "$root/trial/frame0.ppm"
ok "satblur writes and reads a video" inside "$root" sh -c \
    "satblur frame%01d.ppm out.mp4 --radius 1 && satblur out.mp4 again.mkv --radius 1"
for package in $pages; do
    ok "apt installs $package" get "$root" "$(deb "$package")"
    ok "the menu starts a file that is there" inside "$root" sh -c \
        'cmp "$(sed -n "s/^Exec=xdg-open //p" /usr/share/applications/satblur-page.desktop)" page.html'
done
ok "apt refuses libsatblur-dev without its library" refused get "$root" "$(deb libsatblur-dev)"
ok "apt installs libsatblur-dev with its library" get "$root" "$(deb "$library")" "$(deb libsatblur-dev)"
ok "apt installs a compiler" get "$root" gcc libc6-dev pkg-config
ok "pkg-config says the version" grep -Fx "$version" <(inside "$root" pkg-config --modversion satblur)
for kind in shared static; do
    flags='$(pkg-config --cflags --libs satblur)'
    [ $kind = shared ] || flags='$(pkg-config --cflags --libs --static satblur | sed s/-lsatblur/-l:libsatblur.a/)'
    ok "the installed example is compiled, $kind" inside "$root" \
        sh -c "gcc -Wall -Werror /usr/share/doc/libsatblur-dev/examples/box.c $flags -o box"
    ok "the installed example blurs, $kind" blurs sh -c './box 1 < in.ppm > out.ppm'
done
ok "apt removes all" inside "$root" apt-get purge -y -qq satblur "$library" libsatblur-dev $pages
ok "nothing is left" refused grep -q . <(inside "$root" find /usr /etc /var/lib/dpkg/info -name '*satblur*' ! -path '/etc/apt/*')
exit $failed
