/* Lays slabs under a tile in vectors: rows of samples, of the table and of the picture, each channel in a plane of its own.
 * The table has only the rows that the windows of a row read. For layer_tile.c. */
#ifndef SATK_LAYER_VECTOR_H
#define SATK_LAYER_VECTOR_H

#include "layer/layer_store_body.h"

/* --- Farther slabs ---------------------------------------------------------------------------- */

/* The squares of a tile's row before slab k is laid there. */
typedef struct row_look {
    const tile_pass *pass;
    int k, y;
    const uint8_t *shown; /* E of the tile's first square; NULL: no light is closed */
} row_look;

static inline row_look look_at(const tile_pass *p, int k, int y)
{
    const satk_farther *const f = p->farther ? &p->farther->squares : NULL;

    return (row_look){p, k, y, f ? satk_least_at(f, 0, p->tile.left, y) : NULL};
}

/* Closes the light of some of LANES / 2 squares. */
SATK_FN void close_parts(int i, double *lights, int channels, wide_lanes closed)
{
    double *const left = left_in(lights, channels) + i;
    double *const dropped = dropped_in(lights, channels) + i;
    const wide_lanes now = (wide_lanes)doubles_at(left);
    const double_lanes all = doubles_at(dropped) + (double_lanes)(now & closed);
    const wide_lanes kept = now & ~closed;

    memcpy(dropped, &all, sizeof all);
    memcpy(left, &kept, sizeof kept);
}

/* Returns the squares of LANES / 2 that show nothing of slab k or farther. */
SATK_FN wide_lanes hidden_half(lanes least, int half, int k)
{
    typedef int64_t signed_lanes __attribute__((vector_size(sizeof(wide_lanes))));
    const lane_words words = {{least}};

    return (wide_lanes)((signed_lanes)wide_half(&words, half, 32) > k);
}

/* Closes the light of those squares around which nothing is shown. may: those that show nothing themselves. */
static void close_light(const row_look *r, int i, double *lights, int channels, wide_lanes may[2])
{
    const satk_farther *const f = &r->pass->farther->squares;
    const double *const moment = moment_in(lights, channels) + i;

    for (int size = 0; any_of(may[0] | may[1]); size++) {
        const double most = f->most[size];
        const wide_lanes is_for[2] = {may[0] & (wide_lanes)(doubles_at(moment) <= most),
                                      may[1] &
                                          (wide_lanes)(doubles_at(moment + LANES / 2) <= most)};
        if (!any_of(is_for[0] | is_for[1]))
            continue;
        need_squares(r->pass, size);
        const lanes least = lanes_from(satk_least_at(f, size, r->pass->tile.left + i, r->y), 8);
        for (int half = 0; half < 2; half++) {
            close_parts(i + half * LANES / 2, lights, channels,
                        is_for[half] & hidden_half(least, half, r->k));
            may[half] &= ~is_for[half];
        }
    }
}

/* Does satk_look_farther() for LANES squares, from square i of the tile's row on. */
SATK_FN void look_farther(const row_look *r, int i, double *lights, int channels)
{
    const double *const left = left_in(lights, channels) + i;
    const double all = 1 << SATK_LIGHT_BITS;
    const lanes shown = lanes_from(r->shown + i, 8);
    wide_lanes may[2];

    for (int half = 0; half < 2; half++) {
        const double_lanes now = doubles_at(left + half * LANES / 2);
        may[half] =
            (wide_lanes)(now > 0.0) & (wide_lanes)(now < all) & hidden_half(shown, half, r->k);
    }
    if (any_of(may[0] | may[1]))
        close_light(r, i, lights, channels, may);
}

/* Adds what a slab has laid to M. square: of its radius. */
SATK_FN void add_moments(double *lights, int i, int channels, double square)
{
    for (int at = i; at < i + LANES; at += LANES / 2) {
        const double_lanes before = doubles_at(before_in(lights, channels) + at);
        const double_lanes share = before - doubles_at(left_in(lights, channels) + at);
        add_moment(lights, at, channels, share, square);
    }
}

