/* A pass over the tiles of a picture, and a thread's memory for a tile. layer_cpu.c and the code of a tile share them. */
#ifndef SATK_LAYER_PASS_H
#define SATK_LAYER_PASS_H

#include "layer/layer_cells.h"

typedef struct satk_area {
    int left, right, top, bottom; /* left <= x < right, top <= y < bottom: squares of a grid */
} satk_area;

/* A part of the work: all cells of the coarse slabs, or all pixels of the others. */
typedef struct satk_pass {
    satk_grid grid;
    satk_groups groups;
    satk_cells before,
        behind;           /* groups of coarse slabs: one pass writes them, the other reads them */
    satk_farther farther; /* of pixels, without planes */
} satk_pass;

/* Returns 1 if the pass lays slab k. */
static inline int is_of_pass(const satk_pass *pass, int k)
{
    return (k < pass->groups.first || k >= pass->groups.last) == (pass->grid.cell > 1);
}

/* Returns the farthest reach of the pass's windows, in squares. */
static inline int farthest_reach(const satk_layer *job, const satk_pass *pass)
{
    int farthest = 0;

    for (int k = 0; k < job->count; k++)
        if (job->slabs[k].used && is_of_pass(pass, k) && satk_reach(&job->slabs[k]) > farthest)
            farthest = satk_reach(&job->slabs[k]);
    return farthest;
}

/* Returns the most pixels that a window of the pass holds. */
static inline uint64_t most_pixels(const satk_layer *job, const satk_pass *pass)
{
    const uint64_t cell = (uint64_t)pass->grid.cell;
    uint64_t most = 0;

    for (int k = 0; k < job->count; k++) {
        const satk_slab *const slab = &job->slabs[k];
        const satk_stack *const widest = &slab->window[slab->windows - 1];
        const uint64_t squares = slab->used && is_of_pass(pass, k)
                                     ? satk_squares(widest, &job->forms, UINT32_MAX, UINT32_MAX)
                                     : 0;
        most = squares * cell * cell > most ? squares * cell * cell : most;
    }
    return most;
}

/* Returns 1 if layer_vector_body.h applies: no sum of m over a window has more than 28 bits, 4 of m and 24 of an area. With the
 * 14 bits of a sample of 8 bits these are 42, and doubles are exact. Sums of samples of 16 bits have words of 64 bits, and their
 * means are found in two parts (mean_of_wide()). */
static inline int is_vector_job(const satk_layer *job, const satk_pass *pass)
{
    return !job->tone.weighted && (farthest_reach(job, pass) + 1) * pass->grid.cell <= 2048 &&
           most_pixels(job, pass) <= 1 << 24;
}

/* Returns the planes of 16 bits that a channel's samples have in a tile. */
static inline int sample_planes(int bits)
{
    return bits / 8;
}

/* The kinds of tables in vectors: samples of 8 bits have words of 32 bits or 64, those of 16 bits have words of 64. */
enum { SATK_NARROW, SATK_WIDE, SATK_DEEP, SATK_KINDS };

static inline int kind_of(const satk_layer *job)
{
    return job->src.bits == 16 ? SATK_DEEP : job->word == 64 ? SATK_WIDE : SATK_NARROW;
}

/* Columns of a tile. A narrow tile's pixels see few slabs, and the part of a table that they read
 * stays in the cache. */
enum { SATK_LAYER_TILE = 256 };

/* The bytes of a row of a tile's lights in vectors: doubles of the sums of each channel
 * (whole numbers of 64 bits, of samples of 16 bits), of what is left, of what was left
 * before the last slab, of M, and of what was left when the light was closed; and for each vector a byte, one more than the
 * number of that slab or 0. */
#define SATK_LAYER_ROW(channels)                                                                   \
    (((channels) + 4) * SATK_LAYER_TILE * sizeof(double) + SATK_LAYER_TILE)

/* Squares of a row whose least and largest position are known: as many as the widest vectors have. */
enum { SATK_LAYER_SPAN = 16 };

typedef struct satk_span {
    uint16_t least, most;
} satk_span;

/* Returns the columns of a tile's samples and of its tables: those that its windows read, up to
 * whole spans. */
static inline size_t satk_layer_columns(const satk_layer *job, const satk_pass *pass)
{
    const int reach = farthest_reach(job, pass);
    const int columns = pass->grid.columns;
    const size_t across = (size_t)(reach < columns ? reach : columns);

    const size_t tile = (size_t)(columns < SATK_LAYER_TILE ? columns : SATK_LAYER_TILE);
    const size_t spans = (tile + SATK_LAYER_SPAN - 1) / SATK_LAYER_SPAN;

    return (spans * SATK_LAYER_SPAN + 2 * across + 1 + SATK_LAYER_SPAN - 1) / SATK_LAYER_SPAN *
           SATK_LAYER_SPAN;
}

/* The samples of an earlier tile that the scratch memory holds: the rows of the grid, and the
 * column that they begin with. A pass begins with none. */
typedef struct satk_held {
    int left, top, bottom;
} satk_held;

enum { SATK_BLOCK_ROWS = 8 }; /* squares down a block, which is a span across */
enum { SATK_BLOCKS = 64 };    /* along an axis; the last one stands for all that follow */

/* The squares of a slab that a tile may see: their bounds, in whole blocks, and by row of blocks a bit for each that
 * has some; or that has some of any slab before it, too. */
typedef struct satk_slab_blocks {
    satk_area bounds;
    uint64_t own[SATK_BLOCKS], front[SATK_BLOCKS];
} satk_slab_blocks;

/* A thread's scratch: bytes for the lights of a tile, its samples, their spans, the least E over squares, the blocks of each
 * slab, and a table. */
typedef struct satk_layer_sizes {
    uint64_t lights, samples, spans, farther, blocks, table;
} satk_layer_sizes;

#endif
