#include "blur/dof_slabs.h"

#include "layer/layer_rule.h"

#include <math.h>
#include <stdlib.h>

/* Pixels by which the first wider windows are wider than the aperture. */
static const int wider[] = {0, 2, 6, 16};

enum { WIDER = sizeof wider / sizeof *wider };

/* Two boxes whose union is almost a disc of radius 1: the areas that only one of the two has are 10.13 % of the disc's.
 * One box is the other turned by 90 degrees, so that a turned picture has the same blur. A short side of 0.6172 would
 * miss 0.02 % less, but as whole pixels it makes the discs of radius 3, 16 and 21 too large. */
static const double LONG_SIDE = 0.9565, SHORT_SIDE = 0.61;

/* Half the sides of the four boxes whose heap misses least of the paraboloid 1 - (rho / R)^2 with R = 1. If both have the
 * same light, 13 % of it lies in one of them alone. A paraboloid with R = sqrt(3/2) r is as wide as a disc of radius r:
 * both have the second moment r^2 / 2, and so has the heap, to 1 %. */
static const double HEAP[SATK_HEAP] = {0.9160, 0.7846, 0.6221, 0.4033};

static satk_stack make_heap(double r)
{
    int side[SATK_HEAP];

    for (int i = 0; i < SATK_HEAP; i++)
        side[i] = (int)lround(HEAP[i] * sqrt(1.5) * r - 0.5);
    return (satk_stack){
        .middle = side[0], .middle_rows = side[3], .outer = side[2], .rows = side[1]};
}

/* Returns the stack of a radius in pixels. A disc covers the centre's pixel and the radius beyond it; a quarter of a pixel
 * more makes the area of small discs right. cell: pixels of a side of the stack's squares. */
static satk_stack make_stack(int radius, int cell, satb_bokeh bokeh)
{
    const double r = radius == 0 ? 0 : (radius + 0.25) / cell;
    const int far = (int)lround(LONG_SIDE * r - 0.5), near = (int)lround(SHORT_SIDE * r - 0.5);
    const int half = (int)lround((radius + 0.5) / cell - 0.5);

    if (radius == 0 || bokeh == SATB_BOKEH_SQUARE)
        return (satk_stack){half, half, 0, half};
    if (bokeh == SATB_BOKEH_SMOOTH)
        return make_heap(r);
    return (satk_stack){.middle = far, .middle_rows = near, .outer = near, .rows = far};
}

/* Returns by how much window i of a slab is wider than its aperture. beyond: at least what the widest needs. */
static int wider_by(int i, int beyond)
{
    int by = wider[i < WIDER ? i : WIDER - 1];

    for (int k = WIDER; k <= i; k++)
        by = 5 * by / 2;
    return i < WIDER || (by < beyond && i + 1 < SATK_WINDOWS) ? by : beyond;
}

/* Returns the slab of a radius. What blurs by `hiding` pixels may hide it, and is transparent as far inside: windows widen
 * until they reach from there to what can be seen. Wide windows change little from pixel to pixel, so a sixteenth of them
 * is computed. */
static satk_slab make_slab(int radius, double hiding, satb_bokeh bokeh)
{
    const int beyond = (int)ceil(hiding) - radius;
    satk_slab slab = {.coarse = radius >= SATB_COARSE_RADIUS};
    int by = 0;

    while (slab.windows < WIDER || by < beyond) {
        by = wider_by(slab.windows, beyond);
        slab.window[slab.windows++] = make_stack(radius + by, slab.coarse ? SATK_CELL : 1, bokeh);
    }
    return slab;
}

/* Returns the sum of the squares of the whole numbers up to n. */
static double squares_to(double n)
{
    return n * (n + 1) * (2 * n + 1) / 6;
}

/* Returns the second moment of a box of squares along one axis, times its squares. */
static double box_moment(int side, int other)
{
    return 2 * squares_to(side) * (2.0 * other + 1);
}

