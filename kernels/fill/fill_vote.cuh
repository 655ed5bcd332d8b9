/* The vote on a hole, as surface_vote_cpu.h defines it, by eight lanes of a warp: each has up to four of the 25 voters. All
 * lanes of a warp vote together, for four holes. */
#ifndef SATK_FILL_VOTE_CUH
#define SATK_FILL_VOTE_CUH

#include "fill/fill.cuh"

static constexpr int SATK_VOTE_LANES = 8, SATK_VOTE_BINS = 8;
static constexpr int SATK_VOTE_REACH = 2, SATK_VOTE_SIDE = 2 * SATK_VOTE_REACH + 1;
static constexpr int SATK_VOTE_ALL = SATK_VOTE_SIDE * SATK_VOTE_SIDE;
static constexpr int SATK_VOTE_OWN = (SATK_VOTE_ALL + SATK_VOTE_LANES - 1) / SATK_VOTE_LANES;
static constexpr int SATK_VOTE_CENTRE = SATK_VOTE_ALL / 2;
static constexpr int SATK_VOTE_LIKENESSES = 640;

/* A lane's voters. Those with a known code vote. */
struct satk_voters {
    uint32_t state[SATK_VOTE_OWN], colour[SATK_VOTE_OWN];
    bool votes[SATK_VOTE_OWN];
};

static __device__ __forceinline__ int satk_vote_lane()
{
    return (int)(threadIdx.x % SATK_VOTE_LANES);
}

/* Return the least, the largest, and the sum of the eight lanes' numbers. */
static __device__ __forceinline__ uint32_t satk_least_of_8(uint32_t v)
{
#pragma unroll
    for (int d = SATK_VOTE_LANES / 2; d > 0; d /= 2)
        v = min(v, __shfl_xor_sync(SATK_ALL_LANES, v, d));
    return v;
}

static __device__ __forceinline__ uint32_t satk_most_of_8(uint32_t v)
{
#pragma unroll
    for (int d = SATK_VOTE_LANES / 2; d > 0; d /= 2)
        v = max(v, __shfl_xor_sync(SATK_ALL_LANES, v, d));
    return v;
}

static __device__ __forceinline__ uint64_t satk_sum_of_8(uint64_t v)
{
#pragma unroll
    for (int d = SATK_VOTE_LANES / 2; d > 0; d /= 2)
        v += __shfl_xor_sync(SATK_ALL_LANES, v, d);
    return v;
}

/* Returns a bit for each of the eight lanes that says so. */
static __device__ __forceinline__ uint32_t satk_votes_of_8(bool says)
{
    const int first = (int)(threadIdx.x % SATK_WARP) / SATK_VOTE_LANES * SATK_VOTE_LANES;

    return __ballot_sync(SATK_ALL_LANES, says) >> first & ((1u << SATK_VOTE_LANES) - 1);
}

/* Gathers the voters around x, y. Those beside the map have no vote. */
static __device__ __forceinline__ void satk_hear(const satk_fill_device &f, int x, int y,
                                                 satk_fill_turn turn, satk_voters *v)
{
#pragma unroll
    for (int i = 0; i < SATK_VOTE_OWN; i++) {
        const int k = i * SATK_VOTE_LANES + satk_vote_lane();
        const int u = x + k % SATK_VOTE_SIDE - SATK_VOTE_REACH;
        const int w = y + k / SATK_VOTE_SIDE - SATK_VOTE_REACH;
        uint2 cell = {0, 0};
        if (k < SATK_VOTE_ALL && satk_is_in(f.map, u, w))
            cell = __ldcg(f.cells + ((uint32_t)w * (uint32_t)f.map.width + (uint32_t)u));
        v->state[i] = cell.x;
        v->colour[i] = cell.y;
        v->votes[i] = cell.x & SATK_CELL_KNOWN || satk_becomes_known(cell.x, turn);
    }
}

/* Returns a number of the hole itself: v, of the centre's lane. */
static __device__ __forceinline__ uint32_t satk_of_centre(const uint32_t *v)
{
    return __shfl_sync(SATK_ALL_LANES, v[SATK_VOTE_CENTRE / SATK_VOTE_LANES],
                       SATK_VOTE_CENTRE % SATK_VOTE_LANES, SATK_VOTE_LANES);
}

