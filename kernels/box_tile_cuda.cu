/* Table and means in one: a block makes, in shared memory, the piece of the table that the windows of
 * its tile of the picture reach, and reads the means from it. Nothing of the table is written to
 * memory; a piece's prefixes begin where the piece does, which changes no box. It pays while windows
 * are small beside the piece, which is as large as the shared memory; the tile is what their reach
 * leaves of it.
 *   1. runs: every thread has the codes of a run of a column, and tells the runs below their sum
 *   2. columns: it writes the run's prefixes
 *   3. rows: half a warp turns a row of them into a row of the table
 *   4. means of the tile's pixels, while the next tile's codes are on their way
 *
 * A cell of the table is one word: of gray 32 bits, of colour 64, with 21 bits a channel. Prefixes
 * outgrow their 21 bits into the next channel's, but cells are added and subtracted as whole numbers,
 * so the difference of a box's corners is what its sums make: three numbers below 2^21. */
#include "box.h"
#include "launch.cuh"
#include "tune.cuh"

namespace
{

constexpr int columns = SATK_PIECE_COLUMNS, runs = SATK_PIECE_RUNS, run = SATK_PIECE_RUN;
constexpr int rows = runs * run, threads = runs * columns, warps = threads / SATK_WARP;
constexpr int half = SATK_WARP / 2, lane_columns = columns / half;
constexpr int pitch = columns + 1; /* cells: the first of a row, and the first row, are 0 */
constexpr int field = 21;          /* bits */
constexpr int largest = SATK_BOX_TILE_LARGEST;

static_assert(columns % half == 0 && lane_columns % 2 == 1 && rows % 32 == 0 && threads % 32 == 0,
              "no two lanes meet in a bank");
static_assert(largest * 255 < 1 << field, "a box's sum fits its bits");
static_assert(2 * largest < 1 << 14, "or odd_mean() may be wrong");

/* Channels that are summed, as alpha is the largest everywhere, and the cell that holds them. */
template <int CHANNELS> struct pixels {
    static constexpr int colours = 1;
    typedef uint32_t cell;
};
template <> struct pixels<3> {
    static constexpr int colours = 3;
    typedef uint64_t cell;
};
template <> struct pixels<4> : pixels<3> {
};

template <typename CELL> struct piece {
    CELL table[rows + 1][pitch];
    CELL totals[runs - 1][columns];
    uint32_t lut[256]; /* of a map with 8 bits */
};

struct tiling {
    satk_box box;
    int reach_x, reach_y; /* of the windows, whole pixels */
    int width, height;    /* of a tile */
    int across;           /* tiles side by side */
    unsigned tiles;
};

/* The first pixels of a tile, and of its piece. */
struct place {
    int x, y, left, top;
    bool inner; /* no window leaves the picture */
};

__device__ __forceinline__ place place_of(const tiling &job, unsigned tile)
{
    const int x = (int)(tile % (unsigned)job.across) * job.width;
    const int y = (int)(tile / (unsigned)job.across) * job.height;
    const int left = x - job.reach_x, top = y - job.reach_y;

    return {x, y, left, top,
            left >= 0 && top >= 0 && left + columns <= job.box.src.width &&
                top + rows <= job.box.src.height};
}

/* --- Pixels ----------------------------------------------------------------------------------- */

__device__ __forceinline__ const uint8_t *pixel_of(const satk_plane &plane, int x, int y, int size)
{
    return (const uint8_t *)plane.data + y * plane.pitch + (ptrdiff_t)x * size;
}

template <int CHANNELS> __device__ __forceinline__ uint32_t load_pixel(const uint8_t *pixel)
{
    if constexpr (CHANNELS == 4)
        return __ldcg((const uint32_t *)pixel); /* leaves the L1 cache to the map */
    else if constexpr (CHANNELS == 3)
        return __ldg(pixel) | (uint32_t)__ldg(pixel + 1) << 8 | (uint32_t)__ldg(pixel + 2) << 16;
    else if constexpr (CHANNELS == 2)
        return __ldcg((const uint16_t *)pixel);
    else
        return __ldg(pixel);
}

/* `codes` may have more than their lowest bytes. */
template <int CHANNELS>
__device__ __forceinline__ void put_pixel(uint8_t *to, const uint32_t *codes)
{
    if constexpr (CHANNELS == 4) {
        const uint32_t two = __byte_perm(codes[0], codes[1], 0x0040);
        *(uint32_t *)to = __byte_perm(two, codes[2], 0x0410) | 0xff000000u;
    } else if constexpr (CHANNELS == 2) {
        *(uint16_t *)to = (uint16_t)(codes[0] | 0xff00u);
    } else {
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            to[c] = (uint8_t)codes[c];
    }
}

/* The codes of a thread's run, a pixel in a word; nothing beyond the picture. */
template <int CHANNELS>
__device__ __forceinline__ void load_run(const tiling &job, const place &at, uint32_t *codes)
{
    const satk_plane &src = job.box.src;
    const int x = at.left + (int)threadIdx.x % columns;
    const int y = at.top + (int)threadIdx.x / columns * run;
    const uint8_t *pixel = pixel_of(src, x, y, CHANNELS);

    if (at.inner) {
#pragma unroll
        for (int i = 0; i < run; i++, pixel += src.pitch)
            codes[i] = load_pixel<CHANNELS>(pixel);
        return;
    }
#pragma unroll
    for (int i = 0; i < run; i++, pixel += src.pitch)
        codes[i] = x >= 0 && x < src.width && y + i >= 0 && y + i < src.height
                       ? load_pixel<CHANNELS>(pixel)
                       : 0;
}

template <typename CELL> __device__ __forceinline__ CELL cell_with(uint32_t codes)
{
    if constexpr (sizeof(CELL) == 4)
        return codes & 255;
    else
        return (uint64_t)(codes >> 16 & 255) << 2 * field |
               ((codes & 255) | (codes & 0xff00) << (field - 8));
}

/* A box's sums, from the difference of its corners. */
__device__ __forceinline__ void split(uint32_t box, uint32_t *sums)
{
    sums[0] = box;
}

__device__ __forceinline__ void split(uint64_t box, uint32_t *sums)
{
    constexpr uint32_t mask = (1u << field) - 1;

    sums[0] = (uint32_t)box & mask;
    sums[1] = (uint32_t)(box >> field) & mask;
    sums[2] = (uint32_t)(box >> 2 * field);
}

/* --- Table ------------------------------------------------------------------------------------ */

template <typename CELL>
__device__ __forceinline__ void sum_runs(const uint32_t *codes, piece<CELL> *p)
{
    CELL sum = 0;

#pragma unroll
    for (int i = 0; i < run; i++)
        sum += cell_with<CELL>(codes[i]);
    if (threadIdx.x < (runs - 1) * columns)
        (&p->totals[0][0])[threadIdx.x] = sum;
}

template <typename CELL>
__device__ __forceinline__ void scan_columns(const uint32_t *codes, piece<CELL> *p)
{
    const int column = (int)threadIdx.x % columns, above = (int)threadIdx.x / columns;
    CELL sum = 0;

    if (above == 0)
        p->table[0][column + 1] = 0;
    if (threadIdx.x <= rows)
        p->table[threadIdx.x][0] = 0;
#pragma unroll
    for (int i = 0; i < runs - 1; i++)
        if (i < above)
            sum += p->totals[i][column];
#pragma unroll
    for (int i = 0; i < run; i++) {
        sum += cell_with<CELL>(codes[i]);
        p->table[above * run + i + 1][column + 1] = sum;
    }
}

/* The values of the lanes before in half a warp. */
template <typename CELL> __device__ __forceinline__ CELL before_in_half(CELL own)
{
    const int lane = (int)threadIdx.x % half;
    CELL sum = own;

#pragma unroll
    for (int step = 1; step < half; step *= 2) {
        const CELL other = __shfl_up_sync(0xffffffffu, sum, step, half);
        sum += lane >= step ? other : 0;
    }
    return sum - own;
}

/* The two rows of a warp are as far apart as keeps their lanes out of each other's banks. */
template <typename CELL> __device__ __forceinline__ void scan_rows(piece<CELL> *p)
{
    constexpr int apart = 64 / sizeof(CELL);
    const int lane = (int)threadIdx.x % half, second = (int)threadIdx.x / half % 2;

    for (int pair = (int)threadIdx.x / SATK_WARP; pair < rows / 2; pair += warps) {
        const int row = pair / apart * 2 * apart + pair % apart + second * apart;
        CELL *const cells = &p->table[row + 1][lane * lane_columns + 1];
        CELL value[lane_columns];

#pragma unroll
        for (int i = 0; i < lane_columns; i++)
            value[i] = cells[i] + (i > 0 ? value[i - 1] : 0);
        const CELL before = before_in_half(value[lane_columns - 1]);
#pragma unroll
        for (int i = 0; i < lane_columns; i++)
            cells[i] = value[i] + before;
    }
}

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
    /* The box that is x more columns and y more rows wide on each side. */
    __device__ __forceinline__ CELL box(int x, int y) const
    {
        return end[(y + 1) * pitch + x + 1] - left[(y + 1) * pitch - x] - above[x + 1 - y * pitch] +
               both[-y * pitch - x];
    }
};

