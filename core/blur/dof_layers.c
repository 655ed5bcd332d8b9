#include "blur/dof_layers.h"

#include "backend/bands.h"
#include "blur/dof_highlights.h"
#include "blur/dof_rims.h"
#include "blur/dof_slabs.h"
#include "blur/tone.h"

#include <stdlib.h>

/* Chooses the tables' word so that no sum overflows. Errors: LIMIT. */
static satb_status choose_word(satb_context *context, const satb_dof_blur *l, satk_layer *job)
{
    const uint64_t area = satb_largest_area(job);
    const satk_u128 sum = (satk_u128)area * SATK_SLAB *
                          satb_largest_sample(l->src->bits, l->gamma, job->tone.weighted);
    if (sum > UINT64_MAX >> 8)
        return satb_fail(
            context, SATB_ERR_LIMIT,
            "windows of %.0f pixels are too large for %d-bit samples with alpha; use a "
            "smaller radius, or the gather method",
            (double)area, l->src->bits);
    job->word = sum <= UINT32_MAX ? 32 : 64;
    return SATB_OK;
}

/* --- Run -------------------------------------------------------------------------------------- */

/* Makes the slabs, of which *focus lie behind the focus, and the positions of the codes that occur. */
static void fill_slabs(const satb_dof_blur *l, satk_slab *slabs, uint16_t *position, int threads,
                       int *count, int *focus)
{
    const uint32_t codes = 1u << l->map->bits;
    const int longest = l->src->width > l->src->height ? l->src->width : l->src->height;
    double signed_radius[SATK_MAX_SLABS];
    double behind = 0, before = 0;

    for (uint32_t i = satb_next_code(l->codes, 0, codes); i < codes;
         i = satb_next_code(l->codes, i + 1, codes)) {
        behind = l->signed_radius[i] < behind ? l->signed_radius[i] : behind;
        before = l->signed_radius[i] > before ? l->signed_radius[i] : before;
    }
    *count = satb_make_slabs(behind, before, longest, l->bokeh, slabs, signed_radius);
    for (*focus = 0; signed_radius[*focus] < 0; ++*focus)
        ;
#pragma omp parallel for num_threads(threads) if (codes > 256)
    for (uint32_t i = 0; i < codes; i++)
        position[i] = satb_has_code(l->codes, i)
                          ? satb_slab_position(signed_radius, *count, l->signed_radius[i])
                          : 0;
    for (uint32_t i = satb_next_code(l->codes, 0, codes); i < codes;
         i = satb_next_code(l->codes, i + 1, codes)) {
        slabs[position[i] / SATK_SLAB].used = 1;
        if (position[i] % SATK_SLAB)
            slabs[position[i] / SATK_SLAB + 1].used = 1;
    }
}

typedef struct layering {
    const satb_dof_blur *layers;
    const uint16_t *position;
    satk_layer job;
    satb_highlights lights; /* zero without highlights */
} layering;

static size_t position_bytes(const satb_dof_blur *l)
{
    return sizeof(uint16_t) << l->map->bits;
}

/* Returns the rows from a pixel to the farthest that its result depends on: that of its windows or of a light's disc, and
 * from there to the pixels that decide on a light. */
static int farthest(const layering *r)
{
    const satk_layer *const job = &r->job;
    int reach = r->lights.job.farthest;

    for (int k = 0; k < job->count; k++)
        if (job->slabs[k].used && satb_slab_rows(&job->slabs[k]) > reach)
            reach = satb_slab_rows(&job->slabs[k]);
    return reach + r->lights.reach;
}

static void add_need(satb_context *context, const void *job, int rows, satb_need *need)
{
    const layering *const r = job;
    satk_layer layer = r->job;

    satb_add_dof_need(r->layers, &layer.tone, position_bytes(r->layers), rows, need);
    /* A part of a picture has more cells than a picture of as many rows, as its first row lies anywhere in a cell. */
    layer.src.height = rows < r->layers->src->height ? rows + 2 * SATK_CELL : rows;
    context->backend->add_layer_need(context, &layer, need);
    if (r->layers->highlights > 0)
        satb_add_highlight_need(context, &r->lights, &layer, need);
}

static satb_status upload_tables(satb_context *context, void *job)
{
    layering *const r = job;
    const void *positions = r->position;

    satb_status status = satb_upload_dof_tables(context, r->layers, &r->job.tone,
                                                position_bytes(r->layers), &positions);
    r->job.position = positions;
    if (status == SATB_OK && r->layers->highlights > 0)
        status = satb_upload_highlights(context, &r->lights);
    return status;
}

static satb_status run_band(satb_context *context, void *job, const satb_band_planes *planes)
{
    layering *const r = job;
    satk_layer layer = r->job;

    layer.src = planes->src;
    layer.map = planes->map;
    layer.cover = planes->cover;
    layer.dst = planes->dst;
    layer.row = planes->row;
    layer.rows = r->layers->src->height;
    return r->layers->highlights > 0 ? satb_layer_with_highlights(context, &r->lights, &layer)
                                     : context->backend->layer(context, &layer);
}

static satb_status run_bands(satb_context *context, layering *r)
{
    const satb_bands bands = {.reach = farthest(r)};
    const satb_banded work = {
        .job = r, .add_need = add_need, .upload_tables = upload_tables, .run = run_band};

    return satb_run_dof_bands(context, r->layers, bands, work);
}

static satb_status run_layers(satb_context *context, const satb_dof_blur *l, satk_slab *slabs,
                              uint16_t *position)
{
    layering r = {.layers = l,
                  .position = position,
                  .job = {.src = satb_plane_of(l->src),
                          .slabs = slabs,
                          .smooth = l->bokeh == SATB_BOKEH_SMOOTH}};
    const double began = satb_now_ms();
    int focus;
    fill_slabs(l, slabs, position, context->threads, &r.job.count, &focus);
    context->depth_ms += satb_now_ms() - began;
    satb_status status = context->backend->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = satb_make_tone(context, l->src, l->gamma, &r.job.tone);
    if (status == SATB_OK)
        status = choose_word(context, l, &r.job);
    if (status == SATB_OK && l->highlights > 0)
        status = satb_open_highlights(context, l, &r.job, position, focus, &r.lights);
    status = status == SATB_OK ? run_bands(context, &r) : satb_settled(context, status);
    satb_close_highlights(&r.lights);
    return status;
}

satb_status satb_dof_layers_run(satb_context *context, const satb_dof_blur *layers)
{
    satk_slab *const slabs = malloc(SATK_MAX_SLABS * sizeof *slabs);
    uint16_t *const position = malloc(sizeof *position << layers->map->bits);
    const double began = satb_now_ms();
    satb_covered covered;

    satb_status status = satb_cover_rims(context, layers, &covered);
    if (status == SATB_OK) {
        context->depth_ms += satb_now_ms() - began;
        status = slabs && position ? run_layers(context, &covered.blur, slabs, position)
                                   : satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    }
    free(slabs);
    free(position);
    return status;
}
