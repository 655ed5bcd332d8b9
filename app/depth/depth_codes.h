/* Numbers of a depth map become 16-bit codes of disparity, which is all that the library knows. */
#ifndef SATBLUR_APP_DEPTH_CODES_H
#define SATBLUR_APP_DEPTH_CODES_H

#include "base/message.h"
#include "depth/depth_preset.h"
#include "image/values.h"

#include <satblur.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct depth_request {
    depth_meaning meaning;
    /* With has_ends, the numbers that become the ends of the scale, in metres for DEPTH_METRES; those beyond are clipped.
     * The second may be infinite there. With is_percent they are percentiles of the finite numbers. Otherwise the least
     * and the most that occur are the ends. */
    double ends[2];
    bool has_ends, is_percent;
    bool
        may_miss; /* a map without a number between the ends is no error: they are those of many maps */
} depth_request;

typedef struct depth_codes {
    satb_image image;   /* gray, 16 bits, dense; for pixels_free() */
    double least, most; /* the numbers at the ends of the scale; metres for DEPTH_METRES */
    bool reaches_infinity;
    uint64_t unknown; /* samples without a depth: their code is 0, and others have 1 to 65535 */
} depth_codes;

/* Where a map's codes come from. */
typedef struct depth_origin {
    bool is_made;       /* the codes were made here; otherwise nothing else is set */
    bool has_numbers;   /* the file has numbers; otherwise codes with a unit */
    const char *format; /* "EXR", ...; static memory */
    char from[64];      /* the channel or the array, or "" */
    depth_meaning meaning;
    bool is_assumed;   /* the file's names alone say so */
    depth_codes codes; /* without the image */
} depth_origin;

/* Returns a map's number, in metres for DEPTH_METRES; NaN: unknown. satb_depth_codes() says which numbers are unknown, and
 * which are infinitely far. */
double depth_number(const depth_meaning *meaning, float number);

/* Makes the codes of v. NaN is unknown; so are infinities, but in DEPTH_METRES +infinity and numbers from 10^9 on are
 * infinitely far, and 0 and negative numbers are unknown.
 *   DEPTH_METRES     codes are linear in 1/distance, from 1/most (or 0) to 1/least, and the largest is nearest
 *   all others       codes are linear in the number
 * Without unknown samples the codes are 0 to 65535. If all numbers are the same, all codes are the largest. False: p has
 * a sentence without the file's name; no number is a depth, or memory ran out. */
bool depth_codes_make(depth_codes *out, const values *v, const depth_request *request, problem *p);

/* Returns where a number of the map lies between the ends of its codes, 0 to 1. One beyond them counts as the nearer end. */
double depth_codes_find(const depth_codes *c, const depth_meaning *meaning, double number);

/* Sets the ends to the finite numbers at those per cents, 0 to 100, of them in order. False: p has a sentence. */
bool depth_percentiles(const values *v, const double per_cent[2], double ends[2], problem *p);

#endif
