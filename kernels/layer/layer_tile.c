/* Slab by slab: a table of the part of the picture that the tile's windows reach, then the tile's
 * pixels. */
#include "layer/layer_tile.h"

#include "layer/layer_vector_body.h"

/* --- One slab --------------------------------------------------------------------------------- */

SATK_FN void build_table(const satk_layer *job, const satk_grid *g, int slab, satk_area a,
                         void *words, int channels, int bits, int word)
{
    const int many = satk_layer_lanes(channels);
    const size_t row_words = (size_t)(a.right - a.left) * (size_t)many;
    uint32_t *row32 = words;
    uint64_t *row64 = words;

    for (int y = a.top; y < a.bottom; y++, row32 += row_words, row64 += row_words) {
        uint64_t sum[8] = {0};
        for (int x = a.left; x < a.right; x++) {
            const size_t at = (size_t)(x - a.left) * (size_t)many;
            uint64_t sample[8];
            satk_square_samples(job, g, x, y, slab, channels, bits, sample);
            for (int l = 0; l < many; l++)
                sum[l] += sample[l];
            for (int l = 0; l < many; l++)
                if (word == 32)
                    row32[at + (size_t)l] =
                        (uint32_t)sum[l] + (y > a.top ? (row32 - row_words)[at + (size_t)l] : 0);
                else
                    row64[at + (size_t)l] =
                        sum[l] + (y > a.top ? (row64 - row_words)[at + (size_t)l] : 0);
        }
    }
}

/* row: the lights of row y, of square 0. */
SATK_FN void lay_squares(const satk_layer *job, const satk_slab *slab,
                         const satk_layer_table *table, int y, int first, int last, satk_light *row,
                         int channels, int word)
{
    for (int x = first; x < last; x++)
        if (row[x].left > 0)
            satk_lay_square(job, table, slab, x, y, &row[x], channels, word);
}

/* The lights of a tile's row y, of the grid's column 0. */
static satk_light *light_row(satk_light *lights, satk_area tile, int y)
{
    return lights + (ptrdiff_t)(y - tile.top) * (tile.right - tile.left) - tile.left;
}

SATK_FN void lay_slab(const satk_layer *job, const satk_grid *g, int k, satk_area bounds,
                      satk_area tile, satk_light *lights, void *words, int channels, int bits,
                      int word)
{
    const satk_area picture = {0, g->columns, 0, g->rows};
    const satk_slab *const slab = &job->slabs[k];
    const satk_area seen = both(grown(bounds, satk_reach(slab)), tile);
    const satk_area read = both(grown(seen, satk_reach(slab)), picture);
    const satk_layer_table table = {g, words, read.left, read.right, read.top};

    build_table(job, g, k, read, words, channels, bits, word);
    for (int y = seen.top; y < seen.bottom; y++)
        lay_squares(job, slab, &table, y, seen.left, seen.right, light_row(lights, tile, y),
                    channels, word);
}

/* --- Tiles ------------------------------------------------------------------------------------ */

SATK_FN void lay_cells(const satk_cells *cells, satk_area tile, satk_light *lights, int channels)
{
    for (int y = tile.top; y < tile.bottom && cells->colours; y++)
        for (int x = tile.left; x < tile.right; x++)
            satk_lay_cells(cells, x, y, light_row(lights, tile, y) + x, channels);
}

static void store_lights(const satk_cells *cells, satk_area tile, satk_light *lights, int channels)
{
    for (int y = tile.top; y < tile.bottom; y++)
        for (int x = tile.left; x < tile.right; x++) {
            const satk_light *const light = light_row(lights, tile, y) + x;
            const size_t at = (size_t)y * (size_t)cells->columns + (size_t)x;
            for (int c = 0; c < channels; c++)
                satk_cell_plane(cells, c)[at] = satk_cell_colour(light->sum[c]);
            cells->seen[at] = satk_cell_seen(light->left);
        }
}

SATK_FN void store_codes(const satk_layer *job, satk_area tile, satk_light *lights, int channels,
                         int bits)
{
    for (int y = tile.top; y < tile.bottom; y++) {
        uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
        const satk_light *const row = light_row(lights, tile, y);
        for (int x = tile.left; x < tile.right; x++) {
            uint32_t codes[4];
            satk_light_codes(job, &row[x], row_of(&job->src, y), x, channels, bits, codes);
            satk_put_pixel(dst, x, channels, bits, codes);
        }
    }
}

