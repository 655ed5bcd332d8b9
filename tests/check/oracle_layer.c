#include "check/oracle_window.h"

#include <stdlib.h>

static u128 divided(u128 a, u128 b)
{
    return (2 * a + b) / (2 * b); /* half up */
}

/* Returns the code of light / by: the upper of two codes where the light is above threshold / 128 of the way between
 * theirs. The light counts in 1/256. */
static uint32_t dithered(const oracle_look *look, uint32_t threshold, u128 light, u128 by)
{
    const u128 mean = divided(256 * light, by);
    uint32_t code = 0;

    while (code < 255 && 256 * (u128)oracle_sample(look, 8, 0, code + 1) <= mean)
        code++;
    if (code == 255)
        return code;
    const u128 low = 256 * (u128)oracle_sample(look, 8, 0, code);
    const u128 high = 256 * (u128)oracle_sample(look, 8, 0, code + 1);
    return code + (128 * (mean - low) > threshold * (high - low));
}

/* Finds the codes of the light at a pixel. *codes holds the source's and keeps those without a mean. */
static void put_light(const oracle_layer *layer, int x, int y, const u128 *result, u128 came,
                      oracle_codes *codes)
{
    const int channels = layer->src.channels, alpha = channels % 2 == 0 ? channels - 1 : -1;
    const u128 weight = layer->look.weighted && alpha >= 0 ? result[alpha] : 256 * came;
    const u128 most = oracle_sample_max(layer->src.bits, &layer->look);

    for (int c = 0; c < channels && came != 0; c++) {
        const u128 by = c == alpha ? 256 * came : weight;
        const u128 mean = by ? divided(result[c], by) : 0;
        if (by && layer->thresholds && c != alpha)
            codes->c[c] = dithered(&layer->look, layer->thresholds[y % 8][x % 8], result[c], by);
        else if (by)
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
           oracle_cover_of(layer, x, y) < 16;
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
        const oracle_sums s = oracle_over_stack(layer, slab, &shape->window[i], x, y);
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
    const int at_x = oracle_centre_of(x, layer->src.width),
              at_y = oracle_centre_of(y, layer->src.height);
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
                left[i] =
                    is_too_far(layer, k, x, y, l) ? 0 : (uint8_t)divided(255 * l->left, 65536);
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
    put_light(layer, x, y, l.result, 65536 - l.left, codes);
}

void oracle_layers(const oracle_layer *layer, const oracle_pixel *pixels, size_t count,
                   oracle_codes *codes, uint8_t (*left)[ORACLE_MARKS])
{
#pragma omp parallel for schedule(dynamic, 16) if (count > 64)
    for (size_t i = 0; i < count; i++)
        lay_pixel(layer, pixels[i].x, pixels[i].y, &codes[i], left[i]);
}
