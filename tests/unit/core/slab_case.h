/* Slabs that tests make, and what their apertures are by the definition of dof_slabs.h. */
#ifndef SATB_TESTS_SLAB_CASE_H
#define SATB_TESTS_SLAB_CASE_H

#include "blur/dof_slabs.h"

#include <math.h>
#include <stdlib.h>

enum { FAR = 1 << 23, LONGEST = 1 << 24 };

/* The radii that apertures are made for: 0 to 5, 7, then a quarter more, and from 138 on two fifths more. */
static const int grid[] = {0,  1,  2,  3,  4,  5,  7,   9,   11,  14,  18, 23,
                           29, 36, 45, 56, 70, 88, 110, 138, 193, 270, 378};
enum { GRID = sizeof grid / sizeof *grid };

/* Returns the radius that the aperture of slab i from the focus on is made for. */
static inline int made_for(int i)
{
    int radius = grid[i < GRID ? i : GRID - 1];

    for (int k = GRID; k <= i; k++)
        radius += 2 * radius / 5;
    return radius;
}

static satk_slab slabs[SATK_MAX_SLABS];
static double radii[SATK_MAX_SLABS];

/* The form of the windows that make() has made last. */
static satk_form form;

static inline int make_shaped(double behind, double before, int longest, const satb_dof_params *p)
{
    const satb_aperture aperture = satb_make_aperture(p);
    const int count = satb_make_slabs(behind, before, 0, longest, &aperture, slabs, radii);

    form = aperture.windows[SATB_BEHIND];

    assert_in_range(count, 1, SATK_MAX_SLABS);
    return count;
}

static inline int make(double behind, double before, int longest, satb_bokeh bokeh)
{
    return make_shaped(behind, before, longest, &(satb_dof_params){.bokeh = bokeh});
}

/* Returns the pixels of a side of the squares that a slab's windows count. */
static inline int cell_of(const satk_slab *slab)
{
    return slab->coarse ? SATK_CELL : 1;
}

/* Returns how often a window counts a square; a smooth one has boxes that overlap. */
static inline int count_at(const satk_stack *s, int x, int y)
{
    int count = 0;

    if (form.count == 0)
        return abs(y) <= s->rows && abs(x) <= (abs(y) <= s->middle_rows ? s->middle : s->outer);
    for (int i = 0; i < form.count; i++) {
        const satk_range across = satk_form_columns(&form.box[i], s->middle_rows, 0);
        const satk_range down = satk_form_rows(&form.box[i], s->middle_rows, 0);
        if (across.lo <= x && x < across.hi && down.lo <= y && y < down.hi)
            count += form.box[i].weight;
    }
    return count;
}

/* Returns the second moment of a slab's aperture along an axis, the mean of both, in pixels. The pixels of a cell are apart,
 * and interpolation between cells is a tent that is two cells wide. */
static inline double moment_of(const satk_slab *slab)
{
    const satk_stack *const s = &slab->window[0];
    const int reach = s->middle > s->rows ? s->middle : s->rows;
    double squares = 0, sum = 0;

    for (int y = -reach; y <= reach; y++)
        for (int x = -reach; x <= reach; x++) {
            const int count = count_at(s, x, y);
            squares += count;
            sum += count * (x * x + y * y) / 2.0;
        }
    return slab->coarse ? 16 * (sum / squares) + (15 / 12.0 + 16 / 6.0) : sum / squares;
}

/* Returns how far a window's radius may be from that which it is made for: sides are rounded to whole pixels, or to whole
 * cells, and two boxes are no disc. */
static inline double rounding_of(const satk_slab *slab, double radius)
{
    return 0.6 * cell_of(slab) + radius / 50;
}

#endif
