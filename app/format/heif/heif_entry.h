/* An item of a HEIF file, and all of them: types, and the search in what has been read. */
#ifndef SATBLUR_APP_HEIF_ENTRY_H
#define SATBLUR_APP_HEIF_ENTRY_H

#include "base/message.h"
#include "format/heif/heif_box.h"

/* Limits of a file. A picture of 16384 x 16384 in tiles of 512 has 1024 of them. libheif's time grows with the square of the
 * number of items. */
enum {
    HEIF_ITEMS = 2048,
    HEIF_EXTENTS = 4096,    /* pieces of data, of all items */
    HEIF_REFERENCES = 8192, /* from item to item, of all kinds */
    HEIF_PROPERTIES = 8192
};

/* Of samples: all codes, or those of studio video, 16 .. 235 of 255. */
typedef enum heif_range { HEIF_RANGE_UNKNOWN, HEIF_RANGE_LIMITED, HEIF_RANGE_FULL } heif_range;

typedef struct heif_properties {
    int orientation; /* EXIF's number for irot and imir in their order; 1: none */
    bool is_cropped; /* clap */
    bool is_gray;    /* the decoder's configuration has no colours */
    heif_range range;
    int transfer;     /* of nclx, by its code of ITU-T H.273; 0: unknown */
    bool has_profile; /* an ICC profile */
} heif_properties;

enum { HEIF_NO_ITEM = -1 };

typedef struct heif_entry {
    uint32_t id, kind;
    bool is_located;                 /* its data has been named, which may be none */
    bool has_properties;             /* its list of them has been found */
    uint32_t width, height;          /* as it says; 0: it does not */
    bytes coding;                    /* hvcC or av1C */
    bool is_alpha;                   /* by its type */
    bytes auxiliary;                 /* its type, behind which there may be more */
    bool is_auxiliary, is_thumbnail; /* of another item */
    bool is_part;                    /* another item is derived from it */
    bool is_hidden;                  /* it is not shown */
    bool is_mirrored;                /* left and right, before turns */
    unsigned quarters;               /* of a turn anticlockwise */
    int first_extent, extents;       /* in heif_items.extent */
    int first_part, parts;           /* of what it is derived, in heif_items.part */
    int alpha;                       /* index of the entry with its alpha, or HEIF_NO_ITEM */
    heif_properties properties;
} heif_entry;

typedef struct heif_items {
    bytes file, idat;
    bytes groups; /* boxes of grpl */
    heif_box property[HEIF_PROPERTIES];
    heif_entry entry[HEIF_ITEMS];
    bytes extent[HEIF_EXTENTS];
    int part[HEIF_REFERENCES]; /* indices of entries */
    int properties, count, extents, parts, references;
    int primary; /* index of an entry */
} heif_items;

/* Returns the index of the entry with that id, or HEIF_NO_ITEM. */
int heif_items_find(const heif_items *items, uint32_t id);

/* Finds an item's data, in one piece. *gathered is for free(). False: p has a sentence. */
bool heif_items_data(const heif_items *items, const heif_entry *e, bytes *data, void **gathered,
                     problem *p);

/* Set a sentence for those who read it. Return false always. */
bool heif_items_damaged(problem *p, const char *what);
bool heif_items_too_many(problem *p, const char *what, int most);

#endif
