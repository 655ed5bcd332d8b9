/* Depth maps and mattes that lie within a photo's own file, as phones write them: what is found there, decoded, and what
 * its codes mean. */
#ifndef SATBLUR_APP_EMBEDDED_H
#define SATBLUR_APP_EMBEDDED_H

#include "base/blob.h"
#include "base/message.h"
#include "codec/codec.h"

#include <satblur.h>

#include <stdbool.h>

typedef enum embedded_kind { EMBEDDED_DEPTH, EMBEDDED_MATTE } embedded_kind;

typedef enum embedded_status {
    EMBEDDED_FOUND,
    EMBEDDED_NONE,  /* the file has none, and nothing is wrong */
    EMBEDDED_FAILED /* it has one that cannot be read: p has a sentence without the file's name */
} embedded_status;

typedef struct embedded_meaning { /* of a depth map's codes */
    satb_depth_type type;
    bool near_black;
    bool near_is_assumed;               /* the file does not say near_black, nor does its kind */
    double distance_near, distance_far; /* metres at the nearest and the farthest code; FAR may be
                                           infinite for disparity; 0 and 0: unknown */
    satb_holes holes;                   /* DEFAULT: unknown, as the map was not kept by satblur */
    double range_low, range_high;       /* of a kept map, as in satb_dof_params */
    bool is_turned; /* of a kept map: its file has 0 in place of the largest code, and so on */
} embedded_meaning;

typedef struct embedded_map {
    /* The codes, or the values of an EXR; without an orientation of its own it is aligned with the photo's stored pixels. */
    picture picture;
    const char *source; /* "Google depth (XMP)", ...; static memory */
    embedded_meaning means;
    /* The photo before the phone blurred it: a whole JPEG in the file's memory or in original_memory. size 0: none. */
    bytes original;
    blob original_memory;
} embedded_map;

/* Finds the map in a photo's whole file and decodes it. Of the settings, choice, max_pixels and channel count. What was found
 * is for embedded_free(), and out->original is valid while `file` is. Otherwise nothing is left to free. */
embedded_status embedded_find(bytes file, embedded_kind kind, const decode_settings *settings,
                              embedded_map *out, problem *p);

void embedded_free(embedded_map *map);

/* Writes what a map means into the XMP of a JPEG's metadata, as Google's GDepth. is_own: the photo's own map is not lost. False: p
 * has a sentence. */
bool embedded_describe(metadata *m, const embedded_meaning *means, bool is_own, problem *p);

/* Adds that map: a PNG, which is freed. False: memory ran out. */
bool embedded_add(metadata *m, blob *png);

#endif
