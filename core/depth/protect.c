#include "depth/protect.h"

#include "backend/bands.h"
#include "backend/host.h"

satb_status satb_make_protect(satb_making *m)
{
    satb_context *const at = m->depth->at;
    const satb_band all = satb_whole(&m->protect);
    satk_matte_plane job = {.counts = m->numbers.protect};

    if (!m->protect.data)
        return SATB_OK;
    satb_status status =
        at->backend->upload(at, SATB_SLOT_GIVEN_PROTECT, &m->protect, &all, &job.src);
    if (status == SATB_OK)
        status = satb_plane_in(at, SATB_SLOT_PROTECT, m->src.width, m->src.height, 8, &job.dst);
    if (status == SATB_OK)
        status = at->backend->matte_plane(at, &job);
    m->depth->protect = satb_image_in(at, &job.dst);
    return status;
}

void satb_add_protect_need(const satb_making *m, satb_need *need)
{
    const satb_image *const picture = &m->depth->picture;
    const satk_matte_plane job = {.src = satb_plane_of(&m->protect), .dst = satb_surface_of(m).dst};
    satb_need own = {{0}};

    satb_add_plane(need, SATB_SLOT_GIVEN_PROTECT, &m->protect, m->protect.height);
    need->bytes[SATB_SLOT_PROTECT] += satb_plane_pitch(picture->width, 8) * (size_t)picture->height;
    m->depth->at->backend->add_matte_plane_need(m->depth->at, &job, &own);
    if (need->bytes[SATB_SLOT_SCRATCH] < own.bytes[SATB_SLOT_SCRATCH])
        need->bytes[SATB_SLOT_SCRATCH] = own.bytes[SATB_SLOT_SCRATCH];
}

satb_status satb_protect_depth(satb_context *context, satb_depth_map *depth, uint32_t code)
{
    satb_context *const at = depth->at;
    const satk_protect job = {.cover = satb_plane_of(&depth->protect),
                              .map = satb_plane_of(&depth->map),
                              .rims = depth->rims,
                              .code = code};

    satb_status status = at->backend->begin(at, SATB_STAGE_MEASURE);
    if (status == SATB_OK)
        status = at->backend->protect(at, &job);
    if (status == SATB_OK)
        status = at->backend->pause(at);
    return satb_from_host(context, at, satb_settled(at, status));
}
