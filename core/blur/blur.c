#include "blur/blur.h"

#include "backend/bands.h"
#include "backend/image.h"
#include "base/size.h"
#include "blur/tone.h"

#include <string.h>

satb_status satb_blur_check(satb_context *context, const satb_image *src, const satb_image *dst,
                            const satb_look *look)
{
    satb_status status = satb_check_image(context, src, "source");

    if (status == SATB_OK)
        status = satb_check_output(context, src, dst);
    return status == SATB_OK ? satb_check_look(context, src, look) : status;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

typedef struct numbers {
    uint32_t radius_x, radius_y; /* in 1/256 pixel, no larger than makes a difference */
    int word, wide;
} numbers;

/* Limits a radius to the longer side, if windows shrink: beyond that nothing changes. */
static uint32_t useful_radius(const satb_blur *blur, uint32_t radius)
{
    const uint64_t limit = (uint64_t)satb_longer_side(blur->src) * SATK_ONE;

    return blur->look.edge == SATB_EDGE_SHRINK && radius > limit ? (uint32_t)limit : radius;
}

/* Returns the pixels of the largest box on one axis. A fraction counts as a whole ring. */
static uint64_t widest(const satb_blur *blur, uint32_t radius, int side)
{
    const uint64_t width = 2 * (((uint64_t)radius + SATK_ONE - 1) / SATK_ONE) + 1;

    return blur->look.edge == SATB_EDGE_SHRINK && width > (uint64_t)side ? (uint64_t)side : width;
}

/* Chooses the table's word and the width of the arithmetic by the largest sum of a window, so that nothing overflows.
 * Errors: LIMIT. */
static satb_status choose_numbers(satb_context *context, const satb_blur *blur, int weighted,
                                  numbers *out)
{
    const satk_u128 sample = satb_largest_sample(blur->src, blur->look.gamma, weighted);

    out->radius_x = useful_radius(blur, blur->radius_x);
    out->radius_y = useful_radius(blur, blur->radius_y);
    const satk_u128 area = (satk_u128)widest(blur, out->radius_x, blur->src->width) *
                           widest(blur, out->radius_y, blur->src->height);
    if (area > SATB_MAX_PIXELS || area * sample > UINT64_MAX)
        return satb_fail(
            context, SATB_ERR_LIMIT,
            "windows of up to %.0f pixels are too large for %s%s; use a smaller radius",
            (double)area, satb_sample_words(blur->src), weighted ? " with alpha" : "");
    out->word = area * sample <= UINT32_MAX ? 32 : 64;
    const int whole = !blur->map && out->radius_x % SATK_ONE == 0 && out->radius_y % SATK_ONE == 0;
    const satk_u128 weight = whole ? 1 : SATK_ONE * SATK_ONE;
    out->wide = area * sample * weight > UINT64_MAX;
    return SATB_OK;
}

/* --- Run -------------------------------------------------------------------------------------- */

typedef struct blurring {
    const satb_blur *blur;
    satk_box box;
} blurring;

static size_t radii_bytes(const satb_blur *blur)
{
    return sizeof *blur->radii << blur->map->bits;
}

static satb_status prepare_box(satb_context *context, blurring *r)
{
    const satb_blur *const blur = r->blur;
    numbers n = {0};
    size_t table_bytes;

    r->box.src = satb_plane_of(blur->src);
    if (blur->map)
        r->box.map = satb_plane_of(blur->map);
    satb_status status = satb_make_tone(context, blur->src, blur->look.gamma, &r->box.tone);
    if (status == SATB_OK)
        status = choose_numbers(context, blur, r->box.tone.weighted, &n);
    r->box.radius_x = n.radius_x;
    r->box.radius_y = n.radius_y;
    r->box.word = n.word;
    r->box.wide = n.wide;
    if (status == SATB_OK && !satb_table_bytes(blur->src, r->box.word, &table_bytes))
        status = satb_fail(context, SATB_ERR_LIMIT, "the table would not fit the address space");
    return status;
}

static void add_need(satb_context *context, const void *job, int rows, satb_need *need)
{
    const blurring *const r = job;
    satk_box box = r->box;

    satb_add_plane(need, SATB_SLOT_SRC, r->blur->src, rows);
    satb_add_plane(need, SATB_SLOT_DST, r->blur->dst, rows);
    satb_add_tone(&box.tone, box.src.bits, need);
    if (r->blur->map) {
        satb_add_plane(need, SATB_SLOT_MAP, r->blur->map, rows);
        need->bytes[SATB_SLOT_RADII] += radii_bytes(r->blur);
    }
    box.src.height = rows;
    context->backend->add_blur_need(context, &box, need);
}

static satb_status upload_tables(satb_context *context, void *job)
{
    blurring *const r = job;
    const satb_blur *const blur = r->blur;
    const void *radii = NULL;

    satb_status status = satb_upload_tone(context, blur->src->bits, &r->box.tone);
    if (status == SATB_OK && blur->map)
        status = context->backend->upload_bytes(context, SATB_SLOT_RADII, blur->radii,
                                                radii_bytes(blur), 0, &radii);
    r->box.lut = radii;
    return status;
}

static satb_status run_band(satb_context *context, void *job, const satb_band_planes *planes)
{
    satk_box *const box = &((blurring *)job)->box;

    box->src = planes->src;
    box->map = planes->map;
    box->dst = planes->dst;
    return context->backend->blur(context, box);
}

satb_status satb_blur_run(satb_context *context, const satb_blur *blur)
{
    blurring r = {.blur = blur, .box = {.edge = (satk_edge)blur->look.edge}};
    satb_bands bands = {.height = blur->src->height, .edge = blur->look.edge};

    satb_status status = context->backend->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = prepare_box(context, &r);
    if (status != SATB_OK)
        return satb_settled(context, status);
    bands.reach = (int)((r.box.radius_y + SATK_ONE - 1) / SATK_ONE);
    return satb_run_in_bands(context, &bands,
                             &(satb_banded){.src = blur->src,
                                            .map = blur->map,
                                            .dst = blur->dst,
                                            .call = blur->call,
                                            .stage = SATB_STAGE_TABLE,
                                            .job = &r,
                                            .add_need = add_need,
                                            .upload_tables = upload_tables,
                                            .run = run_band});
}

satb_status satb_blur_by_map(satb_context *context, satb_blur blur, const satb_code_set *codes,
                             satb_radius_by_code *radius, const void *job)
{
    const uint32_t count = 1u << blur.map->bits;
    uint32_t *const radii = satb_take(&context->spares, radii_bytes(&blur));
    uint32_t largest = 0;

    if (!radii)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    memset(radii, 0, radii_bytes(&blur));
    for (uint32_t i = satb_next_code(codes, 0, count); i < count;
         i = satb_next_code(codes, i + 1, count)) {
        radii[i] = radius(job, i);
        largest = radii[i] > largest ? radii[i] : largest;
    }
    blur.radii = radii;
    blur.radius_x = blur.radius_y = largest;
    const satb_status status = satb_blur_run(context, &blur);
    satb_give(&context->spares, radii);
    return status;
}
