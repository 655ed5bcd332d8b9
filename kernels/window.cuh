/* Windows that shrink at the edges, for the device: the numbers of window.h with fewer instructions
 * and, above all, fewer registers, since what hides the table's latency is threads.
 *
 * A clipped window needs no cases: its ends are clipped, and a prefix at 0 is nothing. */
#ifndef SATK_WINDOW_CUH
#define SATK_WINDOW_CUH

#include "box.h"

/* The words of S(p, q): the samples left of column p and above row q. */
template <typename T, int CHANNELS>
static __device__ __forceinline__ void satk_prefix(const satk_box &job, int p, int q, T *out)
{
    const T *const at =
        (const T *)job.table + ((size_t)(q - 1) * job.src.width + (p - 1)) * CHANNELS;

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

/* What a window comes to. SUM holds every number in it. */
template <typename SUM, int CHANNELS> struct satk_window_sum {
    SUM sum[CHANNELS], area;
};

/* Whole radii: one box. */
template <typename T, int CHANNELS>
static __device__ __forceinline__ void satk_sum_box(const satk_box &job, int x, int y, int rx,
                                                    int ry, satk_window_sum<T, CHANNELS> *w)
{
    const satk_range columns = satk_clip(satk_window(x, rx), job.src.width);
    const satk_range rows = satk_clip(satk_window(y, ry), job.src.height);
    T s[4][CHANNELS];

    satk_prefix<T, CHANNELS>(job, columns.hi, rows.hi, s[0]);
    satk_prefix<T, CHANNELS>(job, columns.lo, rows.hi, s[1]);
    satk_prefix<T, CHANNELS>(job, columns.hi, rows.lo, s[2]);
    satk_prefix<T, CHANNELS>(job, columns.lo, rows.lo, s[3]);
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        w->sum[c] = s[0][c] - s[1][c] - s[2][c] + s[3][c];
    w->area = (T)(columns.hi - columns.lo) * (T)(rows.hi - rows.lo);
}

/* Two nested ranges, clipped, of the weights one minus the fraction and the fraction. */
struct satk_nested {
    satk_range inner, outer;
    uint32_t fraction;

    __device__ __forceinline__ satk_nested(int x, uint32_t radius, int n)
        : inner(satk_clip(satk_window(x, (int)(radius / SATK_ONE)), n)),
          outer(satk_clip(satk_window(x, (int)(radius / SATK_ONE) + 1), n)),
          fraction(radius % SATK_ONE)
    {
    }
    __device__ __forceinline__ uint64_t weighted(uint64_t of_inner, uint64_t of_outer) const
    {
        return (SATK_ONE - fraction) * of_inner + fraction * of_outer;
    }
    __device__ __forceinline__ uint64_t length() const
    {
        return weighted((uint64_t)(inner.hi - inner.lo), (uint64_t)(outer.hi - outer.lo));
    }
};

/* box[0] and box[1]: the sums over the rows of a range, over the inner and the outer columns. */
template <typename T, int CHANNELS>
static __device__ __forceinline__ void satk_sum_rows(const satk_box &job, const satk_nested &across,
                                                     satk_range rows, T (*box)[CHANNELS])
{
    const satk_range columns[2] = {across.inner, across.outer};

#pragma unroll
    for (int i = 0; i < 2; i++) {
        T s[4][CHANNELS];
        satk_prefix<T, CHANNELS>(job, columns[i].hi, rows.hi, s[0]);
        satk_prefix<T, CHANNELS>(job, columns[i].lo, rows.hi, s[1]);
        satk_prefix<T, CHANNELS>(job, columns[i].hi, rows.lo, s[2]);
        satk_prefix<T, CHANNELS>(job, columns[i].lo, rows.lo, s[3]);
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            box[i][c] = s[0][c] - s[1][c] - s[2][c] + s[3][c];
    }
}

/* Radii with fractions: four nested boxes. */
template <typename T, int CHANNELS>
static __device__ __forceinline__ void satk_sum_boxes(const satk_box &job, int x, int y,
                                                      uint32_t rx, uint32_t ry,
                                                      satk_window_sum<uint64_t, CHANNELS> *w)
{
    const satk_nested across(x, rx, job.src.width), down(y, ry, job.src.height);
    T inner[2][CHANNELS], outer[2][CHANNELS];

    satk_sum_rows<T, CHANNELS>(job, across, down.inner, inner);
    satk_sum_rows<T, CHANNELS>(job, across, down.outer, outer);
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        w->sum[c] = down.weighted(across.weighted(inner[0][c], inner[1][c]),
                                  across.weighted(outer[0][c], outer[1][c]));
    w->area = across.length() * down.length();
}

/* --- Means ------------------------------------------------------------------------------------ */

/* Division by the same number several times, rounded half up. */
template <typename SUM> struct satk_divider;

template <> struct satk_divider<uint32_t> {
    satk_divisor by;

    __device__ __forceinline__ explicit satk_divider(uint32_t divisor)
        : by(satk_divide_by(divisor, 1))
    {
    }
    __device__ __forceinline__ uint32_t mean(uint32_t sum) const
    {
        return satk_mean32(sum, &by);
    }
};

/* A 64-bit division costs a hundred instructions, so the quotient is guessed with floats first and
 * then made right with integers. Means stay below 2^21, and three roundings are off by 2^-22 of
 * that: the guess is less than 1 off, and one less is at most the quotient and no more than two
 * below it. */
template <> struct satk_divider<uint64_t> {
    uint64_t divisor;
    float reciprocal;

    __device__ __forceinline__ explicit satk_divider(uint64_t number)
        : divisor(number), reciprocal(1.0f / (float)number)
    {
    }
    __device__ __forceinline__ uint32_t mean(uint64_t sum) const
    {
        const uint32_t guess = (uint32_t)((float)sum * reciprocal);
        uint32_t quotient = guess > 0 ? guess - 1 : 0;
        uint64_t rest = sum - quotient * divisor;
#pragma unroll
        for (int i = 0; i < 2; i++)
            if (rest >= divisor) {
                quotient++;
                rest -= divisor;
            }
        return quotient + (rest >= divisor - divisor / 2);
    }
};

/* satk_mean_codes() of window.h. */
template <typename SUM, int CHANNELS, int BITS>
static __device__ __forceinline__ void satk_window_codes(const satk_box &job,
                                                         const satk_window_sum<SUM, CHANNELS> &w,
                                                         const uint8_t *src, int x, uint32_t *codes)
{
    constexpr bool alpha = CHANNELS == 2 || CHANNELS == 4;
    constexpr int colours = alpha ? CHANNELS - 1 : CHANNELS;
    satk_divider<SUM> by(w.area);

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
