/* Slab by slab: a table of the part of the picture that the strip's windows reach, then the strip's
 * pixels. */
#include "layer_strip.h"

#include <string.h>

typedef struct area {
    int left, right, top, bottom; /* left <= x < right, top <= y < bottom */
} area;

static int is_empty(area a)
{
    return a.left >= a.right || a.top >= a.bottom;
}

static area both(area a, area b)
{
    return (area){a.left > b.left ? a.left : b.left, a.right < b.right ? a.right : b.right,
                  a.top > b.top ? a.top : b.top, a.bottom < b.bottom ? a.bottom : b.bottom};
}

static area grown(area a, int by)
{
    return (area){a.left - by, a.right + by, a.top - by, a.bottom + by};
}

/* --- Where a slab is -------------------------------------------------------------------------- */

static const uint8_t *row_of(const satk_plane *plane, int y)
{
    return (const uint8_t *)plane->data + y * plane->pitch;
}

static void include(area *a, int x, int y)
{
    a->left = x < a->left ? x : a->left;
    a->right = x >= a->right ? x + 1 : a->right;
    a->top = y < a->top ? y : a->top;
    a->bottom = y + 1;
}

/* The bounds of each slab's pixels within an area. */
static void find_slabs(const satk_layer *job, area a, area *bounds)
{
    for (int k = 0; k < job->count; k++)
        bounds[k] = (area){job->src.width, 0, job->src.height, 0};
    for (int y = a.top; y < a.bottom; y++) {
        const uint8_t *const map = row_of(&job->map, y);
        for (int x = a.left; x < a.right; x++) {
            const uint32_t code =
                satk_code(map, (size_t)x * (size_t)job->map.channels, job->map.bits);
            const int position = job->position[code], slab = position / SATK_SLAB;
            include(&bounds[slab], x, y);
            if (position % SATK_SLAB > 0)
                include(&bounds[slab + 1], x, y);
        }
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

/* --- One slab in vectors ---------------------------------------------------------------------- */

/* Tables of 32-bit words with 8 of them a pixel. */
typedef uint32_t words8 __attribute__((vector_size(32)));
typedef uint32_t words4 __attribute__((vector_size(16)));

/* sums += pixel a - pixel b of two rows. */
static inline void add_difference(words8 *sums, const uint32_t *row_a, const uint32_t *row_b,
                                  ptrdiff_t column)
{
    words8 a, b;

    memcpy(&a, row_a + 8 * column, sizeof a);
    memcpy(&b, row_b + 8 * column, sizeof b);
    *sums += a - b;
}

/* m and b of every position. */
typedef struct weight {
    uint8_t in, behind;
} weight;

static void weigh_positions(int slab, int count, weight *weights)
{
    for (int p = 0; p <= (count - 1) * SATK_SLAB; p++)
        weights[p] = (weight){(uint8_t)satk_in_slab(p, slab), (uint8_t)satk_in_or_behind(p, slab)};
}

SATK_FN void build_table_in_vectors(const satk_layer *job, int slab, area a, uint32_t *words,
                                    int channels, int bits)
{
    const ptrdiff_t pitch = 8 * (ptrdiff_t)(a.right - a.left);
    const satk_tone tone = job->tone; /* no store of a word can change this one */
    weight weights[SATK_MAX_SLABS * SATK_SLAB];

    weigh_positions(slab, job->count, weights);
    for (int y = a.top; y < a.bottom; y++, words += pitch) {
        const uint8_t *const src = row_of(&job->src, y), *const map = row_of(&job->map, y);
        words4 low = {0, 0, 0, 0}, high = {0, 0, 0, 0};
        for (int x = a.left; x < a.right; x++) {
            const uint32_t code =
                satk_code(map, (size_t)x * (size_t)job->map.channels, job->map.bits);
            const weight w = weights[job->position[code]];
            uint32_t *const to = words + 8 * (ptrdiff_t)(x - a.left);
            if (w.in > 0) {
                uint64_t s[4] = {0, 0, 0, 1};
                satk_samples(&tone, src, x, channels, bits, s);
                low +=
                    (words4){(uint32_t)s[0], (uint32_t)s[1], (uint32_t)s[2], (uint32_t)s[3]} * w.in;
            }
            high += channels == 3 ? (words4){w.behind, 0, 0, 0} : (words4){w.in, w.behind, 0, 0};
            words4 above[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
            if (y > a.top)
                memcpy(above, to - pitch, sizeof above);
            above[0] += low;
            above[1] += high;
            memcpy(to, above, sizeof above);
        }
    }
}

/* Rows of the table that a stack around row y has its corners in, of pixel 0. */
typedef struct stack_rows {
    const uint32_t *above, *middle_above, *middle_last, *last;
} stack_rows;

static inline stack_rows rows_of(const satk_layer_table *t, const satk_stack *s, int y)
{
    const ptrdiff_t pitch = 8 * (ptrdiff_t)(t->right - t->left);
    const uint32_t *const row = (const uint32_t *)t->words + (y - t->top) * pitch - 8 * t->left;

    return (stack_rows){row - (s->rows + 1) * pitch, row - (s->middle_rows + 1) * pitch,
                        row + s->middle_rows * pitch, row + s->rows * pitch};
}

/* satk_stack_sums() where nothing is clipped. */
static inline void find_sums(const stack_rows *r, const satk_stack *s, int x, uint32_t *out)
{
    const ptrdiff_t left = x - s->middle - 1, right = x + s->middle;
    const ptrdiff_t from = x - s->outer - 1, to = x + s->outer;
    words8 sums = {0};

    add_difference(&sums, r->middle_last, r->middle_above, right);
    add_difference(&sums, r->middle_above, r->middle_last, left);
    if (s->rows > s->middle_rows) {
        add_difference(&sums, r->middle_above, r->above, to);
        add_difference(&sums, r->above, r->middle_above, from);
        add_difference(&sums, r->last, r->middle_last, to);
        add_difference(&sums, r->middle_last, r->last, from);
    }
    memcpy(out, &sums, sizeof sums);
}

static uint32_t area_of(const satk_stack *s)
{
    return (2 * (uint32_t)s->middle + 1) * (2 * (uint32_t)s->middle_rows + 1) +
           2 * (2 * (uint32_t)s->outer + 1) * (uint32_t)(s->rows - s->middle_rows);
}

/* The pixels of row y whose aperture is not clipped, and whose corners all lie in the table. */
static area unclipped(const satk_layer *job, const satk_layer_table *t, const satk_stack *s, area a)
{
    const int across = s->middle > s->outer ? s->middle : s->outer;

    return both(a, (area){t->left + across + 1, job->src.width - across, t->top + s->rows + 1,
                          job->src.height - s->rows});
}

SATK_FN void lay_row_in_vectors(const satk_layer *job, const satk_slab *slab,
                                const satk_layer_table *table, int y, int first, int last,
                                satk_light *row, int channels)
{
    const satk_stack s = slab->window[0];
    const stack_rows rows = rows_of(table, &s, y);
    const uint32_t size = area_of(&s);
    const satk_divisor full = satk_divide_by((uint64_t)size * SATK_SLAB, 0);

    for (int x = first; x < last; x++) {
        uint32_t words[8];
        uint64_t sums[8];
        if (row[x].left == 0)
            continue;
        find_sums(&rows, &s, x, words);
        if (!satk_is_visible(words[channels + 1], size)) {
            satk_lay_pixel(job, table, slab, x, y, &row[x], channels, 32);
            continue;
        }
        if (words[channels] == 0)
            continue;
        for (int c = 0; c < channels + 2; c++)
            sums[c] = words[c];
        const satk_divisor by =
            words[channels] == full.divisor ? full : satk_divide_by(words[channels], 0);
        satk_lay_under(&row[x], sums, &by, channels);
    }
}

/* The lights of a tile's row y, of the picture's pixel 0. */
static satk_light *light_row(satk_light *lights, area tile, int y)
{
    return lights + (ptrdiff_t)(y - tile.top) * (tile.right - tile.left) - tile.left;
}

SATK_FN void lay_slab(const satk_layer *job, int k, area pixels, const satk_layer_table *table,
                      area tile, satk_light *lights, int channels, int word)
{
    const satk_slab *const slab = &job->slabs[k];
    const area inner = unclipped(job, table, &slab->window[0], pixels);

    for (int y = pixels.top; y < pixels.bottom; y++) {
        satk_light *const row = light_row(lights, tile, y);
        int first = pixels.right, last = pixels.right; /* of those in vectors */
        if (word == 32 && channels >= 3 && !is_empty(inner) && y >= inner.top && y < inner.bottom) {
            first = inner.left;
            last = inner.right;
            lay_row_in_vectors(job, slab, table, y, first, last, row, channels);
        }
        lay_pixels(job, slab, table, y, pixels.left, first, row, channels, word);
        lay_pixels(job, slab, table, y, last, pixels.right, row, channels, word);
    }
}

/* --- Strips ----------------------------------------------------------------------------------- */

SATK_FN void blur_tile(const satk_layer *job, area tile, satk_light *lights, void *words,
                       int channels, int bits, int word)
{
    const area picture = {0, job->src.width, 0, job->src.height};
    const size_t pixels_in = (size_t)(tile.right - tile.left) * (size_t)(tile.bottom - tile.top);
    area bounds[SATK_MAX_SLABS];

    for (size_t i = 0; i < pixels_in; i++)
        lights[i] = satk_no_light();
    find_slabs(job, both(grown(tile, farthest_reach(job)), picture), bounds);
    for (int k = job->count - 1; k >= 0; k--) {
        const int reach = satk_reach(&job->slabs[k]);
        const area pixels = both(grown(bounds[k], reach), tile);
        if (is_empty(bounds[k]) || is_empty(pixels))
            continue;
        const area read = both(grown(pixels, reach), picture);
        const satk_layer_table table = {words, read.left, read.right, read.top};
        if (word == 32 && channels >= 3)
            build_table_in_vectors(job, k, read, words, channels, bits);
        else
            build_table(job, k, read, words, channels, bits, word);
        lay_slab(job, k, pixels, &table, tile, lights, channels, word);
    }
}

SATK_FN void store_tile(const satk_layer *job, area tile, satk_light *lights, int channels,
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

SATK_FN void blur_strip(const satk_layer *job, int first, int last, void *scratch,
                        size_t lights_size, int channels, int bits, int word)
{
    satk_light *const lights = scratch;
    void *const words = (uint8_t *)scratch + lights_size;

    for (int left = 0; left < job->src.width; left += SATK_LAYER_TILE) {
        const int right = left + SATK_LAYER_TILE;
        const area tile = {left, right < job->src.width ? right : job->src.width, first, last};
        blur_tile(job, tile, lights, words, channels, bits, word);
        store_tile(job, tile, lights, channels, bits);
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
