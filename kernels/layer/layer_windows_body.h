/* The sums over a slab's windows in a row of the picture, in vectors. For layer_vector_body.h. */
#ifndef SATK_LAYER_WINDOWS_H
#define SATK_LAYER_WINDOWS_H

#include "layer/layer_ring_body.h"

#include <limits.h>

/* LANES words: those of 32 bits fill the first part, those of 64 both. */
typedef struct lane_words {
    lanes part[2];
} lane_words;

/* Returns the first or the second half of the words, with 64 bits each. */
SATK_FN wide_lanes wide_half(const lane_words *w, int half, int word)
{
    return word == 64 ? (wide_lanes)w->part[half] : widened(w->part[0], half);
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

SATK_FN int any_word(const lane_words *w, int word)
{
    return any_bit(word == 32 ? w->part[0] : w->part[0] | w->part[1]);
}

/* --- Windows ---------------------------------------------------------------------------------- */

/* A slab's window in the columns of a tile: how many pixels of each box's columns are in the picture. The boxes above and
 * below the middle of a stack have the same. */
typedef struct window_columns {
    uint32_t box[SATK_WINDOW_BOXES][SATK_LAYER_TILE];
} window_columns;

/* Return the pixels of a window's columns, and of its rows, in the picture. */
static inline uint32_t columns_inside(const satk_grid *g, satk_range window)
{
    const satk_range r = satk_clip(window, g->columns);

    return r.lo < r.hi ? satk_columns_span(g, r) : 0;
}

static inline uint32_t rows_inside(const satk_grid *g, satk_range window)
{
    const satk_range r = satk_clip(window, g->rows);

    return r.lo < r.hi ? satk_rows_span(g, r) : 0;
}

/* Returns the columns of a window's box, from the window's centre. form: NULL for a stack. */
static inline satk_range columns_of_box(const satk_form_box *form, const satk_stack *s, int i)
{
    return form ? satk_form_columns(&form[i], satk_form_radius(s), 0)
                : satk_window(0, i == 0 ? s->middle : s->outer);
}

/* Returns the first column after x that may have another form. The last patch's is beyond the picture, as vectors go there. */
static inline int end_of_form(const satk_layer *job, const satk_grid *g, int x)
{
    const satk_form_patches *const p = satk_patches_of(job, g);
    const int patch = satk_patch_of(x, p->width, p->shift, p->across);

    return patch + 1 < p->across ? satk_patch_end(patch, p->width, p->shift, p->across) : INT_MAX;
}

/* Counts the pixels of the columns of a window in row y. */
static inline void find_columns(const satk_layer *job, const satk_grid *g, const satk_slab *slab,
                                int window, int y, int first, int last, window_columns *out)
{
    const int boxes = job->forms.count > 0 ? job->forms.count : 2;
    int begin = first;

    while (begin < last) {
        const int end =
            job->forms.count > 0 ? satk_smaller(end_of_form(job, g, begin), last) : last;
        const satk_form_box *const form =
            job->forms.count > 0 ? satk_form_of(job, g, slab->is_before, begin, y) : NULL;
        for (int i = 0; i < boxes; i++) {
            const satk_range r = columns_of_box(form, &slab->window[window], i);
            for (int x = begin; x < end; x++)
                out->box[i][x - first] = columns_inside(g, (satk_range){x + r.lo, x + r.hi});
        }
        begin = end;
    }
}

/* Returns 1 if no sum of m or b over a window has more than `bits` bits. */
static inline int are_counts_below(const satk_layer *job, const satk_slab *slab, int cell, int bits)
{
    const uint64_t most = ((uint64_t)1 << bits) - 1;

    for (int i = 0; i < slab->windows; i++)
        if (satk_squares(&slab->window[i], &job->forms, UINT32_MAX, UINT32_MAX) >
            most / (SATK_SLAB * (uint64_t)cell * (uint64_t)cell))
            return 0;
    return 1;
}

/* A box of a window along a row of the grid. Its sum is the words at `last` less those at `above`, taken `right` columns
 * further less `left` columns further. */
typedef struct window_box {
    const uint8_t *above, *last; /* rows of the table */
    ptrdiff_t left, right;
    uint32_t rows; /* of pixels, in the picture, as are the columns */
    int weight;
    const uint32_t *columns;
} window_box;

/* The boxes of a form; or of a stack: the middle and, where there are rows beyond it, those above and below. */
typedef struct window_row {
    int count;
    window_box box[SATK_WINDOW_BOXES];
} window_row;

/* Returns n, or the end of -most .. most that is closer. */
static inline int within(int n, int most)
{
    return n < -most ? -most : satk_smaller(n, most);
}

/* Makes a box of some rows, and of columns from the window's centre, at most the picture's. */
static inline window_box box_at(const ring *r, const satk_grid *g, satk_range across,
                                satk_range rows, const uint32_t *columns)
{
    return (window_box){.above = ring_row(r, rows.lo - 1),
                        .last = ring_row(r, rows.hi - 1),
                        .left = within(across.lo, g->columns) - 1,
                        .right = within(across.hi - 1, g->columns),
                        .rows = rows_inside(g, rows),
                        .weight = 1,
                        .columns = columns};
}

static inline void find_stack(const ring *r, const satk_stack *s, int y, const satk_grid *g,
                              const window_columns *columns, window_row *w)
{
    const satk_range above = {y - s->rows, y - s->middle_rows};
    const satk_range below = {y + s->middle_rows + 1, y + s->rows + 1};

    const satk_range middle = satk_window(0, s->middle), outer = satk_window(0, s->outer);

    w->box[0] = box_at(r, g, middle, satk_window(y, s->middle_rows), columns->box[0]);
    w->box[1] = box_at(r, g, outer, above, columns->box[1]);
    w->box[2] = box_at(r, g, outer, below, columns->box[1]);
    w->count = s->rows > s->middle_rows ? 3 : 1;
}

static inline void find_form(const ring *r, const satk_form_box *form, int count, int radius, int y,
                             const satk_grid *g, const window_columns *columns, window_row *w)
{
    w->count = 0;
    for (int i = 0; i < count; i++) {
        const satk_range across = satk_form_columns(&form[i], radius, 0);
        const satk_range down = satk_form_rows(&form[i], radius, y);
        if (across.lo >= across.hi || down.lo >= down.hi) /* small windows have few strips */
            continue;
        w->box[w->count] = box_at(r, g, across, down, columns->box[i]);
        w->box[w->count++].weight = form[i].weight;
    }
}

/* A slab's windows in row y of a tile's columns first <= x < last. In a run of columns that have one form, the first `known`
 * are found. Of the columns, which are those of every row of a patch, the first `wide` are found. */
typedef struct slab_windows {
    const ring *ring;
    const satk_layer *job;
    const satk_slab *slab;
    int k; /* its number */
    const tile_pass *pass;
    double moment;              /* the square of its radius, in the unit of M */
    double least[SATK_WINDOWS]; /* M with which a window behind the first is used */
    int has_moments;            /* 0: of cells */
    const satk_grid *grid;
    window_columns *columns; /* for each window */
    int first, last, wide;
    int y, patch; /* patch: the row of patches, or 0 */
    const satk_form_box *form;
    int end; /* of the run */
    int known;
    window_row row[SATK_WINDOWS];
} slab_windows;

static inline const window_row *window_at(slab_windows *w, int i)
{
    const satk_stack *const s = &w->slab->window[i];

    if (i < w->known)
        return &w->row[i];
    if (i == w->wide)
        find_columns(w->job, w->grid, w->slab, i, w->y, w->first, w->last, &w->columns[w->wide++]);
    if (w->job->forms.count > 0)
        find_form(w->ring, w->form, w->job->forms.count, satk_form_radius(s), w->y, w->grid,
                  &w->columns[i], &w->row[i]);
    else
        find_stack(w->ring, s, w->y, w->grid, &w->columns[i], &w->row[i]);
    w->known++;
    return &w->row[i];
}

/* Begins the run of columns that has column x. */
static inline void begin_run(slab_windows *w, int x)
{
    w->known = 0;
    w->end = w->last;
    if (w->job->forms.count > 0) {
        w->form = satk_form_of(w->job, w->grid, w->slab->is_before, x, w->y);
        w->end = end_of_form(w->job, w->grid, x);
    }
    (void)window_at(w, 0);
}

static inline void begin_row(slab_windows *w, int y, int first)
{
    const satk_form_patches *const p = satk_patches_of(w->job, w->grid);
    const int patch =
        w->job->forms.count > 0 ? satk_patch_of(y + w->grid->top, p->height, p->shift, p->down) : 0;

    if (patch != w->patch)
        w->wide = 0;
    w->patch = patch;
    w->y = y;
    begin_run(w, first);
}

/* Returns the areas of the windows of LANES pixels of the tile's row, from pixel i on. */
SATK_FN lanes areas_at(const window_row *w, int i)
{
    lanes area = {0};

    for (int b = 0; b < w->count; b++)
        area += lanes_at(w->box[b].columns + i) * (w->box[b].rows * (uint32_t)w->box[b].weight);
    return area;
}

SATK_FN lanes part_at(const uint8_t *from, int part)
{
    lanes v;

    memcpy(&v, from + (size_t)part * sizeof v, sizeof v);
    return v;
}

/* Adds the words at a and subtracts those at b, times a weight. */
SATK_FN void add_difference(lane_words *sums, const uint8_t *a, const uint8_t *b, int weight,
                            int word)
{
    if (word == 32)
        sums->part[0] += (part_at(a, 0) - part_at(b, 0)) * (uint32_t)weight;
    for (int i = 0; i < 2 && word == 64; i++)
        sums->part[i] = (lanes)((wide_lanes)sums->part[i] +
                                ((wide_lanes)part_at(a, i) - (wide_lanes)part_at(b, i)) *
                                    (uint64_t)(int64_t)weight);
}

SATK_FN void no_sums(lane_words *sums, int first, int last, int word)
{
    for (int p = first; p < last; p++)
        for (int i = 0; i < word / PART; i++)
            sums[p].part[i] = (lanes){0};
}

/* Adds a box to the sums over the planes first <= p < last. weight: the box's, constant where it is 1. */
SATK_FN void add_window_box(const window_box *b, ptrdiff_t column, size_t plane, lane_words *sums,
                            int first, int last, int weight, int word)
{
    const ptrdiff_t left = (column + b->left) * (word / 8);
    const ptrdiff_t right = (column + b->right) * (word / 8);

    for (int p = first; p < last; p++) {
        const uint8_t *const low = b->last + (size_t)p * plane;
        const uint8_t *const high = b->above + (size_t)p * plane;
        add_difference(&sums[p], low + right, high + right, weight, word);
        add_difference(&sums[p], high + left, low + left, weight, word);
    }
}

/* Sums a window over the planes first <= p < last. column: the first square's in a row; plane: bytes from a plane to the
 * next. */
SATK_FN void sum_window(const window_row *w, ptrdiff_t column, size_t plane, lane_words *sums,
                        int first, int last, int word)
{
    no_sums(sums, first, last, word);
    for (const window_box *b = w->box; b < w->box + w->count; b++)
        if (b->weight == 1)
            add_window_box(b, column, plane, sums, first, last, 1, word);
        else
            add_window_box(b, column, plane, sums, first, last, b->weight, word);
}

/* Sums m and b over a window. */
SATK_FN void sum_counts(const ring *r, const window_row *w, ptrdiff_t column, lane_words *sums,
                        int channels, int word)
{
    const size_t plane = r->plane;
    lane_words *const m = &sums[channels], *const b = m + 1;

    if (!is_shared(r, word)) {
        sum_window(w, column, plane, sums, channels, channels + 2, word);
        return;
    }
    sum_window(w, column, plane, sums, channels, channels + 1, word);
    for (int i = 0; i < 2 && word == 64; i++) {
        b->part[i] = (lanes)((wide_lanes)m->part[i] >> PART);
        m->part[i] = (lanes)((wide_lanes)m->part[i] & UINT32_MAX);
    }
    if (word == 64)
        return;
    b->part[0] = m->part[0] >> SHARED;
    m->part[0] &= (1u << SHARED) - 1;
}

/* Returns 1 if a word is below its area. areas: words of 32 bits. */
SATK_FN int is_any_below(const lane_words *w, const lane_words *areas, int word)
{
    wide_lanes below = {0};

    if (word == 32)
        return any_bit((lanes)(w->part[0] < areas->part[0]));
    for (int i = 0; i < 2; i++)
        below |= (wide_lanes)((wide_lanes)w->part[i] < wide_half(areas, i, 32));
    return any_of(below);
}

#endif
