/* The fields of metadata, and what their readers of each format share. */
#ifndef SATBLUR_APP_METADATA_FIELDS_H
#define SATBLUR_APP_METADATA_FIELDS_H

#include "base/blob.h"

typedef enum metadata_format { /* those that have places for it */
                               METADATA_NONE,
                               METADATA_PNG,
                               METADATA_JPEG
} metadata_format;

typedef enum density_unit {
    DENSITY_NONE, /* nothing is known */
    DENSITY_RATIO,
    DENSITY_INCH,
    DENSITY_CM,
    DENSITY_METRE
} density_unit;

typedef struct density { /* pixels in a unit; RATIO: only x / y means something */
    uint32_t x, y;
    density_unit unit;
} density;

typedef struct word_list { /* "this, that", each once */
    char text[200];
} word_list;

typedef struct metadata {
    metadata_format from;
    blob icc; /* the profile, not packed */
    char icc_name[80];
    blob exif; /* a sound TIFF, its thumbnail taken out */
    blob xmp;  /* a packet */
    density density;
    blob own;            /* whole chunks or segments that only `from` has places for, as they are */
    word_list own_words; /* what they are */
    word_list curve;     /* gAMA and cHRM, if they are among them */
    bool standard;  /* and if they are told anew by sRGB, which is what no word means elsewhere */
    uint32_t gamma; /* gAMA, if nothing outweighs it: 100000 / the display's exponent; 0: none */
    word_list lost; /* what is carried nowhere */
    bool starved;   /* there was not enough memory for all of it */
} metadata;

/* Adds the word unless the list has it. A list that is full ends in "...". */
void words_add(word_list *list, const char *word);
bool words_have(const word_list *list, const char *word);

enum {
    METADATA_MOST = 64 << 20, /* bytes in all that are carried as they are */
    PROFILE_MOST = 16 << 20   /* unpacked */
};

void metadata_read_png(metadata *m, bytes file);
void metadata_read_jpeg(metadata *m, bytes file);
void metadata_write_png(const metadata *m, blob *out);
void metadata_write_jpeg(const metadata *m, blob *out);

/* These take what a record of either format holds, or note that it is damaged, or a second one. */
void metadata_take_icc(metadata *m, bytes profile, const char *name);
void metadata_take_exif(metadata *m, bytes tiff);
void metadata_take_xmp(metadata *m, bytes packet);

/* "WHAT (WHY)" is lost. */
void metadata_lose(metadata *m, const char *what, const char *why);

/* What a JPEG can hold of one kind. */
enum { JPEG_EXIF_MOST = 65533 - 6, JPEG_XMP_MOST = 65533 - 29, JPEG_ICC_MOST = 255 * (65533 - 14) };

#endif
