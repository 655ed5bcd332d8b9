/* The arithmetic that defines the bits, shared by the host and the device: rounding, window
 * clipping, nested boxes. Everything here is unsigned integers; sums of table words are taken
 * modulo 2^64 and cut to the table's word. This is exact because a box's true sum fits the word: the
 * caller has checked the sizes. */
#ifndef SATK_RULE_H
#define SATK_RULE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define SATK_FN static __host__ __device__ __forceinline__
#else
#define SATK_FN static inline __attribute__((always_inline))
#endif

__extension__ typedef unsigned __int128 satk_u128;

#define SATK_FRACTION_BITS 8 /* radii and window weights per axis are Q8 */
#define SATK_ONE           (1u << SATK_FRACTION_BITS)

/* A divisor and its reciprocal: one division serves all channels of a pixel. `narrow`: the divisor
 * and every dividend fit 32 bits, the common case and several times faster on a GPU. */
typedef struct satk_divisor {
    uint64_t divisor, reciprocal; /* floor((2^64 - 1) / divisor); narrow: 2^32 for 2^64 */
    int narrow;
} satk_divisor;

SATK_FN satk_divisor satk_divide_by(uint64_t divisor, int narrow)
{
    const satk_divisor d = {divisor, narrow ? UINT32_MAX / (uint32_t)divisor : UINT64_MAX / divisor,
                            narrow};
    return d;
}

SATK_FN int satk_smaller(int a, int b)
{
    return a < b ? a : b;
}

SATK_FN int satk_larger(int a, int b)
{
    return a > b ? a : b;
}

SATK_FN int satk_clipped(int n, int least, int most)
{
    return n < least ? least : n > most ? most : n;
}

/* Returns the number of the highest bit that is 1; n is not 0. */
SATK_FN int satk_top_bit(uint32_t n)
{
#ifdef __CUDA_ARCH__
    return 31 - __clz((int)n);
#else
    return 31 - __builtin_clz(n);
#endif
}

SATK_FN uint64_t satk_high_product(uint64_t a, uint64_t b)
{
#ifdef __CUDA_ARCH__
    return __umul64hi(a, b);
#else
    return (uint64_t)(((satk_u128)a * b) >> 64);
#endif
}

/* Returns num / divisor, rounded half up. The reciprocal is short of 2^64 / divisor by at most 1,
 * so num * reciprocal / 2^64 is short of num / divisor by less than 1: its floor is the quotient or
 * one less. Likewise with 2^32. */
SATK_FN uint64_t satk_mean64(uint64_t num, const satk_divisor *d)
{
    uint64_t quotient = satk_high_product(num, d->reciprocal);
    uint64_t rest = num - quotient * d->divisor;

    if (rest >= d->divisor) {
        quotient++;
        rest -= d->divisor;
    }
    return quotient + (rest >= d->divisor - d->divisor / 2);
}

/* Returns num / divisor, rounded down, and the remainder. */
SATK_FN uint32_t satk_quotient32(uint32_t num, const satk_divisor *d, uint32_t *rest)
{
    const uint32_t divisor = (uint32_t)d->divisor;
    uint32_t quotient = (uint32_t)(((uint64_t)num * (uint32_t)d->reciprocal) >> 32);

    *rest = num - quotient * divisor;
    if (*rest >= divisor) {
        quotient++;
        *rest -= divisor;
    }
    return quotient;
}

SATK_FN uint32_t satk_mean32(uint32_t num, const satk_divisor *d)
{
    const uint32_t divisor = (uint32_t)d->divisor;
    uint32_t rest;
    const uint32_t quotient = satk_quotient32(num, d, &rest);

    return quotient + (rest >= divisor - divisor / 2);
}

SATK_FN uint64_t satk_mean128(satk_u128 num, uint64_t den)
{
    return (uint64_t)((num + den / 2) / den);
}

/* Returns the positions lo <= p < hi of an axis of n pixels that a window of radius r around x
 * covers. Unclipped, they may lie outside 0..n. Coordinates stay below 2^26 in magnitude. */
typedef struct satk_range {
    int lo, hi;
} satk_range;

SATK_FN satk_range satk_window(int x, int r)
{
    const satk_range w = {x - r, x + r + 1};
    return w;
}

SATK_FN satk_range satk_clip(satk_range w, int n)
{
    const satk_range c = {w.lo < 0 ? 0 : w.lo, w.hi > n ? n : w.hi};
    return c;
}

SATK_FN int satk_inside(satk_range w, int n)
{
    return w.lo >= 0 && w.hi <= n;
}

#endif
