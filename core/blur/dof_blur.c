#include "blur/dof_blur.h"

#include "blur/tone.h"

void satb_add_dof_need(const satb_dof_blur *blur, const satk_tone *tone, size_t table_bytes,
                       int rows, satb_need *need)
{
    satb_add_plane(need, SATB_SLOT_SRC, blur->src, rows);
    satb_add_plane(need, SATB_SLOT_DST, blur->dst, rows);
    satb_add_plane(need, SATB_SLOT_MAP, blur->map, rows);
    if (blur->cover)
        satb_add_plane(need, SATB_SLOT_COVER, blur->cover, rows);
    satb_add_tone(tone, blur->src->bits, need);
    need->bytes[SATB_SLOT_RADII] += table_bytes;
}

satb_status satb_upload_dof_tables(satb_context *context, const satb_dof_blur *blur,
                                   satk_tone *tone, size_t table_bytes, const void **table)
{
    const satb_status status = satb_upload_tone(context, blur->src->bits, tone);

    return status == SATB_OK ? context->backend->upload_bytes(context, SATB_SLOT_RADII, *table,
                                                              table_bytes, 0, table)
                             : status;
}

satb_status satb_run_dof_bands(satb_context *context, const satb_dof_blur *blur, satb_bands bands,
                               satb_banded work)
{
    work.src = blur->src;
    work.map = blur->map;
    work.cover = blur->cover;
    work.dst = blur->dst;
    work.call = &blur->depth->call;
    work.stage = SATB_STAGE_BLUR;
    bands.height = blur->src->height;
    return satb_run_in_bands(context, &bands, &work);
}
