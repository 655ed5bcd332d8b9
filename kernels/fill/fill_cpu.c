#include "fill/fill.h"

#include "common/parts.h"
#include "fill/fill_grow.h"

#include <string.h>

static uint8_t *row_of(const satk_plane *map, int y)
{
    return (uint8_t *)map->data + y * map->pitch;
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* Defines functions of a row: one counts its codes of 0, one copies it with this code for 0, and one sets the bits of its codes
 * of 0. */
#define ROWS(bits, type)                                                                           \
    static uint32_t count_row##bits(const void *row, int width)                                    \
    {                                                                                              \
        const type *const codes = (const type *)row;                                               \
        uint32_t count = 0;                                                                        \
        for (int x = 0; x < width; x++)                                                            \
            count += codes[x] == 0;                                                                \
        return count;                                                                              \
    }                                                                                              \
    static void copy_row##bits(const void *row, int width, uint32_t code, void *out)               \
    {                                                                                              \
        const type *const from = (const type *)row;                                                \
        type *const to = (type *)out;                                                              \
        for (int x = 0; x < width; x++)                                                            \
            to[x] = from[x] ? from[x] : (type)code;                                                \
    }                                                                                              \
    static void mark_row##bits(const void *row, int width, uint64_t *marks)                        \
    {                                                                                              \
        const type *const codes = (const type *)row;                                               \
        for (int x = 0; x < width; x++)                                                            \
            marks[x / 64] |= (uint64_t)(codes[x] == 0) << x % 64;                                  \
    }
ROWS(8, uint8_t)
ROWS(16, uint16_t)

uint64_t satk_fill_count_cpu(const satk_plane *map, int threads)
{
    uint64_t holes = 0;

#pragma omp parallel for num_threads(threads) reduction(+ : holes)
    for (int y = 0; y < map->height; y++)
        holes += (map->bits == 8 ? count_row8 : count_row16)(row_of(map, y), map->width);
    return holes;
}

static void copy_map(const satk_fill *job, uint32_t code, int threads)
{
    const satk_plane *const map = &job->map;

#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < map->height; y++)
        (map->bits == 8 ? copy_row8 : copy_row16)(row_of(map, y), map->width, code,
                                                  row_of(&job->dst, y));
}

/* Clears the bits, and sets those of a map's holes. */
static void mark_holes(const satk_plane *map, const satk_bit_rows *mute, int threads)
{
    memset(mute->bits, 0, satk_bit_rows_bytes(mute));
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < map->height; y++)
        (map->bits == 8 ? mark_row8 : mark_row16)(row_of(map, y), map->width,
                                                  satk_bit_row(mute, y));
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Bytes from the scratch memory's first. */
typedef struct layout {
    size_t mute, state, holes, told;
    size_t of, sorted, first, list, gaps, codes;
    size_t means, columns, heard;
    size_t bytes;
} layout;

static uint64_t samples_of(const satk_plane *map)
{
    return (uint64_t)map->width * (uint64_t)map->height;
}

static layout lay_out(const satk_fill *job, uint64_t holes, int threads)
{
    const satk_plane *const map = &job->map;
    const satk_bit_rows mute = satk_bit_rows_of(map->width, map->height);
    const uint64_t samples = samples_of(map);
    layout l = {0};

    l.mute = satk_place(&l.bytes, satk_bit_rows_bytes(&mute), 1);
    l.state = satk_place(&l.bytes, samples, 1);
    l.holes = satk_place(&l.bytes, holes, sizeof(satk_fill_hole));
    l.told = satk_place(&l.bytes, holes, sizeof(satk_fill_hole));
    l.of = satk_place(&l.bytes, samples, sizeof(uint32_t));
    l.sorted = satk_place(&l.bytes, holes, sizeof(uint32_t));
    l.first = satk_place(&l.bytes, holes + 2, sizeof(uint32_t));
    l.list = satk_place(&l.bytes, holes, sizeof(uint32_t));
    l.gaps = satk_place(&l.bytes, 1 + holes / SATK_GAP_LEAST, sizeof(satk_gap));
    l.codes = satk_place(&l.bytes, (uint64_t)threads << map->bits, sizeof(uint32_t));
    l.means = satk_place(&l.bytes, samples, SATK_MEAN);
    l.columns = satk_place(&l.bytes, (uint64_t)map->width, sizeof(satk_range));
    l.heard = satk_place(&l.bytes, (uint64_t)threads * mute.words, sizeof(uint64_t));
    return l;
}

size_t satk_fill_scratch_cpu(const satk_fill *job, int threads)
{
    if (job->how != SATK_FILL_INWARDS)
        return 16;
    return lay_out(job, satk_fill_count_cpu(&job->map, threads), threads).bytes;
}

static satk_fill_rims rims_in(const satk_fill *job, const layout *l, int threads)
{
    uint8_t *const memory = (uint8_t *)job->scratch;

    return (satk_fill_rims){.gaps = {.parts = {.of = (uint32_t *)(memory + l->of),
                                               .sorted = (uint32_t *)(memory + l->sorted),
                                               .first = (uint32_t *)(memory + l->first)},
                                     .gaps = (satk_gap *)(memory + l->gaps),
                                     .list = (uint32_t *)(memory + l->list),
                                     .codes = (uint32_t *)(memory + l->codes)},
                            .near_black = job->near_black,
                            .threads = threads,
                            .state = memory + l->state,
                            .holes = (satk_fill_hole *)(memory + l->holes),
                            .told = (satk_fill_hole *)(memory + l->told)};
}

/* --- Run -------------------------------------------------------------------------------------- */

/* Fills dst, a copy of the map with some sample known. holes: their number. */
static void fill_inwards(const satk_fill *job, uint64_t holes, int threads)
{
    const layout l = lay_out(job, holes, threads);
    uint8_t *const memory = (uint8_t *)job->scratch;
    const satk_fill_means means = {(uint64_t *)(memory + l.heard),
                                   (satk_range *)(memory + l.columns), memory + l.means};
    satk_bit_rows mute = satk_bit_rows_of(job->map.width, job->map.height);
    satk_fill_rims rims = rims_in(job, &l, threads);

    mute.bits = (uint64_t *)(memory + l.mute);
    mark_holes(&job->map, &mute, threads);
    memset(rims.state, 0, (size_t)samples_of(&job->map));
    rims.votes = satk_fill_votes_of(&job->dst, &job->src, &mute);
    satk_fill_find_means(&rims.votes,
                         satk_ring_of(job->map.width, job->map.height, SATK_GAP_RINGS - 1), &means,
                         threads);
    satk_fill_find_gaps(&rims.gaps, &rims.votes, job->near_black, threads);
    job->counts[SATK_FILL_GAPS] = rims.gaps.large;
    satk_fill_grow(&rims, job->counts);
}

void satk_fill_cpu(const satk_fill *job, int threads)
{
    const uint64_t holes = satk_fill_count_cpu(&job->map, threads);
    const int inwards = job->how == SATK_FILL_INWARDS;
    const uint32_t extreme =
        satk_extreme_code(job->how == SATK_FILL_NEAR, job->near_black, job->map.bits);

    memset(job->counts, 0, SATK_FILL_COUNTS * sizeof *job->counts);
    job->counts[SATK_FILL_HOLES] = holes;
    copy_map(job, inwards ? 0 : extreme, threads);
    if (inwards && holes > 0 && holes < samples_of(&job->map))
        fill_inwards(job, holes, threads);
}
