/* The exchange between the tiles of a table by look-back (lookback.cuh): a word per thread.
 *
 * The board outlives the build: its words carry the number of their build beside the flag, so it need not be
 * cleared between builds (sat.h). Tiles are numbered in the order in which blocks draw tickets. The block that
 * draws the last one opens the next build. */
#ifndef SATK_SAT_BOARD_CUH
#define SATK_SAT_BOARD_CUH

#include "common/lookback.cuh"
#include "sat/sat.h"

template <typename T> struct satk_board {
    unsigned long long *ticket; /* builds so far << 32 | tiles drawn */
    satk_tile_state<T> *rows;   /* [tile][sum of a tile's row] */
    satk_tile_state<T> *tops;   /* [tile][word of the table's row below the tile] */
};

/* Returns the ticket behind the last one of a build, which is the next build's first. Builds are
 * numbered from 1 to SATK_SAT_BUILDS, the largest number of a flag's 31 bits, and then from 1
 * again; 0 is cleared memory's. */
static __device__ __forceinline__ unsigned long long satk_next_ticket(uint32_t build)
{
    return build < SATK_SAT_BUILDS ? (unsigned long long)build << 32 : 0;
}

/* Returns a flag of a build: its number, and the kind in the last bit. */
static __device__ __forceinline__ uint32_t satk_flag(uint32_t build, uint32_t kind)
{
    return build << 1 | (kind == SATK_PREFIX);
}

/* Draws one of the build's tiles. One thread calls it. */
static __device__ __forceinline__ unsigned long long satk_draw_ticket(unsigned long long *ticket,
                                                                      uint32_t tiles)
{
    const unsigned long long drawn = atomicAdd(ticket, 1ull);

    if ((uint32_t)drawn == tiles - 1)
        *(volatile unsigned long long *)ticket = satk_next_ticket((uint32_t)(drawn >> 32) + 1);
    return drawn;
}

/* CHAINS words at a time, each with its own predecessors: `count` of them, `step` apart, nearest first.
 * state: the thread's own words; NULL: none. N predecessors of each are on their way at a time: more
 * than are needed would cost bandwidth, fewer latency. */
template <typename T, int N, int CHAINS>
static __device__ __forceinline__ void satk_look_at(const satk_tile_state<T> *const *state,
                                                    size_t step, int count, uint32_t build,
                                                    T *before)
{
    bool wanted[CHAINS];

#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        before[c] = 0, wanted[c] = state[c] != NULL;
    for (int first = 0; first < count; first += N) {
        uint32_t flag[CHAINS][N];
        T value[CHAINS][N];
        bool any = false;
#pragma unroll
        for (int i = 0; i < N; i++)
#pragma unroll
            for (int c = 0; c < CHAINS; c++)
                if (wanted[c] && first + i < count)
                    flag[c][i] = satk_peek(state[c] - (first + i + 1) * step, &value[c][i]);
#pragma unroll
        for (int c = 0; c < CHAINS; c++) {
#pragma unroll
            for (int i = 0; i < N; i++)
                if (wanted[c] && first + i < count) {
                    while (flag[c][i] >> 1 != build) {
                        __nanosleep(SATK_LOOK_BACK_NAP);
                        flag[c][i] = satk_peek(state[c] - (first + i + 1) * step, &value[c][i]);
                    }
                    before[c] += value[c][i];
                    wanted[c] = !(flag[c][i] & 1);
                }
            any = any || wanted[c];
        }
        if (!any)
            break;
    }
}

#endif
