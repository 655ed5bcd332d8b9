#include "blur/dof_layers.h"

#include "backend/bands.h"
#include "base/size.h"
#include "blur/dof_fringe.h"
#include "blur/dof_points.h"
#include "blur/dof_rims.h"
#include "blur/dof_slabs.h"
#include "blur/dof_wrap.h"
#include "blur/forms.h"
#include "blur/pattern.h"
#include "blur/tone.h"

#include <math.h>
#include <stdlib.h>

/* Chooses the tables' word so that no sum overflows. Errors: LIMIT. */
static satb_status choose_word(satb_context *context, const satb_dof_blur *l, satk_layer *job)
{
    const uint64_t area = satb_largest_area(job);
    const satk_u128 sum =
        (satk_u128)area * SATK_SLAB * satb_largest_sample(l->src, l->gamma, job->tone.weighted);
    if (sum > UINT64_MAX >> 8)
        return satb_fail(context, SATB_ERR_LIMIT,
                         "windows of %.0f pixels are too large for %s%s; use a "
                         "smaller radius, or the gather method",
                         (double)area, satb_sample_words(l->src),
                         job->tone.weighted ? " with alpha" : "");
    job->word = sum <= UINT32_MAX ? 32 : 64;
    return SATB_OK;
}

/* --- Run -------------------------------------------------------------------------------------- */

static uint16_t position_of(const satb_dof_blur *l, const satk_radii *radii, uint32_t code)
{
    return satk_position_of(radii->slabs, radii->slab_count, satb_radius_of(l, code));
}

/* Returns the first code behind `code` that may use other slabs: positions are monotonic in the codes. */
static uint32_t next_position(const satb_dof_blur *l, const satk_radii *radii, uint32_t code)
{
    const int position = position_of(l, radii, code), between = position % SATK_SLAB != 0;
    uint32_t same = code, other = 1u << l->map->bits;

    while (other - same > 1) {
        const uint32_t middle = same + (other - same) / 2;
        const int at = position_of(l, radii, middle);
        if (between ? at / SATK_SLAB == position / SATK_SLAB && at % SATK_SLAB : at == position)
            same = middle;
        else
            other = middle;
    }
    return other;
}

/* Marks the slabs that the codes use. */
static void mark_used(const satb_dof_blur *l, const satk_radii *radii, satk_slab *slabs)
{
    const uint32_t codes = 1u << l->map->bits;

    for (uint32_t i = satb_next_code(l->codes, 0, codes); i < codes;
         i = satb_next_code(l->codes, next_position(l, radii, i), codes))
        satk_use_position(slabs, position_of(l, radii, i));
}

/* Returns the width of the widest soft rim, in pixels. */
static int soft_of(const satb_dof_blur *l)
{
    return l->cover ? (int)l->depth->numbers.soft[0] : 0;
}

/* Makes the slabs, of which *focus lie behind the focus. */
static void fill_slabs(const satb_dof_blur *l, satk_slab *slabs, satk_radii *radii, int *focus)
{
    const uint32_t codes = 1u << l->map->bits;
    const double first = satb_radius_of(l, satb_next_code(l->codes, 0, codes));
    const double last = satb_radius_of(l, satb_last_code(l->codes, codes));

    *radii = (satk_radii){.lens = *l->lens, .bits = l->map->bits};
    radii->slab_count =
        satb_make_slabs(fmin(fmin(first, last), 0), fmax(fmax(first, last), 0), soft_of(l),
                        satb_longer_side(l->src), l->aperture, slabs, radii->slabs);
    for (*focus = 0; radii->slabs[*focus] < 0; ++*focus)
        ;
    mark_used(l, radii, slabs);
}

typedef struct layering {
    const satb_dof_blur *layers;
    satk_radii radii; /* for positions */
    satk_layer job;
    satb_points points;
    satb_forms forms;
    int margin; /* columns of the other side that are beyond either side */
} layering;

static size_t position_bytes(const satb_dof_blur *l)
{
    return sizeof(uint16_t) << l->map->bits;
}

/* Returns the rows, and columns, from a pixel to the farthest that its result depends on: that of its windows or of a
 * point's disc, and from there to the pixels that decide on a point. */
static int farthest(const layering *r)
{
    const satk_layer *const job = &r->job;
    int reach = r->points.with_any ? r->points.job.farthest : 0;

    for (int k = 0; k < job->count; k++)
        if (job->slabs[k].used && satb_slab_rows(&job->slabs[k]) > reach)
            reach = satb_slab_rows(&job->slabs[k]);
    return reach + (r->points.with_any ? r->points.reach : 0);
}

static void add_need(satb_context *context, const void *job, int rows, satb_need *need)
{
    const layering *const r = job;
    satk_layer layer = r->job;

    satb_add_dof_need(r->layers, &layer.tone, position_bytes(r->layers), rows, need);
    if (r->layers->wraps)
        satb_add_wide_need(r->layers, r->margin, rows, need);
    /* A part of a picture has more cells than a picture of as many rows, as its first row lies anywhere in a cell. */
    layer.src.height = rows < r->layers->src->height ? rows + 2 * SATK_CELL : rows;
    layer.rows = r->layers->src->height;
    layer.most = context->most_tables;
    need->bytes[SATB_SLOT_FORMS] += r->forms.bytes;
    context->backend->add_layer_need(context, &layer, need);
    if (r->points.with_any)
        satb_add_points_need(context, &r->points, &layer, need);
}

