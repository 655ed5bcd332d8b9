/* The rounds in which surfaces grow into holes, from their rims inwards. For the CPU. */
#ifndef SATK_FILL_GROW_H
#define SATK_FILL_GROW_H

#include "fill/fill.h"
#include "fill/fill_gaps.h"

typedef struct satk_fill_hole {
    int x, y;
    uint16_t code;
    uint8_t level; /* of its support */
} satk_fill_hole;

typedef struct satk_fill_rims {
    satk_fill_votes votes; /* of the map that is being filled; holes are mute */
    satk_fill_gaps gaps;
    int near_black, threads;
    uint8_t *state;        /* by sample; zeros at first */
    satk_fill_hole *holes; /* on the rims; room for all holes */
    satk_fill_hole *told;  /* those that become known; as much room */
    size_t count;
} satk_fill_rims;

/* Fills all holes of rims->votes.map. counts: of a satk_fill; sets those of rounds and of the rest. */
void satk_fill_grow(satk_fill_rims *rims, uint64_t *counts);

#endif