/* The slabs first <= k < last. */
SATK_FN void lay_slabs(const satk_layer *job, const satk_grid *g, int first, int last,
                       const slab_blocks *blocks, satk_area tile, satk_light *lights, void *words,
                       int channels, int bits, int word)
{
    for (int k = last - 1; k >= first; k--)
        if (is_seen(job, k, &blocks[k], tile))
            lay_slab(job, g, k, blocks[k].bounds, tile, lights, words, channels, bits, word);
}

static void no_light(satk_light *lights, satk_area tile)
{
    const size_t squares = (size_t)(tile.right - tile.left) * (size_t)(tile.bottom - tile.top);

    for (size_t i = 0; i < squares; i++)
        lights[i] = satk_no_light();
}

SATK_FN void lay_group(const satk_layer *job, const satk_grid *g, int first, int last,
                       const satk_cells *cells, const slab_blocks *blocks, satk_area tile,
                       satk_light *lights, void *words, int channels, int bits, int word)
{
    if (!cells->colours)
        return;
    no_light(lights, tile);
    lay_slabs(job, g, first, last, blocks, tile, lights, words, channels, bits, word);
    store_lights(cells, tile, lights, channels);
}

SATK_FN void blur_tile(const satk_layer *job, const satk_pass *pass, const slab_blocks *blocks,
                       satk_area tile, satk_light *lights, void *words, int channels, int bits,
                       int word)
{
    const satk_groups g = pass->groups;

    if (pass->grid.cell > 1) {
        lay_group(job, &pass->grid, g.last, job->count, &pass->before, blocks, tile, lights, words,
                  channels, bits, word);
        lay_group(job, &pass->grid, 0, g.first, &pass->behind, blocks, tile, lights, words,
                  channels, bits, word);
        return;
    }
    no_light(lights, tile);
    lay_cells(&pass->before, tile, lights, channels);
    lay_slabs(job, &pass->grid, g.first, g.last, blocks, tile, lights, words, channels, bits, word);
    lay_cells(&pass->behind, tile, lights, channels);
    store_codes(job, tile, lights, channels, bits);
}

SATK_FN void blur_any_tile(const satk_layer *job, const satk_pass *pass, satk_area tile,
                           void *scratch, const satk_layer_room *room, satk_held *held,
                           int channels, int bits, int word)
{
    const int in_vectors = bits == 8 && is_vector_job(job, pass);
    void *const samples = (uint8_t *)scratch + room->lights;
    void *const spans = (uint8_t *)samples + room->samples;
    void *const words = (uint8_t *)spans + room->spans;
    slab_blocks blocks[SATK_MAX_SLABS];

    const tile_samples t =
        find_samples(job, pass, tile, in_vectors ? channels : 0, samples, spans, held);
    find_slabs(job->count, &t, blocks);
    const tile_work work = {&t, blocks, tile, scratch, words};
    if (in_vectors)
        blur_tile_in_vectors(job, pass, &work, channels, word);
    else
        blur_tile(job, pass, blocks, tile, scratch, words, channels, bits, word);
}

/* One function per kind of image and table, each with constant channels, bits and word. */
#define TILE(channels, bits, word)                                                                 \
    static void tile_##channels##_##bits##_##word(const satk_layer *job, const satk_pass *pass,    \
                                                  satk_area tile, void *scratch,                   \
                                                  const satk_layer_room *room, satk_held *held)    \
    {                                                                                              \
        blur_any_tile(job, pass, tile, scratch, room, held, channels, bits, word);                 \
    }
#define TILES(bits, word)                                                                          \
    TILE(1, bits, word) TILE(2, bits, word) TILE(3, bits, word) TILE(4, bits, word)
TILES(8, 32)
TILES(8, 64)
TILES(16, 32)
TILES(16, 64)

#define NAMES(bits, word)                                                                          \
    {                                                                                              \
        tile_1_##bits##_##word, tile_2_##bits##_##word, tile_3_##bits##_##word,                    \
            tile_4_##bits##_##word                                                                 \
    }
static satk_layer_function *const tiles[2][2][4] = {
    {NAMES(8, 32), NAMES(8, 64)},
    {NAMES(16, 32), NAMES(16, 64)},
};

void SATK_LEVELED(satk_layer_tile)(const satk_layer *job, const satk_pass *pass, satk_area tile,
                                   void *scratch, const satk_layer_room *room, satk_held *held)
{
    tiles[job->src.bits == 16][job->word == 64][job->src.channels - 1](job, pass, tile, scratch,
                                                                       room, held);
}
