/* Shared by the codec tests: pictures of noise, a sink into memory, and files that are damaged. */
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

/* Returns samples of a small generator, in dense rows. */
satb_image case_noise(int width, int height, int channels, int bits);

/* Returns the picture in the format that the name ends in. */
memory case_encoded_by(const char *name, const satb_image *image, const encode_settings *settings);
memory case_encoded(const char *name, const satb_image *image);

/* Returns the picture in a file of that name, which is of that format (NULL: of any). A refusal fails the test. settings
 * may be NULL. The caller frees the picture. */
picture case_picture_by(const char *name, const char *format, const void *data, size_t size,
                        const decode_settings *settings);
picture case_picture(const char *name, const char *format, const void *data, size_t size);

/* Checks that a file is refused with these words. */
void case_refused(const char *name, const void *data, size_t size, const char *words);

/* Reads a file cut at each size, and with single bits changed: it is read or refused by one line, and a cut one that
 * lacks more than a byte is refused. */
void case_damage(const char *name, memory m);

#endif
