/* The connected parts of a map's unknown samples: those side by side, or one above the other. For the CPU. */
#ifndef SATK_FILL_PARTS_H
#define SATK_FILL_PARTS_H

#include "fill/fill_votes.h"

#define SATK_RIM ((uint32_t)1 << 31) /* in a list of samples: a known one is beside it */

typedef struct satk_fill_parts {
    uint32_t *of;     /* by sample: the number of its part, if it is unknown */
    uint32_t *sorted; /* unknown samples, part by part: y * width + x, and SATK_RIM */
    uint32_t *first;  /* by part: where it begins in these; one more is where the last ends */
    uint32_t count;
} satk_fill_parts;

/* Finds the parts. The caller has set the pointers: of[] has room for all samples, sorted[] and `list` for the unknown ones,
 * and first[] for two more. list: undefined afterwards. */
void satk_fill_find_parts(satk_fill_parts *parts, const satk_fill_votes *votes, uint32_t *list);

#endif
