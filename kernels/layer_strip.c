/* Slab by slab: a table of the part of the picture that the strip's windows reach, then the strip's
 * pixels. */
#include "layer_strip.h"

#include "layer_vector.h"

static area grown(area a, int by)
{
    return (area){a.left - by, a.right + by, a.top - by, a.bottom + by};
}

/* --- Where a slab is -------------------------------------------------------------------------- */

static void include(area *a, int left, int right, int y)
{
    a->left = left < a->left ? left : a->left;
    a->right = right > a->right ? right : a->right;
    a->top = y < a->top ? y : a->top;
    a->bottom = y + 1;
}

/* The first pixel of a row from x on, or `right`, that has another position than pixel x. */
static int end_of_run(const uint16_t *position, int x, int right)
{
    const uint16_t one = position[x];
    const uint64_t four = one * (uint64_t)0x0001000100010001;
    uint64_t next;

    for (; x + 4 <= right; x += 4) {
        memcpy(&next, position + x, sizeof next);
        if (next != four)
            break;
    }
    while (x < right && position[x] == one)
        x++;
    return x;
}

/* The bounds of each slab's pixels within an area; neighbours often have the same position. */
static void find_slabs(const satk_layer *job, const tile_samples *t, area *bounds)
{
    const area a = t->a;
    const uint16_t *position = t->position;

    for (int k = 0; k < job->count; k++)
        bounds[k] = (area){job->src.width, 0, job->src.height, 0};
    for (int y = a.top; y < a.bottom; y++, position += a.right - a.left)
        for (int x = a.left, end; x < a.right; x = end) {
            const int slab = position[x - a.left] / SATK_SLAB;
            end = a.left + end_of_run(position, x - a.left, a.right - a.left);
            include(&bounds[slab], x, end, y);
            if (position[x - a.left] % SATK_SLAB > 0)
                include(&bounds[slab + 1], x, end, y);
        }
}

/* --- One slab --------------------------------------------------------------------------------- */

SATK_FN void build_table(const satk_layer *job, int slab, area a, void *words, int channels,
                         int bits, int word)
{
    const int lanes = satk_layer_lanes(channels);
    const size_t row_words = (size_t)(a.right - a.left) * (size_t)lanes;
    uint32_t *row32 = words;
    uint64_t *row64 = words;

    for (int y = a.top; y < a.bottom; y++, row32 += row_words, row64 += row_words) {
        uint64_t sum[8] = {0};
        for (int x = a.left; x < a.right; x++) {
            const size_t at = (size_t)(x - a.left) * (size_t)lanes;
            uint64_t sample[8];
            satk_layer_samples(job, row_of(&job->src, y), row_of(&job->map, y), x, slab, channels,
                               bits, sample);
            for (int l = 0; l < lanes; l++)
                sum[l] += sample[l];
            for (int l = 0; l < lanes; l++)
                if (word == 32)
                    row32[at + (size_t)l] =
                        (uint32_t)sum[l] + (y > a.top ? (row32 - row_words)[at + (size_t)l] : 0);
                else
                    row64[at + (size_t)l] =
                        sum[l] + (y > a.top ? (row64 - row_words)[at + (size_t)l] : 0);
        }
    }
}

/* row: the lights of row y, of pixel 0. */
SATK_FN void lay_pixels(const satk_layer *job, const satk_slab *slab, const satk_layer_table *table,
                        int y, int first, int last, satk_light *row, int channels, int word)
{
    for (int x = first; x < last; x++)
        if (row[x].left > 0)
            satk_lay_pixel(job, table, slab, x, y, &row[x], channels, word);
}

/* The lights of a tile's row y, of the picture's pixel 0. */
static satk_light *light_row(satk_light *lights, area tile, int y)
{
    return lights + (ptrdiff_t)(y - tile.top) * (tile.right - tile.left) - tile.left;
}

SATK_FN void lay_slab(const satk_layer *job, int k, area pixels, const satk_layer_table *table,
                      area tile, satk_light *lights, int in_vectors, int channels, int word)
{
    const satk_slab *const slab = &job->slabs[k];

    for (int y = pixels.top; y < pixels.bottom; y++) {
        satk_light *const row = light_row(lights, tile, y);
        if (in_vectors)
            lay_row(job, slab, table, y, pixels.left, pixels.right, row, channels, word);
        else
            lay_pixels(job, slab, table, y, pixels.left, pixels.right, row, channels, word);
    }
}

