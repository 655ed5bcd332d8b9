#include "blur/forms.h"

#include "blur/side.h"
#include "layer/layer_rule.h"

#include <exact_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- One form --------------------------------------------------------------------------------- */

double satb_half_pupil(const satb_pupil *p, double y)
{
    return sqrt(fmax(0, p->radius * p->radius - (y - p->y) * (y - p->y)));
}

/* Cuts a box by the mean width of the disc in its rows; one that lies across strips by the least. A box that has the centre
 * keeps it. */
static satk_form_box cut_box(const satk_form_box *box, int lies_across, const satb_pupil *p,
                             double wide, double high)
{
    const satk_form_box none = {0, 0, 0, 0, box->weight};
    const double top = fmax(satb_out_of_form(box->top) / high, p->y - p->radius);
    const double bottom = fmin(satb_out_of_form(box->bottom) / high, p->y + p->radius);
    const double middle = (top + bottom) / 2;
    const double ends = fmin(satb_half_pupil(p, top), satb_half_pupil(p, bottom));
    const double mean =
        (satb_half_pupil(p, top) + satb_half_pupil(p, bottom) + 4 * satb_half_pupil(p, middle)) / 6;
    const double half = lies_across ? ends : mean;
    const int from = satb_in_form((p->x - half) * wide), to = satb_in_form((p->x + half) * wide);
    satk_form_box cut = *box;

    if (top >= bottom || from >= box->right || to <= box->left)
        return none;
    cut.left = satk_clipped(from, box->left, box->right);
    cut.right = satk_clipped(to, box->left, box->right);
    cut.top = satk_clipped(satb_in_form(top * high), box->top, box->bottom);
    cut.bottom = satk_clipped(satb_in_form(bottom * high), box->top, box->bottom);
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
    box->top = satk_clipped(box->top, top, bottom);
    box->bottom = satk_clipped(box->bottom, top, bottom);
    for (int i = 0; i < count; i++)
        if (strips[i].left < strips[i].right && strips[i].top < box->bottom &&
            strips[i].bottom > box->top) {
            box->left = satk_clipped(box->left, strips[i].left, strips[i].right);
            box->right = satk_clipped(box->right, strips[i].left, strips[i].right);
        }
}

/* Cuts a form of the upright picture. */
static void cut_form(const satk_form *form, const satb_pupil *p, const satb_aperture *a,
                     satk_form_box *to)
{
    const int swapped = a->shape.orientation >= 5;
    const double wide = swapped ? a->high : a->wide, high = swapped ? a->wide : a->high;
    int strips = 0;

    while (strips < form->count && form->box[strips].weight == form->box[0].weight)
        strips++;
    for (int i = 0; i < form->count; i++) {
        const int lies_across = i >= strips && form->box[i].weight < 0;
        to[i] = cut_box(&form->box[i], lies_across, p, wide, high);
        if (lies_across)
            keep_inside(&to[i], to, strips);
    }
}

/* --- All of a picture ------------------------------------------------------------------------- */

/* CELLS_SHIFT: of patches of cells, which are as large as the largest of pixels. */
enum { LEAST_SHIFT = 4, MOST_SHIFT = 6, CELLS_SHIFT = 4, ONE_PATCH = 30 };

/* Returns the disc that cuts at a place, in pixels from the centre of the upright picture. At most so much of the rim's radius
 * is cut off that the centre stays. half: of the diagonal. sign: 1 or -1, by the side of the focus and for windows or
 * lights. */
static satb_pupil pupil_at(const satb_aperture *a, double half, double across, double down,
                           int sign)
{
    const double away = sqrt(across * across + down * down);
    const double shift = fmin(a->shape.vignette * away / half, 0.95) * a->rim * sign;

    if (away == 0)
        return (satb_pupil){0, 0, a->rim};
    return (satb_pupil){shift * across / away, shift * down / away, a->rim};
}

/* The patches of a job, and their forms in the upright picture. */
typedef struct upright_forms {
    const satb_aperture *aperture;
    const satk_form *sides;
    const satk_form_patches *patches;
    int cell;    /* pixels of a square's side */
    double half; /* of the picture's diagonal */
} upright_forms;

