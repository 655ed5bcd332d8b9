#include "depth/depth_surfaces.h"

#include "backend/bands.h"
#include "depth/depth_levels.h"
#include "depth/depth_mask.h"
#include "base/size.h"
#include "surface/surface_rule.h"
#include "base/tone_tables.h"

typedef struct finding {
    const satb_image *map, *picture;
    uint32_t linear[256]; /* 14-bit linear light of codes of 8 bits */
    satk_surface job;
} finding;

/* The numbers, in the same order on the host and the device: the job's counts, and behind them the count of each code in
 * the result, and in the map. */
enum { COUNTS = SATK_SURFACE_COUNTS };

static size_t number_bytes(const finding *f)
{
    return COUNTS * sizeof(uint64_t) + 2 * satk_histogram_bytes(1, f->map->bits);
}

static int fits(satb_context *context, const finding *f, satb_need *need)
{
    size_t limit;

    *need = (satb_need){{0}};
    satb_add_plane(need, SATB_SLOT_SRC, f->picture, f->picture->height);
    satb_add_plane(need, SATB_SLOT_MAP, f->map, f->map->height);
    satb_add_plane(need, SATB_SLOT_DST, f->map, f->map->height);
    need->bytes[SATB_SLOT_STATS] += number_bytes(f);
    need->bytes[SATB_SLOT_SURFACES] += sizeof f->linear;
    context->backend->add_surface_need(context, &f->job, need);
    return context->backend->fits(context, need, &limit);
}

static satb_status upload_job(satb_context *context, finding *f)
{
    const satb_backend *const b = context->backend;
    const satb_band all = satb_whole(f->map);
    const void *copied = NULL;
    void *numbers = NULL;

    satb_status status = b->upload(context, SATB_SLOT_SRC, f->picture, &all, &f->job.src);
    if (status == SATB_OK)
        status = b->upload(context, SATB_SLOT_MAP, f->map, &all, &f->job.map);
    if (status == SATB_OK)
        status = b->output(context, SATB_SLOT_DST, f->map, &all, &f->job.cut);
    if (status == SATB_OK) /* in place: the slot does not hold f->map any more */
        status = b->output(context, SATB_SLOT_MAP, f->map, &all, &f->job.dst);
    if (status == SATB_OK)
        status =
            b->upload_bytes(context, SATB_SLOT_SURFACES, f->linear, sizeof f->linear, 1, &copied);
    if (status == SATB_OK)
        status = b->output_bytes(context, SATB_SLOT_STATS, NULL, number_bytes(f), &numbers);
    f->job.linear = copied;
    f->job.counts = numbers;
    return status;
}

/* Counts the map's codes, finds edges and mixed pixels, and counts the codes of the result. */
static satb_status run(satb_context *context, const satk_surface *job)
{
    const satb_backend *const b = context->backend;
    const size_t codes = (size_t)1 << job->map.bits;
    satk_surface surface = *job;
    satk_histogram before = {.src = job->map, .out = job->counts + COUNTS + codes};
    satk_histogram after = {.src = job->dst, .out = job->counts + COUNTS};

    satb_status status = b->histogram(context, &before);
    if (status == SATB_OK)
        status = b->surface(context, &surface);
    return status == SATB_OK ? b->histogram(context, &after) : status;
}

/* Fetches the numbers; the map stays on the device. */
static satb_status download(satb_context *context, const finding *f, uint64_t *host)
{
    const int bytes = (int)number_bytes(f);
    const satb_image numbers = {
        .data = host, .stride = bytes, .width = bytes, .height = 1, .channels = 1, .bits = 8};
    const satb_band row = satb_whole(&numbers);
    satk_plane counts = satb_plane_of(&numbers);

    counts.data = f->job.counts;
    return context->backend->download(context, &counts, &row, &numbers);
}

/* Does all steps with one wait. host: memory for the numbers. */
static satb_status find_surfaces(satb_context *context, finding *f, const satb_need *need,
                                 uint64_t *host)
{
    const satb_backend *const b = context->backend;

    satb_status status = b->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = b->reserve_all(context, need);
    if (status == SATB_OK)
        status = upload_job(context, f);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_MEASURE);
    if (status == SATB_OK)
        status = run(context, &f->job);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_DOWNLOAD);
    if (status == SATB_OK)
        status = download(context, f, host);
    if (status == SATB_OK)
        status = b->finish(context);
    return satb_settled(context, status);
}

/* Returns the map in its slot, for the context's further work. */
static satb_surfaces found_in(satb_context *context, const finding *f, const uint64_t *counts)
{
    satb_surfaces found = {.map = *f->map,
                           .snapped = counts[SATK_RAMPS],
                           .mixed = counts[SATK_MIXED],
                           .counted = counts + COUNTS,
                           .is_made = 1};

    const size_t codes = (size_t)1 << f->map->bits;
    const uint64_t *const before = counts + COUNTS + codes;
    const uint64_t samples = (uint64_t)f->map->width * (uint64_t)f->map->height;

    if (satk_is_wide(f->map->width, f->map->height, counts[SATK_EDGES], counts[SATK_RAMPS]) ||
        satb_counts_mask(before[0], before[codes - 1], samples))
        return (satb_surfaces){0};
    found.map.data = f->job.dst.data;
    found.map.stride = f->job.dst.pitch;
    found.map.on_device = 1;
    context->backend->retain(context, SATB_SLOT_MAP);
    return found;
}

/* 1: the host has to do it. If a picture was cut into bands, the memory does not hold two kinds of work in turn. */
static int is_host_work(const satb_context *context, const satb_image *map,
                        const satb_image *picture)
{
    return !context->backend->surface || context->memory.bands > 1 ||
           map->width != picture->width || map->height != picture->height ||
           map->width < SATB_LEAST_SIDE || map->height < SATB_LEAST_SIDE;
}

satb_status satb_find_surfaces(satb_context *context, const satb_image *map,
                               const satb_image *picture, int near_black, satb_surfaces *found)
{
    finding f = {.map = map,
                 .picture = picture,
                 .job = {.src = satb_plane_of(picture),
                         .map = satb_plane_of(map),
                         .near_black = near_black}};
    satb_need need;
    uint64_t *host;

    *found = (satb_surfaces){0};
    if (is_host_work(context, map, picture) || !fits(context, &f, &need) ||
        !(host = context->backend->host_buffer(context, number_bytes(&f))))
        return SATB_OK;
    satb_fill_decode(8, f.linear);
    const satb_status status = find_surfaces(context, &f, &need, host);
    if (status == SATB_ERR_DEVICE_NOMEM) { /* others have taken it since */
        context->message[0] = '\0';
        return SATB_OK;
    }
    context->keeps_images = status == SATB_OK; /* until satb_close_depth_map() */
    if (status == SATB_OK)
        *found = found_in(context, &f, host);
    return status;
}
