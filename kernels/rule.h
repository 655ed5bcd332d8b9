/* The arithmetic that defines the bits, shared by the host and the device: rounding, window
 * clipping, nested boxes. Everything here is unsigned integers; sums of table words are taken
 * modulo 2^64 and cut to the table's word, which is exact because a box's true sum fits the word
 * (sizes are checked in core/). */
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

/* Rounded half up. The caller has made sure that num + den / 2 fits. */
SATK_FN uint64_t satk_mean64(uint64_t num, uint64_t den)
{
    return (num + den / 2) / den;
}

SATK_FN uint64_t satk_mean128(satk_u128 num, uint64_t den)
{
    return (uint64_t)((num + den / 2) / den);
}

/* The positions lo <= p < hi of an axis of n pixels that a window of radius r around x covers.
 * Unclipped, they may lie outside 0..n. Coordinates stay below 2^25 in magnitude. */
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
