/* A view of samples in memory, owned by the caller. Codes are the samples as they are stored. */
#ifndef SATK_PLANE_H
#define SATK_PLANE_H

#include "common/rule.h"

typedef struct satk_plane {
    void *data;      /* first sample of the first row */
    ptrdiff_t pitch; /* bytes from a row to the next */
    int width, height;
    int channels; /* interleaved; 2 and 4 have alpha last */
    int bits;     /* per sample: 8 or 16 */
} satk_plane;

SATK_FN int satk_has_alpha(int channels)
{
    return channels == 2 || channels == 4;
}

/* Returns the bytes of a row's samples. */
SATK_FN size_t satk_row_bytes(const satk_plane *plane)
{
    return (size_t)plane->width * (size_t)plane->channels * (size_t)(plane->bits / 8);
}

SATK_FN uint32_t satk_code(const void *row, size_t index, int bits)
{
    return bits == 8 ? ((const uint8_t *)row)[index] : ((const uint16_t *)row)[index];
}

SATK_FN void satk_put_code(void *row, size_t index, int bits, uint32_t code)
{
    if (bits == 8)
        ((uint8_t *)row)[index] = (uint8_t)code;
    else
        ((uint16_t *)row)[index] = (uint16_t)code;
}

/* Loads the codes of pixel x of a row. */
SATK_FN void satk_get_pixel(const void *row, int x, int channels, int bits, uint32_t *codes)
{
    const size_t first = (size_t)x * (size_t)channels;

#ifdef __CUDA_ARCH__ /* one load where alignment allows */
    if (channels == 4 && bits == 8 && (uintptr_t)row % 4 == 0) {
        const uchar4 v = ((const uchar4 *)row)[x];
        codes[0] = v.x, codes[1] = v.y, codes[2] = v.z, codes[3] = v.w;
        return;
    }
#endif
    for (int c = 0; c < channels; c++)
        codes[c] = satk_code(row, first + (size_t)c, bits);
}

SATK_FN void satk_put_pixel(void *row, int x, int channels, int bits, const uint32_t *codes)
{
    const size_t first = (size_t)x * (size_t)channels;

#ifdef __CUDA_ARCH__
    if (channels == 4 && bits == 8 && (uintptr_t)row % 4 == 0) {
        ((uint32_t *)row)[x] = codes[0] | codes[1] << 8 | codes[2] << 16 | codes[3] << 24;
        return;
    }
#endif
    for (int c = 0; c < channels; c++)
        satk_put_code(row, first + (size_t)c, bits, codes[c]);
}

#endif
