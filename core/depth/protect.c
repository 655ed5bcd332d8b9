#include "depth/protect.h"

#include "backend/backend.h"
#include "backend/host.h"

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
