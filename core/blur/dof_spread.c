#include "blur/dof_spread.h"

#include "base/size.h"
#include "blur/tone.h"

#include <stdlib.h>

/* --- Numbers ---------------------------------------------------------------------------------- */

/* The smallest weight that a pixel of the widest window may get. Rounding changes it by less than 1 %. */
#define LEAST_WEIGHT 64

/* The sum that a pixel gets must fit 64 bits. From a source of light 1 whose distance is d, the larger of those along the
 * axes, it gets at most 1 / (2 r + 1)^2 with r >= d, so at most 1 / (2 d + 1)^2. From a source's ring it gets at most
 * f / (2 d - 1 + 2 f)^2, which is 1 / 8 for d = 1, and otherwise largest for f = 1. So the bound is 1 / (4 d^2). There are
 * 8 d pixels at distance d, which give 2 / d together. Distances from 2^k to 2^(k + 1) give 2 at most, so all distances
 * below 2^m give 2 m. The pixel gives 1 to itself. Rounding adds 1 / 2 for each source at most, which LEAST_WEIGHT keeps
 * below 1 in all. */
int satb_light_bits(int farthest, uint64_t largest_sample)
{
    uint64_t shares = 2;
    int bits = 0;

    for (int d = farthest; d > 0; d /= 2)
        shares += 2;
    while ((satk_u128)shares * largest_sample << (bits + 1) <= UINT64_MAX)
        bits++;
    return bits;
}

/* Returns 2^bits * weight / area, rounded half up. */
static uint64_t share(int bits, uint64_t weight, satk_u128 area)
{
    return (uint64_t)((((satk_u128)weight << bits) + area / 2) / area);
}

satk_splat satb_make_splat(uint32_t radius, int bits)
{
    const uint64_t f = radius % SATK_ONE;
    const satk_u128 side = 2 * (satk_u128)radius + SATK_ONE; /* in 1 / SATK_ONE, like f */
    const uint64_t one = SATK_ONE;

    return (satk_splat){.inner = share(bits, one * one, side * side),
                        .side = share(bits, one * f, side * side),
                        .corner = share(bits, f * f, side * side),
                        .reach = (int)(radius / SATK_ONE),
                        .ring = f != 0};
}

/* --- Run -------------------------------------------------------------------------------------- */

typedef struct spreading {
    const satb_dof_blur *spread;
    satk_splat *splats;
    satk_spread job;
} spreading;

static size_t splat_bytes(const satb_dof_blur *s)
{
    return sizeof(satk_splat) << s->map->bits;
}

/* Limits the radius of a code to the longer side, with which a window covers the whole picture. */
static uint32_t useful_radius(const satb_dof_blur *s, uint32_t code)
{
    const uint64_t limit = (uint64_t)satb_longer_side(s->src) * SATK_ONE;

    const uint32_t radius = satb_radius_size(s, code);

    return radius < limit ? radius : (uint32_t)limit;
}

/* Makes the splats of the codes that occur. Many codes in turn have the same one: quotients of 128 bits are slow. */
static void fill_splats(const satb_dof_blur *s, int bits, satk_splat *splats)
{
    const uint32_t codes = 1u << s->map->bits;
    satk_splat splat = satb_make_splat(0, bits);
    uint32_t before = 0;

    for (uint32_t i = satb_next_code(s->codes, 0, codes); i < codes;
         i = satb_next_code(s->codes, i + 1, codes)) {
        const uint32_t radius = useful_radius(s, i);
        if (radius != before)
            splat = satb_make_splat(radius, bits);
        before = radius;
        splats[i] = splat;
    }
}

static satb_status make_splats(satb_context *context, spreading *r)
{
    const satb_dof_blur *const s = r->spread;
    const uint32_t codes = 1u << s->map->bits;
    const uint32_t first = useful_radius(s, satb_next_code(s->codes, 0, codes));
    const uint32_t last = useful_radius(s, satb_last_code(s->codes, codes));
    const uint32_t largest = first > last ? first : last; /* as radii rise away from the focus */

    r->job.farthest = (int)((largest + SATK_ONE - 1) / SATK_ONE);
    const int bits = satb_light_bits(r->job.farthest,
                                     satb_largest_sample(s->src, s->gamma, r->job.tone.weighted));
    if (satb_make_splat(largest, bits).inner < LEAST_WEIGHT)
        return satb_fail(context, SATB_ERR_LIMIT,
                         "radii of up to %.0f pixels are too large for %s%s; use a "
                         "smaller radius, or the gather method",
                         (double)largest / SATK_ONE, satb_sample_words(s->src),
                         r->job.tone.weighted ? " with alpha" : "");
    fill_splats(s, bits, r->splats);
    return SATB_OK;
}

static void add_need(satb_context *context, const void *job, int rows, satb_need *need)
{
    const spreading *const r = job;
    satk_spread spread = r->job;

    satb_add_dof_need(r->spread, &spread.tone, splat_bytes(r->spread), rows, need);
    spread.src.height = rows;
    context->backend->add_spread_need(context, &spread, need);
}

static satb_status upload_tables(satb_context *context, void *job)
{
    spreading *const r = job;
    const void *splats = r->splats;
    const satb_status status =
        satb_upload_dof_tables(context, r->spread, &r->job.tone, splat_bytes(r->spread), &splats);

    r->job.splat = splats;
    return status;
}

static satb_status run_band(satb_context *context, void *job, const satb_band_planes *planes)
{
    satk_spread spread = ((const spreading *)job)->job;

    spread.src = planes->src;
    spread.map = planes->map;
    spread.dst = planes->dst;
    return context->backend->spread(context, &spread);
}

static satb_status run_bands(satb_context *context, spreading *r)
{
    const satb_bands bands = {.reach = r->job.farthest};
    const satb_banded work = {
        .job = r, .add_need = add_need, .upload_tables = upload_tables, .run = run_band};

    return satb_run_dof_bands(context, r->spread, bands, work);
}

satb_status satb_dof_spread_run(satb_context *context, const satb_dof_blur *spread)
{
    spreading r = {.spread = spread,
                   .splats = calloc(1, splat_bytes(spread)),
                   .job = {.src = satb_plane_of(spread->src)}};

    satb_status status = r.splats ? context->backend->begin(context, SATB_STAGE_UPLOAD)
                                  : satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    if (status == SATB_OK)
        status = satb_make_tone(context, spread->src, spread->gamma, &r.job.tone);
    if (status == SATB_OK)
        status = make_splats(context, &r);
    status = status == SATB_OK ? run_bands(context, &r) : satb_settled(context, status);
    free(r.splats);
    return status;
}
