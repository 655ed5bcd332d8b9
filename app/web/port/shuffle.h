/* Included before every source for WebAssembly. GCC's __builtin_shuffle() takes indices that vary, which clang's builtins do not,
 * so kernels/common/lanes.h indexes each lane under clang. Here one instruction does it, and the sources see GCC. */
#ifndef SATBLUR_WEB_SHUFFLE_H
#define SATBLUR_WEB_SHUFFLE_H

#ifdef __wasm_simd128__
#include <wasm_simd128.h>

/* Returns the four lanes of v that the lanes of `at` name, modulo 4. */
static inline v128_t web_shuffle(v128_t v, v128_t at)
{
    const v128_t lane = wasm_v128_and(at, wasm_i32x4_splat(3));
    const v128_t first = wasm_i32x4_mul(lane, wasm_i32x4_splat(0x04040404));
    return wasm_i8x16_swizzle(v, wasm_i32x4_add(first, wasm_i32x4_splat(0x03020100)));
}

#define __builtin_shuffle(v, at) ((lanes)web_shuffle((v128_t)(v), (v128_t)(at)))
#undef __clang__
#endif

#endif
