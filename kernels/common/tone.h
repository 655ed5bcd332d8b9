/* Transfer curves and alpha, applied where a sample is loaded into a table and where a mean is
 * stored.
 *
 * Colour codes become summed samples by a look-up table made once on the host (sRGB to linear
 * light: 8 bits to 14, 16 bits to 20; both steps are injective, so a constant image survives the
 * way there and back). With `weighted`, a colour sample is also multiplied by its pixel's alpha
 * code: the mean colour of a window is then sum(colour * alpha) / sum(alpha), the "over" algebra of
 * Porter and Duff (1984) without a rounding in between. Alpha codes are summed as they are.
 *
 * Half floats are codes of 16 bits, too: those of numbers that are not negative rise with them. Their
 * samples are multiples of 2^-20, below 4096, so they have 32 bits. Alpha is a channel as any other,
 * since the colours have been multiplied by it. */
#ifndef SATK_TONE_H
#define SATK_TONE_H

#include "common/plane.h"

/* The bits of the samples that codes of 8 or 16 bits, and half floats, are decoded to: no sample has
 * more. */
#define SATK_LINEAR_BITS(bits) ((bits) == 8 ? 14 : 20)
#define SATK_HALF_BITS         32
#define SATK_HALF_WHITE        (1u << 20)

typedef struct satk_tone {
    /* Sample by code, 256 or 65536 entries, of which the first is 0; NULL: the sample is the code. */
    const uint32_t *decode;
    /* Code by sample, up to the largest one, never falling; NULL: the code is the sample, or with
     * `half` that of satk_half_codes(). */
    const uint16_t *encode;
    int weighted; /* 1: colour is weighted by alpha (only with 2 or 4 channels) */
    int opaque;   /* 1: every alpha is the largest, and so is its mean: it may be left out */
    int half;     /* 1: half floats, with decode alone; neither weighted nor opaque */
} satk_tone;

/* Returns the bits of the largest sample that a code of 8 or 16 bits may have. */
SATK_FN int satk_sample_bits(const satk_tone *tone, int bits)
{
    if (tone->half)
        return SATK_HALF_BITS;
    return tone->decode ? SATK_LINEAR_BITS(bits) : bits;
}

/* Returns the half float next to a multiple of 2^-20, the larger of two that are as close. From 64 on,
 * which is the least that has an exponent, its 10 bits behind the highest one are the fraction. */
SATK_FN uint32_t satk_half_float(uint64_t sample)
{
    const int top = satk_top_bit((uint32_t)sample | 64), least = 6, digits = 10;
    const uint64_t fraction = top <= digits
                                  ? sample << (digits - top)
                                  : (sample + (1u << (top - digits - 1))) >> (top - digits);

    return ((uint32_t)(top - least) << digits) + (uint32_t)fraction;
}

/* Finds the samples of a pixel's codes: out[channels]. Inlined with constant channels. */
SATK_FN void satk_tone_samples(const satk_tone *tone, const uint32_t *codes, int channels,
                               uint64_t *out)
{
    const int colours = satk_has_alpha(channels) ? channels - 1 : channels;

    for (int c = 0; c < colours; c++)
        out[c] = tone->decode ? tone->decode[codes[c]] : codes[c];
    if (colours < channels) {
        out[colours] = tone->half ? tone->decode[codes[colours]] : codes[colours];
        if (tone->weighted)
            for (int c = 0; c < colours; c++)
                out[c] *= codes[colours];
    }
}

/* Finds the samples of pixel x of a row. Inlined with constant channels and bits. */
SATK_FN void satk_samples(const satk_tone *tone, const void *row, int x, int channels, int bits,
                          uint64_t *out)
{
    uint32_t codes[4];

    satk_get_pixel(row, x, channels, bits, codes);
    satk_tone_samples(tone, codes, channels, out);
}

SATK_FN uint32_t satk_encoded(const satk_tone *tone, uint64_t sample)
{
    return tone->encode ? tone->encode[sample] : (uint32_t)sample;
}

/* Returns the sample of a code. */
SATK_FN uint32_t satk_sample_of(const satk_tone *tone, uint32_t code)
{
    return tone->decode ? tone->decode[code] : code;
}

enum { SATK_PATTERN_SIDE = 8, SATK_DITHER_BITS = 8 };

/* The thresholds of ordered dither in 1/128, above 0, by row and column modulo SATK_PATTERN_SIDE; all 0: there is no dither. */
typedef struct satk_pattern {
    uint8_t threshold[SATK_PATTERN_SIDE][SATK_PATTERN_SIDE];
} satk_pattern;

SATK_FN uint32_t satk_threshold(const satk_pattern *pattern, int x, int y)
{
    return pattern->threshold[y % SATK_PATTERN_SIDE][x % SATK_PATTERN_SIDE];
}

/* Returns the code below a mean with SATK_DITHER_BITS more bits, or the next one where the mean is above the threshold's part
 * of the way to it. So the light of many pixels is their mean, and a mean that is the sample of a code becomes that code. */
SATK_FN uint32_t satk_dithered(const satk_tone *tone, uint32_t mean, uint32_t threshold)
{
    uint32_t code = satk_encoded(tone, mean >> SATK_DITHER_BITS);

    code -= satk_sample_of(tone, code) << SATK_DITHER_BITS > mean; /* it was the nearest one */
    const uint32_t low = satk_sample_of(tone, code), above = mean - (low << SATK_DITHER_BITS);
    if (above == 0)
        return code;
    const uint32_t step = (satk_sample_of(tone, code + 1) - low) << SATK_DITHER_BITS;
    return code + (128 * above > threshold * step);
}

/* Finds a pixel's half floats from the means of its samples. Where a mean is the sample of pixel x of src, a row, its bits
 * stay: those that stand for 0 or for 4096, and those whose last ones a sample lacks. */
SATK_FN void satk_half_codes(const satk_tone *tone, const uint64_t *means, const void *src, int x,
                             int channels, uint32_t *codes)
{
    satk_get_pixel(src, x, channels, 16, codes);
    for (int c = 0; c < channels; c++)
        if (tone->decode[codes[c]] != means[c])
            codes[c] = satk_half_float(means[c]);
}

#endif
