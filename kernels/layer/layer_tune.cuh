/* Sizes of the layer kernels' tiles, blocks and batches. */
#ifndef SATK_LAYER_TUNE_CUH
#define SATK_LAYER_TUNE_CUH

#include "common/tune.cuh"

#define SATK_LAYER_SIDE 32 /* pixels or cells of a tile, each way: a warp's width */

/* Rows of threads that find the slabs of a tile's pixels: a thread has the others of its column. */
#define SATK_LAYER_OWN_ROWS 8

/* Rows of a tile that a block lays: small blocks start and end at different times. Four blocks of a
 * multiprocessor spill no register, five do. */
#define SATK_LAYER_PART_ROWS  8
#define SATK_LAYER_LAY_BLOCKS 4

/* Of a block that finds small squares: its warps, and the rows that each one goes down. */
#define SATK_STRIPE_WARPS 2
#define SATK_STRIPE_ROWS  32

/* Of a block that finds large squares: threads along a row, of sixteen pixels each, and rows. A thread has more rows. */
#define SATK_SQUARES_RUNS 32
#define SATK_SQUARES_ROWS 4
#define SATK_SQUARES_DOWN 4

#define SATK_LAYER_RUN        4  /* pixels of a tile that a thread scans */
#define SATK_LAYER_SCAN_WARPS 16 /* of a block that scans the tiles' sums */

/* The most slabs of a batch, which share one pass over the picture: a bit each, of a word of 32, and
 * one more. */
#define SATK_LAYER_BATCH 24

/* The bytes a pixel that tables, squares and lights take of a picture for which SATK_LAYER_BYTES are fewer: as many as at
 * 3840 x 2160. So the parts of a large picture are no smaller, and its batches have as many slabs. */
#ifndef SATK_LAYER_PIXEL_BYTES
#define SATK_LAYER_PIXEL_BYTES 131
#endif

/* The least rows of tiles of a part, if there is more than one slab: fewer tiles leave much of a device idle. */
#ifndef SATK_LAYER_LEAST_PART
#define SATK_LAYER_LEAST_PART 8
#endif

/* The largest sum of a table whose words are 32 bits. A build with a smaller one tests the words of 64
 * bits on small pictures. */
#ifndef SATK_NARROW_SUM
#define SATK_NARROW_SUM 0xffffffffull
#endif

#endif
