/* What is known of a tile before any of its slabs is blurred: the samples that are read from it, and where in them
 * each slab is. For layer_tile.c. */
#ifndef SATK_LAYER_SAMPLES_H
#define SATK_LAYER_SAMPLES_H

#include "layer_tile.h"

#include <string.h>

static inline int is_empty(satk_area a)
{
    return a.left >= a.right || a.top >= a.bottom;
}

static inline satk_area both(satk_area a, satk_area b)
{
    return (satk_area){a.left > b.left ? a.left : b.left, a.right < b.right ? a.right : b.right,
                       a.top > b.top ? a.top : b.top, a.bottom < b.bottom ? a.bottom : b.bottom};
}

static inline satk_area grown(satk_area a, int by)
{
    return (satk_area){a.left - by, a.right + by, a.top - by, a.bottom + by};
}

static inline const uint8_t *row_of(const satk_plane *plane, int y)
{
    return (const uint8_t *)plane->data + y * plane->pitch;
}

/* --- Samples ---------------------------------------------------------------------------------- */

/* The position of what is beside the picture: in no slab, and behind none. */
enum { NOWHERE = SATK_MAX_SLABS * SATK_SLAB };

/* By row of the picture that windows of the tile reach: the positions, and the samples of each channel. */
typedef struct tile_samples {
    satk_area seen; /* of the picture */
    int left;       /* column that a row begins with */
    size_t width;
    int channels;
    uint16_t *rows;
} tile_samples;

/* The positions of row y, from column x on; the samples of channel c are c + 1 times `width` behind them. */
static inline uint16_t *samples_at(const tile_samples *t, int x, int y)
{
    const size_t row = t->width * (size_t)(t->channels + 1);

    return t->rows + row * (size_t)(y - t->seen.top) + (x - t->left);
}

/* What is beside the picture belongs to no slab, and counts as nothing whatever it is; but it is read. */
static inline void clear_beside(const tile_samples *t, uint16_t *row)
{
    const size_t first = (size_t)(t->seen.left - t->left), last = (size_t)(t->seen.right - t->left);

    memset(row, 0, first * sizeof *row);
    memset(row + last, 0, (t->width - last) * sizeof *row);
}

/* Plain loads and stores, a channel after the other: vectors of a pixel's few samples take three times as long. */
SATK_FN void find_row(const satk_layer *job, const tile_samples *t, int y, int channels)
{
    const uint8_t *const src = row_of(&job->src, y), *const map = row_of(&job->map, y);
    const int colours = satk_has_alpha(channels) ? channels - 1 : channels;
    const uint32_t *const decode = job->tone.decode;
    uint16_t *const row = samples_at(t, t->left, y), *to = samples_at(t, 0, y);

    for (size_t i = 0; i < t->width; i++)
        row[i] = NOWHERE;
    for (int x = t->seen.left; x < t->seen.right; x++)
        to[x] = job->position[satk_code(map, (size_t)x * (size_t)job->map.channels, job->map.bits)];
    for (int c = 0; c < channels; c++) {
        to += t->width;
        clear_beside(t, to + t->left);
        for (int x = t->seen.left; x < t->seen.right; x++) {
            const uint8_t code = src[(size_t)x * (size_t)channels + (size_t)c];
            to[x] = (uint16_t)(decode && c < colours ? decode[code] : code);
        }
    }
}

/* channels: 0 where positions are all that is wanted. */
SATK_FN tile_samples find_samples(const satk_layer *job, satk_area tile, int channels, void *memory)
{
    const satk_area picture = {0, job->src.width, 0, job->src.height};
    const int reach = farthest_reach(job);
    const int across = reach < job->src.width ? reach : job->src.width;
    const tile_samples t = {.seen = both(grown(tile, reach), picture),
                            .left = tile.left - across - 1,
                            .width = satk_layer_columns(job),
                            .channels = channels,
                            .rows = memory};

    for (int y = t.seen.top; y < t.seen.bottom; y++)
        find_row(job, &t, y, channels);
    return t;
}

/* --- Where a slab is -------------------------------------------------------------------------- */

enum { BLOCK = 16, BLOCK_ROWS = 8 }; /* pixels whose slabs are found together */

static void include(satk_area *a, satk_area more)
{
    *a = (satk_area){
        a->left < more.left ? a->left : more.left, a->right > more.right ? a->right : more.right,
        a->top < more.top ? a->top : more.top, a->bottom > more.bottom ? a->bottom : more.bottom};
}

/* Marks the slabs of a block's pixels, without a branch: those that a position lies between, or at. */
static void mark_slabs(const tile_samples *t, satk_area block, uint8_t *marks)
{
    for (int y = block.top; y < block.bottom; y++) {
        const uint16_t *const position = samples_at(t, 0, y);
        for (int x = block.left; x < block.right; x++) {
            marks[position[x] / SATK_SLAB] = 1;
            marks[(position[x] + SATK_SLAB - 1) / SATK_SLAB] = 1;
        }
    }
}

/* The bounds of each slab's pixels within what is seen, in whole blocks. */
static void find_slabs(const satk_layer *job, const tile_samples *t, satk_area *bounds)
{
    const satk_area seen = t->seen;

    for (int k = 0; k < job->count; k++)
        bounds[k] = (satk_area){job->src.width, 0, job->src.height, 0};
    for (int y = seen.top; y < seen.bottom; y += BLOCK_ROWS)
        for (int x = seen.left; x < seen.right; x += BLOCK) {
            const satk_area block = both((satk_area){x, x + BLOCK, y, y + BLOCK_ROWS}, seen);
            uint8_t marks[SATK_MAX_SLABS] = {0};
            mark_slabs(t, block, marks);
            for (int k = 0; k < job->count; k++)
                if (marks[k])
                    include(&bounds[k], block);
        }
}

/* 1: some of a slab's pixels are seen from the tile. */
static int is_seen(const satk_layer *job, int k, satk_area bounds, satk_area tile)
{
    return !is_empty(bounds) && !is_empty(both(grown(bounds, satk_reach(&job->slabs[k])), tile));
}

#endif
