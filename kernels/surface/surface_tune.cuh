/* Sizes of the surface kernels' blocks. */
#ifndef SATK_SURFACE_TUNE_CUH
#define SATK_SURFACE_TUNE_CUH

#include "common/tune.cuh"

#define SATK_SURFACE_STRIP   4 /* rows of a thread's strip */
#define SATK_SURFACE_THREADS 256
#define SATK_SURFACE_ROWS    (SATK_SURFACE_THREADS / SATK_WARP * SATK_SURFACE_STRIP) /* of a block */

#endif
