/* The windows of a slab around a pixel, on the device: where the corners of their boxes are in a table, and
 * the sums from there. The numbers of layer_rule.h. */
#ifndef SATK_LAYER_WINDOW_CUH
#define SATK_LAYER_WINDOW_CUH

#include "layer_table.cuh"
#include "window.cuh"

/* --- Stacks ----------------------------------------------------------------------------------- */

/* Of a prefix where nothing is before it. */
constexpr uint32_t nothing = 0xffffffffu;

/* Where the prefixes of a stack of boxes are, counted in pixels: at the rows that end above the stack, above
 * its middle, with its middle and with the stack; the columns that end before a box and with it. */
struct corners {
    uint32_t outer[4][2], middle[2][2];
    uint32_t area; /* in the picture */
    bool more;     /* above and below the middle */
};

/* Around a pixel whose windows are inside the picture, and some more: base is its own place. */
static __device__ __forceinline__ void find_inner(const satk_stack &s, uint32_t base,
                                                  uint32_t pitch, corners *found)
{
    const uint32_t rows[4] = {
        base - (uint32_t)(s.rows + 1) * pitch, base - (uint32_t)(s.middle_rows + 1) * pitch,
        base + (uint32_t)s.middle_rows * pitch, base + (uint32_t)s.rows * pitch};
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
    c.more = s.rows > s.middle_rows;
}

/* The prefix of so many columns and rows. */
static __device__ __forceinline__ uint32_t prefix_at(int columns, int rows, uint32_t pitch)
{
    return columns == 0 || rows == 0 ? nothing : (uint32_t)(rows - 1) * pitch + (columns - 1);
}

/* Around any pixel: clipped. */
static __device__ __forceinline__ void find_clipped(const satk_stack &s, const satk_plane &src,
                                                    int x, int y, corners *found)
{
    const satk_range ends[2] = {{y - s.rows, y + s.rows + 1},
                                {y - s.middle_rows, y + s.middle_rows + 1}};
    const satk_range stack = satk_clip(ends[0], src.height), inner = satk_clip(ends[1], src.height);
    const satk_range outer = satk_clip(satk_window(x, s.outer), src.width);
    const satk_range middle = satk_clip(satk_window(x, s.middle), src.width);
    const int rows[4] = {stack.lo, inner.lo, inner.hi, stack.hi};
    corners &c = *found;

#pragma unroll
    for (int i = 0; i < 4; i++) {
        c.outer[i][0] = prefix_at(outer.lo, rows[i], src.width);
        c.outer[i][1] = prefix_at(outer.hi, rows[i], src.width);
    }
#pragma unroll
    for (int i = 0; i < 2; i++) {
        c.middle[i][0] = prefix_at(middle.lo, rows[i + 1], src.width);
        c.middle[i][1] = prefix_at(middle.hi, rows[i + 1], src.width);
    }
    c.area =
        (uint32_t)(middle.hi - middle.lo) * (uint32_t)(inner.hi - inner.lo) +
        (uint32_t)(outer.hi - outer.lo) * (uint32_t)(stack.hi - stack.lo - (inner.hi - inner.lo));
    c.more = s.rows > s.middle_rows;
}

template <bool INNER>
static __device__ __forceinline__ void find_window(const satk_stack &s, const satk_plane &src,
                                                   int x, int y, corners *found)
{
    if (INNER)
        find_inner(s, (uint32_t)y * (uint32_t)src.width + x, src.width, found);
    else
        find_clipped(s, src, x, y, found);
}

/* sums += or -= what a row's prefixes are apart. */
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

/* The sums of one plane of a table over a stack. */
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

/* --- Heaps ------------------------------------------------------------------------------------ */

/* A heap of boxes around a pixel. Their corners are not kept: they would take more registers than there are. */
struct heap {
    const satk_stack *sides;
    int x, y, width, height; /* of the picture */
    uint64_t area;           /* in the picture */
};

/* Where the prefixes of a box are: at the row that ends above it and at its last, at the columns that end before
 * it and with it. Its pixels in the picture are the result. */
template <bool INNER>
static __device__ __forceinline__ uint64_t find_box(const heap &h, int i, uint32_t (*ends)[2])
{
    const int across = satk_heap_side(h.sides, i);
    const int down = satk_heap_side(h.sides, SATK_HEAP - 1 - i);
    const satk_range columns = satk_window(h.x, across), rows = satk_window(h.y, down);

    if (INNER) {
        const uint32_t above = (uint32_t)(rows.lo - 1) * h.width;
        const uint32_t last = (uint32_t)(rows.hi - 1) * h.width;
        ends[0][0] = above + (columns.lo - 1), ends[0][1] = above + (columns.hi - 1);
        ends[1][0] = last + (columns.lo - 1), ends[1][1] = last + (columns.hi - 1);
        return (uint64_t)(2 * across + 1) * (uint32_t)(2 * down + 1);
    }
    const satk_range in = satk_clip(columns, h.width), seen = satk_clip(rows, h.height);
    ends[0][0] = prefix_at(in.lo, seen.lo, h.width);
    ends[0][1] = prefix_at(in.hi, seen.lo, h.width);
    ends[1][0] = prefix_at(in.lo, seen.hi, h.width);
    ends[1][1] = prefix_at(in.hi, seen.hi, h.width);
    return (uint64_t)(in.hi - in.lo) * (uint32_t)(seen.hi - seen.lo);
}

template <bool INNER>
static __device__ __forceinline__ void find_window(const satk_stack &s, const satk_plane &src,
                                                   int x, int y, heap *h)
{
    uint32_t ends[2][2];

    h->sides = &s;
    h->x = x, h->y = y, h->width = src.width, h->height = src.height;
    h->area = 0;
#pragma unroll
    for (int i = 0; i < SATK_HEAP; i++)
        h->area += find_box<INNER>(*h, i, ends);
}

template <typename T, int LANES, bool INNER>
static __device__ __forceinline__ void sum_window(const T *plane, const heap &h, T *sums)
{
    uint32_t ends[2][2];

#pragma unroll
    for (int l = 0; l < LANES; l++)
        sums[l] = 0;
#pragma unroll 2 /* more at once would not, either */
    for (int i = 0; i < SATK_HEAP; i++) {
        find_box<INNER>(h, i, ends);
        add_ends<T, LANES, INNER, false>(plane, ends[0], sums);
        add_ends<T, LANES, INNER, true>(plane, ends[1], sums);
    }
}

#endif
