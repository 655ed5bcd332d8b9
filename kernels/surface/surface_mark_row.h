/* How satk_ramp() works: the extremes of three rows in each column, in a ring of rows; three of these are
 * nine rows. ramp_row.c is compiled several times, see cpu_level.h. */
#ifndef SATK_RAMP_ROW_H
#define SATK_RAMP_ROW_H

#include "surface/surface_mark_cpu.h"

enum {
    SATK_RAMP_RING =
        8, /* rows of extremes: those of the 9 x 9 and, at the map's borders, of the row */
    SATK_RAMP_AROUND = (SATK_RAMP_LEAST_SIDE - 1) / 2, /* samples to each side */
    SATK_RAMP_WIDE =
        3 * SATK_RAMP_SEGMENT / 2 /* a segment and what is around it, in whole vectors */
};

/* Of a row of extremes, in samples: one before the map's, and what a segment may look at behind them. */
static inline size_t satk_ramp_pitch(int width)
{
    return ((size_t)width + 1 + SATK_RAMP_WIDE + 63) / 64 * 64;
}

#endif
