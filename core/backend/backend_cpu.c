/* The CPU as a back end. Host memory is device memory, so images are not copied: planes point to them. */
#include "backend/backend.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cpu_buffer {
    void *data;
    size_t size;
} cpu_buffer;

typedef struct cpu_device {
    cpu_buffer slots[SATB_SLOTS];
    satb_stage stage; /* the current one, since `began` */
    double began;
    int under_way;        /* 1: during a call */
    satb_timings timings; /* of the call so far */
} cpu_device;

static satb_status cpu_open(satb_context *context, const satb_config *config)
{
    (void)config;
    cpu_device *const device = calloc(1, sizeof *device);

    if (!device)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    context->device = device;
    snprintf(context->name, sizeof context->name, "cpu, %d thread%s", context->threads,
             context->threads == 1 ? "" : "s");
    return SATB_OK;
}

static void cpu_trim(satb_context *context)
{
    cpu_device *const device = context->device;

    for (int i = 0; i < SATB_SLOTS; i++) {
        free(device->slots[i].data);
        device->slots[i] = (cpu_buffer){0};
    }
}

static void cpu_close(satb_context *context)
{
    cpu_trim(context);
    free(context->device);
}

static satb_status cpu_reserve(satb_context *context, satb_slot slot, size_t bytes, void **data)
{
    cpu_buffer *const buffer = &((cpu_device *)context->device)->slots[slot];

    if (buffer->size < bytes) {
        free(buffer->data);
        buffer->size = 0;
        buffer->data = satb_allocate(bytes);
        if (!buffer->data)
            return satb_fail(context, SATB_ERR_NOMEM, "out of memory: %zu MB needed", bytes >> 20);
        buffer->size = bytes;
    }
    *data = buffer->data;
    return SATB_OK;
}

static satb_status cpu_upload(satb_context *context, satb_slot slot, const satb_image *image,
                              const satb_band *band, satk_plane *plane)
{
    (void)context;
    (void)slot;
    (void)band;
    *plane = satb_plane_of(image);
    return SATB_OK;
}

static satb_status cpu_upload_bytes(satb_context *context, satb_slot slot, const void *bytes,
                                    size_t size, int once, const void **data)
{
    (void)context;
    (void)slot;
    (void)size;
    (void)once;
    *data = bytes;
    return SATB_OK;
}

static satb_status cpu_download(satb_context *context, const satk_plane *plane,
                                const satb_band *band, const satb_image *image)
{
    (void)context;
    (void)plane;
    (void)band;
    (void)image;
    return SATB_OK;
}

static satb_status cpu_output_bytes(satb_context *context, satb_slot slot, void *host, size_t bytes,
                                    void **data)
{
    (void)context;
    (void)slot;
    (void)bytes;
    *data = host;
    return SATB_OK;
}

static satb_status cpu_fetch(satb_context *context, void *host, const void *data, size_t bytes)
{
    (void)context;
    if (host != data)
        memcpy(host, data, bytes);
    return SATB_OK;
}

/* --- Kernels ---------------------------------------------------------------------------------- */

static satb_status scratch_for(satb_context *context, size_t bytes, void **scratch)
{
    return cpu_reserve(context, SATB_SLOT_SCRATCH, bytes, scratch);
}

/* Makes src a copy if it is dst: work in place would read pixels that it has already written. */
static satb_status keep_apart(satb_context *context, satk_plane *src, const satk_plane *dst)
{
    const size_t row = (size_t)src->width * (size_t)src->channels * (size_t)(src->bits / 8);
    void *copy = NULL;

    if (src->data != dst->data)
        return SATB_OK;
    const satb_status status =
        cpu_reserve(context, SATB_SLOT_SRC, row * (size_t)src->height, &copy);
    for (int y = 0; y < src->height && status == SATB_OK; y++)
        memcpy((uint8_t *)copy + (size_t)y * row, (uint8_t *)src->data + y * src->pitch, row);
    src->data = copy;
    src->pitch = (ptrdiff_t)row;
    return status;
}

