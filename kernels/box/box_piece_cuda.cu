/* Table and means in one: a block makes, in shared memory, the piece of the table that the windows of
 * its tile of the picture reach, and reads the means from it. Nothing of the table is written to
 * memory. A piece's prefixes begin where the piece does: no box depends on that. The tile is the piece less
 * the windows' reach, and the piece fills the shared memory: this pays while windows are small beside it.
 *   1. runs: every thread has the codes of a run of a column, and publishes their sum to the runs below
 *   2. columns: it writes the run's prefixes
 *   3. rows: half a warp turns a row of them into a row of the table
 *   4. means of the tile's pixels, while the next tile's codes are on their way */
#include "box/box_piece.cuh"
#include "common/launch.cuh"

namespace
{

/* --- Means ------------------------------------------------------------------------------------ */

/* Windows inside the picture: `at` is the pixel's cell. */
template <typename CELL> struct corners {
    const CELL *end, *left, *above, *both;

    __device__ __forceinline__ corners(const CELL *at, int rx, int ry)
    {
        const int falling = ry * pitch + rx, rising = ry * pitch - rx; /* the diagonals */
        end = at + falling;
        both = at - falling;
        left = at + rising;
        above = at - rising;
    }
    /* Returns the box that is x columns and y rows wider on each side. */
    __device__ __forceinline__ CELL box(int x, int y) const
    {
        return end[(y + 1) * pitch + x + 1] - left[(y + 1) * pitch - x] - above[x + 1 - y * pitch] +
               both[-y * pitch - x];
    }
};

/* Returns the mean of codes over an odd area, where no mean lies half-way: it is at least 1 / (2
 * area) from there, and the product, before its one rounding to whole numbers, is less than 256 x
 * 2^-22 off. The code is the lowest byte. */
__device__ __forceinline__ uint32_t odd_mean(uint32_t sum, float inverse)
{
    return __float_as_uint(__fmaf_rn((float)sum, inverse, 8388608.0f));
}

/* The weights of two nested ranges, the outer one with the fraction, and their weighted length. */
struct weights {
    uint32_t inner, outer, total;

