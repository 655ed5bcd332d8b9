/* One slab in vectors: tables with 8 words a pixel (layer_rule.h), of 32 or 64 bits. For layer_strip.c. */
#ifndef SATK_LAYER_VECTOR_H
#define SATK_LAYER_VECTOR_H

#include "layer_rule.h"
#include "layer_strip.h"

#include <string.h>

typedef struct area {
    int left, right, top, bottom; /* left <= x < right, top <= y < bottom */
} area;

static inline int is_empty(area a)
{
    return a.left >= a.right || a.top >= a.bottom;
}

static inline area both(area a, area b)
{
    return (area){a.left > b.left ? a.left : b.left, a.right < b.right ? a.right : b.right,
                  a.top > b.top ? a.top : b.top, a.bottom < b.bottom ? a.bottom : b.bottom};
}

static inline const uint8_t *row_of(const satk_plane *plane, int y)
{
    return (const uint8_t *)plane->data + y * plane->pitch;
}

/* Functions that return vectors are inlined: no caller of other instructions sees them. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef uint32_t words4 __attribute__((vector_size(16)));
typedef uint32_t words8 __attribute__((vector_size(32)));
typedef uint64_t wide4 __attribute__((vector_size(32)));
typedef uint64_t wide8 __attribute__((vector_size(64)));
typedef double double4 __attribute__((vector_size(32)));

/* 1: what is below applies. Its doubles are exact as long as no sum of a window has more than 42 bits: 14 of a
 * sample of 8 bits, 4 of m, 24 of an area. */
static inline int is_vector_job(const satk_layer *job, int channels, int bits)
{
    return channels >= 3 && bits == 8 && !job->tone.weighted && farthest_reach(job) < 2048;
}

/* --- Table ------------------------------------------------------------------------------------ */

/* m and b of every position. */
typedef struct weight {
    uint8_t in, behind;
} weight;

static inline void weigh_positions(int slab, int count, weight *weights)
{
    for (int p = 0; p <= (count - 1) * SATK_SLAB; p++)
        weights[p] = (weight){(uint8_t)satk_in_slab(p, slab), (uint8_t)satk_in_or_behind(p, slab)};
}

/* What all slabs of a tile are found in and made of, by pixel of the area that they are read from. */
typedef struct tile_samples {
    area a;
    uint16_t *position;
    uint16_t (*samples)[4]; /* in vectors: with a 1 behind them in RGB */
} tile_samples;

SATK_FN tile_samples find_samples(const satk_layer *job, area a, void *memory, int in_vectors,
                                  int channels, int bits)
{
    const satk_tone tone = job->tone; /* no store of a sample can change this one */
    const size_t pixels = (size_t)(a.right - a.left) * (size_t)(a.bottom - a.top);
    const tile_samples t = {a, (uint16_t *)memory + 4 * pixels, memory};
    size_t i = 0;

    for (int y = a.top; y < a.bottom; y++) {
        const uint8_t *const src = row_of(&job->src, y), *const map = row_of(&job->map, y);
        for (int x = a.left; x < a.right; x++, i++) {
            uint64_t s[4] = {0, 0, 0, 1};
            t.position[i] =
                job->position[satk_code(map, (size_t)x * (size_t)job->map.channels, job->map.bits)];
            if (!in_vectors)
                continue;
            satk_samples(&tone, src, x, channels, bits, s);
            for (int c = 0; c < 4; c++)
                t.samples[i][c] = (uint16_t)s[c];
        }
    }
    return t;
}

SATK_FN words4 words_from(const uint16_t *samples)
{
    typedef uint16_t shorts4 __attribute__((vector_size(8)));
    shorts4 v;

    memcpy(&v, samples, sizeof v);
    return __builtin_convertvector(v, words4);
}

/* Half a pixel of the table: what is above, + the row's sums so far. */
SATK_FN void put_sum(uint8_t *to, const uint8_t *above, words4 sums)
{
    words4 v;

    memcpy(&v, above, sizeof v);
    v += sums;
    memcpy(to, &v, sizeof v);
}

SATK_FN void put_sum64(uint8_t *to, const uint8_t *above, wide4 sums)
{
    wide4 v;

    memcpy(&v, above, sizeof v);
    v += sums;
    memcpy(to, &v, sizeof v);
}

