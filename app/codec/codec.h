/* Pictures from files and into files. codec.c knows the formats, the limits and what each can hold;
 * the files codec_*.c know one library or format each. */
#ifndef SATBLUR_APP_CODEC_H
#define SATBLUR_APP_CODEC_H

#include "base/blob.h"
#include "metadata/metadata.h"
#include "base/message.h"

#include <satblur.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum codec_choice {
    CODEC_FAST,  /* where they were found: ISA-L for PNG, libjpeg-turbo for JPEG; else the plain */
    CODEC_PLAIN, /* libspng and stb */
    CODEC_GPU /* nvJPEG for the JPEGs that it takes, between nvjpeg_open() and nvjpeg_close(); else as
                    CODEC_FAST. Never by itself, as its samples and bytes are slightly others */
} codec_choice;

/* Which library reads and writes what in this build, a line each. */
void codec_list(FILE *to);

/* --- Reading ---------------------------------------------------------------------------------- */

typedef struct picture {
    satb_image image;    /* data is for pixels_drop(), rows dense; 16-bit samples in native order */
    const char *format;  /* "PNG", ...; static memory */
    const char *library; /* that decoded it; static memory */
    int orientation;     /* 1, or how EXIF asks viewers to turn it: 2..8; not applied here */
    metadata meta;       /* as it was read */
} picture;

/* The most pixels that a file may claim, unless more are allowed: 3 GiB of 8-bit RGB, while a PNG of
 * 64 KB can claim them. */
#define PICTURE_PIXELS ((uint64_t)1 << 30)

typedef struct decode_settings {
    codec_choice choice;
    uint64_t max_pixels; /* 0: PICTURE_PIXELS */
    /* With CODEC_GPU: the pixels may stay on GPU `gpu`, which alone decodes then; image.on_device tells. They are the
     * host's where it leaves the file or has no memory for them. */
    bool stays;
    int gpu;
} decode_settings;

/* Reads the file at path; settings NULL: all 0. On an error nothing is left to free and p names the
 * file. What claims too many pixels is refused before memory for them is taken. */
bool picture_load(picture *pic, const char *path, const decode_settings *settings, problem *p);

/* The same from memory; path serves the messages, and to tell a TGA, which has no signature. */
bool picture_decode(picture *pic, const void *data, size_t size, const char *path,
                    const decode_settings *settings, problem *p);

void picture_free(picture *pic);

/* Memory for pixels, uninitialised, for pixels_free(); NULL where there is not so much. */
void *pixels_allocate(size_t size);

/* Frees what pixels_allocate() or malloc() made; but up to `count` large blocks (0 at first) stay for
 * pixels_allocate(), as the next picture of a folder needs such blocks again. pixels_keep(0) frees them. */
enum { PIXELS_MOST_KEPT = 768 };
void pixels_keep(int count);
void pixels_free(void *data);

/* A GPU copies faster from and to memory that its driver has locked, which takes as long as some copies: so
 * pixels_pin() has it done to large blocks while such are kept, once until they are freed. pin (satb_pin()) and
 * unpin NULL: by nobody. */
void pixels_pin_by(satb_status (*pin)(void *data, size_t size), void (*unpin)(void *data));
void pixels_pin(void *data);

/* Frees an image's pixels, wherever they are. */
void pixels_drop(satb_image *image);

/* A dense image's pixels on a GPU, as a copy of the host's, for pixels_free(). False: p has a sentence, and nothing has
 * changed. */
bool pixels_fetch(const satb_image *image, satb_image *copy, problem *p);

/* The same for good, unless they are on no GPU; or given up, for uninitialised ones of the host's. */
bool pixels_bring(satb_image *image, problem *p);
bool pixels_displace(satb_image *image, problem *p);

/* Bytes of a dense picture of that shape (width, height, channels, bits). */
size_t picture_bytes(const satb_image *shape);

/* "gray", "gray with alpha", "RGB", "RGBA". */
const char *picture_channel_words(int channels);

/* "gray", "red", "green", "blue", "alpha": channel c of so many. */
const char *picture_channel_name(int channels, int c);

