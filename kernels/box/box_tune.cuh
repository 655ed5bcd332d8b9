/* Sizes of the box kernels' blocks and tiles, and the radii from which each is used. */
#ifndef SATK_BOX_TUNE_CUH
#define SATK_BOX_TUNE_CUH

#include "common/tune.cuh"

/* --- Means from a table (box_cuda.cu) --------------------------------------------------------- */

/* A block is one tile of the output. A warp has neighbours of one row: its table reads share cache lines. */
#define SATK_BOX_WIDTH  32
#define SATK_BOX_HEIGHT 8
/* Blocks of a multiprocessor: the most that spill no register. */
#define SATK_BOX_BLOCKS(word, fractions)                                                           \
    SATK_BLOCKS((word) == 32 ? ((fractions) ? 5 : 8) : ((fractions) ? 2 : 4),                      \
                SATK_BOX_WIDTH * SATK_BOX_HEIGHT)
/* Rows of a thread where one radius has a fraction: nearly half of the words that a row needs are those of the row before. */
#define SATK_BOX_RUN 8
#define SATK_BOX_RUN_BLOCKS(word)                                                                  \
    SATK_BLOCKS((word) == 32 ? 3 : 2, SATK_BOX_WIDTH * SATK_BOX_HEIGHT)

/* --- Pieces of a table in shared memory (box_piece_cuda.cu) ----------------------------------- */

/* A block has a thread for each column of its piece in each of SATK_PIECE_RUNS runs of rows. */
#define SATK_PIECE_COLUMNS 144
#define SATK_PIECE_RUNS    6
#define SATK_PIECE_RUN     32
#define SATK_PIECE_LARGEST 8190 /* pixels of a window: its sums fit 21 bits */
/* The fewest pixels of a tile, with one whole radius and with others: below them the table is faster. */
#define SATK_PIECE_LEAST       10000
#define SATK_PIECE_LEAST_MIXED 5800
#define SATK_PIECE_WIDEST      (1 << 20) /* of pictures: offsets within a tile fit 32 bits */

/* --- Sliding windows (box_slide_cuda.cu) ------------------------------------------------------ */

#define SATK_SLIDE_COLUMNS       8    /* of a thread */
#define SATK_SLIDE_THREADS       1024 /* the most of a block, which has the picture's whole width */
#define SATK_SLIDE_THREADS_LARGE 512  /* fractions and split sums take twice the registers */
#define SATK_SLIDE_ROWS          8    /* the fewest of a block */
#define SATK_SLIDE_LARGEST       (1 << 23) /* pixels of a window */
#define SATK_SLIDE_LEAST         16        /* radius in pixels: below it pieces are faster */

/* The sums of bands, found and scanned before the windows slide. */
#define SATK_BAND_THREADS 128
#define SATK_BAND_LOADS   16 /* bands in flight while they are scanned */

#endif
