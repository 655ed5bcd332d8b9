/* From codes of depth to codes of circles, in IEEE double precision and one order of operations on host and device. */
#ifndef SATK_COC_RULE_H
#define SATK_COC_RULE_H

#include "layer/coc.h"
#include "layer/radii_rule.h"

/* Returns the bytes of a table by code of the map. Radii take divisions, and a picture has far more pixels than codes. */
SATK_FN size_t satk_coc_table_bytes(const satk_coc *job)
{
    return sizeof(uint16_t) << job->src.bits;
}

SATK_FN uint16_t satk_coc_of(const satk_coc *job, uint32_t code)
{
    const double radius = satk_radius_of(&job->lens, code, job->src.bits);
    const double part = job->full > 0 ? SATK_COC_MOST * radius / job->full : 0;
    const int steps = satk_rounded(part < 0 ? -part : part);

    return (uint16_t)(part < 0 ? SATK_COC_ZERO - steps : SATK_COC_ZERO + steps);
}

#endif
