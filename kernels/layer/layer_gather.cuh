/* The windows of a slab around a pixel, on the device: the places of their boxes' corners in a
 * table, and the sums. The numbers are those of layer_rule.h. */
#ifndef SATK_LAYER_GATHER_CUH
#define SATK_LAYER_GATHER_CUH

#include "layer/layer_table.cuh"
#include "box/box_window.cuh"

/* --- Stacks ----------------------------------------------------------------------------------- */

/* The place of a prefix that is 0. */
constexpr uint32_t nothing = 0xffffffffu;

/* The rows of a batch's tables, which go round: a picture's row y that is at most as many rows away from a tile has row
 * y - shift, or as many rows more or less. Tables of cells have all rows. */
struct ring {
    int rows, shift;
};

/* Return the row of the tables above, or below, one of them. */
template <int CELL> static __device__ __forceinline__ uint32_t row_above(const ring &r, int row)
{
    return (uint32_t)(CELL == 1 && row < 0 ? row + r.rows : row);
}

template <int CELL> static __device__ __forceinline__ uint32_t row_below(const ring &r, int row)
{
    return (uint32_t)(CELL > 1 || row < r.rows ? row : row - r.rows);
}

/* Returns the row of the tables that is at most one turn away from them. */
template <int CELL> static __device__ __forceinline__ uint32_t row_around(const ring &r, int row)
{
    return row_below<CELL>(r, (int)row_above<CELL>(r, row));
}

/* Returns the row of the tables of a picture's row. */
template <int CELL> static __device__ __forceinline__ uint32_t row_of(const ring &r, int y)
{
    return row_around<CELL>(r, y - r.shift);
}

/* The places of a stack's prefixes, counted in squares of the tables: at the rows that end above the stack,
 * above its middle, with its middle and with the stack; at the columns that end before a box and
 * with it. */
struct corners {
    uint32_t outer[4][2], middle[2][2];
    uint32_t area; /* in the picture */
    bool more;     /* above and below the middle */
    static constexpr bool has_form = false;
};

/* Return the pixels of a range of columns, and of rows. */
template <int CELL>
static __device__ __forceinline__ uint32_t pixels_across(const satk_grid &grid, satk_range columns)
{
    return CELL == 1 ? (uint32_t)(columns.hi - columns.lo) : satk_columns_span(&grid, columns);
}

template <int CELL>
static __device__ __forceinline__ uint32_t pixels_down(const satk_grid &grid, satk_range rows)
{
    return CELL == 1 ? (uint32_t)(rows.hi - rows.lo) : satk_rows_span(&grid, rows);
}

/* Finds the places around a square whose windows are inside the picture, with a margin. y: its row of the tables. */
template <int CELL>
static __device__ __forceinline__ void find_inner(const satk_stack &s, const ring &r, int x, int y,
                                                  uint32_t pitch, corners *found)
{
    const uint32_t rows[4] = {row_above<CELL>(r, y - s.rows - 1) * pitch + x,
                              row_above<CELL>(r, y - s.middle_rows - 1) * pitch + x,
                              row_below<CELL>(r, y + s.middle_rows) * pitch + x,
                              row_below<CELL>(r, y + s.rows) * pitch + x};
    corners &c = *found;

#pragma unroll
    for (int i = 0; i < 4; i++)
        c.outer[i][0] = rows[i] - (uint32_t)(s.outer + 1), c.outer[i][1] = rows[i] + s.outer;
#pragma unroll
    for (int i = 0; i < 2; i++) {
        c.middle[i][0] = rows[i + 1] - (uint32_t)(s.middle + 1);
        c.middle[i][1] = rows[i + 1] + s.middle;
    }
    c.area = (uint32_t)(2 * s.middle + 1) * (uint32_t)(2 * s.middle_rows + 1) +
             2 * (uint32_t)(2 * s.outer + 1) * (uint32_t)(s.rows - s.middle_rows);
    c.area *= CELL * CELL;
    c.more = s.rows > s.middle_rows;
}

/* Returns the place of the prefix of `columns` columns and `rows` rows. */
template <int CELL>
static __device__ __forceinline__ uint32_t prefix_at(const ring &r, int columns, int rows,
                                                     uint32_t pitch)
{
    return columns == 0 || rows == 0 ? nothing : row_of<CELL>(r, rows - 1) * pitch + (columns - 1);
}

