#include "surface/show.h"

static uint16_t *row_of(const satk_plane *plane, int y)
{
    return (uint16_t *)(void *)((uint8_t *)plane->data + y * plane->pitch);
}

/* Inlined with constant back. */
SATK_FN void exchange(const satk_show *job, int back, int threads)
{
    const size_t samples = (size_t)job->halves.width * (size_t)job->halves.channels;

#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < job->halves.height; y++) {
        const uint16_t *const halves = row_of(&job->halves, y);
        uint16_t *const codes = row_of(&job->codes, y);
        for (size_t i = 0; i < samples; i++)
            codes[i] = back ? satk_unshown(job, halves[i], codes[i]) : job->shown[halves[i]];
    }
}

void satk_show_cpu(const satk_show *job, int threads)
{
    exchange(job, 0, threads);
}

void satk_unshow_cpu(const satk_show *job, int threads)
{
    exchange(job, 1, threads);
}
