/* The fields of metadata, and the functions that the readers of PNG and JPEG share. */
#ifndef SATBLUR_APP_METADATA_FIELDS_H
#define SATBLUR_APP_METADATA_FIELDS_H

#include "base/blob.h"
#include "format/code_scan.h"

typedef enum metadata_format { /* the formats that have places for it */
                               METADATA_NONE,
                               METADATA_PNG,
                               METADATA_JPEG,
                               METADATA_TIFF,
                               METADATA_WEBP,
                               METADATA_HEIF, /* HEIC and AVIF */
                               METADATA_EXR,
                               METADATA_JXL
} metadata_format;

typedef enum density_unit {
    DENSITY_NONE, /* unknown */
    DENSITY_RATIO,
    DENSITY_INCH,
    DENSITY_CM,
    DENSITY_METRE
} density_unit;

typedef struct density { /* pixels in a unit; RATIO: only x / y has a meaning */
    uint32_t x, y;
    density_unit unit;
} density;

typedef struct word_list { /* "this, that", each once */
    char text[200];
} word_list;

typedef struct metadata {
    metadata_format from;
    blob icc; /* the profile, unpacked */
    char icc_name[80];
    blob exif; /* a sound TIFF without its thumbnail */
    int turned; /* EXIF's orientation that the pixels have been turned by, and that it no longer has; 0: none */
    blob xmp; /* a packet */
    density density;
    blob own;            /* whole chunks or segments, unchanged, that only `from` has places for */
    word_list own_words; /* their names */
    word_list curve;     /* gAMA and cHRM, where `own` has them */
    bool standard;       /* `own` has sRGB, which other formats mean without a word */
    uint32_t
        gamma; /* gAMA, unless sRGB or a profile overrules it: 100000 / the display's exponent; or 0 */
    code_scan texts;    /* of those that are carried: a picture may be spread over them */
    size_t unpacked;    /* bytes of packed texts and profiles that were read */
    bool is_lossless;   /* a WebP's pixels were packed without loss, and are to be again */
    word_list lost;     /* the names of what no output gets */
    bool out_of_memory; /* memory ran out, so something may be missing */
} metadata;

/* Adds the word unless the list has it. A list that is full ends in "...". */
void words_add(word_list *list, const char *word);

/* Removes the word, if the list has it. */
void words_remove(word_list *list, const char *word);

/* Returns whether the list has the word. */
bool words_have(const word_list *list, const char *word);

enum {
    METADATA_MOST = 64 << 20, /* bytes of `own` */
    PROFILE_MOST = 16 << 20   /* bytes of a profile, unpacked */
};

/* Read a file of that format; fill a blob with the bytes of metadata_write(). */
void metadata_read_png(metadata *m, bytes file);
void metadata_read_jpeg(metadata *m, bytes file);
void metadata_read_tiff(metadata *m, bytes file); /* where libtiff is built in */
void metadata_read_webp(metadata *m, bytes file); /* where libwebp is built in */
void metadata_read_heif(metadata *m, bytes file); /* of pixels that have been turned */
void metadata_read_exr(metadata *m, bytes file);
void metadata_read_jxl(metadata *m, bytes file);      /* of pixels that have been turned */
bool metadata_jxl_takes(bytes profile, int channels); /* whether libjxl understands it */
void metadata_write_png(const metadata *m, blob *out);
void metadata_write_jpeg(const metadata *m, blob *out);

/* Lists in m->lost what a JPEG holds beside its picture. index: MPF's, without its head; data NULL: there is none. scan: where the
 * segments before the picture's data end. */
void metadata_lose_beside(metadata *m, bytes file, bytes index, size_t scan);

/* Take the content of a record of either format, or list it in m->lost: as damaged, as a second one, or as
 * metadata_admit() does. */
void metadata_take_icc(metadata *m, bytes profile, const char *name);
void metadata_take_exif(metadata *m, bytes tiff);
void metadata_take_xmp(metadata *m, bytes packet);

typedef enum metadata_block { /* kinds of blocks that are carried */
                              METADATA_BLOCK_EXIF,
                              METADATA_BLOCK_XMP,
                              METADATA_BLOCK_PHOTOSHOP, /* resources, or IPTC's records alone */
                              METADATA_BLOCK_TEXT,
                              METADATA_BLOCK_PROFILE,
                              METADATA_BLOCKS
} metadata_block;

/* Takes pictures of the old pixels out of a block, and lists them in m->lost. False: the block is freed, as it is not
 * understood or may still hold a picture, which is listed under the name. No block is carried that has not passed. */
bool metadata_admit(metadata *m, metadata_block kind, const char *name, blob *block);

/* Returns whether a text is carried, which never changes; else lists it. */
bool metadata_admit_text(metadata *m, const char *name, bytes text);

/* Sets the orientation in EXIF and XMP to 1. */
void metadata_set_upright(metadata *m);

/* Lists "WHAT (WHY)" in m->lost. */
void metadata_lose(metadata *m, const char *what, const char *why);

/* Bytes of each kind that a JPEG can hold. */
enum { JPEG_EXIF_MOST = 65533 - 6, JPEG_XMP_MOST = 65533 - 29, JPEG_ICC_MOST = 255 * (65533 - 14) };

#endif
