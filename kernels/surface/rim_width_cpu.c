#include "surface/rim_width.h"

#include "common/pool.h"
#include "surface/rim_width_rule.h"

/* Finds the widest run that begins in a row. */
static void find_in_row(const void *of, int y)
{
    const satk_rim_width *const job = of;
    const uint8_t *const kinds = job->rims.kind + (size_t)y * (size_t)job->width;
    uint32_t widest = 0;

    for (int x = 0; x < job->width; x++) {
        if (kinds[x] < SATK_RIM_SUBJECT)
            continue;
        const uint32_t width = (uint32_t)satk_rim_width_at(job, x, y);
        widest = width > widest ? width : widest;
    }
    uint32_t now = __atomic_load_n(job->widest, __ATOMIC_RELAXED);
    while (widest > now && !__atomic_compare_exchange_n(job->widest, &now, widest, 0,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

void satk_rim_width_cpu(const satk_rim_width *job, int threads)
{
    satk_for(threads, job->height, 0, find_in_row, job);
}
