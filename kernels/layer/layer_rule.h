/* The arithmetic of layer.h, shared by the host and the device. Functions are inlined with constant
 * channels, bits and word. */
#ifndef SATK_LAYER_RULE_H
#define SATK_LAYER_RULE_H

#include "layer/layer.h"

/* --- Membership ------------------------------------------------------------------------------- */

/* A pixel's place: its position, and above it the sixteenths that its coverage lacks, 0 .. 15. */
enum { SATK_POSITION_BITS = 12, SATK_POSITIONS = 1 << SATK_POSITION_BITS };

/* Returns the sixteenths that a coverage of 8 bits lacks. */
SATK_FN int satk_lack_of(int cover)
{
    const int a = (SATK_SLAB * cover + UINT8_MAX / 2) / UINT8_MAX;

    return a > 0 ? SATK_SLAB - a : SATK_SLAB - 1;
}

/* Returns the position of a pixel's place. */
SATK_FN int satk_place_position(int place)
{
    return place & (SATK_POSITIONS - 1);
}

/* Returns the part of m that a pixel covers. */
SATK_FN int satk_covered(int m, int place)
{
    return (m * (SATK_SLAB - (place >> SATK_POSITION_BITS)) + SATK_SLAB / 2) / SATK_SLAB;
}

SATK_FN int satk_in_slab(int place, int slab)
{
    const int off = satk_place_position(place) - slab * SATK_SLAB, away = off < 0 ? -off : off;

    return away < SATK_SLAB ? satk_covered(SATK_SLAB - away, place) : 0;
}

/* Returns 0 if the pixel lies wholly before the slab, else SATK_SLAB (b of layer.h). */
SATK_FN int satk_is_not_before(int place, int slab)
{
    return satk_place_position(place) < (slab + 1) * SATK_SLAB ? SATK_SLAB : 0;
}

/* Returns the place of pixel x, y of the picture. */
SATK_FN int satk_place_at(const satk_layer *job, int x, int y)
{
    const uint8_t *const map = (const uint8_t *)job->map.data + y * job->map.pitch;
    const int position =
        job->position[satk_code(map, (size_t)x * (size_t)job->map.channels, job->map.bits)];

    if (!job->cover.data)
        return position;
    const int cover = ((const uint8_t *)job->cover.data)[y * job->cover.pitch + x];
    return position | satk_lack_of(cover) << SATK_POSITION_BITS;
}

/* Returns the words of a table's pixel: the samples, m and b, and the padding to whole vectors. */
SATK_FN int satk_layer_lanes(int channels)
{
    return channels <= 2 ? 4 : 8;
}

/* Finds the numbers that the table of a slab sums at pixel x, y: out[lanes]. */
SATK_FN void satk_layer_samples(const satk_layer *job, int x, int y, int slab, int channels,
                                int bits, uint64_t *out)
{
    const int place = satk_place_at(job, x, y), m = satk_in_slab(place, slab);

    for (int l = 0; l < satk_layer_lanes(channels); l++)
        out[l] = 0;
    if (m > 0)
        satk_samples(&job->tone, (const uint8_t *)job->src.data + y * job->src.pitch, x, channels,
                     bits, out);
    for (int c = 0; c < channels; c++)
        out[c] *= (uint64_t)m;
    out[channels] = (uint64_t)m;
    out[channels + 1] = (uint64_t)satk_is_not_before(place, slab);
}

/* --- Grids ------------------------------------------------------------------------------------ */

enum { SATK_NO_MIDDLE = 1 << 28 };

/* The pixels that squares of an axis lack. The first square lacks some in front, the last one as
 * many behind, and a middle one its last. So the squares of a mirrored axis are the mirrored
 * ones. */
typedef struct satk_cut {
    int first;  /* pixels that square 0 lacks */
    int middle; /* the square that lacks one, or SATK_NO_MIDDLE */
} satk_cut;

/* The squares that a table counts: pixels or cells, across and down the picture. */
typedef struct satk_grid {
    int cell;               /* pixels of a side: 1 or SATK_CELL */
    int columns, rows, top; /* top: the rows of the picture's squares above row 0 */
    int width, height;      /* of the picture */
    satk_cut across, down;
} satk_grid;

