#include "blur/outlines.h"

#include "blur/forms.h"
#include "blur/polygon.h"
#include "blur/side.h"

#include <exact_math.h>
#include <math.h>
#include <stdlib.h>

/* --- Levels ----------------------------------------------------------------------------------- */

enum {
    EDGE_LEVELS = 4,
    EDGE_WEIGHT = 16
}; /* EDGE_WEIGHT: of a shape that is as bright everywhere */

/* A shape's levels of brightness: the whole shape at these sizes, with these weights. */
typedef struct levels {
    int count;
    double size[SATK_OUTLINE_LEVELS];
    int weight[SATK_OUTLINE_LEVELS];
} levels;

/* Returns the weight between the parts i / EDGE_LEVELS and (i + 1) / EDGE_LEVELS of the area, of a brightness 1 + edge (2
 * rho^2 - 1). */
static int edge_weight(double edge, int i)
{
    return (int)lround(EDGE_WEIGHT * (1 + edge * ((2 * i + 1.0) / EDGE_LEVELS - 1)));
}

/* Returns the levels of a shape on a side of the focus. A bump 1 - (rho / R)^2 has the second moment of a disc of radius r with R
 * = sqrt(3/2) r. */
static levels levels_of(const satb_shape *s, int side)
{
    const double edge = satb_edge_of(s, side);
    levels l = {.count = 1, .size = {1}, .weight = {1}};

    if (s->bokeh == SATB_BOKEH_SMOOTH)
        for (l.count = 0; l.count < SATK_OUTLINE_LEVELS; l.count++) {
            l.size[l.count] = sqrt(1.5 * (1 - (l.count + 0.5) / SATK_OUTLINE_LEVELS));
            l.weight[l.count] = 1;
        }
    else if (s->bokeh_edge != 0 || s->spherical != 0)
        for (l.count = 0; l.count < EDGE_LEVELS; l.count++) {
            const int i = l.count, is_last = i + 1 == EDGE_LEVELS;
            l.size[i] = sqrt((i + 1.0) / EDGE_LEVELS);
            l.weight[i] = edge_weight(edge, i) - (is_last ? 0 : edge_weight(edge, i + 1));
        }
    return l;
}

/* --- One outline ------------------------------------------------------------------------------ */

/* Places of a shape with a radius of 1 and without a squeeze, from the middle. */
typedef struct sides {
    satb_rows rows;
    double half; /* half of the height that they divide */
} sides;

/* Finds the sides of the whole shape. */
static void find_sides(const satb_shape *s, sides *to)
{
    to->half = 1;
    if (s->blades > 0) {
        satb_polygon_rows(s, &to->rows, &to->half);
        return;
    }
    for (int i = 0; i < SATB_ROWS; i++) {
        const double y = (2.0 * i + 1 - SATB_ROWS) / SATB_ROWS;
        to->rows.right[i] = s->bokeh == SATB_BOKEH_SQUARE ? 1 : sqrt(1 - y * y);
        to->rows.left[i] = -to->rows.right[i];
    }
}

/* Finds the part of the sides, times a size, that is in the pupil. Returns the rows that it has. */
static satk_range cut_sides(const sides *whole, double size, const satb_pupil *pupil, sides *to)
{
    satk_range rows = {SATB_ROWS, 0};

    to->half = size * whole->half;
    for (int i = 0; i < SATB_ROWS; i++) {
        const double y = (2.0 * i + 1 - SATB_ROWS) / SATB_ROWS * to->half;
        double left = size * whole->rows.left[i], right = size * whole->rows.right[i];
        if (pupil) {
            const double wide = satb_half_pupil(pupil, y);
            left = fmax(left, pupil->x - wide);
            right = fmin(right, pupil->x + wide);
        }
        to->rows.left[i] = left;
        to->rows.right[i] = fmax(left, right);
        if (left >= right)
            continue;
        rows.lo = i < rows.lo ? i : rows.lo;
        rows.hi = i + 1;
    }
    return rows;
}

/* Adds up a side over `length` rows, from the place `from` on, in the direction `down`, 1 or -1. */
static double sum_side(const double *side, double from, double length, int down)
{
    double sum = 0;

    while (length > 0) {
        const double end = down > 0 ? floor(from) + 1 : ceil(from) - 1;
        const double part = fmin(length, fabs(end - from));
        const int row = (int)(down > 0 ? floor(from) : end);
        if (row < 0 || row >= SATB_ROWS)
            return sum;
        sum += part * side[row];
        length -= part;
        from = end;
    }
    return sum;
}

/* Finds the integrals of a side over strips, whose middle is at the row `middle`, from there on. unit: of a row, at a radius of
 * 2^-SATK_OUTLINE_BITS. */
static void integrate(const double *side, double middle, double strip, double unit, int *to)
{
    const int centre = SATK_OUTLINE_STRIPS / 2;

    to[centre] = 0;
    for (int down = -1; down <= 1; down += 2) {
        double sum = 0;
        for (int i = 1; i <= centre; i++) {
            sum += sum_side(side, middle + down * (i - 1) * strip, strip, down);
            to[centre + down * i] = down * (int)lround(sum * unit);
        }
    }
}

