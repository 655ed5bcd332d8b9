#include "surface/surface_cpu.h"

#include "common/pool.h"

#include <string.h>

static void *row_of(const satk_plane *map, int y)
{
    return (uint8_t *)map->data + y * map->pitch;
}

/* What has been found of pixels: counts as in satk_surface. */
typedef struct tally {
    uint64_t snapped, rims, low, high;
} tally;

static void note_rim(const satk_rim *rim, tally *t)
{
    const uint64_t low = 65536u - rim->near, high = rim->near + 1u;

    if (rim->kind == SATK_RIM_NONE)
        return;
    t->rims++;
    if (rim->kind != SATK_RIM_EDGE)
        return;
    t->low = low > t->low ? low : t->low;
    t->high = high > t->high ? high : t->high;
}

/* --- Narrow ramps ----------------------------------------------------------------------------- */

static void put_code(const satk_plane *to, int x, int y, uint32_t code)
{
    satk_put_code(row_of(to, y), (size_t)x, to->bits, satk_code_in(to->bits, code));
}

static void cut_narrow_row(const void *of, int y)
{
    const satk_cutting *const c = of;
    const satk_map_level *const level = &c->level[0];

    for (size_t i = 0; i < level->ramp.words - 2; i++)
        for (uint64_t bits = satk_bit_row(&level->ramp, y)[i]; bits; bits &= bits - 1) {
            const int x = (int)i * 64 + __builtin_ctzll(bits);
            const uint32_t ends = satk_ends_at(&level->map, x, y);
            put_code(
                &c->out, x, y,
                satk_closer_end(satk_code16(&level->map, x, y), ends & UINT16_MAX, ends >> 16));
        }
}

void satk_cut_narrow(const satk_cutting *c)
{
    satk_for(c->threads, c->level[0].map.height, 16, cut_narrow_row, c);
    c->job->counts[SATK_SNAPPED] = c->job->counts[SATK_RAMPS];
}

/* --- The finest level of a sample ------------------------------------------------------------- */

/* Enters a level for the samples of level 0 in a sample of it. */
static void enter_sample(const satk_cutting *c, int l, int x, int y)
{
    const satk_plane *const map = &c->level[0].map, *const at = &c->level[l].map;
    const int left = satk_first_within(x, at->width, map->width);
    const int right = satk_first_within(x + 1, at->width, map->width);
    const int bottom = satk_first_within(y + 1, at->height, map->height);

    for (int j = satk_first_within(y, at->height, map->height); j < bottom; j++)
        memset(c->finest + (size_t)j * (size_t)map->width + left, l, (size_t)(right - left));
}

/* Enters a level for all samples of a row within one of its edges. */
static void enter_row(const void *of, int y)
{
    const satk_at_level *const at = of;
    const satk_bit_rows *const edge = &at->c->level[at->l].edge;
    uint64_t *const near = satk_own_work(at->c);

    satk_bits_around(edge, y, 1, near);
    for (size_t i = 0; i < edge->words - 2; i++)
        for (uint64_t bits = near[i]; bits; bits &= bits - 1)
            enter_sample(at->c, at->l, (int)i * 64 + __builtin_ctzll(bits), y);
}

static void find_finest(const satk_cutting *c)
{
    const satk_plane *const map = &c->level[0].map;

    memset(c->finest, SATK_NO_LEVEL, (size_t)map->width * (size_t)map->height);
    for (int l = c->levels - 1; l >= 0; l--)
        satk_for(c->threads, c->level[l].map.height, 16, enter_row, &(satk_at_level){c, l});
}

/* --- Wide ramps ------------------------------------------------------------------------------- */

