/* Stores the codes of a tile's row of lights, in vectors. For layer_vector_body.h. */
#ifndef SATK_LAYER_STORE_H
#define SATK_LAYER_STORE_H

#include "layer/layer_light_body.h"

/* Finds the means of a row's colours, with SATK_DITHER_BITS more bits if `one` is 2^SATK_DITHER_BITS, and of its alpha. */
SATK_FN void find_means(const double *lights, int count, double one, int channels,
                        uint32_t means[4][SATK_LAYER_TILE])
{
    const double *const left = lights + channels * SATK_LAYER_TILE;
    const double *const dropped = left + 3 * SATK_LAYER_TILE;
    const int colours = satk_has_alpha(channels) ? channels - 1 : channels;

    for (int i = 0; i < count; i++) {
        const double seen = ((1 << SATK_LIGHT_BITS) - left[i] - dropped[i]) * 256;
        const double inverse = 1 / (seen + (seen == 0)), half = seen / 2 + 0.5;
        for (int c = 0; c < channels; c++) {
            const double more = c < colours ? one : 1;
            means[c][i] =
                (uint32_t)(int32_t)((lights[c * SATK_LAYER_TILE + i] * more + half) * inverse);
        }
    }
}

/* Does the same where the sums have 64 bits. */
SATK_FN void find_wide_means(const double *lights, int count, int channels,
                             uint32_t means[4][SATK_LAYER_TILE])
{
    const double *const left = lights + channels * SATK_LAYER_TILE;
    const double *const dropped = left + 3 * SATK_LAYER_TILE;

    for (int i = 0; i < count; i += LANES / 2) {
        const double_lanes all = (double_lanes){0} + (1 << SATK_LIGHT_BITS);
        const double_lanes seen = all - doubles_at(left + i) - doubles_at(dropped + i);
        const divisors d = divide_by(to_wide(seen) << 8);
        for (int c = 0; c < channels; c++) {
            const wide_mean mean = mean_of_wide(words_at(lights + c * SATK_LAYER_TILE + i), &d);
            const wide_lanes sum = ((mean.upper - 1) << 8) + mean.lower;
            const half_lanes n = __builtin_convertvector(sum & UINT32_MAX, half_lanes);
            memcpy(&means[c][i], &n, sizeof n);
        }
    }
}

/* Finds the codes of a pixel of which some light is seen, from its means. */
SATK_FN void find_codes(const satk_tone *tone, const uint32_t *means, uint32_t threshold,
                        const void *src, int x, int channels, int bits, uint32_t *codes)
{
    const int colours = satk_has_alpha(channels) ? channels - 1 : channels;

    if (bits == 16 && tone->half) {
        const uint64_t wide[4] = {means[0], means[1], means[2], means[3]};
        satk_half_codes(tone, wide, src, x, channels, codes);
        return;
    }
    for (int c = 0; c < channels; c++)
        codes[c] = c == colours    ? means[c]
                   : threshold > 0 ? satk_dithered(tone, means[c], threshold)
                                   : satk_encoded(tone, means[c]);
}

/* Does satk_light_codes() for a row, without weights. */
SATK_FN void store_row(const satk_layer *job, satk_area tile, int y, const double *lights,
                       int channels, int bits)
{
    const double *const left = lights + channels * SATK_LAYER_TILE;
    const satk_tone tone = job->tone; /* in registers: a code's store may change the job's */
    const satk_pattern pattern = job->pattern;
    const uint8_t *const src = row_of(&job->src, y);
    const int row = y + job->row;
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    uint32_t means[4][SATK_LAYER_TILE];

    if (bits == 16)
        find_wide_means(lights, width_of(tile), channels, means);
    else
        find_means(lights, width_of(tile), pattern.threshold[0][0] > 0 ? 1 << SATK_DITHER_BITS : 1,
                   channels, means);
    for (int x = tile.left; x < tile.right; x++) {
        const int i = x - tile.left;
        const uint32_t threshold = bits == 8 ? satk_threshold(&pattern, x, row) : 0;
        uint32_t codes[4], mean[4] = {0};
        for (int c = 0; c < channels; c++)
            mean[c] = means[c][i];
        if (left[i] < 1 << SATK_LIGHT_BITS)
            find_codes(&tone, mean, threshold, src, x, channels, bits, codes);
        else
            satk_get_pixel(src, x, channels, bits, codes);
        satk_put_pixel(dst, x, channels, bits, codes);
    }
}

typedef void store_step(const satk_layer *job, satk_area tile, int y, const double *lights);
#define STORE_STEP(channels, bits)                                                                 \
    static void store_##channels##_##bits(const satk_layer *job, satk_area tile, int y,            \
                                          const double *lights)                                    \
    {                                                                                              \
        store_row(job, tile, y, lights, channels, bits);                                           \
    }
#define STORE_STEPS(bits)                                                                          \
    STORE_STEP(1, bits) STORE_STEP(2, bits) STORE_STEP(3, bits) STORE_STEP(4, bits)
STORE_STEPS(8)
STORE_STEPS(16)
static store_step *const store_steps[2][4] = {{store_1_8, store_2_8, store_3_8, store_4_8},
                                              {store_1_16, store_2_16, store_3_16, store_4_16}};

#endif
