/* Between codec.c and the formats: the settings, a row of the table of formats, and the functions that each format or
 * library implements. */
#ifndef SATBLUR_APP_CODEC_FORMAT_H
#define SATBLUR_APP_CODEC_FORMAT_H

#include "base/blob.h"
#include "base/message.h"
#include "base/sink.h"
#include "image/gain_map.h"
#include "image/values.h"
#include "metadata/gain_numbers.h"
#include "metadata/metadata.h"

#include <satblur.h>

#include <stdbool.h>
#include <stdint.h>

/* The limits of <satblur.h>, beyond which nothing is allowed: pixels a side, and in all. */
enum { PICTURE_SIDE = 1 << 24 };
#define PICTURE_PIXELS_MOST ((uint64_t)1 << 31)

typedef enum codec_choice {
    CODEC_FAST, /* libdeflate for the PNGs that it reads, and libjpeg-turbo for JPEG where it is built in; otherwise as
                   CODEC_PLAIN */
    CODEC_PLAIN, /* libspng and stb */
    CODEC_GPU /* nvJPEG for the JPEGs that it takes, between nvjpeg_open() and nvjpeg_close(); otherwise as CODEC_FAST.
                    Only on request, as its samples and bytes differ slightly from the others' */
} codec_choice;

/* What is made of a picture's gain map: nothing, the picture being its base alone; picture.gain; or light of both. */
typedef enum gain_use { GAIN_LEAVE, GAIN_KEEP, GAIN_LIGHT } gain_use;

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
    const char *channel; /* the map's channel; NULL: by the rules of its format */
    const char *key;     /* the map's array in an NPZ; NULL: by its rules */
    bool keep_file;      /* picture_load() leaves the whole file in picture.file */
    gain_use gain;
    int threads; /* for one file, at most; 0: one */
} decode_settings;

/* Reads the numbers of a map into v, whose data is for pixels_free(); the file's first bytes are the format's. Returns
 * VALUES_NONE if the samples are codes, which decode() reads. VALUES_FAILED: p has a sentence without the file's name. No
 * more than settings->max_pixels are allocated. */
typedef enum values_status { VALUES_READ, VALUES_NONE, VALUES_FAILED } values_status;
typedef values_status values_reader(bytes in, const decode_settings *settings, values *v,
                                    problem *p);

typedef struct encode_settings {
    int quality;     /* 1..100 */
    int compression; /* PNG and TIFF, 0..12 */
    int threads;     /* at most; 0: as many as there are processors */
    codec_choice choice;
    const metadata *meta; /* fitted to the format; NULL: none */
} encode_settings;

/* --- A format --------------------------------------------------------------------------------- */

typedef struct codec codec;

/* The numbers of encode_settings that some encoders take. */
typedef enum codec_setting { SETTING_QUALITY = 1, SETTING_COMPRESSION = 2 } codec_setting;

enum { CODEC_ENDINGS = 6, CODEC_MAGICS = 4 };

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

/* Finds the shape that a file or its first bytes claim, and allocates nothing. False: p has a sentence. */
typedef bool codec_shaper(bytes in, satb_image *shape, problem *p);

/* Fills image->data. The image comes with the shape that the file claims, and leaves with the one that was really found.
 * Returns the name of the library that did it. NULL: none could, p has a sentence without the file's name, and the caller
 * frees image->data. A decoder that passed over damage sets p, too, whose text is "" before. */
typedef const char *codec_decoder(bytes in, satb_image *image, const decode_settings *settings,
                                  problem *p);

/* Corrects what a probed file claims, where more is known of it than the format's pixels_per_byte. */
typedef void codec_weigher(bytes in, picture_claim *claim);

/* Returns the largest code that the file's own numbers have, of a header that was probed. */
typedef unsigned codec_whitener(bytes in);

/* Reads the map of a file that says it has one. base: the decoded picture. GAIN_NONE: there is none that is known here.
 * GAIN_UNFIT: p has the reason, a clause. gain->image is for pixels_drop() in any case. */
typedef gain_status codec_gain_reader(bytes in, const satb_image *base,
                                      const decode_settings *settings, gain_map *gain, problem *p);

/* Returns the name of the library that wrote the picture. NULL: none could, and p has a sentence without a file's name. */
typedef const char *codec_encoder(const satb_image *image, const encode_settings *settings,
                                  sink *to, problem *p);

struct codec {
    const char *name;
    const char *endings[CODEC_ENDINGS]; /* of file names; the first is the format's word */
    const char *reads;                  /* the kinds of its files that are read, in words */

    /* Reading. decode NULL: the format is only written, or read as a depth map alone. */
    const char *magic[CODEC_MAGICS]; /* the first bytes of its files */
    /* Whether a file that begins otherwise is one, by its name or its end. NULL: there are none. */
    bool (*is_other)(bytes in, const char *path);
    /* Returns whether the end of a file that begins so may tell that it is one. NULL: it does
     * not. */
    bool (*may_start)(bytes first);
    /* NULL: the first bytes do not tell. */
    codec_shaper *claim;
    codec_shaper *probe;
    codec_decoder *decode;
    /* The numbers of a depth map, where the file's samples are no codes of 8 or 16 bits: see values.h. NULL: the format
     * has codes alone. */
    values_reader *decode_values;
    bool is_map;      /* its files are depth maps alone, never pictures */
    bool may_move;    /* its files may be clips, too */
    bool is_isolated; /* its files are decoded by a process of their own */
    /* Opens what its library needs of the system, as that process can open nothing later. NULL: it needs nothing. */
    void (*prepare)(void);
    codec_halves halves;
    bool has_codes;               /* its light comes as codes, too, if image->half is not set */
    codec_whitener *white;        /* NULL: 255 or 65535 */
    uint64_t pixels_per_byte;     /* of a file, at most: a small one cannot claim many */
    uint64_t largest_bytes;       /* of a picture, unpacked; 0: any number */
    codec_weigher *weigh;         /* NULL: nothing more is known */
    codec_gain_reader *read_gain; /* NULL: its files have no gain maps */

