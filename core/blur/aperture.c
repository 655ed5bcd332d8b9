/* From the parameters of an aperture to boxes. A polygon becomes the strips that differ least from it, as dynamic programming
 * finds them: exact for an outline of ROWS rows. */
#include "blur/aperture.h"

#include "blur/edge.h"

#include <math.h>
#include <stdlib.h>

static const double TURN = 6.283185307179586;

static int in_form(double side)
{
    return (int)lround(ldexp(side, SATK_FORM_SIDE_BITS));
}

/* Adds a box around the centre. */
static void add_centred(satk_form *form, double across, double down)
{
    form->box[form->count++] =
        (satk_form_box){-in_form(across), in_form(across), -in_form(down), in_form(down), 1};
}

/* --- Discs, squares and bumps ----------------------------------------------------------------- */

enum { LIGHT_BOXES = 8 };

/* Makes boxes whose union is almost a disc, as strips that do not overlap. A box's corners are on the disc. */
static satk_form make_disc(int boxes, double wide, double high)
{
    satk_form form = {.count = 0};
    double side[LIGHT_BOXES];

    for (int i = 0; i < boxes; i++)
        side[i] = cos(TURN / 4 * (i + 0.5) / (boxes + 0.5));
    add_centred(&form, side[0] * wide, side[boxes - 1] * high);
    for (int i = 1; i < boxes; i++) {
        const int right = in_form(side[i] * wide), inner = in_form(side[boxes - i] * high);
        const int outer = in_form(side[boxes - 1 - i] * high);
        form.box[form.count++] = (satk_form_box){-right, right, -outer, -inner, 1};
        form.box[form.count++] = (satk_form_box){-right, right, inner, outer, 1};
    }
    return form;
}

/* Makes a square, of an odd number of strips. */
static satk_form make_square(int strips, double wide, double high)
{
    satk_form form = {.count = strips};

    for (int i = 0; i < strips; i++)
        form.box[i] =
            (satk_form_box){-in_form(wide), in_form(wide), in_form((2.0 * i / strips - 1) * high),
                            in_form((2.0 * (i + 1) / strips - 1) * high), 1};
    return form;
}

/* Makes a heap of boxes that miss least of the bump 1 - (rho / R)^2 with R = 1: half the sides of box i, which is high where
 * box count - 1 - i is wide. If both have the same light, 13 % of it lies in one of them alone with four boxes, 7 % with
 * eight. R = sqrt(3/2) r gives the bump the second moment of a disc of radius r, r^2 / 2, and the heap, too, to 1 %. */
static satk_form make_heap(const double *sides, int count, double wide, double high)
{
    satk_form form = {.count = 0};

    for (int i = 0; i < count; i++)
        add_centred(&form, sqrt(1.5) * sides[i] * wide, sqrt(1.5) * sides[count - 1 - i] * high);
    return form;
}

static const double HEAP_OF_WINDOWS[] = {0.9160, 0.7846, 0.6221, 0.4033};
static const double HEAP_OF_LIGHTS[] = {0.9594, 0.8911, 0.8223, 0.7471,
                                        0.6656, 0.5658, 0.4531, 0.2906};

/* --- Outlines --------------------------------------------------------------------------------- */

enum {
    ROWS = 80,
    POINTS = 16,       /* of a blade's edge */
    WINDOW_STRIPS = 5, /* a window reads four words a strip */
    LIGHT_STRIPS = 20
};

/* A convex shape, row by row. */
typedef struct outline {
    double top, pitch; /* of the rows */
    double left[ROWS], right[ROWS];
} outline;

typedef struct point {
    double x, y;
} point;

/* Returns a point of a blade's edge, between corner `blade` and the next one. A round edge is on the circle. */
static point edge_at(const satb_dof_params *p, int blade, double part)
{
    const double turned = TURN * (p->blade_rotation / 360 - 0.25), each = TURN / p->blades;
    const double from = turned + blade * each, to = from + each, round = from + part * each;
    const point chord = {cos(from) + part * (cos(to) - cos(from)),
                         sin(from) + part * (sin(to) - sin(from))};

    return (point){chord.x + p->blade_curvature * (cos(round) - chord.x),
                   chord.y + p->blade_curvature * (sin(round) - chord.y)};
}