/* Within 2^-22 of 1 / number (PTX ISA, "rcp.approx"). */
__device__ __forceinline__ float nearly_inverse(float number)
{
#ifdef __NVCC__
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(number));
    return inverse;
#else
    return (1 + 0x1p-23f) / number;
#endif
}

/* Of codes over an odd area, where no mean lies half-way: it is at least 1 / (2 area) from there, and
 * the product, before its one rounding to whole numbers, less than 256 x 2^-22 off. The code is the
 * lowest byte. */
__device__ __forceinline__ uint32_t odd_mean(uint32_t sum, float inverse)
{
    return __float_as_uint(__fmaf_rn((float)sum, inverse, 8388608.0f));
}

/* Of any area below 2^31, rounded half up. The roundings of the guess are less than 2^-21 in all, by
 * which and more it is made too small, but of 256 not by 1: its whole part is the mean or one less. */
__device__ __forceinline__ uint32_t any_mean(uint64_t sum, uint32_t area, float inverse)
{
    const uint64_t up = sum + area / 2;
    const float nearly = (float)(uint32_t)(up >> 32) * 4294967296.0f + (float)(uint32_t)up;
    const uint32_t quotient = (uint32_t)(nearly * (inverse * (1 - 0x1p-20f)));

    return quotient + ((uint32_t)up - quotient * area >= area);
}