/* --- Windows ---------------------------------------------------------------------------------- */

/* Takes the light of window k from squares whose M does not use it. Returns 0 if none is left. */
SATK_FN int limit_parts(const slab_windows *windows, int k, const double *moment,
                        double_part part[2])
{
    const double least = windows->least[k];
    wide_lanes any = {0};

    for (int half = 0; half < 2; half++) {
        const wide_lanes is_used = (wide_lanes)(doubles_at(moment + half * LANES / 2) >= least);
        part[half].rest = (double_lanes)((wide_lanes)part[half].rest & is_used);
        any |= (wide_lanes)part[half].rest;
    }
    return any_of(any);
}

/* Lays all windows of a slab under LANES squares. */
SATK_FN void lay_windows(slab_windows *windows, int i, ptrdiff_t column, double *lights,
                         int channels, int bits, int word)
{
    const int count = windows->slab->windows;
    lane_words sums[6];
    double_part part[2];

    begin_slab(windows->k, lights, i, channels, part);
    for (int k = 0; k < count; k++) {
        if (k > 0 && windows->has_moments &&
            !limit_parts(windows, k, moment_in(lights, channels) + i, part))
            return;
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
                               bits, word);
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
                     int channels, int bits, int word)
{
    const ptrdiff_t column = windows->first - windows->ring->left;
    const int end = windows->last - windows->first;
    const row_look look = look_at(windows->pass, windows->k, windows->y);

    for (int i = first; i < end; i += LANES) {
        double *const left = left_in(lights, channels) + i;
        if (!(seeing >> i / LANES & 1) || !any_left(left))
            continue;
        if (look.shown)
            look_farther(&look, i, lights, channels);
        if (!any_left(left))
            continue;
        if (windows->first + i >= windows->end)
            begin_run(windows, windows->first + i);
        lay_windows(windows, i, column + i, lights, channels, bits, word);
        if (windows->has_moments && any_left(left))
            add_moments(lights, i, channels, windows->moment);
    }
}

/* Each number of channels and each kind has a function, so that these are constants in it. */
typedef void lay_step(slab_windows *windows, int first, uint64_t seeing, double *lights);
#define LAY_STEP(channels, bits, word)                                                             \
    static void lay_##channels##_##bits##_##word(slab_windows *windows, int first,                 \
                                                 uint64_t seeing, double *lights)                  \
    {                                                                                              \
        lay_row(windows, first, seeing, lights, channels, bits, word);                             \
    }
#define LAY_STEPS(bits, word)                                                                      \
    LAY_STEP(1, bits, word)                                                                        \
    LAY_STEP(2, bits, word) LAY_STEP(3, bits, word) LAY_STEP(4, bits, word)
LAY_STEPS(8, 32)
LAY_STEPS(8, 64)
LAY_STEPS(16, 64)
static lay_step *const lay_steps[SATK_KINDS][4] = {
    {lay_1_8_32, lay_2_8_32, lay_3_8_32, lay_4_8_32},
    {lay_1_8_64, lay_2_8_64, lay_3_8_64, lay_4_8_64},
    {lay_1_16_64, lay_2_16_64, lay_3_16_64, lay_4_16_64}};

/* --- Slabs ------------------------------------------------------------------------------------ */

/* Makes the ring of a slab's table: the columns that the windows of the tile's columns first <= x < last read, and the rows
 * that the windows of the rows of `pixels` read. */
