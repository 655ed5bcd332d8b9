/* The light of a tile's row in vectors: whole numbers as doubles, and sums of samples of 16 bits as numbers of 64 bits. For
 * layer_vector_body.h. */
#ifndef SATK_LAYER_LIGHT_BODY_H
#define SATK_LAYER_LIGHT_BODY_H

#include "layer/layer_windows_body.h"

/* Returns n rounded down: from 2^52 on, a double has no fraction. */
SATK_FN double_lanes whole(double_lanes n)
{
    return n + (0x1p52 - 0.5) - 0x1p52;
}

/* Returns floor(n / 2) + 1/2. */
SATK_FN double_lanes half_of(wide_lanes n)
{
    return to_doubles(n | 1) * 0.5;
}

SATK_FN double_lanes divisor_of(wide_lanes n)
{
    return to_doubles(n - (wide_lanes)(n == 0));
}

/* Divisors, below 2^32; 0 divides as 1 does. */
typedef struct divisors {
    wide_lanes by;
    double_lanes inverse, up; /* up: what a rest needs to round half up */
} divisors;

SATK_FN divisors divide_by(wide_lanes by)
{
    return (divisors){by, 1.0 / divisor_of(by), half_of(by)};
}

/* Returns whole numbers below 2^52 as numbers of 64 bits. */
SATK_FN wide_lanes to_wide(double_lanes n)
{
    return (wide_lanes)(n + 0x1p52) ^ (wide_lanes)((double_lanes){0} + 0x1p52);
}

/* A mean of 40 bits: 256 (upper - 1) + lower. What lies above the lower 32 bits of these does not count. */
typedef struct wide_mean {
    wide_lanes upper, lower;
} wide_mean;

/* Returns the mean of numbers that are below 2^40 times their divisor. `upper` is nearest to a guess of n / (256 by), which
 * lacks at most 16 / by for the bits that a double has no room for; so the rest, with 256 by more, is between 0 and
 * 2^13 by, and doubles are exact. */
SATK_FN wide_mean mean_of_wide(wide_lanes n, const divisors *d)
{
    const double_lanes guess = to_doubles(n >> 12) * (d->inverse * 16.0);
    const wide_lanes upper = (wide_lanes)(guess + 0x1p52);
    const wide_lanes rest = n + ((d->by - products(upper, d->by)) << 8);
    const double_lanes lower = (to_doubles(rest) + d->up) * d->inverse;

    return (wide_mean){upper, (wide_lanes)(lower + (0x1p52 - 0.5))};
}

/* Returns the products of means and numbers below 2^24. */
SATK_FN wide_lanes mean_times(const wide_mean *m, wide_lanes n)
{
    return ((products(n, m->upper) - n) << 8) + products(n, m->lower);
}

SATK_FN wide_lanes words_at(const void *from)
{
    wide_lanes v;

    memcpy(&v, from, sizeof v);
    return v;
}

/* Adds to LANES / 2 sums of 64 bits. */
SATK_FN void add_words(void *to, wide_lanes change)
{
    change += words_at(to);
    memcpy(to, &change, sizeof change);
}

/* Columns of a tile in whole spans. A narrow picture has one narrow tile. */
static inline int width_of(satk_area tile)
{
    return (tile.right - tile.left + SATK_LAYER_SPAN - 1) / SATK_LAYER_SPAN * SATK_LAYER_SPAN;
}

/* Returns a row of a tile's lights: the sums of each channel, then the light that is left, and that before the last slab. */
static inline double *lights_of(void *lights, satk_area tile, int y, int channels)
{
    uint8_t *const first = lights;

    return (double *)(void *)(first + (size_t)(y - tile.top) * SATK_LAYER_ROW((size_t)channels));
}

/* Return the light of a row that is left, and that before the last slab; and by vector one more than the number of that
 * slab. */
static inline double *left_in(double *row, int channels)
{
    return row + channels * SATK_LAYER_TILE;
}

static inline double *before_in(double *row, int channels)
{
    return row + (channels + 1) * SATK_LAYER_TILE;
}

