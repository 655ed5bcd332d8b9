#!/usr/bin/env bash
# Programs of others find the library: installs a build into a temporary folder, moves it, and builds and runs small programs
# by pkg-config and by find_package, in C and C++, shared and static. Checks that exactly the header's functions are exported.
# package.sh BUILD CMAKE CC CXX ("" without C++)
set -euo pipefail
export LC_ALL=C # the order of sort
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1") cmake=$2 cc=$3 cxx=${4-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
ok() { # ok WHAT COMMAND...: what it printed stays in the log
    if "${@:2}" > "$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        echo "FAIL $1"; cat "$work/log"; failed=$((failed + 1))
    fi
}
refused() { ! "$@"; }

"$cmake" --install "$build" --prefix "$work/first" > "$work/install.log" || { cat "$work/install.log"; exit 1; }
mv "$work/first" "$work/moved" # nothing may know the first place
prefix=$work/moved
pc=$(find "$prefix" -name satblur.pc) library=$(find "$prefix" -name libsatblur.so)
version=$(sed -nE 's/^#define SATB_VERSION_(MAJOR|MINOR|PATCH) //p' "$prefix/include/satblur.h" | paste -sd.)
minor=${version%.*}
next=${minor%.*}.$((${minor#*.} + 1))
for file in include/satblur.h share/doc/satblur/LICENSE share/doc/satblur/CHANGELOG.md share/doc/satblur/examples/box.c \
    share/doc/satblur/examples/dof.c share/doc/satblur/examples/dof.cc; do
    ok "$file is installed" test -s "$prefix/$file"
done
if [ -e "$build/app/satblur" ]; then
    for file in bin/satblur share/man/man1/satblur.1 share/bash-completion/completions/satblur \
        share/zsh/site-functions/_satblur share/fish/vendor_completions.d/satblur.fish; do
        ok "$file is installed" test -s "$prefix/$file"
    done
    ok "the program runs where it was moved" "$prefix/bin/satblur" --version
fi
unlisted() { # prints the libraries that the programs link, but for the compiler's, whose packages the list of parts lacks
    local name package
    for name in $(readelf -d "$prefix/bin/satblur" $(find "$prefix" -name satblur-video) |
        sed -nE 's/.*NEEDED.*\[(.*)\]/\1/p' | grep -vE '^(libc|libm|libgcc_s|libstdc\+\+|ld-.*)\.so' | sort -u); do
        package=$(dpkg -S "*/$name" | cut -d : -f 1) && [ -n "$package" ] || continue # of no package
        dpkg-query -W -f '"name" : "${source:Package}"\n' $package |
            grep -qFf - "$prefix/share/doc/satblur/satblur.spdx.json" || echo "$name"
    done
}
if [ -e "$build/app/satblur" ] && command -v dpkg > /dev/null; then
    ok "satblur.spdx.json lists what the programs link" refused grep . <(unlisted)
fi
ok "no installed text names the build's folders" refused grep -rIlF -e "$build" -e "$work/first" "$prefix"

# The library's symbols and soname.
declared() {
    $cc -E -P "$prefix/include/satblur.h" | tr '\n;' ' \n' | grep visibility | grep -oE 'satb_[a-z_]+\(' | tr -d '(' | sort
}
exported() { nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | sort; }
linked_statically() { nm -g --defined-only "${library%.so}.a" | awk 'NF == 3 { print $3 }' | sort; }
exactly_the_header() { declared | grep -q . && diff <(declared | sed "s/$/@@SATBLUR_$minor/") <(exported); }
statically_too() { diff <(declared) <(linked_statically); }
ok "exactly the header's functions are exported" exactly_the_header
ok "exactly these are in the static library, too" statically_too
ok "the soname has the minor version" grep -qF "[libsatblur.so.$minor]" <(readelf -d "$library")

# A program's version, and a picture that it blurs.
printf 'P6\n2 1\n255\n\0\0\0\377\377\377' > "$work/in.ppm"
printf 'P6\n2 1\n255\n\274\274\274\274\274\274' > "$work/expected.ppm" # the mean in linear light
blurs() { # blurs PROGRAM
    LD_LIBRARY_PATH=${library%/*} "$1" 1 < "$work/in.ppm" > "$work/out.ppm" && cmp "$work/out.ppm" "$work/expected.ppm"
}
links() { # links shared|static PROGRAM
    readelf -d "$2" > "$work/dynamic"
    if [ "$1" = shared ]; then grep -qF "libsatblur.so.$minor]" "$work/dynamic"; else ! grep -q satblur "$work/dynamic"; fi
}
ok_program() { # ok_program shared|static PROGRAM WHAT
    ok "$3 runs" blurs "$2"
    ok "$3 is $1" links "$1" "$2"
}

mkdir "$work/pc"
example=$prefix/share/doc/satblur/examples/box.c
if command -v pkg-config > "$work/log"; then
    config() { PKG_CONFIG_PATH=${pc%/*} pkg-config "$@" satblur; }
    compile() { # compile KIND LANGUAGE COMPILER: the compiler's words may be several
        local flags
        flags=$(config --cflags --libs $([ "$1" = shared ] || echo --static))
        [ "$1" = shared ] || flags=${flags/-lsatblur/-l:libsatblur.a}
        $3 -x "$2" -Wall -Werror "$example" -x none $flags -o "$work/pc/$1-$2"
    }
    ok "pkg-config says the version" test "$(config --modversion)" = "$version"
    ok "pkg-config has version $minor" config --atleast-version="$minor"
    ok "pkg-config has no version $next" refused config --atleast-version="$next"
    for kind in shared static; do
        ok "$kind C by pkg-config" compile $kind c "$cc"
        ok_program $kind "$work/pc/$kind-c" "$kind C by pkg-config"
        [ -n "$cxx" ] || continue
        ok "$kind C++ by pkg-config" compile $kind c++ "$cxx"
        ok_program $kind "$work/pc/$kind-c++" "$kind C++ by pkg-config"
    done
    ok "the other example compiles" $cc -Wall -Werror "${example%/*}/dof.c" $(config --cflags --libs) -o "$work/dof"
    ok "the other example runs" env LD_LIBRARY_PATH="${library%/*}" "$work/dof"
    if [ -n "$cxx" ]; then
        ok "the example in C++ compiles" $cxx -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Werror "${example%/*}/dof.cc" \
            $(config --cflags --libs) -o "$work/dof-c++"
        ok "the example in C++ prints what the one in C does" env LD_LIBRARY_PATH="${library%/*}" \
            sh -c 'a=$("$0") && b=$("$1") && test "$a" = "$b"' "$work/dof" "$work/dof-c++"
    fi
else
    echo "SKIPPED: pkg-config is missing (Debian: pkg-config)"
fi

configure() { # configure LANGUAGE WANTED [OPTION...]: a project that wants that version
    "$cmake" -S "$here/outside" -B "$work/cmake-$1-$2" -DCMAKE_PREFIX_PATH="$prefix" -DLANGUAGE="$1" -DWANTED="$2" \
        -DEXAMPLE="$example" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" "${@:3}"
}
by_cmake() { # by_cmake LANGUAGE
    ok "$1 by find_package is configured" configure "$1" "$minor"
    ok "$1 by find_package is built" "$cmake" --build "$work/cmake-$1-$minor"
    for kind in shared static; do
        ok_program $kind "$work/cmake-$1-$minor/$kind" "$kind $1 by find_package"
    done
}
by_cmake C
[ -z "$cxx" ] || by_cmake CXX
ok "find_package refuses version $next" refused configure C "$next"
tr -s ' \n' ' ' < "$work/log" > "$work/refusal"
ok "the refusal is about the version" grep -F "compatible with requested version \"$next\"" "$work/refusal"
ok "find_package refuses version 0.1" refused configure C 0.1
ok "find_package refuses an unknown component" refused configure C "$version" -DCOMPONENT=nothing

echo "package: $passed passed, $failed failed"
[ $failed -eq 0 ]
