#include "ops/code_counts.h"

#include <stdlib.h>

size_t satb_count_bytes(const satb_image *src, satb_subject what)
{
    return satk_histogram_bytes(what == SATB_CHANNELS ? src->channels : 1, src->bits);
}

static satb_status run(satb_context *context, const satk_plane *src, satb_subject what,
                       uint64_t *out)
{
    satk_histogram histogram = {.src = *src, .out = out};
    satk_luma luma = {.src = *src, .out = out};

    return what == SATB_CHANNELS ? context->backend->histogram(context, &histogram)
                                 : context->backend->luma(context, &luma);
}

static satb_status count_band(satb_context *context, const satb_image *src, satb_subject what,
                              const satb_band *band, satk_plane *plane, uint64_t *counts)
{
    const satb_backend *const b = context->backend;
    const size_t bytes = satb_count_bytes(src, what);
    void *out = NULL;

    satb_status status = b->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = b->upload(context, SATB_SLOT_SRC, src, band, plane);
    if (status == SATB_OK)
        status = b->output_bytes(context, SATB_SLOT_STATS, counts, bytes, &out);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_MEASURE);
    if (status == SATB_OK)
        status = run(context, plane, what, out);
    if (status == SATB_OK)
        status = b->fetch(context, counts, out, bytes);
    return status;
}

satb_status satb_count(satb_context *context, const satb_image *src, satb_subject what,
                       const satb_bands *bands, satk_plane *plane, uint64_t *counts)
{
    const size_t bytes = satb_count_bytes(src, what);
    satb_band band = satb_band_at(bands, 0);
    satb_status status = count_band(context, src, what, &band, plane, counts);
    uint64_t *const more = bands->count > 1 && status == SATB_OK ? malloc(bytes) : NULL;

    if (bands->count > 1 && status == SATB_OK && !more)
        status = satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    for (int i = 1; i < bands->count && status == SATB_OK; i++) {
        band = satb_band_at(bands, i);
        status = count_band(context, src, what, &band, plane, more);
        for (size_t code = 0; code < bytes / sizeof *more && status == SATB_OK; code++)
            counts[code] += more[code];
    }
    free(more);
    return status;
}
