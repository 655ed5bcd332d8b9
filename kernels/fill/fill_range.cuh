/* The range of a map's depths: two codes of a certain rank among all known ones. Their higher bytes are found first, by the
 * counts of all higher bytes, and then the lower ones. */
#ifndef SATK_FILL_RANGE_CUH
#define SATK_FILL_RANGE_CUH

#include "common/scan.cuh"
#include "fill/fill.cuh"

enum { SATK_BYTES = 256 };

/* Two ranks, or the codes that have them, in rising order. */
struct satk_fill_ranks {
    unsigned at[2];
};

struct satk_range_memory {
    unsigned count[2][SATK_BYTES], warps[SATK_BYTES / SATK_WARP];
    satk_fill_ranks found, rest;
};

static __device__ __forceinline__ void satk_clear_bytes(satk_range_memory *m)
{
    __syncthreads();
    for (int i = threadIdx.x; i < 2 * SATK_BYTES; i += SATK_FILL_THREADS)
        m->count[i / SATK_BYTES][i % SATK_BYTES] = 0;
    __syncthreads();
}

/* Counts a byte for each lane that has one. Those of a warp are often the same. All lanes call it. */
static __device__ __forceinline__ void satk_count_byte(unsigned *counts, unsigned byte,
                                                       bool has_one)
{
    const uint32_t with = __ballot_sync(SATK_ALL_LANES, has_one);
    const int first = with ? __ffs((int)with) - 1 : 0;
    const unsigned firsts = __shfl_sync(SATK_ALL_LANES, byte, first);

    if (__all_sync(SATK_ALL_LANES, !has_one || byte == firsts)) {
        if (with && (int)(threadIdx.x % SATK_WARP) == first)
            atomicAdd(counts + firsts, (unsigned)__popc(with));
    } else if (has_one) {
        atomicAdd(counts + byte, 1u);
    }
}

/* Counts the higher byte of all known codes or, for each of two higher bytes, the lower ones. */
template <typename CODE, bool LOWER>
static __device__ void satk_count_bytes(const satk_fill_device &f, satk_fill_ranks of,
                                        satk_range_memory *m)
{
    constexpr int shift = LOWER ? 0 : 8 * (int)sizeof(CODE) - 8;
    const int wide = (f.map.width + SATK_WARP - 1) / SATK_WARP;
    const uint32_t count = (uint32_t)wide * (uint32_t)f.map.height;

    satk_clear_bytes(m);
    for (uint32_t i = satk_own_warp(); i < count; i += satk_all_warps()) {
        const int x = (int)(i % (uint32_t)wide * SATK_WARP + threadIdx.x % SATK_WARP);
        const int y = (int)(i / (uint32_t)wide);
        const uint32_t code = x < f.map.width ? satk_fill_code<CODE>(f.map, x, y) : 0;
        const unsigned byte = code >> shift & 255;
        if (!LOWER)
            satk_count_byte(m->count[0], byte, code != 0);
        for (int k = 0; LOWER && k < 2; k++)
            satk_count_byte(m->count[k], byte, code != 0 && code >> 8 == of.at[k]);
    }
    __syncthreads();
    unsigned *const to = LOWER ? f.control->low[0] : f.control->high;
    for (int i = threadIdx.x; i < (LOWER ? 2 : 1) * SATK_BYTES; i += SATK_FILL_THREADS)
        if (m->count[i / SATK_BYTES][i % SATK_BYTES])
            atomicAdd(to + i, m->count[i / SATK_BYTES][i % SATK_BYTES]);
}

/* Finds the bytes with these ranks by the counts of all, [2][256] or [256] for both. rest: the ranks among those of the same
 * byte. All threads of the block call it. */
static __device__ void satk_find_ranks(const unsigned *counts, int apart, satk_fill_ranks ranks,
                                       satk_range_memory *m)
{
    const int byte = (int)threadIdx.x;

    for (int k = 0; k < 2; k++) {
        const unsigned own = byte < SATK_BYTES ? __ldcg(counts + k * apart + byte) : 0;
        const unsigned scanned = satk_warp_scan(own);
        __syncthreads();
        if (byte < SATK_BYTES && byte % SATK_WARP == SATK_WARP - 1)
            m->warps[byte / SATK_WARP] = scanned;
        __syncthreads();
        if (byte >= SATK_BYTES)
            continue;
        const unsigned before = satk_warps_before(m->warps) + scanned - own;
        if (ranks.at[k] >= before && ranks.at[k] - before < own) {
            m->found.at[k] = (unsigned)byte;
            m->rest.at[k] = ranks.at[k] - before;
        }
    }
    __syncthreads();
}

/* Returns the ranks of the two codes that end the range. Some sample is known. */
static __device__ __forceinline__ satk_fill_ranks satk_ranks_of(const satk_fill_device &f)
{
    const uint64_t samples = (uint64_t)f.map.width * (uint64_t)f.map.height;
    const uint64_t known = samples - f.counts[SATK_FILL_HOLES];
    const uint64_t errors = known / SATK_GAP_ERRORS;

    return {{(unsigned)errors, (unsigned)(known - 1 - errors)}};
}

/* Returns the range of depths by its two codes. Where black is near, it begins at 0. */
template <typename CODE>
static __device__ __forceinline__ satk_fill_range satk_range_by(const satk_fill_device &f,
                                                                satk_fill_ranks codes)
{
    const uint32_t low = satk_in_16<CODE>(codes.at[0]), high = satk_in_16<CODE>(codes.at[1]);

    return {f.near_black ? 0 : satk_farness(high, 0),
            f.near_black ? satk_farness(high, 1) : satk_farness(low, 0)};
}

#endif
