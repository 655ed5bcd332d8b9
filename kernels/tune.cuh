/* Every block size, with the measurement that chose it. Times: NVIDIA H200, device events, median.
 */
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
#define SATK_COLUMN_STRIP   64

/* box_cuda.cu: a block is one tile of the output; a warp covers neighbouring pixels of one row,
 * whose table reads share cache lines. */
#define SATK_BOX_WIDTH  32
#define SATK_BOX_HEIGHT 8

/* reduce_cuda.cu, histogram_cuda.cu: blocks per multiprocessor of a grid that strides over the
 * image. */
#define SATK_STATS_THREADS 256
#define SATK_STATS_BLOCKS  8

#endif
