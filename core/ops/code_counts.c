#include "ops/code_counts.h"

size_t satb_count_bytes(const satb_image *src, satb_subject what)
{
    return satk_histogram_bytes(what == SATB_CHANNELS ? src->channels : 1, src->bits);
}

static satb_status run(satb_context *context, const satk_plane *src, satb_subject what, int adds,
                       uint64_t *out)
{
    satk_histogram histogram = {.src = *src, .out = out, .adds = adds};
    satk_luma luma = {.src = *src, .out = out, .adds = adds};

    return what == SATB_CHANNELS ? context->backend->histogram(context, &histogram)
                                 : context->backend->luma(context, &luma);
}

satb_status satb_count(satb_context *context, const satb_image *src, satb_subject what,
                       const satb_bands *bands, satk_plane *plane, uint64_t **counts)
{
    const satb_backend *const b = context->backend;
    void *out = NULL;

    satb_status status = b->reserve(context, SATB_SLOT_STATS, satb_count_bytes(src, what), &out);
    *counts = out;
    for (int i = 0; i < bands->count && status == SATB_OK; i++) {
        const satb_band band = satb_band_at(bands, i);
        status = b->begin(context, SATB_STAGE_UPLOAD);
        if (status == SATB_OK)
            status = b->upload(context, SATB_SLOT_SRC, src, &band, plane);
        if (status == SATB_OK)
            status = b->begin(context, SATB_STAGE_MEASURE);
        if (status == SATB_OK)
            status = run(context, plane, what, i > 0, out);
    }
    return status;
}
