#include "layer/radii_rule.h"

#include "common/pool.h"

static void fill_tables(const void *of, int code)
{
    satk_fill_tables(of, (uint32_t)code);
}

void satk_radii_cpu(const satk_radii *job, int threads)
{
    satk_for(job->bits > 8 ? threads : 1, 1 << job->bits, 0, fill_tables, job);
}
