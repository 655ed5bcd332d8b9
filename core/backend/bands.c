#include "backend/bands.h"

#include "backend/image.h"
#include "common/parts.h"
#include "base/memory.h"

void satb_add_plane(satb_need *need, satb_slot slot, const satb_image *image, int rows)
{
    need->bytes[slot] += satb_pitch(image) * (size_t)rows;
}

/* --- Bands ------------------------------------------------------------------------------------ */

satb_band satb_band_at(const satb_bands *bands, int i)
{
    const uint64_t height = (uint64_t)bands->height;
    satb_band band = {.first = (int)satk_part_begin(height, i, bands->count),
                      .last = (int)satk_part_begin(height, i + 1, bands->count),
                      .end = bands->height,
                      .edge = bands->edge};

    if (bands->count == 1) /* the whole picture, with its own edges alone */
        return band;
    band.begin = band.first - bands->reach;
    band.end = band.last + bands->reach;
    if (bands->edge == SATB_EDGE_SHRINK) { /* nothing is beyond the picture */
        band.begin = band.begin > 0 ? band.begin : 0;
        band.end = band.end < bands->height ? band.end : bands->height;
    }
    return band;
}

/* Returns the rows of the largest of `count` bands. */
static int most_rows(const satb_bands *bands, int count)
{
    const int rows = (bands->height + count - 1) / count + (count > 1 ? 2 * bands->reach : 0);

    return bands->edge == SATB_EDGE_SHRINK && rows > bands->height ? bands->height : rows;
}

/* --- Needs ------------------------------------------------------------------------------------ */

typedef struct cutter {
    satb_context *context;
    const satb_bands *bands;
    satb_add_need *add;
    const void *job;
    size_t limit; /* bytes of all slots, set by a fits() that failed */
} cutter;

static satb_need need_for(const cutter *c, int count)
{
    satb_need need = {{0}};

    c->add(c->context, c->job, most_rows(c->bands, count), &need);
    return need;
}

static int fits(cutter *c, int count)
{
    const satb_need need = need_for(c, count);

    return c->context->backend->fits(c->context, &need, &c->limit);
}

static size_t bytes_for(const cutter *c, int count)
{
    const satb_need need = need_for(c, count);
    size_t bytes = 0;

    for (int i = 0; i < SATB_SLOTS; i++)
        bytes += need.bytes[i];
    return bytes;
}

static size_t megabytes(const cutter *c, int count)
{
    return (bytes_for(c, count) + (1 << 20) - 1) >> 20;
}

/* Fails with the bytes of the most bands. */
static satb_status too_large(const cutter *c, int most)
{
    const size_t whole = megabytes(c, 1), row = megabytes(c, most);

    return satb_fail(c->context, SATB_ERR_DEVICE_NOMEM,
                     "%s: at least %zu MB of its memory are needed, but only %.1f MB may be used",
                     c->context->name, row < whole ? row : whole, (double)c->limit / (1 << 20));
}

size_t satb_share_of_tables(size_t limit)
{
    const size_t step = (size_t)256 << 20, share = limit / 4 / step * step;

    return share > SATK_LAYER_BYTES ? share : SATK_LAYER_BYTES;
}

/* Returns whether the whole picture fits. Tables take what pays if slots have it already, otherwise their share of the memory;
 * where that is too much, no more than they always may. */
static int fits_whole(cutter *c)
{
    c->limit = SIZE_MAX;
    c->context->most_tables = 0;
    if (fits(c, 1) && c->limit == SIZE_MAX)
        return 1;
    c->context->most_tables = satb_share_of_tables(c->limit);
    if (fits(c, 1))
        return 1;
    c->context->most_tables = SATK_LAYER_BYTES;
    return fits(c, 1);
}

/* Cuts a picture that does not fit whole. Returns the bands; 0: even the most are too large. */
static int cut_into(cutter *c)
{
    const int most = c->context->most_bands;
    int few = 1, enough = most > 0 && most < c->bands->height ? most : c->bands->height;

    if (!fits(c, enough)) {
        (void)too_large(c, enough);
        return 0;
    }
    while (enough - few > 1) { /* `few` bands do not fit, `enough` bands do */
        const int count = few + (enough - few) / 2;
        if (fits(c, count))
            enough = count;
        else
            few = count;
    }
    return enough;
}

