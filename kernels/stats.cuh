/* How the statistics walk an image: a grid of fixed size strides over tiles of one row each. */
#ifndef SATK_STATS_CUH
#define SATK_STATS_CUH

#include "plane.h"
#include "tune.cuh"

static inline unsigned satk_tiles_across(const satk_plane *src)
{
    return (unsigned)(src->width + SATK_STATS_TILE - 1) / SATK_STATS_TILE;
}

/* Blocks for the grid: enough to fill the device, no more than there are tiles. */
static inline int satk_stats_grid(const satk_plane *src, unsigned *blocks)
{
    int device = 0, processors = 0;

    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    const uint64_t tiles = (uint64_t)satk_tiles_across(src) * (uint64_t)src->height;
    const uint64_t full = (uint64_t)processors * SATK_STATS_BLOCKS;
    *blocks = (unsigned)(tiles < full ? tiles : full);
    return (int)error;
}

#endif
