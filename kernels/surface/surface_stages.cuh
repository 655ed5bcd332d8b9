/* The tiles, bits and codes of the stages of `surface`. Each stage has a file: surface_STAGE_cuda.cu.
 *
 * A block has a tile of pixels, as wide as a warp, and each of its threads a strip of pixels below each other, so that
 * what is known of a row of a tile is a word of bits. Most pixels are on no edge, and it takes only a look around them
 * to know; those that take more are gathered and shared out among all threads of the block. */
#ifndef SATK_SURFACE_STAGES_CUH
#define SATK_SURFACE_STAGES_CUH

#include "common/launch.cuh"
#include "surface/resample_rule.h"
#include "surface/surface.h"
#include "surface/surface_rule.h"
#include "surface/surface_tune.cuh"

static constexpr int SATK_HEARD = 2, SATK_HEARD_SIDE = 2 * SATK_HEARD + 1; /* of the 5 x 5 around */

/* Rows of bits: pixel x is bit x % 32 of word x / 32. Those beyond a row's end are 0. */
struct satk_bit_plane {
    uint32_t *words;
    int pitch;
};

/* A map and its marks: level 0 is the caller's, each other one is half of the one before. */
struct satk_map_level {
    satk_plane map;
    satk_bit_plane edge; /* samples on edges */
    satk_bit_plane kept; /* less those that a finer level has; of level 0, the same plane */
    satk_bit_plane near; /* samples within one of those kept */
    uint32_t *ends; /* by sample: low, and 2^16 high, in 16 bits; known within two of those kept */
};

/* Where a column or a row of the picture lies in a level. */
struct satk_level_place {
    satk_tap tap; /* the samples that the pixel lies between */
    int sample;   /* that which the pixel goes by */
};

/* The work of all stages. Each is launched whatever the counts will be, and ends at once where the map's way needs none
 * of it. */
struct satk_surfacing {
    satk_surface job;
    satk_plane fine; /* the map at the picture's size; apart from `between` */
    /* The result of the cuts: dst if nothing is left to do. Of narrow ramps, it has the pixels that are cut. */
    satk_plane between;
    satk_map_level level[SATK_MOST_LEVELS];
    int levels;
    satk_bit_plane ramps;     /* samples of level 0 on ramps */
    satk_level_place *places; /* for each level: of all columns, then of all rows */
};

/* The blocks of levels from <= l < to, one tile each: those of level l begin with begin[l]. */
struct satk_level_tiles {
    int from, to;
    unsigned begin[SATK_MOST_LEVELS + 1];
};

static inline __host__ __device__ unsigned satk_words_of(const satk_plane &map)
{
    return ((unsigned)map.width + SATK_WARP - 1) / SATK_WARP;
}

static inline __host__ __device__ unsigned satk_tiles_of(const satk_plane &map)
{
    return satk_words_of(map) *
           (((unsigned)map.height + SATK_SURFACE_ROWS - 1) / SATK_SURFACE_ROWS);
}

static inline satk_level_tiles satk_tile_levels(const satk_surfacing *s, int from, int to)
{
    satk_level_tiles tiles = {from, to, {0}};

    for (int l = from; l < to; l++)
        tiles.begin[l + 1] = tiles.begin[l] + satk_tiles_of(s->level[l].map);
    return tiles;
}

/* Returns the blocks of a stage: no more than run at a time, each of which takes tile after tile. Those of a stage without work
 * then end at once. */
static inline unsigned satk_blocks_of(unsigned tiles)
{
    return tiles < SATK_SURFACE_BLOCKS ? tiles : SATK_SURFACE_BLOCKS;
}

/* The stages, each in a file of its own. mark: levels from <= l < to, all of one number of bits. */
int satk_mark_maps(const satk_surfacing *s, int from, int to, cudaStream_t stream);
int satk_make_halves(const satk_surfacing *s, cudaStream_t stream);
int satk_cut_ramps(const satk_surfacing *s, cudaStream_t stream);
int satk_join(const satk_surfacing *s, cudaStream_t stream);

/* --- Places ----------------------------------------------------------------------------------- */

struct satk_pixel {
    int x, y;
};

