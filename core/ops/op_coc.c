/* The circles of confusion as a picture: a plan of depth of field, drawn. */
#include "backend/bands.h"
#include "backend/image.h"
#include "depth/dof_plan.h"
#include "layer/coc.h"

static satb_status check_coc(satb_context *context, const satb_image *src, const satb_image *dst)
{
    satb_status status = satb_check_image(context, src, "source");

    if (status == SATB_OK)
        status = satb_check_codes(context, dst, "output");
    if (status == SATB_OK && (dst->width != src->width || dst->height != src->height ||
                              dst->channels != 1 || dst->bits != 16))
        status = satb_fail(context, SATB_ERR_ARG,
                           "output: it must be gray, of 16 bits and of the source's size");
    return status;
}

typedef struct drawing {
    const satb_image *map, *dst;
    satk_coc job;
} drawing;

static void add_need(satb_context *context, const void *job, int rows, satb_need *need)
{
    const drawing *const d = job;

    satb_add_plane(need, SATB_SLOT_SRC, d->map, rows);
    satb_add_plane(need, SATB_SLOT_DST, d->dst, rows);
    context->backend->add_coc_need(context, &d->job, need);
}

/* Uploads nothing: the kernel makes its table. */
static satb_status upload_tables(satb_context *context, void *job)
{
    (void)context;
    (void)job;
    return SATB_OK;
}

static satb_status run_band(satb_context *context, void *job, const satb_band_planes *planes)
{
    satk_coc coc = ((const drawing *)job)->job;

    coc.src = planes->src;
    coc.dst = planes->dst;
    return context->backend->coc(context, &coc);
}

/* Draws the plan's map where it is: on the device, unless the device's memory did not hold what it was made of. */
static satb_status draw(satb_context *context, satb_dof_plan *plan, const satb_image *dst)
{
    const satb_image *const map = &plan->depth.map;
    drawing d = {
        .map = map,
        .dst = dst,
        .job = {.src = satb_plane_of(map), .lens = plan->lens, .full = plan->report.full_radius}};
    satb_bands bands = {.height = dst->height};

    const satb_status status = context->backend->begin(context, SATB_STAGE_UPLOAD);
    return status == SATB_OK ? satb_run_in_bands(context, &bands,
                                                 &(satb_banded){.src = map,
                                                                .dst = dst,
                                                                .call = &plan->depth.call,
                                                                .stage = SATB_STAGE_MEASURE,
                                                                .job = &d,
                                                                .add_need = add_need,
                                                                .upload_tables = upload_tables,
                                                                .run = run_band})
                             : satb_settled(context, status);
}

satb_status satb_coc(satb_context *context, const satb_image *src, const satb_image *depth,
                     const satb_image *dst, const satb_dof_params *params, satb_dof_report *report)
{
    const satb_dof_params defaults = {0}, *const p = params ? params : &defaults;
    const double began = satb_now_ms();
    satb_dof_plan plan;
    satb_status status = check_coc(context, src, dst);

    if (status == SATB_OK)
        status = satb_open_dof_plan(context, &plan, src, depth, p);
    if (status != SATB_OK)
        return status;
    status = draw(context, &plan, dst);
    if (status == SATB_OK && report)
        *report = plan.report;
    plan.depth.call.is_done = status == SATB_OK;
    satb_close_dof_plan(context, &plan);
    if (status == SATB_OK)
        context->timings = (satb_timings){.ms = {[SATB_STAGE_DEPTH] = satb_now_ms() - began}};
    return status;
}
