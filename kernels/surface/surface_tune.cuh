/* Sizes of the surface kernels' blocks. */
#ifndef SATK_SURFACE_TUNE_CUH
#define SATK_SURFACE_TUNE_CUH

#include "common/tune.cuh"

#define SATK_SURFACE_STRIP   4 /* rows of a thread's strip */
#define SATK_SURFACE_THREADS 256
/* Blocks of a multiprocessor, of 40 registers a thread: fewer hide less of the memory's latency. */
#define SATK_SURFACE_RESIDENT 6
#ifndef SATK_SURFACE_BLOCKS /* eight of a multiprocessor of those with the most; the emulated device has fewer */
#define SATK_SURFACE_BLOCKS (8 * 132)
#endif
#define SATK_SURFACE_ROWS (SATK_SURFACE_THREADS / SATK_WARP * SATK_SURFACE_STRIP) /* of a block */

/* Rows of a tile that doubt spreads to at a time: with the farthest reach, 510 pixels, their columns' sums take 34 KB of
 * shared memory, of 48. */
#define SATK_DOUBT_ROWS 4

/* A tile of resampled pixels: a row of it is whole sectors of memory, and its taps are made once for HIGH rows. */
#define SATK_RESAMPLE_WIDE    128
#define SATK_RESAMPLE_HIGH    16
#define SATK_RESAMPLE_THREADS 256
/* `fill`: few blocks meet sooner at a barrier, and 64 registers hold a hole's voters. */
#define SATK_FILL_THREADS 512
#define SATK_FILL_BLOCKS  2    /* of a multiprocessor */
#define SATK_FILL_SAMPLES 1024 /* of a map, for each block: a smaller map has fewer */
#define SATK_FILL_BATCH   64   /* gaps judged at a time, with a table of 16 KB each */
#define SATK_FILL_NAP     20   /* nanoseconds between two looks at a barrier */

#endif
