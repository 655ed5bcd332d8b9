/* Lays slabs under a tile in vectors: rows of samples, of the table and of the picture, each channel in a plane of its own.
 * The table has only the rows that the windows of a row read. For layer_tile.c. */
#ifndef SATK_LAYER_VECTOR_H
#define SATK_LAYER_VECTOR_H

#include "layer/layer_windows_body.h"

/* --- Means ------------------------------------------------------------------------------------ */

/* Columns of a tile in whole spans. A narrow picture has one narrow tile. */
static inline int width_of(satk_area tile)
{
    return (tile.right - tile.left + SATK_LAYER_SPAN - 1) / SATK_LAYER_SPAN * SATK_LAYER_SPAN;
}

/* Returns a row of a tile's lights: the sums of each channel, then the light that is left, and that before the last slab:
 * whole numbers as doubles. */
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
    return (uint8_t *)(void *)(row + (channels + 2) * SATK_LAYER_TILE);
}

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

/* Does satk_lay_under() in doubles. A quotient n / d, rounded half up, is the integer part of
 * (n + floor(d / 2) + 1/2) / d, which is at least 1 / (2 d) away from any integer; with n below 2^50, the
 * errors of rounding are less. The share is 0 where nothing is in the window. */
SATK_FN void lay_under_step(double *light, const double_part *part, const lane_words *sums,
                            int half, int channels, int word)
{
    const wide_lanes in = wide_half(&sums[channels], half, word);
    double_lanes left = doubles_at(light + channels * SATK_LAYER_TILE);
    const double_lanes part_of =
        whole((part->rest * to_doubles(in) + half_of(part->by)) / divisor_of(part->by));
    const double_lanes share = lesser(part_of, left);
    const double_lanes inverse = 1.0 / divisor_of(in), up = half_of(in);

    for (int c = 0; c < channels; c++) {
        const double_lanes n = to_doubles(wide_half(&sums[c], half, word));
        const double_lanes mean = whole((n * 256.0 + up) * inverse);
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

/* Lays a slab under LANES squares of a tile's row, from square i on, as satk_lay_square() does. column: of the first in
 * the ring. */
SATK_FN void lay_windows(slab_windows *windows, int i, ptrdiff_t column, double *lights,
                         int channels, int word)
{
    const int count = windows->slab->windows;
    lane_words sums[6];
    double_part part[2];

    begin_slab(windows->k, lights, i, channels, part);
    for (int k = 0; k < count; k++) {
        const window_row *const w = window_at(windows, k);
        const lane_words areas = {{areas_at(w, i)}};
        sum_counts(windows->ring, w, column, sums, channels, word);
        const int is_widest = k + 1 == count || !is_any_below(&sums[channels + 1], &areas, word);
        const int is_in = any_word(&sums[channels], word);
        if (is_widest && !is_in)
            return;
        for (int half = 0; half < 2; half++) {
            part[half].visible = wide_half(&sums[channels + 1], half, word);
            part[half].by =
                part_divisor(part[half].visible, wide_half(&areas, half, 32), is_widest);
        }
        if (is_in) {
            sum_window(w, column, windows->ring->plane, sums, 0, channels, word);
            for (int half = 0; half < 2; half++)
                lay_under_step(lights + i + half * LANES / 2, &part[half], sums, half, channels,
                               word);
        }
        if (is_widest)
            return;
        for (int half = 0; half < 2; half++)
            part[half].rest = part_rest(&part[half]);
    }
}

/* Returns 0 if no light is left of LANES squares. */
SATK_FN int any_left(const double *left)
{
    return any_of((wide_lanes)doubles_at(left) | (wide_lanes)doubles_at(left + LANES / 2));
}

/* Returns a bit for each vector of a tile's row that may see the slab in the SATK_BLOCK_ROWS rows from y on. The widest
 * window of a vector with a bit reaches the slab, and the narrowest reaches the slab or a nearer one: without both, the
 * narrowest window lacks nothing and has nothing of the slab. */
static inline uint64_t find_seeing(const tile_samples *t, const satk_slab_blocks *blocks,
                                   const satk_slab *slab, int left, int y)
{
    const int aperture = satk_stack_reach(&slab->window[0]), reach = satk_reach(slab);
    const uint64_t front = blocks_around(t, blocks->front, y, aperture);
    const uint64_t own = blocks_around(t, blocks->own, y, reach);
    uint64_t seeing = 0;

    for (int i = 0; i < SATK_LAYER_TILE / LANES; i++) {
        const int x = left + i * LANES, last = x + LANES - 1;
        if (has_blocks(t, front, x - aperture, last + aperture) &&
            has_blocks(t, own, x - reach, last + reach))
            seeing |= (uint64_t)1 << i;
    }
    return seeing;
}

/* Lays the slab under a row of the tile, from square `first` on; seeing: a bit for each vector that may see it. */
SATK_FN void lay_row(slab_windows *windows, int first, uint64_t seeing, double *lights,
                     int channels, int word)
{
    const ptrdiff_t column = windows->first - windows->ring->left;
    const int end = windows->last - windows->first;

    for (int i = first; i < end; i += LANES) {
        if (!(seeing >> i / LANES & 1) || !any_left(left_in(lights, channels) + i))
            continue;
        if (windows->first + i >= windows->end)
            begin_run(windows, windows->first + i);
        lay_windows(windows, i, column + i, lights, channels, word);
    }
}

/* Each number of channels and each word has a function, so that these are constants in it. */
typedef void lay_step(slab_windows *windows, int first, uint64_t seeing, double *lights);
#define LAY_STEP(channels, word)                                                                   \
    static void lay_##channels##_##word(slab_windows *windows, int first, uint64_t seeing,         \
                                        double *lights)                                            \
    {                                                                                              \
        lay_row(windows, first, seeing, lights, channels, word);                                   \
    }
#define LAY_STEPS(word) LAY_STEP(1, word) LAY_STEP(2, word) LAY_STEP(3, word) LAY_STEP(4, word)
LAY_STEPS(32)
LAY_STEPS(64)
static lay_step *const lay_steps[2][4] = {{lay_1_32, lay_2_32, lay_3_32, lay_4_32},
                                          {lay_1_64, lay_2_64, lay_3_64, lay_4_64}};

/* --- Slabs ------------------------------------------------------------------------------------ */

/* Makes the ring of a slab's table: the columns that the windows of the tile's columns first <= x < last read, and the rows
 * that the windows of the rows of `pixels` read. */
static ring make_ring(const tile_pass *p, const satk_slab *slab, satk_area pixels, int first,
                      int last)
{
    const tile_samples *const t = &p->samples;
    const satk_grid *const g = &t->grid;
    const int word = p->job->word, channels = p->job->src.channels, tile = p->tile.left;
    const int reach = satk_reach(slab), across = satk_smaller(reach, g->columns);
    const int left = t->left + (tile + first - across - 1 - t->left) / LANES * LANES;
    const size_t width = (size_t)(tile + last + across - left + LANES - 1) / LANES * LANES;
    const int shared = word == 32 && are_counts_below(p->job, slab, g->cell, SHARED);
    const int top = pixels.top > reach ? pixels.top - reach : 0;
    const int bottom = satk_smaller(pixels.bottom + reach, g->rows);

    return (ring){.words = p->words,
                  .plane = width * (size_t)word / 8,
                  .pitch = (size_t)(channels + 2 - shared) * width * (size_t)word / 8,
                  .is_shared = shared,
                  .left = left,
                  .top = top,
                  .since = top,
                  .bottom = bottom,
                  .count = satk_smaller(2 * reach + 2, bottom - top)};
}

static void lay_slab_in_vectors(const tile_pass *p, int k)
{
    const satk_slab *const slab = &p->job->slabs[k];
    const satk_area tile = p->tile;
    const int reach = satk_reach(slab), channels = p->job->src.channels, word = p->job->word;
    const satk_area pixels = both(grown(p->blocks[k].bounds, reach), tile);
    const int first = (pixels.left - tile.left) / LANES * LANES;
    const int last = (pixels.right - tile.left + LANES - 1) / LANES * LANES;
    build_step *const build = build_step_of(channels, word, p->samples.grid.cell);
    lay_step *const lay = lay_steps[word == 64][channels - 1];
    ring r = make_ring(p, slab, pixels, first, last);
    window_columns columns[SATK_WINDOWS];
    uint64_t seeing = 0;
    slab_windows windows = {.ring = &r,
                            .job = p->job,
                            .slab = slab,
                            .k = k,
                            .grid = &p->samples.grid,
                            .columns = columns,
                            .first = tile.left,
                            .last = tile.left + last};

    memset(r.words, 0, r.pitch);
    for (int y = pixels.top, next = r.top; y < pixels.bottom; y++) {
        if (y - reach - 1 >= r.since + r.count)
            r.since += r.count;
        for (; next <= y + reach && next < r.bottom; next++)
            build(&r, &p->samples, k, next);
        begin_row(&windows, y, tile.left + first);
        if ((y - pixels.top) % SATK_BLOCK_ROWS == 0)
            seeing = find_seeing(&p->samples, &p->blocks[k], slab, tile.left, y);
        lay(&windows, first, seeing, lights_of(p->lights, tile, y, channels));
    }
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
    const int before = satk_centre_of(&cells->across, tile.left) / (2 * SATK_CELL) - 1;

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
    memcpy(sums + first - tile.left, all + first + lacked - (r->before + 1) * SATK_CELL,
           (size_t)(end - first) * sizeof *sums);
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

SATK_FN wide_lanes sums_from(const uint64_t *sums)
{
    wide_lanes v;

    memcpy(&v, sums, sizeof v);
    return v;
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
        const double_lanes earlier = to_doubles(sums_from(around + i));
        const double one = 1 << SATK_LIGHT_BITS;
        const double_lanes was = one - whole((one * earlier + (all / 2 + 0.5)) * (1 / all));
        memcpy(before, &was, sizeof was);
    }
    return rest;
}

/* Does satk_lay_cells() in doubles, with the argument of lay_under_step(). */
static void lay_cells_row(const satk_cells *cells, satk_area tile, int y, double *lights,
                          int channels)
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
        const wide_lanes seen = sums_from(around + i);
        const double_lanes inverse = 1.0 / divisor_of(seen), half = half_of(seen);
        const double_lanes rest = begin_cells(cells, lights, i, channels, earlier);
        double_lanes now = doubles_at(left + i);
        const double_lanes share =
            lesser(whole((rest * to_doubles(seen) + (all / 2 + 0.5)) * (1 / all)), now);
        for (int c = 0; c < channels; c++) {
            double *const light = lights + c * SATK_LAYER_TILE + i;
            const double_lanes mean =
                whole((to_doubles(sums_from(colours[c] + i)) + half) * inverse);
            const double_lanes sum = doubles_at(light) + mean * share * (1 << SATK_CELL_BITS);
            memcpy(light, &sum, sizeof sum);
        }
        now -= share;
        memcpy(left + i, &now, sizeof now);
    }
    if (cells->earlier)
        memset(last_in(lights, channels), cells->next + 1, SATK_LAYER_TILE);
}

