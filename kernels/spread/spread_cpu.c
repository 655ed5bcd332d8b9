/* Threads share tiles of the picture. */
#include "common/parts.h"
#include "spread/spread_tile.h"

#include <omp.h>

enum { SATK_SPREAD_TILE = 256 }; /* pixels */

/* Returns the sides of a tile. It is large enough that the sources around it, which are read again,
 * are not most. */
static int tile_side(const satk_spread *job)
{
    return satk_larger(SATK_SPREAD_TILE, 4 * job->farthest);
}

static int parts_of(int length, int each)
{
    return (length + each - 1) / each;
}

static int tile_width(const satk_spread *job)
{
    return satk_smaller(tile_side(job), job->src.width);
}

/* Returns the height of a tile, so that every thread has some. */
static int tile_height(const satk_spread *job, int threads)
{
    const int across = parts_of(job->src.width, tile_width(job));

    return satk_smaller(tile_side(job), parts_of(job->src.height, parts_of(2 * threads, across)));
}

static size_t tile_bytes(const satk_spread *job, int threads)
{
    const size_t pairs = satk_spread_tile_pairs(job, tile_width(job), tile_height(job, threads));

    return (pairs * sizeof(satk_pair) + 63) / 64 * 64;
}

size_t satk_spread_scratch_cpu(const satk_spread *job, int threads)
{
    size_t bytes = 0;

    satk_place(&bytes, tile_bytes(job, threads), (size_t)threads);
    return bytes;
}

static satk_spread_function *tile_here(void)
{
    switch (satk_level_here()) {
#ifdef SATK_HAVE_LEVELS
    case SATK_AVX512: return satk_spread_tile_avx512;
    case SATK_AVX2: return satk_spread_tile_avx2;
#endif
    default: return satk_spread_tile_plain;
    }
}

void satk_spread_cpu(const satk_spread *job, int threads)
{
    const int width = tile_width(job), height = tile_height(job, threads);
    const int across = parts_of(job->src.width, width);
    const int count = across * parts_of(job->src.height, height);
    satk_spread_function *const spread_tile = tile_here();

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int i = 0; i < count; i++) {
        void *const own =
            (uint8_t *)job->scratch + (size_t)omp_get_thread_num() * tile_bytes(job, threads);
        const int left = i % across * width, top = i / across * height;
        const satk_spread_tile tile = {.left = left,
                                       .top = top,
                                       .width = satk_smaller(width, job->src.width - left),
                                       .height = satk_smaller(height, job->src.height - top),
                                       .deltas = own};
        spread_tile(job, &tile);
    }
}
