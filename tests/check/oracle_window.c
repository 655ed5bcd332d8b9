#include "check/oracle_window.h"

#include <math.h>
#include <stdlib.h>

/* Returns m in the slab of a pixel that covers a sixteenths. */
static int in_slab(int position, int a, int slab)
{
    const int m = 16 - abs(position - 16 * slab);

    return m < 0 ? 0 : (2 * m * a + 16) / 32;
}

/* Returns 16 if a pixel does not lie wholly before the slab. */
static int not_before(int position, int slab)
{
    return position >= 16 * slab + 16 ? 0 : 16;
}

int oracle_cover_of(const oracle_layer *layer, int x, int y)
{
    const int c = layer->cover.data ? (int)oracle_code(&layer->cover, x, y, 0) : 255;

    return c < 24 ? 1 : (int)lround(16 * c / 255.0);
}

/* Returns whether the pixel dx, dy beside the centre belongs to the stack. */
static int in_stack(const oracle_stack *s, int dx, int dy)
{
    return abs(dy) <= s->middle_rows ? abs(dx) <= s->middle
                                     : abs(dy) <= s->rows && abs(dx) <= s->outer;
}

/* Returns the form around a pixel, or around a cell. */
static const oracle_form_box *form_around(const oracle_layer *layer, const oracle_slab *slab, int x,
                                          int y)
{
    if (layer->forms.count == 0)
        return NULL;
    return oracle_form_at(slab->coarse ? &layer->cell_forms : &layer->forms, slab->before, x, y);
}

static u128 weight_at(const oracle_layer *layer, const oracle_form_box *form, const oracle_stack *s,
                      int dx, int dy)
{
    int64_t weight = 0;

    for (int i = 0; i < layer->forms.count; i++)
        weight += form[i].weight * oracle_in_form_box(&form[i], s->middle_rows, dx, dy);
    return (u128)weight;
}

/* Returns the farthest that a window reaches. */
static int farthest(const oracle_layer *layer, const oracle_stack *s)
{
    const int wide = s->middle > s->outer ? s->middle : s->outer;
    const int high = s->middle_rows > s->rows ? s->middle_rows : s->rows;

    if (layer->forms.count > 0) /* sides are less than twice the radius */
        return 2 * s->middle_rows / 256 + 1;
    return wide > high ? wide : high;
}

static void add_pixel(const oracle_layer *layer, int slab, int x, int y, u128 times, oracle_sums *s)
{
    const int position = layer->position[oracle_code(&layer->map, x, y, 0)];
    const int a = oracle_cover_of(layer, x, y);
    const u128 m = (u128)in_slab(position, a, slab);
    uint64_t sample[4];

    oracle_samples(&layer->src, &layer->look, x, y, sample);
    s->area += times;
    s->in += times * m;
    s->seen += times * (u128)not_before(position, slab);
    for (int c = 0; c < layer->src.channels; c++)
        s->samples[c] += times * m * sample[c];
}

/* Finds the cells of 4 pixels of an axis of n. Those at both ends may lack pixels, as many each. If
 * n is odd, the cell in the middle has 3. */
int oracle_cells(int n)
{
    int cells = (n + n % 2 + 3) / 4;

    if (n % 2 && cells % 2 == 0)
        cells++;
    return cells;
}

int oracle_centre_of(int pixel, int n)
{
    const int cells = oracle_cells(n), lacking = (4 * cells - n % 2 - n) / 2;
    const int at = 2 * (pixel + lacking) + 1, from_middle = 2 * pixel + 1 - n;

    if (n % 2 == 0 || from_middle < -2)
        return at;
    return from_middle > 2 ? at + 2 : at + 1;
}

/* Returns the square of a pixel: the pixel itself, or its cell. */
static int square_of(int pixel, int n, int side)
{
    return side == 1 ? pixel : oracle_centre_of(pixel, n) / 8;
}

static int first_pixel(int at, int far, int side)
{
    return at - far > 1 ? (at - far - 1) * side : 0;
}

oracle_sums oracle_over_stack(const oracle_layer *layer, int slab, const oracle_stack *stack, int x,
                              int y)
{
    const int side = layer->slabs[slab].coarse ? 4 : 1;
    const int far = farthest(layer, stack);
    const oracle_form_box *const form = form_around(layer, &layer->slabs[slab], x, y);
    oracle_sums s = {0};

    const int w = layer->src.width, h = layer->src.height;

    for (int j = first_pixel(y, far, side); j < h && square_of(j, h, side) <= y + far; j++)
        for (int i = first_pixel(x, far, side); i < w && square_of(i, w, side) <= x + far; i++) {
            const int dx = square_of(i, w, side) - x, dy = square_of(j, h, side) - y;
            const u128 times =
                form ? weight_at(layer, form, stack, dx, dy) : (u128)in_stack(stack, dx, dy);
            if (times)
                add_pixel(layer, slab, i, j, times, &s);
        }
    return s;
}
