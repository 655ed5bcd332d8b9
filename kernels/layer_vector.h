/* A tile of a slab in vectors: a row at a time of samples, of the table and of the picture, each channel on its own.
 * Of the table there are only the rows that a row's windows read. For layer_tile.c. */
#ifndef SATK_LAYER_VECTOR_H
#define SATK_LAYER_VECTOR_H

#include "lanes.h"
#include "layer_samples.h"

/* Functions that return vectors are inlined: no caller of other instructions sees them. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef uint32_t half_lanes __attribute__((vector_size(2 * LANES)));

enum { STEP = LANES / 2 }; /* pixels that are laid at a time */

/* --- Table ------------------------------------------------------------------------------------ */

/* Prefixes of the samples, of m and of b: a row of words of each. */
typedef struct ring {
    uint8_t
        *words; /* a row of zeros, and `count` others, in which each row has its place in turn */
    size_t plane, pitch; /* bytes of a row of words, and of all */
    int left;            /* their first column */
    int top, bottom;     /* the rows of the picture that are summed: zeros above */
    int count;
} ring;

static inline uint8_t *ring_row(const ring *r, int y)
{
    const int last = y < r->bottom ? y : r->bottom - 1;

    return y < r->top ? r->words : r->words + (size_t)(1 + (last - r->top) % r->count) * r->pitch;
}

/* What a row sums so far, in every lane. */
typedef struct carried {
    lanes narrow;
    wide_lanes wide;
} carried;

/* row[] = above[] + the scan of v, whose sums have less than 32 bits, on top of what is carried. */
SATK_FN void put_sums(const scanner *scan, lanes v, carried *carry, const uint8_t *above,
                      uint8_t *row, int word)
{
    lanes total = {0};
    half_lanes halves[2];

    if (word == 32) {
        v = scan_lanes(scan, v, &carry->narrow, 1) +
            lanes_at((const uint32_t *)(const void *)above);
        memcpy(row, &v, sizeof v);
        return;
    }
    v = scan_lanes(scan, v, &total, 1);
    memcpy(halves, &v, sizeof v);
    for (size_t i = 0; i < 2; i++) {
        wide_lanes sums;
        memcpy(&sums, above + i * sizeof sums, sizeof sums);
        sums += __builtin_convertvector(halves[i], wide_lanes) + carry->wide;
        memcpy(row + i * sizeof sums, &sums, sizeof sums);
    }
    memcpy(halves, &total, sizeof total);
    carry->wide += __builtin_convertvector(halves[0], wide_lanes);
}

/* n where it is positive, otherwise 0. */
SATK_FN lanes positive(lanes n)
{
    typedef int32_t signed_lanes __attribute__((vector_size(sizeof(lanes))));

    return n & (lanes)((signed_lanes)n > 0);
}

/* m and b of positions. */
SATK_FN void weigh(lanes position, int slab, lanes *in, lanes *behind)
{
    const lanes off = position - (uint32_t)slab * SATK_SLAB;

    *behind = positive(SATK_SLAB - positive(off));
    *in = positive(*behind - positive(-off));
}

SATK_FN void build_row(const ring *r, const tile_samples *t, int slab, int y, int channels,
                       int word)
{
    const scanner scan = make_scanner(1);
    const uint16_t *samples = samples_at(t, r->left, y);
    const uint8_t *above = ring_row(r, y - 1);
    uint8_t *row = ring_row(r, y);
    const uint8_t *const end = row + r->plane;
    const size_t step = (size_t)LANES * (size_t)word / 8;
    carried carry[6] = {0};

    for (; row < end; row += step, above += step, samples += LANES) {
        lanes v[6];
        weigh(lanes_from(samples, 16), slab, &v[channels], &v[channels + 1]);
        for (int c = 0; c < channels; c++)
            v[c] = lanes_from(samples + (size_t)(c + 1) * t->width, 16) * v[channels];
        for (int c = 0; c < channels + 2; c++)
            put_sums(&scan, v[c], &carry[c], above + (size_t)c * r->plane,
                     row + (size_t)c * r->plane, word);
    }
}

