/* Counting codes of 16 bits on a GPU. 65536 counters of 32 bits do not fit a block's memory. There are two ways to have
 * fewer bytes (SATK_HISTOGRAM_PACKED):
 *   - Packed: two counters of 16 bits share a word. One that reaches 2^15 gives these to the result at once.
 *   - Not packed: a block counts a range of the codes in words of 32 bits, and passes over all others.
 * Packed counters, too, are for a range of the codes where memory is short. Each value of blockIdx.y stands for one plane
 * of codes and one range of them. */
#ifndef SATK_HISTOGRAM_DEEP_CUH
#define SATK_HISTOGRAM_DEEP_CUH

#include "stats/code_words.cuh"

static const unsigned SATK_DEEP_CODES = satk_code_count<16>::value;

/* --- Counters --------------------------------------------------------------------------------- */

/* The counters of a block: bins of the codes lowest .. lowest + 2^bits - 1. */
struct satk_bins {
    unsigned *words;
    unsigned lowest, bits;
    unsigned long long *out; /* of code `lowest` */
};

/* A bin's counter: a word, and the place of its counter's lowest bit there. */
struct satk_bin_place {
    unsigned word, shift;
};

/* The counters that share a word are half a range apart, since codes that are neighbours often occur together. Words are
 * exchanged within 32: codes that are multiples of 16 or 64, as samples of 12 or 10 bits become, would all be in one or two
 * banks of memory. */
static __device__ __forceinline__ satk_bin_place satk_place_of(const satk_bins *b, unsigned bin)
{
    const unsigned bits = SATK_HISTOGRAM_PACKED ? b->bits - 1 : b->bits;
    const unsigned word = bin & ((1u << bits) - 1);

    return {word ^ (word >> 6 & 31), bin >> bits << 4};
}

/* A counter that is packed has at most 2^15 - 1 at the begin of a round of steps, and reaches 2^15 at most once in it:
 * the codes of all threads in a round are not more. Then it has less than 2^16. */
enum { SATK_DEEP_ROUND = 3 };
static_assert(SATK_DEEP_ROUND * SATK_HISTOGRAM_THREADS * SATK_DEEP_CODES <= 1 << 15,
              "a packed counter may overflow within a round");

/* Adds to the code's bin, if that is the block's and count is not 0. Returns the bits that this has changed in the word:
 * with SATK_DEEP_FULL among them, a packed counter has reached 2^15, and the caller calls satk_relieve(). */
static __device__ __forceinline__ unsigned satk_add_code(const satk_bins *b, uint32_t code,
                                                         unsigned count)
{
    const unsigned bin = code - b->lowest;
    const satk_bin_place place = satk_place_of(b, bin);
    const unsigned more = bin >> b->bits ? 0 : count << place.shift;
    unsigned old = 0;

    if constexpr (!SATK_HISTOGRAM_PACKED) {
        if (more)
            atomicAdd(&b->words[place.word], count);
        return 0;
    }
    if (more)
        old = atomicAdd(&b->words[place.word], more);
    return old ^ (old + more);
}

static const unsigned SATK_DEEP_FULL = 0x80008000u;

/* Moves 2^15 from the code's counter to the result. */
static __device__ __forceinline__ void satk_relieve(const satk_bins *b, uint32_t code)
{
    const satk_bin_place place = satk_place_of(b, code - b->lowest);

    atomicSub(&b->words[place.word], 1u << (15 + place.shift));
    atomicAdd(&b->out[code - b->lowest], 1ull << 15);
}

/* Adds one code, and relieves its counter. */
static __device__ __forceinline__ void satk_add_one(const satk_bins *b, uint32_t code,
                                                    unsigned count)
{
    if (satk_add_code(b, code, count) & SATK_DEEP_FULL)
        satk_relieve(b, code);
}

/* Adds all codes of a thread. */
static __device__ __forceinline__ void satk_add_all(const satk_bins *b, const uint32_t *words)
{
    unsigned changed[SATK_DEEP_CODES], any = 0;

#pragma unroll
    for (unsigned i = 0; i < SATK_DEEP_CODES; i++) {
        changed[i] = satk_add_code(b, satk_code_in<16>(words[i / 2], i % 2), 1);
        any |= changed[i];
    }
    if ((any & SATK_DEEP_FULL) == 0)
        return;
#pragma unroll
    for (unsigned i = 0; i < SATK_DEEP_CODES; i++)
        if (changed[i] & SATK_DEEP_FULL)
            satk_relieve(b, satk_code_in<16>(words[i / 2], i % 2));
}

/* Adds a thread's codes, those whose bit in `there` is set. Where all are the same, as in an even area, they are added
 * at once. */