/* --- Strips ----------------------------------------------------------------------------------- */

/* memory: of the tile's samples, and then of the tables. */
SATK_FN void blur_tile(const satk_layer *job, area tile, satk_light *lights, void *memory,
                       int in_vectors, int channels, int bits, int word)
{
    const area picture = {0, job->src.width, 0, job->src.height};
    const area seen = both(grown(tile, farthest_reach(job)), picture);
    const size_t pixels_in = (size_t)(tile.right - tile.left) * (size_t)(tile.bottom - tile.top);
    const size_t pixels_seen = (size_t)(seen.right - seen.left) * (size_t)(seen.bottom - seen.top);
    void *const words = (uint8_t *)memory + satk_tile_samples_bytes(pixels_seen);
    const tile_samples samples = find_samples(job, seen, memory, in_vectors, channels, bits);
    area bounds[SATK_MAX_SLABS];

    for (size_t i = 0; i < pixels_in; i++)
        lights[i] = satk_no_light();
    find_slabs(job, &samples, bounds);
    for (int k = job->count - 1; k >= 0; k--) {
        const int reach = satk_reach(&job->slabs[k]);
        const area pixels = both(grown(bounds[k], reach), tile);
        if (is_empty(bounds[k]) || is_empty(pixels))
            continue;
        const area read = both(grown(pixels, reach), picture);
        const satk_layer_table table = {words, read.left, read.right, read.top};
        if (in_vectors)
            build_table_in_vectors(&samples, k, job->count, read, words, channels, word);
        else
            build_table(job, k, read, words, channels, bits, word);
        lay_slab(job, k, pixels, &table, tile, lights, in_vectors, channels, word);
    }
}

SATK_FN void store_tile(const satk_layer *job, area tile, satk_light *lights, int in_vectors,
                        int channels, int bits)
{
    for (int y = tile.top; y < tile.bottom; y++) {
        uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
        const satk_light *const row = light_row(lights, tile, y);
        for (int x = tile.left; x < tile.right; x++) {
            uint32_t codes[4];
            if (in_vectors)
                light_codes(job, &row[x], row_of(&job->src, y), x, channels, bits, codes);
            else
                satk_light_codes(job, &row[x], row_of(&job->src, y), x, channels, bits, codes);
            satk_put_pixel(dst, x, channels, bits, codes);
        }
    }
}

SATK_FN void blur_strip(const satk_layer *job, int first, int last, void *scratch,
                        size_t lights_size, int channels, int bits, int word)
{
    const int in_vectors = is_vector_job(job, channels, bits);
    satk_light *const lights = scratch;
    void *const words = (uint8_t *)scratch + lights_size;

    for (int left = 0; left < job->src.width; left += SATK_LAYER_TILE) {
        const int right = left + SATK_LAYER_TILE;
        const area tile = {left, right < job->src.width ? right : job->src.width, first, last};
        blur_tile(job, tile, lights, words, in_vectors, channels, bits, word);
        store_tile(job, tile, lights, in_vectors, channels, bits);
    }
}

/* One function per kind of image and table, each with constant channels, bits and word. */
#define STRIP(channels, bits, word)                                                                \
    static void strip_##channels##_##bits##_##word(const satk_layer *job, int first, int last,     \
                                                   void *scratch, size_t lights_size)              \
    {                                                                                              \
        blur_strip(job, first, last, scratch, lights_size, channels, bits, word);                  \
    }
#define STRIPS(bits, word)                                                                         \
    STRIP(1, bits, word) STRIP(2, bits, word) STRIP(3, bits, word) STRIP(4, bits, word)
STRIPS(8, 32)
STRIPS(8, 64)
STRIPS(16, 32)
STRIPS(16, 64)

#define NAMES(bits, word)                                                                          \
    {                                                                                              \
        strip_1_##bits##_##word, strip_2_##bits##_##word, strip_3_##bits##_##word,                 \
            strip_4_##bits##_##word                                                                \
    }
static satk_layer_function *const strips[2][2][4] = {
    {NAMES(8, 32), NAMES(8, 64)},
    {NAMES(16, 32), NAMES(16, 64)},
};

void SATK_LEVELED(satk_layer_strip)(const satk_layer *job, int first, int last, void *scratch,
                                    size_t lights_size)
{
    strips[job->src.bits == 16][job->word == 64][job->src.channels - 1](job, first, last, scratch,
                                                                        lights_size);
}
