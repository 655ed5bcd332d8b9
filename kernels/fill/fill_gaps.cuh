/* The judgement of large gaps: what their rims say about the surfaces that may grow into them. */
#ifndef SATK_FILL_GAPS_CUH
#define SATK_FILL_GAPS_CUH

#include "fill/fill.cuh"

/* Large gaps that are judged at a time: those with numbers from `first` on. */
struct satk_fill_batch {
    uint32_t first, count;
};

static __device__ __forceinline__ bool satk_is_of(satk_fill_batch batch, uint32_t number)
{
    return number - batch.first < batch.count;
}

static __device__ __forceinline__ void satk_clear_table(satk_fill_rim *table, int thread,
                                                        int threads)
{
    unsigned long long *const words = (unsigned long long *)table;

    for (int i = thread; i < (int)(sizeof *table / sizeof *words); i += threads)
        words[i] = 0;
}

static __device__ __forceinline__ void satk_clear_tables(const satk_fill_device &f)
{
    for (uint32_t i = blockIdx.x; i < SATK_FILL_BATCH; i += gridDim.x)
        satk_clear_table(f.tables + i, (int)threadIdx.x, SATK_FILL_THREADS);
}

/* Returns the holes of a word that are beside, above or below a known sample. */
static __device__ __forceinline__ uint32_t satk_rims_in(const satk_fill_device &f,
                                                        const satk_fill_spot &s)
{
    const uint32_t above = satk_known_in(f, s.word, s.y - 1);
    const uint32_t below = satk_known_in(f, s.word, s.y + 1);

    return s.holes & (above | below |
                      satk_widened(satk_known_in(f, s.word - 1, s.y), satk_known_in(f, s.word, s.y),
                                   satk_known_in(f, s.word + 1, s.y)));
}

/* Finds the sample at one of the eight directions in some distance. Returns whether it is known. */
template <typename CODE>
static __device__ __forceinline__ bool satk_look_at_rim(const satk_fill_device &f,
                                                        const satk_fill_spot &s, int k, int away,
                                                        int2 *seen, uint32_t *farness)
{
    const int direction = k < 4 ? k : k + 1; /* of 3 x 3, without the middle */
    const int x = s.x + (direction % 3 - 1) * away, y = s.y + (direction / 3 - 1) * away;
    const uint32_t code = satk_is_in(f.map, x, y) ? satk_fill_code<CODE>(f.map, x, y) : 0;

    *seen = {x, y};
    *farness = satk_farness(satk_in_16<CODE>(code), f.near_black);
    return code != 0;
}

/* Counts the depths along the rims of a batch. */
template <typename CODE>
static __device__ __forceinline__ void
satk_count_depths(const satk_fill_device &f, satk_fill_batch batch, satk_fill_range range)
{
    const uint32_t count = f.control->words;
    const int lane = threadIdx.x % SATK_WARP, away = satk_ring_of(f.map.width, f.map.height, 0);

    for (uint32_t i = satk_own_warp(); i < count; i += satk_all_warps()) {
        const satk_fill_spot s = satk_spot_of(f, i);
        if (!(satk_rims_in(f, s) >> lane & 1))
            continue;
        const uint32_t number = __ldcg(f.labels + s.at);
        if (!satk_is_of(batch, number))
            continue;
        satk_fill_rim *const rim = f.tables + (number - batch.first);
#pragma unroll 1 /* for registers */
        for (int k = 0; k < 8; k++) {
            int2 seen;
            uint32_t farness;
            if (!satk_look_at_rim<CODE>(f, s, k, away, &seen, &farness))
                continue;
            const uint32_t bin = satk_bin_of(&range, farness);
            atomicAdd(&rim->count[bin], 1ull);
            atomicAdd(&rim->sum[bin], (unsigned long long)farness);
        }
    }
}

/* Adds 1 to a count for each lane that has one. Those of a warp are often the same. All lanes call it. */
static __device__ __forceinline__ void satk_count_alike(unsigned long long *count)
{
    const uint32_t with = __ballot_sync(SATK_ALL_LANES, count != nullptr);

    if (!count)
        return;
    const uint32_t alike = __match_any_sync(with, (unsigned long long)(uintptr_t)count);
    if ((int)(threadIdx.x % SATK_WARP) == __ffs((int)alike) - 1)
        atomicAdd(count, (unsigned long long)__popc(alike));
}

/* Counts the colours of both sides of a batch's rims, and those of its gaps. */
template <typename CODE>
static __device__ void satk_count_colours(const satk_fill_device &f, satk_fill_batch batch)
{
    const uint32_t count = f.control->words;
    const int lane = threadIdx.x % SATK_WARP;

    for (uint32_t i = satk_own_warp(); i < count; i += satk_all_warps()) {
        const satk_fill_spot s = satk_spot_of(f, i);
        const uint32_t number = s.is_hole ? __ldcg(f.labels + s.at) : 0;
        const bool is_of = satk_is_of(batch, number);
        if (!__any_sync(SATK_ALL_LANES, is_of))
            continue;
        satk_fill_rim *const rim = f.tables + (is_of ? number - batch.first : 0);
        const uint32_t behind = is_of ? __ldcg(&f.gaps[number].gap.behind) : 0;
        const bool is_rim = is_of && satk_rims_in(f, s) >> lane & 1;
        const uint32_t own = is_of ? satk_tint(__ldcg(&f.cells[s.at].y)) : 0;
        satk_count_alike(is_of ? &rim->own[own] : nullptr);
        if (!__any_sync(SATK_ALL_LANES, is_rim))
            continue;
#pragma unroll 1 /* for registers */
        for (int k = 0; k < 8 * SATK_GAP_RINGS; k++) {
            const int away = satk_ring_of(f.map.width, f.map.height, k / 8);
            unsigned long long *to = nullptr;
            int2 seen;
            uint32_t farness;
            if (is_rim && satk_look_at_rim<CODE>(f, s, k % 8, away, &seen, &farness)) {
                const uint32_t tint = satk_tint(satk_fill_colour(f, seen.x, seen.y));
                to = farness < behind ? &rim->near[tint] : &rim->far[tint];
            }
            satk_count_alike(to);
        }
    }
}