static inline uint8_t *last_in(double *row, int channels)
{
    return (uint8_t *)(void *)(row + (channels + 4) * SATK_LAYER_TILE);
}

/* Return M, and what was left when the light was closed, which then has none left. */
static inline double *moment_in(double *row, int channels)
{
    return row + (channels + 2) * SATK_LAYER_TILE;
}

static inline double *dropped_in(double *row, int channels)
{
    return row + (channels + 3) * SATK_LAYER_TILE;
}

SATK_FN double_lanes lesser(double_lanes a, double_lanes b)
{
    const wide_lanes is_less = (wide_lanes)(a < b);

    return (double_lanes)((is_less & (wide_lanes)a) | (~is_less & (wide_lanes)b));
}

/* A window's part of the light that a slab lays under LANES / 2 squares: R, D and V of layer.h. */
typedef struct double_part {
    double_lanes rest;
    wide_lanes by, visible;
} double_part;

/* Does satk_part_divisor(). */
SATK_FN wide_lanes part_divisor(wide_lanes visible, wide_lanes area, int is_widest)
{
    const wide_lanes lacking = (wide_lanes)(visible < area);

    return is_widest ? visible : (lacking & area) | (~lacking & visible);
}

/* Does satk_lay_under(), with samples of 8 bits in doubles. A quotient n / d, rounded half up, is the integer part of
 * (n + floor(d / 2) + 1/2) / d, which is at least 1 / (2 d) away from any integer; with n below 2^50, the
 * errors of rounding are less. The share is 0 where nothing is in the window. */
SATK_FN void lay_under_step(double *light, const double_part *part, const lane_words *sums,
                            int half, int channels, int bits, int word)
{
    const wide_lanes in = wide_half(&sums[channels], half, word);
    double_lanes left = doubles_at(light + channels * SATK_LAYER_TILE);
    const double_lanes part_of =
        whole((part->rest * to_doubles(in) + half_of(part->by)) / divisor_of(part->by));
    const double_lanes share = lesser(part_of, left);
    const divisors d = divide_by(in);

    for (int c = 0; c < channels; c++) {
        if (bits == 16) {
            const wide_mean mean = mean_of_wide(wide_half(&sums[c], half, word) << 8, &d);
            add_words(light + c * SATK_LAYER_TILE, mean_times(&mean, to_wide(share)));
            continue;
        }
        const double_lanes n = to_doubles(wide_half(&sums[c], half, word));
        const double_lanes mean = whole((n * 256.0 + d.up) * d.inverse);
        const double_lanes sum = doubles_at(light + c * SATK_LAYER_TILE) + mean * share;
        memcpy(light + c * SATK_LAYER_TILE, &sum, sizeof sum);
    }
    left -= share;
    memcpy(light + channels * SATK_LAYER_TILE, &left, sizeof left);
}

/* Does satk_part_rest(). */
SATK_FN double_lanes part_rest(const double_part *part)
{
    const double_lanes used =
        whole((part->rest * to_doubles(part->visible) + half_of(part->by)) / divisor_of(part->by));

    return part->rest - used;
}

/* Adds shares times the square of a radius to M. */
SATK_FN void add_moment(double *lights, int i, int channels, double_lanes share, double square)
{
    double *const moment = moment_in(lights, channels) + i;
    const double_lanes sum = doubles_at(moment) + share * square;

    memcpy(moment, &sum, sizeof sum);
}

/* Finds what comes to the aperture of slab k, and makes it the last slab. */
SATK_FN void begin_slab(int k, double *lights, int i, int channels, double_part part[2])
{
    double *const left = left_in(lights, channels) + i, *const before =
                                                            before_in(lights, channels) + i;
    uint8_t *const last = last_in(lights, channels) + i / LANES;
    const double *const from = *last == k + 2 ? before : left;

    for (int half = 0; half < 2; half++) {
        const double_lanes now = doubles_at(left + half * LANES / 2);
        part[half].rest = doubles_at(from + half * LANES / 2);
        memcpy(before + half * LANES / 2, &now, sizeof now);
    }
    *last = (uint8_t)(k + 1);
}

/* --- Cells ------------------------------------------------------------------------------------ */

