/* The primitives on a CUDA device: scratch memory, then the launch. */
#include "cuda/cuda.h"

static cudaStream_t stream_of(const satb_context *context)
{
    return ((const cuda_device *)context->device)->stream;
}

/* The scratch of a job whose launch is to follow. */
static satb_status reserve_scratch(satb_context *context, size_t bytes, void **scratch)
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

/* Zero at first, then as builds leave it. */
static satb_status reserve_board(satb_context *context, satk_sat *job)
{
    const satb_slot slot = board_of(job);
    const size_t bytes = satk_sat_board_cuda(job);
    cuda_buffer *const buffer = &((cuda_device *)context->device)->slots[slot];
    satb_status status = satb_cuda_reserve(context, slot, bytes, &job->board);

    if (status != SATB_OK || bytes == 0 || buffer->is_filled)
        return status;
    status =
        satb_cuda_check(context, cudaMemsetAsync(job->board, 0, buffer->size, stream_of(context)),
                        "clearing a part of it");
    buffer->is_filled = status == SATB_OK;
    return status;
}

satb_status satb_cuda_sat(satb_context *context, satk_sat *job)
{
    satb_status status = reserve_scratch(context, satk_sat_scratch_cuda(job), &job->scratch);

    if (status == SATB_OK)
        status = reserve_board(context, job);
    return status != SATB_OK ? status
                             : satb_cuda_check(context, satk_sat_cuda(job, stream_of(context)),
                                               "building the table");
}

void satb_cuda_add_sat_room(satb_context *context, const satk_sat *job, satb_room *room)
{
    (void)context;
    room->bytes[SATB_SLOT_TABLE] += table_bytes(job);
    room->bytes[SATB_SLOT_SCRATCH] += satk_sat_scratch_cuda(job);
    room->bytes[board_of(job)] += satk_sat_board_cuda(job);
}

static satk_sat table_of(const satb_context *context, const satk_box *job)
{
    return (satk_sat){.src = job->src,
                      .tone = job->tone,
                      .word = job->word,
                      .variant = (satk_sat_variant)context->sat};
}

void satb_cuda_add_blur_room(satb_context *context, const satk_box *job, satb_room *room)
{
    const satk_sat sat = table_of(context, job);
    satk_box box = *job;

    box.src.data = NULL; /* the host's: on the device it is aligned */
    box.src.pitch = 0;
    if (satk_box_fused_pays_cuda(&box))
        room->bytes[SATB_SLOT_SCRATCH] += satk_box_fused_scratch_cuda(&box);
    else
        satb_cuda_add_sat_room(context, &sat, room);
}

/* Stage TABLE is nothing then: it is made where it is read. */
static satb_status blur_in_one(satb_context *context, const satk_box *job)
{
    void *scratch = NULL;
    satb_status status = reserve_scratch(context, satk_box_fused_scratch_cuda(job), &scratch);

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

satb_status satb_cuda_layer(satb_context *context, satk_layer *job)
{
    const satb_status status =
        reserve_scratch(context, satk_layer_scratch_cuda(job), &job->scratch);

    return status != SATB_OK ? status
                             : satb_cuda_check(context, satk_layer_cuda(job, stream_of(context)),
                                               "blurring layers");
}

void satb_cuda_add_layer_room(satb_context *context, const satk_layer *job, satb_room *room)
{
    (void)context;
    room->bytes[SATB_SLOT_SCRATCH] += satk_layer_scratch_cuda(job);
}

satb_status satb_cuda_spread(satb_context *context, satk_spread *job)
{
    const satb_status status =
        reserve_scratch(context, satk_spread_scratch_cuda(job), &job->scratch);

    return status != SATB_OK ? status
                             : satb_cuda_check(context, satk_spread_cuda(job, stream_of(context)),
                                               "spreading light");
}

void satb_cuda_add_spread_room(satb_context *context, const satk_spread *job, satb_room *room)
{
    (void)context;
    room->bytes[SATB_SLOT_SCRATCH] += satk_spread_scratch_cuda(job);
}

satb_status satb_cuda_find_lights(satb_context *context, satk_highlight *job)
{
    return satb_cuda_check(context, satk_highlight_find_cuda(job, stream_of(context)),
                           "finding lights");
}

satb_status satb_cuda_add_lights(satb_context *context, satk_highlight *job)
{
    const satb_status status =
        reserve_scratch(context, satk_highlight_scratch_cuda(job), &job->scratch);

    return status != SATB_OK
               ? status
               : satb_cuda_check(context, satk_highlight_add_cuda(job, stream_of(context)),
                                 "adding lights");
}

void satb_cuda_add_lights_room(satb_context *context, const satk_highlight *job, satb_room *room)
{
    (void)context;
    room->bytes[SATB_SLOT_SCRATCH] += satk_highlight_scratch_cuda(job);
}

satb_status satb_cuda_surface(satb_context *context, satk_surface *job)
{
    const satb_status status =
        reserve_scratch(context, satk_surface_scratch_cuda(job), &job->scratch);

    return status != SATB_OK ? status
                             : satb_cuda_check(context, satk_surface_cuda(job, stream_of(context)),
                                               "finding surfaces of depth");
}

void satb_cuda_add_surface_room(satb_context *context, const satk_surface *job, satb_room *room)
{
    (void)context;
    room->bytes[SATB_SLOT_SCRATCH] += satk_surface_scratch_cuda(job);
}

satb_status satb_cuda_histogram(satb_context *context, satk_histogram *job)
{
    return satb_cuda_check(context, satk_histogram_cuda(job, stream_of(context)), "counting");
}

satb_status satb_cuda_luma(satb_context *context, satk_luma *job)
{
    return satb_cuda_check(context, satk_luma_cuda(job, stream_of(context)), "counting luminances");
}

satb_status satb_cuda_equalize(satb_context *context, const satk_equalize *job)
{
    return satb_cuda_check(context, satk_equalize_cuda(job, stream_of(context)), "equalising");
}

/* --- Arrays ----------------------------------------------------------------------------------- */

satb_status satb_cuda_reduce(satb_context *context, satk_reduce *job)
{
    const satb_status status =
        reserve_scratch(context, satk_reduce_scratch_cuda(job), &job->scratch);

    return status != SATB_OK
               ? status
               : satb_cuda_check(context, satk_reduce_cuda(job, stream_of(context)), "reducing");
}

satb_status satb_cuda_scan(satb_context *context, satk_scan *job)
{
    const satb_status status = reserve_scratch(context, satk_scan_scratch_cuda(job), &job->scratch);

    return status != SATB_OK
               ? status
               : satb_cuda_check(context, satk_scan_cuda(job, stream_of(context)), "scanning");
}

void satb_cuda_add_scan_room(satb_context *context, const satk_scan *job, satb_room *room)
{
    (void)context;
    room->bytes[SATB_SLOT_SCRATCH] += satk_scan_scratch_cuda(job);
}

satb_status satb_cuda_compact(satb_context *context, satk_compact *job)
{
    const satb_status status =
        reserve_scratch(context, satk_compact_scratch_cuda(job), &job->scratch);

    return status != SATB_OK
               ? status
               : satb_cuda_check(context, satk_compact_cuda(job, stream_of(context)), "compacting");
}

satb_status satb_cuda_sort(satb_context *context, satk_sort *job)
{
    const satb_status status = reserve_scratch(context, satk_sort_scratch_cuda(job), &job->scratch);

    return status != SATB_OK
               ? status
               : satb_cuda_check(context, satk_sort_cuda(job, stream_of(context)), "sorting");
}