/* Makes an outline of sides in the upright picture. */
static void make_outline(const sides *s, satk_range rows, int weight, double wide, double high,
                         satk_outline *to)
{
    const double row = 2 * s->half / SATB_ROWS, count = fmax(1, rows.hi - rows.lo);
    const double middle = (rows.lo + rows.hi) / 2.0, strip = count / SATK_OUTLINE_STRIPS;
    const double unit = ldexp(row * high * wide, SATK_OUTLINE_BITS);

    to->middle = satb_in_form((middle - SATB_ROWS / 2) * row * high);
    to->half = satb_in_form(count / 2 * row * high);
    to->weight = rows.lo < rows.hi ? weight : 0;
    integrate(s->rows.left, middle, strip, unit, to->left);
    integrate(s->rows.right, middle, strip, unit, to->right);
}

/* Mirrors an outline at its centre's column. */
static void mirror(satk_outline *o)
{
    for (int i = 0; i <= SATK_OUTLINE_STRIPS; i++) {
        const int left = o->left[i];
        o->left[i] = -o->right[i];
        o->right[i] = -left;
    }
}

/* Mirrors an outline at its centre's row. */
static void flip(satk_outline *o)
{
    o->middle = -o->middle;
    for (int i = 0; i <= SATK_OUTLINE_STRIPS / 2; i++) {
        const int k = SATK_OUTLINE_STRIPS - i, left = o->left[i], right = o->right[i];
        o->left[i] = -o->left[k], o->left[k] = -left;
        o->right[i] = -o->right[k], o->right[k] = -right;
    }
}

/* --- All of a picture ------------------------------------------------------------------------- */

enum { LEAST_SHIFT = 5, ONE_PATCH = 30 };

/* What all outlines of a side have in common. */
typedef struct shape_side {
    const satb_aperture *aperture;
    const satk_form_patches *patches;
    sides whole;
    levels levels;
    int side;
    double half; /* of the picture's diagonal */
} shape_side;

/* Makes the outlines of a patch. Before the focus the lens turns them by half a turn. A light behind the focus is cut on the
 * side away from the centre. */
static void make_patch(const shape_side *s, int column, int row, satk_outline *to)
{
    const satb_aperture *const a = s->aperture;
    const int orientation = a->shape.orientation, is_cut = a->shape.vignette > 0;
    const int is_before = s->side == SATB_BEFORE, swapped = orientation >= 5;
    const double wide = swapped ? a->high : a->wide, high = swapped ? a->wide : a->high;
    const satb_pupil pupil = satb_pupil_of_patch(a, s->patches, column, row, 1, s->half, -1);
    sides cut;

    for (int i = 0; i < s->levels.count; i++, to++) {
        const satk_range rows =
            cut_sides(&s->whole, s->levels.size[i], is_cut ? &pupil : NULL, &cut);
        make_outline(&cut, rows, s->levels.weight[i], wide, high, to);
        if (is_before)
            mirror(to), flip(to);
        if (orientation & 2)
            mirror(to);
        if ((orientation - 1) & 2)
            flip(to);
    }
}

static void make_side(const satb_aperture *a, int side, double half, satb_outlines *outlines)
{
    satk_outline *to = outlines->of + (size_t)side * outlines->bytes / sizeof *to / SATB_SIDES;
    const satk_form_patches *const p = &outlines->all.patches;
    shape_side s = {.aperture = a,
                    .patches = p,
                    .levels = levels_of(&a->shape, side),
                    .side = side,
                    .half = half};

    find_sides(&a->shape, &s.whole);
    for (int y = 0; y < p->down; y++)
        for (int x = 0; x < p->across; x++, to += s.levels.count)
            make_patch(&s, x, y, to);
}

satb_status satb_make_outlines(satb_context *context, const satb_aperture *aperture, int width,
                               int height, satb_outlines *outlines)
{
    const satb_shape *const s = &aperture->shape;
    const double diagonal = sqrt((double)width * width + (double)height * height);
    const int by_size = (int)floor(satb_log2(diagonal / 64));
    const int shift = by_size < LEAST_SHIFT ? LEAST_SHIFT : by_size;
    const satk_form_patches patches =
        satk_make_patches(width, height, s->vignette > 0 ? shift : ONE_PATCH);
    const int count = levels_of(s, SATB_BEHIND).count; /* as many before the focus */

    *outlines = (satb_outlines){
        .all = {.levels = count, .along_columns = s->orientation >= 5, .patches = patches},
        .bytes = SATB_SIDES * (size_t)patches.across * (size_t)patches.down * (size_t)count *
                 sizeof *outlines->of,
        .reach = aperture->rim * fmax(aperture->wide, aperture->high)};
    outlines->of = malloc(outlines->bytes);
    if (!outlines->of)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    for (int side = SATB_BEHIND; side <= SATB_BEFORE; side++)
        make_side(aperture, side, diagonal / 2, outlines);
    return SATB_OK;
}

void satb_free_outlines(satb_outlines *outlines)
{
    free(outlines->of);
    outlines->of = NULL;
}