/* Returns the squares of a whole axis. An odd one has an odd number of cells, of which the middle one has SATK_CELL - 1 pixels. */
SATK_FN int satk_squares_of_axis(int length, int cell)
{
    const int odd = length & 1 && cell > 1, squares = (length + odd + cell - 1) / cell;

    return odd ? squares | 1 : squares;
}

SATK_FN satk_cut satk_cut_axis(int length, int cell)
{
    const int odd = length & 1 && cell > 1, squares = satk_squares_of_axis(length, cell);
    const satk_cut c = {(cell * squares - odd - length) / 2, odd ? squares / 2 : SATK_NO_MIDDLE};
    return c;
}

/* Returns the first pixel of a square of an axis with `length` pixels; the end for the square behind the last. */
SATK_FN int satk_square_begin(const satk_cut *cut, int cell, int square, int length)
{
    const int begin = square * cell - cut->first - (square > cut->middle);

    return begin < 0 ? 0 : begin < length ? begin : length;
}

/* Returns the place of a pixel's centre in half pixels, as if no cell lacked a pixel: cell i begins at 2 * cell * i.
 * The pixels of a middle cell have their centres at 2, 4, 6 .. in it. */
SATK_FN int satk_centre_of(const satk_cut *cut, int cell, int pixel)
{
    const int at = 2 * (pixel + cut->first) + 1;

    if (cut->middle == SATK_NO_MIDDLE)
        return at;
    const int middle = 2 * cell * cut->middle;
    return at + (at > middle) + (at > middle + 2 * (cell - 1));
}

/* Turns the cut of an axis into that of the axis' part from pixel `first` on. Returns the number of
 * the square that becomes square 0. */
SATK_FN int satk_cut_part(satk_cut *cut, int cell, int first)
{
    const int square = satk_centre_of(cut, cell, first) / (2 * cell);
    const int is_behind = square > cut->middle;

    cut->first += first - cell * square + is_behind;
    cut->middle =
        is_behind || cut->middle == SATK_NO_MIDDLE ? SATK_NO_MIDDLE : cut->middle - square;
    return square;
}

/* Returns the grid of a plane's pixels, or of cells. Its first row is row `row` of a picture of `rows`; 0: the plane is all
 * of it. */
SATK_FN satk_grid satk_make_grid(const satk_plane *src, int row, int rows, int cell)
{
    satk_grid g = {cell,
                   satk_squares_of_axis(src->width, cell),
                   src->height,
                   row,
                   src->width,
                   src->height,
                   satk_cut_axis(src->width, cell),
                   satk_cut_axis(rows ? rows : src->height, cell)};

    if (cell == 1)
        return g;
    g.top = satk_cut_part(&g.down, cell, row);
    g.rows = satk_centre_of(&g.down, cell, src->height - 1) / (2 * cell) + 1;
    return g;
}

SATK_FN satk_grid satk_grid_of(const satk_layer *job, int coarse)
{
    return satk_make_grid(&job->src, job->row, job->rows, coarse ? SATK_CELL : 1);
}

SATK_FN int satk_column_begin(const satk_grid *g, int column)
{
    return satk_square_begin(&g->across, g->cell, column, g->width);
}

SATK_FN int satk_row_begin(const satk_grid *g, int row)
{
    return satk_square_begin(&g->down, g->cell, row, g->height);
}

/* Return the pixels of a range of columns, and of rows. A range of pixels is its own answer, and windows ask often. */
SATK_FN uint32_t satk_columns_span(const satk_grid *g, satk_range columns)
{
    if (g->cell == 1)
        return (uint32_t)(columns.hi - columns.lo);
    return (uint32_t)(satk_column_begin(g, columns.hi) - satk_column_begin(g, columns.lo));
}

SATK_FN uint32_t satk_rows_span(const satk_grid *g, satk_range rows)
{
    if (g->cell == 1)
        return (uint32_t)(rows.hi - rows.lo);
    return (uint32_t)(satk_row_begin(g, rows.hi) - satk_row_begin(g, rows.lo));
}

/* Groups of slabs: coarse ones behind (k < first), the others (first <= k < last), and coarse ones
 * before (last <= k). */
typedef struct satk_groups {
    int first, last;
} satk_groups;

