/* Sizes of the blocks and tiles of mattes. */
#ifndef SATK_MATTE_TUNE_CUH
#define SATK_MATTE_TUNE_CUH

#include "common/tune.cuh"

#define SATK_MATTE_THREADS 256
#define SATK_MATTE_TILE    SATK_WARP /* rows and columns of a tile */
/* Rows of a tile that a thread has, where a block has the tile. */
#define SATK_MATTE_STRIP (SATK_MATTE_TILE / (SATK_MATTE_THREADS / SATK_WARP))
/* Threads where a warp has a tile: small blocks fill the last wave of them better. */
#define SATK_MATTE_SUM_THREADS 128
/* Loads that a thread has in flight: rows of a tile, and tiles below each other. */
#define SATK_MATTE_ROWS_AT_ONCE  4
#define SATK_MATTE_TILES_AT_ONCE 8

#endif
