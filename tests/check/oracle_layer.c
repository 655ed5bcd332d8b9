#include "check/oracle.h"

#include <math.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 u128;

/* Sums over one window: of membership, of the part that is not hidden, of membership times
 * samples. */
typedef struct sums {
    u128 in, seen, samples[4], area;
} sums;

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

/* Returns the coverage of a pixel in sixteenths. */
static int cover_of(const oracle_layer *layer, int x, int y)
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

/* Returns 1 if a pixel is right of a side, or below it. */
static int is_beyond(int at, int64_t radius, int64_t side)
{
    const int64_t pixel = (int64_t)at * 256 * 65536, end = radius * side;

    return side > 0 ? pixel > end : pixel >= end;
}

int oracle_in_form_box(const oracle_form_box *box, int64_t radius, int dx, int dy)
{
    return is_beyond(dx, radius, box->left) && !is_beyond(dx, radius, box->right) &&
           is_beyond(dy, radius, box->top) && !is_beyond(dy, radius, box->bottom);
}

uint64_t oracle_form_box_area(const oracle_form_box *box, int64_t radius)
{
    uint64_t across = 0, down = 0;

    for (int i = (int)(-2 * radius / 256) - 1; i <= 2 * radius / 256 + 1; i++) {
        across += is_beyond(i, radius, box->left) && !is_beyond(i, radius, box->right);
        down += is_beyond(i, radius, box->top) && !is_beyond(i, radius, box->bottom);
    }
    return across * down;
}

static size_t count_patches(int64_t n, int64_t side)
{
    return (size_t)(n / (2 * side) * 2 + (n % (2 * side) != 0));
}

/* Returns the patch that square `at` of an axis of n lies in: patches are taken off at both ends until few squares are left. */
static size_t patch_at(int at, int n, int64_t side)
{
    size_t taken = 0;

    for (int64_t begin = 0, end = n; end - begin >= 2 * side; begin += side, end -= side, taken++)
        if (at < begin + side)
            return taken;
        else if (at >= end - side)
            return count_patches(n, side) - 1 - taken;
    return taken;
}

