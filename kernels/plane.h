/* A view of samples in memory: who owns them is not the kernels' business. Codes are the samples as
 * they are stored. */
#ifndef SATK_PLANE_H
#define SATK_PLANE_H

#include "rule.h"

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

#endif
