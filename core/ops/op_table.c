/* The summed-area table itself. */
#include "backend/bands.h"
#include "backend/image.h"
#include "base/size.h"

typedef struct tabling {
    const satb_image *src;
    satk_sat job;
    uint8_t *table; /* on the host */
} tabling;

static size_t row_words(const tabling *t)
{
    return (size_t)t->src->width * (size_t)t->src->channels;
}

static size_t row_bytes(const tabling *t)
{
    return row_words(t) * (size_t)(t->job.word / 8);
}

static void add_need(satb_context *context, const void *job, int rows, satb_need *need)
{
    const tabling *const t = job;
    satk_sat sat = t->job;

    satb_add_plane(need, SATB_SLOT_SRC, t->src, rows);
    sat.src.height = rows;
    context->backend->add_sat_need(context, &sat, need);
}

/* Adds the last row above the band to all of its rows, since a band's table begins anew. */
static void add_row_above(const tabling *t, const satb_band *band, int threads)
{
    const size_t words = row_words(t);

    if (band->first == 0)
        return;
#pragma omp parallel for num_threads(threads)
    for (int y = band->first; y < band->last; y++) {
        void *const row = t->table + (size_t)y * row_bytes(t);
        const void *const above = t->table + (size_t)(band->first - 1) * row_bytes(t);
        for (size_t i = 0; i < words; i++)
            if (t->job.word == 32)
                ((uint32_t *)row)[i] += ((const uint32_t *)above)[i];
            else
                ((uint64_t *)row)[i] += ((const uint64_t *)above)[i];
    }
}

static satb_status make_band(satb_context *context, tabling *t, const satb_band *band)
{
    const satb_backend *const b = context->backend;
    uint8_t *const host = t->table + (size_t)band->first * row_bytes(t);
    const size_t bytes = (size_t)(band->last - band->first) * row_bytes(t);

    satb_status status = b->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = b->upload(context, SATB_SLOT_SRC, t->src, band, &t->job.src);
    if (status == SATB_OK)
        status = b->output_bytes(context, SATB_SLOT_TABLE, host, bytes, &t->job.table);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_TABLE);
    if (status == SATB_OK)
        status = b->sat(context, &t->job);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_DOWNLOAD);
    if (status == SATB_OK)
        status = b->fetch(context, host, t->job.table, bytes);
    if (status == SATB_OK)
        add_row_above(t, band, context->threads);
    return status;
}

satb_status satb_table(satb_context *context, const satb_image *src, int word_bits, void *table)
{
    tabling t = {src, {.word = word_bits}, table};
    satb_bands bands;
    size_t bytes;
    satb_status status = satb_check_codes(context, src, "source");

    if (status == SATB_OK && ((word_bits != 32 && word_bits != 64) || !table))
        status = satb_fail(context, SATB_ERR_ARG,
                           "table: it is NULL, or words have neither 32 nor 64 bits");
    if (status == SATB_OK && !satb_table_bytes(src, word_bits, &bytes))
        status = satb_fail(context, SATB_ERR_LIMIT, "the table would not fit the address space");
    if (status != SATB_OK)
        return status;
    const satb_backend *const b = context->backend;
    t.job.src = satb_plane_of(src);
    bands = (satb_bands){.height = src->height};
    status = b->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = satb_cut(context, &bands, add_need, &t);
    for (int i = 0; i < bands.count && status == SATB_OK; i++) {
        const satb_band band = satb_band_at(&bands, i);
        status = make_band(context, &t, &band);
    }
    if (status == SATB_OK)
        status = b->finish(context);
    return satb_settled(context, status);
}