static point point_at(const satb_dof_params *p, int i)
{
    return edge_at(p, i / POINTS, (double)(i % POINTS) / POINTS);
}

/* Returns the factor that gives the shape the area of a disc of radius 1. */
static double scale_of(const satb_dof_params *p)
{
    const int count = p->blades * POINTS;
    double area = 0;

    for (int i = 0; i < count; i++) {
        const point a = point_at(p, i), b = point_at(p, i + 1);
        area += (a.x * b.y - b.x * a.y) / 2;
    }
    return sqrt(TURN / 2 / area);
}

/* Widens the rows that the edge from a to b crosses. */
static void add_edge(outline *o, point a, point b)
{
    const point upper = a.y < b.y ? a : b, lower = a.y < b.y ? b : a;

    for (int i = 0; i < ROWS; i++) {
        const double y = o->top + (i + 0.5) * o->pitch;
        if (y < upper.y || y >= lower.y)
            continue;
        const double x = upper.x + (lower.x - upper.x) * (y - upper.y) / (lower.y - upper.y);
        o->left[i] = fmin(o->left[i], x);
        o->right[i] = fmax(o->right[i], x);
    }
}

static void make_outline(const satb_dof_params *p, double wide, double high, outline *o)
{
    const double scale = scale_of(p);
    const int count = p->blades * POINTS;
    double bottom = -INFINITY;

    *o = (outline){.top = INFINITY};
    for (int i = 0; i < count; i++) {
        o->top = fmin(o->top, scale * high * point_at(p, i).y);
        bottom = fmax(bottom, scale * high * point_at(p, i).y);
    }
    o->pitch = (bottom - o->top) / ROWS;
    for (int i = 0; i < ROWS; i++)
        o->left[i] = INFINITY, o->right[i] = -INFINITY;
    for (int i = 0; i < count; i++) {
        const point a = point_at(p, i), b = point_at(p, i + 1);
        add_edge(o, (point){scale * wide * a.x, scale * high * a.y},
                 (point){scale * wide * b.x, scale * high * b.y});
    }
}

/* Returns the second moment along an axis, the mean of both. */
static double moment_of(const outline *o)
{
    double area = 0, moment = 0;

    for (int i = 0; i < ROWS; i++) {
        const double y = o->top + (i + 0.5) * o->pitch, across = o->right[i] - o->left[i];
        area += across;
        moment += (pow(o->right[i], 3) - pow(o->left[i], 3)) / 3 + y * y * across;
    }
    return moment / area / 2;
}

/* --- Strips ----------------------------------------------------------------------------------- */

/* Numbers in order, and what they differ from their median all together. */
typedef struct ordered {
    double number[ROWS];
    int count;
} ordered;

static void insert(ordered *o, double number)
{
    int i = o->count++;

    for (; i > 0 && o->number[i - 1] > number; i--)
        o->number[i] = o->number[i - 1];
    o->number[i] = number;
}

static double median_of(const ordered *o)
{
    return (o->number[(o->count - 1) / 2] + o->number[o->count / 2]) / 2;
}

static double differences_of(const ordered *o)
{
    double sum = 0;

    for (int i = 0; i < o->count / 2; i++)
        sum += o->number[o->count - 1 - i] - o->number[i];
    return sum;
}

/* The best strips for the rows before `end`: how much differs, and the row that the last strip begins with. */
typedef struct best_strips {
    double differs[LIGHT_STRIPS + 1][ROWS + 1]; /* [strips][end] */
    int begin[LIGHT_STRIPS + 1][ROWS + 1];
} best_strips;

