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

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Of a table in vectors there are only the rows that windows read, and a row of zeros. */
static satk_layer_room room_for(const satk_layer *job, int threads)
{
    const int in_vectors = is_vector_job(job);
    const size_t channels = (size_t)job->src.channels, word = (size_t)job->word / 8;
    const size_t reach = (size_t)farthest_reach(job), rows = (size_t)strip_rows(job, threads);
    const size_t seen = smaller(rows + 2 * reach, (size_t)job->src.height);
    const size_t columns = satk_layer_columns(job), lanes = (size_t)satk_layer_lanes((int)channels);

    return (satk_layer_room){
        .lights = rounded(rows * SATK_LAYER_TILE *
                          (in_vectors ? (channels + 1) * sizeof(double) : sizeof(satk_light))),
        .samples = rounded(seen * columns * (in_vectors ? channels + 1 : 1) * sizeof(uint16_t)),
        .table = rounded(in_vectors
                             ? (smaller(2 * reach + 2, seen) + 1) * columns * (channels + 2) * word
                             : seen * columns * lanes * word)};
}

static size_t room_bytes(const satk_layer_room *room)
{
    return room->lights + room->samples + room->table;
}

size_t satk_layer_scratch_cpu(const satk_layer *job, int threads)
{
    const satk_layer_room room = room_for(job, threads);

    return (size_t)threads * room_bytes(&room);
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
    const satk_layer_room room = room_for(job, threads);
    satk_layer_function *const strip = strip_here();

#pragma omp parallel num_threads(threads)
    {
        void *const own =
            (uint8_t *)job->scratch + (size_t)omp_get_thread_num() * room_bytes(&room);
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < count; i++) {
            const int last = (i + 1) * rows;
            strip(job, i * rows, last < job->src.height ? last : job->src.height, own, &room);
        }
    }
}
