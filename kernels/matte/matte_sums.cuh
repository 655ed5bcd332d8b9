/* Sums of planes over rectangles of any size, from a summed-area table in two levels.
 *
 * The picture is divided into tiles. The sum over all pixels left of x and above y, both exclusive, is that of three words:
 *   near  of the tile: from its first row and column on. They are words of 32 bits: the sum of a tile's codes is below 2^26.
 *   up    in the tile's columns left of x, all rows above the tile
 *   left  in all rows above y, all columns left of the tile
 * `up` and `left` have few words, which are of 64 bits. So every window's sum is exact, and a table costs 4 bytes a plane.
 * A tile needs none of its neighbours, and then the tiles' last rows and columns are scanned.
 *
 * A SOURCE has `planes` and read(x, y, words), the word of each plane at a pixel. */
#ifndef SATK_MATTE_SUMS_CUH
#define SATK_MATTE_SUMS_CUH

#include "common/parts.h"
#include "common/tile.cuh"
#include "matte/matte.cuh"

template <int PLANES> struct satk_matte_sums {
    /* Planes that are stored together: 16 bytes at most, so that a warp's stores are of whole sectors. */
    static constexpr int together = PLANES < 4 ? PLANES : 4;

    uint32_t *near;      /* [PLANES / together][y][x][together] */
    uint64_t *up, *left; /* [row of tiles][x][PLANES], [y][column of tiles][PLANES] */
    int width, height;

    /* Returns the first word of a pixel's planes from `plane` on. */
    __device__ __forceinline__ uint32_t *near_at(int x, int y, int plane) const
    {
        return near + (((size_t)(plane / together) * height + y) * width + x) * together;
    }
};

/* Appends the memory of a table to the *at bytes before it. */
template <int PLANES>
static satk_matte_sums<PLANES> satk_matte_place(const satk_plane *plane, void *scratch, size_t *at)
{
    const uint64_t width = (uint64_t)plane->width, height = (uint64_t)plane->height;
    const size_t near = satk_place(at, width * height * PLANES, sizeof(uint32_t));
    const size_t up =
        satk_place(at, width * satk_matte_tiles(plane->height) * PLANES, sizeof(uint64_t));
    const size_t left =
        satk_place(at, height * satk_matte_tiles(plane->width) * PLANES, sizeof(uint64_t));
    uint8_t *const base = (uint8_t *)scratch;

    return {(uint32_t *)(base + near), (uint64_t *)(base + up), (uint64_t *)(base + left),
            plane->width, plane->height};
}

/* --- Build ------------------------------------------------------------------------------------ */

template <int PLANES>
static __device__ __forceinline__ void satk_matte_store(uint64_t *to, const uint32_t *words)
{
    uint64_t wide[PLANES];

#pragma unroll
    for (int p = 0; p < PLANES; p++)
        wide[p] = words[p];
    satk_store_pixel<uint64_t, PLANES>(to, wide);
}

/* Reads some rows of a column, of which those beyond the picture are 0. */
template <typename SOURCE>
static __device__ __forceinline__ void satk_matte_read(const SOURCE &source, int x, int y,
                                                       const satk_matte_sums<SOURCE::planes> &sums,
                                                       uint32_t (*words)[SOURCE::planes])
{
#pragma unroll
    for (int j = 0; j < SATK_MATTE_ROWS_AT_ONCE; j++) {
#pragma unroll
        for (int p = 0; p < SOURCE::planes; p++)
            words[j][p] = 0;
        if (x < sums.width && y + j < sums.height)
            source.read(x, y + j, words[j]);
    }
}

/* A warp has a tile, and a lane a column. Stores the tile's own sums: of its last column in `left`, of its last row in
 * `up`. */