/* Returns a voter's closeness times the likeness of two colours. */
static __device__ __forceinline__ uint32_t satk_weight_of(int k, uint32_t a, uint32_t b,
                                                          const uint32_t *likeness)
{
    const int reach = SATK_VOTE_REACH + 1;
    const int across = reach - abs(k % SATK_VOTE_SIDE - SATK_VOTE_REACH);
    const int down = reach - abs(k / SATK_VOTE_SIDE - SATK_VOTE_REACH);
    const int red = (int)(a & 255) - (int)(b & 255);
    const int green = (int)(a >> 8 & 255) - (int)(b >> 8 & 255);
    const int blue = (int)(a >> 16 & 255) - (int)(b >> 16 & 255);
    const int away = (red * red + green * green + blue * blue) >> 4;

    return (uint32_t)(256 * across * down) * likeness[min(away, SATK_VOTE_LIKENESSES - 1)];
}

/* Adds up each bin over the eight lanes. Returns the one with the lane's number. */
static __device__ __forceinline__ uint32_t satk_add_bins(uint32_t *bins)
{
#pragma unroll
    for (int half = SATK_VOTE_BINS / 2; half > 0; half /= 2) {
        const bool is_upper = satk_vote_lane() & half;
#pragma unroll
        for (int i = 0; i < half; i++) {
            const uint32_t other = is_upper ? bins[i] : bins[i + half];
            bins[i] = (is_upper ? bins[i + half] : bins[i]) +
                      __shfl_xor_sync(SATK_ALL_LANES, other, half);
        }
    }
    return bins[0];
}

/* Returns the lower of the two neighbouring bins with most votes, of equals the highest. of_own: the votes of the bin with the
 * lane's number. */
static __device__ __forceinline__ uint32_t satk_best_bin(uint32_t of_own, uint32_t *most)
{
    const uint32_t next = __shfl_down_sync(SATK_ALL_LANES, of_own, 1, SATK_VOTE_LANES);
    const bool has_next = satk_vote_lane() < SATK_VOTE_LANES - 1;
    const uint32_t both = has_next ? of_own + next : 0;

    *most = satk_most_of_8(both);
    return (uint32_t)(31 - __clz((int)satk_votes_of_8(has_next && both == *most)));
}

struct satk_vote {
    uint32_t decided, support; /* in 16 bits; the votes for it */
};

/* Decides a hole's code, by at least one vote. All lanes of the warp call it, and get their hole's. likeness: of colours, by
 * their distance. */
template <typename CODE>
static __device__ __forceinline__ satk_vote satk_decide(const satk_voters &v, uint32_t own,
                                                        const uint32_t *likeness)
{
    uint32_t low = UINT16_MAX, high = 0, bins[SATK_VOTE_BINS] = {0};
    uint32_t votes[SATK_VOTE_OWN], bin[SATK_VOTE_OWN], most;
    uint64_t sum = 0;

#pragma unroll
    for (int i = 0; i < SATK_VOTE_OWN; i++) {
        const uint32_t code = satk_in_16<CODE>(v.state[i] & SATK_CELL_CODE);
        low = v.votes[i] ? min(low, code) : low;
        high = v.votes[i] ? max(high, code) : high;
    }
    low = satk_least_of_8(low);
    high = max(satk_most_of_8(high), low); /* where there is no voter */
    const uint32_t each = (SATK_VOTE_BINS << 16) / (high - low + 1);
#pragma unroll
    for (int i = 0; i < SATK_VOTE_OWN; i++) {
        const uint32_t code = satk_in_16<CODE>(v.state[i] & SATK_CELL_CODE);
        votes[i] = v.votes[i] ? satk_weight_of(i * SATK_VOTE_LANES + satk_vote_lane(), v.colour[i],
                                               own, likeness)
                              : 0;
        bin[i] = (code - low) * each >> 16;
#pragma unroll
        for (uint32_t b = 0; b < SATK_VOTE_BINS; b++)
            bins[b] += bin[i] == b ? votes[i] : 0;
    }
    const uint32_t best = satk_best_bin(satk_add_bins(bins), &most);
#pragma unroll
    for (int i = 0; i < SATK_VOTE_OWN; i++)
        if (bin[i] - best < 2)
            sum += (uint64_t)votes[i] * satk_in_16<CODE>(v.state[i] & SATK_CELL_CODE);
    sum = satk_sum_of_8(sum) + most / 2;
    /* The sum is below 2^48: the quotient is below the next whole number wherever the true one is. */
    return {(uint32_t)((double)sum / (double)max(most, 1u)), most};
}

#endif