static satb_status upload_forms(satb_context *context, layering *r)
{
    const void *boxes = NULL;

    if (r->forms.bytes == 0)
        return SATB_OK;
    const satb_status status = context->backend->upload_bytes(
        context, SATB_SLOT_FORMS, r->forms.box, r->forms.bytes, 0, &boxes);
    satb_forms_at(&r->forms, boxes);
    r->job.forms = r->forms.windows;
    return status;
}

static satb_status upload_tables(satb_context *context, void *job)
{
    layering *const r = job;
    void *positions = NULL;

    satb_status status = satb_upload_tone(context, r->layers->src->bits, &r->job.tone);
    if (status == SATB_OK)
        status = upload_forms(context, r);
    if (status == SATB_OK)
        status = context->backend->reserve(context, SATB_SLOT_RADII, position_bytes(r->layers),
                                           &positions);
    r->job.position = r->radii.position = positions;
    if (status == SATB_OK && r->points.with_any)
        status = satb_upload_points(context, &r->points, &r->radii);
    return status == SATB_OK ? context->backend->radii(context, &r->radii) : status;
}

static satb_status run_planes(satb_context *context, void *job, const satb_band_planes *planes)
{
    layering *const r = job;
    satk_layer layer = r->job;

    layer.src = planes->src;
    layer.map = planes->map;
    layer.cover = planes->cover;
    layer.dst = planes->dst;
    layer.row = planes->row;
    layer.rows = r->layers->src->height;
    layer.most = context->most_tables;
    return r->points.with_any
               ? satb_layer_with_points(context, &r->points, &layer, planes->own, r->layers->lights)
               : context->backend->layer(context, &layer);
}

static satb_status run_band(satb_context *context, void *job, const satb_band_planes *planes)
{
    const layering *const r = job;
    satb_band_planes wide;

    if (!r->layers->wraps)
        return run_planes(context, job, planes);
    satb_status status = satb_widen(context, planes, r->margin, &wide);
    if (status == SATB_OK)
        status = run_planes(context, job, &wide);
    return status == SATB_OK ? satb_narrow(context, &wide, r->margin, planes) : status;
}

static satb_status run_bands(satb_context *context, layering *r)
{
    const satb_bands bands = {.reach = farthest(r)};
    const satb_banded work = {
        .job = r, .add_need = add_need, .upload_tables = upload_tables, .run = run_band};

    return satb_run_dof_bands(context, r->layers, bands, work);
}

/* slab: a pointer to room for SATK_MAX_SLABS. */
static satb_status run_layers(satb_context *context, const satb_dof_blur *l, const void *slab)
{
    satk_slab *const slabs = *(satk_slab *const *)slab;
    layering r = {.layers = l,
                  .job = {.src = satb_plane_of(l->src),
                          .slabs = slabs,
                          .soft = soft_of(l),
                          .channel = l->channel}};
    const double began = satb_now_ms();
    int focus;
    fill_slabs(l, slabs, &r.radii, &focus);
    r.job.count = r.radii.slab_count;
    satb_status status = satb_open_points(context, l, &r.job, slabs, focus, &r.points);
    r.margin = l->wraps ? satb_wide_margin(l->src, farthest(&r)) : 0;
    if (l->dither)
        r.job.pattern = satb_make_pattern(l->src, l->aperture->shape.orientation, r.margin);
    r.job.src.width += 2 * r.margin;
    r.points.job.alone = l->fringe > 0;
    r.points.job.outlines.patches.width = r.job.src.width; /* of one patch, if it wraps */
    if (status == SATB_OK)
        status = satb_make_forms(context, l->aperture, r.job.src.width, r.job.src.height, &r.forms);
    r.job.forms = r.forms.windows;
    l->depth->call.depth_ms += satb_now_ms() - began;
    if (status == SATB_OK)
        status = context->backend->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = satb_make_tone(context, l->src, l->gamma, &r.job.tone);
    if (status == SATB_OK)
        status = choose_word(context, l, &r.job);
    status = status == SATB_OK ? run_bands(context, &r) : satb_settled(context, status);
    satb_close_points(&r.points);
    satb_free_forms(&r.forms);
    return status;
}

satb_status satb_dof_layers_run(satb_context *context, const satb_dof_blur *layers)
{
    satk_slab *const slabs = malloc(SATK_MAX_SLABS * sizeof *slabs);
    const double began = satb_now_ms();
    satb_covered covered;

    satb_status status = slabs ? satb_cover_rims(context, layers, &covered)
                               : satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    if (status == SATB_OK) {
        layers->depth->call.depth_ms += satb_now_ms() - began;
        status = satb_run_with_fringe(context, &covered.blur, run_layers, &slabs);
        satb_end_cover(&covered);
    }
    free(slabs);
    return status;
}