/* Stores the lights of a row of cells where pixels find them. */
static void store_cells_row(const satk_cells *cells, satk_area tile, int y, double *lights,
                            int channels)
{
    const double *const left = left_in(lights, channels), *const before =
                                                              before_in(lights, channels);
    const uint8_t *const last = last_in(lights, channels);
    const size_t row = (size_t)y * (size_t)cells->columns;

    for (int c = 0; c < channels; c++)
        for (int x = tile.left; x < tile.right; x++)
            satk_cell_plane(cells, c)[row + (size_t)x] =
                satk_cell_colour((uint64_t)lights[c * SATK_LAYER_TILE + x - tile.left]);
    for (int x = tile.left; x < tile.right; x++)
        cells->seen[row + (size_t)x] = satk_cell_seen((uint32_t)left[x - tile.left]);
    for (int x = tile.left; x < tile.right && cells->earlier; x++) {
        const int i = x - tile.left, is_next = last[i / LANES] == cells->next + 1;
        cells->earlier[row + (size_t)x] = satk_cell_seen((uint32_t)(is_next ? before : left)[i]);
    }
}

/* Does satk_light_codes() for a row, without weights. */
SATK_FN void store_row(const satk_layer *job, satk_area tile, int y, const double *lights,
                       int channels)
{
    const double *const left = lights + channels * SATK_LAYER_TILE;
    const int colours = satk_has_alpha(channels) ? channels - 1 : channels;
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    int32_t means[4][SATK_LAYER_TILE];

    for (int i = 0; i < width_of(tile); i++) {
        const double seen = ((1 << SATK_LIGHT_BITS) - left[i]) * 256;
        const double inverse = 1 / (seen + (seen == 0)), half = seen / 2 + 0.5;
        for (int c = 0; c < channels; c++)
            means[c][i] = (int32_t)((lights[c * SATK_LAYER_TILE + i] + half) * inverse);
    }
    for (int x = tile.left; x < tile.right; x++) {
        const int i = x - tile.left;
        uint32_t codes[4];
        if (left[i] < 1 << SATK_LIGHT_BITS)
            for (int c = 0; c < channels; c++)
                codes[c] = c < colours ? satk_encoded(&job->tone, (uint64_t)means[c][i])
                                       : (uint32_t)means[c][i];
        else
            satk_get_pixel(row_of(&job->src, y), x, channels, 8, codes);
        satk_put_pixel(dst, x, channels, 8, codes);
    }
}