/* The slab's table of an area, which begins there. */
SATK_FN void build_table_in_vectors(const tile_samples *t, int slab, int count, area a, void *words,
                                    int channels, int word)
{
    const size_t pixel = (size_t)word,
                 pitch = pixel * (size_t)(a.right - a.left); /* 8 words, in bytes */
    weight weights[SATK_MAX_SLABS * SATK_SLAB];
    uint8_t *to = words;
    const uint8_t *above = to;

    weigh_positions(slab, count, weights);
    memset(to, 0, pitch); /* stands for the row above the first one */
    for (int y = a.top; y < a.bottom; y++) {
        const size_t first = (size_t)(y - t->a.top) * (size_t)(t->a.right - t->a.left) +
                             (size_t)(a.left - t->a.left);
        const size_t last = first + (size_t)(a.right - a.left);
        words4 low = {0}, high = {0};
        wide4 low64 = {0}, high64 = {0};
        for (size_t i = first; i < last; i++, above += pixel, to += pixel) {
            const weight w = weights[t->position[i]];
            const words4 s = words_from(t->samples[i]) * w.in;
            const words4 m =
                channels == 3 ? (words4){w.behind, 0, 0, 0} : (words4){w.in, w.behind, 0, 0};
            if (word == 32) {
                low += s;
                high += m;
                put_sum(to, above, low);
                put_sum(to + 16, above + 16, high);
            } else {
                low64 += __builtin_convertvector(s, wide4);
                high64 += __builtin_convertvector(m, wide4);
                put_sum64(to, above, low64);
                put_sum64(to + 32, above + 32, high64);
            }
        }
        above = to - pitch;
    }
}

/* --- Windows ---------------------------------------------------------------------------------- */

/* A window of a slab along a row of the picture. */
typedef struct window_row {
    satk_stack s;
    uint32_t area;
    int first, last; /* pixels where nothing is clipped, and whose corners all lie in the table */
    const uint8_t *above, *middle_above, *middle_last,
        *last_row; /* rows of the table, of pixel 0 */
} window_row;

static inline uint32_t area_of(const satk_stack *s)
{
    return (2 * (uint32_t)s->middle + 1) * (2 * (uint32_t)s->middle_rows + 1) +
           2 * (2 * (uint32_t)s->outer + 1) * (uint32_t)(s->rows - s->middle_rows);
}

static inline window_row window_at(const satk_layer *job, const satk_layer_table *t,
                                   const satk_stack *s, int y, int word)
{
    const ptrdiff_t pixel = word, pitch = pixel * (t->right - t->left); /* 8 words, in bytes */
    const uint8_t *const row = (const uint8_t *)t->words + (y - t->top) * pitch - pixel * t->left;
    const int across = s->middle > s->outer ? s->middle : s->outer;
    window_row w = {.s = *s,
                    .area = area_of(s),
                    .first = t->left + across + 1,
                    .last = job->src.width - across,
                    .above = row - (s->rows + 1) * pitch,
                    .middle_above = row - (s->middle_rows + 1) * pitch,
                    .middle_last = row + s->middle_rows * pitch,
                    .last_row = row + s->rows * pitch};

    if (y <= t->top + s->rows || y >= job->src.height - s->rows)
        w.last = w.first;
    return w;
}

/* sums += pixel a - pixel b of two rows. */
SATK_FN void add_difference(words8 *sums, wide8 *sums64, const uint8_t *row_a, const uint8_t *row_b,
                            ptrdiff_t column, int word)
{
    if (word == 32) {
        words8 a, b;
        memcpy(&a, row_a + column * 32, sizeof a);
        memcpy(&b, row_b + column * 32, sizeof b);
        *sums += a - b;
    } else {
        wide8 a, b;
        memcpy(&a, row_a + column * 64, sizeof a);
        memcpy(&b, row_b + column * 64, sizeof b);
        *sums64 += a - b;
    }
}

/* satk_stack_sums() where nothing is clipped. out: 8 words. */
SATK_FN void find_sums(const window_row *w, int x, void *out, int word)
{
    const ptrdiff_t left = x - w->s.middle - 1, right = x + w->s.middle;
    const ptrdiff_t from = x - w->s.outer - 1, to = x + w->s.outer;
    words8 sums = {0};
    wide8 sums64 = {0};

    add_difference(&sums, &sums64, w->middle_last, w->middle_above, right, word);
    add_difference(&sums, &sums64, w->middle_above, w->middle_last, left, word);
    if (w->s.rows > w->s.middle_rows) {
        add_difference(&sums, &sums64, w->middle_above, w->above, to, word);
        add_difference(&sums, &sums64, w->above, w->middle_above, from, word);
        add_difference(&sums, &sums64, w->last_row, w->middle_last, to, word);
        add_difference(&sums, &sums64, w->middle_last, w->last_row, from, word);
    }
    if (word == 32)
        memcpy(out, &sums, sizeof sums);
    else
        memcpy(out, &sums64, sizeof sums64);
}

/* --- Means ------------------------------------------------------------------------------------ */

/* Whole numbers below 2^52 as doubles and back: the low bits of 2^52 + n are n. */
SATK_FN double4 to_doubles(wide4 n)
{
    const wide4 two52 = (wide4)((double4){0} + 0x1p52);

    return (double4)(n | two52) - 0x1p52;
}

