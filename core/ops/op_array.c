/* The primitives on arrays. */
#include "backend/backend.h"
#include "base/size.h"

_Static_assert(SATB_REDUCE_ARGMAX == (int)SATK_REDUCE_ARGMAX, "the library's operators");

/* Sets *bytes to those of an array. Errors: ARG if the array or the context is missing, LIMIT if no memory can hold it. */
static satb_status check_array(satb_context *context, const char *what, const void *array,
                               size_t count, size_t word, size_t *bytes)
{
    if (!context)
        return SATB_ERR_ARG;
    if (count > 0 && !array)
        return satb_fail(context, SATB_ERR_ARG, "%s: the array is NULL", what);
    if (!satb_multiply(count, word, bytes) || *bytes > SIZE_MAX / 4)
        return satb_fail(context, SATB_ERR_LIMIT, "%s: %zu words would not fit the address space",
                         what, count);
    return SATB_OK;
}

static satb_status check_word(satb_context *context, const char *what, int bits)
{
    return bits == 32 || bits == 64 ? SATB_OK
                                    : satb_fail(context, SATB_ERR_ARG,
                                                "%s: words have %d bits, not 32 or 64", what, bits);
}

/* Begins a call whose need of memory is unknown. */
static satb_status begin(satb_context *context)
{
    const satb_backend *const b = context->backend;
    const satb_status status = b->begin(context, SATB_STAGE_UPLOAD);

    return status == SATB_OK && b->reserve_all ? b->reserve_all(context, NULL) : status;
}

/* --- Reduce ----------------------------------------------------------------------------------- */

satb_status satb_reduce(satb_context *context, const uint32_t *values, size_t count,
                        satb_reduce_op op, uint64_t *result)
{
    satk_reduce job = {.count = count, .op = (satk_reduce_op)op};
    const void *data = NULL;
    void *out = NULL;
    size_t bytes;

    satb_status status = check_array(context, "reduce", values, count, sizeof *values, &bytes);
    if (status == SATB_OK && (!result || (int)op < 0 || (int)op >= SATK_REDUCE_OPS))
        status =
            satb_fail(context, SATB_ERR_ARG, "reduce: result is NULL, or the operator is unknown");
    if (status != SATB_OK)
        return status;
    const satb_backend *const b = context->backend;
    status = begin(context);
    if (status == SATB_OK)
        status = b->upload_bytes(context, SATB_SLOT_SRC, values, bytes, 0, &data);
    if (status == SATB_OK)
        status = b->output_bytes(context, SATB_SLOT_STATS, result, sizeof *result, &out);
    job.values = data;
    job.out = out;
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_MEASURE);
    if (status == SATB_OK)
        status = b->reduce(context, &job);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_DOWNLOAD);
    if (status == SATB_OK)
        status = b->fetch(context, result, out, sizeof *result);
    if (status == SATB_OK)
        status = b->finish(context);
    return satb_settled(context, status);
}

/* --- Scan ------------------------------------------------------------------------------------- */

satb_status satb_scan(satb_context *context, const void *in, void *out, size_t count,
                      const satb_scan_params *params)
{
    const satb_scan_params p = params ? *params : (satb_scan_params){0};
    satk_scan job = {.count = count,
                     .word = p.word_bits ? p.word_bits : 32,
                     .op = p.max ? SATK_SCAN_MAX : SATK_SCAN_ADD,
                     .exclusive = p.exclusive != 0};
    size_t bytes;

    satb_status status = check_word(context, "scan", job.word);
    if (status == SATB_OK)
        status = check_array(context, "scan", in, count, (size_t)job.word / 8, &bytes);
    if (status == SATB_OK)
        status = check_array(context, "scan", out, count, (size_t)job.word / 8, &bytes);
    if (status != SATB_OK)
        return status;
    const satb_backend *const b = context->backend;
    status = begin(context);
    if (status == SATB_OK)
        status = b->upload_bytes(context, SATB_SLOT_SRC, in, bytes, 0, &job.in);
    if (status == SATB_OK)
        status = b->output_bytes(context, SATB_SLOT_DST, out, bytes, &job.out);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_MEASURE);
    if (status == SATB_OK)
        status = b->scan(context, &job);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_DOWNLOAD);
    if (status == SATB_OK)
        status = b->fetch(context, out, job.out, bytes);
    if (status == SATB_OK)
        status = b->finish(context);
    return satb_settled(context, status);
}

