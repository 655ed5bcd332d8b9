/* Windows that shrink at the edges, for the device: the numbers of box_rule.h with fewer instructions
 * and, above all, fewer registers, since threads hide the table's latency.
 *
 * A clipped window needs no cases: its ends are clipped, and a prefix at 0 is nothing. */
#ifndef SATK_BOX_WINDOW_CUH
#define SATK_BOX_WINDOW_CUH

#include "box/box.h"

/* Loads the words of S(p, q): the sums of the samples left of column p and above row q. */
template <typename T, int CHANNELS>
static __device__ __forceinline__ void satk_prefix(const satk_box &job, int p, int q, T *out)
{
    /* unsigned: one multiplication makes 64 bits */
    const size_t pixel = (size_t)(unsigned)(q - 1) * (unsigned)job.src.width + (unsigned)(p - 1);
    const T *const at = (const T *)job.table + pixel * CHANNELS;

    if (p == 0 || q == 0) {
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            out[c] = 0;
    } else if constexpr (CHANNELS * sizeof(T) % 16 == 0) { /* a pixel is aligned to its size */
#pragma unroll
        for (int i = 0; i < (int)(CHANNELS * sizeof(T) / 16); i++) {
            const uint4 v = __ldg((const uint4 *)at + i);
            memcpy((uint4 *)out + i, &v, sizeof v);
        }
    } else if constexpr (CHANNELS * sizeof(T) == 8) {
        const uint2 v = __ldg((const uint2 *)at);
        memcpy(out, &v, sizeof v);
    } else {
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            out[c] = __ldg(at + c);
    }
}

/* The sums over a window. SUM holds every number in it. */
template <typename SUM, int CHANNELS> struct satk_window_sum {
    SUM sum[CHANNELS], area;
};

/* Adds the sums over a box inside the picture. */
template <typename T, int CHANNELS>
static __device__ __forceinline__ void satk_box_sums(const satk_box &job, satk_range columns,
                                                     satk_range rows, T *sums)
{
    T s[4][CHANNELS];

    satk_prefix<T, CHANNELS>(job, columns.hi, rows.hi, s[0]);
    satk_prefix<T, CHANNELS>(job, columns.lo, rows.hi, s[1]);
    satk_prefix<T, CHANNELS>(job, columns.hi, rows.lo, s[2]);
    satk_prefix<T, CHANNELS>(job, columns.lo, rows.lo, s[3]);
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        sums[c] = s[0][c] - s[1][c] - s[2][c] + s[3][c];
}

/* Finds the sums of whole radii: one box. */
template <typename T, int CHANNELS>
static __device__ __forceinline__ void satk_sum_box(const satk_box &job, int x, int y, int rx,
                                                    int ry, satk_window_sum<T, CHANNELS> *w)
{
    const satk_range columns = satk_clip(satk_window(x, rx), job.src.width);
    const satk_range rows = satk_clip(satk_window(y, ry), job.src.height);

    satk_box_sums<T, CHANNELS>(job, columns, rows, w->sum);
    w->area = (T)(columns.hi - columns.lo) * (T)(rows.hi - rows.lo);
}

/* Two nested ranges, clipped. The outer one counts with the fraction, and the inner one with the
 * rest. */
struct satk_nested {
    satk_range range[2];
    uint32_t weight[2];

    __device__ __forceinline__ satk_nested(int x, uint32_t radius, int n)
        : range{satk_clip(satk_window(x, (int)(radius / SATK_ONE)), n),
                satk_clip(satk_window(x, (int)(radius / SATK_ONE) + 1), n)},
          weight{SATK_ONE - radius % SATK_ONE, radius % SATK_ONE}
    {
    }
    __device__ __forceinline__ uint64_t length() const
    {
        return (uint64_t)weight[0] * (uint32_t)(range[0].hi - range[0].lo) +
               (uint64_t)weight[1] * (uint32_t)(range[1].hi - range[1].lo);
    }
};