/* Finds the places around any square, clipped. */
template <int CELL>
static __device__ __forceinline__ void find_clipped(const satk_stack &s, const satk_grid &grid,
                                                    const ring &r, int x, int y, corners *found)
{
    const satk_range ends[2] = {{y - s.rows, y + s.rows + 1},
                                {y - s.middle_rows, y + s.middle_rows + 1}};
    const satk_range stack = satk_clip(ends[0], grid.rows), inner = satk_clip(ends[1], grid.rows);
    const satk_range outer = satk_clip(satk_window(x, s.outer), grid.columns);
    const satk_range middle = satk_clip(satk_window(x, s.middle), grid.columns);
    const int rows[4] = {stack.lo, inner.lo, inner.hi, stack.hi};
    corners &c = *found;

#pragma unroll
    for (int i = 0; i < 4; i++) {
        c.outer[i][0] = prefix_at<CELL>(r, outer.lo, rows[i], grid.columns);
        c.outer[i][1] = prefix_at<CELL>(r, outer.hi, rows[i], grid.columns);
    }
#pragma unroll
    for (int i = 0; i < 2; i++) {
        c.middle[i][0] = prefix_at<CELL>(r, middle.lo, rows[i + 1], grid.columns);
        c.middle[i][1] = prefix_at<CELL>(r, middle.hi, rows[i + 1], grid.columns);
    }
    const uint32_t high = pixels_down<CELL>(grid, stack);
    const uint32_t middle_high = pixels_down<CELL>(grid, inner);
    c.area = pixels_across<CELL>(grid, middle) * middle_high +
             pixels_across<CELL>(grid, outer) * (high - middle_high);
    c.more = s.rows > s.middle_rows;
}

template <int CELL, bool INNER>
static __device__ __forceinline__ void find_window(const satk_stack &s, const satk_form_box *, int,
                                                   const satk_grid &grid, const ring &r, int x,
                                                   int y, corners *found)
{
    if (INNER)
        find_inner<CELL>(s, r, x, y, grid.columns, found);
    else
        find_clipped<CELL>(s, grid, r, x, y, found);
}

/* Adds the difference of a row's two prefixes to the sums, or subtracts it. */
template <typename T, int LANES, bool INNER, bool PLUS>
static __device__ __forceinline__ void add_ends(const T *plane, const uint32_t *ends, T *sums)
{
    T from[LANES] = {}, to[LANES] = {};

    if (INNER || ends[0] != nothing)
        satk_load_pixel<T, LANES>(plane + (size_t)ends[0] * LANES, from);
    if (INNER || ends[1] != nothing)
        satk_load_pixel<T, LANES>(plane + (size_t)ends[1] * LANES, to);
#pragma unroll
    for (int l = 0; l < LANES; l++)
        sums[l] += PLUS ? to[l] - from[l] : from[l] - to[l];
}

/* Finds the sums of one plane of a table over a stack. */
template <typename T, int LANES, bool INNER>
static __device__ __forceinline__ void sum_window(const T *plane, const corners &c, T *sums)
{
#pragma unroll
    for (int l = 0; l < LANES; l++)
        sums[l] = 0;
    add_ends<T, LANES, INNER, false>(plane, c.middle[0], sums);
    add_ends<T, LANES, INNER, true>(plane, c.middle[1], sums);
    if (!c.more)
        return;
    add_ends<T, LANES, INNER, false>(plane, c.outer[0], sums);
    add_ends<T, LANES, INNER, true>(plane, c.outer[1], sums);
    add_ends<T, LANES, INNER, false>(plane, c.outer[2], sums);
    add_ends<T, LANES, INNER, true>(plane, c.outer[3], sums);
}

/* Does the same for m and b. */
template <typename T, int CELL, bool INNER>
static __device__ __forceinline__ void count_window(const T *plane, corners *c, T *counts)
{
    sum_window<T, 2, INNER>(plane, *c, counts);
}

/* --- Forms ------------------------------------------------------------------------------------ */

/* A form's boxes around a pixel. Their corners are found again for each plane, since they would take more registers than
 * there are. */
struct boxes {
    const satk_form_box *form;
    int count;
    const satk_grid *grid;
    ring rows;
    int radius, x, y;
    uint64_t area; /* in the picture; count_window() finds it */
    static constexpr bool has_form = true;
};

/* Finds the places of a box's prefixes: at the row that ends above it and at its last, at the
 * columns that end before it and with it. Returns its pixels in the picture. */
