/* What the stages of `fill` share on the device. fill_cuda.cu has the way through them.
 *
 * Rounds depend on each other, and the host waits for none of them: one launch has all. Its blocks run at the same time and
 * meet at a barrier between rounds. Holes are a small part of most maps, so what is known
 * of samples is kept for those near holes alone, in memory that has room for all. Words of 32 samples with a hole are
 * listed. */
#ifndef SATK_FILL_CUH
#define SATK_FILL_CUH

#include "common/launch.cuh"
#include "fill/fill.h"
#include "fill/fill_rule.h"
#include "surface/surface_colours.h"
#include "surface/surface_tune.cuh"

static constexpr uint32_t SATK_ALL_LANES = 0xffffffffu;
static constexpr int SATK_FILL_LISTS =
    3; /* of counters: a round reads one, adds to one and clears one */

/* What is counted on the device. All zeros at first. */
struct satk_fill_control {
    unsigned words, gaps;
    unsigned arrived[2]; /* blocks at barriers, of each launch that has some */
    unsigned rims[SATK_FILL_LISTS];
    unsigned levels[SATK_FILL_LISTS][SATK_FILL_LEVELS]; /* holes on rims by level */
    unsigned high[256], low[2][256];                    /* known codes, see fill_range.cuh */
};

/* A large gap. */
struct satk_fill_gap {
    satk_gap gap;
    unsigned count; /* samples */
    int is_at_border, is_judged;
};

/* The rim of a gap, and its own colours. */
struct satk_fill_rim {
    unsigned long long count[SATK_GAP_BINS], sum[SATK_GAP_BINS];
    unsigned long long near[SATK_TINTS], far[SATK_TINTS], own[SATK_TINTS];
};

struct satk_fill_device {
    satk_plane src, map, dst;
    satk_colours pixels; /* the picture's */
    satk_shares shares;
    int near_black, pitch; /* pitch: words of a row of bits */
    uint32_t *bits;        /* of holes: sample x is bit x % 32 of word x / 32 */
    uint2 *words;          /* the list of those that are not 0: which one, and its bits */
    uint2 *cells;          /* by sample near holes: its state and its colour */
    uint32_t *labels;      /* by hole: another one of its gap; at the end the gap's number */
    uint32_t *rims[2];     /* the list of holes on rims, of a round and of the next one */
    satk_fill_gap *gaps;   /* large ones; the first is unused */
    satk_fill_rim *tables; /* SATK_FILL_BATCH */
    satk_fill_control *control;
    uint64_t *counts;
};

/* --- States ----------------------------------------------------------------------------------- */

/* The state of a cell. A hole has 0 at first. On a rim it has the code and the level of its last votes, and the number of the
 * round in which it was on the rim last. It becomes known in the next round: until its own thread has said so, its level
 * does. Known samples have their code and, if they were holes, the round in which they became known. */
enum : uint32_t {
    SATK_CELL_CODE = 0xffff,
    SATK_CELL_LEVEL = 1 << 16, /* times the level, below 8 */
    SATK_CELL_RIM = 1 << 19,
    SATK_CELL_KNOWN = 1 << 20,
    SATK_CELL_ROUND = 1 << 21, /* times the number of the round modulo 2^11 */
    SATK_CELL_FRESH = 7,       /* the level of a hole that has not voted yet */
    SATK_CELL_JOINED = SATK_CELL_RIM | SATK_CELL_FRESH * SATK_CELL_LEVEL
};

/* A round, and the level up to which holes of the one before become known. */
struct satk_fill_turn {
    uint32_t round; /* of states */
    int level;
};

static __device__ __forceinline__ int satk_level_in(uint32_t state)
{
    return (int)(state / SATK_CELL_LEVEL & 7);
}

/* Returns true for a hole on a rim that becomes known. In a round, its state may be read before or after its own thread has
 * changed it. */
static __device__ __forceinline__ bool satk_becomes_known(uint32_t state, satk_fill_turn turn)
{
    return (state & SATK_CELL_RIM) && state / SATK_CELL_ROUND != turn.round &&
           satk_level_in(state) <= turn.level;
}

/* Returns true for a sample that has become known since the last round, and once in 2^11 rounds for any known one: a hole may
 * vote again in vain. */
static __device__ __forceinline__ bool satk_is_news(uint32_t state, satk_fill_turn turn)
{
    return state & SATK_CELL_KNOWN ? state / SATK_CELL_ROUND == turn.round
                                   : satk_becomes_known(state, turn);
}

/* --- Places ----------------------------------------------------------------------------------- */

static __device__ __forceinline__ bool satk_is_in(const satk_plane &map, int x, int y)
{
    return (unsigned)x < (unsigned)map.width && (unsigned)y < (unsigned)map.height;
}

template <typename CODE>
static __device__ __forceinline__ uint32_t satk_fill_code(const satk_plane &map, int x, int y)
{
    return ((const CODE *)((const uint8_t *)map.data + y * map.pitch))[x];
}

template <typename CODE>
static __device__ __forceinline__ void satk_fill_put(const satk_plane &map, int x, int y,
                                                     uint32_t code)
{
    ((CODE *)((uint8_t *)map.data + y * map.pitch))[x] = (CODE)code;
}

/* Returns a hole's code in 16 bits, by that of its map. */
template <typename CODE> static __device__ __forceinline__ uint32_t satk_in_16(uint32_t code)
{
    return code * satk_fill_scale(8 * sizeof(CODE));
}

