/* Halves of a depth map, where its wide ramps are narrower: their samples, their edges, and the ends of their ramps. */
#include "surface/surface_stages.cuh"

/* Returns true if the map's ramps are cut in its halves. */
static __device__ __forceinline__ bool is_wide(const satk_surfacing &s)
{
    return satk_way_of(&s.job) == SATK_WAY_WIDE;
}

/* --- Samples ---------------------------------------------------------------------------------- */

/* Returns a sample of half a map in 16 bits: the mean of its area. */
static __device__ __forceinline__ uint32_t halved(const satk_plane &map, int x, int y,
                                                  const satk_divisor &areas)
{
    const satk_halved across = satk_halved_at(x, map.width), down = satk_halved_at(y, map.height);
    uint64_t sum = 0;

    if (map.width % 2 == 0 && map.height % 2 == 0)
        return (satk_code16(map, 2 * x, 2 * y) + satk_code16(map, 2 * x + 1, 2 * y) +
                satk_code16(map, 2 * x, 2 * y + 1) + satk_code16(map, 2 * x + 1, 2 * y + 1) + 2) /
               4;
#pragma unroll
    for (int j = 0; j < 3; j++)
#pragma unroll
        for (int i = 0; i < 3; i++)
            sum += across.area[i] * down.area[j] *
                   (uint64_t)satk_code16(map, across.at[i], down.at[j]);
    return (uint32_t)satk_mean64(sum, &areas);
}

static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    halve(const __grid_constant__ satk_surfacing s, int l,
          const __grid_constant__ satk_divisor areas)
{
    const satk_plane &map = s.level[l - 1].map, &to = s.level[l].map;

    if (!is_wide(s))
        return;
    for (unsigned number = blockIdx.x; number < satk_tiles_of(to);
         number += gridDim.x, __syncthreads()) {
        const satk_pixel strip = satk_find_strip(satk_find_tile(to, number));

#pragma unroll
        for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
            const satk_pixel p = {strip.x, strip.y + j};
            if (satk_is_inside(to, p))
                satk_set_code<uint16_t>(to, p, (int)halved(map, p.x, p.y, areas));
        }
    }
}

/* --- Edges ------------------------------------------------------------------------------------ */

/* Returns true if a map has samples on edges among those of a sample of its half. */
static __device__ bool has_finer_edge(const satk_map_level &half, const satk_map_level &fine,
                                      satk_pixel p)
{
    const int w = fine.map.width, h = fine.map.height;
    const int right = satk_first_within(p.x + 1, half.map.width, w);
    const int bottom = satk_first_within(p.y + 1, half.map.height, h);

    for (int y = satk_first_within(p.y, half.map.height, h); y < bottom; y++)
        for (int x = satk_first_within(p.x, half.map.width, w); x < right; x++)
            if (satk_bit_at(fine.edge, x, y))
                return true;
    return false;
}

/* Keeps the edges of halves that the map before has not, and counts all and those. */
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    keep_edges(const __grid_constant__ satk_surfacing s,
               const __grid_constant__ satk_level_tiles tiles)
{
    if (!is_wide(s))
        return;
    for (unsigned number = blockIdx.x; number < tiles.begin[tiles.to];
         number += gridDim.x, __syncthreads()) {
        unsigned at = number;
        const int l = satk_find_level(tiles, &at);
        const satk_map_level &half = s.level[l];
        const satk_pixel strip = satk_find_strip(satk_find_tile(half.map, at));
        int edges = 0, kept = 0;

#pragma unroll
        for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
            const satk_pixel p = {strip.x, strip.y + j};
            const bool is_edge = satk_is_inside(half.map, p) && satk_bit_at(half.edge, p.x, p.y);
            const bool is_kept = is_edge && !has_finer_edge(half, s.level[l - 1], p);
            const uint32_t word = __ballot_sync(~0u, is_kept);
            if (threadIdx.x % SATK_WARP == 0 && p.y < half.map.height)
                *satk_word_of(half.kept, p) = word;
            edges += is_edge, kept += is_kept;
        }
        satk_add_up(s.job.counts, SATK_HALF_EDGES + l - 1, edges);
        satk_add_up(s.job.counts, SATK_NEW_EDGES + l - 1, kept);
    }
}

/* --- Around edges ----------------------------------------------------------------------------- */

/* Returns the bits of the five samples around x within REACH rows of y. */
template <int REACH>
static __device__ __forceinline__ uint32_t five_around(const satk_map_level &level, satk_pixel p)
{
    uint32_t bits = 0;

#pragma unroll
    for (int j = -REACH; j <= REACH; j++)
        if (p.y + j >= 0 && p.y + j < level.map.height)
            bits |= satk_five_bits(level.kept, p.x, p.y + j);
    return bits;
}

/* Finds the samples within one of kept edges, and the ends of all within two, in the levels that are used. */
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    look_around(const __grid_constant__ satk_surfacing s,
                const __grid_constant__ satk_level_tiles tiles)
{
    __shared__ satk_few few;

    if (!is_wide(s))
        return;
    const unsigned end = tiles.begin[satk_levels_used(s.job.counts, s.levels)];
    for (unsigned number = blockIdx.x; number < end; number += gridDim.x, __syncthreads()) {
        unsigned at = number;
        const int l = satk_find_level(tiles, &at);
        const satk_map_level &level = s.level[l];
        const satk_pixel tile = satk_find_tile(level.map, at), strip = satk_find_strip(tile);

        satk_gather_none(few);
#pragma unroll
        for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
            const satk_pixel p = {strip.x, strip.y + j};
            const bool is_inside = satk_is_inside(level.map, p);
            const bool is_near = is_inside && five_around<1>(level, p) & 0xe;
            const bool is_around = is_inside && five_around<2>(level, p);
            const uint32_t word = __ballot_sync(~0u, is_near);
            if (threadIdx.x % SATK_WARP == 0 && p.y < level.map.height)
                *satk_word_of(level.near, p) = word;
            satk_gather_row(few, satk_strip_row() + j, __ballot_sync(~0u, is_around));
        }
        const int count = satk_gathered(few);
        for (int i = (int)threadIdx.x; i < count; i += SATK_SURFACE_THREADS) {
            const satk_pixel p = satk_gathered_at(few, i, tile);
            level.ends[(size_t)p.y * level.map.width + p.x] = satk_find_ends(level.map, p);
        }
    }
}

int satk_make_halves(const satk_surfacing *s, cudaStream_t stream)
{
    const satk_level_tiles halves = satk_tile_levels(s, 1, s->levels);
    const satk_level_tiles all = satk_tile_levels(s, 0, s->levels);
    int error = 0;

    for (int l = 1; l < s->levels && !error; l++) {
        const satk_plane *const map = &s->level[l - 1].map;
        const satk_divisor areas =
            satk_divide_by(satk_areas_of(map->width) * satk_areas_of(map->height), 0);
        halve<<<satk_blocks_of(satk_tiles_of(s->level[l].map)), SATK_SURFACE_THREADS, 0, stream>>>(
            *s, l, areas);
        error = satk_launched(stream);
    }
    if (!error)
        error = satk_mark_maps(s, 1, s->levels, stream);
    if (!error && s->levels > 1) {
        keep_edges<<<satk_blocks_of(halves.begin[s->levels]), SATK_SURFACE_THREADS, 0, stream>>>(
            *s, halves);
        error = satk_launched(stream);
    }
    if (error)
        return error;
    look_around<<<satk_blocks_of(all.begin[s->levels]), SATK_SURFACE_THREADS, 0, stream>>>(*s, all);
    return satk_launched(stream);
}
