#include "cuda/cuda_jobs.h"

#include "cuda/cuda_device.h"
#include "cuda/cuda_memory.h"

static cudaStream_t stream_of(const satb_context *context)
{
    return ((const cuda_device *)context->device)->stream;
}

static satb_status scratch_for(satb_context *context, size_t bytes, void **scratch)
{
    return satb_cuda_reserve(context, SATB_SLOT_SCRATCH, bytes, scratch);
}

/* --- Pictures --------------------------------------------------------------------------------- */

static size_t table_bytes(const satk_sat *job)
{
    const satk_plane *const src = &job->src;

    return (size_t)src->width * (size_t)src->channels * (size_t)src->height *
           (size_t)(job->word / 8);
}

/* Cleared at first and again after SATK_SAT_BUILDS tables, otherwise as builds leave it. */
static satb_status reserve_board(satb_context *context, satk_sat *job)
{
    const size_t bytes = satk_sat_board_cuda(job);
    cuda_buffer *const buffer = &((cuda_device *)context->device)->slots[SATB_SLOT_BOARD];
    satb_status status = satb_cuda_reserve(context, SATB_SLOT_BOARD, bytes, &job->board);

    if (status != SATB_OK || bytes == 0)
        return status;
    if (buffer->builds > 0 && buffer->builds < SATK_SAT_BUILDS) {
        buffer->builds++;
        return SATB_OK;
    }
    status =
        satb_cuda_check(context, cudaMemsetAsync(job->board, 0, buffer->size, stream_of(context)),
                        "clearing a part of it");
    buffer->builds = status == SATB_OK;
    return status;
}

satb_status satb_cuda_sat(satb_context *context, satk_sat *job)
{
    satb_status status = scratch_for(context, satk_sat_scratch_cuda(job), &job->scratch);

    if (status == SATB_OK)
        status = reserve_board(context, job);
    return status != SATB_OK ? status
                             : satb_cuda_check(context, satk_sat_cuda(job, stream_of(context)),
                                               "building the table");
}

void satb_cuda_add_sat_need(satb_context *context, const satk_sat *job, satb_need *need)
{
    (void)context;
    need->bytes[SATB_SLOT_TABLE] += table_bytes(job);
    need->bytes[SATB_SLOT_SCRATCH] += satk_sat_scratch_cuda(job);
    need->bytes[SATB_SLOT_BOARD] += satk_sat_board_cuda(job);
}

static satk_sat table_of(const satk_box *job)
{
    return (satk_sat){.src = job->src, .tone = job->tone, .word = job->word};
}

void satb_cuda_add_blur_need(satb_context *context, const satk_box *job, satb_need *need)
{
    const satk_sat sat = table_of(job);
    satk_box box = *job;

    box.src.data = NULL; /* of the host; on the device it is aligned */
    box.src.pitch = 0;
    if (satk_box_fused_pays_cuda(&box))
        need->bytes[SATB_SLOT_SCRATCH] += satk_box_fused_scratch_cuda(&box);
    else
        satb_cuda_add_sat_need(context, &sat, need);
}

/* Blurs without a table in memory, so stage TABLE takes no time. */
static satb_status blur_in_one(satb_context *context, const satk_box *job)
{
    void *scratch = NULL;
    satb_status status = scratch_for(context, satk_box_fused_scratch_cuda(job), &scratch);

    if (status == SATB_OK)
        status = satb_cuda_begin(context, SATB_STAGE_BLUR);
    return status != SATB_OK
               ? status
               : satb_cuda_check(context, satk_box_fused_cuda(job, scratch, stream_of(context)),
                                 "averaging windows");
}

static satb_status blur_by_table(satb_context *context, const satk_box *job)
{
    satk_sat sat = table_of(job);
    satk_box box = *job;
    satb_status status = satb_cuda_reserve(context, SATB_SLOT_TABLE, table_bytes(&sat), &sat.table);

    if (status == SATB_OK)
        status = satb_cuda_sat(context, &sat);
    if (status == SATB_OK)
        status = satb_cuda_begin(context, SATB_STAGE_BLUR);
    box.table = sat.table;
    return status != SATB_OK ? status
                             : satb_cuda_check(context, satk_box_cuda(&box, stream_of(context)),
                                               "averaging windows");
}

satb_status satb_cuda_blur(satb_context *context, const satk_box *job)
{
    return satk_box_fused_pays_cuda(job) ? blur_in_one(context, job) : blur_by_table(context, job);
}

/* --- Kernels that run as they are ------------------------------------------------------------- */

/* Define entries of the table from rows of kernels.h: each launches a kernel. Those with scratch reserve it before, and
 * have an entry that adds it to a need. */
#define PLAIN(NAME, JOB, WORK)                                                                     \
    satb_status satb_cuda_##NAME(satb_context *context, const satk_##JOB *job)                     \
    {                                                                                              \
        return satb_cuda_check(context, satk_##NAME##_cuda(job, stream_of(context)), WORK);        \
    }
#define SCRATCH(NAME, JOB, WORK)                                                                   \
    satb_status satb_cuda_##NAME(satb_context *context, satk_##JOB *job)                           \
    {                                                                                              \
        const satb_status status =                                                                 \
            scratch_for(context, satk_##JOB##_scratch_cuda(job), &job->scratch);                   \
        return status != SATB_OK                                                                   \
                   ? status                                                                        \
                   : satb_cuda_check(context, satk_##NAME##_cuda(job, stream_of(context)), WORK);  \
    }                                                                                              \
    void satb_cuda_add_##NAME##_need(satb_context *context, const satk_##JOB *job,                 \
                                     satb_need *need)                                              \
    {                                                                                              \
        (void)context;                                                                             \
        need->bytes[SATB_SLOT_SCRATCH] += satk_##JOB##_scratch_cuda(job);                          \
    }
SATK_KERNELS(PLAIN, SCRATCH, SCRATCH)
