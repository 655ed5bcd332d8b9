/* Shared by the codec tests: pictures of noise, and a sink into memory. */
#ifndef SATBLUR_TESTS_CODEC_CASE_H
#define SATBLUR_TESTS_CODEC_CASE_H

#include "codec/codec.h"

typedef struct memory {
    uint8_t *data;
    size_t size, capacity;
    size_t limit; /* the write that would pass it fails; 0: none does */
} memory;

/* A sink's write(); user is a memory, zeroed at first. */
bool memory_write(void *user, const void *data, size_t size);

/* Settings of the codec tests' encoders, and the same for the fast codecs. */
extern const encode_settings case_settings, case_fast_settings;

/* Returns samples of a small generator, in dense rows. The caller frees data. */
satb_image case_noise(int width, int height, int channels, int bits);

/* Returns the picture in the format that the name ends in. The caller frees data. */
memory case_encoded_by(const char *name, const satb_image *image, const encode_settings *settings);
memory case_encoded(const char *name, const satb_image *image);

#endif
