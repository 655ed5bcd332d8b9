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

static satb_slot board_of(const satk_sat *job)
{
    switch (satk_sat_way_cuda(job)) {
    case SATK_WAY_BANDS: return SATB_SLOT_BANDS;
    default: return SATB_SLOT_BOARD;
    }
}

/* Cleared at first and again after SATK_SAT_BUILDS tables, otherwise as builds leave it. */
static satb_status reserve_board(satb_context *context, satk_sat *job)
{
    const satb_slot slot = board_of(job);
    const size_t bytes = satk_sat_board_cuda(job);
    cuda_buffer *const buffer = &((cuda_device *)context->device)->slots[slot];
    satb_status status = satb_cuda_reserve(context, slot, bytes, &job->board);

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
    need->bytes[board_of(job)] += satk_sat_board_cuda(job);
}

static satk_sat table_of(const satb_context *context, const satk_box *job)
{
    return (satk_sat){.src = job->src,
                      .tone = job->tone,
                      .word = job->word,
                      .variant = (satk_sat_variant)context->sat};
}

void satb_cuda_add_blur_need(satb_context *context, const satk_box *job, satb_need *need)
{
    const satk_sat sat = table_of(context, job);
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
    satk_sat sat = table_of(context, job);
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

satb_status satb_cuda_find_lights(satb_context *context, satk_highlight *job)
{
    const satb_status status =
        scratch_for(context, satk_highlight_scratch_cuda(job), &job->scratch);

    return status != SATB_OK
               ? status
               : satb_cuda_check(context, satk_highlight_find_cuda(job, stream_of(context)),
                                 "finding lights");
}

satb_status satb_cuda_add_lights(satb_context *context, satk_highlight *job)
{
    const satb_status status =
        scratch_for(context, satk_highlight_scratch_cuda(job), &job->scratch);

    return status != SATB_OK
               ? status
               : satb_cuda_check(context, satk_highlight_add_cuda(job, stream_of(context)),
                                 "adding lights");
}

/* --- The others ------------------------------------------------------------------------------- */

/* Defines an entry of the table that reserves a kernel's scratch and launches the kernel. what: for a message. */
#define DEFINE_ENTRY(entry, kernel, what)                                                          \
    satb_status satb_cuda_##entry(satb_context *context, kernel *job)                              \
    {                                                                                              \
        const satb_status status =                                                                 \
            scratch_for(context, kernel##_scratch_cuda(job), &job->scratch);                       \
        return status != SATB_OK                                                                   \
                   ? status                                                                        \
                   : satb_cuda_check(context, kernel##_cuda(job, stream_of(context)), what);       \
    }
DEFINE_ENTRY(coc, satk_coc, "drawing radii")
DEFINE_ENTRY(layer, satk_layer, "blurring layers")
DEFINE_ENTRY(spread, satk_spread, "spreading light")
DEFINE_ENTRY(resample, satk_resample, "resampling a map")
DEFINE_ENTRY(surface, satk_surface, "finding surfaces of depth")
DEFINE_ENTRY(cover, satk_cover, "covering rims")
DEFINE_ENTRY(matte_plane, satk_matte_plane, "reading a matte")
DEFINE_ENTRY(follow, satk_follow, "following a matte")
DEFINE_ENTRY(separate, satk_separate, "separating colours")
DEFINE_ENTRY(fill, satk_fill, "filling holes of depth")
DEFINE_ENTRY(reduce, satk_reduce, "reducing")
DEFINE_ENTRY(scan, satk_scan, "scanning")
DEFINE_ENTRY(compact, satk_compact, "compacting")
DEFINE_ENTRY(sort, satk_sort, "sorting")
#undef DEFINE_ENTRY

/* Defines an entry of a kernel without scratch. */
#define DEFINE_ENTRY(entry, job_type, what)                                                        \
    satb_status satb_cuda_##entry(satb_context *context, job_type *job)                            \
    {                                                                                              \
        return satb_cuda_check(context, satk_##entry##_cuda(job, stream_of(context)), what);       \
    }
DEFINE_ENTRY(histogram, satk_histogram, "counting")
DEFINE_ENTRY(luma, satk_luma, "counting luminances")
DEFINE_ENTRY(codes, satk_codes, "finding codes")
DEFINE_ENTRY(rim_codes, const satk_rim_codes, "finding codes of rims")
DEFINE_ENTRY(show, const satk_show, "showing half floats")
DEFINE_ENTRY(unshow, const satk_show, "making half floats")
DEFINE_ENTRY(protect, const satk_protect, "protecting pixels")
DEFINE_ENTRY(mix, const satk_mix, "mixing pictures")
DEFINE_ENTRY(radii, const satk_radii, "making radii")
DEFINE_ENTRY(patches, const satk_patches, "summing patches")
DEFINE_ENTRY(equal_lut, const satk_equal_lut, "making a table of luminances")
DEFINE_ENTRY(equalize, const satk_equalize, "equalising")
#undef DEFINE_ENTRY

/* Defines the entry that adds what a kernel needs, which is its scratch. */
#define DEFINE_NEED(entry, kernel)                                                                 \
    void satb_cuda_add_##entry##_need(satb_context *context, const kernel *job, satb_need *need)   \
    {                                                                                              \
        (void)context;                                                                             \
        need->bytes[SATB_SLOT_SCRATCH] += kernel##_scratch_cuda(job);                              \
    }
DEFINE_NEED(coc, satk_coc)
DEFINE_NEED(layer, satk_layer)
DEFINE_NEED(spread, satk_spread)
DEFINE_NEED(lights, satk_highlight)
DEFINE_NEED(surface, satk_surface)
DEFINE_NEED(cover, satk_cover)
DEFINE_NEED(matte_plane, satk_matte_plane)
DEFINE_NEED(follow, satk_follow)
DEFINE_NEED(separate, satk_separate)
DEFINE_NEED(fill, satk_fill)
DEFINE_NEED(scan, satk_scan)
#undef DEFINE_NEED
