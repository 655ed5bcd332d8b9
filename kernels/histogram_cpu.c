#include "histogram.h"

#include <string.h>

/* Counts of one thread. Neighbours often have the same code, and counting one bin twice in a row
 * waits for the first store: even and odd pixels count apart. */
typedef struct counts {
    uint64_t bins[2][4][SATK_BINS];
} counts;

SATK_FN void count_row(const satk_plane *src, int y, int bits, counts *own)
{
    const uint8_t *const row = (const uint8_t *)src->data + y * src->pitch;
    size_t at = 0;

    for (int x = 0; x < src->width; x++)
        for (int c = 0; c < src->channels; c++, at++)
            own->bins[x % 2][c][satk_code(row, at, bits) >> (bits - 8)]++;
}

void satk_histogram_cpu(const satk_histogram *job, int threads)
{
    const satk_plane src = job->src;

    memset(job->out, 0, (size_t)src.channels * SATK_BINS * sizeof *job->out);
#pragma omp parallel num_threads(threads)
    {
        counts own;
        memset(&own, 0, sizeof own);
#pragma omp for schedule(static)
        for (int y = 0; y < src.height; y++)
            if (src.bits == 8)
                count_row(&src, y, 8, &own);
            else
                count_row(&src, y, 16, &own);
#pragma omp critical
        for (int c = 0; c < src.channels; c++)
            for (int b = 0; b < SATK_BINS; b++)
                job->out[c * SATK_BINS + b] += own.bins[0][c][b] + own.bins[1][c][b];
    }
}
