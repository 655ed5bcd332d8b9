/* Histogram equalisation: counts luminances, scans the counts, makes a table of the scan, and applies the table. Nothing of
 * it comes to the host. */
#include "backend/image.h"
#include "ops/code_counts.h"

typedef struct equalizing {
    const satb_image *src, *dst;
} equalizing;

static size_t codes_of(const equalizing *e)
{
    return (size_t)1 << e->src->bits;
}

static size_t lut_bytes(const equalizing *e)
{
    return codes_of(e) * sizeof(uint16_t);
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
    need->bytes[SATB_SLOT_STATS] += satb_count_bytes(e->src, SATB_LUMINANCE);
    need->bytes[SATB_SLOT_LUT] += lut_bytes(e);
    context->backend->add_scan_need(context, &scan, need);
}

/* Counts, scans in place, and makes the table. */
static satb_status make_lut(satb_context *context, const equalizing *e, const satb_bands *bands,
                            satk_equalize *job)
{
    const satb_backend *const b = context->backend;
    satk_scan scan = scan_of(e);
    uint64_t *counts = NULL;
    void *lut = NULL;

    satb_status status = satb_count(context, e->src, SATB_LUMINANCE, bands, &job->src, &counts);
    if (status == SATB_OK)
        status = b->reserve(context, SATB_SLOT_LUT, lut_bytes(e), &lut);
    scan.in = scan.out = counts;
    if (status == SATB_OK)
        status = b->scan(context, &scan);
    job->lut = lut;
    return status == SATB_OK
               ? b->equal_lut(context,
                              &(satk_equal_lut){.cdf = counts, .lut = lut, .bits = e->src->bits})
               : status;
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
        status = make_lut(context, e, &bands, &job);
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
    satb_status status = satb_check_codes(context, src, "source");

    if (status == SATB_OK)
        status = satb_check_output(context, src, dst);
    if (status != SATB_OK)
        return status;
    const equalizing e = {src, dst};
    return run_equalize(context, &e);
}