/* The weights of two nested ranges, the outer one with the fraction; and what they add up to. */
struct weights {
    uint32_t inner, outer, total;

    __device__ __forceinline__ weights(uint32_t radius, uint32_t shorter, uint32_t longer)
        : inner(SATK_ONE - radius % SATK_ONE), outer(radius % SATK_ONE),
          total(inner * shorter + outer * longer)
    {
    }
};

/* Four nested boxes: BOX(i, j), the outer columns with i, the outer rows with j. The sums of two with
 * weights of together 2^8 fit 32 bits. */
template <int CHANNELS, typename BOX>
__device__ __forceinline__ void put_nested(uint8_t *to, const weights &across, const weights &down,
                                           const BOX &box)
{
    constexpr int colours = pixels<CHANNELS>::colours;
    const uint32_t area = across.total * down.total;
    const float inverse = nearly_inverse((float)area);
    uint32_t sums[4][colours], codes[colours];

    split(box(0, 0), sums[0]);
    split(box(1, 0), sums[1]);
    split(box(0, 1), sums[2]);
    split(box(1, 1), sums[3]);
#pragma unroll
    for (int c = 0; c < colours; c++) {
        const uint32_t inner = across.inner * sums[0][c] + across.outer * sums[1][c];
        const uint32_t outer = across.inner * sums[2][c] + across.outer * sums[3][c];
        codes[c] =
            any_mean((uint64_t)down.inner * inner + (uint64_t)down.outer * outer, area, inverse);
    }
    put_pixel<CHANNELS>(to, codes);
}

/* A window inside the picture. */
template <int CHANNELS, typename CELL>
__device__ __forceinline__ void put_inner(uint8_t *to, const CELL *at, uint32_t rx, uint32_t ry)
{
    const uint32_t x = rx / SATK_ONE, y = ry / SATK_ONE;
    const corners<CELL> window(at, (int)x, (int)y);
    uint32_t codes[pixels<CHANNELS>::colours];

    if ((rx | ry) % SATK_ONE) {
        put_nested<CHANNELS>(to, weights(rx, 2 * x + 1, 2 * x + 3),
                             weights(ry, 2 * y + 1, 2 * y + 3),
                             [&](int i, int j) { return window.box(i, j); });
        return;
    }
    const float inverse = nearly_inverse((float)(2 * x + 1) * (float)(2 * y + 1));
    split(window.box(0, 0), codes);
#pragma unroll
    for (int c = 0; c < pixels<CHANNELS>::colours; c++)
        codes[c] = odd_mean(codes[c], inverse);
    put_pixel<CHANNELS>(to, codes);
}

/* The positions of an axis that a window covers, clipped to the picture. */
__device__ __forceinline__ satk_range clipped(int at, uint32_t radius, int more, int size)
{
    return satk_clip(satk_window(at, (int)(radius / SATK_ONE) + more), size);
}

__device__ __forceinline__ uint32_t length(satk_range range)
{
    return (uint32_t)(range.hi - range.lo);
}

