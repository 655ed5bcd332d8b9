#include "reduce.h"

static const satk_moments nothing = {.min = UINT32_MAX};

static void merge(satk_moments *into, const satk_moments *m)
{
    into->sum += m->sum;
    into->sum_squares += m->sum_squares;
    into->min = m->min < into->min ? m->min : into->min;
    into->max = m->max > into->max ? m->max : into->max;
}

/* Adds one row of one channel. Samples of a row fit 32-bit sums only for short rows, hence 64 bits
 * throughout. */
SATK_FN void reduce_row(const satk_plane *src, int y, int c, int bits, satk_moments *m)
{
    const uint8_t *const row = (const uint8_t *)src->data + y * src->pitch;

    for (int x = 0; x < src->width; x++) {
        const uint32_t code = satk_code(row, (size_t)x * (size_t)src->channels + (size_t)c, bits);
        m->sum += code;
        m->sum_squares += (uint64_t)code * code;
        m->min = code < m->min ? code : m->min;
        m->max = code > m->max ? code : m->max;
    }
}

void satk_reduce_cpu(const satk_reduce *job, int threads)
{
    const satk_plane src = job->src;

    for (int c = 0; c < src.channels; c++)
        job->out[c] = nothing;
#pragma omp parallel num_threads(threads)
    {
        satk_moments own[4] = {nothing, nothing, nothing, nothing};
#pragma omp for schedule(static)
        for (int y = 0; y < src.height; y++)
            for (int c = 0; c < src.channels; c++)
                if (src.bits == 8)
                    reduce_row(&src, y, c, 8, &own[c]);
                else
                    reduce_row(&src, y, c, 16, &own[c]);
#pragma omp critical
        for (int c = 0; c < src.channels; c++)
            merge(&job->out[c], &own[c]);
    }
}
