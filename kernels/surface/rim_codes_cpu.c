#include "surface/rim_codes.h"

#include <string.h>

/* Rims are few, so eight pixels are looked at at a time. */
void satk_rim_codes_cpu(const satk_rim_codes *job, int threads)
{
    const satk_rims *const rims = &job->rims;
    const int64_t eights = (int64_t)(job->pixels / 8), rest = (int64_t)job->pixels - 8 * eights;

    memset(job->out, 0, ((size_t)1 << job->bits) / 8);
#pragma omp parallel for num_threads(threads)
    for (int64_t i = 0; i <= eights; i++) {
        const size_t first = 8 * (size_t)i, count = i < eights ? 8 : (size_t)rest;
        uint64_t kinds = 0;
        memcpy(&kinds, rims->kind + first, count);
        for (size_t k = first; kinds && k < first + count; k++)
            if (rims->kind[k] != SATK_RIM_NONE) {
                const uint32_t code = rims->near[k];
#pragma omp atomic
                job->out[code / 32] |= (uint32_t)1 << code % 32;
            }
    }
}
