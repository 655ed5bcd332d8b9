/* Between codec.c and the formats: the settings, a row of the table of formats, and the functions that each format or
 * library implements. */
#ifndef SATBLUR_APP_CODEC_FORMAT_H
#define SATBLUR_APP_CODEC_FORMAT_H

#include "base/blob.h"
#include "base/message.h"
#include "base/sink.h"
#include "image/values.h"
#include "metadata/metadata.h"

#include <satblur.h>

#include <stdbool.h>
#include <stdint.h>

/* The limits of <satblur.h>, beyond which nothing is allowed: pixels a side, and in all. */
enum { PICTURE_SIDE = 1 << 24 };
#define PICTURE_PIXELS_MOST ((uint64_t)1 << 31)

typedef enum codec_choice {
    CODEC_FAST, /* ISA-L for PNG and libjpeg-turbo for JPEG, where they are built in; otherwise as CODEC_PLAIN */
    CODEC_PLAIN, /* libspng and stb */
    CODEC_GPU /* nvJPEG for the JPEGs that it takes, between nvjpeg_open() and nvjpeg_close(); otherwise as CODEC_FAST.
                    Only on request, as its samples and bytes differ slightly from the others' */
} codec_choice;

typedef struct decode_settings {
    codec_choice choice;
    uint64_t max_pixels; /* 0: PICTURE_PIXELS */
    /* With CODEC_GPU: the pixels may stay on GPU `gpu`, which alone decodes then: image.on_device tells. They are the host's
     * if nvJPEG leaves the file or the GPU has no memory for them. */
    bool stays;
    int gpu;
    /* Called with the shape before memory for the pixels is taken. False: the picture is refused, and p has the line, with
     * the name of a file. NULL: every picture is accepted. */
    bool (*accept)(void *user, const satb_image *shape, problem *p);
    void *user;
    /* A depth map is read: files whose samples are no codes give picture.values instead of picture.image. */
    bool as_map;
    bool codes_only;     /* a map or a matte is read: pictures of half floats are refused */
    const char *channel; /* the map's channel in an EXR; NULL: by its rules */
    const char *key;     /* the map's array in an NPZ; NULL: by its rules */
    bool keep_file;      /* picture_load() leaves the whole file in picture.file */
} decode_settings;

/* Reads the numbers of a map into v, whose data is for pixels_free(); the file's first bytes are the format's. Returns
 * VALUES_NONE if the samples are codes, which decode() reads. VALUES_FAILED: p has a sentence without the file's name. No
 * more than settings->max_pixels are allocated. */
typedef enum values_status { VALUES_READ, VALUES_NONE, VALUES_FAILED } values_status;
typedef values_status values_reader(bytes in, const decode_settings *settings, values *v,
                                    problem *p);

typedef struct encode_settings {
    int quality;     /* JPEG and WebP, 1..100 */
    int compression; /* PNG and TIFF, 0..12 */
    int threads;     /* at most; 0: the number of OpenMP */
    codec_choice choice;
    const metadata *meta; /* fitted to the format; NULL: none */
} encode_settings;

/* --- A format --------------------------------------------------------------------------------- */

typedef struct codec codec;

enum { CODEC_ENDINGS = 3 };

/* The memory that a file asks for. */
typedef struct picture_claim {
    int width, height;
    /* The bytes (pixels, blocks) of its samples before they were packed, and those that a byte of the file can stand for, at
     * most. 0: any number, as of pixels that the file leaves out. */
    uint64_t unpacked, reach;
    uint64_t memory; /* in bytes: the picture, and what its library takes beside it */
} picture_claim;

/* Whether pictures of half floats are read and written. HALVES_ONLY: no others are. */
typedef enum codec_halves { HALVES_NONE, HALVES_TOO, HALVES_ONLY } codec_halves;

struct codec {
    const char *name;
    const char *endings[CODEC_ENDINGS]; /* of file names; the first is the format's word */

