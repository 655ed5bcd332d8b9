#include "cover/unmix_rule.h"

#include "common/pool.h"

#include <string.h>

static void unmix_row(const void *of, int y)
{
    const satk_unmix *const job = of;
    const size_t width = (size_t)job->picture.width;
    const uint8_t *const kinds = job->rims.kind + (size_t)y * width;

    for (const uint8_t *k = kinds;
         (k = memchr(k, SATK_RIM_MIXED, width - (size_t)(k - kinds))) != NULL; k++)
        satk_unmix_pixel(job, (int)(k - kinds), y);
}

void satk_unmix_cpu(const satk_unmix *job, int threads)
{
    satk_for(threads, job->picture.height, 16, unmix_row, job);
}
