/* The blocks of the kernels of points.h, and the scratch memory of satk_points_find_cuda(). */
#ifndef SATK_POINTS_CUH
#define SATK_POINTS_CUH

#include "common/launch.cuh"
#include "common/scan.cuh"
#include "highlight/points.h"

#define SATK_POINTS_THREADS 256 /* of a block: along a row */

static_assert(SATK_POINT_RUN == SATK_WARP, "a warp has the pixels of a run");

static inline unsigned satk_points_blocks(const satk_points *job)
{
    return ((unsigned)job->src.width + SATK_POINTS_THREADS - 1) / SATK_POINTS_THREADS;
}

/* Finds a thread's pixel: blocks are runs of a row, of pixels or of cells. */
static __device__ __forceinline__ bool satk_points_pixel(const satk_plane &plane, int *x, int *y)
{
    const unsigned across = ((unsigned)plane.width + SATK_POINTS_THREADS - 1) / SATK_POINTS_THREADS;

    *x = (int)(blockIdx.x % across * SATK_POINTS_THREADS + threadIdx.x);
    *y = (int)(blockIdx.x / across);
    return *x < plane.width;
}

size_t satk_points_find_scratch_cuda(const satk_points *job);

#endif
