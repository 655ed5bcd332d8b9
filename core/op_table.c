/* The summed-area table itself, for those who want to read it. */
#include "backend.h"
#include "size.h"

satb_status satb_table(satb_context *context, const satb_image *src, int word_bits, void *table)
{
    const satb_backend *const b = context->backend;
    satk_sat job = {.word = word_bits, .variant = (satk_sat_variant)context->sat};
    size_t bytes;
    satb_status status = satb_check_image(context, src, "source");

    if (status == SATB_OK && ((word_bits != 32 && word_bits != 64) || !table))
        status = satb_fail(context, SATB_ERR_ARG, "table: no memory, or not of 32 or 64 bits");
    if (status == SATB_OK && !satb_table_bytes(src, word_bits, &bytes))
        status = satb_fail(context, SATB_ERR_LIMIT, "the table would not fit the address space");
    if (status != SATB_OK)
        return status;
    status = b->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = b->upload(context, SATB_SLOT_SRC, src, &job.src);
    if (status == SATB_OK)
        status = b->output_bytes(context, SATB_SLOT_TABLE, table, bytes, &job.table);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_TABLE);
    if (status == SATB_OK)
        status = b->sat(context, &job);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_DOWNLOAD);
    if (status == SATB_OK)
        status = b->fetch(context, table, job.table, bytes);
    if (status == SATB_OK)
        status = b->finish(context);
    return satb_settled(context, status);
}
