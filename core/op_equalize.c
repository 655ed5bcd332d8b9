/* Histogram equalisation: luminances are counted, the counts are scanned, the scan becomes a table,
 * the table is applied. */
#include "backend.h"

#include <stdlib.h>

/* The textbook's formula. Luminances below the smallest that counts are those of invisible pixels. */
static void make_lut(const uint64_t *cdf, int bits, uint16_t *lut)
{
    const size_t codes = (size_t)1 << bits;
    const uint64_t largest = codes - 1, pixels = cdf[largest];
    uint64_t least = 0; /* the cdf of the smallest luminance: the first that is not 0 */

    for (size_t y = 0; y < codes && least == 0; y++)
        least = cdf[y];
    for (size_t y = 0; y < codes; y++)
        if (pixels == least)
            lut[y] = (uint16_t)y;
        else if (cdf[y] <= least)
            lut[y] = 0;
        else /* at most 2^31 * 2^16 */
            lut[y] =
                (uint16_t)(((cdf[y] - least) * largest + (pixels - least) / 2) / (pixels - least));
}

typedef struct tables { /* 2^bits of each */
    uint64_t *cdf;
    uint16_t *lut;
} tables;

/* Uploads, counts, scans, and makes the table. */
static satb_status prepare(satb_context *context, const satb_image *src, satk_plane *plane,
                           const tables *t)
{
    const satb_backend *const b = context->backend;
    const size_t codes = (size_t)1 << src->bits;
    satk_luma luma = {0};
    void *out = NULL;

    satb_status status = b->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = b->upload(context, SATB_SLOT_SRC, src, plane);
    if (status == SATB_OK)
        status = b->output_bytes(context, SATB_SLOT_STATS, t->cdf, codes * sizeof *t->cdf, &out);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_MEASURE);
    luma.src = *plane;
    luma.out = out;
    if (status == SATB_OK)
        status = b->luma(context, &luma);
    satk_scan scan = {.in = out, .out = out, .count = codes, .word = 64};
    if (status == SATB_OK)
        status = b->scan(context, &scan);
    if (status == SATB_OK)
        status = b->fetch(context, t->cdf, out, codes * sizeof *t->cdf);
    if (status != SATB_OK)
        return status;
    make_lut(t->cdf, src->bits, t->lut);
    return SATB_OK;
}

static satb_status run(satb_context *context, const satb_image *src, const satb_image *dst,
                       const tables *t)
{
    const satb_backend *const b = context->backend;
    satk_equalize job = {0};
    const void *lut = NULL;

    satb_status status = prepare(context, src, &job.src, t);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_EQUALIZE);
    if (status == SATB_OK)
        status =
            b->upload_bytes(context, SATB_SLOT_LUT, t->lut, sizeof *t->lut << src->bits, 0, &lut);
    job.lut = lut;
    if (status == SATB_OK)
        status = b->output(context, SATB_SLOT_DST, dst, &job.dst);
    if (status == SATB_OK)
        status = b->equalize(context, &job);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_DOWNLOAD);
    if (status == SATB_OK)
        status = b->download(context, &job.dst, dst);
    if (status == SATB_OK)
        status = b->finish(context);
    return satb_settled(context, status);
}

satb_status satb_equalize(satb_context *context, const satb_image *src, const satb_image *dst)
{
    satb_status status = satb_check_image(context, src, "source");

    if (status == SATB_OK)
        status = satb_check_output(context, src, dst);
    if (status != SATB_OK)
        return status;
    const tables t = {malloc(sizeof *t.cdf << src->bits), malloc(sizeof *t.lut << src->bits)};
    status = t.cdf && t.lut ? run(context, src, dst, &t)
                            : satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    free(t.cdf);
    free(t.lut);
    return status;
}
