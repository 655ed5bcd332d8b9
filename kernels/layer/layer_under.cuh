/* The light that a window lays under a square, on the device, by divisions that its numbers allow. The numbers are those of
 * layer_light.h. */
#ifndef SATK_LAYER_UNDER_CUH
#define SATK_LAYER_UNDER_CUH

#include "layer/layer_gather.cuh"

/* Divides sums of 32 bits with 8 more, rounded half up, where quotients are at most 2^22 and the
 * divisor is below 2^23. Floats guess the quotient and integers correct it: three roundings of at
 * most 2^-24 each make the guess less than 1 too small or too large, so 32 bits hold the remainder
 * of any number. */
struct near_divider {
    uint32_t divisor;
    float reciprocal;

    __device__ __forceinline__ explicit near_divider(uint32_t number)
        : divisor(number), reciprocal(1.0f / (float)number)
    {
    }
    /* low: the number modulo 2^32; nearly: the number. */
    __device__ __forceinline__ uint32_t mean(uint32_t low, float nearly) const
    {
        const uint32_t quotient = (uint32_t)fmaf(nearly, reciprocal, 0.5f);
        const int32_t rest = (int32_t)(low + divisor / 2 - quotient * divisor);

        return quotient - (rest < 0) + (rest >= (int32_t)divisor);
    }
};

/* Does satk_lay_under_narrow() for samples below 2^14. */
template <int CHANNELS>
static __device__ __forceinline__ void lay_under_small(satk_light *light, const satk_part &part,
                                                       const uint32_t *sums, uint32_t in)
{
    const near_divider by_in(in);
    uint32_t share = part.rest;

    if (in != part.by)
        share = near_divider((uint32_t)part.by).mean(share * in, (float)share * (float)in);
    share = min(share, light->left);
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        light->sum[c] += (uint64_t)share * by_in.mean(sums[c] << 8, (float)sums[c] * 256.0f);
    light->left -= share;
}

/* Returns the next digit of a long division, at most 2^20, of a number that is about `nearly`. Its
 * low bits are enough: the rest is below twice the divisor, and that is below 2^29. */
static __device__ __forceinline__ uint32_t take_digit(float nearly, uint32_t low,
                                                      const satk_divider<uint32_t> &by,
                                                      uint32_t *rest)
{
    uint32_t digit = (uint32_t)(nearly * by.reciprocal); /* or one less: box_window.cuh */

    *rest = low - digit * by.divisor;
    if (*rest >= by.divisor) {
        digit++;
        *rest -= by.divisor;
    }
    return digit;
}

/* Returns true if the rest is at least half of the divisor. */
static __device__ __forceinline__ uint32_t rounds_up(uint32_t rest,
                                                     const satk_divider<uint32_t> &by)
{
    return rest >= by.divisor - by.divisor / 2;
}

/* Does satk_lay_under() where in and the part's divisor are below 2^28 and samples below 2^20. Each quotient has two
 * digits, which replace divisions of 64 bits. */
static __device__ __forceinline__ void lay_under_packed(satk_light *light, const satk_part &part,
                                                        satk_u128 packed, uint32_t in)
{
    const satk_divider<uint32_t> by_in(in);
    uint32_t share = part.rest, rest;
    uint64_t sums[3];

    if (in != part.by) {
        const satk_divider<uint32_t> by((uint32_t)part.by);
        const uint32_t high = part.rest >> 8, low = part.rest & 255;
        const float nearly_in = satk_nearly(in);
        share = take_digit(satk_nearly(high) * nearly_in, high * in, by, &rest) << 8;
        share += take_digit(satk_nearly(rest) * 256 + satk_nearly(low) * nearly_in,
                            (rest << 8) + low * in, by, &rest);
        share += rounds_up(rest, by);
    }
    share = min(share, light->left);
    satk_unpack(packed, sums);
#pragma unroll
    for (int c = 0; c < 3; c++) {
        uint32_t mean = take_digit(satk_nearly(sums[c]), (uint32_t)sums[c], by_in, &rest) << 8;
        mean += take_digit(satk_nearly(rest) * 256, rest << 8, by_in, &rest);
        light->sum[c] += (uint64_t)share * (mean + rounds_up(rest, by_in));
    }
    light->left -= share;
}

#endif