enum { MOST_CELLS = SATK_LAYER_TILE / SATK_CELL + 3 }; /* around a tile's pixels, of any cut */

/* The cells around the pixels of a tile's row, from column `before` on. Each has the sum of both
 * rows of cells, with their weights. */
typedef struct cell_row {
    int before;
    uint64_t column[MOST_CELLS];
} cell_row;

static inline void find_cell_row(const satk_cells *cells, const uint64_t *plane, satk_area tile,
                                 int y, cell_row *r)
{
    const satk_between down = satk_cells_at(&cells->down, y, cells->rows);
    const uint64_t *const above = plane + (size_t)down.from * (size_t)cells->columns;
    const uint64_t *const below = plane + (size_t)down.to * (size_t)cells->columns;
    const int before = satk_centre_of(&cells->across, SATK_CELL, tile.left) / (2 * SATK_CELL) - 1;

    for (int i = 0; i < MOST_CELLS; i++) {
        const int at = before + i < 0 ? 0 : satk_smaller(before + i, cells->columns - 1);
        r->column[i] = (2 * SATK_CELL - down.weight) * above[at] + down.weight * below[at];
    }
    r->before = before;
}

/* Finds the sums of the pixels first <= x < end, which follow each other in whole cells. Before
 * them, `lacked` pixels are missing. */
static inline void blend_run(const cell_row *r, satk_area tile, int first, int end, int lacked,
                             uint64_t *sums)
{
    uint64_t all[(MOST_CELLS - 2) * SATK_CELL];

    if (first >= end)
        return;
    for (int i = 0; i < MOST_CELLS - 2; i++)
        for (int j = 0; j < SATK_CELL; j++) {
            static const satk_cut none = {0, SATK_NO_MIDDLE};
            const satk_between b = satk_cells_at(&none, SATK_CELL + j, 3); /* of the middle one */
            all[i * SATK_CELL + j] =
                (2 * SATK_CELL - b.weight) * r->column[i + b.from] + b.weight * r->column[i + b.to];
        }
    const int from = first + lacked - (r->before + 1) * SATK_CELL;
    memcpy(sums + (first - tile.left), all + from, (size_t)(end - first) * sizeof *sums);
}

/* Finds the sums around the pixels of a tile's row, from one plane of the cells, with their
 * weights. */
static inline void blend_cells(const satk_cells *cells, const uint64_t *plane, satk_area tile,
                               int y, uint64_t *sums)
{
    const satk_cut cut = cells->across;
    const int middle = cut.middle * SATK_CELL - cut.first, behind = middle + SATK_CELL - 1;
    const int right = tile.left + width_of(tile);
    const int rest = behind > tile.left ? behind : tile.left;
    cell_row r;

    find_cell_row(cells, plane, tile, y, &r);
    blend_run(&r, tile, tile.left, satk_smaller(right, middle), cut.first, sums);
    for (int x = middle > tile.left ? middle : tile.left; x < satk_smaller(behind, right); x++) {
        const satk_between b = satk_cells_at(&cut, x, cells->columns);
        sums[x - tile.left] = (2 * SATK_CELL - b.weight) * r.column[b.from - r.before] +
                              b.weight * r.column[b.to - r.before];
    }
    blend_run(&r, tile, rest, right, cut.first + 1, sums);
}

/* Returns 1 if all numbers are 0. numbers: of 64 bits, doubles not below 0. */
static inline int are_none(const void *numbers, int count)
{
    const uint8_t *const from = numbers;
    uint64_t any = 0;

    for (int i = 0; i < count; i++) {
        uint64_t n;
        memcpy(&n, from + (size_t)i * sizeof n, sizeof n);
        any |= n;
    }
    return any == 0;
}

/* Finds what comes to a group of coarse slabs at LANES / 2 pixels, as satk_begin_cells() does. around: the sums of
 * `earlier` there. */
