#include "layer/radii_rule.h"

#include "common/pool.h"

static void find_radius(const void *of, int code)
{
    const satk_radii *const job = of;
    const double radius = satk_radius_of(&job->lens, (uint32_t)code, job->bits);

    if (job->radius)
        job->radius[code] = satk_radius_q8(radius);
    if (job->position)
        job->position[code] = satk_position_of(job->slabs, job->slab_count, radius);
}

void satk_radii_cpu(const satk_radii *job, int threads)
{
    satk_for(job->bits > 8 ? threads : 1, 1 << job->bits, 0, find_radius, job);
}
