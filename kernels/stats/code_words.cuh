/* Codes of a plane in registers: four words a thread, of 8 codes of 16 bits or 16 of 8 bits. */
#ifndef SATK_CODE_WORDS_CUH
#define SATK_CODE_WORDS_CUH

#include "stats/histogram.cuh"

enum { SATK_CODE_WORDS = 4 };

/* --- The walk --------------------------------------------------------------------------------- */

/* The segment of a warp: the row, and the number within it. Where the row is beyond the picture, there is none. */
struct satk_walk {
    unsigned y, along;
    unsigned rows, segments; /* that a step goes on by */
};

static __device__ __forceinline__ satk_walk satk_begin_walk(const satk_segments *cuts)
{
    const unsigned first = satk_first_segment(), step = satk_next_segment(0);

    return {first / cuts->across, first % cuts->across, step / cuts->across, step % cuts->across};
}

/* Goes on to the warp's next segment, without a division. */
static __device__ __forceinline__ void satk_step_on(satk_walk *at, const satk_segments *cuts)
{
    at->y += at->rows;
    at->along += at->segments;
    if (at->along >= cuts->across) {
        at->along -= cuts->across;
        at->y++;
    }
}

/* Returns the row of the segment, or the last one. */
static __device__ __forceinline__ const uint8_t *satk_walk_row(const satk_plane *src,
                                                               const satk_walk *at)
{
    return (const uint8_t *)src->data + (int64_t)min(at->y, (unsigned)src->height - 1) * src->pitch;
}

/* --- Codes ------------------------------------------------------------------------------------ */

/* The codes of a thread. */
template <int BITS> struct satk_code_count {
    static const unsigned value = SATK_CODE_WORDS * 32 / BITS;
};

template <int BITS> static __device__ __forceinline__ uint32_t satk_code_in(uint32_t word, int i)
{
    return word >> (BITS * i) & ((1u << BITS) - 1);
}

/* Returns a mask of the lowest `count` bits; count is at most 31. */
static __device__ __forceinline__ unsigned satk_lowest(unsigned count)
{
    return (1u << count) - 1;
}

/* Packs a thread's codes: those of the pixels first, first + step ... of a row. Returns a bit for each: 1 if it is there.
 * Pixels beyond the row's end stand for the last one. */
template <int BITS>
static __device__ __forceinline__ unsigned satk_pack_codes(const satk_plane *src, int channel,
                                                           const uint8_t *row, unsigned first,
                                                           unsigned step, uint32_t *words)
{
    constexpr int PER = 32 / BITS;
    const unsigned width = (unsigned)src->width;

#pragma unroll
    for (int w = 0; w < SATK_CODE_WORDS; w++) {
        words[w] = 0;
#pragma unroll
        for (int i = 0; i < PER; i++) {
            const unsigned x = min(first + (unsigned)(w * PER + i) * step, width - 1);
            const size_t at = (size_t)x * (size_t)src->channels + (size_t)channel;
            words[w] |= satk_code(row, at, BITS) << (BITS * i);
        }
    }
    const unsigned left = first < width ? (width - first + step - 1) / step : 0;
    return satk_lowest(min(left, satk_code_count<BITS>::value));
}

/* Loads a thread's codes of one channel of a segment, which has as many pixels as a warp has codes. Returns a bit for
 * each, see satk_pack_codes(). Of a segment beyond the picture there are none. WIDE: the plane has one channel, a
 * thread's codes are neighbours, and they begin at a multiple of 16 bytes; otherwise a warp's lanes have neighbours. */
template <int BITS, bool WIDE>
static __device__ __forceinline__ unsigned satk_load_codes(const satk_plane *src, int channel,
                                                           const satk_segments *cuts,
                                                           const satk_walk *at, uint32_t *words)
{
    constexpr unsigned CODES = satk_code_count<BITS>::value;
    const unsigned lane = threadIdx.x % SATK_WARP;
    const uint8_t *const row = satk_walk_row(src, at);
    const unsigned begin = at->along * cuts->length, first = begin + lane * CODES;
    unsigned there;

    if (WIDE && first + CODES <= (unsigned)src->width) {
        const uint4 v = __ldcs((const uint4 *)(row + first * (BITS / 8)));
        words[0] = v.x, words[1] = v.y, words[2] = v.z, words[3] = v.w;
        there = satk_lowest(CODES);
    } else if (WIDE) {
        there = satk_pack_codes<BITS>(src, channel, row, first, 1, words);
    } else {
        there = satk_pack_codes<BITS>(src, channel, row, begin + lane, SATK_WARP, words);
    }
    return at->y < (unsigned)src->height ? there : 0;
}

/* Returns whether codes may be loaded WIDE. */
static inline bool satk_is_wide(const satk_plane *src)
{
    return src->channels == 1 && ((uintptr_t)src->data | (uintptr_t)src->pitch) % 16 == 0;
}

#endif
