/* The connected parts of a map's unknown depth, and the surfaces that may grow into each. A sensor sees nothing out of its
 * range, and stereo cameras nothing that one of them does not see: both are behind the rim's nearer side. */
#ifndef SATB_DEPTH_GAPS_H
#define SATB_DEPTH_GAPS_H

#include "depth/depth_parts.h"

enum { SATB_TINTS = 512 }; /* coarse colours: 3 bits a channel */

typedef struct satb_gap {
    int is_choosy;   /* 0: every surface may grow into it */
    uint32_t behind; /* farness from which a surface is the far side; any colour may be its */
    uint16_t code;   /* of what no surface grew into: the far side's */
    uint64_t alike[SATB_TINTS / 64]; /* a bit for each of a nearer surface's own colours */
} satb_gap;

typedef struct satb_gaps {
    satb_parts parts; /* of[]: the number of a sample's gap */
    satb_gap *gaps;   /* the first stands for all small ones */
} satb_gaps;

/* Returns a 16-bit code's distance from the nearest. */
static inline uint32_t satb_farness(uint32_t code, int near_black)
{
    return near_black ? code : UINT16_MAX - code;
}

/* Returns the coarse colour of a colour with red in the lowest byte. */
static inline uint32_t satb_tint(uint32_t colour)
{
    return (colour >> 5 & 7) | (colour >> 10 & 0x38) | (colour >> 15 & 0x1c0);
}

/* Returns how far around unknown samples the surfaces of a map show their colours, in samples. */
int satb_gap_reach(const satb_image *map);

/* Finds the gaps. votes: known samples are not mute, and colours are known within satb_gap_reach() of the mute ones.
 * unknown: the number of these. Returns 0 if memory ran out; the gaps are to be closed in any case. */
int satb_open_gaps(satb_gaps *gaps, const satb_votes *votes, size_t unknown, int near_black);

void satb_close_gaps(satb_gaps *gaps, const satb_votes *votes);

#endif
