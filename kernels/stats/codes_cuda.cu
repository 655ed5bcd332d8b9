#include "stats/code_words.cuh"
#include "stats/codes.h"

/* A block has a set in its memory, and adds it to the result once. A step reads four words of codes a thread, 8 or 16
 * codes. First all threads look their codes up in the set, then those that have new ones add them: the two are apart by a
 * barrier, so no thread reads what another one changes. Where nothing is new, which is nearly always, there is no second
 * half. To add a code twice does no harm, so pixels beyond the picture's end stand for its last ones. */

/* --- The set ---------------------------------------------------------------------------------- */

/* Returns a bit for each word: 1 if it has a code that is not in the set. */
template <int BITS>
static __device__ __forceinline__ unsigned look_up(const unsigned *set, const uint32_t *words)
{
    unsigned fresh = 0;

#pragma unroll
    for (int w = 0; w < SATK_CODE_WORDS; w++) {
        unsigned known = 1;
#pragma unroll
        for (int i = 0; i < 32 / BITS; i++) {
            const uint32_t code = satk_code_in<BITS>(words[w], i);
            known &= set[code / 32] >> code % 32;
        }
        fresh |= (known ^ 1) << w;
    }
    return fresh;
}

/* Adds the codes of fresh words to the set. Words that are the same as the lane's last one or the last lane's, and codes
 * that are the same as their last one, are left out: lanes that change one word wait for each other. All lanes call this. */
template <int BITS>
static __device__ __forceinline__ void add_codes(unsigned *set, const uint32_t *words,
                                                 unsigned fresh)
{
    const unsigned lane = threadIdx.x % SATK_WARP;

#pragma unroll
    for (int w = 0; w < SATK_CODE_WORDS; w++) {
        const uint32_t beside = __shfl_up_sync(0xffffffffu, words[w], 1);
        const int is_other =
            (lane == 0 || words[w] != beside) && (w == 0 || words[w] != words[w - 1]);
        if (is_other && (fresh >> w & 1)) {
#pragma unroll
            for (int i = 0; i < 32 / BITS; i++) {
                const uint32_t code = satk_code_in<BITS>(words[w], i);
                if (i == 0 || code != satk_code_in<BITS>(words[w], i - 1))
                    atomicOr(&set[code / 32], 1u << code % 32);
            }
        }
    }
}

template <int BITS, bool WIDE>
static __global__ void __launch_bounds__(SATK_HISTOGRAM_THREADS)
    find_codes(const __grid_constant__ satk_plane src, unsigned *out,
               const __grid_constant__ satk_segments cuts)
{
    constexpr unsigned SET = (1u << BITS) / 32, WARPS = SATK_HISTOGRAM_THREADS / SATK_WARP;
    __shared__ unsigned set[SET];
    satk_walk at = satk_begin_walk(&cuts);
    uint32_t words[SATK_CODE_WORDS], next[SATK_CODE_WORDS];

    satk_load_codes<BITS, WIDE>(&src, 0, &cuts, &at, next);
    satk_clear_counts(set, SET);
    for (unsigned s = blockIdx.x * WARPS; s < cuts.count; s += gridDim.x * WARPS) {
#pragma unroll
        for (int w = 0; w < SATK_CODE_WORDS; w++)
            words[w] = next[w];
        satk_step_on(&at, &cuts);
        satk_load_codes<BITS, WIDE>(&src, 0, &cuts, &at, next);
        const unsigned fresh = look_up<BITS>(set, words);
        if (__syncthreads_or((int)fresh)) {
            add_codes<BITS>(set, words, fresh);
            __syncthreads();
        }
    }
    for (unsigned i = threadIdx.x; i < SET; i += SATK_HISTOGRAM_THREADS)
        if (set[i] & ~__ldcg(&out[i]))
            atomicOr(&out[i], set[i]);
}

/* --- Launching -------------------------------------------------------------------------------- */

template <int BITS, bool WIDE>
static int launch(const satk_codes *job, const satk_limits *l, cudaStream_t stream)
{
    const satk_segments cuts =
        satk_cut(&job->src, (unsigned)job->src.width, SATK_WARP * satk_code_count<BITS>::value);
    const unsigned blocks = satk_blocks_for(&cuts, l->processors);

    find_codes<BITS, WIDE><<<blocks, SATK_HISTOGRAM_THREADS, 0, stream>>>(job->src, job->out, cuts);
    return satk_launched(stream);
}

size_t satk_codes_scratch_cuda(const satk_codes *job)
{
    (void)job;
    return 0;
}

int satk_codes_cuda(const satk_codes *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;
    const satk_plane *const src = &job->src;
    const bool wide = satk_is_wide(src);
    satk_limits l;
    int error = satk_get_limits(&l);

    if (!error)
        error = (int)cudaMemsetAsync(job->out, 0, satk_codes_bytes(src->bits), s);
    if (error)
        return error;
    if (src->bits == 8)
        return wide ? launch<8, true>(job, &l, s) : launch<8, false>(job, &l, s);
    return wide ? launch<16, true>(job, &l, s) : launch<16, false>(job, &l, s);
}
