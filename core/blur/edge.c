#include "blur/edge.h"

#include "blur/side.h"

#include <math.h>

/* Sums over a form: its area, and that times the squared distance from the centre. */
typedef struct moments {
    double area, square;
} moments;

static moments moments_of(const satk_form *form, double wide, double high)
{
    moments m = {0, 0};

    for (int i = 0; i < form->count; i++) {
        const double left = satb_out_of_form(form->box[i].left) / wide;
        const double right = satb_out_of_form(form->box[i].right) / wide;
        const double top = satb_out_of_form(form->box[i].top) / high;
        const double bottom = satb_out_of_form(form->box[i].bottom) / high;
        m.area += (right - left) * (bottom - top);
        m.square += (satb_cube(right) - satb_cube(left)) / 3 * (bottom - top) +
                    (satb_cube(bottom) - satb_cube(top)) / 3 * (right - left);
    }
    return m;
}

static satk_form_box centred(double across, double down, int weight)
{
    const int x = satb_in_form(across);
    const int y = satb_in_form(down);

    return (satk_form_box){-x, x, -y, y, weight};
}

/* Returns 1 if the strips hold all of a box. */
static int holds(const satk_form *strips, const satk_form_box *box)
{
    int64_t area = 0;

    for (int i = 0; i < strips->count; i++) {
        const satk_form_box *const s = &strips->box[i];
        const int across = satk_smaller(s->right, box->right) - satk_larger(s->left, box->left);
        const int down = satk_smaller(s->bottom, box->bottom) - satk_larger(s->top, box->top);
        if (across > 0 && down > 0)
            area += (int64_t)across * down;
    }
    return area == (int64_t)(box->right - box->left) * (box->bottom - box->top);
}

/* The weights of the strips and of each of the two boxes, by falling quotient. Boxes that are taken away leave something
 * in the middle. */
static const struct weights {
    int strips, boxes;
} WEIGHTS[] = {{4, 1}, {3, 1}, {5, 2}, {2, 1}, {3, 2}, {1, 1}, {1, 2}};

enum { FOR_DARK = 3, FOR_BRIGHT = sizeof WEIGHTS / sizeof *WEIGHTS };

/* The two boxes have sides a and part a, so 8 part a^2 of area and 8 part a^4 (1 + part^2) / 3 of squares. Their size gives the
 * form the mean square m of the brightness, (1 + edge / 3) of the strips' own:
 *     boxes * 8 part a^2 (m - a^2 (1 + part^2) / 3) = strips * |edge| / 3 * squares of the strips
 * The left side is largest at a^2 = 3 m / (2 (1 + part^2)). */
void satb_edge_windows(double edge, int is_square, double wide, double high, satk_form *form)
{
    const double part = is_square ? 1 : 0.6, round = (1 + part * part) / 3;
    const moments own = moments_of(form, wide, high);
    const int kinds = edge > 0 ? FOR_DARK : FOR_BRIGHT;
    int kind = 0;

    if (edge == 0 || form->count == 0)
        return;
    const double mean = own.square / own.area * (1 + edge / 3);
    const double wanted = fabs(edge) / 3 * own.square / (8 * part);
    const double most = mean * mean / (4 * round);
    while (kind + 1 < kinds && WEIGHTS[kind].strips * wanted > most * WEIGHTS[kind].boxes)
        kind++;
    const struct weights w = WEIGHTS[kind];
    const double rest = fmax(0, mean * mean - 4 * round * wanted * w.strips / w.boxes);
    double a = sqrt((mean - sqrt(rest)) / (2 * round));
    satk_form_box box[2];

    do {
        box[0] = centred(a * wide, part * a * high, edge > 0 ? -w.boxes : w.boxes);
        box[1] = centred(part * a * wide, a * high, edge > 0 ? -w.boxes : w.boxes);
        a *= 0.98;
    } while (!holds(form, &box[0]) || !holds(form, &box[1]));
    for (int i = 0; i < form->count; i++)
        form->box[i].weight = w.strips;
    form->box[form->count++] = box[0];
    form->box[form->count++] = box[1];
}
