/* Histogram equalisation, in three jobs: how often each luminance occurs, a look-up table of luminances,
 * and the table applied to the picture. Between the first two the caller scans the counts.
 *
 * Luminance  of gray: its code. Of RGB: (2126 R + 7152 G + 722 B + 5000) / 10000 on the codes (the
 *            weights of ITU-R BT.709), so an integer from 0 to the largest code. Pixels with alpha 0
 *            are not counted.
 * Table      lut[Y] = (cdf(Y) - cdf_min) / (pixels - cdf_min) * largest code, rounded half up; cdf_min is
 *            the first count of cdf that is not 0, and pixels its last. Where they are equal, lut[Y] = Y.
 * Applying   every colour channel is shifted by lut[Y] - Y and clipped: Y changes, and the colour
 *            differences Cb and Cr stay, in a picture without clipping exactly. Alpha is kept.
 *
 * src, dst   the same size, channels and bits; may be the same plane.
 * out        2^bits counts, overwritten, or with `adds` added to; for CUDA device memory, as lut is.
 * cdf        2^bits inclusive sums of those counts.
 * lut        2^bits entries, which satk_equal_lut overwrites.
 * scratch    CPU only: satk_luma_scratch_cpu() bytes, 64-byte aligned; contents undefined before
 *            and after. */
#ifndef SATK_EQUALIZE_H
#define SATK_EQUALIZE_H

#include "common/plane.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satk_luma {
    satk_plane src;
    uint64_t *out;
    void *scratch;
    int adds;
} satk_luma;

typedef struct satk_equal_lut {
    const uint64_t *cdf;
    uint16_t *lut;
    int bits;
} satk_equal_lut;

typedef struct satk_equalize {
    satk_plane src, dst;
    const uint16_t *lut;
} satk_equalize;

SATK_FN uint32_t satk_luma_of(const uint32_t *codes, int channels)
{
    return channels < 3 ? codes[0]
                        : (2126 * codes[0] + 7152 * codes[1] + 722 * codes[2] + 5000) / 10000;
}

SATK_FN int satk_is_counted(const uint32_t *codes, int channels)
{
    return !satk_has_alpha(channels) || codes[channels - 1] != 0;
}

/* Returns the first sum that is not 0: luminances below belong to no visible pixel. 0: there are none. */
SATK_FN uint64_t satk_least_sum(const uint64_t *cdf, int bits)
{
    uint32_t first = 0, last = (1u << bits) - 1;

    while (first < last) {
        const uint32_t middle = (first + last) / 2;
        if (cdf[middle] > 0)
            last = middle;
        else
            first = middle + 1;
    }
    return cdf[first];
}

/* Returns what becomes of a luminance. Products are at most 2^31 * 2^16. */
SATK_FN uint16_t satk_equal_luma(const satk_equal_lut *job, uint32_t luma, uint64_t least)
{
    const uint64_t largest = (1u << job->bits) - 1, pixels = job->cdf[largest],
                   sum = job->cdf[luma];

    if (pixels == least)
        return (uint16_t)luma;
    if (sum <= least)
        return 0;
    return (uint16_t)(((sum - least) * largest + (pixels - least) / 2) / (pixels - least));
}

/* Equalises pixel x of a row. */
SATK_FN void satk_equalize_pixel(const void *src, void *dst, int x, int channels, int bits,
                                 const uint16_t *lut)
{
    const int32_t largest = (1 << bits) - 1;
    uint32_t codes[4];

    satk_get_pixel(src, x, channels, bits, codes);
    const uint32_t luma = satk_luma_of(codes, channels);
    const int32_t shift = (int32_t)lut[luma] - (int32_t)luma;
    for (int c = 0; c < (channels < 3 ? 1 : 3); c++) {
        const int32_t code = (int32_t)codes[c] + shift, low = code < 0 ? 0 : code;
        codes[c] = (uint32_t)(low > largest ? largest : low);
    }
    satk_put_pixel(dst, x, channels, bits, codes);
}

size_t satk_luma_scratch_cpu(const satk_luma *job, int threads);
void satk_luma_cpu(const satk_luma *job, int threads);
void satk_equal_lut_cpu(const satk_equal_lut *job, int threads);
void satk_equalize_cpu(const satk_equalize *job, int threads);

size_t satk_luma_scratch_cuda(const satk_luma *job);    /* 0 */
int satk_luma_cuda(const satk_luma *job, void *stream); /* a cudaError_t; 0 = launched */
int satk_equal_lut_cuda(const satk_equal_lut *job, void *stream);
int satk_equalize_cuda(const satk_equalize *job, void *stream);

#ifdef __cplusplus
}
#endif

#endif
