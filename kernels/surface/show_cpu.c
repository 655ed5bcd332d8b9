#include "surface/show.h"

static size_t samples_of(const satk_show *job)
{
    return (size_t)job->halves.width * (size_t)job->halves.channels;
}

static uint16_t *row_of(const satk_plane *plane, int y)
{
    return (uint16_t *)(void *)((uint8_t *)plane->data + y * plane->pitch);
}

void satk_show_cpu(const satk_show *job, int threads)
{
    const size_t samples = samples_of(job);

#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < job->halves.height; y++) {
        const uint16_t *const halves = row_of(&job->halves, y);
        uint16_t *const codes = row_of(&job->codes, y);
        for (size_t i = 0; i < samples; i++)
            codes[i] = job->shown[halves[i]];
    }
}

void satk_unshow_cpu(const satk_show *job, int threads)
{
    const size_t samples = samples_of(job);

#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < job->halves.height; y++) {
        const uint16_t *const halves = row_of(&job->halves, y);
        uint16_t *const codes = row_of(&job->codes, y);
        for (size_t i = 0; i < samples; i++)
            codes[i] = satk_unshown(job, halves[i], codes[i]);
    }
}