static __device__ __forceinline__ void satk_add_codes(const satk_bins *b, uint32_t *words,
                                                      unsigned there)
{
    const uint32_t first = words[0];
    const unsigned others = (words[1] ^ first) | (words[2] ^ first) | (words[3] ^ first);

    if ((others | (first ^ __funnelshift_l(first, first, 16))) == 0) {
        satk_add_one(b, first & 65535, (unsigned)__popc(there));
    } else if (there == satk_lowest(SATK_DEEP_CODES)) {
        satk_add_all(b, words);
    } else {
#pragma unroll 1
        for (; there; there >>= 1) { /* the words move down by a code each time */
            satk_add_one(b, words[0] & 65535, there & 1);
            words[0] = __funnelshift_r(words[0], words[1], 16);
            words[1] = __funnelshift_r(words[1], words[2], 16);
            words[2] = __funnelshift_r(words[2], words[3], 16);
            words[3] >>= 16;
        }
    }
}

/* Adds all counters of the block to the result. */
static __device__ __forceinline__ void satk_add_bins(const satk_bins *b)
{
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin >> b->bits == 0; bin += SATK_HISTOGRAM_THREADS) {
        const satk_bin_place place = satk_place_of(b, bin);
        const unsigned word = b->words[place.word];
        const unsigned sum = SATK_HISTOGRAM_PACKED ? word >> place.shift & 65535 : word;
        if (sum)
            atomicAdd(&b->out[bin], (unsigned long long)sum);
    }
}

/* --- The walk --------------------------------------------------------------------------------- */

/* Counts codes as the body of a kernel. load(at, plane, words) loads a thread's codes of a segment and returns a bit
 * for each that is there; out has the planes' 65536 bins one after the other. A range has 2^range codes; WHOLE: all. */
template <bool WHOLE, typename LOAD>
static __device__ __forceinline__ void satk_count_deep(const LOAD &load, const satk_segments *cuts,
                                                       unsigned range, unsigned *counts,
                                                       unsigned long long *out)
{
    const unsigned range_bits = WHOLE ? 16 : range;
    const unsigned ranges = 65536u >> range_bits, plane = blockIdx.y / ranges;
    const unsigned lowest = blockIdx.y % ranges << range_bits;
    const unsigned warps = SATK_HISTOGRAM_THREADS / SATK_WARP;
    const satk_bins bins = {counts, lowest, range_bits, out + plane * 65536 + lowest};
    satk_walk at = satk_begin_walk(cuts);
    uint32_t words[SATK_CODE_WORDS], next[SATK_CODE_WORDS];
    unsigned there, next_there = load(&at, plane, next), step = 0;

    satk_clear_counts(counts, 1u << (SATK_HISTOGRAM_PACKED ? range_bits - 1 : range_bits));
    for (unsigned s = blockIdx.x * warps; s < cuts->count; s += gridDim.x * warps) {
#pragma unroll
        for (int w = 0; w < SATK_CODE_WORDS; w++)
            words[w] = next[w];
        there = next_there;
        satk_step_on(&at, cuts);
        next_there = load(&at, plane, next);
        satk_add_codes(&bins, words, there);
        if (SATK_HISTOGRAM_PACKED && ++step % SATK_DEEP_ROUND == 0)
            __syncthreads();
    }
    satk_add_bins(&bins);
}

/* --- Launching -------------------------------------------------------------------------------- */

struct satk_ranges {
    satk_segments cuts;
    unsigned bits; /* a range has 2^bits codes */
    size_t bytes;  /* of shared memory for them */
    dim3 grid;
};

/* Returns the largest ranges that fit a block's memory. A block has SATK_HISTOGRAM_SHARE pixels or more: at its end it
 * adds up to 65536 counters to the result. */
static inline satk_ranges satk_plan_ranges(const satk_plane *src, int planes, const satk_limits *l)
{
    const size_t counter = SATK_HISTOGRAM_PACKED ? 2 : 4;
    const uint64_t shares = (uint64_t)src->width * (uint64_t)src->height / SATK_HISTOGRAM_SHARE;
    satk_ranges r = {satk_cut(src, (unsigned)src->width, SATK_WARP * SATK_DEEP_CODES), 16, 0,
                     dim3()};

    while (counter << r.bits > l->shared)
        r.bits--;
    r.bytes = counter << r.bits;
    const unsigned slices = (unsigned)planes << (16 - r.bits);
    const unsigned most = (unsigned)min(shares, (uint64_t)(l->processors / slices));
    r.grid = dim3(satk_blocks_for(&r.cuts, most), slices);
    return r;
}

#endif
