/* Marks edges of a depth map, and the samples on their ramps. */
#include "surface/surface_stages.cuh"

static constexpr int WIDE = 4; /* of the 9 x 9 */

/* Returns the largest difference of codes within REACH of a sample, all in the map. */
template <typename CODE, int REACH>
static __device__ __forceinline__ int range_of(const satk_plane &map, int x, int y)
{
    int low = 65535, high = 0;

#pragma unroll
    for (int j = -REACH; j <= REACH; j++)
#pragma unroll
        for (int i = -REACH; i <= REACH; i++) {
            const int code = satk_code_at<CODE>(map, x + i, y + j);
            low = min(low, code);
            high = max(high, code);
        }
    return high - low;
}

/* Returns the closest sample whose 9 x 9 lie within the map. */
static __device__ __forceinline__ int inner(int i, int n)
{
    return min(max(i, WIDE), n - 1 - WIDE);
}

/* Returns true if the middle lies between two opposite samples, further than the margin from
 * both. */
template <typename CODE>
static __device__ __forceinline__ bool is_between(const satk_plane &map, satk_pixel p, int across,
                                                  int down, int margin)
{
    const int x0 = p.x - across, x1 = p.x + across, y0 = p.y - down, y1 = p.y + down;

    if (min(x0, x1) < 0 || max(x0, x1) >= map.width || y0 < 0 || y1 >= map.height)
        return false;
    const int a = satk_code_at<CODE>(map, x0, y0), b = satk_code_at<CODE>(map, x1, y1);
    const int middle = satk_code_at<CODE>(map, p.x, p.y);
    return middle - min(a, b) > margin && max(a, b) - middle > margin;
}

enum { ON_EDGE = 1, ON_RAMP = 2 };

/* Returns true if a sample is on a ramp. range: of the 3 x 3 around it. */
template <typename CODE>
static __device__ __forceinline__ int mark_of(const satk_plane &map, satk_pixel p, int range)
{
    const int around = range_of<CODE, WIDE>(map, inner(p.x, map.width), inner(p.y, map.height));
    const int margin = around / 16;

    if (2 * range < around)
        return 0;
    return is_between<CODE>(map, p, 1, 0, margin) || is_between<CODE>(map, p, 0, 1, margin) ||
                   is_between<CODE>(map, p, 1, 1, margin) || is_between<CODE>(map, p, -1, 1, margin)
               ? ON_EDGE | ON_RAMP
               : ON_EDGE;
}

/* Sets the bits of edges and ramps of the row of the tile that has the thread's number. */
static __device__ __forceinline__ void put_row(const satk_surfacing &s, int l, satk_pixel tile,
                                               uint32_t edges, uint32_t ramps)
{
    const satk_pixel first = {tile.x, tile.y + (int)threadIdx.x};

    if (threadIdx.x >= SATK_SURFACE_ROWS || first.y >= s.level[l].map.height)
        return;
    *satk_word_of(s.level[l].edge, first) = edges;
    if (l == 0)
        *satk_word_of(s.ramps, first) = ramps;
}

template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS, SATK_SURFACE_RESIDENT)
    mark(const __grid_constant__ satk_surfacing s, const __grid_constant__ satk_level_tiles tiles)
{
    __shared__ satk_few few;
    __shared__ satk_patch<1> patch;
    __shared__ uint16_t ranges[SATK_WARP * SATK_SURFACE_ROWS];
    __shared__ uint32_t words[2][SATK_SURFACE_ROWS]; /* edges, ramps */
    const int least = (int)satk_least_edge(8 * sizeof(CODE));
    int edges = 0, on_ramps = 0;

    if (tiles.from == 0 ? satk_is_mask(&s.job) : satk_way_of(&s.job) != SATK_WAY_WIDE)
        return;
    for (unsigned number = blockIdx.x; number < tiles.begin[tiles.to];
         number += gridDim.x, __syncthreads()) {
        unsigned of_level = number;
        const int l = satk_find_level(tiles, &of_level);
        const satk_plane &map = s.level[l].map;
        const satk_pixel tile = satk_find_tile(map, of_level);
        if (!satk_load_patch<CODE>(map, tile, false, least, false, patch)) {
            put_row(s, l, tile, 0, 0);
            continue;
        }
        if (threadIdx.x < 2 * SATK_SURFACE_ROWS)
            words[threadIdx.x / SATK_SURFACE_ROWS][threadIdx.x % SATK_SURFACE_ROWS] = 0;
        satk_gather_none(few);
#pragma unroll
        for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
            const int row = satk_strip_row() + j, column = (int)(threadIdx.x % SATK_WARP);
            const satk_extremes around = satk_around(patch, column, row);
            const bool is_inside = satk_is_inside(map, {tile.x + column, tile.y + row});
            const int range = around.high - around.low;
            ranges[row * SATK_WARP + column] = (uint16_t)range;
            satk_gather_row(few, row, __ballot_sync(~0u, range > least && is_inside));
        }
        const int count = satk_gathered(few);
        for (int i = (int)threadIdx.x; i < count; i += SATK_SURFACE_THREADS) {
            const satk_pixel p = satk_gathered_at(few, i, tile);
            const int at = few.at[i], marked = mark_of<CODE>(map, p, ranges[at]);
            edges += (marked & ON_EDGE) != 0;
            on_ramps += (marked & ON_RAMP) != 0;
            for (int k = 0; k < 2; k++)
                if (marked & (k == 0 ? ON_EDGE : ON_RAMP))
                    atomicOr(&words[k][at / SATK_WARP], 1u << at % SATK_WARP);
        }
        __syncthreads();
        const int row = (int)threadIdx.x % SATK_SURFACE_ROWS;
        put_row(s, l, tile, words[0][row], words[1][row]);
    }
    if (tiles.from > 0)
        return;
    satk_add_up(s.job.counts, SATK_EDGES, edges);
    satk_add_up(s.job.counts, SATK_RAMPS, on_ramps);
}

int satk_mark_maps(const satk_surfacing *s, int from, int to, cudaStream_t stream)
{
    const satk_level_tiles tiles = satk_tile_levels(s, from, to);
    const unsigned all = tiles.begin[to], blocks = from == 0 ? all : satk_blocks_of(all);

    if (all == 0)
        return 0;
    if (s->level[from].map.bits == 8)
        mark<uint8_t><<<blocks, SATK_SURFACE_THREADS, 0, stream>>>(*s, tiles);
    else
        mark<uint16_t><<<blocks, SATK_SURFACE_THREADS, 0, stream>>>(*s, tiles);
    return satk_launched(stream);
}
