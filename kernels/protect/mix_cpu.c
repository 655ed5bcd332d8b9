#include "protect/mix_rule.h"

void satk_mix_cpu(const satk_mix *job, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < job->dst.height; y++)
        for (int x = 0; x < job->dst.width; x++)
            satk_mix_pixel(job, x, y);
}
