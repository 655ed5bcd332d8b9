#include "depth/shown.h"

#include "backend/bands.h"
#include "base/tone_tables.h"
#include "depth/depth_planes.h"

#include <stdlib.h>

enum { TO_CODES, TO_HALVES };

static size_t table_bytes(void)
{
    return SATB_HALVES * sizeof(uint16_t);
}

/* Copies a table, which the context keeps, to where kernels read it. */
static satb_status upload_table(satb_context *context, int which, satb_slot slot,
                                void (*fill)(uint16_t *), const uint16_t **table)
{
    const void *there = NULL;

    if (!context->shown[which]) {
        context->shown[which] = malloc(table_bytes());
        if (!context->shown[which])
            return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
        fill(context->shown[which]);
    }
    const satb_status status = context->backend->upload_bytes(context, slot, context->shown[which],
                                                              table_bytes(), 1, &there);
    *table = there;
    return status;
}

satb_status satb_show(satb_context *context, const satk_plane *halves, satk_plane *shown)
{
    satk_show job = {.halves = *halves, .codes = *halves};

    job.codes.pitch =
        satb_plane_like(halves->width * halves->channels, halves->height, halves->bits).pitch;
    satb_status status =
        upload_table(context, TO_CODES, SATB_SLOT_TO_CODES, satb_fill_shown, &job.shown);
    if (status == SATB_OK)
        status = context->backend->reserve(context, SATB_SLOT_SHOWN,
                                           (size_t)job.codes.pitch * (size_t)halves->height,
                                           &job.codes.data);
    *shown = job.codes;
    return status == SATB_OK ? context->backend->show(context, &job) : status;
}

satb_status satb_unshow(satb_context *context, const satk_plane *halves, const satk_plane *codes)
{
    satk_show job = {.halves = *halves, .codes = *codes};

    satb_status status =
        upload_table(context, TO_CODES, SATB_SLOT_TO_CODES, satb_fill_shown, &job.shown);
    if (status == SATB_OK)
        status =
            upload_table(context, TO_HALVES, SATB_SLOT_TO_HALVES, satb_fill_unshown, &job.unshown);
    return status == SATB_OK ? context->backend->unshow(context, &job) : status;
}

satb_status satb_add_shown_need(const satb_image *picture, satb_need *need)
{
    satb_add_plane(need, SATB_SLOT_SHOWN, picture, picture->height);
    need->bytes[SATB_SLOT_TO_CODES] += table_bytes();
    need->bytes[SATB_SLOT_TO_HALVES] += table_bytes();
    return SATB_OK;
}
