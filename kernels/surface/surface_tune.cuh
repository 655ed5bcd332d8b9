/* Sizes of the surface kernels' blocks. */
#ifndef SATK_SURFACE_TUNE_CUH
#define SATK_SURFACE_TUNE_CUH

#include "common/tune.cuh"

#define SATK_SURFACE_STRIP   4 /* rows of a thread's strip */
#define SATK_SURFACE_THREADS 256
#define SATK_SURFACE_ROWS    (SATK_SURFACE_THREADS / SATK_WARP * SATK_SURFACE_STRIP) /* of a block */

#define SATK_FILL_THREADS                                                                          \
    512 /* of the blocks of `fill` that meet at barriers: few blocks meet sooner */
#define SATK_FILL_BLOCKS 2 /* of a multiprocessor: 64 registers a thread hold a hole's voters */
#define SATK_FILL_TAKEN                                                                            \
    256 /* holes that a block takes at a time: eight times as many fit its queue */
#define SATK_FILL_BATCH 64 /* gaps judged at a time, with a table of 16 KB each */
#define SATK_FILL_NAP   20 /* nanoseconds between two looks at a barrier */
#define SATK_FILL_SAMPLES                                                                          \
    1024 /* of a map for each block: a smaller one has fewer blocks to wait for */

#endif
