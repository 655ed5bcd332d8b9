#include "blur/dof_slabs.h"

#include "layer/layer_rule.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Pixels by which the first wider windows are wider than the aperture. */
static const int wider[] = {0, 2, 6, 16};

enum { WIDER = sizeof wider / sizeof *wider };

/* Two boxes whose union is almost a disc of radius 1: the areas that only one of the two has are 10.13 % of the disc's.
 * One box is the other turned by 90 degrees, so that a turned picture has the same blur. A short side of 0.6172 would
 * miss 0.02 % less, but as whole pixels it makes the discs of radius 3, 16 and 21 too large. */
static const double LONG_SIDE = 0.9565, SHORT_SIDE = 0.61;

/* Returns the whole squares whose centres are within a side. */
static int squares_within(double side)
{
    return (int)lround(side - 0.5);
}

/* Returns the window of a form at radius r, in squares. */
static satk_stack make_window(const satk_form *form, double r)
{
    satk_stack s = {.middle_rows = (int)fmin(round(r * SATK_ONE), INT_MAX)};

    for (int i = 0; i < form->count; i++) {
        const satk_range columns = satk_form_columns(&form->box[i], s.middle_rows, 0);
        const satk_range rows = satk_form_rows(&form->box[i], s.middle_rows, 0);
        s.middle = -satk_smaller(-s.middle, satk_smaller(columns.lo, 1 - columns.hi));
        s.rows = -satk_smaller(-s.rows, satk_smaller(rows.lo, 1 - rows.hi));
    }
    return s;
}

/* Returns the window of a radius in pixels. A disc covers the centre's pixel and the radius beyond it; a quarter of a pixel
 * more makes the area of small discs right. cell: pixels of a side of the window's squares. */
static satk_stack make_stack(int radius, int cell, const satb_aperture *a, int of)
{
    const double r = radius == 0 ? 0 : (radius + 0.25) / cell, half = (radius + 0.5) / cell;

    if (a->windows[of].count > 0)
        return make_window(&a->windows[of], r);
    if (radius == 0)
        return (satk_stack){0};
    if (a->shape.bokeh == SATB_BOKEH_SQUARE)
        return (satk_stack){.middle = squares_within(half * a->wide),
                            .middle_rows = squares_within(half * a->high),
                            .rows = squares_within(half * a->high)};
    return (satk_stack){.middle = squares_within(LONG_SIDE * r * a->wide),
                        .middle_rows = squares_within(SHORT_SIDE * r * a->high),
                        .outer = squares_within(SHORT_SIDE * r * a->wide),
                        .rows = squares_within(LONG_SIDE * r * a->high)};
}

/* Returns by how much window i of a slab is wider than its aperture. beyond: at least what the widest needs. */
static int wider_by(int i, int beyond)
{
    int by = wider[i < WIDER ? i : WIDER - 1];

    for (int k = WIDER; k <= i; k++)
        by = 5 * by / 2;
    return i < WIDER || (by < beyond && i + 1 < SATK_WINDOWS) ? by : beyond;
}

/* Returns 1 if a slab is coarse. Wide windows change little from pixel to pixel, so a sixteenth of them is computed. 64 pixels
 * that are cut alike would be seen in a picture that is small. */
static int is_coarse(int radius, int longest, const satb_aperture *aperture)
{
    return radius >= SATB_COARSE_RADIUS &&
           (aperture->shape.vignette == 0 || longest >= SATB_COARSE_CUT);
}

/* Returns the slab of a radius. What blurs by `hiding` pixels may hide it, and is transparent as far inside: windows widen
 * until they reach from there to what can be seen. */
static satk_slab make_slab(int radius, double hiding, int longest, const satb_aperture *aperture,
                           int of)
{
    const int beyond = (int)ceil(hiding) - radius;
    satk_slab slab = {.coarse = is_coarse(radius, longest, aperture),
                      .is_before = of == SATB_BEFORE};
    int by = 0;

    while (slab.windows < WIDER || by < beyond) {
        by = wider_by(slab.windows, beyond);
        slab.window[slab.windows++] =
            make_stack(radius + by, slab.coarse ? SATK_CELL : 1, aperture, of);
    }
    return slab;
}

/* Returns the sum of the squares of the whole numbers below n, less those of the numbers from n on if n is below 0. */
static double squares_below(double n)
{
    return (n - 1) * n * (2 * n - 1) / 6;
}

/* Returns the second moment of a box about the window's centre along an axis, the sum of both, times its squares. */
static double box_moment(satk_range columns, satk_range rows)
{
    return (squares_below(columns.hi) - squares_below(columns.lo)) * (rows.hi - rows.lo) +
           (squares_below(rows.hi) - squares_below(rows.lo)) * (columns.hi - columns.lo);
}