/* Returns one of the ends, those `shift` up, interpolated between four samples. */
static uint32_t between(const uint32_t *above, const uint32_t *below, const satk_tap *x,
                        const satk_tap *y, int shift)
{
    const uint32_t a = satk_blend_row(above[x->a] >> shift & UINT16_MAX,
                                      above[x->b] >> shift & UINT16_MAX, x->weight);
    const uint32_t b = satk_blend_row(below[x->a] >> shift & UINT16_MAX,
                                      below[x->b] >> shift & UINT16_MAX, x->weight);

    return satk_blend_rows(a, b, y->weight);
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Returns the largest difference of codes between a pixel and those `across` away in its row and `down` in its column. */
static uint32_t rise_at(const satk_plane *map, int x, int y, int across, int down)
{
    const uint32_t code = satk_code16(map, x, y);
    const uint32_t codes[] = {satk_code16(map, satk_clamped(x - across, map->width), y),
                              satk_code16(map, satk_clamped(x + across, map->width), y),
                              satk_code16(map, x, satk_clamped(y - down, map->height)),
                              satk_code16(map, x, satk_clamped(y + down, map->height))};
    uint32_t most = 0;

    for (int i = 0; i < 4; i++) {
        const uint32_t rise = apart(codes[i], code);
        most = rise > most ? rise : most;
    }
    return most;
}

/* Returns the slope of a ramp. */
static uint32_t slope_at(const satk_plane *map, int x, int y)
{
    const int left = satk_clamped(x - 1, map->width), right = satk_clamped(x + 1, map->width);
    const int top = satk_clamped(y - 1, map->height), bottom = satk_clamped(y + 1, map->height);

    return apart(satk_code16(map, left, y), satk_code16(map, right, y)) +
           apart(satk_code16(map, x, top), satk_code16(map, x, bottom));
}

static void cut_pixel(const satk_cutting *c, int x, int y, satk_ramp *ramp, tally *t)
{
    const uint32_t code = satk_code16(&c->fine, x, y);
    const uint32_t end = satk_closer_end(code, ramp->low, ramp->high);
    const int bits = c->out.bits;

    if (!satk_is_cut(ramp, rise_at(&c->fine, x, y, (ramp->across + 1) / 2, (ramp->down + 1) / 2)))
        return;
    ramp->slope = satk_is_far_end(ramp, end, c->job->near_black) ? slope_at(&c->fine, x, y) : 0;
    const satk_rim rim = satk_rim_at(ramp, code, c->job->near_black, bits);
    satk_put_rim(&c->job->rims, (size_t)y * (size_t)c->out.width + (size_t)x, &rim);
    note_rim(&rim, t);
    if (satk_code_in(bits, code) == satk_code_in(bits, end))
        return;
    put_code(&c->out, x, y, end);
    t->snapped++;
}

/* Cuts the pixels in sample i, j of level 0, which is on a ramp of level l. */
static void cut_sample(const satk_cutting *c, int i, int j, int l, tally *t)
{
    const satk_plane *const map = &c->level[0].map, *const at = &c->level[l].map;
    const int left = satk_first_within(i, map->width, c->out.width);
    const int right = satk_first_within(i + 1, map->width, c->out.width);
    const int bottom = satk_first_within(j + 1, map->height, c->out.height);
    satk_ramp ramp = {.across = (c->out.width + at->width - 1) / at->width,
                      .down = (c->out.height + at->height - 1) / at->height};

    for (int y = satk_first_within(j, map->height, c->out.height); y < bottom; y++) {
        const satk_tap down = satk_tap_at(y, c->out.height, at->height);
        const uint32_t *const above = c->level[l].ends + (size_t)down.a * (size_t)at->width;
        const uint32_t *const below = c->level[l].ends + (size_t)down.b * (size_t)at->width;
        for (int x = left; x < right; x++) {
            const satk_tap *const across = &c->level[l].across[x];
            ramp.low = between(above, below, across, &down, 0);
            ramp.high = between(above, below, across, &down, 16);
            cut_pixel(c, x, y, &ramp, t);
        }
    }
}

typedef struct wide_cut {
    const satk_cutting *c;
    _Atomic uint64_t *rims, *low, *high;
} wide_cut;

static void keep_larger(_Atomic uint64_t *most, uint64_t value)
{
    for (uint64_t before = *most; before < value;)
        if (atomic_compare_exchange_weak(most, &before, value))
            return;
}

/* Returns the pixels that get another code. */
static uint64_t cut_wide_row(const void *of, int j)
{
    const wide_cut *const w = of;
    const int width = w->c->level[0].map.width;
    const uint8_t *const finest = w->c->finest + (size_t)j * (size_t)width;
    tally t = {0, 0, 0, 0};

    for (int i = 0; i < width; i++)
        if (finest[i] != SATK_NO_LEVEL)
            cut_sample(w->c, i, j, finest[i], &t);
    atomic_fetch_add(w->rims, t.rims);
    keep_larger(w->low, t.low);
    keep_larger(w->high, t.high);
    return t.snapped;
}

void satk_cut_wide(const satk_cutting *c)
{
    _Atomic uint64_t rims = 0, low = 0, high = 0;

    for (int l = 0; l < c->levels; l++)
        for (int x = 0; x < c->out.width; x++)
            c->level[l].across[x] = satk_tap_at(x, c->out.width, c->level[l].map.width);
    find_finest(c);
    c->job->counts[SATK_SNAPPED] = satk_sum(c->threads, c->level[0].map.height, 8, cut_wide_row,
                                            &(wide_cut){c, &rims, &low, &high});
    c->job->counts[SATK_RIMS] = rims;
    c->job->counts[SATK_NEAR_LOW] = low;
    c->job->counts[SATK_NEAR_HIGH] = high;
}

/* --- Masks ------------------------------------------------------------------------------------ */

/* Returns the rims of a row. */
static uint64_t cut_mask_row(const void *of, int y)
{
    const satk_surface *const job = of;
    const satk_plane *const to = &job->dst;
    const uint32_t white = (1u << to->bits) - 1;
    uint64_t rims = 0;

    for (int x = 0; x < to->width; x++) {
        const uint32_t code = satk_code(row_of(to, y), (size_t)x, to->bits);
        if (code == 0 || code == white)
            continue;
        const satk_rim rim = satk_mask_rim(code, job->near_black, to->bits);
        satk_put_rim(&job->rims, (size_t)y * (size_t)to->width + (size_t)x, &rim);
        satk_put_code(row_of(to, y), (size_t)x, to->bits, 2 * code >= white ? white : 0);
        rims++;
    }
    return rims;
}

void satk_cut_mask(const satk_surface *job, int threads)
{
    job->counts[SATK_RIMS] = satk_sum(threads, job->dst.height, 0, cut_mask_row, job);
    job->counts[SATK_SNAPPED] = job->counts[SATK_RIMS];
}