/* Defines an entry of the table that reserves a kernel's scratch, does `first`, and runs the kernel. */
#define DEFINE_ENTRY(entry, kernel, first)                                                         \
    static satb_status cpu_##entry(satb_context *context, kernel *job)                             \
    {                                                                                              \
        satb_status status =                                                                       \
            scratch_for(context, kernel##_scratch_cpu(job, context->threads), &job->scratch);      \
        if (status == SATB_OK)                                                                     \
            status = first;                                                                        \
        if (status == SATB_OK)                                                                     \
            kernel##_cpu(job, context->threads);                                                   \
        return status;                                                                             \
    }
DEFINE_ENTRY(sat, satk_sat, SATB_OK)
DEFINE_ENTRY(coc, satk_coc, SATB_OK)
DEFINE_ENTRY(layer, satk_layer, keep_apart(context, &job->src, &job->dst))
DEFINE_ENTRY(spread, satk_spread, keep_apart(context, &job->src, &job->dst))
DEFINE_ENTRY(histogram, satk_histogram, SATB_OK)
DEFINE_ENTRY(luma, satk_luma, SATB_OK)
DEFINE_ENTRY(codes, satk_codes, SATB_OK)
DEFINE_ENTRY(resample, satk_resample, SATB_OK)
DEFINE_ENTRY(surface, satk_surface, SATB_OK)
DEFINE_ENTRY(cover, satk_cover, SATB_OK)
DEFINE_ENTRY(matte_plane, satk_matte_plane, SATB_OK)
DEFINE_ENTRY(follow, satk_follow, SATB_OK)
DEFINE_ENTRY(separate, satk_separate, SATB_OK)
DEFINE_ENTRY(scan, satk_scan, SATB_OK)
DEFINE_ENTRY(compact, satk_compact, SATB_OK)
DEFINE_ENTRY(sort, satk_sort, SATB_OK)
#undef DEFINE_ENTRY

/* Defines an entry of a kernel without scratch. */
#define DEFINE_ENTRY(entry, job_type)                                                              \
    static satb_status cpu_##entry(satb_context *context, job_type *job)                           \
    {                                                                                              \
        satk_##entry##_cpu(job, context->threads);                                                 \
        return SATB_OK;                                                                            \
    }
DEFINE_ENTRY(reduce, satk_reduce)
DEFINE_ENTRY(rim_codes, const satk_rim_codes)
DEFINE_ENTRY(show, const satk_show)
DEFINE_ENTRY(unshow, const satk_show)
DEFINE_ENTRY(protect, const satk_protect)
DEFINE_ENTRY(mix, const satk_mix)
DEFINE_ENTRY(radii, const satk_radii)
DEFINE_ENTRY(patches, const satk_patches)
DEFINE_ENTRY(equal_lut, const satk_equal_lut)
DEFINE_ENTRY(equalize, const satk_equalize)
#undef DEFINE_ENTRY

/* Scratch memory depends on the number of holes. */
static satb_status cpu_fill(satb_context *context, satk_fill *job)
{
    job->most = satk_fill_count_cpu(&job->map, context->threads);
    const satb_status status =
        scratch_for(context, satk_fill_scratch_cpu(job, context->threads), &job->scratch);

    if (status == SATB_OK)
        satk_fill_cpu(job, context->threads);
    return status;
}

static satb_status cpu_begin(satb_context *context, satb_stage stage);

static satb_status cpu_blur(satb_context *context, const satk_box *job)
{
    void *scratch = NULL;
    satb_status status = cpu_begin(context, SATB_STAGE_BLUR);

    if (status == SATB_OK)
        status = scratch_for(context, satk_box_fused_scratch(job, context->threads), &scratch);
    if (status == SATB_OK)
        satk_box_fused_cpu(job, scratch, context->threads);
    return status;
}

static satb_status cpu_find_lights(satb_context *context, satk_highlight *job)
{
    satb_status status = keep_apart(context, &job->src, &job->dst);

    if (status == SATB_OK)
        status =
            scratch_for(context, satk_highlight_scratch_cpu(job, context->threads), &job->scratch);
    if (status == SATB_OK)
        satk_highlight_find_cpu(job, context->threads);
    return status;
}

static satb_status cpu_add_lights(satb_context *context, satk_highlight *job)
{
    const satb_status status =
        scratch_for(context, satk_highlight_scratch_cpu(job, context->threads), &job->scratch);

    if (status == SATB_OK)
        satk_highlight_add_cpu(job, context->threads);
    return status;
}

/* --- Stages ----------------------------------------------------------------------------------- */

static void cpu_settle(satb_context *context)
{
    ((cpu_device *)context->device)->under_way = 0;
}

static satb_status cpu_begin(satb_context *context, satb_stage stage)
{
    cpu_device *const device = context->device;
    const double now = satb_now_ms();

    if (device->under_way)
        device->timings.ms[device->stage] += now - device->began;
    else
        device->timings = (satb_timings){{0}};
    device->under_way = 1;
    device->stage = stage;
    device->began = now;
    return SATB_OK;
}

static satb_status cpu_finish(satb_context *context)
{
    cpu_device *const device = context->device;

    device->timings.ms[device->stage] += satb_now_ms() - device->began;
    device->under_way = 0;
    context->timings = device->timings;
    return SATB_OK;
}

const satb_backend satb_backend_cpu = {
    .open = cpu_open,
    .close = cpu_close,
    .trim = cpu_trim,
    .reserve = cpu_reserve,
    .upload = cpu_upload,
    .upload_bytes = cpu_upload_bytes,
    .output = cpu_upload,
    .download = cpu_download,
    .output_bytes = cpu_output_bytes,
    .fetch = cpu_fetch,
    .sat = cpu_sat,
    .blur = cpu_blur,
    .radii = cpu_radii,
    .coc = cpu_coc,
    .layer = cpu_layer,
    .spread = cpu_spread,
    .find_lights = cpu_find_lights,
    .add_lights = cpu_add_lights,
    .resample = cpu_resample,
    .fill = cpu_fill,
    .surface = cpu_surface,
    .rim_codes = cpu_rim_codes,
    .cover = cpu_cover,
    .matte_plane = cpu_matte_plane,
    .follow = cpu_follow,
    .separate = cpu_separate,
    .show = cpu_show,
    .unshow = cpu_unshow,
    .protect = cpu_protect,
    .mix = cpu_mix,
    .histogram = cpu_histogram,
    .reduce = cpu_reduce,
    .scan = cpu_scan,
    .compact = cpu_compact,
    .sort = cpu_sort,
    .luma = cpu_luma,
    .codes = cpu_codes,
    .patches = cpu_patches,
    .equal_lut = cpu_equal_lut,
    .equalize = cpu_equalize,
    .settle = cpu_settle,
    .begin = cpu_begin,
    .pause = cpu_finish,
    .finish = cpu_finish,
};
