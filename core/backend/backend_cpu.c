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

static satb_status cpu_copy(satb_context *context, const satk_plane *src, const satk_plane *dst)
{
    (void)context;
    for (int y = 0; y < src->height; y++)
        memcpy((uint8_t *)dst->data + y * dst->pitch, (const uint8_t *)src->data + y * src->pitch,
               satk_row_bytes(src));
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
    const size_t row = satk_row_bytes(src);
    satk_plane kept = *src;

    if (src->data != dst->data)
        return SATB_OK;
    kept.pitch = (ptrdiff_t)row;
    const satb_status status =
        cpu_reserve(context, SATB_SLOT_SRC, row * (size_t)src->height, &kept.data);
    if (status == SATB_OK)
        cpu_copy(context, src, &kept);
    *src = kept;
    return status;
}

/* Define entries of the table from rows of kernels.h: each runs a kernel. Those with scratch reserve it and do `first`
 * before. */
#define PLAIN(NAME, JOB, WORK)                                                                     \
    static satb_status cpu_##NAME(satb_context *context, const satk_##JOB *job)                    \
    {                                                                                              \
        satk_##NAME##_cpu(job, context->threads);                                                  \
        return SATB_OK;                                                                            \
    }
#define AFTER(first, NAME, JOB)                                                                    \
    static satb_status cpu_##NAME(satb_context *context, satk_##JOB *job)                          \
    {                                                                                              \
        const size_t bytes = satk_##JOB##_scratch_cpu(job, context->threads);                      \
        satb_status status = scratch_for(context, bytes, &job->scratch);                           \
        if (status == SATB_OK)                                                                     \
            status = first;                                                                        \
        if (status == SATB_OK)                                                                     \
            satk_##NAME##_cpu(job, context->threads);                                              \
        return status;                                                                             \
    }
#define SCRATCH(NAME, JOB, WORK) AFTER(SATB_OK, NAME, JOB)
#define APART(NAME, JOB, WORK)   AFTER(keep_apart(context, &job->src, &job->dst), NAME, JOB)
SATK_KERNELS(PLAIN, SCRATCH, APART)
SCRATCH(sat, sat, "")
#undef PLAIN
#undef AFTER
#undef SCRATCH
#undef APART

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

/* clang-format off */
const satb_backend satb_backend_cpu = {
    .open = cpu_open,
    .close = cpu_close,
    .trim = cpu_trim,
    .reserve = cpu_reserve,
    .upload = cpu_upload,
    .upload_bytes = cpu_upload_bytes,
    .output = cpu_upload,
    .download = cpu_download,
    .copy = cpu_copy,
    .output_bytes = cpu_output_bytes,
    .fetch = cpu_fetch,
    .sat = cpu_sat,
    .blur = cpu_blur,
    .settle = cpu_settle,
    .begin = cpu_begin,
    .pause = cpu_finish,
    .finish = cpu_finish,
#define ROW(NAME, JOB, WORK) .NAME = cpu_##NAME,
    SATK_KERNELS(ROW, ROW, ROW)
#undef ROW
};
/* clang-format on */
