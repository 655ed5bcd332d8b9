/* Transfer curves and alpha, applied where a sample is loaded into a table and where a mean is
 * stored.
 *
 * Colour codes become summed samples by a look-up table made once on the host (sRGB to linear
 * light: 8 bits to 14, 16 bits to 20; both steps are injective, so a constant image survives the
 * way there and back). With `weighted`, a colour sample is also multiplied by its pixel's alpha
 * code: the mean colour of a window is then sum(colour * alpha) / sum(alpha), the "over" algebra of
 * Porter and Duff (1984) without a rounding in between. Alpha codes are summed as they are. */
#ifndef SATK_TONE_H
#define SATK_TONE_H

#include "common/plane.h"

/* The bits of the samples that codes of 8 or 16 bits are decoded to: no sample has more. */
#define SATK_LINEAR_BITS(bits) ((bits) == 8 ? 14 : 20)

typedef struct satk_tone {
    /* Sample by code, 256 or 65536 entries, of which the first is 0; NULL: the sample is the code. */
    const uint32_t *decode;
    /* Code by sample, up to the largest one, never falling; NULL: the code is the sample. */
    const uint16_t *encode;
    int weighted; /* 1: colour is weighted by alpha (only with 2 or 4 channels) */
    int opaque;   /* 1: every alpha is the largest, and so is its mean: it may be left out */
} satk_tone;

/* Finds the samples of a pixel's codes: out[channels]. Inlined with constant channels. */
SATK_FN void satk_tone_samples(const satk_tone *tone, const uint32_t *codes, int channels,
                               uint64_t *out)
{
    const int colours = satk_has_alpha(channels) ? channels - 1 : channels;

    for (int c = 0; c < colours; c++)
        out[c] = tone->decode ? tone->decode[codes[c]] : codes[c];
    if (colours < channels) {
        out[colours] = codes[colours];
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

#endif