static __device__ __forceinline__ bool satk_is_inside(const satk_plane &map, satk_pixel p)
{
    return p.x < map.width && p.y < map.height;
}

/* Returns the first pixel of a tile. */
static __device__ __forceinline__ satk_pixel satk_find_tile(const satk_plane &map, unsigned number)
{
    const unsigned across = satk_words_of(map);

    return {(int)(number % across * SATK_WARP), (int)(number / across * SATK_SURFACE_ROWS)};
}

/* Returns the level of a tile, and makes *number the tile's number in it. */
static __device__ __forceinline__ int satk_find_level(const satk_level_tiles &tiles,
                                                      unsigned *number)
{
    int l = tiles.from;

    while (*number >= tiles.begin[l + 1])
        l++;
    *number -= tiles.begin[l];
    return l;
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

static __device__ __forceinline__ bool satk_bit_at(const satk_bit_plane &bits, int x, int y)
{
    return bits.words[(size_t)y * bits.pitch + x / SATK_WARP] >> x % SATK_WARP & 1;
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

/* Raises a count to the largest value of a warp. All its threads call it. */
static __device__ __forceinline__ void satk_raise(uint64_t *counts, int which, unsigned value)
{
    for (int step = SATK_WARP / 2; step > 0; step /= 2)
        value = max(value, __shfl_down_sync(~0u, value, step));
    if (threadIdx.x % SATK_WARP == 0 && value)
        atomicMax((unsigned long long *)&counts[which], (unsigned long long)value);
}

/* --- Codes ------------------------------------------------------------------------------------ */

template <typename CODE>
static __device__ __forceinline__ int satk_code_at(const satk_plane &map, int x, int y)
{
    return ((const CODE *)((const uint8_t *)map.data + y * map.pitch))[x];
}

template <typename CODE>
static __device__ __forceinline__ void satk_set_code(const satk_plane &map, satk_pixel p, int code)
{
    ((CODE *)((uint8_t *)map.data + p.y * map.pitch))[p.x] = (CODE)code;
}

/* Returns a code in 16 bits. */
static __device__ __forceinline__ int satk_code16(const satk_plane &map, int x, int y)
{
    return map.bits == 8 ? 257 * satk_code_at<uint8_t>(map, x, y)
                         : satk_code_at<uint16_t>(map, x, y);
}

struct satk_extremes {
    int low, high;
};

static __device__ __forceinline__ satk_extremes satk_both(satk_extremes a, satk_extremes b)
{
    return {min(a.low, b.low), max(a.high, b.high)};
}

/* The codes of a block's tile and of AROUND samples to each side. Beside the map the closest ones count again. */
template <int AROUND> struct satk_patch {
    static constexpr int SIDE = SATK_WARP + 2 * AROUND;
    uint16_t code[SATK_SURFACE_ROWS + 2 * AROUND][SIDE];
};

/* Fills a patch with codes, or with all bits of them turned. Returns whether `is_busy` for some thread, or codes of the patch
 * may differ by more than `most`. All threads of the block call it, and have the patch then. */
template <typename CODE, int AROUND>
static __device__ __forceinline__ bool satk_load_patch(const satk_plane &map, satk_pixel tile,
                                                       bool turned, int most, bool is_busy,
                                                       satk_patch<AROUND> &to)
{
    constexpr int HIGH = SATK_SURFACE_ROWS + 2 * AROUND, WARPS = SATK_SURFACE_THREADS / SATK_WARP;
    const int lane = (int)(threadIdx.x % SATK_WARP), first = (int)(threadIdx.x / SATK_WARP);
    const int left = satk_within(tile.x + lane - AROUND, map.width);
    const int right = satk_within(tile.x + SATK_WARP + lane - AROUND, map.width);
    const CODE turn = turned ? (CODE)-1 : 0;
    const int middle = (CODE)(satk_code_at<CODE>(map, tile.x, tile.y) ^ turn);
    int away = 0;

#pragma unroll
    for (int i = 0; i < (HIGH + WARPS - 1) / WARPS; i++) {
        const int row = first + i * WARPS, y = satk_within(tile.y + row - AROUND, map.height);
        if (row >= HIGH)
            break;
        const int a = (CODE)(satk_code_at<CODE>(map, left, y) ^ turn);
        const int b = lane < 2 * AROUND ? (CODE)(satk_code_at<CODE>(map, right, y) ^ turn) : middle;
        away = max(away, max(abs(a - middle), abs(b - middle)));
        to.code[row][lane] = (uint16_t)a;
        if (lane < 2 * AROUND)
            to.code[row][SATK_WARP + lane] = (uint16_t)b;
    }
    return __syncthreads_or(is_busy || 2 * away > most);
}

/* Returns the extremes of the 3 x 3 around pixel x, y of the tile. */
template <int AROUND>
static __device__ __forceinline__ satk_extremes satk_around(const satk_patch<AROUND> &patch, int x,
                                                            int y)
{
    satk_extremes of = {UINT16_MAX, 0};

#pragma unroll
    for (int j = AROUND - 1; j <= AROUND + 1; j++)
#pragma unroll
        for (int i = AROUND - 1; i <= AROUND + 1; i++) {
            const int code = patch.code[y + j][x + i];
            of = satk_both(of, {code, code});
        }
    return of;
}

/* Returns the extremes of `ends` and of the samples that are exactly `reach` away, in a row or a column. */
static __device__ __forceinline__ satk_extremes satk_widen(const satk_plane &map, satk_pixel p,
                                                           int reach, satk_extremes ends)
{
    for (int i = -reach; i <= reach; i++)
#pragma unroll
        for (int side = 0; side < 4; side++) {
            const int to = side % 2 ? reach : -reach;
            const int x = satk_within(p.x + (side < 2 ? i : to), map.width);
            const int y = satk_within(p.y + (side < 2 ? to : i), map.height);
            const int code = satk_code16(map, x, y);
            ends = satk_both(ends, {code, code});
        }
    return ends;
}

/* Returns the ends of the ramp at a sample: the extremes of the smallest square around it that has them. */
static __device__ __forceinline__ uint32_t satk_find_ends(const satk_plane &map, satk_pixel p)
{
    const int own = satk_code16(map, p.x, p.y);
    satk_extremes ends = satk_widen(map, p, 1, {own, own});

    for (int reach = 2; reach <= SATK_CUT_REACH; reach++) {
        const satk_extremes next = satk_widen(map, p, reach, ends);
        if (satk_has_ends((uint32_t)(ends.high - ends.low), (uint32_t)(next.high - next.low)))
            break;
        ends = next;
    }
    return (uint32_t)ends.low | (uint32_t)ends.high << 16;
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

/* --- Rims, four pixels at a time -------------------------------------------------------------- */

static constexpr int SATK_RIM_WORDS = 4; /* of a thread, each of four pixels */
static constexpr size_t SATK_RIM_BLOCK = 4 * SATK_RIM_WORDS * SATK_SURFACE_THREADS; /* pixels */

static inline unsigned satk_rim_blocks(size_t pixels)
{
    return (unsigned)((pixels + SATK_RIM_BLOCK - 1) / SATK_RIM_BLOCK);
}

/* Returns the first pixel of a thread's word. */
static __device__ __forceinline__ size_t satk_rim_first(int word)
{
    return blockIdx.x * SATK_RIM_BLOCK + 4 * ((size_t)word * SATK_SURFACE_THREADS + threadIdx.x);
}

/* Finds the kinds of the pixels of a thread's words: a byte each, SATK_RIM_NONE beyond the last pixel. */
static __device__ __forceinline__ void satk_get_kinds(const satk_rims &rims, size_t pixels,
                                                      uint32_t *kinds)
{
    const bool is_aligned = (uintptr_t)rims.kind % sizeof(uint32_t) == 0;

#pragma unroll
    for (int w = 0; w < SATK_RIM_WORDS; w++) {
        const size_t first = satk_rim_first(w);
        kinds[w] = 0;
        if (is_aligned && first + 4 <= pixels)
            kinds[w] = *(const uint32_t *)(rims.kind + first);
        else
            for (size_t i = first; i < first + 4 && i < pixels; i++)
                kinds[w] |= (uint32_t)rims.kind[i] << 8 * (i - first);
    }
}

#endif