SATK_FN satk_groups satk_group_slabs(const satk_layer *job)
{
    satk_groups g = {0, job->count};

    while (g.first < g.last && (!job->slabs[g.first].used || job->slabs[g.first].coarse))
        g.first++;
    while (g.first < g.last && (!job->slabs[g.last - 1].used || job->slabs[g.last - 1].coarse))
        g.last--;
    return g;
}

/* Finds the numbers that the table of a slab sums at a square: out[lanes]. */
SATK_FN void satk_square_samples(const satk_layer *job, const satk_grid *g, int column, int row,
                                 int slab, int channels, int bits, uint64_t *out)
{
    const int right = satk_column_begin(g, column + 1), bottom = satk_row_begin(g, row + 1);
    uint64_t pixel[8];

    for (int l = 0; l < satk_layer_lanes(channels); l++)
        out[l] = 0;
    for (int y = satk_row_begin(g, row); y < bottom; y++)
        for (int x = satk_column_begin(g, column); x < right; x++) {
            satk_layer_samples(job, x, y, slab, channels, bits, pixel);
            for (int l = 0; l < satk_layer_lanes(channels); l++)
                out[l] += pixel[l];
        }
}

/* --- Windows ---------------------------------------------------------------------------------- */

/* Returns the reach of a window, in squares. */
SATK_FN int satk_stack_reach(const satk_stack *s)
{
    const int wider = s->middle > s->outer ? s->middle : s->outer;

    return wider > s->rows ? wider : s->rows;
}

/* Returns the farthest reach of a slab's windows, in squares. */
SATK_FN int satk_reach(const satk_slab *slab)
{
    return satk_stack_reach(&slab->window[slab->windows - 1]);
}

/* A table of the columns left <= x < right of the rows top <= y of a grid: inclusive prefixes that
 * begin there, dense. Windows that are read stay inside it, except where the picture ends. */
typedef struct satk_layer_table {
    const satk_grid *grid;
    const void *words;
    int left, right, top;
} satk_layer_table;

/* Adds sign times the prefix left of column p and above row q to the sums. */
SATK_FN void satk_add_prefix(const satk_layer_table *t, int p, int q, int sign, int lanes, int word,
                             uint64_t *sums)
{
    if (p <= t->left || q <= t->top)
        return;
    const size_t row = (size_t)(q - 1 - t->top) * (size_t)(t->right - t->left);
    const size_t at = (row + (size_t)(p - 1 - t->left)) * (size_t)lanes;
    for (int l = 0; l < lanes; l++)
        if (word == 32)
            sums[l] += (uint32_t)sign * ((const uint32_t *)t->words)[at + (size_t)l];
        else
            sums[l] += (uint64_t)(int64_t)sign * ((const uint64_t *)t->words)[at + (size_t)l];
}

/* Adds the box columns x rows, clipped, to the sums. Returns the box's pixels. */
SATK_FN uint32_t satk_add_box(const satk_layer_table *t, satk_range columns, satk_range rows,
                              int lanes, int word, uint64_t *sums)
{
    const satk_grid *const g = t->grid;

    columns = satk_clip(columns, g->columns);
    rows = satk_clip(rows, g->rows);
    if (rows.lo >= rows.hi || columns.lo >= columns.hi)
        return 0;
    satk_add_prefix(t, columns.hi, rows.hi, 1, lanes, word, sums);
    satk_add_prefix(t, columns.lo, rows.hi, -1, lanes, word, sums);
    satk_add_prefix(t, columns.hi, rows.lo, -1, lanes, word, sums);
    satk_add_prefix(t, columns.lo, rows.lo, 1, lanes, word, sums);
    return satk_columns_span(g, columns) * satk_rows_span(g, rows);
}

/* Returns the squares of a side that reaches equally far both ways, at most `most`. */
SATK_FN uint64_t satk_squares_along(int reach, uint64_t most)
{
    const uint64_t squares = 2 * (uint64_t)reach + 1;

    return squares < most ? squares : most;
}

/* Returns the radius of a form. */
SATK_FN int satk_form_radius(const satk_stack *s)
{
    return s->middle_rows;
}

