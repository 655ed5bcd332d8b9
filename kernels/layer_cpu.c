#include "layer_strip.h"

#include <omp.h>

/* High enough that the rows beyond a strip, which its tables need too, do not count for most. */
static int strip_rows(const satk_layer *job, int threads)
{
    const int share = (job->src.height + threads - 1) / threads, reach = farthest_reach(job);
    const int wanted = reach < 32 ? 64 : 4 * reach;

    return wanted < share ? wanted : share;
}

static size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t light_bytes(const satk_layer *job, int threads)
{
    return rounded((size_t)strip_rows(job, threads) * SATK_LAYER_TILE * sizeof(satk_light));
}

/* Of a tile's samples and one table. */
static size_t table_bytes(const satk_layer *job, int threads)
{
    const size_t rows = (size_t)strip_rows(job, threads) + 2 * (size_t)farthest_reach(job);
    const size_t columns = SATK_LAYER_TILE + 2 * (size_t)farthest_reach(job);
    const size_t width = (size_t)job->src.width, height = (size_t)job->src.height;
    const size_t pixels = (rows < height ? rows : height) * (columns < width ? columns : width);

    return satk_tile_samples_bytes(pixels) +
           rounded(pixels * (size_t)satk_layer_lanes(job->src.channels) * (size_t)(job->word / 8));
}

size_t satk_layer_scratch_cpu(const satk_layer *job, int threads)
{
    return (size_t)threads * (light_bytes(job, threads) + table_bytes(job, threads));
}

static satk_layer_function *strip_here(void)
{
    switch (satk_level_here()) {
#ifdef SATK_HAVE_LEVELS
    case SATK_AVX512: return satk_layer_strip_avx512;
    case SATK_AVX2: return satk_layer_strip_avx2;
#endif
    default: return satk_layer_strip_plain;
    }
}

void satk_layer_cpu(const satk_layer *job, int threads)
{
    const int rows = strip_rows(job, threads), count = (job->src.height + rows - 1) / rows;
    const size_t lights = light_bytes(job, threads), bytes = lights + table_bytes(job, threads);
    satk_layer_function *const strip = strip_here();

#pragma omp parallel num_threads(threads)
    {
        void *const own = (uint8_t *)job->scratch + (size_t)omp_get_thread_num() * bytes;
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < count; i++) {
            const int last = (i + 1) * rows;
            strip(job, i * rows, last < job->src.height ? last : job->src.height, own, lights);
        }
    }
}
