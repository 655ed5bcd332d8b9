/* Depth of field: the blur by a plan. */
#include "backend/image.h"
#include "blur/blur.h"
#include "blur/dof_fringe.h"
#include "blur/dof_layers.h"
#include "blur/dof_protect.h"
#include "blur/dof_spread.h"
#include "depth/dof_plan.h"
#include <dof_table.h>

/* --- Run -------------------------------------------------------------------------------------- */

static uint32_t radius_of(const void *job, uint32_t code)
{
    return satb_radius_size(job, code);
}

static satb_status gather(satb_context *context, const satb_dof_blur *job, const void *look)
{
    const satb_blur blur = {.src = job->src,
                            .dst = job->dst,
                            .look = *(const satb_look *)look,
                            .map = job->map,
                            .call = &job->depth->call};

    return satb_blur_by_map(context, blur, job->codes, radius_of, job);
}

#define PRESET(name, type, low, high, zero, preset, ...) (preset)

static satb_status spread(satb_context *context, const satb_dof_blur *job, const void *none)
{
    (void)none;
    return satb_dof_spread_run(context, job);
}

/* Blurs by the requested method; by default in layers if their sums fit, else by gather. Sets *used to the method. */
static satb_status blur_by_plan(satb_context *context, const satb_image *src, const satb_image *dst,
                                satb_dof_plan *plan, const satb_dof_params *p, satb_method *used)
{
    const satb_aperture *const aperture = satb_aperture_of(context, p);
    const satb_dof_blur job = {
        .src = src,
        .dst = dst,
        .map = &plan->depth.map,
        .depth = &plan->depth,
        .codes = &plan->depth.numbers.codes,
        .lens = &plan->lens,
        .gamma = p->look.gamma,
        .wraps = p->look.edge == SATB_EDGE_WRAP,
        .dither = p->rounding == SATB_ROUNDING_DITHER,
        .fringe = p->fringe,
        .aperture = aperture,
        .highlights = p->highlights,
        .highlight_threshold = p->highlight_threshold > 0 ? p->highlight_threshold
                                                          : SATB_DOF_HIGHLIGHT_THRESHOLD(PRESET),
        .highlight_size =
            p->highlight_size > 0 ? p->highlight_size : SATB_DOF_HIGHLIGHT_SIZE(PRESET),
        .lights = &plan->report.lights};
    satb_status status = SATB_ERR_LIMIT;

    if (!aperture)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    *used = p->method == SATB_METHOD_SPREAD ? SATB_METHOD_SPREAD : SATB_METHOD_GATHER;
    if (*used == SATB_METHOD_SPREAD)
        return satb_run_with_fringe(context, &job, spread, NULL);
    if (satb_is_layered(p)) {
        status = satb_dof_layers_run(context, &job);
        if (status != SATB_ERR_LIMIT || p->method == SATB_METHOD_LAYERED || p->highlights > 0)
            *used = SATB_METHOD_LAYERED;
    }
    if (*used == SATB_METHOD_LAYERED)
        return status;
    return satb_run_with_fringe(context, &job, gather, &p->look);
}

/* Blurs, and lays the source over what is protected. A blur in place takes a copy of it. */
static satb_status blur_and_protect(satb_context *context, const satb_image *src,
                                    const satb_image *dst, satb_dof_plan *plan,
                                    const satb_dof_params *p, satb_method *used)
{
    satb_image kept = *src;
    void *copy = NULL;
    satb_status status = SATB_OK;

    if (src->data == dst->data)
        status = satb_copy_on_host(context, src, &kept, &copy);
    if (status == SATB_OK)
        status = blur_by_plan(context, src, dst, plan, p, used);
    const satb_timings timings = context->timings;
    const int bands = context->memory.bands;
    if (status == SATB_OK)
        status = satb_lay_protected(context, &kept, &plan->depth, dst, p->look.gamma);
    for (int i = 0; i < SATB_STAGES && status == SATB_OK; i++)
        context->timings.ms[i] += timings.ms[i];
    if (context->memory.bands < bands)
        context->memory.bands = bands;
    satb_give(&context->spares, copy);
    return status;
}

satb_status satb_dof(satb_context *context, const satb_image *src, const satb_image *depth,
                     const satb_image *dst, const satb_dof_params *params, satb_dof_report *report)
{
    const satb_dof_params defaults = {0}, *const p = params ? params : &defaults;
    const double began = satb_now_ms();
    satb_dof_plan plan;
    satb_method method = SATB_METHOD_GATHER;
    satb_status status = satb_check_image(context, src, "source");

    if (status == SATB_OK)
        status = satb_check_output(context, src, dst);
    if (status == SATB_OK && p->fringe > 0 && src->channels >= 3 && dst->on_device)
        status =
            satb_fail(context, SATB_ERR_ARG, "fringe: the output must be in the host's memory");
    if (status == SATB_OK)
        status = satb_open_dof_plan(context, &plan, src, depth, p);
    if (status != SATB_OK)
        return status;
    plan.depth.call.depth_ms = satb_now_ms() - began;
    status = (p->protect ? blur_and_protect : blur_by_plan)(context, src, dst, &plan, p, &method);
    plan.depth.call.is_done = status == SATB_OK;
    if (status == SATB_OK)
        context->timings.ms[SATB_STAGE_DEPTH] = plan.depth.call.depth_ms;
    if (status == SATB_OK && report) {
        *report = plan.report;
        report->method = method;
        report->bokeh = method == SATB_METHOD_LAYERED ? p->bokeh : SATB_BOKEH_SQUARE;
    }
    satb_close_dof_plan(context, &plan);
    return status;
}