    __device__ __forceinline__ weights(uint32_t radius, uint32_t shorter, uint32_t longer)
        : inner(SATK_ONE - radius % SATK_ONE), outer(radius % SATK_ONE),
          total(inner * shorter + outer * longer)
    {
    }
};

/* Adds four nested boxes. BOX(i, j) has the outer columns with i and the outer rows with j. The
 * sums of two with weights of together 2^8 fit 32 bits. */
template <int CHANNELS, typename BOX>
__device__ __forceinline__ void put_nested(uint8_t *to, const weights &across, const weights &down,
                                           const BOX &box)
{
    constexpr int colours = satk_opaque<CHANNELS>::colours;
    const uint32_t area = across.total * down.total;
    const float inverse = satk_nearly_inverse((float)area);
    uint32_t sums[4][colours], codes[colours];

    split(box(0, 0), sums[0]);
    split(box(1, 0), sums[1]);
    split(box(0, 1), sums[2]);
    split(box(1, 1), sums[3]);
#pragma unroll
    for (int c = 0; c < colours; c++) {
        const uint32_t inner = across.inner * sums[0][c] + across.outer * sums[1][c];
        const uint32_t outer = across.inner * sums[2][c] + across.outer * sums[3][c];
        codes[c] = satk_any_mean((uint64_t)down.inner * inner + (uint64_t)down.outer * outer, area,
                                 inverse);
    }
    satk_put_opaque<CHANNELS>(to, codes);
}

/* Finds the means of a window inside the picture. */
template <int CHANNELS, typename CELL>
__device__ __forceinline__ void put_inner(uint8_t *to, const CELL *at, uint32_t rx, uint32_t ry)
{
    const uint32_t x = rx / SATK_ONE, y = ry / SATK_ONE;
    const corners<CELL> window(at, (int)x, (int)y);
    uint32_t codes[satk_opaque<CHANNELS>::colours];

    if ((rx | ry) % SATK_ONE) {
        put_nested<CHANNELS>(to, weights(rx, 2 * x + 1, 2 * x + 3),
                             weights(ry, 2 * y + 1, 2 * y + 3),
                             [&](int i, int j) { return window.box(i, j); });
        return;
    }
    const float inverse = satk_nearly_inverse((float)(2 * x + 1) * (float)(2 * y + 1));
    split(window.box(0, 0), codes);
#pragma unroll
    for (int c = 0; c < satk_opaque<CHANNELS>::colours; c++)
        codes[c] = odd_mean(codes[c], inverse);
    satk_put_opaque<CHANNELS>(to, codes);
}

/* Returns the positions of an axis that a window covers, clipped to the picture. */
__device__ __forceinline__ satk_range clipped(int at, uint32_t radius, int more, int size)
{
    return satk_clip(satk_window(at, (int)(radius / SATK_ONE) + more), size);
}

__device__ __forceinline__ uint32_t length(satk_range range)
{
    return (uint32_t)(range.hi - range.lo);
}

/* Finds the means of any window. */
template <int CHANNELS, typename CELL>
__device__ __forceinline__ void put_clipped(const satk_plane &src, const place &at,
                                            const piece<CELL> *p, uint8_t *to, satk_box_window w)
{
    const int more = (w.rx | w.ry) % SATK_ONE != 0; /* else the outer boxes count nothing */
    const satk_range across[] = {clipped(w.x, w.rx, 0, src.width),
                                 clipped(w.x, w.rx, more, src.width)};
    const satk_range down[] = {clipped(w.y, w.ry, 0, src.height),
                               clipped(w.y, w.ry, more, src.height)};

    put_nested<CHANNELS>(to, weights(w.rx, length(across[0]), length(across[1])),
                         weights(w.ry, length(down[0]), length(down[1])), [&](int i, int j) {
                             const CELL *const lower = p->table[down[j].hi - at.top];
                             const CELL *const upper = p->table[down[j].lo - at.top];
                             const int hi = across[i].hi - at.left, lo = across[i].lo - at.left;
                             return lower[hi] - lower[lo] - upper[hi] + upper[lo];
                         });
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* The pixels of a tile that a thread averages: every `apart`-th row of one column. Half a warp has
 * neighbours; as many halves as the tile's width takes share a row. */
struct own_pixels {
    int x, y, apart;

    __device__ __forceinline__ explicit own_pixels(const tiling &job)
    {
        const int halves = (job.width + half - 1) / half, mine = (int)threadIdx.x / half;
        x = mine % halves * half + (int)threadIdx.x % half;
        y = mine / halves;
        apart = threads / half / halves;
        if (x >= job.width || y >= apart)
            y = job.height; /* none */
    }
};

template <int MAP> __device__ __forceinline__ uint32_t map_code(const uint8_t *map)
{
    return MAP == 8 ? __ldg(map) : __ldg((const uint16_t *)map);
}

/* Averages a tile whose windows are all inside the picture. Offsets are in bytes from its first
 * pixel; the map's code of the next pixel is loaded ahead of its use. */
template <int CHANNELS, int MAP, typename CELL>
__device__ __forceinline__ void put_inner_tile(const tiling &job, const place &at,
                                               const piece<CELL> *p, const uint32_t *lut)
{
    const satk_box &box = job.box;
    const own_pixels own(job);
    const int map_size = box.map.channels * (MAP / 8);
    const uint8_t *const map = satk_pixel_of(box.map, at.x, at.y, map_size);
    uint8_t *const to = satk_pixel_of(box.dst, at.x, at.y, CHANNELS);
    uint32_t map_at = own.y * (uint32_t)box.map.pitch + own.x * map_size;
    uint32_t to_at = own.y * (uint32_t)box.dst.pitch + own.x * CHANNELS;
    const CELL *cell = &p->table[own.y + job.reach_y][own.x + job.reach_x];
    uint32_t code = MAP && own.y < job.height ? map_code<MAP>(map + map_at) : 0;

    for (int y = own.y; y < job.height; y += own.apart) {
        const uint32_t radius = MAP ? lut[code] : 0;
        map_at += own.apart * (uint32_t)box.map.pitch;
        if (MAP && y + own.apart < job.height)
            code = map_code<MAP>(map + map_at);
        put_inner<CHANNELS>(to + to_at, cell, MAP ? radius : box.radius_x,
                            MAP ? radius : box.radius_y);
        to_at += own.apart * (uint32_t)box.dst.pitch;
        cell += own.apart * pitch;
    }
}

/* Averages a tile at the border, where windows leave the picture. */
template <int CHANNELS, int MAP, typename CELL>
__device__ __forceinline__ void put_border_tile(const tiling &job, const place &at,
                                                const piece<CELL> *p, const uint32_t *lut)
{
    const satk_box &box = job.box;
    const own_pixels own(job);
    const int x = at.x + own.x, last = min(at.y + job.height, box.src.height);

    for (int y = at.y + own.y; y < last && x < box.src.width; y += own.apart) {
        satk_box_window w = {x, y, box.radius_x, box.radius_y};
        if (MAP)
            w.rx = w.ry =
                lut[map_code<MAP>(satk_pixel_of(box.map, x, y, box.map.channels * (MAP / 8)))];
        put_clipped<CHANNELS>(box.src, at, p, satk_pixel_of(box.dst, x, y, CHANNELS), w);
    }
}

/* Begins to load the map's rows of the tile into the cache. */
template <int MAP> __device__ __forceinline__ void fetch_map(const tiling &job, const place &at)
{
#ifdef __NVCC__
    constexpr int line = 128;
    const satk_plane &map = job.box.map;
    const int size = map.channels * (MAP / 8), lines = job.width * size / line + 2;
    const int right = min(job.width, map.width - at.x) * size - 1;

    for (int i = (int)threadIdx.x; i < job.height * lines; i += threads) {
        const int y = at.y + i / lines, x = min(i % lines * line, right);
        if (y < map.height)
            asm volatile("prefetch.global.L1 [%0];" ::"l"(satk_pixel_of(map, at.x, y, size) + x));
    }
#endif
}

template <int CHANNELS, int MAP>
__global__ void __launch_bounds__(threads, 1) tile_means(const __grid_constant__ tiling job)
{
    typedef typename satk_opaque<CHANNELS>::cell cell;
    extern __shared__ uint4 memory[];
    piece<cell> *const p = (piece<cell> *)memory;
    const uint32_t *const lut = MAP == 8 ? p->lut : job.box.lut;
    uint32_t codes[run];

    if (MAP == 8 && threadIdx.x < 256)
        p->lut[threadIdx.x] = job.box.lut[threadIdx.x];
    load_run<CHANNELS>(job, place_of(job, blockIdx.x), codes);
    for (unsigned tile = blockIdx.x; tile < job.tiles; tile += gridDim.x) {
        const place at = place_of(job, tile);

        if (MAP)
            fetch_map<MAP>(job, at);
        sum_runs(codes, p);
        __syncthreads(); /* and all readers of the piece before are done */
        scan_columns(codes, p);
        __syncthreads();
        scan_rows(p);
        if (tile + gridDim.x < job.tiles)
            load_run<CHANNELS>(job, place_of(job, tile + gridDim.x), codes);
        __syncthreads();
        if (at.inner)
            put_inner_tile<CHANNELS, MAP>(job, at, p, lut);
        else
            put_border_tile<CHANNELS, MAP>(job, at, p, lut);
    }
}

/* --- Launch ----------------------------------------------------------------------------------- */

/* Divides the picture into tiles. Returns false if too little of a piece is left for one. */
bool plan(const satk_box *job, tiling *out)
{
    const int fraction = (job->radius_x | job->radius_y) % SATK_ONE != 0; /* nested on both axes */
    const int least = job->map.data || fraction ? SATK_PIECE_LEAST_MIXED : SATK_PIECE_LEAST;
    const int64_t reach_x = (int64_t)(job->radius_x / SATK_ONE) + fraction;
    const int64_t reach_y = (int64_t)(job->radius_y / SATK_ONE) + fraction;
    const int64_t width = columns - 2 * reach_x, height = rows - 2 * reach_y;

    if (width <= 0 || height <= 0 || width * height < least || job->src.width > SATK_PIECE_WIDEST ||
        (2 * reach_x + 1) * (2 * reach_y + 1) > largest)
        return false;
    *out = {*job, (int)reach_x, (int)reach_y, (int)width, (int)height, 0, 0};
    out->across = (int)((job->src.width + width - 1) / width);
    const int64_t tiles = out->across * ((job->src.height + height - 1) / height);
    out->tiles = (unsigned)tiles;
    return tiles < INT32_MAX;
}

template <int CHANNELS, int MAP> int launch(const tiling *job, cudaStream_t stream)
{
    constexpr size_t bytes = sizeof(piece<typename satk_opaque<CHANNELS>::cell>);
    int device, processors;
    int error = (int)cudaGetDevice(&device);

    if (!error)
        error = (int)cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (!error)
        error = (int)cudaFuncSetAttribute(tile_means<CHANNELS, MAP>,
                                          cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error)
        return error;
    const unsigned blocks = job->tiles < (unsigned)processors ? job->tiles : (unsigned)processors;
    tile_means<CHANNELS, MAP><<<blocks, threads, bytes, stream>>>(*job);
    return satk_launched(stream);
}

template <int CHANNELS> int launch_map(const tiling *job, cudaStream_t stream)
{
    if (!job->box.map.data)
        return launch<CHANNELS, 0>(job, stream);
    return job->box.map.bits == 8 ? launch<CHANNELS, 8>(job, stream)
                                  : launch<CHANNELS, 16>(job, stream);
}

bool can_hold_piece()
{
    int device, most;

    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) ==
               cudaSuccess &&
           (size_t)most >= sizeof(piece<uint64_t>);
}

} // namespace

bool satk_box_piece_suits(const satk_box *job)
{
    tiling t;

    return plan(job, &t) && can_hold_piece();
}

int satk_box_piece(const satk_box *job, cudaStream_t stream)
{
    tiling t;

    if (!plan(job, &t))
        return (int)cudaErrorInvalidValue;
    switch (job->src.channels) {
    case 1: return launch_map<1>(&t, stream);
    case 2: return launch_map<2>(&t, stream);
    case 3: return launch_map<3>(&t, stream);
    default: return launch_map<4>(&t, stream);
    }
}
