/* From the parameters of an aperture to boxes. */
#include "blur/aperture.h"

#include "blur/edge.h"
#include "blur/polygon.h"
#include "blur/side.h"

#include <exact_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TURN = 6.283185307179586;

/* Adds a box around the centre. */
static void add_centred(satk_form *form, double across, double down)
{
    form->box[form->count++] = (satk_form_box){-satb_in_form(across), satb_in_form(across),
                                               -satb_in_form(down), satb_in_form(down), 1};
}

/* --- Discs, squares and bumps ----------------------------------------------------------------- */

enum { MOST_BOXES = 4 };

/* Makes boxes whose union is almost a disc, as strips that do not overlap. A box's corners are on the disc. */
static satk_form make_disc(int boxes, double wide, double high)
{
    satk_form form = {.count = 0};
    double side[MOST_BOXES];

    for (int i = 0; i < boxes; i++)
        side[i] = satb_cos(TURN / 4 * (i + 0.5) / (boxes + 0.5));
    add_centred(&form, side[0] * wide, side[boxes - 1] * high);
    for (int i = 1; i < boxes; i++) {
        const int right = satb_in_form(side[i] * wide),
                  inner = satb_in_form(side[boxes - i] * high);
        const int outer = satb_in_form(side[boxes - 1 - i] * high);
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
        form.box[i] = (satk_form_box){-satb_in_form(wide), satb_in_form(wide),
                                      satb_in_form((2.0 * i / strips - 1) * high),
                                      satb_in_form((2.0 * (i + 1) / strips - 1) * high), 1};
    return form;
}

/* Makes a heap of boxes that miss least of the bump 1 - (rho / R)^2 with R = 1: half the sides
 * of box i, which is high where box count - 1 - i is wide. If both have the same light, 13 % of
 * it lies in one of them alone with four boxes. R = sqrt(3/2) r gives the bump
 * the second moment of a disc of radius r, r^2 / 2, and the heap, too, to 1 %. Four boxes reach
 * 1.12 r along either axis. Source: P. S. Heckbert, "Filtering by Repeated Integration",
 * SIGGRAPH 1986. */
static satk_form make_heap(const double *sides, int count, double wide, double high)
{
    satk_form form = {.count = 0};

    for (int i = 0; i < count; i++)
        add_centred(&form, sqrt(1.5) * sides[i] * wide, sqrt(1.5) * sides[count - 1 - i] * high);
    return form;
}

static const double HEAP_OF_WINDOWS[] = {0.9160, 0.7846, 0.6221, 0.4033};

/* --- All -------------------------------------------------------------------------------------- */

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

/* Returns the second moments of a shape that has as many without the squeeze. */
static double moments_of(const satb_aperture *a, double moments)
{
    return moments / ((a->wide * a->wide + a->high * a->high) / 2);
}

/* Makes a disc or a square. Returns the radius's second moments. Windows that are neither cut nor brighter somewhere are stacks. */
static double make_plain(const satb_shape *s, const satb_aperture *a, satk_form *windows)
{
    const int is_cut = s->vignette > 0, is_square = s->bokeh == SATB_BOKEH_SQUARE;

    *windows = is_square ? make_square(is_cut ? SATB_WINDOW_STRIPS : 1, a->wide, a->high)
                         : make_disc(is_cut ? 3 : 2, a->wide, a->high);
    if (!is_cut && s->bokeh_edge == 0 && s->spherical == 0)
        windows->count = 0;
    return moments_of(a, is_square ? 3 : 4);
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

double satb_edge_of(const satb_shape *s, int side)
{
    const double edge = s->bokeh_edge + (side == SATB_BEHIND ? s->spherical : -s->spherical);

    return fmax(-1, fmin(1, edge));
}

/* A pixel takes light from its window, so windows have the turned form. Before the focus the lens turns them once more. */
static void make_sides(double moments, const satk_form *windows, satb_aperture *a)
{
    const satb_shape *const s = &a->shape;

    for (int side = SATB_BEHIND; side <= SATB_BEFORE; side++) {
        const double edge = satb_edge_of(s, side);
        a->windows[side] = side == SATB_BEFORE ? *windows : half_turned(windows);
        a->moments[side] = moments / (1 + edge / 3);
        satb_edge_windows(edge, s->bokeh == SATB_BOKEH_SQUARE, a->wide, a->high, &a->windows[side]);
    }
    pad_both(a->windows);
}

/* Returns the side of a mirrored box. A side of 0 leaves the centre's square out of a box on one side of it alone. */
static int opposite(int side)
{
    return side == 0 ? 1 : -side;
}

/* Mirrors an axis of a box. */
static void mirror(int *low, int *high)
{
    const int side = opposite(*low);

    *low = opposite(*high);
    *high = side;
}

void satb_turn_boxes(satk_form_box *boxes, int count, int orientation)
{
    for (satk_form_box *b = boxes; b < boxes + count; b++) {
        if (orientation & 2)
            mirror(&b->left, &b->right);
        if ((orientation - 1) & 2)
            mirror(&b->top, &b->bottom);
        if (orientation >= 5)
            *b = (satk_form_box){b->top, b->bottom, b->left, b->right, b->weight};
    }
}

/* Turns the shape from the upright picture to the stored one. */
static void turn_shape(satb_aperture *a)
{
    const double wide = a->wide;

    memcpy(a->upright_windows, a->windows, sizeof a->windows);
    for (int side = SATB_BEHIND; side <= SATB_BEFORE; side++)
        satb_turn_boxes(a->windows[side].box, a->windows[side].count, a->shape.orientation);
    if (a->shape.orientation >= 5)
        a->wide = a->high, a->high = wide;
}

static satb_shape shape_of(const satb_dof_params *p)
{
#define MEMBER(name, ...) .name = p->name,
    satb_shape s = {.bokeh = p->bokeh, SATB_DOF_SHAPE_NUMBERS(MEMBER)};

    if (s.squeeze == 0)
        s.squeeze = 1;
    if (s.orientation == 0)
        s.orientation = 1;
    return s;
}

static int are_same(const satb_shape *a, const satb_shape *b)
{
#define SAME(name, ...) &&a->name == b->name
    return a->bokeh == b->bokeh SATB_DOF_SHAPE_NUMBERS(SAME);
}

static satb_aperture make_aperture(const satb_shape *s)
{
    satb_aperture a = {.shape = *s,
                       .wide = 1 / sqrt(s->squeeze),
                       .high = sqrt(s->squeeze),
                       .rim = s->blades > 0                   ? satb_polygon_scale(s)
                              : s->bokeh == SATB_BOKEH_SQUARE ? sqrt(2)
                                                              : 1};
    satk_form windows = {.count = 0};
    double moments = moments_of(&a, 4);

    if (s->blades > 0)
        moments = satb_make_polygon(s, a.wide, a.high, &windows);
    else if (s->bokeh == SATB_BOKEH_SMOOTH) {
        windows = make_heap(HEAP_OF_WINDOWS, 4, a.wide, a.high);
        a.rim = sqrt(1.5);
    } else
        moments = make_plain(s, &a, &windows);
    make_sides(moments, &windows, &a);
    turn_shape(&a);
    return a;
}

satb_aperture satb_make_aperture(const satb_dof_params *p)
{
    const satb_shape shape = shape_of(p);

    return make_aperture(&shape);
}

const satb_aperture *satb_aperture_of(satb_context *context, const satb_dof_params *p)
{
    const satb_shape shape = shape_of(p);

    if (context->aperture && are_same(&context->aperture->shape, &shape))
        return context->aperture;
    if (!context->aperture)
        context->aperture = malloc(sizeof *context->aperture);
    if (context->aperture)
        *context->aperture = make_aperture(&shape);
    return context->aperture;
}
