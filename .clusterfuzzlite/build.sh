#!/bin/bash -eu
# Builds what OSS-Fuzz runs into $OUT: each fuzzer of tests/fuzz, its first inputs, and the libraries that a runner lacks.
# $CC and $CFLAGS instrument; $LIB_FUZZING_ENGINE links the engine. Anywhere:
#   SRC=FOLDER_OF_satblur OUT=OUT WORK=WORK CC=clang LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
#   CFLAGS=-fsanitize=address,fuzzer-no-link .clusterfuzzlite/build.sh
corpus=$SRC/satblur/tests/fuzz/corpus
names=$(basename -s .tar -a "$corpus"/*.tar)
cmake -S "$SRC/satblur" -B "$WORK/build" -DSATB_CUDA=OFF -DSATB_FUZZ="$LIB_FUZZING_ENGINE" \
    -DCMAKE_BUILD_RPATH="\$ORIGIN/lib" -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags
cmake --build "$WORK/build" --parallel "$(nproc)" --target $(printf 'fuzz_%s ' $names)
mkdir -p "$OUT/lib"
for name in $names; do
    cp "$WORK/build/tests/fuzz/fuzz_$name" "$OUT/"
    ldd "$WORK/build/tests/fuzz/fuzz_$name" | sed -nE '/lib(c|m|dl|rt|pthread|resolv)\.so/d; s/.*=> (\/[^ ]+) .*/\1/p' | xargs -r cp -Lut "$OUT/lib"
    rm -rf "$WORK/seeds"
    mkdir "$WORK/seeds"
    tar -x -f "$corpus/$name.tar" -C "$WORK/seeds"
    (cd "$WORK/seeds" && zip -q -r "$OUT/fuzz_${name}_seed_corpus.zip" .)
    printf '[libfuzzer]\nmax_len = 8192\n' > "$OUT/fuzz_$name.options"
done
