#include "surface/show.h"

#include "common/pool.h"

static uint16_t *row_of(const satk_plane *plane, int y)
{
    return (uint16_t *)(void *)((uint8_t *)plane->data + y * plane->pitch);
}

/* Inlined with constant back. */
SATK_FN void exchange(const satk_show *job, int back, int y)
{
    const size_t samples = (size_t)job->halves.width * (size_t)job->halves.channels;
    const uint16_t *const halves = row_of(&job->halves, y);
    uint16_t *const codes = row_of(&job->codes, y);

    for (size_t i = 0; i < samples; i++)
        codes[i] = back ? satk_unshown(job, halves[i], codes[i]) : job->shown[halves[i]];
}

static void show_row(const void *job, int y)
{
    exchange(job, 0, y);
}

static void unshow_row(const void *job, int y)
{
    exchange(job, 1, y);
}

void satk_show_cpu(const satk_show *job, int threads)
{
    satk_for(threads, job->halves.height, 0, show_row, job);
}

void satk_unshow_cpu(const satk_show *job, int threads)
{
    satk_for(threads, job->halves.height, 0, unshow_row, job);
}
