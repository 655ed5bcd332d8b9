#include "surface/rim_codes.h"

#include "common/parts.h"
#include "common/pool.h"

#include <string.h>

typedef struct parts {
    const satk_rim_codes *job;
    int count;
} parts;

/* Marks the codes of rims among up to eight pixels. */
static void mark_eight(const satk_rim_codes *job, size_t first, size_t count)
{
    uint64_t kinds = 0;

    memcpy(&kinds, job->rims.kind + first, count);
    for (size_t k = first; kinds && k < first + count; k++)
        if (job->rims.kind[k] != SATK_RIM_NONE) {
            const uint32_t code = job->rims.near[k];
            __atomic_fetch_or(&job->out[code / 32], (uint32_t)1 << code % 32, __ATOMIC_RELAXED);
        }
}

static void mark_part(const void *of, int part)
{
    const parts *const p = of;
    const size_t end = satk_part_begin(p->job->pixels, part + 1, p->count);

    for (size_t i = satk_part_begin(p->job->pixels, part, p->count); i < end; i += 8)
        mark_eight(p->job, i, end - i < 8 ? end - i : 8);
}

/* Rims are few, so eight pixels are looked at at a time. */
void satk_rim_codes_cpu(const satk_rim_codes *job, int threads)
{
    memset(job->out, 0, ((size_t)1 << job->bits) / 8);
    satk_for(threads, threads, 1, mark_part, &(parts){job, threads});
}