/* Returns the middle of a patch of an axis, in squares from the axis' middle. */
static double place_of(int patch, int length, int shift, int patches)
{
    const double first = ldexp(0.5, shift) - length / 2.0; /* of patch 0 */

    if (patch < patches / 2)
        return first + ldexp(patch, shift);
    return patch >= (patches + 1) / 2 ? -(first + ldexp(patches - 1 - patch, shift)) : 0;
}

satb_pupil satb_pupil_of_patch(const satb_aperture *a, const satk_form_patches *p, int column,
                               int row, int cell, double half, int sign)
{
    const int orientation = a->shape.orientation, swapped = orientation >= 5;
    const double from_middle[] = {cell * place_of(column, p->width, p->shift, p->across),
                                  cell * place_of(row, p->height, p->shift, p->down)};
    const double across = from_middle[swapped] * (orientation & 2 ? -1 : 1);
    const double down = from_middle[!swapped] * ((orientation - 1) & 2 ? -1 : 1);

    return pupil_at(a, half, across, down, sign);
}

/* Finds the form of a patch in the stored picture. The window of a light behind the focus is cut on the side towards the
 * centre. */
static void make_form(const upright_forms *u, int side, int x, int y, satk_form_box *to)
{
    const satb_aperture *const a = u->aperture;
    const satk_form *const form = &u->sides[side];
    const satb_pupil p =
        satb_pupil_of_patch(a, u->patches, x, y, u->cell, u->half, side == SATB_BEHIND ? 1 : -1);

    if (a->shape.vignette > 0)
        cut_form(form, &p, a, to);
    else
        memcpy(to, form->box, (size_t)form->count * sizeof *to);
    satb_turn_boxes(to, form->count, a->shape.orientation);
}

/* Finds the forms of all patches. Returns what is behind them. */
static satk_form_box *fill(const upright_forms *u, satk_form_box *to)
{
    for (int side = SATB_BEHIND; side <= SATB_BEFORE; side++)
        for (int y = 0; y < u->patches->down; y++)
            for (int x = 0; x < u->patches->across; x++, to += u->sides[side].count)
                make_form(u, side, x, y, to);
    return to;
}

static size_t boxes_of(const satk_form_patches *p, int count)
{
    return SATB_SIDES * (size_t)p->across * (size_t)p->down * (size_t)count;
}

/* Finds all forms. */
static void fill_forms(const satb_aperture *a, double half, const satb_forms *f)
{
    const upright_forms pixels = {a, a->upright_windows, &f->windows.pixels, 1, half};
    const upright_forms cells = {a, a->upright_windows, &f->windows.cells, SATK_CELL, half};

    fill(&cells, fill(&pixels, f->box));
}

satb_status satb_make_forms(satb_context *context, const satb_aperture *aperture, int width,
                            int height, satb_forms *forms)
{
    const satk_form *const windows = aperture->windows;
    const int is_cut = aperture->shape.vignette > 0;
    const double diagonal = sqrt((double)width * width + (double)height * height);
    const int by_size = (int)floor(satb_log2(diagonal / 128));
    const int least = by_size < LEAST_SHIFT ? LEAST_SHIFT : by_size;
    const int shift = least < MOST_SHIFT ? least : MOST_SHIFT;

    *forms = (satb_forms){
        .windows = {.whole = {windows[SATB_BEHIND].box, windows[SATB_BEFORE].box},
                    .count = windows[SATB_BEHIND].count,
                    .pixels = satk_make_patches(width, height, is_cut ? shift : ONE_PATCH),
                    .cells = satk_make_patches(satk_squares_of_axis(width, SATK_CELL),
                                               satk_squares_of_axis(height, SATK_CELL),
                                               is_cut ? CELLS_SHIFT : ONE_PATCH)}};
    forms->bytes = (boxes_of(&forms->windows.pixels, forms->windows.count) +
                    boxes_of(&forms->windows.cells, forms->windows.count)) *
                   sizeof *forms->box;
    if (forms->bytes == 0)
        return SATB_OK;
    forms->box = malloc(forms->bytes);
    if (!forms->box)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    fill_forms(aperture, diagonal / 2, forms);
    return SATB_OK;
}

void satb_forms_at(satb_forms *forms, const void *memory)
{
    satk_forms *const f = &forms->windows;

    f->pixels.box = memory;
    f->cells.box = f->pixels.box + boxes_of(&f->pixels, f->count);
}

void satb_free_forms(satb_forms *forms)
{
    free(forms->box);
    forms->box = NULL;
}
