/* The rounds in which surfaces grow into holes. A round has one barrier: what a hole's neighbours become by the decision of the
 * round before, a hole knows from their states, whether or not their own threads have come to it.
 *
 * Rims are a list of holes, dealt out to blocks anew in each round. A block takes some of its holes, a thread one: those that
 * become known tell their neighbours, of which new ones are put on the rims, and all others vote, eight lanes a hole. */
#ifndef SATK_FILL_GROW_CUH
#define SATK_FILL_GROW_CUH

#include "fill/fill_vote.cuh"

static constexpr int SATK_FILL_GROUPS = SATK_FILL_THREADS / SATK_VOTE_LANES; /* holes at a time */
static constexpr int SATK_FILL_QUEUE =
    8 * SATK_FILL_THREADS; /* holes that vote: all around those of the threads */

struct satk_grow_memory {
    uint32_t likeness[SATK_VOTE_LIKENESSES];
    uint32_t queue[SATK_FILL_QUEUE];
    unsigned queued, first; /* first: where the list of the next round has the queue */
    uint32_t gaps;
    unsigned levels[SATK_FILL_LEVELS + 1];
};

/* The rims of a round: a part of the list. */
struct satk_fill_share {
    uint32_t begin, end;
};

static __device__ __forceinline__ int satk_own_group()
{
    return (int)(threadIdx.x / SATK_VOTE_LANES);
}

static __device__ __forceinline__ int2 satk_place_of(const satk_fill_device &f, uint32_t at)
{
    return {(int)(at % (uint32_t)f.map.width), (int)(at / (uint32_t)f.map.width)};
}

static __device__ __forceinline__ void satk_enqueue(satk_grow_memory *m, uint32_t at)
{
    m->queue[atomicAdd(&m->queued, 1u)] = at;
}

/* Makes a hole known, if its level is good enough, and puts those next to it on the rims; otherwise it will vote. All
 * loads are under way at the same time, as are the atomics. */
template <typename CODE>
static __device__ __forceinline__ void satk_take_hole(const satk_fill_device &f, uint32_t at,
                                                      satk_fill_turn turn, satk_grow_memory *m)
{
    const int2 p = satk_place_of(f, at);
    const uint32_t own = __ldcg(&f.cells[at].x), round = turn.round * SATK_CELL_ROUND;
    uint32_t beside[8], state[8];

#pragma unroll
    for (int k = 0; k < 8; k++) {
        const int direction = k < 4 ? k : k + 1; /* of 3 x 3, without the middle */
        const int x = p.x + direction % 3 - 1, y = p.y + direction / 3 - 1;
        beside[k] =
            satk_is_in(f.map, x, y) ? (uint32_t)y * (uint32_t)f.map.width + (uint32_t)x : at;
        state[k] = __ldcg(&f.cells[beside[k]].x);
    }
    if (satk_level_in(own) > turn.level) {
        satk_enqueue(m, at);
        return;
    }
    satk_fill_put<CODE>(f.dst, p.x, p.y, own & SATK_CELL_CODE);
    __stcg(&f.cells[at].x, (own & SATK_CELL_CODE) | SATK_CELL_KNOWN | round);
#pragma unroll
    for (int k = 0; k < 8; k++)
        if (state[k] == 0)
            state[k] = atomicCAS(&f.cells[beside[k]].x, 0u, (unsigned)(SATK_CELL_JOINED | round));
#pragma unroll
    for (int k = 0; k < 8; k++)
        if (state[k] == 0)
            satk_enqueue(m, beside[k]);
}

/* Returns a hole's gap, or NULL if it is small. gaps: large ones of the map. */
static __device__ __forceinline__ const satk_gap *satk_gap_of(const satk_fill_device &f,
                                                              uint32_t gaps, uint32_t at)
{
    const uint32_t number = gaps > 0 ? f.labels[at] : 0;

    return number > 0 ? &f.gaps[number].gap : nullptr;
}

/* Returns the level of a hole by its vote. */
static __device__ __forceinline__ int
satk_voted_level(const satk_fill_device &f, const satk_gap *gap, satk_vote vote, uint32_t colour)
{
    const uint32_t farness = satk_farness(vote.decided, f.near_black), tint = satk_tint(colour);
    const int level = satk_support_level(vote.support);

    return !gap || satk_may_grow(gap->is_choosy, gap->behind, gap->alike[tint / 32], farness, tint,
                                 level)
               ? level
               : SATK_FILL_LEVELS;
}

/* Lets the holes of the queue vote that have news, and notes the levels of all. */
template <typename CODE>
static __device__ __forceinline__ void satk_vote_all(const satk_fill_device &f, satk_fill_turn turn,
                                                     satk_grow_memory *m)
{
    const int queued = (int)m->queued;

    for (int first = 0; first < queued; first += SATK_FILL_GROUPS) {
        const int i = first + satk_own_group();
        const bool is_one = i < queued;
        const uint32_t at = m->queue[is_one ? i : 0];
        const int2 p = satk_place_of(f, at);
        satk_voters v;
        satk_hear(f, p.x, p.y, turn, &v);
        bool is_news = false;
#pragma unroll
        for (int k = 0; k < SATK_VOTE_OWN; k++)
            is_news |= satk_is_news(v.state[k], turn);
        const uint32_t state = satk_of_centre(v.state), own = satk_of_centre(v.colour);
        const bool has_news = satk_votes_of_8(is_news) != 0;
        const bool votes = is_one && (has_news || satk_level_in(state) == SATK_CELL_FRESH);
        uint32_t code = state & SATK_CELL_CODE;
        int level = satk_level_in(state);
        if (__any_sync(SATK_ALL_LANES, votes)) {
            const satk_vote vote = satk_decide<CODE>(v, own, m->likeness);
            if (votes && satk_vote_lane() == 0) {
                code = satk_code_in(8 * sizeof(CODE), vote.decided);
                level = satk_voted_level(f, satk_gap_of(f, m->gaps, at), vote, own);
            }
        }
        if (!is_one || satk_vote_lane() > 0)
            continue;
        __stcg(&f.cells[at].x, code | (uint32_t)level * SATK_CELL_LEVEL | SATK_CELL_RIM |
                                   turn.round * SATK_CELL_ROUND);
        atomicAdd(&m->levels[level], 1u);
    }
}