SATK_FN double_lanes begin_cells(const satk_cells *cells, double *lights, int i, int channels,
                                 const uint64_t *around)
{
    const double all = (uint64_t)1 << (SATK_LIGHT_BITS + SATK_WEIGHT_BITS);
    double *const left = left_in(lights, channels) + i, *const before =
                                                            before_in(lights, channels) + i;
    const int is_next = last_in(lights, channels)[i / LANES] == cells->next + 2;
    const double_lanes rest = doubles_at(is_next ? before : left);

    if (cells->earlier) {
        const double_lanes earlier = to_doubles(words_at(around + i));
        const double one = 1 << SATK_LIGHT_BITS;
        const double_lanes was = one - whole((one * earlier + (all / 2 + 0.5)) * (1 / all));
        memcpy(before, &was, sizeof was);
    }
    return rest;
}

/* Does satk_lay_cells() in doubles, with the argument of lay_under_step(). */
static void lay_cells_row(const satk_cells *cells, satk_area tile, int y, double *lights,
                          int channels, int bits)
{
    const double all = (uint64_t)1 << (SATK_LIGHT_BITS + SATK_WEIGHT_BITS);
    double *const left = left_in(lights, channels);
    uint64_t around[SATK_LAYER_TILE], earlier[SATK_LAYER_TILE], colours[4][SATK_LAYER_TILE];
    const int width = width_of(tile);

    if (are_none(left, width))
        return;
    blend_cells(cells, cells->seen, tile, y, around);
    if (are_none(around, width))
        return;
    if (cells->earlier)
        blend_cells(cells, cells->earlier, tile, y, earlier);
    for (int c = 0; c < channels; c++)
        blend_cells(cells, satk_cell_plane(cells, c), tile, y, colours[c]);
    for (int i = 0; i < width; i += LANES / 2) {
        const wide_lanes seen = words_at(around + i);
        const divisors d = divide_by(seen);
        const double_lanes rest = begin_cells(cells, lights, i, channels, earlier);
        double_lanes now = doubles_at(left + i);
        const double_lanes share =
            lesser(whole((rest * to_doubles(seen) + (all / 2 + 0.5)) * (1 / all)), now);
        for (int c = 0; c < channels; c++) {
            double *const light = lights + c * SATK_LAYER_TILE + i;
            const wide_lanes n = words_at(colours[c] + i);
            if (bits == 16) {
                const wide_mean wide = mean_of_wide(n, &d);
                add_words(light, mean_times(&wide, to_wide(share)) << SATK_CELL_BITS);
                continue;
            }
            const double_lanes mean = whole((to_doubles(n) + d.up) * d.inverse);
            const double_lanes sum = doubles_at(light) + mean * share * (1 << SATK_CELL_BITS);
            memcpy(light, &sum, sizeof sum);
        }
        now -= share;
        memcpy(left + i, &now, sizeof now);
        add_moment(lights, i, channels, share, cells->moment);
    }
    if (cells->earlier)
        memset(last_in(lights, channels), cells->next + 1, SATK_LAYER_TILE);
}

/* Returns the sum of a channel of a square. */
static inline uint64_t light_sum(const double *light, int bits)
{
    uint64_t sum;

    memcpy(&sum, light, sizeof sum);
    return bits == 16 ? sum : (uint64_t)*light;
}

/* Stores the lights of a row of cells where pixels find them. */
static void store_cells_row(const satk_cells *cells, satk_area tile, int y, double *lights,
                            int channels, int bits)
{
    const double *const left = left_in(lights, channels), *const before =
                                                              before_in(lights, channels);
    const uint8_t *const last = last_in(lights, channels);
    const size_t row = (size_t)y * (size_t)cells->columns;

    for (int c = 0; c < channels; c++)
        for (int x = tile.left; x < tile.right; x++)
            satk_cell_plane(cells, c)[row + (size_t)x] =
                satk_cell_colour(light_sum(lights + c * SATK_LAYER_TILE + x - tile.left, bits));
    for (int x = tile.left; x < tile.right; x++)
        cells->seen[row + (size_t)x] = satk_cell_seen((uint32_t)left[x - tile.left]);
    for (int x = tile.left; x < tile.right && cells->earlier; x++) {
        const int i = x - tile.left, is_next = last[i / LANES] == cells->next + 1;
        cells->earlier[row + (size_t)x] = satk_cell_seen((uint32_t)(is_next ? before : left)[i]);
    }
}

#endif
