/* A tile of satk_spread_cpu(). spread_tile.c is compiled several times, each for other instructions of the CPU: CMake
 * gives SATK_LEVEL, and each copy has a name of its own. */
#ifndef SATK_SPREAD_TILE_H
#define SATK_SPREAD_TILE_H

#include "common/cpu_level.h"
#include "spread/spread_rule.h"

/* Two lanes. */
typedef uint64_t satk_pair __attribute__((vector_size(16)));
enum { SATK_SPREAD_MOST_PAIRS = (SATK_SPREAD_MOST_LANES + 1) / 2 };

typedef struct satk_spread_tile {
    int left, top, width, height;
    satk_pair *deltas; /* room for satk_spread_tile_pairs() */
} satk_spread_tile;

/* Returns the pairs of lanes of a pixel of the tile. */
static inline int satk_spread_pairs(int channels, int opaque)
{
    return (satk_spread_lanes(channels, opaque) + 1) / 2;
}

/* Returns the pairs of a tile, with a column and a row beyond it. */
static inline size_t satk_spread_tile_pairs(const satk_spread *job, int width, int height)
{
    return ((size_t)width + 1) * ((size_t)height + 1) *
           (size_t)satk_spread_pairs(job->src.channels, job->tone.opaque);
}

typedef void satk_spread_function(const satk_spread *job, const satk_spread_tile *tile);

satk_spread_function satk_spread_tile_plain, satk_spread_tile_avx2, satk_spread_tile_avx512;

#endif
