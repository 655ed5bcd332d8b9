/* Histogram equalisation: counts luminances, scans the counts, makes a table of the scan, and applies the table. */
#include "backend/image.h"
#include "ops/code_counts.h"

#include <stdlib.h>

/* Makes the table by satblur.h's formula. Luminances below the smallest that counts belong to invisible pixels. */
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

typedef struct equalizing {
    const satb_image *src, *dst;
    uint64_t *cdf; /* 2^bits of each */
    uint16_t *lut;
} equalizing;

static size_t codes_of(const equalizing *e)
{
    return (size_t)1 << e->src->bits;
}

static satk_scan scan_of(const equalizing *e)
{
    return (satk_scan){.count = codes_of(e), .word = 64};
}

static void add_need(satb_context *context, const void *job, int rows, satb_need *need)
{
    const equalizing *const e = job;
    const satk_scan scan = scan_of(e);

    satb_add_plane(need, SATB_SLOT_SRC, e->src, rows);
    satb_add_plane(need, SATB_SLOT_DST, e->dst, rows);
    need->bytes[SATB_SLOT_STATS] += codes_of(e) * sizeof *e->cdf;
    need->bytes[SATB_SLOT_LUT] += codes_of(e) * sizeof *e->lut;
    context->backend->add_scan_need(context, &scan, need);
}

/* Counts, scans, makes the table, and copies it to where kernels read it. */
static satb_status prepare_lut(satb_context *context, const equalizing *e, const satb_bands *bands,
                               satk_equalize *job)
{
    const satb_backend *const b = context->backend;
    const size_t bytes = codes_of(e) * sizeof *e->cdf;
    satk_scan scan = scan_of(e);
    const void *lut = NULL;

    satb_status status = satb_count(context, e->src, SATB_LUMINANCE, bands, &job->src, e->cdf);
    if (status == SATB_OK)
        status = b->upload_bytes(context, SATB_SLOT_STATS, e->cdf, bytes, 0, &scan.in);
    if (status == SATB_OK)
        status = b->output_bytes(context, SATB_SLOT_STATS, e->cdf, bytes, &scan.out);
    if (status == SATB_OK)
        status = b->scan(context, &scan);
    if (status == SATB_OK)
        status = b->fetch(context, e->cdf, scan.out, bytes);
    if (status == SATB_OK)
        make_lut(e->cdf, e->src->bits, e->lut);
    if (status == SATB_OK)
        status =
            b->upload_bytes(context, SATB_SLOT_LUT, e->lut, codes_of(e) * sizeof *e->lut, 0, &lut);
    job->lut = lut;
    return status;
}

/* Applies the table to a band. is_there: the band is in its slot since it was counted. */
static satb_status equalize_band(satb_context *context, const equalizing *e, int is_there,
                                 const satb_band *band, satk_equalize *job)
{
    const satb_backend *const b = context->backend;
    satb_status status = SATB_OK;

    if (!is_there)
        status = b->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK && !is_there)
        status = b->upload(context, SATB_SLOT_SRC, e->src, band, &job->src);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_EQUALIZE);
    if (status == SATB_OK)
        status = b->output(context, SATB_SLOT_DST, e->dst, band, &job->dst);
    if (status == SATB_OK)
        status = b->equalize(context, job);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_DOWNLOAD);
    if (status == SATB_OK)
        status = b->download(context, &job->dst, band, e->dst);
    return status;
}

static satb_status run_equalize(satb_context *context, const equalizing *e)
{
    const satb_backend *const b = context->backend;
    satb_bands bands = {.height = e->src->height};
    satk_equalize job = {0};

    satb_status status = b->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = satb_cut(context, &bands, add_need, e);
    if (status == SATB_OK)
        status = prepare_lut(context, e, &bands, &job);
    for (int i = 0; i < bands.count && status == SATB_OK; i++) {
        const satb_band band = satb_band_at(&bands, i);
        status = equalize_band(context, e, bands.count == 1, &band, &job);
    }
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
    const equalizing e = {src, dst, malloc(sizeof *e.cdf << src->bits),
                          malloc(sizeof *e.lut << src->bits)};
    status = e.cdf && e.lut ? run_equalize(context, &e)
                            : satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    free(e.cdf);
    free(e.lut);
    return status;
}