/* Does a block's share of a round. number: of the round. */
template <typename CODE>
static __device__ void satk_grow_share(const satk_fill_device &f, satk_fill_share share,
                                       uint32_t number, int level, satk_grow_memory *m)
{
    const satk_fill_turn turn = {number % 2048, level};
    const uint32_t list = number % SATK_FILL_LISTS;

    if (threadIdx.x <= SATK_FILL_LEVELS)
        m->levels[threadIdx.x] = 0;
    for (; share.begin < share.end; share.begin += SATK_FILL_THREADS) {
        const uint32_t own = share.begin + threadIdx.x;
        unsigned first = 0;
        if (threadIdx.x == 0)
            m->queued = 0;
        __syncthreads();
        if (own < share.end)
            satk_take_hole<CODE>(f, __ldcg(f.rims[(number + 1) % 2] + own), turn, m);
        __syncthreads();
        if (threadIdx.x == 0) /* nobody waits for it before the votes */
            first = atomicAdd(&f.control->rims[list], m->queued);
        satk_vote_all<CODE>(f, turn, m);
        if (threadIdx.x == 0)
            m->first = first;
        __syncthreads();
        for (unsigned i = threadIdx.x; i < m->queued; i += SATK_FILL_THREADS)
            __stcg(f.rims[number % 2] + m->first + i, m->queue[i]);
        __syncthreads();
    }
    __syncthreads();
    if (threadIdx.x < SATK_FILL_LEVELS && m->levels[threadIdx.x])
        atomicAdd(&f.control->levels[list][threadIdx.x], m->levels[threadIdx.x]);
}

/* Clears the counters of the round after a round. */
static __device__ __forceinline__ void satk_clear_next(satk_fill_control *control, uint32_t number)
{
    const uint32_t next = (number + 1) % SATK_FILL_LISTS;

    if (blockIdx.x > 0 || threadIdx.x > SATK_FILL_LEVELS)
        return;
    unsigned *const counter =
        threadIdx.x < SATK_FILL_LEVELS ? &control->levels[next][threadIdx.x] : &control->rims[next];
    __stcg(counter, 0u);
}

/* Returns the level of the holes that become known by the votes of a round, or a negative number: all depths are refused. */
static __device__ __forceinline__ int satk_level_after(const satk_fill_control *control,
                                                       uint32_t number)
{
    uint64_t count[SATK_FILL_LEVELS];

#pragma unroll
    for (int i = 0; i < SATK_FILL_LEVELS; i++)
        count[i] = __ldcg(&control->levels[number % SATK_FILL_LISTS][i]);
    return satk_level_of_many(count);
}

/* How often holes became known, and the number of those that are left on rims. */
struct satk_fill_end {
    uint32_t rounds, rims;
};

/* Grows until all depths are refused. In the first round, all on rims vote, and none becomes known. */
template <typename CODE>
static __device__ __forceinline__ satk_fill_end satk_grow(const satk_fill_device &f,
                                                          satk_meeting *meeting,
                                                          satk_grow_memory *m)
{
    for (int i = threadIdx.x; i < SATK_VOTE_LIKENESSES; i += SATK_FILL_THREADS)
        m->likeness[i] = satk_likeness_of(&f.shares, i);
    if (threadIdx.x == 0)
        m->gaps = f.control->gaps;
    for (uint32_t number = 1;; number++) {
        const int level = number > 1 ? satk_level_after(f.control, number - 1) : -1;
        const uint64_t rims = __ldcg(&f.control->rims[(number - 1) % SATK_FILL_LISTS]);
        if (number > 1 && level < 0)
            return {number - 2, (uint32_t)rims};
        const satk_fill_share share = {(uint32_t)(rims * blockIdx.x / gridDim.x),
                                       (uint32_t)(rims * (blockIdx.x + 1) / gridDim.x)};
        satk_clear_next(f.control, number);
        satk_grow_share<CODE>(f, share, number, level, m);
        satk_meet_all(meeting);
    }
}

/* Fills what no surface grew into with the far side's depth, and counts it. */
template <typename CODE>
static __device__ __forceinline__ void satk_fill_rest(const satk_fill_device &f, uint32_t gaps)
{
    const uint32_t count = f.control->words;

    for (uint32_t i = satk_own_warp(); i < count; i += satk_all_warps()) {
        const satk_fill_spot s = satk_spot_of(f, i);
        const bool is_left = s.is_hole && !(__ldcg(&f.cells[s.at].x) & SATK_CELL_KNOWN);
        const uint32_t left = __ballot_sync(SATK_ALL_LANES, is_left);
        if (!is_left)
            continue;
        const satk_gap *const gap = satk_gap_of(f, gaps, s.at);
        satk_fill_put<CODE>(f.dst, s.x, s.y, gap ? satk_code_in(8 * sizeof(CODE), gap->code) : 0);
        if ((int)(threadIdx.x % SATK_WARP) == __ffs((int)left) - 1)
            atomicAdd((unsigned long long *)&f.counts[SATK_FILL_REST],
                      (unsigned long long)__popc(left));
    }
}

#endif