/* Returns which samples of word i of a row are in the map. */
static __device__ __forceinline__ uint32_t satk_within_word(const satk_fill_device &f, int i)
{
    const int rest = f.map.width - i * SATK_WARP;

    return rest < SATK_WARP ? (1u << rest) - 1 : SATK_ALL_LANES;
}

/* Return a word's holes, and its known samples; none beside the map. */
static __device__ __forceinline__ uint32_t satk_holes_in(const satk_fill_device &f, int i, int y)
{
    const bool is_in = (unsigned)i < (unsigned)f.pitch && (unsigned)y < (unsigned)f.map.height;

    return is_in ? f.bits[(size_t)y * f.pitch + i] : 0;
}

static __device__ __forceinline__ uint32_t satk_known_in(const satk_fill_device &f, int i, int y)
{
    const bool is_in = (unsigned)i < (unsigned)f.pitch && (unsigned)y < (unsigned)f.map.height;

    return is_in ? ~f.bits[(size_t)y * f.pitch + i] & satk_within_word(f, i) : 0;
}

/* Returns the samples of a word that are at most one beside those of its row. */
static __device__ __forceinline__ uint32_t satk_widened(uint32_t before, uint32_t here,
                                                        uint32_t after)
{
    return here | __funnelshift_l(before, here, 1) | __funnelshift_r(here, after, 1);
}

/* A listed word. */
struct satk_fill_word {
    int y, word;
    uint32_t holes, at; /* at: y * width + x, of its first sample */
};

static __device__ __forceinline__ satk_fill_word satk_word_of(const satk_fill_device &f,
                                                              uint32_t listed)
{
    const uint2 entry = f.words[listed];
    const uint32_t y = entry.x / (uint32_t)f.pitch, word = entry.x % (uint32_t)f.pitch;

    return {(int)y, (int)word, entry.y, y * (uint32_t)f.map.width + word * SATK_WARP};
}

/* A sample of a listed word. All lanes of a warp have the same word. */
struct satk_fill_spot {
    int x, y, word;
    uint32_t holes, at; /* holes of the word; at: y * width + x */
    bool is_hole;
};

static __device__ __forceinline__ satk_fill_spot satk_spot_of(const satk_fill_device &f,
                                                              uint32_t listed)
{
    const int lane = threadIdx.x % SATK_WARP;
    const satk_fill_word w = satk_word_of(f, listed);

    return {w.word * SATK_WARP + lane, w.y, w.word, w.holes, w.at + (uint32_t)lane,
            (w.holes >> lane & 1) != 0};
}

/* Return the thread's number among all, and the number of all: a thread, or a warp, has each such word of a list. */
static __device__ __forceinline__ uint32_t satk_own_thread()
{
    return blockIdx.x * SATK_FILL_THREADS + threadIdx.x;
}

static __device__ __forceinline__ uint32_t satk_all_threads()
{
    return gridDim.x * SATK_FILL_THREADS;
}

static __device__ __forceinline__ uint32_t satk_own_warp()
{
    return satk_own_thread() / SATK_WARP;
}

static __device__ __forceinline__ uint32_t satk_all_warps()
{
    return satk_all_threads() / SATK_WARP;
}

/* --- Colours ---------------------------------------------------------------------------------- */

static __device__ __forceinline__ const uint8_t *satk_pixel_at(const satk_fill_device &f, int x,
                                                               int y)
{
    return f.pixels.data + y * f.pixels.pitch + (size_t)x * f.pixels.pixel;
}

static __device__ uint32_t satk_mean_at(const satk_fill_device &f, int x, int y)
{
    const satk_range across = satk_middle_of(x, f.map.width, f.src.width);
    const satk_range down = satk_middle_of(y, f.map.height, f.src.height);
    const uint64_t count = (uint64_t)(across.hi - across.lo) * (uint64_t)(down.hi - down.lo);
    uint64_t sum[3] = {0};
    uint32_t mean = 0;

    for (int j = down.lo; j < down.hi; j++)
#pragma unroll 1
        for (int i = across.lo; i < across.hi; i++)
#pragma unroll
            for (int c = 0; c < 3; c++)
                sum[c] += satk_pixel_at(f, i, j)[f.pixels.rgb[c]];
#pragma unroll
    for (int c = 0; c < 3; c++)
        mean |= (uint32_t)((sum[c] + count / 2) / count) << 8 * c;
    return mean;
}

/* Returns the colour of a sample of the map, red in the lowest byte. */
static __device__ __forceinline__ uint32_t satk_fill_colour(const satk_fill_device &f, int x, int y)
{
    if (f.map.width != f.src.width || f.map.height != f.src.height)
        return satk_mean_at(f, x, y);
    const uint8_t *const p = satk_pixel_at(f, x, y);
    return p[f.pixels.rgb[0]] | (uint32_t)p[f.pixels.rgb[1]] << 8 |
           (uint32_t)p[f.pixels.rgb[2]] << 16;
}

/* --- Barrier ---------------------------------------------------------------------------------- */

/* The barriers of a launch whose blocks all run at the same time. */
struct satk_meeting {
    unsigned *arrived; /* blocks, at all barriers */
    unsigned passed;   /* barriers */
};

/* Waits until all blocks have come here. What blocks change and others read behind a barrier is read from the second cache
 * (__ldcg()). */
static __device__ __forceinline__ void satk_meet_all(satk_meeting *m)
{
    const unsigned wanted = ++m->passed * gridDim.x;

    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(m->arrived, 1u);
        while ((int)(*(volatile unsigned *)m->arrived - wanted) < 0)
            __nanosleep(SATK_FILL_NAP);
        __threadfence();
    }
    __syncthreads();
}

#endif
