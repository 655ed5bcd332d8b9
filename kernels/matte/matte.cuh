/* The tiles of pictures with a matte: a block has one, and each of its threads a strip of pixels below each other. */
#ifndef SATK_MATTE_CUH
#define SATK_MATTE_CUH

#include "common/launch.cuh"
#include "common/scan.cuh"
#include "matte/matte_rule.h"
#include "matte/matte_tune.cuh"

static inline __host__ __device__ unsigned satk_matte_tiles(int n)
{
    return ((unsigned)n + SATK_MATTE_TILE - 1) / SATK_MATTE_TILE;
}

/* Returns the blocks of a picture. */
static inline unsigned satk_matte_blocks(const satk_plane *plane)
{
    return satk_matte_tiles(plane->width) * satk_matte_tiles(plane->height);
}

/* A rectangle x0 <= x < x1, y0 <= y < y1. */
struct satk_matte_area {
    int x0, x1, y0, y1;

    __device__ __forceinline__ uint64_t pixels() const
    {
        return (uint64_t)(x1 - x0) * (uint64_t)(y1 - y0);
    }
};

/* Returns the part of the picture within r pixels of a rectangle. */
static __device__ __forceinline__ satk_matte_area satk_matte_around(satk_matte_area a, int r,
                                                                    int width, int height)
{
    return {max(a.x0 - r, 0), min(a.x1 + r, width), max(a.y0 - r, 0), min(a.y1 + r, height)};
}

/* Returns the block's tile within the picture. */
static __device__ __forceinline__ satk_matte_area satk_matte_tile(const satk_plane &plane)
{
    const unsigned across = satk_matte_tiles(plane.width);
    const int x = (int)(blockIdx.x % across) * SATK_MATTE_TILE;
    const int y = (int)(blockIdx.x / across) * SATK_MATTE_TILE;

    return {x, min(x + SATK_MATTE_TILE, plane.width), y, min(y + SATK_MATTE_TILE, plane.height)};
}

/* Return the column of a thread's strip, and its first row. The strip ends at the tile's end. */
static __device__ __forceinline__ int satk_matte_column(satk_matte_area tile)
{
    return tile.x0 + (int)(threadIdx.x % SATK_WARP);
}

static __device__ __forceinline__ int satk_matte_row(satk_matte_area tile)
{
    return tile.y0 + (int)(threadIdx.x / SATK_WARP) * SATK_MATTE_STRIP;
}

/* Adds the warp's sum to a count. All its threads call it. */
static __device__ __forceinline__ void satk_matte_add(uint64_t *count, unsigned part)
{
    const unsigned sum = satk_warp_total(part);

    if (threadIdx.x % SATK_WARP == 0 && sum)
        atomicAdd((unsigned long long *)count, (unsigned long long)sum);
}

#endif
