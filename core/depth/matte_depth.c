#include "depth/matte_depth.h"

#include "backend/backend.h"
#include "base/memory.h"
#include "matte/follow.h"

#include <string.h>

/* --- Rims: from a list to planes, and back ---------------------------------------------------- */

static size_t index_of(const satb_rim *rim, int width)
{
    return (size_t)rim->y * (size_t)width + (size_t)rim->x;
}

/* Marks the pixels of the list as rims of the map's own. */
static void mark_rims(const satb_rims *list, int width, size_t pixels, const satk_rims *planes)
{
    memset(planes->kind, SATK_RIM_NONE, pixels);
    for (size_t i = 0; i < list->count; i++)
        planes->kind[index_of(&list->at[i], width)] = SATK_RIM_EDGE;
}

/* Drops the rims of the list whose pixels are no rims of the map's own any more. */
static void drop_rims(satb_rims *list, int width, const satk_rims *planes)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++)
        if (planes->kind[index_of(&list->at[i], width)] == SATK_RIM_EDGE)
            list->at[kept++] = list->at[i];
    list->count = kept;
}

/* Adds the matte's rims. Returns 0 if memory ran out. */
static int add_rims(satb_rims *list, int width, size_t pixels, const satk_rims *planes)
{
    for (size_t i = 0; i < pixels; i++) {
        const int kind = planes->kind[i], is_near = kind == SATK_RIM_SUBJECT;
        const satb_rim rim = {.x = (int)(i % (size_t)width),
                              .y = (int)(i / (size_t)width),
                              .near = planes->near[i],
                              .far = planes->far[i],
                              .cover = planes->cover[i],
                              .kind = is_near ? SATB_RIM_SUBJECT : SATB_RIM_BEFORE_SUBJECT};
        if ((is_near || kind == SATK_RIM_BEFORE_SUBJECT) && !satb_add_rim(list, &rim))
            return 0;
    }
    return 1;
}

/* --- The map ---------------------------------------------------------------------------------- */

/* job has its memory. */
static satb_status follow(satb_context *context, const satk_follow *job, satb_rims *rims)
{
    const int width = job->map.width;
    const size_t pixels = (size_t)width * (size_t)job->map.height;

    mark_rims(rims, width, pixels, &job->rims);
    satk_follow_cpu(job, context->threads);
    drop_rims(rims, width, &job->rims);
    return add_rims(rims, width, pixels, &job->rims)
               ? SATB_OK
               : satb_fail(context, SATB_ERR_NOMEM, "out of memory for the rims of a matte");
}

satb_status satb_follow_matte(satb_context *context, const satb_image *matte, const satb_image *map,
                              int near_black, satb_rims *rims, size_t *count)
{
    const size_t pixels = (size_t)map->width * (size_t)map->height;
    satb_spares *const spares = &context->spares;
    uint64_t counts[SATK_FOLLOW_COUNTS] = {0};
    satk_follow job = {.matte = satb_plane_of(matte),
                       .map = satb_plane_of(map),
                       .dst = satb_plane_of(map),
                       .near_black = near_black,
                       .counts = counts};
    satb_status status = SATB_ERR_NOMEM;

    void *const planes = satb_take(spares, satk_rims_bytes(pixels));
    job.scratch = satb_take(spares, satk_follow_scratch_cpu(&job, context->threads));
    if (planes && job.scratch) {
        job.rims = satk_rims_in(planes, pixels);
        status = follow(context, &job, rims);
    } else
        satb_fail(context, status, "out of memory for a matte");
    satb_give(spares, planes);
    satb_give(spares, job.scratch);
    *count += counts[SATK_FOLLOWED];
    return status;
}
