/* Adds the deltas of all sources that reach a tile, and sums its rows. A window that reaches into the tile from outside
 * begins and ends at its edges, as it does at the picture's. */
#include "spread/spread_tile.h"

#include <string.h>

/* --- Deltas ----------------------------------------------------------------------------------- */

/* A window that begins before the tile begins with it; one that ends beyond it ends in a place that is not
 * read. */
static inline size_t clipped(int place, int length)
{
    return (size_t)satk_smaller(satk_larger(place, 0), length);
}

SATK_FN void add_pixel(satk_pair *to, const satk_pair *light, int pairs, int negative)
{
    for (int c = 0; c < pairs; c++)
        to[c] = negative ? to[c] - light[c] : to[c] + light[c];
}

/* Adds the differences at one place of the y axis and all places of the x axis: `outer` where the ring begins and ends,
 * `inner` where the inner part does. */
SATK_FN void add_across(satk_pair *row, const size_t *column, const satk_pair *outer,
                        const satk_pair *inner, int pairs, int ring, int negative)
{
    if (ring)
        add_pixel(row + column[0], outer, pairs, negative);
    add_pixel(row + column[1], inner, pairs, negative);
    add_pixel(row + column[2], inner, pairs, !negative);
    if (ring)
        add_pixel(row + column[3], outer, pairs, !negative);
}

/* Adds a source at x, y of the tile, or beside it. */
SATK_FN void add_source(const satk_spread_tile *t, const satk_splat *splat, int x, int y,
                        const satk_pair *samples, int pairs, int ring)
{
    const size_t line = ((size_t)t->width + 1) * (size_t)pairs;
    satk_pair light[SATK_KINDS][SATK_SPREAD_MOST_PAIRS], *row[SATK_PLACES];
    uint64_t kind[SATK_KINDS];
    size_t column[SATK_PLACES];

    satk_kinds(splat, kind);
    for (int k = 0; k < SATK_KINDS; k++)
        for (int c = 0; c < pairs; c++)
            light[k][c] = kind[k] * samples[c];
    for (int i = 0; i < SATK_PLACES; i++) {
        column[i] = clipped(satk_place_at(splat, x, i), t->width) * (size_t)pairs;
        row[i] = t->deltas + clipped(satk_place_at(splat, y, i), t->height) * line;
    }
    if (ring)
        add_across(row[0], column, light[0], light[1], pairs, 1, 0);
    add_across(row[1], column, light[1], light[2], pairs, ring, 0);
    add_across(row[2], column, light[1], light[2], pairs, ring, 1);
    if (ring)
        add_across(row[3], column, light[0], light[1], pairs, 1, 1);
}

static inline int reaches(const satk_splat *splat, int at, int length)
{
    const int most = splat->reach + splat->ring;

    return at + most >= 0 && at - most < length;
}

/* Adds the sources of a row of the picture that reach the tile. */
SATK_FN void add_row(const satk_spread *job, const satk_spread_tile *t, int y, int channels,
                     int bits, int pairs)
{
    const uint8_t *const src = (const uint8_t *)job->src.data + y * job->src.pitch;
    const int begin = satk_larger(t->left - job->farthest, 0);
    const int end = satk_smaller(t->left + t->width + job->farthest, job->src.width);

    for (int x = begin; x < end; x++) {
        const satk_splat *const splat = satk_splat_of(job, x, y);
        satk_pair samples[SATK_SPREAD_MOST_PAIRS] = {{0}};
        if (!reaches(splat, x - t->left, t->width) || !reaches(splat, y - t->top, t->height))
            continue;
        satk_spread_samples(job, src, x, channels, bits, (uint64_t *)samples);
        if (splat->ring)
            add_source(t, splat, x - t->left, y - t->top, samples, pairs, 1);
        else
            add_source(t, splat, x - t->left, y - t->top, samples, pairs, 0);
    }
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* Stores a row of the tile, whose deltas have become sums down the columns. Along the row, these
 * add up to the pixels' sums. */
SATK_FN void store_row(const satk_spread *job, const satk_spread_tile *t, int y,
                       const satk_pair *row, int channels, int bits, int opaque)
{
    const int pairs = satk_spread_pairs(channels, opaque);
    satk_pair sums[SATK_SPREAD_MOST_PAIRS] = {{0}};

    for (int x = 0; x < t->width; x++, row += pairs) {
        for (int c = 0; c < pairs; c++)
            sums[c] += row[c];
        satk_spread_pixel(job, t->left + x, t->top + y, (const uint64_t *)sums, channels, bits,
                          opaque);
    }
}

SATK_FN void spread_tile(const satk_spread *job, const satk_spread_tile *t, int channels, int bits,
                         int opaque)
{
    const int pairs = satk_spread_pairs(channels, opaque);
    const size_t line = ((size_t)t->width + 1) * (size_t)pairs;
    const int begin = satk_larger(t->top - job->farthest, 0);
    const int end = satk_smaller(t->top + t->height + job->farthest, job->src.height);

    memset(t->deltas, 0, satk_spread_tile_pairs(job, t->width, t->height) * sizeof *t->deltas);
    for (int y = begin; y < end; y++)
        add_row(job, t, y, channels, bits, pairs);
    for (int y = 0; y < t->height; y++) {
        satk_pair *const row = t->deltas + (size_t)y * line;
        for (size_t i = 0; y > 0 && i < line; i++)
            row[i] += (row - line)[i];
        store_row(job, t, y, row, channels, bits, opaque);
    }
}

/* Each kind of picture has a function with constant channels, bits and opacity. */
#define TILE(channels, bits, opaque)                                                               \
    static void tile_##channels##_##bits##_##opaque(const satk_spread *job,                        \
                                                    const satk_spread_tile *t)                     \
    {                                                                                              \
        spread_tile(job, t, channels, bits, opaque);                                               \
    }
#define TILES(bits)                                                                                \
    TILE(1, bits, 0)                                                                               \
    TILE(2, bits, 0)                                                                               \
    TILE(3, bits, 0)                                                                               \
    TILE(4, bits, 0)                                                                               \
    TILE(2, bits, 1)                                                                               \
    TILE(4, bits, 1)
TILES(8)
TILES(16)

#define ROW(bits)                                                                                  \
    {                                                                                              \
        {tile_1_##bits##_0, tile_2_##bits##_0, tile_3_##bits##_0, tile_4_##bits##_0},              \
        {                                                                                          \
            tile_1_##bits##_0, tile_2_##bits##_1, tile_3_##bits##_0, tile_4_##bits##_1             \
        }                                                                                          \
    }
static satk_spread_function *const tiles[2][2][4] = {ROW(8), ROW(16)};

void SATK_LEVELED(satk_spread_tile)(const satk_spread *job, const satk_spread_tile *tile)
{
    tiles[job->src.bits == 16][job->tone.opaque != 0][job->src.channels - 1](job, tile);
}
