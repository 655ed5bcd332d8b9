#include "layer/radii_rule.h"

void satk_radii_cpu(const satk_radii *job, int threads)
{
    const uint32_t codes = 1u << job->bits;

#pragma omp parallel for num_threads(threads) schedule(static) if (codes > 256)
    for (uint32_t code = 0; code < codes; code++) {
        const double radius = satk_radius_of(&job->lens, code, job->bits);
        if (job->radius)
            job->radius[code] = satk_radius_q8(radius);
        if (job->position)
            job->position[code] = satk_position_of(job->slabs, job->slab_count, radius);
    }
}