SATK_FN wide4 from_doubles(double4 n)
{
    const wide4 two52 = (wide4)((double4){0} + 0x1p52);

    return (wide4)(n + 0x1p52) - two52;
}

/* A row of the table's sums, 4 of its 8 words. */
SATK_FN wide4 four_sums(const void *words, int word)
{
    words4 narrow_sums;
    wide4 wide_sums;

    if (word == 32) {
        memcpy(&narrow_sums, words, sizeof narrow_sums);
        return __builtin_convertvector(narrow_sums, wide4);
    }
    memcpy(&wide_sums, words, sizeof wide_sums);
    return wide_sums;
}

SATK_FN uint64_t sum_at(const void *words, int i, int word)
{
    return word == 32 ? ((const uint32_t *)words)[i] : ((const uint64_t *)words)[i];
}

/* satk_lay_under() by way of doubles. A quotient n / d, rounded half up, is the integer part of
 * (n + floor(d / 2) + 1/2) / d, which is at least 1 / (2 d) away from any integer; with n below 2^50, what
 * is rounded on the way is less. Adding 2^52 - 1/2 rounds down. inverse: 1 / in. */
SATK_FN void lay_under(satk_light *light, const void *words, uint64_t in, uint64_t visible,
                       double inverse, int word)
{
    double share = light->left;
    wide4 sums;

    if (in != visible) {
        const double n = share * (double)(int64_t)in + (double)(int64_t)(visible / 2) + 0.5;
        share = n / (double)(int64_t)visible + (0x1p52 - 0.5) - 0x1p52;
    }
    const double4 n =
        to_doubles(four_sums(words, word)) * 256.0 + ((double)(int64_t)(in / 2) + 0.5);
    const double4 mean = n * inverse + (0x1p52 - 0.5) - 0x1p52;
    memcpy(&sums, light->sum, sizeof sums);
    sums += from_doubles(mean * share); /* the fourth of RGB is nobody's */
    memcpy(light->sum, &sums, sizeof sums);
    light->left -= (uint32_t)share;
}

/* One pixel, where the narrowest window is not clipped. */
SATK_FN void lay_visible(const satk_layer *job, const satk_slab *slab,
                         const satk_layer_table *table, const window_row *windows, int x, int y,
                         satk_light *light, double full, double by_full, int channels, int word)
{
    _Alignas(64) uint64_t words[8];

    find_sums(&windows[0], x, words, word);
    for (int i = 0; !satk_is_visible(sum_at(words, channels + 1, word), windows[i].area);) {
        if (++i == SATK_WINDOWS)
            break;
        if (x < windows[i].first || x >= windows[i].last) {
            satk_lay_pixel(job, table, slab, x, y, light, channels, word);
            return;
        }
        find_sums(&windows[i], x, words, word);
    }
    const uint64_t in = sum_at(words, channels, word), visible = sum_at(words, channels + 1, word);
    if (in > 0)
        lay_under(light, words, in, visible,
                  (double)(int64_t)in == full ? by_full : 1 / (double)(int64_t)in, word);
}

/* Row y of a slab, pixels first <= x < last; row: its lights, of pixel 0. */
SATK_FN void lay_row(const satk_layer *job, const satk_slab *slab, const satk_layer_table *table,
                     int y, int first, int last, satk_light *row, int channels, int word)
{
    window_row windows[SATK_WINDOWS];

    for (int i = 0; i < SATK_WINDOWS; i++)
        windows[i] = window_at(job, table, &slab->window[i], y, word);
    const double full = (double)windows[0].area * SATK_SLAB, by_full = 1 / full;
    for (int x = first; x < last; x++) {
        if (row[x].left == 0)
            continue;
        if (x < windows[0].first || x >= windows[0].last)
            satk_lay_pixel(job, table, slab, x, y, &row[x], channels, word);
        else
            lay_visible(job, slab, table, windows, x, y, &row[x], full, by_full, channels, word);
    }
}

/* satk_light_codes() without weights. */
SATK_FN void light_codes(const satk_layer *job, const satk_light *light, const void *src, int x,
                         int channels, int bits, uint32_t *codes)
{
    const double seen = ((1u << SATK_LIGHT_BITS) - light->left) * 256.0;
    const int colours = satk_has_alpha(channels) ? channels - 1 : channels;
    wide4 sums;

    if (seen == 0) {
        satk_get_pixel(src, x, channels, bits, codes);
        return;
    }
    memcpy(&sums, light->sum, sizeof sums);
    const double inverse = seen == 0x1p24 ? 0x1p-24 : 1 / seen;
    const double4 n = to_doubles(sums) + (seen / 2 + 0.5);
    const wide4 means = from_doubles(n * inverse + (0x1p52 - 0.5) - 0x1p52);
    for (int c = 0; c < channels; c++)
        codes[c] = c < colours ? satk_encoded(&job->tone, means[c]) : (uint32_t)means[c];
}

#endif
