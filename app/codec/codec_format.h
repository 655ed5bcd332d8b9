/* Between codec.c and the formats: the settings, and the functions that each format or library implements. */
#ifndef SATBLUR_APP_CODEC_FORMAT_H
#define SATBLUR_APP_CODEC_FORMAT_H

#include "base/blob.h"
#include "base/message.h"
#include "base/sink.h"
#include "metadata/metadata.h"

#include <satblur.h>

#include <stdbool.h>
#include <stdint.h>

typedef enum codec_choice {
    CODEC_FAST,  /* where they were found: ISA-L for PNG, libjpeg-turbo for JPEG; else the plain */
    CODEC_PLAIN, /* libspng and stb */
    CODEC_GPU /* nvJPEG for the JPEGs that it takes, between nvjpeg_open() and nvjpeg_close(); else as CODEC_FAST. Only
                 on request, as its samples and bytes differ slightly from the others' */
} codec_choice;

typedef struct decode_settings {
    codec_choice choice;
    uint64_t max_pixels; /* 0: PICTURE_PIXELS */
    /* With CODEC_GPU: the pixels may stay on GPU `gpu`, which alone decodes then; image.on_device tells. They are the
     * host's where it leaves the file or has no memory for them. */
    bool stays;
    int gpu;
} decode_settings;

typedef struct encode_settings {
    int quality;     /* JPEG, 1..100 */
    int compression; /* PNG, 0..12 */
    int threads;     /* at most; 0: OpenMP's number */
    codec_choice choice;
    const metadata *meta; /* fitted to the format; NULL: none */
} encode_settings;

/* probe: the shape that the header claims, nothing allocated. decode: the pixels; image comes with that shape and
 * leaves with data (and the shape that was really found). p gets a sentence without the file's name. decode and encode
 * return the name of the library that did it, NULL where none could. */
bool png_probe(bytes in, satb_image *shape, problem *p);
const char *png_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
const char *png_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p);

bool jpeg_probe(bytes in, satb_image *shape, problem *p);
const char *jpeg_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
const char *jpeg_encode(const satb_image *image, const encode_settings *settings, sink *to,
                        problem *p);

bool stb_probe(bytes in, satb_image *shape, problem *p);
const char *stb_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
bool tga_probe(bytes in, satb_image *shape, problem *p);
const char *tga_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
const char *stb_encode_png(const satb_image *image, const encode_settings *settings, sink *to,
                           problem *p);
const char *stb_encode_jpeg(const satb_image *image, const encode_settings *settings, sink *to,
                            problem *p);
const char *stb_encode_bmp(const satb_image *image, const encode_settings *settings, sink *to,
                           problem *p);
const char *stb_encode_tga(const satb_image *image, const encode_settings *settings, sink *to,
                           problem *p);

bool pnm_probe(bytes in, satb_image *shape, problem *p);
const char *pnm_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
const char *pnm_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p);

/* The fast ones. name: NULL where the library is not built in. decode: false where the library does not take the file,
 * with nothing left to free; the plain library then explains the refusal, if there is a reason. */
const char *isal_name(void);
bool isal_decode_png(bytes in, satb_image *image);
bool isal_encode_png(const satb_image *image, const encode_settings *settings, sink *to,
                     problem *p);

const char *turbo_name(void);
bool turbo_decode(bytes in, satb_image *image, bool *starved); /* starved: memory ran out */
bool turbo_encode(const satb_image *image, const encode_settings *settings, sink *to, problem *p);

#endif
