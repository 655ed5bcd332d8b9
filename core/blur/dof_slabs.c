#include "blur/dof_slabs.h"

#include "layer/layer_rule.h"

#include <math.h>
#include <stdlib.h>

/* Pixels by which the windows are wider than the aperture. */
static const int wider[SATK_WINDOWS] = {0, 2, 6, 16};

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

/* Returns the slab of a radius. Wide windows change little from pixel to pixel, so a sixteenth of them is computed. */
static satk_slab make_slab(int radius, satb_bokeh bokeh)
{
    satk_slab slab = {.coarse = radius >= SATB_COARSE_RADIUS};

    for (int i = 0; i < SATK_WINDOWS; i++)
        slab.window[i] = make_stack(radius + wider[i], slab.coarse ? SATK_CELL : 1, bokeh);
    return slab;
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

/* Fills radii from 0 until one is not below `farthest`; returns their number. */
static int make_radii(double farthest, int longest, int *radii)
{
    int count = 1;

    radii[0] = 0;
    while (radii[count - 1] < farthest && radii[count - 1] < longest) {
        const int next = next_radius(radii[count - 1]);
        radii[count++] = next < longest ? next : longest;
    }
    return count;
}

int satb_make_slabs(double behind, double before, int longest, satb_bokeh bokeh, satk_slab *slabs,
                    int *signed_radius)
{
    int radii[SATK_MAX_SLABS], count = 0;

    for (int i = make_radii(-behind, longest, radii) - 1; i > 0; i--)
        signed_radius[count++] = -radii[i];
    const int near = make_radii(before, longest, radii);
    for (int i = 0; i < near; i++)
        signed_radius[count++] = radii[i];
    for (int i = 0; i < count; i++)
        slabs[i] = make_slab(abs(signed_radius[i]), bokeh);
    return count;
}

/* Returns what parts of a mixture go by. A disc's second moment goes by the square of its radius, and that of a mixture of
 * two by their parts. Below a radius of 1 that would keep a pixel sharp for long and then blur it at once. */
static double moment(double radius)
{
    return fabs(radius) < 1 ? fabs(radius) : radius * radius;
}

uint16_t satb_slab_position(const int *signed_radius, int count, double radius)
{
    int i = 0;

    if (radius <= signed_radius[0])
        return 0;
    if (radius >= signed_radius[count - 1])
        return (uint16_t)((count - 1) * SATK_SLAB);
    while (radius >= signed_radius[i + 1])
        i++;
    const double from = moment(signed_radius[i]), to = moment(signed_radius[i + 1]);
    return (uint16_t)(i * SATK_SLAB + lround((moment(radius) - from) / (to - from) * SATK_SLAB));
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
        const satk_stack *const widest = &job->slabs[k].window[SATK_WINDOWS - 1];
        const uint64_t squares = satk_squares(widest, job->smooth, UINT32_MAX, UINT32_MAX);
        const uint64_t a = job->slabs[k].coarse ? squares * SATK_CELL * SATK_CELL : squares;
        if (job->slabs[k].used && a > area)
            area = a;
    }
    return area < most ? area : most;
}
