/* What the codec tests share: pictures of noise, and a sink into memory. */
#ifndef SATBLUR_TESTS_CODEC_CASE_H
#define SATBLUR_TESTS_CODEC_CASE_H

#include "codec/codec.h"

typedef struct memory {
    uint8_t *data;
    size_t size, room;
    size_t limit; /* the write that would pass it fails; 0: none does */
} memory;

/* A sink's write(); user is a memory, zeroed at first. */
bool memory_write(void *user, const void *data, size_t size);

/* What the codec tests encode with, and the same by the fast codecs. */
extern const encode_settings case_settings, case_fast_settings;

/* Samples of a small generator; rows dense. The caller frees data. */
satb_image case_noise(int width, int height, int channels, int bits);

/* The picture in the format that name ends in. The caller frees data. */
memory case_encoded_by(const char *name, const satb_image *image, const encode_settings *settings);
memory case_encoded(const char *name, const satb_image *image);

#endif
