#include "blur/dof_spread.h"

#include "backend/bands.h"
#include "blur/tone.h"

#include <stdlib.h>

/* --- Numbers ---------------------------------------------------------------------------------- */

/* The smallest weight that a pixel of the widest window may get: rounded, it is off by less than 1 %. */
#define LEAST_WEIGHT 64

/* All that a pixel gets must fit 64 bits. Of a source whose light is 1, a pixel at distance d of it (the
 * larger of those along the axes) gets 1 / (2 r + 1)^2 at most, where r >= d: 1 / (2 d + 1)^2; from a
 * ring, f / (2 d - 1 + 2 f)^2 at most, which is 1 / 8 for d = 1 and else largest where f is 1. So it is
 * at most 1 / (4 d^2), and 8 d pixels are at that distance: all of them give 2 / d, and those up to a
 * distance below 2^m give 2 m, as those from 2^k to 2^(k + 1) give 2 at most. The pixel gives 1 to itself.
 * Rounding may add 1 / 2 for each source; with LEAST_WEIGHT that is less than 1 in all. */
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

/* light * weight / area, rounded half up. */
static uint64_t share(int bits, uint64_t weight, satk_u128 area)
{
    return (uint64_t)((((satk_u128)weight << bits) + area / 2) / area);
}

satk_splat satb_make_splat(uint32_t radius, int bits)
{
    const uint64_t f = radius % SATK_ONE;
    const satk_u128 side = 2 * (satk_u128)radius + SATK_ONE; /* in 1 / SATK_ONE, as f is */
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

/* Radii beyond the longer side cover the whole picture, and are made no larger. */
static uint32_t useful_radius(const satb_dof_blur *s, size_t code)
{
    const int longer = s->src->width > s->src->height ? s->src->width : s->src->height;
    const uint64_t limit = (uint64_t)longer * SATK_ONE;

    return s->radius[code] < limit ? s->radius[code] : (uint32_t)limit;
}

static satb_status make_splats(satb_context *context, spreading *r)
{
    const satb_dof_blur *const s = r->spread;
    const size_t codes = (size_t)1 << s->map->bits;
    uint32_t largest = 0;

    for (size_t i = 0; i < codes; i++)
        if (s->counts[i] && useful_radius(s, i) > largest)
            largest = useful_radius(s, i);
    r->job.farthest = (int)((largest + SATK_ONE - 1) / SATK_ONE);
    const int bits = satb_light_bits(
        r->job.farthest, satb_largest_sample(s->src->bits, s->gamma, r->job.tone.weighted));
    if (satb_make_splat(largest, bits).inner < LEAST_WEIGHT)
        return satb_fail(context, SATB_ERR_LIMIT,
                         "radii of up to %.0f pixels are too large for %d-bit samples%s; use a "
                         "smaller radius, or the gather method",
                         (double)largest / SATK_ONE, s->src->bits,
                         r->job.tone.weighted ? " with alpha" : "");
    for (size_t i = 0; i < codes; i++)
        r->splats[i] = satb_make_splat(useful_radius(s, i), bits);
    return SATB_OK;
}

static void add_need(satb_context *context, const void *job, int rows, satb_need *need)
{
    const spreading *const r = job;
    satk_spread spread = r->job;

    satb_add_plane(need, SATB_SLOT_SRC, r->spread->src, rows);
    satb_add_plane(need, SATB_SLOT_DST, r->spread->dst, rows);
    satb_add_plane(need, SATB_SLOT_MAP, r->spread->map, rows);
    satb_add_tone(&spread.tone, spread.src.bits, need);
    need->bytes[SATB_SLOT_RADII] += splat_bytes(r->spread);
    spread.src.height = rows;
    context->backend->add_spread_need(context, &spread, need);
}

static satb_status upload_tables(satb_context *context, void *job)
{
    spreading *const r = job;
    const void *splats = NULL;

    satb_status status = satb_upload_tone(context, r->spread->src->bits, &r->job.tone);
    if (status == SATB_OK)
        status = context->backend->upload_bytes(context, SATB_SLOT_RADII, r->splats,
                                                splat_bytes(r->spread), 0, &splats);
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
    const satb_dof_blur *const s = r->spread;
    satb_bands bands = {.height = s->src->height, .reach = r->job.farthest};

    return satb_run_in_bands(context, &bands,
                             &(satb_banded){.src = s->src,
                                            .map = s->map,
                                            .dst = s->dst,
                                            .stage = SATB_STAGE_BLUR,
                                            .job = r,
                                            .add_need = add_need,
                                            .upload_tables = upload_tables,
                                            .run = run_band});
}

satb_status satb_spread_run(satb_context *context, const satb_dof_blur *spread)
{
    spreading r = {.spread = spread,
                   .splats = malloc(splat_bytes(spread)),
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