static ring make_ring(const tile_pass *p, const satk_slab *slab, satk_area pixels, int first,
                      int last)
{
    const tile_samples *const t = &p->samples;
    const satk_grid *const g = &t->grid;
    const int word = kind_of(p->job) == SATK_NARROW ? 32 : 64, channels = p->job->src.channels,
              tile = p->tile.left;
    const int reach = satk_reach(slab), across = satk_smaller(reach, g->columns);
    const int left = t->left + (tile + first - across - 1 - t->left) / LANES * LANES;
    const size_t width = (size_t)(tile + last + across - left + LANES - 1) / LANES * LANES;
    const int shared = word == 64 || are_counts_below(p->job, slab, g->cell, SHARED);
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

/* Finds the moments of a slab of pixels. */
static void find_moments(slab_windows *w)
{
    if (!w->pass->farther)
        return;
    const satk_farther *const f = &w->pass->farther->squares;
    w->has_moments = 1;
    w->moment = (double)satk_moment_of(&w->slab->window[0], 1, f->unit);
    for (int i = 1; i < w->slab->windows; i++)
        w->least[i] = satk_least_moment(f, w->slab, i);
}

static void lay_slab_in_vectors(const tile_pass *p, int k)
{
    const satk_slab *const slab = &p->job->slabs[k];
    const satk_area tile = p->tile;
    const int reach = satk_reach(slab), channels = p->job->src.channels, kind = kind_of(p->job);
    const satk_area pixels = both(grown(p->blocks[k].bounds, reach), tile);
    const int first = (pixels.left - tile.left) / LANES * LANES;
    const int last = (pixels.right - tile.left + LANES - 1) / LANES * LANES;
    build_step *const build = build_step_of(channels, kind, p->samples.grid.cell);
    lay_step *const lay = lay_steps[kind][channels - 1];
    ring r = make_ring(p, slab, pixels, first, last);
    window_columns columns[SATK_WINDOWS];
    uint64_t seeing = 0;
    slab_windows windows = {.ring = &r,
                            .job = p->job,
                            .slab = slab,
                            .k = k,
                            .pass = p,
                            .grid = &p->samples.grid,
                            .columns = columns,
                            .first = tile.left,
                            .last = tile.left + last};

    memset(r.words, 0, r.pitch);
    find_moments(&windows);
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

/* Does satk_store_left(), and closes the light that has none for the mark's slab: nothing is laid under it. */
static void store_left_in_vectors(const tile_pass *p, int mark)
{
    const satk_layer *const job = p->job;
    const satk_area tile = p->tile;
    const satk_plane plane = satk_left_plane(&job->left, mark);
    const int channels = job->src.channels;

    for (int y = tile.top; y < tile.bottom; y++) {
        double *const row = lights_of(p->lights, tile, y, channels);
        const double *const left = left_in(row, channels);
        uint8_t *const to = (uint8_t *)plane.data + y * plane.pitch + tile.left;
        const row_look look = look_at(p, job->mark[mark], y);
        for (int i = 0; i < tile.right - tile.left && look.shown; i += LANES)
            look_farther(&look, i, row, channels);
        for (int i = 0; i < tile.right - tile.left; i++)
            to[i] =
                (uint8_t)((255 * (int32_t)left[i] + (1 << SATK_LIGHT_BITS) / 2) >> SATK_LIGHT_BITS);
    }
}

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
        for (int i = 0; i < width; i++)
            moment_in(row, channels)[i] = dropped_in(row, channels)[i] = 0;
        memset(last_in(row, channels), 0, SATK_LAYER_TILE);
    }
}

static void lay_cells_in_vectors(const tile_pass *p, const satk_cells *cells)
{
    const int channels = p->job->src.channels;

    for (int y = p->tile.top; y < p->tile.bottom; y++) {
        const row_look look = look_at(p, cells->next, y);
        for (int i = 0; i < width_of(p->tile) && look.shown; i += LANES)
            look_farther(&look, i, row_lights(p, y), channels);
        lay_cells_row(cells, p->tile, y, row_lights(p, y), channels, p->job->src.bits);
    }
}

static void store_cells_in_vectors(const tile_pass *p, const satk_cells *cells)
{
    for (int y = p->tile.top; y < p->tile.bottom; y++)
        store_cells_row(cells, p->tile, y, row_lights(p, y), p->job->src.channels,
                        p->job->src.bits);
}

static void store_codes_in_vectors(const tile_pass *p)
{
    for (int y = p->tile.top; y < p->tile.bottom; y++)
        store_steps[p->job->src.bits == 16][p->job->src.channels - 1](p->job, p->tile, y,
                                                                      row_lights(p, y));
}

#endif
