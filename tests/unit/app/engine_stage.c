#include "unit/app/engine_stage.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

struct satb_context {
    bool cuda;
};

struct stage stage;

satb_status satb_open(satb_context **out, const satb_config *config)
{
    const bool cuda =
        config->device == SATB_DEVICE_CUDA || (config->device == SATB_DEVICE_AUTO && stage.has_gpu);
    *out = NULL;
    if (cuda && (!stage.has_gpu || config->cuda_index >= GPUS))
        return SATB_ERR_UNAVAILABLE;
    *out = malloc(sizeof **out);
    assert_non_null(*out);
    (*out)->cuda = cuda;
    stage.opened++;
    return SATB_OK;
}

void satb_close(satb_context **context)
{
    stage.closed += *context != NULL;
    free(*context);
    *context = NULL;
}

void satb_trim(satb_context *context)
{
    stage.trimmed++;
    (void)context;
}

void satb_limit_bands(satb_context *context, int most)
{
    (void)context;
    stage.most_bands = most;
}

const char *satb_open_message(void)
{
    return "no GPU on this stage";
}

int satb_is_cuda(const satb_context *context)
{
    return context->cuda;
}

const char *satb_describe(const satb_context *context)
{
    return context->cuda ? "cuda:0 played" : "cpu, played";
}

const char *satb_last_message(const satb_context *context)
{
    (void)context;
    return "GPU memory ran out";
}

satb_timings satb_last_timings(const satb_context *context)
{
    (void)context;
    return (satb_timings){.ms = {[SATB_STAGE_BLUR] = 1}};
}

satb_memory satb_last_memory(const satb_context *context)
{
    return context->cuda ? (satb_memory){.peak = 1000, .bands = 3} : (satb_memory){.bands = 1};
}

satb_status satb_box(satb_context *context, const satb_image *src, const satb_image *dst,
                     const satb_box_params *params)
{
    (void)params;
    stage.blurred++;
    uint8_t *out = dst->data;
    memcpy(out, src->data, (size_t)src->stride * (size_t)src->height);
    if (context->cuda && stage.gpu_error_at >= 0)
        out[stage.gpu_error_at]++;
    return context->cuda ? stage.gpu_blurs : SATB_OK;
}

satb_status satb_blur_map(satb_context *context, const satb_image *src, const satb_image *map,
                          const satb_image *dst, const satb_map_params *params)
{
    (void)context, (void)src, (void)map, (void)dst, (void)params;
    return SATB_ERR_ARG;
}

satb_status satb_dof(satb_context *context, const satb_image *src, const satb_image *depth,
                     const satb_image *dst, const satb_dof_params *params, satb_dof_report *report)
{
    (void)depth, (void)params;
    memset(report, context->cuda ? 0 : 0xa5, sizeof *report); /* the bytes between members differ */
    report->focus = 0.25;
    report->focus_x = report->focus_y = 5;
    report->focus_distance = report->distance_near = report->distance_far = 1;
    report->max_radius = report->full_radius = report->largest_radius = 2;
    report->holes = SATB_HOLES_NONE;
    report->unknown = report->snapped = report->mixed = 3;
    report->lights = 4;
    report->kept = 0.5;
    report->subject = report->least = report->most = report->single_value = report->resampled = 0;
    report->method = SATB_METHOD_LAYERED;
    report->bokeh = SATB_BOKEH_DISC;
    if (context->cuda && stage.gpu_report_error_at >= 0)
        ((uint8_t *)report)[stage.gpu_report_error_at] ^= 1;
    return satb_box(context, src, dst, NULL);
}

satb_status satb_coc(satb_context *context, const satb_image *src, const satb_image *depth,
                     const satb_image *dst, const satb_dof_params *params, satb_dof_report *report)
{
    (void)src, (void)depth, (void)params, (void)report;
    uint8_t *out = dst->data;
    memset(out, 9, (size_t)dst->stride * (size_t)dst->height);
    if (context->cuda && stage.gpu_coc_error_at >= 0)
        out[stage.gpu_coc_error_at]++;
    return SATB_OK;
}

satb_status satb_measure(satb_context *context, const satb_image *src, satb_channel_stats *stats)
{
    stage.measured++;
    memset(stats, 0, (size_t)src->channels * sizeof *stats);
    stats[0].histogram[7] = context->cuda && stage.gpu_counts_wrong ? 1 : 0;
    return context->cuda ? stage.gpu_measures : SATB_OK;
}

satb_status satb_measure_luminance(satb_context *context, const satb_image *src,
                                   satb_channel_stats *stats)
{
    (void)src;
    memset(stats, 0, sizeof *stats);
    stats->histogram[7] = context->cuda && stage.gpu_lumas_wrong ? 1 : 0;
    stage.lumas++;
    return SATB_OK;
}

satb_status satb_equalize(satb_context *context, const satb_image *src, const satb_image *dst)
{
    stage.equalized++;
    return satb_box(context, src, dst, NULL);
}

int stage_clear(void **state)
{
    memset(&stage, 0, sizeof stage);
    stage.gpu_error_at = stage.gpu_coc_error_at = stage.gpu_report_error_at = -1;
    return 0;
}
