#include "depth/depth_holes.h"

#include "backend/backend.h"
#include "base/memory.h"
#include "surface/fill.h"

satb_holes satb_holes_of(const satb_image *map, const satb_dof_params *params)
{
    if (params->holes != SATB_HOLES_DEFAULT)
        return params->holes;
    return map->bits == 16 && params->depth_type == SATB_DEPTH_LINEAR && params->near_black
               ? SATB_HOLES_FILL
               : SATB_HOLES_NONE;
}

static satk_fill_way way_of(satb_holes how)
{
    switch (how) {
    case SATB_HOLES_FAR: return SATK_FILL_FAR;
    case SATB_HOLES_NEAR: return SATK_FILL_NEAR;
    default: return SATK_FILL_INWARDS;
    }
}

satb_status satb_fill_holes(satb_context *context, const satb_image *map, const satb_image *picture,
                            satb_holes how, int near_black, satb_image *out, size_t *holes)
{
    const size_t row = (size_t)map->width * (size_t)map->bits / 8;
    const int threads = context->threads;
    satb_spares *const spares = &context->spares;
    uint64_t counts[SATK_FILL_COUNTS];
    satk_fill job = {.src = satb_plane_of(picture),
                     .map = satb_plane_of(map),
                     .how = way_of(how),
                     .near_black = near_black,
                     .counts = counts};

    *out = *map;
    *holes = how == SATB_HOLES_NONE ? 0 : satk_fill_count_cpu(&job.map, threads);
    if (*holes == 0)
        return SATB_OK;
    if (how == SATB_HOLES_FILL && *holes == (size_t)map->width * (size_t)map->height)
        return SATB_OK; /* no sample is known: all stay 0 */
    job.most = *holes;
    out->stride = (ptrdiff_t)row;
    out->data = satb_take(spares, row * (size_t)map->height);
    job.dst = satb_plane_of(out);
    job.scratch = satb_take(spares, satk_fill_scratch_cpu(&job, threads));
    const int whole = job.dst.data && job.scratch;
    if (whole)
        satk_fill_cpu(&job, threads);
    satb_give(spares, job.scratch);
    if (whole)
        return SATB_OK;
    satb_give(spares, out->data);
    return satb_fail(context, SATB_ERR_NOMEM, "out of memory for the holes of depth");
}
