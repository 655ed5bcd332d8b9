/* Sizes of the array kernels' blocks and tiles. */
#ifndef SATK_ARRAY_TUNE_CUH
#define SATK_ARRAY_TUNE_CUH

#include "common/tune.cuh"

/* --- Reduction -------------------------------------------------------------------------------- */

#define SATK_REDUCE_THREADS 1024 /* the textbook variants' block: the largest */
#define SATK_REDUCE_COARSE  4    /* pairs that a thread of `coarsened` adds up first */

/* `fast`: a full multiprocessor, with several times the bytes in flight that its share of the memory's
 * latency times bandwidth is. */
#define SATK_REDUCE_FAST_THREADS 256
#define SATK_REDUCE_FAST_BLOCKS  8
#define SATK_REDUCE_LOADS        4 /* of 16 bytes, in flight */

/* --- Scan ------------------------------------------------------------------------------------- */

#define SATK_SCAN_TEXTBOOK_THREADS 1024 /* the textbook variants' block: the largest */

/* A tile is SATK_SCAN_THREADS times SATK_SCAN_LOADS loads of 16 bytes. Few warps with many loads each
 * lose least while one of them looks back. */
#define SATK_SCAN_THREADS      128
#define SATK_SCAN_LOADS        16
#define SATK_SCAN_BLOCKS(word) SATK_BLOCKS((word) == 32 ? 5 : 4, SATK_SCAN_THREADS) /* no spills */

/* --- Compaction ------------------------------------------------------------------------------- */

#define SATK_COMPACT_WARPS 8
#define SATK_COMPACT_ITEMS 16 /* values of a lane, a warp's width apart */
#define SATK_COMPACT_TILE  (SATK_COMPACT_WARPS * SATK_WARP * SATK_COMPACT_ITEMS)

/* --- Sort ------------------------------------------------------------------------------------- */

/* By digits: the most keys a thread that the registers of SATK_DIGITS_BLOCKS blocks hold. */
#define SATK_DIGITS_WARPS       8
#define SATK_DIGITS_BLOCKS      3
#define SATK_DIGITS_ITEMS(word) ((word) == 32 ? 16 : 12)
#define SATK_DIGITS_TILE(word)  (SATK_DIGITS_WARPS * SATK_WARP * SATK_DIGITS_ITEMS(word))

#define SATK_COUNT_ITEMS  8 /* the digits' histograms: keys in flight a thread, */
#define SATK_COUNT_BLOCKS 8 /* and blocks of a multiprocessor */

/* By tiles and merges. An odd number of items has each lane of a warp write its own memory bank. */
#define SATK_MERGE_WARPS 8
#define SATK_MERGE_ITEMS 7
#define SATK_MERGE_TILE  (SATK_MERGE_WARPS * SATK_WARP * SATK_MERGE_ITEMS)

#endif
