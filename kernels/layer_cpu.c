#include "layer_tile.h"

#include <omp.h>

static int parts_of(int length, int each)
{
    return (length + each - 1) / each;
}

/* Rows of a tile: so many that the rows beyond it, which its tables need too, do not count for most, but
 * that every thread has some tiles. */
static int tile_rows(const satk_layer *job, int threads)
{
    const int reach = farthest_reach(job), wanted = reach < 32 ? 64 : 4 * reach;
    const int across = parts_of(job->src.width, SATK_LAYER_TILE);
    const int share = parts_of(job->src.height, parts_of(3 * threads, across));

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
    const size_t reach = (size_t)farthest_reach(job), rows = (size_t)tile_rows(job, threads);
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

static satk_layer_function *tile_here(void)
{
    switch (satk_level_here()) {
#ifdef SATK_HAVE_LEVELS
    case SATK_AVX512: return satk_layer_tile_avx512;
    case SATK_AVX2: return satk_layer_tile_avx2;
#endif
    default: return satk_layer_tile_plain;
    }
}

void satk_layer_cpu(const satk_layer *job, int threads)
{
    const int width = job->src.width, height = job->src.height, rows = tile_rows(job, threads);
    const int across = parts_of(width, SATK_LAYER_TILE), count = across * parts_of(height, rows);
    const satk_layer_room room = room_for(job, threads);
    satk_layer_function *const blur_tile = tile_here();

#pragma omp parallel num_threads(threads)
    {
        void *const own =
            (uint8_t *)job->scratch + (size_t)omp_get_thread_num() * room_bytes(&room);
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < count; i++) {
            const int left = i % across * SATK_LAYER_TILE, top = i / across * rows;
            const int right = left + SATK_LAYER_TILE, bottom = top + rows;
            const satk_area tile = {left, right < width ? right : width, top,
                                    bottom < height ? bottom : height};
            blur_tile(job, tile, own, &room);
        }
    }
}