/* Finds them for all numbers of strips, of at most `most` rows each. Rows above the first strip are left out. */
static void find_best(const outline *o, int most, best_strips *best)
{
    best->differs[0][0] = 0;
    for (int end = 1; end <= ROWS; end++)
        best->differs[0][end] = best->differs[0][end - 1] + o->right[end - 1] - o->left[end - 1];
    for (int n = 1; n <= LIGHT_STRIPS; n++)
        for (int end = 0; end <= ROWS; end++)
            best->differs[n][end] = INFINITY;
    for (int end = 1; end <= ROWS; end++) {
        ordered left = {.count = 0}, right = {.count = 0};
        for (int begin = end - 1; begin >= 0 && begin >= end - most; begin--) {
            insert(&left, o->left[begin]);
            insert(&right, o->right[begin]);
            const double strip = differences_of(&left) + differences_of(&right);
            for (int n = 1; n <= LIGHT_STRIPS; n++)
                if (best->differs[n - 1][begin] + strip < best->differs[n][end]) {
                    best->differs[n][end] = best->differs[n - 1][begin] + strip;
                    best->begin[n][end] = begin;
                }
        }
    }
}

/* Returns the row behind the last of n strips: rows below it are left out. */
static int end_of(const best_strips *best, int n)
{
    const double *const above = best->differs[0], *const differs = best->differs[n];
    int end = ROWS;

    for (int i = ROWS - 1; i > 0; i--)
        if (differs[i] + above[ROWS] - above[i] < differs[end] + above[ROWS] - above[end])
            end = i;
    return end;
}

static satk_form_box box_of(const outline *o, int begin, int end)
{
    ordered left = {.count = 0}, right = {.count = 0};

    for (int i = begin; i < end; i++) {
        insert(&left, o->left[i]);
        insert(&right, o->right[i]);
    }
    return (satk_form_box){in_form(median_of(&left)), in_form(median_of(&right)),
                           in_form(o->top + begin * o->pitch), in_form(o->top + end * o->pitch), 1};
}

static satk_form make_strips(const outline *o, const best_strips *best, int count)
{
    satk_form form = {.count = count};
    int end = end_of(best, count);

    for (int n = count; n > 0; n--) {
        form.box[n - 1] = box_of(o, best->begin[n][end], end);
        end = best->begin[n][end];
    }
    return form;
}

/* Returns the form turned by half a turn. */
static satk_form half_turned(const satk_form *form)
{
    satk_form turned = *form;

    for (int i = 0; i < form->count; i++) {
        const satk_form_box *const b = &form->box[i];
        turned.box[i] = (satk_form_box){-b->right, -b->left, -b->bottom, -b->top, b->weight};
    }
    return turned;
}

/* Returns 1 if a form is more than an outline: strips may not be high then, as cuts and rings go across them. */
static int needs_low_strips(const satb_dof_params *p)
{
    return p->vignette > 0 || p->bokeh_edge != 0 || p->spherical != 0;
}

/* Makes the polygon. Returns the radius's second moments. */
static double make_polygon(const satb_dof_params *p, const satb_aperture *a, satk_form *windows,
                           satk_form *lights)
{
    outline o;
    best_strips best;

    make_outline(p, a->wide, a->high, &o);
    find_best(&o, needs_low_strips(p) ? 2 * ROWS / LIGHT_STRIPS : ROWS, &best);
    *lights = make_strips(&o, &best, LIGHT_STRIPS);
    if (needs_low_strips(p))
        find_best(&o, p->vignette > 0 ? 2 * ROWS / WINDOW_STRIPS : ROWS, &best);
    *windows = make_strips(&o, &best, WINDOW_STRIPS);
    return 1 / moment_of(&o);
}

/* --- All -------------------------------------------------------------------------------------- */

/* Makes a disc or a square. Windows that are neither cut nor brighter somewhere are stacks. */
static double make_plain(const satb_dof_params *p, const satb_aperture *a, satk_form *windows,
                         satk_form *lights)
{
    const int is_cut = p->vignette > 0, is_square = p->bokeh == SATB_BOKEH_SQUARE;
    const double squeezed = (a->wide * a->wide + a->high * a->high) / 2;

    if (is_square) {
        *lights = make_square(is_cut ? 2 * LIGHT_BOXES - 1 : 1, a->wide, a->high);
        *windows = make_square(is_cut ? WINDOW_STRIPS : 1, a->wide, a->high);
    } else {
        *lights = make_disc(LIGHT_BOXES, a->wide, a->high);
        *windows = make_disc(is_cut ? 3 : 2, a->wide, a->high);
    }
    if (!is_cut && p->bokeh_edge == 0 && p->spherical == 0)
        windows->count = 0;
    return (is_square ? 3 : 4) / squeezed;
}

