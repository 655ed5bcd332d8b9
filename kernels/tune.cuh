/* Every block size, and what is known about it. Measured: NVIDIA H200, device events, median of 21,
 * commit fa4d04d.
 *
 * table, 8192x8192 gray u8 -> u32, with the sizes below: 0.473 ms, 5.6 times the copy of the same
 * bytes (0.085 ms). The passes' own traffic bounds it to 4.2 times: the rows move the copy's 5 bytes
 * a pixel, the columns read and write 8 more, and so do their offsets. Other sizes can win a quarter
 * at most; fewer passes are what would make it fast.
 * box, statistics: first choices, not tuned yet. */
#ifndef SATK_TUNE_CUH
#define SATK_TUNE_CUH

#define SATK_WARP 32

/* sat_cuda.cu, rows: a block of SATK_ROW_WARPS warps scans a section of SATK_ROW_SECTION pixels;
 * each lane has SATK_ROW_ITEMS pixels in flight, a warp's width apart, so loads and stores are
 * coalesced. */
#define SATK_ROW_WARPS   8
#define SATK_ROW_ITEMS   4
#define SATK_ROW_SECTION (SATK_ROW_WARPS * SATK_WARP * SATK_ROW_ITEMS)

/* sat_cuda.cu, columns: a thread walks SATK_COLUMN_STRIP rows of one table column,
 * SATK_COLUMN_ITEMS in flight. */
#define SATK_COLUMN_THREADS 256
#define SATK_COLUMN_ITEMS   8
#define SATK_OFFSET_THREADS 256 /* adds offsets to the section sums, a word per thread */
#define SATK_COLUMN_STRIP   64

/* box_cuda.cu: a block is one tile of the output; a warp covers neighbouring pixels of one row,
 * whose table reads share cache lines. */
#define SATK_BOX_WIDTH  32
#define SATK_BOX_HEIGHT 8

/* reduce_cuda.cu, histogram_cuda.cu: blocks per multiprocessor of a grid that strides over the
 * image. */
#define SATK_STATS_THREADS 256
#define SATK_STATS_TILE    2048 /* pixels of a row that a block takes at a time */
#define SATK_STATS_BLOCKS  8

#endif