/* Any window. */
template <int CHANNELS, typename CELL>
__device__ __forceinline__ void put_clipped(const satk_plane &src, const place &at,
                                            const piece<CELL> *p, uint8_t *to, int x, int y,
                                            uint32_t rx, uint32_t ry)
{
    const int more = (rx | ry) % SATK_ONE != 0; /* else the outer boxes count nothing */
    const satk_range across[] = {clipped(x, rx, 0, src.width), clipped(x, rx, more, src.width)};
    const satk_range down[] = {clipped(y, ry, 0, src.height), clipped(y, ry, more, src.height)};

    put_nested<CHANNELS>(to, weights(rx, length(across[0]), length(across[1])),
                         weights(ry, length(down[0]), length(down[1])), [&](int i, int j) {
                             const CELL *const lower = p->table[down[j].hi - at.top];
                             const CELL *const upper = p->table[down[j].lo - at.top];
                             const int hi = across[i].hi - at.left, lo = across[i].lo - at.left;
                             return lower[hi] - lower[lo] - upper[hi] + upper[lo];
                         });
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* The pixels of a tile that a thread averages: of one column, every `apart`-th row. Half a warp has
 * neighbours; as many halves as it takes share a row. */
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

/* Of a tile whose windows are all inside the picture. Offsets are in bytes from its first pixel; the
 * next pixel's code of the map is on its way. */
template <int CHANNELS, int MAP, typename CELL>
__device__ __forceinline__ void put_inner_tile(const tiling &job, const place &at,
                                               const piece<CELL> *p, const uint32_t *lut)
{
    const satk_box &box = job.box;
    const own_pixels own(job);
    const int map_size = box.map.channels * (MAP / 8);
    const uint8_t *const map = pixel_of(box.map, at.x, at.y, map_size);
    uint8_t *const to = (uint8_t *)pixel_of(box.dst, at.x, at.y, CHANNELS);
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

/* Of a tile at the border, where windows leave the picture. */
template <int CHANNELS, int MAP, typename CELL>
__device__ __forceinline__ void put_border_tile(const tiling &job, const place &at,
                                                const piece<CELL> *p, const uint32_t *lut)
{
    const satk_box &box = job.box;
    const own_pixels own(job);
    const int x = at.x + own.x, last = min(at.y + job.height, box.src.height);

    for (int y = at.y + own.y; y < last && x < box.src.width; y += own.apart) {
        uint32_t rx = box.radius_x, ry = box.radius_y;
        if (MAP)
            rx = ry = lut[map_code<MAP>(pixel_of(box.map, x, y, box.map.channels * (MAP / 8)))];
        put_clipped<CHANNELS>(box.src, at, p, (uint8_t *)pixel_of(box.dst, x, y, CHANNELS), x, y,
                              rx, ry);
    }
}

/* The map's rows of the tile: on their way to the cache. */
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
            asm volatile("prefetch.global.L1 [%0];" ::"l"(pixel_of(map, at.x, y, size) + x));
    }
#endif
}

template <int CHANNELS, int MAP>
__global__ void __launch_bounds__(threads, 1) tile_means(const __grid_constant__ tiling job)
{
    typedef typename pixels<CHANNELS>::cell cell;
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
        __syncthreads(); /* and those who read the piece before are done */
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

/* How the picture is cut into tiles. False: too little of a piece is left. */
bool plan(const satk_box *job, tiling *out)
{
    const int fraction = (job->radius_x | job->radius_y) % SATK_ONE != 0; /* nested on both axes */
    const int least = job->map.data || fraction ? SATK_BOX_TILE_LEAST_MIXED : SATK_BOX_TILE_LEAST;
    const int64_t reach_x = (int64_t)(job->radius_x / SATK_ONE) + fraction;
    const int64_t reach_y = (int64_t)(job->radius_y / SATK_ONE) + fraction;
    const int64_t width = columns - 2 * reach_x, height = rows - 2 * reach_y;

    if (width <= 0 || height <= 0 || width * height < least ||
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
    constexpr size_t bytes = sizeof(piece<typename pixels<CHANNELS>::cell>);
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

/* Pixels of two or four channels are read and written as one word, and offsets within a tile fit 32
 * bits. */
bool is_suited(const satk_plane *plane, int channels)
{
    const uintptr_t size = channels == 3 ? 1 : (uintptr_t)channels;

    return ((uintptr_t)plane->data | (uintptr_t)plane->pitch) % size == 0 &&
           (size_t)plane->pitch <= UINT32_MAX / (2 * rows);
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

int satk_box_tile_pays_cuda(const satk_box *job)
{
    const satk_tone *const tone = &job->tone;
    const int channels = job->src.channels;
    tiling t;

    return job->src.bits == 8 && job->word == 32 && !job->wide && job->edge == SATK_SHRINK &&
           !tone->decode && (tone->opaque || !satk_has_alpha(channels)) &&
           is_suited(&job->src, channels) && is_suited(&job->dst, channels) &&
           is_suited(&job->map, 1) && plan(job, &t) && can_hold_piece();
}

int satk_box_tile_cuda(const satk_box *job, void *stream)
{
    tiling t;

    if (!plan(job, &t))
        return (int)cudaErrorInvalidValue;
    switch (job->src.channels) {
    case 1: return launch_map<1>(&t, (cudaStream_t)stream);
    case 2: return launch_map<2>(&t, (cudaStream_t)stream);
    case 3: return launch_map<3>(&t, (cudaStream_t)stream);
    default: return launch_map<4>(&t, (cudaStream_t)stream);
    }
}