    /* Reading. decode NULL: the format is only written, or read as a depth map alone. */
    const char *magic[3]; /* the first bytes of its files */
    /* Whether a file that begins otherwise is one, by its name or its end. NULL: there are none. */
    bool (*is_other)(bytes in, const char *path);
    /* Returns whether the end of a file that begins so may tell that it is one. NULL: it does
     * not. */
    bool (*may_start)(bytes first);
    /* NULL: the first bytes do not tell. */
    bool (*claim)(bytes first, satb_image *shape, problem *p);
    bool (*probe)(bytes in, satb_image *shape, problem *p);
    const char *(*decode)(bytes in, satb_image *image, const decode_settings *settings, problem *p);
    /* The numbers of a depth map, where the file's samples are no codes of 8 or 16 bits: see values.h. NULL: the format
     * has codes alone. */
    values_reader *decode_values;
    bool is_map;      /* its files are depth maps alone, never pictures */
    bool is_isolated; /* its files, of codes alone, are decoded by a process of their own */
    codec_halves halves;
    /* Returns the largest code that the file's own numbers have, of a header that was probed. NULL: 255 or 65535. */
    unsigned (*white)(bytes in);
    uint64_t pixels_per_byte; /* of a file, at most: a small one cannot claim many */
    uint64_t largest_bytes;   /* of a picture, unpacked */
    /* Corrects what a probed file claims, where more is known of it than the format's pixels_per_byte. NULL: nothing is. */
    void (*weigh)(bytes in, picture_claim *claim);

    /* Writing. encode NULL: the format is only read. */
    const char *(*encode)(const satb_image *image, const encode_settings *settings, sink *to,
                          problem *p);
    int largest_side;
    int deepest;       /* bits of a sample in the file; more than 8 are 16 in memory */
    unsigned channels; /* that can be held */
    metadata_format meta;
    /* Returns whether the library can write here; if not, p has a sentence. NULL: it always can. */
    bool (*writes)(problem *p);

    const char *(*fast)(void); /* names the preferred library; NULL: it is not built in */
    const char *library;       /* the names of the others */
};

/* Returns whether the file's name has that ending, in whatever case. */
bool codec_has_ending(const char *path, const char *ending);

/* Returns the format of a file, by its first bytes, or (TGA) by its last bytes or its name. NULL: no format that is read
 * here. */
const codec *codec_of(bytes in, const char *path);

/* Returns the codec by the first bytes of a file alone. A format that is known by its last bytes is
 * returned if its files may begin so. */
const codec *codec_of_start(bytes first, const char *path);

/* Always false: p says that the file is no picture, or of a format that is not read here. */
bool codec_refuse(bytes in, const char *path, problem *p);

/* Returns whether a picture may have that width and height; if not, p has a sentence. max_pixels:
 * as in decode_settings. */
bool picture_allows(const satb_image *shape, uint64_t max_pixels, problem *p);

/* Bytes that a pixel of a map of numbers takes: the number, and its code. */
enum { MAP_PIXEL = 4 + 2 };

/* Returns whether so many bytes of a file can hold what it claims: call it before memory is taken. If not, p has a
 * sentence. */
bool picture_has_bytes(const picture_claim *claim, bytes in, problem *p);

/* --- Their functions -------------------------------------------------------------------------- */

/* claim: the shape that the first bytes of a file claim. probe: the shape that the header claims, nothing allocated.
 * decode: the pixels; image comes with that shape and leaves with data (and the shape that was really found). decode and
 * encode return the name of the library that did it. Where none could, they return NULL and p gets a sentence without
 * the file's name. Where a decoder passed over damage, p gets a sentence, too; its text is "" before. */
bool png_claim(bytes first, satb_image *shape, problem *p);
void png_weigh(bytes in, picture_claim *claim);
bool png_probe(bytes in, satb_image *shape, problem *p);
const char *png_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
const char *png_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p);

bool jpeg_claim(bytes first, satb_image *shape, problem *p);
void jpeg_weigh(bytes in, picture_claim *claim);
bool jpeg_probe(bytes in, satb_image *shape, problem *p);
const char *jpeg_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
const char *jpeg_encode(const satb_image *image, const encode_settings *settings, sink *to,
                        problem *p);
bool jpeg_writes_gray(codec_choice choice); /* stb makes RGB of it */

