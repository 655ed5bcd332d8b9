#!/usr/bin/env bash
# The same source gives the same bytes: builds the last commit twice without CUDA, from a clone and from an archive, in two
# folders, at two times, in two languages and time zones, and compares what is installed, Debian's packages and the tarballs.
# The second tarball is made in /dev/shm, which lists files in another order, under another umask. Debian's packages have the
# space that folders take in the file system, and files by the umask, so both are made alike.
# Takes minutes, so it is no part of ctest. reproducible.sh [FOLDER]: a folder for the results, which is kept
set -eEuo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work" "$staged"' EXIT
staged=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
results=${1:-$work/results}
failed=0
unset SOURCE_DATE_EPOCH
export CCACHE_DISABLE=1 # it would give both builds the same objects

make_all() { # make_all SOURCE BUILD RESULT STAGED UMASK: the last two are the tarball's
    mkdir -p "$3"
    trap 'tail -n 30 "$2.log"' ERR
    for kind in deb tgz; do
        [ $kind = deb ] && options=(-DSATB_PORTABLE=OFF) || options=(-DSATB_PORTABLE=ON)
        cmake -S "$1" -B "$2" -DCMAKE_INSTALL_PREFIX=/usr -DSATB_CUDA=OFF -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Release \
            "${options[@]}" > "$2.log" 2>&1
        cmake --build "$2" --parallel "$(nproc)" >> "$2.log" 2>&1
        DESTDIR="$3/installed-$kind" cmake --install "$2" >> "$2.log" 2>&1
        [ $kind = deb ] && staged_in=$2/staged || staged_in=$4
        [ $kind = deb ] || umask "$5"
        (cd "$2" && cpack -G ${kind^^} -B "$staged_in") >> "$2.log" 2>&1
        mv "$staged_in"/*.{deb,tar.gz} "$3/" 2> /dev/null || true
    done
}
listed() { (cd "$1" && find . -printf '%P %y %m %l\n' | sort); } # names, kinds, modes, links
same_trees() { diff <(listed "$1") <(listed "$2") && diff -rq --no-dereference "$1" "$2"; }
same() { # same WHAT COMMAND...
    if "${@:2}"; then echo "ok   $1"; else echo "FAIL $1"; failed=1; fi
}

rm -rf "$results"
mkdir -p "$results" "$work/second/another place"
results=$(realpath "$results")
git clone -q --no-hardlinks . "$work/first"
(umask 022; TZ=UTC LC_ALL=C make_all "$work/first" "$work/first/build" "$results/1" "$work/staged" 022)
git -C "$work/first" archive HEAD | tar -x -C "$work/second/another place"
(umask 022; TZ=Asia/Tokyo LC_ALL=C.UTF-8 make_all "$work/second/another place" "$work/second/b" "$results/2" "$staged" 027)

for tree in installed-deb installed-tgz; do
    same "$tree" same_trees "$results/1/$tree" "$results/2/$tree"
done
found=$(cd "$results/1" && ls *.deb *.tar.gz)
[ "$(wc -w <<< "$found")" -eq 4 ] || { echo "FAIL four packages are expected, and there are: $found"; failed=1; }
for package in $found; do
    same "$package" cmp "$results/1/$package" "$results/2/$package"
done
exit $failed