/* --- Windows ---------------------------------------------------------------------------------- */

/* A slab's window in the columns of a tile: pixels in the picture. */
typedef struct window_columns {
    uint32_t middle[SATK_LAYER_TILE], outer[SATK_LAYER_TILE];
} window_columns;

static inline uint32_t count_inside(int at, int radius, int length)
{
    const satk_range r = satk_clip(satk_window(at, radius), length);

    return r.lo < r.hi ? (uint32_t)(r.hi - r.lo) : 0;
}

static inline void find_columns(const satk_stack *s, int first, int last, int width,
                                window_columns *out)
{
    for (int x = first; x < last; x++) {
        out->middle[x - first] = count_inside(x, s->middle, width);
        out->outer[x - first] = count_inside(x, s->outer, width);
    }
}

/* A window along a row of the picture. */
typedef struct window_row {
    ptrdiff_t middle, outer;
    const uint8_t *above, *middle_above, *middle_last, *last_row; /* of the table */
    uint32_t middle_rows, outer_rows;                             /* in the picture */
    const window_columns *columns;
} window_row;

static inline int at_most(int n, int most)
{
    return n < most ? n : most;
}

/* Columns as wide as the picture see all of it. */
static inline window_row window_at(const ring *r, const satk_stack *s, int y, const satk_plane *src,
                                   const window_columns *columns)
{
    const uint32_t middle_rows = count_inside(y, s->middle_rows, src->height);

    return (window_row){.middle = at_most(s->middle, src->width),
                        .outer = at_most(s->outer, src->width),
                        .above = ring_row(r, y - s->rows - 1),
                        .middle_above = ring_row(r, y - s->middle_rows - 1),
                        .middle_last = ring_row(r, y + s->middle_rows),
                        .last_row = ring_row(r, y + s->rows),
                        .middle_rows = middle_rows,
                        .outer_rows = count_inside(y, s->rows, src->height) - middle_rows,
                        .columns = columns};
}

/* Of pixel i of the tile's row on. */
SATK_FN wide_lanes areas_at(const window_row *w, int i)
{
    half_lanes middle, outer;

    memcpy(&middle, w->columns->middle + i, sizeof middle);
    memcpy(&outer, w->columns->outer + i, sizeof outer);
    return __builtin_convertvector(middle * w->middle_rows + outer * w->outer_rows, wide_lanes);
}

/* sums += the words at a - those at b. */
SATK_FN void add_difference(half_lanes *sums, wide_lanes *sums64, const uint8_t *a,
                            const uint8_t *b, ptrdiff_t column, int word)
{
    if (word == 32) {
        half_lanes v, less;
        memcpy(&v, a + column * 4, sizeof v);
        memcpy(&less, b + column * 4, sizeof less);
        *sums += v - less;
    } else {
        wide_lanes v, less;
        memcpy(&v, a + column * 8, sizeof v);
        memcpy(&less, b + column * 8, sizeof less);
        *sums64 += v - less;
    }
}

/* column: of the words of one channel, in bytes from where rows begin. */
SATK_FN wide_lanes sums_at(const window_row *w, ptrdiff_t column, int word)
{
    half_lanes sums = {0};
    wide_lanes sums64 = {0};
    const ptrdiff_t left = column - w->middle - 1, right = column + w->middle;
    const ptrdiff_t from = column - w->outer - 1, to = column + w->outer;

    add_difference(&sums, &sums64, w->middle_last, w->middle_above, right, word);
    add_difference(&sums, &sums64, w->middle_above, w->middle_last, left, word);
    if (w->outer_rows > 0) {
        add_difference(&sums, &sums64, w->middle_above, w->above, to, word);
        add_difference(&sums, &sums64, w->above, w->middle_above, from, word);
        add_difference(&sums, &sums64, w->last_row, w->middle_last, to, word);
        add_difference(&sums, &sums64, w->middle_last, w->last_row, from, word);
    }
    return word == 32 ? __builtin_convertvector(sums, wide_lanes) : sums64;
}

