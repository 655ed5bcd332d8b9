#include "blur/dof_protect.h"

#include "backend/bands.h"
#include "blur/tone.h"

typedef struct mixing {
    const satb_image *src, *cover, *dst;
    satk_tone tone;
} mixing;

/* Adds the bytes of a band; the blurred picture is where other bands have their map. */
static void add_need(satb_context *context, const void *job, int rows, satb_need *need)
{
    const mixing *const m = job;

    (void)context;
    satb_add_plane(need, SATB_SLOT_SRC, m->src, rows);
    satb_add_plane(need, SATB_SLOT_MAP, m->dst, rows);
    satb_add_plane(need, SATB_SLOT_COVER, m->cover, rows);
    satb_add_plane(need, SATB_SLOT_DST, m->dst, rows);
    satb_add_tone(&m->tone, m->src->bits, need);
}

static satb_status upload_tables(satb_context *context, void *job)
{
    mixing *const m = job;

    return satb_upload_tone(context, m->src->bits, &m->tone);
}

static satb_status run_band(satb_context *context, void *job, const satb_band_planes *planes)
{
    const satk_mix mix = {.src = planes->src,
                          .blurred = planes->map,
                          .dst = planes->dst,
                          .cover = planes->cover,
                          .tone = ((const mixing *)job)->tone};

    return context->backend->mix(context, &mix);
}

satb_status satb_lay_protected(satb_context *context, const satb_image *src, satb_depth_map *depth,
                               const satb_image *dst, int gamma)
{
    mixing m = {.src = src, .cover = &depth->protect, .dst = dst};
    satb_bands bands = {.height = src->height};

    satb_status status = context->backend->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = satb_make_tone(context, src, gamma, &m.tone);
    return status == SATB_OK ? satb_run_in_bands(context, &bands,
                                                 &(satb_banded){.src = src,
                                                                .map = dst,
                                                                .cover = m.cover,
                                                                .dst = dst,
                                                                .call = &depth->call,
                                                                .stage = SATB_STAGE_BLUR,
                                                                .job = &m,
                                                                .add_need = add_need,
                                                                .upload_tables = upload_tables,
                                                                .run = run_band})
                             : satb_settled(context, status);
}