SATK_FN uint64_t satk_squares_in(satk_range r, uint64_t most)
{
    const uint64_t squares = r.lo < r.hi ? (uint64_t)(r.hi - r.lo) : 0;

    return squares < most ? squares : most;
}

/* Returns the squares of a window. A form has at most those of its boxes of a weight above 0, times that, and those of the side
 * that has more. `columns` and `rows` bound them along each axis. */
SATK_FN uint64_t satk_squares(const satk_stack *s, const satk_forms *forms, uint64_t columns,
                              uint64_t rows)
{
    const uint64_t middle_rows = satk_squares_along(s->middle_rows, rows);
    const int radius = satk_form_radius(s);
    uint64_t squares = 0;

    if (forms->count == 0)
        return middle_rows * satk_squares_along(s->middle, columns) +
               (satk_squares_along(s->rows, rows) - middle_rows) *
                   satk_squares_along(s->outer, columns);
    for (int side = 0; side < 2; side++) {
        uint64_t sum = 0;
        for (int i = 0; i < forms->count; i++) {
            const satk_form_box *const box = &forms->whole[side][i];
            sum += satk_squares_in(satk_form_columns(box, radius, 0), columns) *
                   satk_squares_in(satk_form_rows(box, radius, 0), rows) *
                   (uint64_t)(box->weight > 0 ? box->weight : 0);
        }
        squares = sum > squares ? sum : squares;
    }
    return squares;
}

/* Returns the patches of a grid's squares. */
SATK_FN const satk_form_patches *satk_patches_of(const satk_layer *job, const satk_grid *g)
{
    return g->cell == 1 ? &job->forms.pixels : &job->forms.cells;
}

/* Returns the boxes of the form at square x, y of a grid. */
SATK_FN const satk_form_box *satk_form_of(const satk_layer *job, const satk_grid *g, int is_before,
                                          int x, int y)
{
    return satk_form_at(satk_patches_of(job, g), job->forms.count, is_before, x, y + g->top);
}

SATK_FN uint64_t satk_add_form(const satk_layer_table *t, const satk_form_box *form, int count,
                               int radius, int x, int y, int lanes, int word, uint64_t *sums)
{
    uint64_t area = 0, in_box[8];

    for (int i = 0; i < count; i++) {
        const uint64_t weight = (uint64_t)(int64_t)form[i].weight;
        for (int l = 0; l < lanes; l++)
            in_box[l] = 0;
        area += weight * satk_add_box(t, satk_form_columns(&form[i], radius, x),
                                      satk_form_rows(&form[i], radius, y), lanes, word, in_box);
        for (int l = 0; l < lanes; l++)
            sums[l] += weight * in_box[l];
    }
    return area;
}

SATK_FN uint64_t satk_add_stack(const satk_layer_table *t, const satk_stack *s, int x, int y,
                                int lanes, int word, uint64_t *sums)
{
    const satk_range middle = satk_window(x, s->middle), outer = satk_window(x, s->outer);
    const satk_range above = {y - s->rows, y - s->middle_rows};
    const satk_range below = {y + s->middle_rows + 1, y + s->rows + 1};
    uint64_t area = satk_add_box(t, middle, satk_window(y, s->middle_rows), lanes, word, sums);

    if (s->rows > s->middle_rows) {
        area += satk_add_box(t, outer, above, lanes, word, sums);
        area += satk_add_box(t, outer, below, lanes, word, sums);
    }
    return area;
}

/* Finds the sums over a window around a square. Returns the window's pixels. */
SATK_FN uint64_t satk_window_sums(const satk_layer *job, const satk_layer_table *t,
                                  const satk_slab *slab, int window, int x, int y, int lanes,
                                  int word, uint64_t *sums)
{
    const satk_stack *const s = &slab->window[window];
    const int count = job->forms.count;
    uint64_t area;

    for (int l = 0; l < lanes; l++)
        sums[l] = 0;
    area = count > 0 ? satk_add_form(t, satk_form_of(job, t->grid, slab->is_before, x, y), count,
                                     satk_form_radius(s), x, y, lanes, word, sums)
                     : satk_add_stack(t, s, x, y, lanes, word, sums);
    for (int l = 0; l < lanes && word == 32; l++)
        sums[l] = (uint32_t)sums[l];
    return area;
}

#endif
