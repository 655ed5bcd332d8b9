#include "protect/protect_rule.h"

#include "common/pool.h"

static void protect_row(const void *of, int y)
{
    const satk_protect *const job = of;

    for (int x = 0; x < job->map.width; x++)
        satk_protect_pixel(job, x, y);
}

void satk_protect_cpu(const satk_protect *job, int threads)
{
    satk_for(threads, job->map.height, 0, protect_row, job);
}