/* Returns the second moment of a window about its centre along an axis, the mean of both, in squares. */
static double stack_moment(const satk_stack *s, int smooth)
{
    const double squares = (double)satk_squares(s, smooth, UINT32_MAX, UINT32_MAX);
    double sum = 0;

    for (int i = 0; i < SATK_HEAP && smooth; i++) {
        const int side = satk_heap_side(s, i), other = satk_heap_side(s, SATK_HEAP - 1 - i);
        sum += (box_moment(side, other) + box_moment(other, side)) / 2;
    }
    if (!smooth) {
        const double inner =
            box_moment(s->middle, s->middle_rows) + box_moment(s->middle_rows, s->middle);
        const double beyond = box_moment(s->outer, s->rows) - box_moment(s->outer, s->middle_rows) +
                              box_moment(s->rows, s->outer) - box_moment(s->middle_rows, s->outer);
        sum = (inner + beyond) / 2;
    }
    return sum / squares;
}

/* Returns the radius in pixels of the disc, or the square, that is as wide as a slab's aperture: their second moments along
 * an axis are equal, r^2 / 4 or r^2 / 3. Interpolation between cells widens by a sixth of a cell's square. */
static double radius_of(const satk_slab *slab, satb_bokeh bokeh)
{
    const double side = slab->coarse ? SATK_CELL : 1;
    double moment = side * side * stack_moment(&slab->window[0], bokeh == SATB_BOKEH_SMOOTH);

    if (slab->coarse)
        moment += (side * side - 1) / 12 + side * side / 6;
    return sqrt(moment * (bokeh == SATB_BOKEH_SQUARE ? 3 : 4));
}

/* Returns the next radius of 0, 1, 2, 3, 5, 7, then a third more than the one before, and from 49 on two fifths more. A
 * mixture of two neighbours looks like the radius between them while they are that close. Small radii must be closest:
 * there a pull of the focus would pop. */
static int next_radius(int radius)
{
    if (radius < 7)
        return radius + 1 + radius / 3;
    return radius + (radius < 49 ? radius / 3 : 2 * radius / 5);
}

/* The slabs of one side of the focus, from there on. */
typedef struct side {
    satk_slab slab[SATB_SIDE_SLABS];
    double radius[SATB_SIDE_SLABS];
    int count;
} side;

/* Makes slabs until one's radius is not below `farthest`. hiding: the largest radius of those before others. */
static void make_side(double farthest, double hiding, int longest, satb_bokeh bokeh, side *s)
{
    int radius = 0;

    s->count = 0;
    for (;;) {
        const int i = s->count++;
        s->slab[i] = make_slab(radius, hiding, bokeh);
        s->radius[i] = radius_of(&s->slab[i], bokeh);
        if (i > 0 &&
            s->radius[i] <= s->radius[i - 1]) /* `longest` is rounded to the same aperture */
            s->count--;
        if (s->radius[i] >= farthest || radius >= longest)
            return;
        radius = next_radius(radius) < longest ? next_radius(radius) : longest;
    }
}

int satb_make_slabs(double behind, double before, int longest, satb_bokeh bokeh, satk_slab *slabs,
                    double *signed_radius)
{
    side far, near;
    int count = 0;

    const double hiding = before < longest ? before : longest;

    make_side(-behind, hiding, longest, bokeh, &far);
    make_side(before, hiding, longest, bokeh, &near);
    for (int i = far.count - 1; i > 0; i--, count++) {
        slabs[count] = far.slab[i];
        signed_radius[count] = -far.radius[i];
    }
    for (int i = 0; i < near.count; i++, count++) {
        slabs[count] = near.slab[i];
        signed_radius[count] = near.radius[i];
    }
    return count;
}

/* A pixel in the third row of a cell also gets light from the cell below, whose windows have whole cells. */
int satb_slab_rows(const satk_slab *slab)
{
    return slab->coarse ? (satk_reach(slab) + 1) * SATK_CELL + 1 : satk_reach(slab);
}

uint64_t satb_largest_area(const satk_layer *job)
{
    const uint64_t pixels = (uint64_t)job->src.width * (uint64_t)job->src.height;
    const uint64_t most = job->smooth ? SATK_HEAP * pixels : pixels;
    uint64_t area = 0;

    for (int k = 0; k < job->count; k++) {
        const satk_stack *const widest = &job->slabs[k].window[job->slabs[k].windows - 1];
        const uint64_t squares = satk_squares(widest, job->smooth, UINT32_MAX, UINT32_MAX);
        const uint64_t a = job->slabs[k].coarse ? squares * SATK_CELL * SATK_CELL : squares;
        if (job->slabs[k].used && a > area)
            area = a;
    }
    return area < most ? area : most;
}