/* --- Compact ---------------------------------------------------------------------------------- */

static satb_status check_compact(satb_context *context, const uint32_t *in, size_t count,
                                 const uint32_t *out, const size_t *kept, size_t *bytes)
{
    satb_status status = check_array(context, "compact", in, count, sizeof(uint64_t), bytes);

    if (status == SATB_OK)
        status = check_array(context, "compact", out, count, sizeof *in, bytes);
    if (status == SATB_OK && (!kept || (count > 0 && in == out)))
        status = satb_fail(context, SATB_ERR_ARG, "compact: kept is NULL, or out is in");
    return status;
}

/* Copies the values that were kept to the caller, with their places. */
static satb_status fetch_kept(satb_context *context, const satk_compact *job, uint32_t *out,
                              uint64_t *indices, size_t *kept)
{
    const satb_backend *const b = context->backend;
    uint64_t found = 0;

    satb_status status = b->begin(context, SATB_STAGE_DOWNLOAD);
    if (status == SATB_OK)
        status = b->fetch(context, &found, job->kept, sizeof found);
    if (status == SATB_OK && found > 0)
        status = b->fetch(context, out, job->out, (size_t)found * sizeof *out);
    if (status == SATB_OK && found > 0 && indices)
        status = b->fetch(context, indices, job->indices, (size_t)found * sizeof *indices);
    *kept = (size_t)found;
    return status;
}

satb_status satb_compact(satb_context *context, const uint32_t *in, size_t count, uint32_t low,
                         uint32_t high, uint32_t *out, uint64_t *indices, size_t *kept)
{
    satk_compact job = {.count = count, .low = low, .high = high};
    const void *data = NULL;
    void *to = NULL, *places = NULL, *counted = NULL;
    size_t bytes;

    satb_status status = check_compact(context, in, count, out, kept, &bytes);
    if (status != SATB_OK)
        return status;
    const satb_backend *const b = context->backend;
    status = begin(context);
    if (status == SATB_OK)
        status = b->upload_bytes(context, SATB_SLOT_SRC, in, bytes, 0, &data);
    if (status == SATB_OK)
        status = b->output_bytes(context, SATB_SLOT_DST, out, bytes, &to);
    if (status == SATB_OK && indices)
        status = b->output_bytes(context, SATB_SLOT_RADII, indices, 2 * bytes, &places);
    if (status == SATB_OK)
        status = b->reserve(context, SATB_SLOT_STATS, sizeof *job.kept, &counted);
    job.in = data;
    job.out = to;
    job.indices = places;
    job.kept = counted;
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_MEASURE);
    if (status == SATB_OK)
        status = b->compact(context, &job);
    if (status == SATB_OK)
        status = fetch_kept(context, &job, out, indices, kept);
    if (status == SATB_OK)
        status = b->finish(context);
    return satb_settled(context, status);
}

/* --- Sort ------------------------------------------------------------------------------------- */

satb_status satb_sort(satb_context *context, void *keys, uint32_t *values, size_t count,
                      int word_bits)
{
    satk_sort job = {.count = count, .word = word_bits};
    const void *keys_there = NULL, *values_there = NULL;
    size_t bytes;

    satb_status status = check_word(context, "sort", word_bits);
    if (status == SATB_OK)
        status = check_array(context, "sort", keys, count, (size_t)word_bits / 8, &bytes);
    if (status != SATB_OK)
        return status;
    const satb_backend *const b = context->backend;
    status = begin(context);
    if (status == SATB_OK)
        status = b->upload_bytes(context, SATB_SLOT_SRC, keys, bytes, 0, &keys_there);
    if (status == SATB_OK && values)
        status = b->upload_bytes(context, SATB_SLOT_MAP, values, count * sizeof *values, 0,
                                 &values_there);
    job.keys = (void *)(uintptr_t)keys_there; /* the slot is ours to sort in */
    job.values = (uint32_t *)(uintptr_t)values_there;
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_MEASURE);
    if (status == SATB_OK)
        status = b->sort(context, &job);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_DOWNLOAD);
    if (status == SATB_OK)
        status = b->fetch(context, keys, job.keys, bytes);
    if (status == SATB_OK && values)
        status = b->fetch(context, values, job.values, count * sizeof *values);
    if (status == SATB_OK)
        status = b->finish(context);
    return satb_settled(context, status);
}