bool stb_probe(bytes in, satb_image *shape, problem *p);
const char *stb_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
bool tga_may_start(bytes first);
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

bool bmp_probe(bytes in, satb_image *shape, problem *p);
void bmp_weigh(bytes in, picture_claim *claim);
const char *bmp_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);

bool pnm_claim(bytes first, satb_image *shape, problem *p);
bool pnm_probe(bytes in, satb_image *shape, problem *p);
const char *pnm_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
unsigned pnm_white(bytes in);
const char *pnm_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p);

values_reader dpt_values, npy_values, pfm_values;
bool dpt_claim(bytes first, satb_image *shape, problem *p);
bool npy_claim(bytes first, satb_image *shape, problem *p);
bool npy_probe(bytes in, satb_image *shape, problem *p);
const char *npy_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
bool pfm_claim(bytes first, satb_image *shape, problem *p);
bool pfm_probe(bytes in, satb_image *shape, problem *p);
const char *pfm_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
const char *pfm_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p);
values_reader npz_values;

bool hdr_claim(bytes first, satb_image *shape, problem *p);
bool hdr_probe(bytes in, satb_image *shape, problem *p);
const char *hdr_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
const char *hdr_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p);

values_reader exr_values;
/* Reads the depth beside the picture: settings->channel, or a channel whose name says so. VALUES_NONE: there is none. */
values_reader exr_own_depth;
bool exr_claim(bytes first, satb_image *shape, problem *p);
void exr_weigh(bytes in, picture_claim *claim);
bool exr_probe(bytes in, satb_image *shape, problem *p);
const char *exr_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
const char *exr_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p);

bool tiff_is(bytes in, const char *path);
bool tiff_claim(bytes first, satb_image *shape, problem *p);
void tiff_weigh(bytes in, picture_claim *claim);
bool tiff_probe(bytes in, satb_image *shape, problem *p);
const char *tiff_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
values_reader tiff_decode_values;
unsigned tiff_white(bytes in);
const char *tiff_encode(const satb_image *image, const encode_settings *settings, sink *to,
                        problem *p);

bool webp_is(bytes in, const char *path);
bool webp_claim(bytes first, satb_image *shape, problem *p);
void webp_weigh(bytes in, picture_claim *claim);
bool webp_probe(bytes in, satb_image *shape, problem *p);
const char *webp_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
const char *webp_encode(const satb_image *image, const encode_settings *settings, sink *to,
                        problem *p);

/* Bits of a sample that are written for 16. libheif 1.15 gives AV1 of 10 bits a profile that does not allow them. */
enum { HEIC_DEEPEST = 10, AVIF_DEEPEST = 12 };
const char *heif_name(void);
bool heif_probe(bytes in, satb_image *shape, problem *p);
const char *heif_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p);
unsigned heif_white(bytes in);
bool heic_writes(problem *p);
bool avif_writes(problem *p);
const char *heic_encode(const satb_image *image, const encode_settings *settings, sink *to,
                        problem *p);
const char *avif_encode(const satb_image *image, const encode_settings *settings, sink *to,
                        problem *p);

/* The fast ones. name: NULL where the library is not built in. decode: false where the library does not take the file,
 * with nothing left to free; the plain library then explains the refusal, if there is a reason. */
const char *isal_name(void);
bool isal_decode_png(bytes in, satb_image *image);
bool isal_encode_png(const satb_image *image, const encode_settings *settings, sink *to,
                     problem *p);

/* The caller has seen that the file's chunks are whole and sound. */
bool spng_probe_png(bytes in, satb_image *shape, problem *p);
bool spng_decode_png(bytes in, satb_image *image, problem *p);
bool spng_encode_png(const satb_image *image, const encode_settings *settings, sink *to,
                     problem *p);

const char *turbo_name(void);
/* out_of_memory: memory ran out. warning: the library's text where it has left the file for damage; "" before. */
bool turbo_decode(bytes in, satb_image *image, bool *out_of_memory, problem *warning);
bool turbo_encode(const satb_image *image, const encode_settings *settings, sink *to, problem *p);

#endif