struct satk_judge_memory {
    unsigned long long count[SATK_GAP_BINS], sum[SATK_GAP_BINS];
    unsigned long long known;
    unsigned long long near, far, own, alike; /* sums over all colours */
};

/* Judges the depths of a batch, a block a gap. Gaps whose rim is hardly known stay open to all. */
static __device__ __forceinline__ void
satk_judge_all_depths(const satk_fill_device &f, satk_fill_batch batch, satk_judge_memory *m)
{
    for (uint32_t i = blockIdx.x; i < batch.count; i += gridDim.x) {
        const satk_fill_rim *const rim = f.tables + i;
        satk_fill_gap *const gap = f.gaps + (batch.first + i);
        __syncthreads();
        if (threadIdx.x == 0)
            m->known = 0;
        __syncthreads();
        for (int b = threadIdx.x; b < SATK_GAP_BINS; b += SATK_FILL_THREADS) {
            m->count[b] = __ldcg(&rim->count[b]);
            m->sum[b] = __ldcg(&rim->sum[b]);
            atomicAdd(&m->known, m->count[b]);
        }
        __syncthreads();
        if (threadIdx.x > 0 || m->known < SATK_GAP_LEAST)
            continue;
        satk_gap judged = {};
        satk_judge_depths((const uint64_t *)m->count, (const uint64_t *)m->sum, m->known,
                          f.near_black, &judged);
        gap->gap = judged;
        gap->is_judged = 1;
    }
}

static __device__ __forceinline__ satk_gap_colours satk_colours_in(const satk_fill_rim *rim, int t)
{
    return {__ldcg(&rim->near[t]), __ldcg(&rim->far[t]), __ldcg(&rim->own[t])};
}

/* Sums up all colours, and then the gap's own ones that the rim shows. All threads of the block call it. */
static __device__ __forceinline__ satk_gap_colours satk_add_colours(const satk_fill_rim *rim,
                                                                    satk_judge_memory *m)
{
    __syncthreads();
    if (threadIdx.x == 0)
        m->near = m->far = m->own = m->alike = 0;
    __syncthreads();
    for (int t = threadIdx.x; t < SATK_TINTS; t += SATK_FILL_THREADS) {
        const satk_gap_colours c = satk_colours_in(rim, t);
        atomicAdd(&m->near, (unsigned long long)c.near);
        atomicAdd(&m->far, (unsigned long long)c.far);
        atomicAdd(&m->own, (unsigned long long)c.own);
    }
    __syncthreads();
    const satk_gap_colours all = {m->near, m->far, m->own};
    for (int t = threadIdx.x; t < SATK_TINTS; t += SATK_FILL_THREADS) {
        const satk_gap_colours c = satk_colours_in(rim, t);
        if (satk_is_shown(&c, &all))
            atomicAdd(&m->alike, (unsigned long long)c.own);
    }
    __syncthreads();
    return all;
}

/* Judges the colours of a batch, a block a gap, and clears its tables. */
static __device__ __forceinline__ void
satk_judge_all_colours(const satk_fill_device &f, satk_fill_batch batch, satk_judge_memory *m)
{
    const uint64_t samples = (uint64_t)f.map.width * (uint64_t)f.map.height;

    for (uint32_t i = blockIdx.x; i < batch.count; i += gridDim.x) {
        satk_fill_rim *const rim = f.tables + i;
        satk_fill_gap *const gap = f.gaps + (batch.first + i);
        const satk_gap_colours all = satk_add_colours(rim, m);
        const int is_judged = __ldcg(&gap->is_judged), is_step = __ldcg(&gap->gap.is_choosy);
        const bool beyond = is_judged && !is_step && __ldcg(&gap->is_at_border) &&
                            __ldcg(&gap->count) > samples / SATK_GAP_LARGE &&
                            m->alike < all.own / 2;
        __syncthreads(); /* all have read the gap */
        if (beyond && threadIdx.x == 0)
            satk_put_beyond(f.near_black, &gap->gap);
        for (int t = threadIdx.x; t < SATK_TINTS; t += SATK_FILL_THREADS) {
            const satk_gap_colours c = satk_colours_in(rim, t);
            const uint32_t alike =
                __ballot_sync(SATK_ALL_LANES, satk_is_in_front(&c, &all, beyond));
            if (t % SATK_WARP == 0 && is_judged)
                gap->gap.alike[t / SATK_WARP] = alike;
        }
        __syncthreads(); /* all have read the table */
        satk_clear_table(rim, (int)threadIdx.x, SATK_FILL_THREADS);
    }
}

#endif
