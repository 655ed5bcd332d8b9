/* Marks the edges of a map of codes, and those of its samples that are on ramps. For the CPU; surface.h has it for CUDA
 * devices.
 *
 * A sample is on an edge if the range of the codes of the 3 x 3 around it is above `least` and no less than half of
 * that of the 9 x 9: on a slope it is a quarter. A sample on an edge is on a ramp if its code lies between those of two
 * opposite neighbours, further than 1/16 of the 9 x 9's range from both. Beside the map there are no samples. Near the
 * map's borders the 9 x 9 are those of the closest sample whose 9 x 9 lie within, or else slopes would be edges there.
 *
 * map         one channel, at least 9 x 9 samples
 * edge, ramp  rows of bits: sample x is bit x % 64 of word x / 64; words without a set bit stay as they are
 * work        at least satk_mark_scratch_cpu() bytes, 64-byte aligned; contents undefined before and after */
#ifndef SATK_SURFACE_MARK_CPU_H
#define SATK_SURFACE_MARK_CPU_H

#include "common/cpu_level.h"
#include "common/plane.h"

enum {
    SATK_MARK_LEAST_SIDE = 9, /* of a map, in samples */
    SATK_MARK_SEGMENT = 64    /* samples of a row: those of a word of bits */
};

typedef struct satk_marking {
    satk_plane map;
    uint32_t least;
    uint64_t *edge, *ramp; /* row 0 */
    size_t words;          /* from a row to the next */
} satk_marking;

size_t satk_mark_scratch_cpu(const satk_plane *map);

/* Marks rows first <= y < last. */
typedef void satk_mark_function(const satk_marking *job, int first, int last, void *work);

satk_mark_function satk_mark_cpu, satk_mark_plain, satk_mark_avx2, satk_mark_avx512;

/* --- Work ------------------------------------------------------------------------------------- */

/* A ring has rows of extremes: those of three rows in each column. Three of them are nine rows. */
enum {
    SATK_MARK_RING = 8, /* rows: those of the 9 x 9 and, at the map's borders, of the row */
    SATK_MARK_AROUND = (SATK_MARK_LEAST_SIDE - 1) / 2, /* samples to each side */
    SATK_MARK_WIDE = 3 * SATK_MARK_SEGMENT / 2 /* a segment and those around it, in whole vectors */
};

/* Returns the samples of a row of extremes: one before the map's, and those that a segment reads
 * behind them. */
static inline size_t satk_mark_pitch(int width)
{
    return ((size_t)width + 1 + SATK_MARK_WIDE + 63) / 64 * 64;
}

#endif