static double stack_moment(const satk_stack *s)
{
    const satk_range middle = satk_window(0, s->middle), outer = satk_window(0, s->outer);
    const satk_range above = {-s->rows, -s->middle_rows};
    const satk_forms none = {.count = 0};

    return (box_moment(middle, satk_window(0, s->middle_rows)) + 2 * box_moment(outer, above)) /
           (double)satk_squares(s, &none, UINT32_MAX, UINT32_MAX);
}

static double form_moment(const satk_stack *s, const satk_form *form)
{
    const int radius = satk_form_radius(s);
    double sum = 0;

    for (int i = 0; i < form->count; i++) {
        const satk_range columns = satk_form_columns(&form->box[i], radius, 0);
        const satk_range rows = satk_form_rows(&form->box[i], radius, 0);
        if (columns.lo < columns.hi && rows.lo < rows.hi)
            sum += form->box[i].weight * box_moment(columns, rows);
    }
    return sum / (double)satk_form_area(form->box, form->count, radius);
}

/* Returns the second moment of a window about its centre along an axis, the mean of both, in squares. */
static double window_moment(const satk_stack *s, const satk_form *form)
{
    return (form->count > 0 ? form_moment(s, form) : stack_moment(s)) / 2;
}

/* Returns the radius in pixels of the disc, or another shape, that is as wide as a slab's aperture: their second moments are
 * equal. Interpolation between cells widens by a sixth of a cell's square. */
static double radius_of(const satk_slab *slab, const satb_aperture *aperture)
{
    const int of = slab->is_before ? SATB_BEFORE : SATB_BEHIND;
    const double side = slab->coarse ? SATK_CELL : 1;
    double moment = side * side * window_moment(&slab->window[0], &aperture->windows[of]);

    if (slab->coarse)
        moment += (side * side - 1) / 12 + side * side / 6;
    return sqrt(moment * aperture->moments[of]);
}

/* Returns the next radius of 0 to 5 and 7, then a quarter more than the one before, and from 138 on two fifths more. A
 * mixture of two neighbours looks like the radius between them while they are that close: farther apart, it is a small disc
 * inside a large one, and a pull of the focus pops. The disc of 6 pixels is that of 5. */
static int next_radius(int radius)
{
    if (radius < 7)
        return radius + 1 + radius / 5;
    return radius + (radius < 138 ? (radius + 2) / 4 : 2 * radius / 5);
}

/* The slabs of one side of the focus, from there on. */
typedef struct side {
    satk_slab slab[SATB_SIDE_SLABS];
    double radius[SATB_SIDE_SLABS];
    int count;
} side;

/* Makes slabs until one's radius is not below `farthest`. hiding: the largest radius of those before others. */
static void make_side(double farthest, double hiding, int longest, const satb_aperture *aperture,
                      int of, side *s)
{
    int radius = 0;

    s->count = 0;
    for (;;) {
        const int i = s->count++;
        s->slab[i] = make_slab(radius, hiding, longest, aperture, of);
        s->radius[i] = radius_of(&s->slab[i], aperture);
        if (i > 0 &&
            s->radius[i] <= s->radius[i - 1]) /* `longest` is rounded to the same aperture */
            s->count--;
        if (s->radius[i] >= farthest || radius >= longest)
            return;
        radius = next_radius(radius) < longest ? next_radius(radius) : longest;
    }
}

int satb_make_slabs(double behind, double before, int soft, int longest,
                    const satb_aperture *aperture, satk_slab *slabs, double *signed_radius)
{
    side far, near;
    int count = 0;

    const double hiding = fmin(before + soft, longest);

    make_side(-behind, hiding, longest, aperture, SATB_BEHIND, &far);
    make_side(before, hiding, longest, aperture, SATB_BEFORE, &near);
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

/* Returns how often a window counts a pixel, at most. */
static uint64_t heaviest(const satk_forms *forms)
{
    uint64_t most = 1;

    for (int of = SATB_BEHIND; of <= SATB_BEFORE; of++) {
        uint64_t weight = 0;
        for (int i = 0; i < forms->count; i++) {
            const int own = forms->whole[of][i].weight;
            weight += (uint64_t)(own > 0 ? own : 0);
        }
        most = weight > most ? weight : most;
    }
    return most;
}

uint64_t satb_largest_area(const satk_layer *job)
{
    const uint64_t pixels = (uint64_t)job->src.width * (uint64_t)job->src.height;
    const uint64_t most = heaviest(&job->forms) * pixels;
    uint64_t area = 0;

    for (int k = 0; k < job->count; k++) {
        const satk_stack *const widest = &job->slabs[k].window[job->slabs[k].windows - 1];
        const uint64_t squares = satk_squares(widest, &job->forms, UINT32_MAX, UINT32_MAX);
        const uint64_t a = job->slabs[k].coarse ? squares * SATK_CELL * SATK_CELL : squares;
        if (job->slabs[k].used && a > area)
            area = a;
    }
    return area < most ? area : most;
}
