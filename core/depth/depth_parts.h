/* The connected parts of a map's unknown samples: those side by side, or one above the other. */
#ifndef SATB_DEPTH_PARTS_H
#define SATB_DEPTH_PARTS_H

#include "depth/depth_votes.h"

#define SATB_RIM ((uint32_t)1 << 31) /* in a list of samples: a known one is beside it */

typedef struct satb_parts {
    uint32_t *of;     /* by sample: the number of its part, if it is unknown */
    uint32_t *sorted; /* unknown samples, part by part: y * width + x, and SATB_RIM */
    uint32_t *first;  /* by part: where it begins in these; one more is where the last ends */
    uint32_t count;
} satb_parts;

/* Returns whether a sample is known: it is not mute. */
static inline int satb_is_known(const satb_votes *votes, int x, int y)
{
    return !satb_has_bit(&votes->mute, x, y);
}

/* Finds the parts. unknown: the number of mute samples. Returns 0 if memory ran out; the parts are to be closed in any
 * case. */
int satb_open_parts(satb_parts *parts, const satb_votes *votes, size_t unknown);

void satb_close_parts(satb_parts *parts, const satb_votes *votes);

#endif
