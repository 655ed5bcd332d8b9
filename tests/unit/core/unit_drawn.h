/* Maps and pictures that unit tests draw sample by sample. */
#ifndef SATB_TESTS_UNIT_DRAWN_H
#define SATB_TESTS_UNIT_DRAWN_H

#include <satblur.h>

#include <stdlib.h>

static inline uint32_t sample(const satb_image *image, int x, int y, int channel)
{
    const uint8_t *const row = (const uint8_t *)image->data + y * image->stride;
    const int at = x * image->channels + channel;

    return image->bits == 8 ? row[at] : ((const uint16_t *)row)[at];
}

static inline void put(const satb_image *image, int x, int y, int channel, uint32_t code)
{
    uint8_t *const row = (uint8_t *)image->data + y * image->stride;
    const int at = x * image->channels + channel;

    if (image->bits == 8)
        row[at] = (uint8_t)code;
    else
        ((uint16_t *)row)[at] = (uint16_t)code;
}

/* Rows have some bytes more than their samples. */
static inline satb_image blank(int w, int h, int channels, int bits)
{
    const ptrdiff_t stride = w * channels * bits / 8 + 6;

    return (satb_image){unit_zeros((size_t)(stride * h)), stride, w, h, channels, bits, 0, 0};
}

#endif