template <int CELL, bool INNER>
static __device__ __forceinline__ uint64_t find_box(const boxes &w, int i, uint32_t (*ends)[2])
{
    const satk_form_box &box = w.form[i];
    const satk_range columns = satk_form_columns(&box, w.radius, w.x);
    const satk_range rows = satk_form_rows(&box, w.radius, w.y);

    const satk_grid &g = *w.grid;
    const uint32_t pitch = (uint32_t)g.columns;

    if (INNER) {
        const uint32_t above = row_around<CELL>(w.rows, rows.lo - 1) * pitch;
        const uint32_t last = row_around<CELL>(w.rows, rows.hi - 1) * pitch;
        ends[0][0] = above + (columns.lo - 1), ends[0][1] = above + (columns.hi - 1);
        ends[1][0] = last + (columns.lo - 1), ends[1][1] = last + (columns.hi - 1);
        return (uint64_t)(CELL * CELL * (columns.hi - columns.lo)) * (uint32_t)(rows.hi - rows.lo);
    }
    const satk_range in = satk_clip(columns, g.columns), seen = satk_clip(rows, g.rows);
    if (in.lo >= in.hi || seen.lo >= seen.hi) {
        ends[0][0] = ends[0][1] = ends[1][0] = ends[1][1] = nothing;
        return 0;
    }
    ends[0][0] = prefix_at<CELL>(w.rows, in.lo, seen.lo, pitch);
    ends[0][1] = prefix_at<CELL>(w.rows, in.hi, seen.lo, pitch);
    ends[1][0] = prefix_at<CELL>(w.rows, in.lo, seen.hi, pitch);
    ends[1][1] = prefix_at<CELL>(w.rows, in.hi, seen.hi, pitch);
    return (uint64_t)pixels_across<CELL>(g, in) * pixels_down<CELL>(g, seen);
}

template <int CELL, bool INNER>
static __device__ __forceinline__ void find_window(const satk_stack &s, const satk_form_box *form,
                                                   int count, const satk_grid &grid, const ring &r,
                                                   int x, int y, boxes *w)
{
    w->form = form;
    w->count = count;
    w->grid = &grid;
    w->rows = r;
    w->radius = satk_form_radius(&s);
    w->x = x, w->y = y;
}

template <typename T, int LANES>
static __device__ __forceinline__ void add_weighted(int weight, const T *from, T *sums)
{
    if (sizeof(T) > sizeof(uint32_t) &&
        weight == 1) { /* a product of 32 bits costs as little as a sum */
#pragma unroll
        for (int l = 0; l < LANES; l++)
            sums[l] += from[l];
        return;
    }
#pragma unroll
    for (int l = 0; l < LANES; l++)
        sums[l] += from[l] * (T)(int64_t)weight; /* modulo 2^32, 2^64 or 2^128 */
}

/* Sums a plane over the boxes, which overlap or not. *area becomes their pixels in the picture. */
template <typename T, int LANES, int CELL, bool INNER>
static __device__ __forceinline__ void sum_boxes(const T *plane, const boxes &w, T *sums,
                                                 uint64_t *area)
{
    uint32_t ends[2][2];

    *area = 0;
#pragma unroll
    for (int l = 0; l < LANES; l++)
        sums[l] = 0;
#pragma unroll 2 /* more at once would not fit registers, either */
    for (int i = 0; i < w.count; i++) {
        const uint64_t pixels = find_box<CELL, INNER>(w, i, ends);
        if (pixels == 0) /* small windows have few strips */
            continue;
        T in_box[LANES] = {};
        add_ends<T, LANES, INNER, false>(plane, ends[0], in_box);
        add_ends<T, LANES, INNER, true>(plane, ends[1], in_box);
        add_weighted<T, LANES>(w.form[i].weight, in_box, sums);
        *area += pixels * (uint64_t)(int64_t)w.form[i].weight;
    }
}

template <typename T, int LANES, bool INNER>
static __device__ __forceinline__ void sum_window(const T *plane, const boxes &w, T *sums)
{
    uint64_t area; /* of pixels or cells */

    sum_boxes<T, LANES, 1, INNER>(plane, w, sums, &area);
}

template <typename T, int CELL, bool INNER>
static __device__ __forceinline__ void count_window(const T *plane, boxes *w, T *counts)
{
    sum_boxes<T, 2, CELL, INNER>(plane, *w, counts, &w->area);
}

#endif