SATK_FN int any_of(wide_lanes v)
{
#ifdef __AVX512BW__
    return _mm512_test_epi64_mask((__m512i)v, (__m512i)v) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
    return (v[0] | v[1]) != 0;
#endif
}

/* satk_visible_sums() of pixel i of the tile's row on. plane: words from a channel to the next. */
SATK_FN void find_visible(const window_row *windows, int i, ptrdiff_t column, ptrdiff_t plane,
                          wide_lanes *sums, int channels, int word)
{
    wide_lanes lacking = (wide_lanes){0} - 1;

    for (int c = 0; c < channels + 2; c++)
        sums[c] = sums_at(&windows[0], column + c * plane, word);
    for (const window_row *w = windows; w < windows + SATK_WINDOWS - 1;) {
        lacking &= (wide_lanes)(sums[channels + 1] < areas_at(w, i));
        if (!any_of(lacking))
            return;
        w++;
        for (int c = 0; c < channels + 2; c++)
            sums[c] = (sums[c] & ~lacking) | (sums_at(w, column + c * plane, word) & lacking);
    }
}

/* --- Means ------------------------------------------------------------------------------------ */

/* A tile's lights, by row: the sums of each channel, and then what is left, as doubles of whole numbers. */
static inline double *lights_of(double *lights, satk_area tile, int y, int channels)
{
    return lights + (ptrdiff_t)(y - tile.top) * (channels + 1) * SATK_LAYER_TILE;
}

/* Rounded down: from 2^52 on, a double has no fraction. */
SATK_FN double_lanes whole(double_lanes n)
{
    return n + (0x1p52 - 0.5) - 0x1p52;
}

/* floor(n / 2) + 1/2 */
SATK_FN double_lanes half_of(wide_lanes n)
{
    return to_doubles(n | 1) * 0.5;
}

SATK_FN double_lanes divisor_of(wide_lanes n)
{
    return to_doubles(n - (wide_lanes)(n == 0));
}

/* satk_lay_under() by way of doubles. A quotient n / d, rounded half up, is the integer part of
 * (n + floor(d / 2) + 1/2) / d, which is at least 1 / (2 d) away from any integer; with n below 2^50, what
 * is rounded on the way is less. Where nothing is in the window, the share is 0. */
SATK_FN void lay_under_step(double *light, const wide_lanes *sums, int channels)
{
    const wide_lanes in = sums[channels], visible = sums[channels + 1];
    double_lanes left = doubles_at(light + channels * SATK_LAYER_TILE);
    const double_lanes share =
        whole((left * to_doubles(in) + half_of(visible)) / divisor_of(visible));
    const double_lanes inverse = 1.0 / divisor_of(in), half = half_of(in);

    for (int c = 0; c < channels; c++) {
        const double_lanes mean = whole((to_doubles(sums[c]) * 256.0 + half) * inverse);
        const double_lanes sum = doubles_at(light + c * SATK_LAYER_TILE) + mean * share;
        memcpy(light + c * SATK_LAYER_TILE, &sum, sizeof sum);
    }
    left -= share;
    memcpy(light + channels * SATK_LAYER_TILE, &left, sizeof left);
}

