/* Where a map of codes has edges, and where these are soft. For the CPU; surface.h has it for CUDA devices.
 *
 * An edge is where the range of the codes of the 3 x 3 samples around is above `least` and no less
 * than a third of that of the 9 x 9: on a slope it is a quarter. A ramp is where the code of a sample
 * on an edge lies between those of two opposite neighbours, further than 1/16 of the 9 x 9's range
 * from both. Beside the map there are no samples, and near its borders the 9 x 9 are those of the
 * closest sample whose 9 x 9 lie within: or else slopes would be edges there.
 *
 * map         one channel, at least 9 x 9 samples
 * edge, ramp  rows of bits: sample x is bit x % 64 of word x / 64; where there are none, words stay
 * work        at least satk_ramp_room() bytes, 64-byte aligned */
#ifndef SATK_RAMP_H
#define SATK_RAMP_H

#include "common/cpu_level.h"
#include "common/plane.h"

enum {
    SATK_RAMP_LEAST_SIDE = 9, /* of a map, in samples */
    SATK_RAMP_SEGMENT = 64    /* samples of a row: those of a word of bits */
};

typedef struct satk_ramps {
    satk_plane map;
    uint32_t least;
    uint64_t *edge, *ramp; /* row 0 */
    size_t words;          /* from a row to the next */
} satk_ramps;

size_t satk_ramp_room(const satk_plane *map);

/* Rows first <= y < last. */
typedef void satk_ramp_function(const satk_ramps *job, int first, int last, void *work);

satk_ramp_function satk_ramp, satk_ramp_plain, satk_ramp_avx2, satk_ramp_avx512;

#endif
