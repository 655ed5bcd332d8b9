#include "protect/protect_rule.h"

void satk_protect_cpu(const satk_protect *job, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < job->map.height; y++)
        for (int x = 0; x < job->map.width; x++)
            satk_protect_pixel(job, x, y);
}