/* --- Writing ---------------------------------------------------------------------------------- */

typedef struct sink { /* where encoded bytes go */
    bool (*write)(void *user, const void *data, size_t size);
    void *user;
    bool failed; /* once true, nothing more is written: the writers of the libraries cannot be
                    stopped */
} sink;

bool sink_put(sink *to, const void *data, size_t size);

typedef struct encode_settings {
    int quality;     /* JPEG, 1..100 */
    int compression; /* PNG, 0..12 */
    int threads;     /* at most; 0: as many as OpenMP takes */
    codec_choice choice;
    const metadata *meta; /* fitted to the format; NULL: none */
} encode_settings;

typedef struct codec codec;

/* The format that the ending of path names; NULL and p where there is none. */
const codec *codec_for_output(const char *path, problem *p);

/* What the format makes of the picture: fit gets the nearest shape that it can hold, note (a
 * sentence, or "") says what is lost. False and p where it can hold no such picture. */
bool codec_fit(const codec *c, const satb_image *image, const char *path, satb_image *fit,
               char note[128], problem *p);

/* Where the format has places for metadata. */
metadata_format codec_metadata(const codec *c);

/* Writes the picture, converted to what codec_fit() says, and tells the library that encoded it. On a GPU may be what
 * is to be a JPEG and need not be converted.
 * NULL and p (without a file name) when memory runs out or the format refuses; the sink's own
 * failure is left in to->failed, and is the caller's to explain. The bytes do not depend on the
 * threads. */
const char *codec_encode(const codec *c, const satb_image *image, const encode_settings *settings,
                         sink *to, problem *p);

/* --- One format each -------------------------------------------------------------------------- */

/* probe: the shape that the header claims, nothing allocated. decode: the pixels; image comes with
 * that shape and leaves with data (and the shape that was really found). p gets a sentence without
 * the file's name. decode and encode tell the library that did it, NULL where none could. */
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

/* The fast ones. name: NULL where the library is not built in. decode: false where it does not take
 * the file, with nothing left to free; the plain one then says what is wrong, if anything is. */
const char *isal_name(void);
bool isal_decode_png(bytes in, satb_image *image);
bool isal_encode_png(const satb_image *image, const encode_settings *settings, sink *to,
                     problem *p);

const char *turbo_name(void);
bool turbo_decode(bytes in, satb_image *image, bool *starved); /* for want of memory */
bool turbo_encode(const satb_image *image, const encode_settings *settings, sink *to, problem *p);

/* --- On a GPU --------------------------------------------------------------------------------- */

typedef enum gpu_answer {
    GPU_DONE,
    GPU_LEAVES, /* it does not take this one, which is for the others; nothing was put or kept */
    GPU_FAILED  /* p has a sentence: for want of memory, or as the GPU failed */
} gpu_answer;

/* NULL where nvJPEG is not built in. */
const char *nvjpeg_name(void);

/* Prepares `count` GPUs, from number `first` on, for so many users at a time. False: p has the line. */
bool nvjpeg_open(int first, int count, int users, problem *p);
void nvjpeg_close(void);

/* In any thread; they wait while all that was prepared is in use. library: what of it decoded. */
gpu_answer nvjpeg_decode(bytes in, satb_image *image, const decode_settings *settings,
                         const char **library, problem *p);
gpu_answer nvjpeg_encode(const satb_image *image, const encode_settings *settings, sink *to,
                         problem *p);

/* Memory of a GPU for pixels, in any thread. NULL: there is not so much, and the host's must do: a GPU has a quarter of
 * what was free at nvjpeg_open() for it. What is freed is kept for the next picture, until nvjpeg_close(). */
void *nvjpeg_allocate(int gpu, size_t size);
void nvjpeg_free(void *data);

/* What is kept of a GPU's for the next pictures goes back, for whoever needs memory there. False: nothing was. */
bool nvjpeg_trim(int gpu);

/* While there is too little memory, nothing is kept. */
void nvjpeg_set_short(bool is_short);

/* Copies such memory to the host's, and waits. */
bool nvjpeg_fetch(const void *data, void *host, size_t size, problem *p);

#endif
