/* Parts of the CPU's functions: what cells of pixels hold, and the scratch memory of satk_points_add_cpu(). */
#ifndef SATK_POINTS_TILE_H
#define SATK_POINTS_TILE_H

#include "highlight/points_rule.h"

/* Returns the parts of at most `each` that a length has. */
SATK_FN int satk_parts_of(int length, int each)
{
    return (length + each - 1) / each;
}

/* Looks at a row of cells. to: their words, summed along the row. */
void satk_points_sum_cells(const satk_points *job, const satk_grid *grid, int row,
                           satk_gray_cell *cells, uint64_t *to);

size_t satk_points_add_scratch(const satk_points *job, int threads);

#endif