/* Row y of a slab, from pixel first of the tile's row to pixel last. */
SATK_FN void lay_row(const ring *r, const window_row *windows, satk_area tile, int first, int last,
                     double *lights, int channels, int word)
{
    const ptrdiff_t plane = (ptrdiff_t)r->plane / (word / 8);

    for (int i = first; i < last; i += STEP) {
        wide_lanes sums[6];
        if (!any_of((wide_lanes)doubles_at(lights + channels * SATK_LAYER_TILE + i)))
            continue;
        find_visible(windows, i, tile.left + i - r->left, plane, sums, channels, word);
        if (any_of(sums[channels]))
            lay_under_step(lights + i, sums, channels);
    }
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* words: for the table. bounds: where the slab's pixels are. */
SATK_FN void lay_slab_in_vectors(const satk_layer *job, int k, const tile_samples *t, satk_area bounds,
                                 satk_area tile, double *lights, void *words, int channels, int word)
{
    const satk_slab *const slab = &job->slabs[k];
    const int reach = satk_reach(slab), across = at_most(reach, job->src.width);
    const satk_area pixels = both(grown(bounds, reach), tile);
    const int first = (pixels.left - tile.left) / LANES * LANES;
    const int last = (pixels.right - tile.left + LANES - 1) / LANES * LANES;
    const size_t width =
        ((size_t)(last - first) + 2 * (size_t)across + 1 + LANES - 1) / LANES * LANES;
    ring r = {.words = words,
              .plane = width * (size_t)word / 8,
              .pitch = (size_t)(channels + 2) * width * (size_t)word / 8,
              .left = tile.left + first - across - 1,
              .top = pixels.top > reach ? pixels.top - reach : 0,
              .bottom = at_most(pixels.bottom + reach, job->src.height)};
    window_columns columns[SATK_WINDOWS];
    window_row windows[SATK_WINDOWS];

    r.count = at_most(2 * reach + 2, r.bottom - r.top);
    memset(r.words, 0, r.pitch);
    for (int i = 0; i < SATK_WINDOWS; i++)
        find_columns(&slab->window[i], tile.left, tile.left + last, job->src.width, &columns[i]);
    for (int y = pixels.top, next = r.top; y < pixels.bottom; y++) {
        for (; next <= y + reach && next < r.bottom; next++)
            build_row(&r, t, k, next, channels, word);
        for (int i = 0; i < SATK_WINDOWS; i++)
            windows[i] = window_at(&r, &slab->window[i], y, &job->src, &columns[i]);
        lay_row(&r, windows, tile, first, last, lights_of(lights, tile, y, channels), channels,
                word);
    }
}

/* satk_light_codes() without weights, of a row. */
SATK_FN void store_row(const satk_layer *job, satk_area tile, int y, const double *lights, int channels)
{
    const double *const left = lights + channels * SATK_LAYER_TILE;
    const int colours = satk_has_alpha(channels) ? channels - 1 : channels;
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    int32_t means[4][SATK_LAYER_TILE];

    for (int i = 0; i < SATK_LAYER_TILE; i++) {
        const double seen = ((1 << SATK_LIGHT_BITS) - left[i]) * 256;
        const double inverse = 1 / (seen + (seen == 0)), half = seen / 2 + 0.5;
        for (int c = 0; c < channels; c++)
            means[c][i] = (int32_t)((lights[c * SATK_LAYER_TILE + i] + half) * inverse);
    }
    for (int x = tile.left; x < tile.right; x++) {
        const int i = x - tile.left;
        uint32_t codes[4];
        satk_get_pixel(row_of(&job->src, y), x, channels, 8, codes);
        for (int c = 0; c < channels && left[i] < 1 << SATK_LIGHT_BITS; c++)
            codes[c] = c < colours ? satk_encoded(&job->tone, (uint64_t)means[c][i])
                                   : (uint32_t)means[c][i];
        satk_put_pixel(dst, x, channels, 8, codes);
    }
}

/* --- All of a tile ---------------------------------------------------------------------------- */

SATK_FN void no_lights(double *lights, satk_area tile, int channels)
{
    for (int y = tile.top; y < tile.bottom; y++) {
        double *const row = lights_of(lights, tile, y, channels);
        for (int i = 0; i < (channels + 1) * SATK_LAYER_TILE; i++)
            row[i] = i < channels * SATK_LAYER_TILE ? 0 : 1 << SATK_LIGHT_BITS;
    }
}

SATK_FN void blur_tile_in_vectors(const satk_layer *job, const tile_samples *t, const satk_area *bounds,
                                  satk_area tile, double *lights, void *words, int channels, int word)
{
    no_lights(lights, tile, channels);
    for (int k = job->count - 1; k >= 0; k--)
        if (is_seen(job, k, bounds[k], tile))
            lay_slab_in_vectors(job, k, t, bounds[k], tile, lights, words, channels, word);
    for (int y = tile.top; y < tile.bottom; y++)
        store_row(job, tile, y, lights_of(lights, tile, y, channels), channels);
}

#endif
