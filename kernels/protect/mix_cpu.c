#include "protect/mix_rule.h"

#include "common/pool.h"

static void mix_row(const void *of, int y)
{
    const satk_mix *const job = of;

    for (int x = 0; x < job->dst.width; x++)
        satk_mix_pixel(job, x, y);
}

void satk_mix_cpu(const satk_mix *job, int threads)
{
    satk_for(threads, job->dst.height, 0, mix_row, job);
}
