/* The piece of the table that the windows of a tile reach, in the shared memory of a block of
 * box_piece_cuda.cu, and how it is made.
 *
 * A cell of the table is one word: of gray 32 bits, of colour 64, with 21 bits a channel. Prefixes
 * outgrow their 21 bits into the next channel's, but cells are added and subtracted as whole numbers,
 * so the difference of a box's corners holds its sums: three numbers below 2^21. */
#ifndef SATK_BOX_PIECE_CUH
#define SATK_BOX_PIECE_CUH

#include "box/box_fused.cuh"
#include "box/box_tune.cuh"

namespace
{

constexpr int columns = SATK_PIECE_COLUMNS, runs = SATK_PIECE_RUNS, run = SATK_PIECE_RUN;
constexpr int rows = runs * run, threads = runs * columns, warps = threads / SATK_WARP;
constexpr int half = SATK_WARP / 2, lane_columns = columns / half;
constexpr int pitch = columns + 1; /* cells: the first of a row, and the first row, are 0 */
constexpr int field = 21;          /* bits */
constexpr int largest = SATK_PIECE_LARGEST;

static_assert(columns % half == 0 && lane_columns % 2 == 1 && rows % 32 == 0 && threads % 32 == 0,
              "no two lanes meet in a bank");
static_assert(largest * 255 < 1 << field, "a box's sum fits its bits");
static_assert(2 * largest < 1 << 14, "or odd_mean() may be wrong");

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

/* Loads the codes of a thread's run, one pixel to a word; beyond the picture they are 0. */
template <int CHANNELS>
__device__ __forceinline__ void load_run(const tiling &job, const place &at, uint32_t *codes)
{
    const satk_plane &src = job.box.src;
    const int x = at.left + (int)threadIdx.x % columns;
    const int y = at.top + (int)threadIdx.x / columns * run;
    const uint8_t *pixel = satk_pixel_of(src, x, y, CHANNELS);

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

/* Finds a box's sums from the difference of its corners. */
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

/* Returns the sum of the values of the lanes before, in half a warp. */
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

/* Scans the rows of a piece. The two rows of a warp lie apart, so that their lanes use different
 * banks. */
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

} // namespace

#endif
