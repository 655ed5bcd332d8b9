/* Shared by the tests of HEIC: files put together box by box, with the pictures and properties that libheif cannot
 * write. */
#ifndef SATBLUR_TESTS_HEIF_CASE_H
#define SATBLUR_TESTS_HEIF_CASE_H

#include "image/shape.h"
#include "unit/codec/codec_case.h"

typedef struct heif_case_part {
    satb_image image;
    const char *type;   /* of an auxiliary picture of the first part; NULL: none */
    bool premultiplies; /* alpha by which the first part's colours have been multiplied */
    bytes sei;          /* behind the type: units with their sizes */
    const char *xmp;    /* about this part; NULL: none */
    int quarters;       /* of a turn anticlockwise, by irot; 0: no irot */
    int axis;           /* 1 + imir's axis; 0: no imir */
    const char *nclx;   /* bytes 0 .. 6 of a colr box behind its kind; NULL: none */
    const char *group;  /* of the first part: the kind of a group of all; NULL: there is none */
} heif_case_part;

/* Returns a file of up to 8 pictures, of which the first is the primary one. */
blob heif_case_file(const heif_case_part *parts, int count);

/* Returns a message about a depth map's disparities, or about its depths: each limit is a power of 2. */
bytes heif_case_sei(uint8_t to[32], bool is_depth, int low_exponent, int high_exponent);

/* Returns a picture whose gray grows from one corner to the other, so that no two turns of it look alike. */
satb_image heif_case_ramp(int width, int height);

#endif
