/* The gaps of a map, and the surfaces that may grow into each. For the CPU. */
#ifndef SATK_FILL_GAPS_H
#define SATK_FILL_GAPS_H

#include "fill/fill_parts.h"

typedef struct satk_fill_gaps {
    satk_fill_parts parts; /* of[]: the number of a sample's gap */
    satk_gap *gaps;        /* the first stands for all small ones */
    uint32_t large;        /* how many the others are */
    uint32_t *list;        /* room for all unknown samples */
    uint32_t *codes;       /* room for a count of each code, for each thread */
} satk_fill_gaps;

/* Finds the gaps. The caller has set the pointers; gaps[] has room for one, and one more for each SATK_GAP_LEAST unknown
 * samples. votes: colours are known around the unknown samples, as far as the rings reach. */
void satk_fill_find_gaps(satk_fill_gaps *gaps, const satk_fill_votes *votes, int near_black,
                         int threads);

#endif