/* Finds the sums of radii with fractions: four nested boxes. */
template <typename T, int CHANNELS>
static __device__ __forceinline__ void satk_sum_boxes(const satk_box &job, int x, int y,
                                                      uint32_t rx, uint32_t ry,
                                                      satk_window_sum<uint64_t, CHANNELS> *w)
{
    const satk_nested across(x, rx, job.src.width), down(y, ry, job.src.height);

    w->area = across.length() * down.length();
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        w->sum[c] = 0;
#pragma unroll
    for (int j = 0; j < 2; j++)
#pragma unroll
        for (int i = 0; i < 2; i++) {
            T s[CHANNELS];
            satk_box_sums<T, CHANNELS>(job, across.range[i], down.range[j], s);
#pragma unroll
            for (int c = 0; c < CHANNELS; c++)
                w->sum[c] += (uint64_t)s[c] * (across.weight[i] * down.weight[j]);
        }
}

/* --- Means ------------------------------------------------------------------------------------ */

/* Returns the number as a float, within 2^-23. It works on 32 bits at a time, since conversions
 * from 64 are slow. */
static __device__ __forceinline__ float satk_nearly(uint32_t number)
{
    return (float)number;
}

static __device__ __forceinline__ float satk_nearly(uint64_t number)
{
    return (float)(uint32_t)(number >> 32) * 4294967296.0f + (float)(uint32_t)number;
}

/* Divides by the same number several times, rounded half up. Integer division is slow, so floats
 * guess the quotient and integers correct it. Seven roundings of at most 2^-24 each are less than
 * the 2^-21 that the reciprocal is short of, so the guess is not too large. Means below 2^20 are
 * guessed less than 1 too small, so the guess's whole part is the quotient or one less. Larger ones,
 * of 32 bits, leave a rest that is guessed once more, of a quotient below 2^13. */
template <typename SUM> struct satk_divider {
    SUM divisor;
    float reciprocal;

    __device__ __forceinline__ explicit satk_divider(SUM number)
        : divisor(number), reciprocal((1.0f - 0x1p-21f) * (1.0f / satk_nearly(number)))
    {
    }
    __device__ __forceinline__ uint32_t mean(SUM sum) const
    {
        uint32_t quotient = (uint32_t)(satk_nearly(sum) * reciprocal);
        SUM rest = sum - quotient * divisor;

        if (rest >= divisor) {
            quotient++;
            rest -= divisor;
        }
        return quotient + (rest >= divisor - divisor / 2);
    }
    /* Returns a mean of 32 bits. */
    __device__ __forceinline__ uint32_t large_mean(SUM sum) const
    {
        const uint32_t guess = (uint32_t)(satk_nearly(sum) * reciprocal);

        return guess + mean(sum - guess * divisor);
    }
};

/* Does satk_mean_codes() of box_rule.h. */
template <typename SUM, int CHANNELS, int BITS>
static __device__ __forceinline__ void satk_window_codes(const satk_box &job,
                                                         const satk_window_sum<SUM, CHANNELS> &w,
                                                         const uint8_t *src, int x, uint32_t *codes)
{
    constexpr bool alpha = CHANNELS == 2 || CHANNELS == 4;
    constexpr int colours = alpha ? CHANNELS - 1 : CHANNELS;
    satk_divider<SUM> by(w.area);

    if (BITS == 16 && job.tone.half) {
        uint64_t means[CHANNELS];
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            means[c] = by.large_mean(w.sum[c]);
        satk_half_codes(&job.tone, means, src, x, CHANNELS, codes);
        return;
    }
    if constexpr (alpha) {
        codes[colours] = by.mean(w.sum[colours]);
        if (job.tone.weighted && w.sum[colours] == 0) { /* transparent: its colours stay */
            const uint32_t mean = codes[colours];
            satk_get_pixel(src, x, CHANNELS, BITS, codes);
            codes[colours] = mean;
            return;
        }
        if (job.tone.weighted)
            by = satk_divider<SUM>(w.sum[colours]);
    }
#pragma unroll
    for (int c = 0; c < colours; c++)
        codes[c] = satk_encoded(&job.tone, by.mean(w.sum[c]));
}

#endif