typedef void store_step(const satk_layer *job, satk_area tile, int y, const double *lights);
#define STORE_STEP(channels)                                                                       \
    static void store_##channels(const satk_layer *job, satk_area tile, int y,                     \
                                 const double *lights)                                             \
    {                                                                                              \
        store_row(job, tile, y, lights, channels);                                                 \
    }
STORE_STEP(1)
STORE_STEP(2)
STORE_STEP(3)
STORE_STEP(4)
static store_step *const store_steps[4] = {store_1, store_2, store_3, store_4};

/* --- All of a tile ---------------------------------------------------------------------------- */

static double *row_lights(const tile_pass *p, int y)
{
    return lights_of(p->lights, p->tile, y, p->job->src.channels);
}

static void clear_in_vectors(const tile_pass *p)
{
    const int channels = p->job->src.channels, width = width_of(p->tile);

    for (int y = p->tile.top; y < p->tile.bottom; y++) {
        double *const row = row_lights(p, y);
        for (int c = 0; c <= channels; c++)
            for (int i = 0; i < width; i++)
                row[c * SATK_LAYER_TILE + i] = c < channels ? 0 : 1 << SATK_LIGHT_BITS;
        memset(last_in(row, channels), 0, SATK_LAYER_TILE);
    }
}

static void lay_cells_in_vectors(const tile_pass *p, const satk_cells *cells)
{
    for (int y = p->tile.top; y < p->tile.bottom; y++)
        lay_cells_row(cells, p->tile, y, row_lights(p, y), p->job->src.channels);
}

static void store_cells_in_vectors(const tile_pass *p, const satk_cells *cells)
{
    for (int y = p->tile.top; y < p->tile.bottom; y++)
        store_cells_row(cells, p->tile, y, row_lights(p, y), p->job->src.channels);
}

static void store_codes_in_vectors(const tile_pass *p)
{
    for (int y = p->tile.top; y < p->tile.bottom; y++)
        store_steps[p->job->src.channels - 1](p->job, p->tile, y, row_lights(p, y));
}

#endif
