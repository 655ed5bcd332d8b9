/* The tiles, bits and codes of the stages of `surface`. Each stage has a file: surface_STAGE_cuda.cu.
 *
 * A block has a tile of pixels, as wide as a warp, and each of its threads a strip of pixels below each other, so that
 * what is known of a row of a tile is a word of bits. Most pixels are on no edge, and it takes only a look around them
 * to know; those that take more are gathered and shared out among all threads of the block. */
#ifndef SATK_SURFACE_CUH
#define SATK_SURFACE_CUH

#include "common/launch.cuh"
#include "surface/surface.h"
#include "surface/surface_rule.h"
#include "surface/surface_tune.cuh"

static constexpr int SATK_HEARD = 2, SATK_HEARD_SIDE = 2 * SATK_HEARD + 1; /* of the 5 x 5 around */

/* Rows of bits: pixel x is bit x % 32 of word x / 32. Those beyond a row's end are 0. */
struct satk_bit_plane {
    uint32_t *words;
    int pitch;
};

static inline __host__ __device__ unsigned satk_words_of(const satk_plane &map)
{
    return ((unsigned)map.width + SATK_WARP - 1) / SATK_WARP;
}

/* The stages. bits: mark and find_beside write them, cut and join read them. */
int satk_mark(const satk_surface *job, satk_bit_plane ramps, cudaStream_t stream);
int satk_cut_ramps(const satk_surface *job, satk_bit_plane ramps, cudaStream_t stream);
int satk_find_beside(const satk_surface *job, satk_bit_plane beside, cudaStream_t stream);
int satk_join(const satk_surface *job, satk_bit_plane beside, cudaStream_t stream);

typedef void satk_surface_kernel(const satk_surface job, satk_bit_plane bits);

template <satk_surface_kernel *FOR_8, satk_surface_kernel *FOR_16>
static int satk_run_surface(const satk_surface *job, satk_bit_plane bits, cudaStream_t stream)
{
    const unsigned blocks =
        satk_words_of(job->map) *
        (((unsigned)job->map.height + SATK_SURFACE_ROWS - 1) / SATK_SURFACE_ROWS);

    if (job->map.bits == 8)
        FOR_8<<<blocks, SATK_SURFACE_THREADS, 0, stream>>>(*job, bits);
    else
        FOR_16<<<blocks, SATK_SURFACE_THREADS, 0, stream>>>(*job, bits);
    return satk_launched(stream);
}

/* --- Places ----------------------------------------------------------------------------------- */

struct satk_pixel {
    int x, y;
};

static __device__ __forceinline__ bool satk_is_inside(const satk_plane &map, satk_pixel p)
{
    return p.x < map.width && p.y < map.height;
}

/* Returns the first pixel of the block's tile. */
static __device__ __forceinline__ satk_pixel satk_find_tile(const satk_plane &map)
{
    const unsigned across = satk_words_of(map);

    return {(int)(blockIdx.x % across * SATK_WARP), (int)(blockIdx.x / across * SATK_SURFACE_ROWS)};
}

/* Return the first row of a thread's strip in the tile, and its first pixel. All threads of a warp
 * have the same rows. */
static __device__ __forceinline__ int satk_strip_row()
{
    return threadIdx.x / SATK_WARP * SATK_SURFACE_STRIP;
}

static __device__ __forceinline__ satk_pixel satk_find_strip(satk_pixel tile)
{
    return {tile.x + (int)(threadIdx.x % SATK_WARP), tile.y + satk_strip_row()};
}

static __device__ __forceinline__ int satk_within(int i, int n)
{
    return min(max(i, 0), n - 1);
}

/* --- Bits ------------------------------------------------------------------------------------- */

static __device__ __forceinline__ uint32_t *satk_word_of(const satk_bit_plane &bits, satk_pixel p)
{
    return bits.words + (size_t)p.y * bits.pitch + p.x / SATK_WARP;
}

/* Returns the bits of the five pixels of a row around x; those beside the map are 0. */
static __device__ __forceinline__ uint32_t satk_five_bits(const satk_bit_plane &bits, int x, int y)
{
    const uint32_t *const row = bits.words + (size_t)y * bits.pitch;
    const int first = x - SATK_HEARD, word = first >> 5;
    const uint32_t low = word >= 0 ? row[word] : 0;
    const uint32_t high = word + 1 < bits.pitch ? row[word + 1] : 0;

    return __funnelshift_r(low, high, first & 31) & 31;
}

/* --- Pixels that take more work -------------------------------------------------------- */

/* Some pixels of a block's tile, in any order: row * 32 + column. */
struct satk_few {
    int count;
    uint16_t at[SATK_WARP * SATK_SURFACE_ROWS];
};