const oracle_form_box *oracle_form_at(const oracle_forms *forms, int before, int x, int y)
{
    const size_t across = count_patches(forms->width, forms->side);
    const size_t down = count_patches(forms->height, forms->side);
    const size_t column = patch_at(x, forms->width, forms->side);
    const size_t row = patch_at(y, forms->height, forms->side);

    return forms->boxes + (((size_t)before * down + row) * across + column) * (size_t)forms->count;
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

static void add_pixel(const oracle_layer *layer, int slab, int x, int y, u128 times, sums *s)
{
    const int position = layer->position[oracle_code(&layer->map, x, y, 0)];
    const int a = cover_of(layer, x, y);
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

/* Returns the place of a pixel's centre, in half pixels from the beginning of a whole first cell;
 * centres of whole cells are 8 apart. */
static int centre_of(int pixel, int n)
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
    return side == 1 ? pixel : centre_of(pixel, n) / 8;
}

int oracle_cell_of(int pixel, int n)
{
    return square_of(pixel, n, 4);
}

int oracle_patches(int n, int shift)
{
    return (int)count_patches(n, (int64_t)1 << shift);
}

int oracle_patch_at(int at, int n, int shift)
{
    return (int)patch_at(at, n, (int64_t)1 << shift);
}

static int first_pixel(int at, int far, int side)
{
    return at - far > 1 ? (at - far - 1) * side : 0;
}

/* Sums around a pixel or, cell by cell, around the cell x, y. */
static sums over_stack(const oracle_layer *layer, int slab, const oracle_stack *stack, int x, int y)
{
    const int side = layer->slabs[slab].coarse ? 4 : 1;
    const int far = farthest(layer, stack);
    const oracle_form_box *const form = form_around(layer, &layer->slabs[slab], x, y);
    sums s = {0};

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

static u128 divided(u128 a, u128 b)
{
    return (2 * a + b) / (2 * b); /* half up */
}

/* Finds the codes of the light. *codes holds the source's and keeps those without a mean. */
static void put_light(const oracle_layer *layer, const u128 *result, u128 came, oracle_codes *codes)
{
    const int channels = layer->src.channels, alpha = channels % 2 == 0 ? channels - 1 : -1;
    const u128 weight = layer->look.weighted && alpha >= 0 ? result[alpha] : 256 * came;
    const u128 most = oracle_sample_max(layer->src.bits, &layer->look);

    for (int c = 0; c < channels && came != 0; c++) {
        const u128 by = c == alpha ? 256 * came : weight;
        const u128 mean = by ? divided(result[c], by) : 0;
        if (by)
            codes->c[c] = oracle_code_of(&layer->look, layer->src.bits, c == alpha,
                                         (uint32_t)(mean < most ? mean : most), codes->c[c]);
    }
}

/* The light that slabs have given, and the rest that they have left. */
typedef struct light {
    u128 result[4], left;
    u128 earlier; /* what was left before slab `last` */
    u128 moment;  /* of the shares, about the pixel */
    int last;     /* the slab that was laid last, or 0 */
} light;

static void lay(light *l, int channels, u128 wanted, const u128 *means)
{
    const u128 share = wanted < l->left ? wanted : l->left;

    for (int c = 0; c < channels; c++)
        l->result[c] += share * means[c];
    l->left -= share;
}

/* --- How far a pixel looks -------------------------------------------------------------------- */

static int largest_number(const oracle_stack *s)
{
    const int numbers[] = {s->middle, s->outer, s->rows};
    int largest = 0;

    for (int i = 0; i < 3; i++)
        largest = numbers[i] > largest ? numbers[i] : largest;
    return largest;
}

/* Returns a number of pixels in the units of moments, in which apertures are below 256, squared. */
static u128 squared(const oracle_layer *layer, int64_t pixels)
{
    int64_t unit = 1;

    for (int k = 0; k < layer->count; k++) {
        const oracle_slab *const s = &layer->slabs[k];
        const int64_t radius = (int64_t)largest_number(&s->window[0]) * (s->coarse ? 4 : 1);
        while (s->used && radius / unit >= 256)
            unit *= 2;
    }
    return (u128)(pixels / unit) * (u128)(pixels / unit);
}

/* Returns 1 if a pixel shows something of a slab or of farther ones. */
static int shows(const oracle_layer *layer, int slab, int x, int y)
{
    return layer->position[oracle_code(&layer->map, x, y, 0)] < 16 * slab + 16 ||
           cover_of(layer, x, y) < 16;
}

static int is_any_shown(const oracle_layer *layer, int slab, int x, int y, int far)
{
    for (int j = y - far > 0 ? y - far : 0; j < layer->src.height && j <= y + far; j++)
        for (int i = x - far > 0 ? x - far : 0; i < layer->src.width && i <= x + far; i++)
            if (shows(layer, slab, i, j))
                return 1;
    return 0;
}

/* Returns how far a pixel looks for light behind what has been laid: a power of two, or the end of all windows. */
static int far_enough(const oracle_layer *layer, u128 moment)
{
    int farthest_of_all = 0, far = 0;

    for (int k = 0; k < layer->count; k++)
        for (int i = 0; i < layer->slabs[k].windows; i++) {
            const int reach = largest_number(&layer->slabs[k].window[i]);
            if (layer->slabs[k].used && !layer->slabs[k].coarse && reach > farthest_of_all)
                farthest_of_all = reach;
        }
    while (far < farthest_of_all && 13 * moment > 10 * 65536 * squared(layer, far))
        far = far ? 2 * far : 1;
    return far < farthest_of_all ? far : farthest_of_all;
}

/* Returns 1 if what was laid is so blurred that it may hide something as far as the window before reaches. */
static int may_need(const oracle_layer *layer, const oracle_slab *slab, int window, const light *l)
{
    const int hidden = window > 0 ? largest_number(&slab->window[window - 1]) - layer->soft : 0;

    return window == 0 || slab->coarse || hidden < 0 ||
           65536 * squared(layer, hidden) < 2 * l->moment;
}

/* Returns the light for a slab: that before its nearer neighbour, which hides no pixel that is in both. */
static u128 light_for(const light *l, int slab)
{
    return l->last == slab + 1 ? l->earlier : l->left;
}

/* Lays a slab's windows: each that sees less than a sixteenth lays the part that it sees, in sixteenths of its area, and
 * leaves the rest to the next one. */
static void lay_windows(const oracle_layer *layer, int slab, int x, int y, light *l)
{
    const oracle_slab *const shape = &layer->slabs[slab];
    u128 rest = light_for(l, slab), means[4];

    l->earlier = l->left;
    l->last = slab;
    for (int i = 0; i < shape->windows && may_need(layer, shape, i, l); i++) {
        const sums s = over_stack(layer, slab, &shape->window[i], x, y);
        const int is_last = i == shape->windows - 1 || s.seen >= s.area;
        const u128 by = is_last ? s.seen : s.area;
        for (int c = 0; c < layer->src.channels && s.in > 0; c++)
            means[c] = divided(256 * s.samples[c], s.in);
        if (s.in > 0)
            lay(l, layer->src.channels, divided(rest * s.in, by), means);
        if (is_last)
            return;
        rest -= divided(rest * s.seen, by);
    }
}

/* Returns 1 if a slab is too far for a pixel that has light of nearer ones. A picture of cells alone has none. */
static int is_too_far(const oracle_layer *layer, int slab, int x, int y, const light *l)
{
    int fine = 0;

    for (int k = 0; k < layer->count; k++)
        fine += layer->slabs[k].used && !layer->slabs[k].coarse;
    return fine > 0 && l->left < 65536 &&
           !is_any_shown(layer, slab, x, y, far_enough(layer, l->moment));
}

static void lay_slab(const oracle_layer *layer, int slab, int x, int y, light *l)
{
    const oracle_slab *const shape = &layer->slabs[slab];

    if (!shape->coarse && is_too_far(layer, slab, x, y, l))
        return;
    lay_windows(layer, slab, x, y, l);
    if (!shape->coarse)
        l->moment += (l->earlier - l->left) * squared(layer, largest_number(&shape->window[0]));
}

/* Lays the slabs from `first` on below `last` that are coarse, or not, the nearest first, around a
 * pixel or a cell. */
static void lay_slabs(const oracle_layer *layer, int first, int last, int coarse, int x, int y,
                      light *l)
{
    for (int k = last - 1; k >= first; k--)
        if (layer->slabs[k].used && layer->slabs[k].coarse == coarse)
            lay_slab(layer, k, x, y, l);
}

/* Returns the weight of a cell for a pixel with its centre there, in 1/8 along an axis. It falls by
 * a quarter for each pixel between their centres; cells beyond the picture are those at its end. */
static int weight_of(int cell, int centre)
{
    const int away = abs(centre - (8 * cell + 4)); /* half pixels */

    return away < 8 ? 8 - away : 0;
}

static int at_most(int n, int most)
{
    return n < 0 ? 0 : n > most ? most : n;
}

/* Returns the square of the widest aperture of some coarse slabs. */
static u128 most_squared(const oracle_layer *layer, int first, int last)
{
    u128 most = 0;

    for (int k = first; k < last; k++) {
        const oracle_slab *const slab = &layer->slabs[k];
        const u128 square = squared(layer, 4 * (int64_t)largest_number(&slab->window[0]));
        most = slab->used && square > most ? square : most;
    }
    return most;
}

/* Lays all coarse slabs first <= k < last as one, from the cells around the pixel. */
static void lay_group(const oracle_layer *layer, int first, int last, int x, int y, light *l)
{
    const int right = oracle_cells(layer->src.width) - 1;
    const int bottom = oracle_cells(layer->src.height) - 1;
    const int at_x = centre_of(x, layer->src.width), at_y = centre_of(y, layer->src.height);
    const int before = last == layer->count, next = before ? first : last - 1;
    const u128 rest = light_for(l, next);
    u128 seen = 0, earlier = 0, sum[4] = {0}, means[4] = {0};

    for (int j = at_y / 8 - 1; j <= at_y / 8 + 1; j++)
        for (int i = at_x / 8 - 1; i <= at_x / 8 + 1; i++) {
            const u128 weight = (u128)(weight_of(i, at_x) * weight_of(j, at_y));
            light cell = {.left = 65536};
            if (weight == 0)
                continue;
            lay_slabs(layer, first, last, 1, at_most(i, right), at_most(j, bottom), &cell);
            seen += weight * (65536 - cell.left);
            earlier += weight * (65536 - (cell.last == next ? cell.earlier : cell.left));
            for (int c = 0; c < layer->src.channels; c++)
                sum[c] += weight * divided(cell.result[c], 16);
        }
    if (!before && is_too_far(layer, next, x, y, l))
        return;
    for (int c = 0; c < layer->src.channels; c++)
        means[c] = seen ? 16 * divided(sum[c], seen) : 0;
    const u128 left = l->left;
    lay(l, layer->src.channels, divided(rest * seen, 64 * 65536), means);
    l->moment += (left - l->left) * most_squared(layer, first, last);
    if (before && seen) {
        l->earlier = 65536 - divided(earlier, 64);
        l->last = next;
    }
}

static int is_fine(const oracle_slab *slab)
{
    return slab->used && !slab->coarse;
}

static int count_used(const oracle_layer *layer, int first, int last)
{
    int count = 0;

    for (int k = first; k < last; k++)
        count += layer->slabs[k].used;
    return count;
}

/* Lays the slabs that are not coarse. */
static void lay_fine_slabs(const oracle_layer *layer, int x, int y, light *l, uint8_t *left)
{
    for (int k = layer->count - 1; k >= 0; k--) {
        for (int i = 0; i < layer->marks; i++)
            if (layer->mark[i] == k)
                left[i] = is_too_far(layer, k, x, y, l) ? 0 : (uint8_t)divided(255 * l->left, 65536);
        lay_slabs(layer, k, k + 1, 0, x, y, l);
    }
}

static void lay_pixel(const oracle_layer *layer, int x, int y, oracle_codes *codes, uint8_t *left)
{
    light l = {.left = 65536};
    int behind = 0, before = layer->count;

    while (behind < layer->count && !is_fine(&layer->slabs[behind]))
        behind++;
    while (before > behind && !is_fine(&layer->slabs[before - 1]))
        before--;
    if (count_used(layer, before, layer->count))
        lay_group(layer, before, layer->count, x, y, &l);
    lay_fine_slabs(layer, x, y, &l, left);
    if (count_used(layer, 0, behind))
        lay_group(layer, 0, behind, x, y, &l);
    for (int c = 0; c < layer->src.channels; c++)
        codes->c[c] = oracle_code(&layer->src, x, y, c);
    put_light(layer, l.result, 65536 - l.left, codes);
}

void oracle_layers(const oracle_layer *layer, const oracle_pixel *pixels, size_t count,
                   oracle_codes *codes, uint8_t (*left)[ORACLE_MARKS])
{
#pragma omp parallel for schedule(dynamic, 16) if (count > 64)
    for (size_t i = 0; i < count; i++)
        lay_pixel(layer, pixels[i].x, pixels[i].y, &codes[i], left[i]);
}
