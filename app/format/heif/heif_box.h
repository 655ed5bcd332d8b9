/* The boxes of a HEIF file (ISO/IEC 14496-12 and 23008-12), and the kind of the file. */
#ifndef SATBLUR_APP_HEIF_BOX_H
#define SATBLUR_APP_HEIF_BOX_H

#include "base/blob.h"

typedef enum heif_kind { HEIF_NONE, HEIF_HEIC, HEIF_AVIF } heif_kind;

/* Returns the kind by the brands of a whole ftyp box at the beginning. */
heif_kind heif_kind_of(bytes file);

/* Four characters as a number: of a box, of an item, of a reference. */
#define HEIF_KIND(a, b, c, d)                                                                      \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

typedef struct heif_box {
    uint32_t kind;
    bytes data; /* behind its head */
} heif_box;

/* Takes the next box off *from. False: there is no whole one. */
bool heif_next_box(bytes *from, heif_box *b);

/* Returns the number of up to 8 bytes at a place, the high one first. 0: it does not lie within. */
uint64_t heif_number(bytes from, size_t at, int size);

/* Returns the bytes behind the first ones. */
bytes heif_behind(bytes from, size_t count);

/* Numbers in their order. */
typedef struct heif_cursor {
    bytes rest;
    bool is_short; /* there were too few bytes, which count as 0 */
} heif_cursor;

uint64_t heif_take(heif_cursor *c, int size);

/* Takes version and flags of a full box. Returns the version. */
int heif_take_version(heif_cursor *c);

#endif
