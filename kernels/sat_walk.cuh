/* Storing a tile of the one-pass table: a thread walks along two columns, and what was read of other
 * tiles joins what is in its own. */
#ifndef SATK_SAT_WALK_CUH
#define SATK_SAT_WALK_CUH

#include "sat_exchange.cuh"

template <typename T> static __device__ __forceinline__ void put(T *to, T value)
{
#if SATK_ONE_PASS_STREAM
    __stcs(to, value);
#else
    *to = value;
#endif
}

/* A thread on its way along two columns of the tile, in shared memory: down from the sums above it, or
 * up from those of its last row. */
template <typename T> struct walker {
    const T *words;
    T *out;
    T sum[2];
    int left; /* rows; none: it has no column */
    bool down, even, both;
};

enum { AHEAD = 4 }; /* rows in flight */

template <typename TILE, bool DOWN, bool EVEN, int ROWS
> static __device__ __forceinline__ void walk_rows(walker<typename TILE::word> *w, ptrdiff_t pitch)
{
    typedef typename TILE::word word;
    typedef typename wide<word>::pair two;
    constexpr int step = DOWN ? TILE::words : -TILE::words;
    two scanned[ROWS];

#pragma unroll
    for (int i = 0; i < ROWS; i++)
        scanned[i] = *(const two *)(w->words + i * step);
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        word *const out = w->out + i * (DOWN ? pitch : -pitch);
        const word before[2] = {w->sum[0], w->sum[1]};
        w->sum[0] += DOWN ? scanned[i].x : (word)0 - scanned[i].x;
        w->sum[1] += DOWN ? scanned[i].y : (word)0 - scanned[i].y;
        const two v = {DOWN ? w->sum[0] : before[0], DOWN ? w->sum[1] : before[1]};
        if (EVEN) {
            put((two *)out, v);
        } else {
            put(out, (word)v.x);
            if (w->both)
                put(out + 1, (word)v.y);
        }
    }
    w->words += ROWS
    *step;
    w->out += ROWS
    *(DOWN ? pitch : -pitch);
    w->left -= ROWS;
}

template <typename TILE, bool DOWN, bool EVEN>
static __device__ __forceinline__ void walk_way(walker<typename TILE::word> *w, bool all, int pitch)
{
    if (!all && w->left >= AHEAD)
        walk_rows<TILE, DOWN, EVEN, AHEAD>(w, pitch);
    while (all && w->left >= AHEAD)
        walk_rows<TILE, DOWN, EVEN, AHEAD>(w, pitch);
    while (all && w->left > 0)
        walk_rows<TILE, DOWN, EVEN, 1>(w, pitch);
}

/* all: the rest of the way; otherwise a few rows. */
template <typename TILE>
static __device__ __forceinline__ void walk(walker<typename TILE::word> *w, bool all, int pitch)
{
    constexpr bool always_down = TILE::groups == 1;

    if (w->even && (always_down || w->down))
        walk_way<TILE, true, true>(w, all, pitch);
    else if (w->even)
        walk_way<TILE, always_down, true>(w, all, pitch);
    else if (always_down || w->down)
        walk_way<TILE, true, false>(w, all, pitch);
    else
        walk_way<TILE, always_down, false>(w, all, pitch);
}

/* Where two threads share their columns, the second begins at the end, whose sums are known. */
template <typename TILE>
static __device__ __forceinline__ walker<typename TILE::word>
begin_walk(const one_pass<typename TILE::word> &job, const place &here, int chunk,
           const gathered<TILE> &g, const shared_notes<TILE> &notes,
           const typename TILE::word *words)
{
    typedef typename TILE::word word;
    const int group = threadIdx.x / TILE::pairs, at = threadIdx.x % TILE::pairs * 2;
    const int pitch = job.src.width * TILE::channels, column = here.strip * TILE::words + at;
    const int y = chunk * job.rows, rows = min(job.rows, job.src.height - y);
    const int upper = (rows + TILE::groups - 1) / TILE::groups, first = group > 0 ? rows - 1 : 0;
    walker<word> w = {words + first * TILE::words + satk_place_of<TILE, word>(at),
                      job.table + (size_t)(y + first) * pitch + column,
                      {notes.corner[at % TILE::channels], notes.corner[(at + 1) % TILE::channels]},
                      column < pitch ? group > 0 ? rows - upper : upper : 0,
                      group == 0,
                      job.even,
                      column + 1 < pitch};

#pragma unroll
    for (int i = 0; i < TILE::groups; i++) {
        const auto above = notes.above[i * TILE::pairs + at / 2];
        w.sum[0] += above.x, w.sum[1] += above.y;
    }
    if (group > 0) {
        word beside = 0;
#pragma unroll
        for (int i = 0; i < (TILE::rows + SATK_WARP - 1) / SATK_WARP; i++)
            beside += notes.beside[i];
        w.sum[0] += g.bottom.x + beside, w.sum[1] += g.bottom.y + beside;
    }
    return w;
}

#endif