/* Empties the list. All threads of the block call it, and satk_gathered(). */
static __device__ __forceinline__ void satk_gather_none(satk_few &few)
{
    if (threadIdx.x == 0)
        few.count = 0;
    __syncthreads();
}

/* Adds the pixels of a row of the tile that have a bit. All threads of the warp call it. */
static __device__ __forceinline__ void satk_gather_row(satk_few &few, int row, uint32_t bits)
{
    const int lane = (int)(threadIdx.x % SATK_WARP);
    int first = 0;

    if (!bits)
        return;
    if (lane == 0)
        first = atomicAdd(&few.count, __popc(bits));
    first = __shfl_sync(~0u, first, 0);
    if (bits >> lane & 1)
        few.at[first + __popc(bits & ((1u << lane) - 1))] = (uint16_t)(row * SATK_WARP + lane);
}

/* Returns their number, after all have been added. Thread i has the i-th one, and every blockDim.x-th from there. */
static __device__ __forceinline__ int satk_gathered(const satk_few &few)
{
    __syncthreads();
    return few.count;
}

static __device__ __forceinline__ satk_pixel satk_gathered_at(const satk_few &few, int i,
                                                              satk_pixel tile)
{
    return {tile.x + few.at[i] % SATK_WARP, tile.y + few.at[i] / SATK_WARP};
}

/* Adds the sums of a warp to a count. All its threads call it. */
static __device__ __forceinline__ void satk_add_up(uint64_t *counts, int which, int sum)
{
    for (int step = SATK_WARP / 2; step > 0; step /= 2)
        sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % SATK_WARP == 0 && sum)
        atomicAdd((unsigned long long *)&counts[which], (unsigned long long)sum);
}

/* --- Codes ------------------------------------------------------------------------------------ */

template <typename CODE>
static __device__ __forceinline__ int satk_code_at(const satk_plane &map, int x, int y)
{
    return ((const CODE *)((const uint8_t *)map.data + y * map.pitch))[x];
}

template <typename CODE>
static __device__ __forceinline__ void satk_put_code(const satk_plane &map, satk_pixel p, int code)
{
    ((CODE *)((uint8_t *)map.data + p.y * map.pitch))[p.x] = (CODE)code;
}

struct satk_extremes {
    int low, high;
};

static __device__ __forceinline__ satk_extremes satk_both(satk_extremes a, satk_extremes b)
{
    return {min(a.low, b.low), max(a.high, b.high)};
}

/* Finds the extremes of the 3 x 3 around the samples of a strip. Beside the map the closest ones count again. */
template <typename CODE>
static __device__ __forceinline__ void satk_find_extremes(const satk_plane &map, satk_pixel strip,
                                                          satk_extremes *of)
{
    const int left = satk_within(strip.x - 1, map.width), x = satk_within(strip.x, map.width);
    const int right = satk_within(strip.x + 1, map.width);
    satk_extremes rows[SATK_SURFACE_STRIP + 2];

#pragma unroll
    for (int j = 0; j < SATK_SURFACE_STRIP + 2; j++) {
        const int y = satk_within(strip.y + j - 1, map.height);
        const int a = satk_code_at<CODE>(map, left, y), b = satk_code_at<CODE>(map, x, y);
        const int c = satk_code_at<CODE>(map, right, y);
        rows[j] = {min(min(a, b), c), max(max(a, b), c)};
    }
#pragma unroll
    for (int j = 0; j < SATK_SURFACE_STRIP; j++)
        of[j] = satk_both(satk_both(rows[j], rows[j + 1]), rows[j + 2]);
}

/* Returns true if the map is left to the host, so that all steps behind the marks are skipped. */
static __device__ __forceinline__ bool satk_is_left(const satk_surface &job)
{
    return satk_is_wide(job.map.width, job.map.height, job.counts[SATK_EDGES],
                        job.counts[SATK_RAMPS]);
}

struct satk_colour {
    int rgb[3];
};

/* Returns a pixel's colour by the higher byte of 16 bits. Gray is three equal ones. */
static __device__ __forceinline__ satk_colour satk_colour_at(const satk_plane &src, int x, int y)
{
    const int high = src.bits - 8;
    uint32_t codes[4];

    satk_get_pixel((const uint8_t *)src.data + y * src.pitch, x, src.channels, src.bits, codes);
    if (src.channels < 3)
        codes[1] = codes[2] = codes[0];
    return {{(int)(codes[0] >> high), (int)(codes[1] >> high), (int)(codes[2] >> high)}};
}

#endif
