/* Sizes of the table builders' blocks and tiles. */
#ifndef SATK_SAT_TUNE_CUH
#define SATK_SAT_TUNE_CUH

#include "common/tune.cuh"

/* --- Rows and columns (sat_rows_columns.cuh) -------------------------------------------------- */

/* A block scans a section of a row. A lane's pixels are a warp's width apart: loads are coalesced. */
#define SATK_ROW_WARPS   8
#define SATK_ROW_ITEMS   4 /* pixels of a lane, all loaded before the first is used */
#define SATK_ROW_SECTION (SATK_ROW_WARPS * SATK_WARP * SATK_ROW_ITEMS)

/* A thread walks one column of words down a strip of rows. The passes' own traffic bounds the time,
 * not these sizes. */
#define SATK_COLUMN_THREADS 256
#define SATK_COLUMN_ITEMS   8 /* rows in flight */
#define SATK_COLUMN_STRIP   64
#define SATK_OFFSET_THREADS 256 /* adds offsets to the section sums, a word a thread */

/* --- Look-back (sat_tile.cuh, sat_lookback_cuda.cu) ------------------------------------------- */

/* Pixels of a lane: 16 bytes of words where they divide, for one wide store a lane. */
#define SATK_LOOKBACK_PIXELS(channels, word)                                                       \
    ((channels) == 3 ? 16 / (word) : (channels) * (word) < 16 ? 16 / ((channels) * (word)) : 1)
/* Warps of a large tile, side by side and above each other: wide tiles publish fewer words a stored pixel. */
#define SATK_LOOKBACK_ACROSS(channels, word)                                                       \
    ((channels) == 3 ? 2 : (channels) == 4 && (word) == 4 ? 8 : 4)
#define SATK_LOOKBACK_DOWN(channels, word) ((channels) == 3 ? 4 : (channels) == 4 ? 2 : 4)
/* The most rows of a warp, if the memory holds them. RGB has fewer: its words are staged there, too. */
#define SATK_LOOKBACK_ROWS(channels) ((channels) == 3 ? 16 : 40)
#define SATK_LOOKBACK_MEMORY         (110 << 10) /* of a large tile: two blocks a multiprocessor */
#define SATK_LOOKBACK_WAVES          1 /* large tiles fill the device this many times, or tiles are small */
#define SATK_LOOKBACK_LOOKS          2 /* tiles that a thread asks at a time: more cost bandwidth */

#define SATK_LOOKBACK_SMALL_ACROSS 2
#define SATK_LOOKBACK_SMALL_DOWN   4
#define SATK_LOOKBACK_SMALL_ROWS   16
#define SATK_LOOKBACK_SMALL_MEMORY (60 << 10) /* three blocks a multiprocessor */
#define SATK_LOOKBACK_SMALL_BLOCKS 3

#endif