/* Adds boxes without a square, as all forms of a job have the same number. */
static void pad(satk_form *form, int count)
{
    while (form->count < count)
        form->box[form->count++] = (satk_form_box){0, 0, 0, 0, 0};
}

static void pad_both(satk_form *sides)
{
    pad(&sides[SATB_BEHIND], sides[SATB_BEFORE].count);
    pad(&sides[SATB_BEFORE], sides[SATB_BEHIND].count);
}

/* A pixel takes light from its window, so a point's light has the turned form. Before the focus the lens turns both. */
static void make_sides(const satb_dof_params *p, double moments, const satk_form *windows,
                       const satk_form *lights, satb_aperture *a)
{
    for (int side = SATB_BEHIND; side <= SATB_BEFORE; side++) {
        const double edge = p->bokeh_edge + (side == SATB_BEHIND ? p->spherical : -p->spherical);
        const double kept = fmax(-1, fmin(1, edge));
        const int is_turned = side == SATB_BEFORE;
        a->lights[side] = is_turned ? half_turned(lights) : *lights;
        a->windows[side] = is_turned ? *windows : half_turned(windows);
        a->moments[side] = moments / (1 + kept / 3);
        satb_edge_lights(kept, &a->lights[side]);
        satb_edge_windows(kept, a->bokeh == SATB_BOKEH_SQUARE, a->wide, a->high, &a->windows[side]);
    }
    pad_both(a->windows);
    pad_both(a->lights);
}

satb_aperture satb_make_aperture(const satb_dof_params *p)
{
    const double squeeze = p->squeeze > 0 ? p->squeeze : 1;
    satb_aperture a = {.bokeh = p->bokeh,
                       .blades = p->blades,
                       .rotation = p->blade_rotation,
                       .curvature = p->blade_curvature,
                       .squeeze = p->squeeze,
                       .edge = p->bokeh_edge,
                       .spherical = p->spherical,
                       .vignette = p->vignette,
                       .wide = 1 / sqrt(squeeze),
                       .high = sqrt(squeeze),
                       .rim = p->blades > 0                   ? scale_of(p)
                              : p->bokeh == SATB_BOKEH_SQUARE ? sqrt(2)
                                                              : 1};
    satk_form windows = {.count = 0}, lights = {.count = 0};
    double moments = 4 / ((a.wide * a.wide + a.high * a.high) / 2);

    if (p->blades > 0)
        moments = make_polygon(p, &a, &windows, &lights);
    else if (p->bokeh == SATB_BOKEH_SMOOTH) {
        windows = make_heap(HEAP_OF_WINDOWS, 4, a.wide, a.high);
        lights = make_heap(HEAP_OF_LIGHTS, 8, a.wide, a.high);
        a.rim = sqrt(1.5);
    } else
        moments = make_plain(p, &a, &windows, &lights);
    make_sides(p, moments, &windows, &lights, &a);
    return a;
}

static int is_made_of(const satb_aperture *a, const satb_dof_params *p)
{
    return a->bokeh == p->bokeh && a->blades == p->blades && a->rotation == p->blade_rotation &&
           a->curvature == p->blade_curvature && a->squeeze == p->squeeze &&
           a->edge == p->bokeh_edge && a->spherical == p->spherical && a->vignette == p->vignette;
}

const satb_aperture *satb_aperture_of(satb_context *context, const satb_dof_params *p)
{
    if (context->aperture && is_made_of(context->aperture, p))
        return context->aperture;
    if (!context->aperture)
        context->aperture = malloc(sizeof *context->aperture);
    if (context->aperture)
        *context->aperture = satb_make_aperture(p);
    return context->aperture;
}