template <typename SOURCE>
static __global__ void __launch_bounds__(SATK_MATTE_SUM_THREADS)
    satk_sum_tiles(const __grid_constant__ SOURCE source,
                   const satk_matte_sums<SOURCE::planes> sums)
{
    enum { PLANES = SOURCE::planes };
    const unsigned across = satk_matte_tiles(sums.width);
    const unsigned tile = (blockIdx.x * SATK_MATTE_SUM_THREADS + threadIdx.x) / SATK_WARP;
    const int lane = (int)(threadIdx.x % SATK_WARP), tx = (int)(tile % across);
    const int x = tx * SATK_MATTE_TILE + lane, y0 = (int)(tile / across) * SATK_MATTE_TILE;
    const int y1 = min(y0 + SATK_MATTE_TILE, sums.height);
    uint32_t column[PLANES] = {0}, sum[PLANES], words[SATK_MATTE_ROWS_AT_ONCE][PLANES];

    if (y0 >= sums.height) /* a whole warp */
        return;
    for (int y = y0; y < y1; y += SATK_MATTE_ROWS_AT_ONCE) {
        satk_matte_read(source, x, y, sums, words);
#pragma unroll
        for (int j = 0; j < SATK_MATTE_ROWS_AT_ONCE; j++) {
#pragma unroll
            for (int p = 0; p < PLANES; p++) {
                column[p] += words[j][p];
                sum[p] = satk_warp_scan(column[p]);
            }
            if (y + j >= y1)
                continue;
#pragma unroll
            for (int p = 0; p < PLANES; p += sums.together)
                if (x < sums.width)
                    satk_store_pixel<uint32_t, satk_matte_sums<PLANES>::together>(
                        sums.near_at(x, y + j, p), sum + p);
            if (lane == SATK_WARP - 1)
                satk_matte_store<PLANES>(sums.left + ((size_t)(y + j) * across + tx) * PLANES, sum);
        }
    }
    if (x < sums.width)
        satk_matte_store<PLANES>(
            sums.up + ((size_t)(y0 / SATK_MATTE_TILE) * sums.width + x) * PLANES, sum);
}

/* Makes `up` the sums of the tiles above. A thread has a word of all rows of tiles. */
static __global__ void __launch_bounds__(SATK_MATTE_THREADS)
    satk_scan_up(uint64_t *up, unsigned words, int rows)
{
    const unsigned i = blockIdx.x * SATK_MATTE_THREADS + threadIdx.x;
    uint64_t sum = 0, own[SATK_MATTE_TILES_AT_ONCE];

    if (i >= words)
        return;
    for (int row = 0; row < rows; row += SATK_MATTE_TILES_AT_ONCE) {
        uint64_t *const at = up + (size_t)row * words + i;
#pragma unroll
        for (int j = 0; j < SATK_MATTE_TILES_AT_ONCE; j++)
            own[j] = row + j < rows ? at[(size_t)j * words] : 0;
#pragma unroll
        for (int j = 0; j < SATK_MATTE_TILES_AT_ONCE; j++) {
            if (row + j < rows)
                at[(size_t)j * words] = sum;
            sum += own[j];
        }
    }
}

/* Makes `left` the sums of the tiles to the left, and of all above them. A warp has a row. */
template <int PLANES>
static __global__ void __launch_bounds__(SATK_MATTE_THREADS)
    satk_scan_left(const satk_matte_sums<PLANES> sums)
{
    const int y = (int)((blockIdx.x * SATK_MATTE_THREADS + threadIdx.x) / SATK_WARP);
    const int across = (int)satk_matte_tiles(sums.width);
    const uint64_t *const up = sums.up + (size_t)(y / SATK_MATTE_TILE) * sums.width * PLANES;
    uint64_t before[PLANES] = {0}, own[PLANES], above[PLANES];

    if (y >= sums.height)
        return;
    for (int first = 0; first < across; first += SATK_WARP) {
        const int tx = first + (int)(threadIdx.x % SATK_WARP);
        uint64_t *const at = sums.left + ((size_t)y * across + tx) * PLANES;
        const int last = min(tx * SATK_MATTE_TILE + SATK_MATTE_TILE, sums.width) - 1;
#pragma unroll
        for (int p = 0; p < PLANES; p++)
            own[p] = tx < across ? at[p] + up[(size_t)last * PLANES + p] : 0;
#pragma unroll
        for (int p = 0; p < PLANES; p++) {
            const uint64_t scanned = before[p] + satk_warp_scan(own[p]);
            above[p] = scanned - own[p];
            before[p] = __shfl_sync(~0u, scanned, SATK_WARP - 1);
        }
        if (tx < across)
            satk_store_pixel<uint64_t, PLANES>(at, above);
    }
}

