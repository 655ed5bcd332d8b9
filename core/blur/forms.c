#include "blur/forms.h"

#include "blur/side.h"

#include <math.h>
#include <stdlib.h>

/* --- One form --------------------------------------------------------------------------------- */

/* The disc that cuts a form, in radii, without the squeeze. */
typedef struct pupil {
    double x, y, radius;
} pupil;

/* Returns half of the disc's width in a row. */
static double half_at(const pupil *p, double y)
{
    return sqrt(fmax(0, p->radius * p->radius - (y - p->y) * (y - p->y)));
}

static int clipped(int n, int least, int most)
{
    return n < least ? least : n > most ? most : n;
}

/* Cuts a box by the mean width of the disc in its rows; one that lies across strips by the least. A box that has the centre
 * keeps it. */
static satk_form_box cut_box(const satk_form_box *box, int lies_across, const pupil *p, double wide,
                             double high)
{
    const satk_form_box none = {0, 0, 0, 0, box->weight};
    const double top = fmax(satb_out_of_form(box->top) / high, p->y - p->radius);
    const double bottom = fmin(satb_out_of_form(box->bottom) / high, p->y + p->radius);
    const double middle = (top + bottom) / 2;
    const double ends = fmin(half_at(p, top), half_at(p, bottom));
    const double mean = (half_at(p, top) + 4 * half_at(p, middle) + half_at(p, bottom)) / 6;
    const double half = lies_across ? ends : mean;
    const int from = satb_in_form((p->x - half) * wide), to = satb_in_form((p->x + half) * wide);
    satk_form_box cut = *box;

    if (top >= bottom || from >= box->right || to <= box->left)
        return none;
    cut.left = clipped(from, box->left, box->right);
    cut.right = clipped(to, box->left, box->right);
    cut.top = clipped(satb_in_form(top * high), box->top, box->bottom);
    cut.bottom = clipped(satb_in_form(bottom * high), box->top, box->bottom);
    if (box->left <= 0 && box->right > 0 && box->top <= 0 && box->bottom > 0) {
        cut.left = cut.left < 0 ? cut.left : 0, cut.right = cut.right > 1 ? cut.right : 1;
        cut.top = cut.top < 0 ? cut.top : 0, cut.bottom = cut.bottom > 1 ? cut.bottom : 1;
    }
    return cut;
}

/* Makes a box that lies across strips end where any of them does: what is taken away from them must be in them. */
static void keep_inside(satk_form_box *box, const satk_form_box *strips, int count)
{
    int top = box->bottom, bottom = box->top;

    for (int i = 0; i < count; i++)
        if (strips[i].left < strips[i].right && strips[i].top < strips[i].bottom) {
            top = strips[i].top < top ? strips[i].top : top;
            bottom = strips[i].bottom > bottom ? strips[i].bottom : bottom;
        }
    box->top = clipped(box->top, top, bottom);
    box->bottom = clipped(box->bottom, top, bottom);
    for (int i = 0; i < count; i++)
        if (strips[i].left < strips[i].right && strips[i].top < box->bottom &&
            strips[i].bottom > box->top) {
            box->left = clipped(box->left, strips[i].left, strips[i].right);
            box->right = clipped(box->right, strips[i].left, strips[i].right);
        }
}

static void cut_form(const satk_form *form, const pupil *p, const satb_aperture *a,
                     satk_form_box *to)
{
    int strips = 0;

    while (strips < form->count && form->box[strips].weight == form->box[0].weight)
        strips++;
    for (int i = 0; i < form->count; i++) {
        const int lies_across = i >= strips && form->box[i].weight < 0;
        to[i] = cut_box(&form->box[i], lies_across, p, a->wide, a->high);
        if (lies_across)
            keep_inside(&to[i], to, strips);
    }
}

/* --- All of a picture ------------------------------------------------------------------------- */

enum { LEAST_SHIFT = 4, MOST_SHIFT = 6, ONE_PATCH = 30 };

/* Returns the disc that cuts at a pixel. At most so much of the rim's radius is cut off that the centre stays. sign: 1 or -1,
 * by the side of the focus and for windows or lights. */
static pupil pupil_at(const satb_aperture *a, int width, int height, double x, double y, int sign)
{
    const double across = x - width / 2.0, down = y - height / 2.0;
    const double half = hypot(width, height) / 2, away = hypot(across, down);
    const double shift = fmin(a->vignette * away / half, 0.95) * a->rim * sign;

    if (away == 0)
        return (pupil){0, 0, a->rim};
    return (pupil){shift * across / away, shift * down / away, a->rim};
}

static size_t boxes_of(const satk_forms *f)
{
    return SATB_SIDES * (size_t)f->across * (size_t)f->down * (size_t)f->count;
}

/* Returns the patches of a picture, 2^shift pixels a side. */
static satk_forms patches_of(const satk_form *sides, int width, int height, int shift)
{
    return (satk_forms){.whole = {sides[SATB_BEHIND].box, sides[SATB_BEFORE].box},
                        .count = sides[SATB_BEHIND].count,
                        .shift = shift,
                        .across = ((width - 1) >> shift) + 1,
                        .down = ((height - 1) >> shift) + 1};
}

/* A light behind the focus is cut on the side away from the centre, and its window on the other. */
static void fill(const satb_aperture *a, const satk_form *sides, const satk_forms *f, int width,
                 int height, int sign, satk_form_box *to)
{
    for (int side = SATB_BEHIND; side <= SATB_BEFORE; side++)
        for (int y = 0; y < f->down; y++)
            for (int x = 0; x < f->across; x++, to += f->count) {
                const double patch = ldexp(1, f->shift);
                const pupil p = pupil_at(a, width, height, (x + 0.5) * patch, (y + 0.5) * patch,
                                         side == SATB_BEHIND ? sign : -sign);
                if (a->vignette > 0)
                    cut_form(&sides[side], &p, a, to);
                for (int i = 0; i < f->count && a->vignette == 0; i++)
                    to[i] = sides[side].box[i];
            }
}

satb_status satb_make_forms(satb_context *context, const satb_aperture *aperture, int width,
                            int height, int with_lights, satb_forms *forms)
{
    const int is_cut = aperture->vignette > 0;
    const int by_size = (int)floor(log2(hypot(width, height) / 128));
    const int windows = by_size < LEAST_SHIFT ? LEAST_SHIFT : by_size;
    const int shift = windows < MOST_SHIFT ? windows : MOST_SHIFT;

    *forms = (satb_forms){
        .windows = patches_of(aperture->windows, width, height, is_cut ? shift : ONE_PATCH),
        .lights = patches_of(aperture->lights, width, height, is_cut ? windows + 1 : ONE_PATCH)};
    if (!with_lights)
        forms->lights.count = 0;
    const size_t before = boxes_of(&forms->windows);
    forms->bytes = (before + boxes_of(&forms->lights)) * sizeof *forms->box;
    if (forms->bytes == 0)
        return SATB_OK;
    forms->box = malloc(forms->bytes);
    if (!forms->box)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    fill(aperture, aperture->windows, &forms->windows, width, height, 1, forms->box);
    if (with_lights)
        fill(aperture, aperture->lights, &forms->lights, width, height, -1, forms->box + before);
    return SATB_OK;
}

void satb_forms_at(satb_forms *forms, const void *memory)
{
    forms->windows.box = memory;
    forms->lights.box = forms->windows.box + boxes_of(&forms->windows);
}

void satb_free_forms(satb_forms *forms)
{
    free(forms->box);
    forms->box = NULL;
}
