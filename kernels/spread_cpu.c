/* Threads share tiles of the picture. A tile has deltas of its own pixels only: windows that reach into
 * it from outside end at its edges, as they do at the picture's. */
#include "spread_rule.h"

#include <omp.h>
#include <string.h>

enum { SATK_SPREAD_TILE = 256 }; /* pixels */

static inline int larger(int a, int b)
{
    return a > b ? a : b;
}

static inline int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* --- Deltas ----------------------------------------------------------------------------------- */

typedef struct tile {
    int left, top, width, height;
    uint64_t *deltas; /* row by row, pixel by pixel, all lanes */
} tile;

/* A source at x, y of the tile, or beside it. What begins before the tile begins with it; where
 * something ends beyond, nothing in the tile is different. */
SATK_FN void add_source(const tile *t, const satk_splat *splat, int x, int y,
                        const uint64_t *samples, int lanes)
{
    const int first = satk_first_place(splat);
    uint64_t kind[SATK_KINDS], light[SATK_KINDS][SATK_SPREAD_MOST_LANES];

    satk_kinds(splat, kind);
    for (int k = 0; k < SATK_KINDS; k++)
        for (int c = 0; c < lanes; c++)
            light[k][c] = kind[k] * samples[c];
    for (int j = first; j < SATK_PLACES - first; j++) {
        const int row = larger(satk_place_at(splat, y, j), 0);
        for (int i = first; i < SATK_PLACES - first && row < t->height; i++) {
            const int column = larger(satk_place_at(splat, x, i), 0);
            const size_t at = (size_t)row * (size_t)t->width + (size_t)column;
            const uint64_t *const add = light[satk_kind_at(i, j)];
            for (int c = 0; c < lanes && column < t->width; c++)
                t->deltas[at * (size_t)lanes + (size_t)c] +=
                    satk_is_negative(i, j) ? -add[c] : add[c];
        }
    }
}

static int reaches(const satk_splat *splat, int at, int length)
{
    const int most = splat->reach + splat->ring;

    return at + most >= 0 && at - most < length;
}

/* Those sources of a row of the picture that reach the tile. */
SATK_FN void add_row(const satk_spread *job, const tile *t, int y, int channels, int bits)
{
    const uint8_t *const src = (const uint8_t *)job->src.data + y * job->src.pitch;
    const int begin = larger(t->left - job->farthest, 0);
    const int end = smaller(t->left + t->width + job->farthest, job->src.width);
    uint64_t samples[SATK_SPREAD_MOST_LANES];

    for (int x = begin; x < end; x++) {
        const satk_splat *const splat = satk_splat_of(job, x, y);
        if (!reaches(splat, x - t->left, t->width) || !reaches(splat, y - t->top, t->height))
            continue;
        satk_spread_samples(job, src, x, channels, bits, samples);
        add_source(t, splat, x - t->left, y - t->top, samples, SATK_SPREAD_LANES(channels));
    }
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* A row of the tile, whose deltas have become sums down the columns: along the row, these add up to
 * what the pixels got. */
SATK_FN void store_row(const satk_spread *job, const tile *t, int y, int channels, int bits)
{
    const int lanes = SATK_SPREAD_LANES(channels);
    const uint64_t *at = t->deltas + (size_t)y * (size_t)t->width * (size_t)lanes;
    uint64_t sums[SATK_SPREAD_MOST_LANES] = {0};

    for (int x = 0; x < t->width; x++, at += lanes) {
        for (int c = 0; c < lanes; c++)
            sums[c] += at[c];
        satk_spread_pixel(job, t->left + x, t->top + y, sums, channels, bits);
    }
}

SATK_FN void spread_tile(const satk_spread *job, const tile *t, int channels, int bits)
{
    const size_t words = (size_t)t->width * (size_t)SATK_SPREAD_LANES(channels);
    const int begin = larger(t->top - job->farthest, 0);
    const int end = smaller(t->top + t->height + job->farthest, job->src.height);

    memset(t->deltas, 0, words * (size_t)t->height * sizeof *t->deltas);
    for (int y = begin; y < end; y++)
        add_row(job, t, y, channels, bits);
    for (int y = 0; y < t->height; y++) {
        uint64_t *const row = t->deltas + (size_t)y * words;
        for (size_t i = 0; y > 0 && i < words; i++)
            row[i] += (row - words)[i];
        store_row(job, t, y, channels, bits);
    }
}

/* One function per kind of picture, each with constant channels and bits. */
#define TILE(channels, bits)                                                                       \
    static void tile_##channels##_##bits(const satk_spread *job, const tile *t)                    \
    {                                                                                              \
        spread_tile(job, t, channels, bits);                                                       \
    }
TILE(1, 8)
TILE(2, 8)
TILE(3, 8)
TILE(4, 8)
TILE(1, 16)
TILE(2, 16)
TILE(3, 16)
TILE(4, 16)

static void (*const tiles[2][4])(const satk_spread *, const tile *) = {
    {tile_1_8, tile_2_8, tile_3_8, tile_4_8},
    {tile_1_16, tile_2_16, tile_3_16, tile_4_16},
};

/* --- Tiles ------------------------------------------------------------------------------------ */

/* So large that the sources beside it, which are read again, do not count for most. */
static int tile_side(const satk_spread *job)
{
    return larger(SATK_SPREAD_TILE, 4 * job->farthest);
}

static int parts_of(int length, int each)
{
    return (length + each - 1) / each;
}

static int tile_width(const satk_spread *job)
{
    return smaller(tile_side(job), job->src.width);
}

/* Every thread is to have some. */
static int tile_height(const satk_spread *job, int threads)
{
    const int across = parts_of(job->src.width, tile_width(job));

    return smaller(tile_side(job), parts_of(job->src.height, parts_of(2 * threads, across)));
}

static size_t tile_bytes(const satk_spread *job, int threads)
{
    const size_t pixels = (size_t)tile_width(job) * (size_t)tile_height(job, threads);

    return (pixels * SATK_SPREAD_LANES((size_t)job->src.channels) * sizeof(uint64_t) + 63) / 64 *
           64;
}

size_t satk_spread_scratch_cpu(const satk_spread *job, int threads)
{
    return (size_t)threads * tile_bytes(job, threads);
}

void satk_spread_cpu(const satk_spread *job, int threads)
{
    const int width = tile_width(job), height = tile_height(job, threads);
    const int across = parts_of(job->src.width, width);
    const int count = across * parts_of(job->src.height, height);

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int i = 0; i < count; i++) {
        void *const own =
            (uint8_t *)job->scratch + (size_t)omp_get_thread_num() * tile_bytes(job, threads);
        const int left = i % across * width, top = i / across * height;
        const tile t = {.left = left,
                        .top = top,
                        .width = smaller(width, job->src.width - left),
                        .height = smaller(height, job->src.height - top),
                        .deltas = own};
        tiles[job->src.bits == 16][job->src.channels - 1](job, &t);
    }
}
