/* The arithmetic of protect.h. */
#ifndef SATK_PROTECT_RULE_H
#define SATK_PROTECT_RULE_H

#include "protect/protect.h"

SATK_FN void satk_protect_pixel(const satk_protect *job, int x, int y)
{
    const uint8_t *const cover = (const uint8_t *)job->cover.data + y * job->cover.pitch;
    uint8_t *const map = (uint8_t *)job->map.data + y * job->map.pitch;

    if (cover[x] < SATK_PROTECTED)
        return;
    satk_put_code(map, (size_t)x, job->map.bits, job->code);
    job->rims.kind[(size_t)y * (size_t)job->map.width + (size_t)x] = SATK_RIM_NONE;
}

#endif