static satb_status reserve(cutter *c, satb_bands *bands, int is_whole)
{
    satb_context *const context = c->context;
    const int count = is_whole ? 1 : cut_into(c);

    if (count == 0)
        return SATB_ERR_DEVICE_NOMEM;
    bands->count = context->memory.bands = count;
    const satb_need need = need_for(c, count);
    return context->backend->reserve_all(context, &need);
}

/* Reserves the memory again with small tables if there was less of it than the driver had said: another context may have taken
 * some. */
satb_status satb_cut(satb_context *context, satb_bands *bands, satb_add_need *add, const void *job)
{
    cutter c = {.context = context, .bands = bands, .add = add, .job = job};

    if (!context->backend->fits) {
        bands->count = context->memory.bands = 1;
        return SATB_OK;
    }
    bands->reach = bands->reach < bands->height || bands->edge != SATB_EDGE_SHRINK ? bands->reach
                                                                                   : bands->height;
    const satb_status status = reserve(&c, bands, fits_whole(&c));
    if (status != SATB_ERR_DEVICE_NOMEM)
        return status;
    const size_t bytes = bytes_for(&c, 1);
    context->most_tables = SATK_LAYER_BYTES;
    if (bytes_for(&c, 1) == bytes)
        return status;
    context->message[0] = '\0';
    return reserve(&c, bands, fits(&c, 1));
}

/* Cuts the picture. Images that kernels have left in slots would be overwritten by their own bands. So if there are bands,
 * or if the job does not fit beside those images, they are copied to the host first. */
static satb_status cut_beside_kept(satb_context *context, satb_bands *bands, const satb_banded *o)
{
    satb_status status = satb_cut(context, bands, o->add_need, o->job);
    const int lacks_memory =
        status == SATB_ERR_DEVICE_NOMEM || (status == SATB_OK && bands->count > 1);

    if (!o->call || !lacks_memory)
        return status;
    context->message[0] = '\0';
    status = satb_bring_kept(o->call, context);
    return status == SATB_OK ? satb_cut(context, bands, o->add_need, o->job) : status;
}

/* Makes *src a copy if it is dst and bands reach beyond themselves, since they would read what earlier bands have
 * written. *copy and errors: as of satb_copy_on_host(). */
static satb_status keep_source(satb_context *context, const satb_bands *bands, satb_image *src,
                               const satb_image *dst, void **copy)
{
    if (bands->count == 1 || bands->reach == 0 || src->data != dst->data)
        return SATB_OK;
    return satb_copy_on_host(context, src, src, copy);
}

static satb_status run_band(satb_context *context, const satb_banded *o, const satb_band *band)
{
    const satb_backend *const b = context->backend;
    satb_band_planes planes = {.row = band->begin,
                               .own = {band->first - band->begin, band->last - band->begin}};

    satb_status status = b->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = b->upload(context, SATB_SLOT_SRC, o->src, band, &planes.src);
    if (status == SATB_OK && o->map)
        status = b->upload(context, SATB_SLOT_MAP, o->map, band, &planes.map);
    if (status == SATB_OK && o->cover)
        status = b->upload(context, SATB_SLOT_COVER, o->cover, band, &planes.cover);
    if (status == SATB_OK)
        status = b->output(context, SATB_SLOT_DST, o->dst, band, &planes.dst);
    if (status == SATB_OK)
        status = b->begin(context, o->stage);
    if (status == SATB_OK)
        status = o->run(context, o->job, &planes);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_DOWNLOAD);
    if (status == SATB_OK)
        status = b->download(context, &planes.dst, band, o->dst);
    return status;
}

satb_status satb_run_in_bands(satb_context *context, satb_bands *bands, const satb_banded *banded)
{
    satb_banded o = *banded;
    void *copy = NULL;

    satb_status status = cut_beside_kept(context, bands, &o);
    satb_image src = *o.src; /* which may have moved to the host */
    if (status == SATB_OK)
        status = keep_source(context, bands, &src, o.dst, &copy);
    if (status == SATB_OK)
        status = o.upload_tables(context, o.job);
    o.src = &src;
    for (int i = 0; i < bands->count && status == SATB_OK; i++) {
        const satb_band band = satb_band_at(bands, i);
        status = run_band(context, &o, &band);
    }
    if (status == SATB_OK)
        status = context->backend->finish(context);
    status = satb_settled(context, status);
    satb_give(&context->spares, copy);
    return status;
}
