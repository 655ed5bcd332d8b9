/* A picture's shape: its bytes and samples, and the words for its channels. */
#ifndef SATBLUR_APP_SHAPE_H
#define SATBLUR_APP_SHAPE_H

#include <satblur.h>

#include <stddef.h>
#include <stdint.h>

/* Bytes of a dense picture of that width, height, channels and bits. */
size_t picture_bytes(const satb_image *shape);

/* "gray", "gray with alpha", "RGB" or "RGBA", for 1 to 4 channels. */
const char *picture_channel_words(int channels);

/* "gray", "red", "green", "blue" or "alpha": channel c, from 0 on, of a picture with that many channels. */
const char *picture_channel_name(int channels, int c);

/* Returns a sample of a row, counted over all channels. */
static inline unsigned picture_sample(const satb_image *image, const uint8_t *row, size_t at)
{
    return image->bits == 16 ? ((const uint16_t *)(const void *)row)[at] : row[at];
}

#endif
