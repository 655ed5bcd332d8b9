/* The arithmetic of mix.h. */
#ifndef SATK_MIX_RULE_H
#define SATK_MIX_RULE_H

#include "protect/mix.h"

/* Returns the picture's parts of 255. */
SATK_FN uint32_t satk_mix_parts(uint32_t cover)
{
    return 2 * cover < UINT8_MAX ? 2 * cover : UINT8_MAX;
}

/* Returns k of 255 parts of a, and the rest of b. Samples have at most 36 bits, so no sum overflows. */
SATK_FN uint64_t satk_mix_sum(uint32_t k, uint64_t a, uint64_t b)
{
    return k * a + (UINT8_MAX - k) * b;
}

SATK_FN uint64_t satk_mix_mean(uint64_t sum, uint64_t by)
{
    return (sum + by / 2) / by;
}

/* Finds the mixture's codes of pixel x of rows of the picture and of the blurred one. */
SATK_FN void satk_mix_codes(const satk_mix *job, uint32_t k, const void *src, const void *blurred,
                            int x, uint32_t *codes)
{
    const int channels = job->src.channels, bits = job->src.bits;
    const int alpha = satk_has_alpha(channels) && !job->tone.half ? channels - 1 : channels;
    uint64_t a[4], b[4], sum[4], means[4];

    satk_samples(&job->tone, src, x, channels, bits, a);
    satk_samples(&job->tone, blurred, x, channels, bits, b);
    for (int c = 0; c < channels; c++) {
        sum[c] = satk_mix_sum(k, a[c], b[c]);
        means[c] = satk_mix_mean(sum[c], UINT8_MAX);
    }
    if (job->tone.half) {
        satk_half_codes(&job->tone, means, src, x, channels, codes);
        return;
    }
    satk_get_pixel(blurred, x, channels, bits, codes);
    if (alpha < channels)
        codes[alpha] = (uint32_t)means[alpha];
    for (int c = 0; c < alpha; c++)
        if (!job->tone.weighted)
            codes[c] = satk_encoded(&job->tone, means[c]);
        else if (sum[alpha] > 0)
            codes[c] = satk_encoded(&job->tone, satk_mix_mean(sum[c], sum[alpha]));
}

SATK_FN void satk_mix_pixel(const satk_mix *job, int x, int y)
{
    const uint8_t *const src = (const uint8_t *)job->src.data + y * job->src.pitch;
    const uint8_t *const blurred = (const uint8_t *)job->blurred.data + y * job->blurred.pitch;
    const uint8_t *const cover = (const uint8_t *)job->cover.data + y * job->cover.pitch;
    const uint32_t k = satk_mix_parts(cover[x]);
    const int channels = job->src.channels, bits = job->src.bits;
    uint32_t codes[4];

    if (k == 0 || k == UINT8_MAX)
        satk_get_pixel(k ? src : blurred, x, channels, bits, codes);
    else
        satk_mix_codes(job, k, src, blurred, x, codes);
    satk_put_pixel((uint8_t *)job->dst.data + y * job->dst.pitch, x, channels, bits, codes);
}

#endif