    /* Writing. encode NULL: the format is only read. */
    codec_encoder *encode;
    int largest_side;  /* 0: PICTURE_SIDE */
    int deepest;       /* bits of a sample in the file; more than 8 are 16 in memory */
    unsigned channels; /* that can be held */
    metadata_format meta;
    unsigned settings; /* bits of codec_setting that encode takes */
    /* Returns whether the library can write here; if not, p has a sentence. NULL: it always can. */
    bool (*writes)(problem *p);

    const char *(*fast)(void); /* names the preferred library; NULL: it is not built in */
    const char *library;       /* the names of the others */
};

/* Returns the most bytes that a picture may have, unpacked. */
static inline uint64_t codec_most_bytes(const codec *c)
{
    return c->largest_bytes ? c->largest_bytes : UINT64_MAX;
}

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

codec_shaper png_claim, png_probe;
codec_weigher png_weigh;
codec_decoder png_decode;
codec_encoder png_encode;
/* The readers. The caller has seen that the file's chunks are whole and sound. png_decode_common() takes undamaged files of
 * the common kinds. False: it has left the file to libspng, with nothing left to free. */
bool png_decode_common(bytes in, satb_image *image);
bool spng_probe_png(bytes in, satb_image *shape, problem *p);
bool spng_decode_png(bytes in, satb_image *image, problem *p);

codec_shaper jpeg_claim, jpeg_probe;
codec_weigher jpeg_weigh;
codec_decoder jpeg_decode;
codec_encoder jpeg_encode;
codec_gain_reader jpeg_read_gain;
bool jpeg_writes_gray(codec_choice choice); /* stb makes RGB of it */

codec_shaper stb_probe;
codec_decoder stb_decode;
codec_encoder stb_encode_jpeg, stb_encode_bmp, stb_encode_tga;

bool tga_is(bytes in, const char *path);
bool tga_may_start(bytes first);
codec_shaper tga_probe;
codec_decoder tga_decode;

codec_shaper bmp_probe;
codec_weigher bmp_weigh;
codec_decoder bmp_decode;

codec_shaper gif_claim, gif_probe;
codec_decoder gif_decode;

codec_shaper pnm_claim, pnm_probe;
codec_decoder pnm_decode;
codec_whitener pnm_white;
codec_encoder pnm_encode;

codec_shaper dpt_claim, npy_claim, npy_probe;
codec_decoder npy_decode;
values_reader dpt_values, npy_values, npz_values;

bool colmap_is(bytes in, const char *path);
codec_shaper colmap_claim;
values_reader colmap_values;

codec_shaper pfm_claim, pfm_probe;
codec_decoder pfm_decode;
values_reader pfm_values;
codec_encoder pfm_encode;

codec_shaper hdr_claim, hdr_probe;
codec_decoder hdr_decode;
codec_encoder hdr_encode;

/* exr_own_depth() reads the depth beside the picture: settings->channel, or a channel whose name says so. VALUES_NONE:
 * there is none. */
codec_shaper exr_claim, exr_probe;
codec_weigher exr_weigh;
codec_decoder exr_decode;
values_reader exr_values, exr_own_depth;
codec_encoder exr_encode;

bool tiff_is(bytes in, const char *path);
codec_shaper tiff_claim, tiff_probe;
codec_weigher tiff_weigh;
codec_decoder tiff_decode;
values_reader tiff_decode_values;
codec_whitener tiff_white;
codec_encoder tiff_encode;

bool webp_is(bytes in, const char *path);
codec_shaper webp_claim, webp_probe;
codec_weigher webp_weigh;
codec_decoder webp_decode;
codec_encoder webp_encode;

/* Bits of a sample that are written for 16. libheif 1.15 gives AV1 of 10 bits a profile that does not allow them. */
enum { HEIC_DEEPEST = 10, AVIF_DEEPEST = 12 };
const char *heif_name(void);
void heif_prepare(void);
codec_shaper heif_probe;
codec_decoder heif_decode;
codec_gain_reader heif_read_gain;
codec_whitener heif_white;
bool heic_writes(problem *p), avif_writes(problem *p);
codec_encoder heic_encode, avif_encode;

bool jxl_is(bytes in, const char *path);
codec_shaper jxl_probe;
codec_weigher jxl_weigh;
codec_decoder jxl_decode;
codec_whitener jxl_white;
codec_encoder jxl_encode;

/* The fast ones. name: NULL where the library is not built in. decode: false where the library does not take the file,
 * with nothing left to free; the plain library then explains the refusal, if there is a reason. */
const char *turbo_name(void);
/* out_of_memory: memory ran out. warning: the library's text where it has left the file for damage; "" before. */
bool turbo_decode(bytes in, satb_image *image, bool *out_of_memory, problem *warning);
bool turbo_encode(const satb_image *image, const encode_settings *settings, sink *to, problem *p);

#endif
