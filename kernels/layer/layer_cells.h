/* The light that a group of coarse slabs gives the cells of the picture (layer.h), and its part in
 * a pixel. The host and the device share this file. */
#ifndef SATK_LAYER_CELLS_H
#define SATK_LAYER_CELLS_H

#include "layer/layer_light.h"

/* Planes of a group, a number for each cell. colours is NULL if the job has no such group. */
typedef struct satk_cells {
    uint64_t *colours; /* [channel][cell]: results / 16 */
    uint64_t *seen;    /* [cell]: 65536 - T */
    /* [cell]: the same before slab `next` if that was the last; NULL: not asked for */
    uint64_t *earlier;
    int next;        /* the slab next to those that are not coarse */
    uint32_t moment; /* the square of the largest radius of an aperture, in the unit of M */
    int columns, rows;
    satk_cut across, down;
} satk_cells;

enum { SATK_CELL_BITS = 4 };   /* that a result loses; as many of a mean stay */
enum { SATK_WEIGHT_BITS = 6 }; /* that the weights of four cells have together */

SATK_FN size_t satk_cell_count(const satk_cells *cells)
{
    return (size_t)cells->columns * (size_t)cells->rows;
}

SATK_FN uint64_t *satk_cell_plane(const satk_cells *cells, int channel)
{
    return cells->colours + (size_t)channel * satk_cell_count(cells);
}

/* Returns the bits of a cell's result that are kept. */
SATK_FN uint64_t satk_cell_colour(uint64_t result)
{
    return (result + (1 << SATK_CELL_BITS) / 2) >> SATK_CELL_BITS;
}

SATK_FN uint32_t satk_cell_seen(uint32_t left)
{
    return (1u << SATK_LIGHT_BITS) - left;
}

/* The two cells of an axis whose centres are nearest to a pixel's, and the weight of the second in
 * 1/8. Pixels have their centres at half pixels; cells have theirs at every eighth, from the fourth
 * on. */
typedef struct satk_between {
    int from, to;
    uint32_t weight;
} satk_between;

SATK_FN satk_between satk_cells_at(const satk_cut *cut, int pixel, int cells)
{
    const int at =
        satk_centre_of(cut, SATK_CELL, pixel) + SATK_CELL; /* from a centre before the first */
    const int second = at / (2 * SATK_CELL), first = second - 1;
    const satk_between b = {first > 0 ? first : 0, second < cells ? second : cells - 1,
                            (uint32_t)(at % (2 * SATK_CELL))};
    return b;
}

/* Four cells around a pixel, and their weights. */
typedef struct satk_around {
    size_t cell[4];
    uint32_t weight[4];
} satk_around;

SATK_FN satk_around satk_cells_around(const satk_cells *cells, int x, int y)
{
    const satk_between across = satk_cells_at(&cells->across, x, cells->columns);
    const satk_between down = satk_cells_at(&cells->down, y, cells->rows);
    const size_t above = (size_t)down.from * (size_t)cells->columns;
    const size_t below = (size_t)down.to * (size_t)cells->columns;
    const uint32_t whole = 2 * SATK_CELL;
    const satk_around c = {{above + (size_t)across.from, above + (size_t)across.to,
                            below + (size_t)across.from, below + (size_t)across.to},
                           {(whole - across.weight) * (whole - down.weight),
                            across.weight * (whole - down.weight),
                            (whole - across.weight) * down.weight, across.weight * down.weight}};
    return c;
}

/* Returns the sum of w times the plane's numbers: A, or C of a channel. */
SATK_FN uint64_t satk_sum_around(const uint64_t *plane, const satk_around *c)
{
    uint64_t sum = 0;

    for (int i = 0; i < 4; i++)
        sum += c->weight[i] * plane[c->cell[i]];
    return sum;
}

/* Returns T' A / V, rounded half up. left: T'. */
SATK_FN uint32_t satk_share_of_cells(uint32_t left, uint64_t seen)
{
    const int bits = SATK_LIGHT_BITS + SATK_WEIGHT_BITS;

    return (uint32_t)((left * seen + ((uint64_t)1 << (bits - 1))) >> bits);
}

/* Returns what `earlier` keeps of a cell's light. */
SATK_FN uint32_t satk_cell_earlier(const satk_light *light, int next)
{
    return satk_cell_seen(light->slab == next ? light->before : light->left);
}

/* Returns the share of a group at a pixel, which it adds to M, and makes its slab `next` the light's last one. */
SATK_FN uint32_t satk_begin_cells(const satk_cells *cells, const satk_around *around, uint64_t seen,
                                  satk_light *light)
{
    const uint32_t rest = satk_light_before(light, cells->next);
    const uint32_t share = satk_at_most(satk_share_of_cells(rest, seen), light->left);

    light->moment += share * cells->moment;
    if (cells->earlier) {
        const uint64_t earlier = satk_sum_around(cells->earlier, around);
        light->before =
            (1u << SATK_LIGHT_BITS) - satk_share_of_cells(1u << SATK_LIGHT_BITS, earlier);
        light->slab = cells->next;
    }
    return share;
}

/* Lays a group of coarse slabs under the light of a pixel. */
SATK_FN void satk_lay_cells(const satk_cells *cells, int x, int y, satk_light *light, int channels)
{
    const satk_around around = satk_cells_around(cells, x, y);
    const uint64_t seen = satk_sum_around(cells->seen, &around);

    if (seen == 0)
        return;
    const uint32_t share = satk_begin_cells(cells, &around, seen, light);
    const satk_divisor by = satk_divide_by(seen, 0);
    for (int c = 0; c < channels; c++) {
        const uint64_t mean = satk_mean64(satk_sum_around(satk_cell_plane(cells, c), &around), &by);
        light->sum[c] += share * (mean << SATK_CELL_BITS);
    }
    light->left -= share;
}

#endif