template <typename SOURCE>
static int satk_build_matte_sums(const SOURCE &source, const satk_matte_sums<SOURCE::planes> &sums,
                                 cudaStream_t stream)
{
    const unsigned rows = satk_matte_tiles(sums.height);
    const unsigned tiles = satk_matte_tiles(sums.width) * rows;
    const unsigned per = SATK_MATTE_SUM_THREADS / SATK_WARP;
    const unsigned words = (unsigned)sums.width * SOURCE::planes;
    const unsigned warps = SATK_MATTE_THREADS / SATK_WARP;

    satk_sum_tiles<SOURCE>
        <<<(tiles + per - 1) / per, SATK_MATTE_SUM_THREADS, 0, stream>>>(source, sums);
    int error = satk_launched(stream);
    if (error)
        return error;
    satk_scan_up<<<(words + SATK_MATTE_THREADS - 1) / SATK_MATTE_THREADS, SATK_MATTE_THREADS, 0,
                   stream>>>(sums.up, words, (int)rows);
    error = satk_launched(stream);
    if (error)
        return error;
    satk_scan_left<SOURCE::planes>
        <<<((unsigned)sums.height + warps - 1) / warps, SATK_MATTE_THREADS, 0, stream>>>(sums);
    return satk_launched(stream);
}

/* --- Use -------------------------------------------------------------------------------------- */

/* Adds, `times` times (1, -1), the sums over all pixels left of x and above y. */
template <int PLANES>
static __device__ __forceinline__ void satk_add_corner(const satk_matte_sums<PLANES> &sums, int x,
                                                       int y, int times, uint64_t *total)
{
    uint32_t near[PLANES];
    uint64_t up[PLANES], left[PLANES];

    if (x == 0 || y == 0)
        return;
    const size_t tx = (size_t)(x - 1) / SATK_MATTE_TILE, ty = (size_t)(y - 1) / SATK_MATTE_TILE;
    const size_t across = satk_matte_tiles(sums.width), width = (size_t)sums.width;
#pragma unroll
    for (int p = 0; p < PLANES; p += sums.together)
        satk_load_pixel<uint32_t, satk_matte_sums<PLANES>::together>(sums.near_at(x - 1, y - 1, p),
                                                                     near + p);
    satk_load_pixel<uint64_t, PLANES>(sums.up + (ty * width + (size_t)(x - 1)) * PLANES, up);
    satk_load_pixel<uint64_t, PLANES>(sums.left + ((size_t)(y - 1) * across + tx) * PLANES, left);
#pragma unroll
    for (int p = 0; p < PLANES; p++)
        total[p] += (uint64_t)times * (near[p] + up[p] + left[p]);
}

/* Finds the sums over a rectangle. */
template <int PLANES>
static __device__ __forceinline__ void satk_sum_in(const satk_matte_sums<PLANES> &sums,
                                                   satk_matte_area a, uint64_t *total)
{
#pragma unroll
    for (int p = 0; p < PLANES; p++)
        total[p] = 0;
    satk_add_corner(sums, a.x1, a.y1, 1, total);
    satk_add_corner(sums, a.x0, a.y1, -1, total);
    satk_add_corner(sums, a.x1, a.y0, -1, total);
    satk_add_corner(sums, a.x0, a.y0, 1, total);
}

#endif
