/* The one-pass table's tiles, and what they tell each other: sat_onepass_cuda.cu has the whole. */
#ifndef SATK_SAT_EXCHANGE_CUH
#define SATK_SAT_EXCHANGE_CUH

#include "sat_tile.cuh"

template <typename T> struct one_pass {
    satk_plane src;
    satk_tone tone;
    T *table;
    int strips, phases, chunks, rows; /* rows of a chunk */
    bool wide, even;                  /* the picture's rows are 16-byte aligned, the table's even */
    unsigned *published;              /* [phase][strip]: how many tiles the block has */
    T *row_sums;                      /* [chunk][strip][row][channel] */
    T *bottoms;                       /* [chunk][strip][word] */
    T *totals;                        /* [chunk][strip][channel]: the ends of the bottom rows */
};

/* Neighbouring words, moved at once: two, and 16 bytes. */
template <typename T> struct wide {
    typedef ulonglong2 pair, most;
};

template <> struct wide<uint32_t> {
    typedef uint2 pair;
    typedef uint4 most;
};

static __device__ __forceinline__ void add(uint2 *to, uint2 v)
{
    to->x += v.x, to->y += v.y;
}

static __device__ __forceinline__ void add(ulonglong2 *to, ulonglong2 v)
{
    to->x += v.x, to->y += v.y;
}

static __device__ __forceinline__ void add(uint4 *to, uint4 v)
{
    to->x += v.x, to->y += v.y, to->z += v.z, to->w += v.w;
}

/* What the threads of a block tell each other about the present tile. */
template <typename TILE> struct shared_notes {
    typedef typename TILE::word word;
    enum { PER = 16 / sizeof(word) };
    typename wide<word>::pair above[TILE::threads];     /* [group][pair]: all bottom rows above */
    typename wide<word>::most left_part[TILE::threads]; /* [part][row and channel, PER of them] */
    word left[TILE::rows * TILE::channels];
    word beside[TILE::warps]; /* the sum of `left`, in parts; of one channel */
    word corner_part[TILE::channels][TILE::warps];
    word corner[TILE::channels];
};

/* A block's place, and what its threads carry from tile to tile. Of the counters and of the totals of
 * a step thread t looks after number t, t + threads, ...: a bit each says which. */
struct place {
    int strip, phase;
    uint32_t watched : 10, early : 10; /* counters: of blocks it waits for; of these' same step */
    uint32_t beside : 10;              /* totals: of strips to the left */
};

template <typename TILE>
static __device__ __forceinline__ place find_place(const one_pass<typename TILE::word> &job)
{
    place here = {(int)blockIdx.x % job.strips, (int)blockIdx.x / job.strips, 0, 0, 0};
    const int blocks = job.strips * job.phases, across = job.strips * TILE::channels;

    for (int i = 0, t = threadIdx.x; t < blocks * TILE::channels; i++, t += TILE::threads) {
        here.beside |= (uint32_t)(t % across < here.strip * TILE::channels) << i;
        here.watched |= (uint32_t)(t < blocks && t % job.strips <= here.strip) << i;
        here.early |= (uint32_t)(t / job.strips <= here.phase) << i;
    }
    return here;
}

template <typename T>
static __device__ __forceinline__ size_t tile_at(const one_pass<T> &job, const place &here,
                                                 int chunk)
{
    return (size_t)chunk * job.strips + here.strip;
}

template <typename TILE>
static __device__ __forceinline__ void load(const one_pass<typename TILE::word> &job,
                                            const place &here, int chunk, satk_packed<TILE> *tile)
{
    const int lane = threadIdx.x % SATK_WARP;

    satk_load_tile<TILE>(job.src, job.wide, here.strip * TILE::width + lane * TILE::pixels,
                         chunk * job.rows, job.rows, tile);
}

/* --- Publishing ------------------------------------------------------------------------------- */

/* First part: everyone's rows. buffer: a row for each warp. */
template <typename TILE>
static __device__ __forceinline__ void add_up(const one_pass<typename TILE::word> &job,
                                              const place &here, int chunk,
                                              const satk_packed<TILE> &tile, void *buffer)
{
    typedef typename TILE::sum sum;

    satk_add_up<TILE>(tile, job.tone,
                      job.row_sums + tile_at(job, here, chunk) * TILE::rows * TILE::channels,
                      (sum *)buffer + threadIdx.x / SATK_WARP * TILE::words);
}

/* Second part, behind a barrier: the bottom row. */
template <typename TILE>
static __device__ __forceinline__ void add_warps(const one_pass<typename TILE::word> &job,
                                                 const place &here, int chunk, const void *buffer)
{
    typedef typename TILE::sum sum;
    typedef typename TILE::word word;
    const int at = 2 * threadIdx.x, first = TILE::words - TILE::channels;
    const sum *const column = (const sum *)buffer + satk_place_of<TILE, sum>(at);
    const size_t tile = tile_at(job, here, chunk);
    word bottom[2] = {0, 0};

    if (at >= TILE::words)
        return;
#pragma unroll
    for (int w = 0; w < TILE::warps; w++) {
        const auto v = *(const typename wide<sum>::pair *)(column + w * TILE::words);
        bottom[0] += v.x, bottom[1] += v.y;
    }
    *(typename wide<word>::pair *)(job.bottoms + tile * TILE::words + at) = {bottom[0], bottom[1]};
#pragma unroll
    for (int i = 0; i < 2; i++)
        if (at + i >= first)
            job.totals[tile * TILE::channels + at + i - first] = bottom[i];
}

/* Third part, behind another. */
template <typename TILE>
static __device__ __forceinline__ void say_published(const one_pass<typename TILE::word> &job,
                                                     const place &here, unsigned tiles)
{
    if (threadIdx.x == 0) {
        __threadfence();
        *(volatile unsigned *)&job.published[here.phase * job.strips + here.strip] = tiles;
    }
}

/* --- Reading what others have published ------------------------------------------------------- */

/* The first counter that the thread watches, as it is now. */
template <typename TILE>
static __device__ __forceinline__ unsigned look(const one_pass<typename TILE::word> &job,
                                                const place &here)
{
    const volatile unsigned *const counters = job.published;

    return here.watched & 1 ? counters[threadIdx.x] : 0xffffffffu;
}

/* Until all that the step's tile needs has been published: the tiles of the strip and of those to the
 * left; of later phases the step before. `seen` is what look() gave.
 *
 * No fence behind it: what is read then comes from the L2 cache, and only after the counters, which
 * were written after it. A fence would also wait for the table's stores under way. */
template <typename TILE>
static __device__ __forceinline__ void wait(const one_pass<typename TILE::word> &job,
                                            const place &here, unsigned step, unsigned seen)
{
    const volatile unsigned *counter = job.published + threadIdx.x;
    uint32_t watched = here.watched, early = here.early;

    for (; watched; watched >>= 1, early >>= 1, counter += TILE::threads) {
        while ((watched & 1) && seen < step + (early & 1)) {
            __nanosleep(20);
            seen = *counter;
        }
        seen = 0; /* the next one has not been looked at */
    }
    __syncthreads();
}

/* Words at a distance from each other: the first N are begun to be loaded. */
template <int N, typename V>
static __device__ __forceinline__ void begin_loads(const V *from, size_t pitch, int count, V *v)
{
#pragma unroll
    for (int i = 0; i < N; i++) {
        v[i] = {};
        if (i < count)
            v[i] = __ldcg(from + i * pitch);
    }
}

/* All of them, N at a time, added up. */
template <int N, typename V>
static __device__ __forceinline__ V add_loads(const V *from, size_t pitch, int count)
{
    V sum = {};

    for (; count > 0; count -= N, from += N * pitch) {
        V v[N];
        begin_loads<N>(from, pitch, count, v);
#pragma unroll
        for (int i = 0; i < N; i++)
            add(&sum, v[i]);
    }
    return sum;
}

/* What a thread reads for a tile. The first of each are on their way while it stores another; the
 * rest, of pictures with many strips or phases, has been waited for and added up before. */
template <typename TILE> struct gathered {
    typedef typename TILE::word word;
    typedef typename wide<word>::pair two;
    typedef typename wide<word>::most most;
    enum { ABOVE = SATK_ONE_PASS_ABOVE, LEFT = SATK_ONE_PASS_LEFT, CORNER = 4 };
    two above[ABOVE], more_above; /* bottom rows since the block's last tile */
    most left[LEFT], more_left;   /* row sums of the tiles to the left */
    word corner[CORNER];          /* totals left of the strip since the block's last tile */
    two bottom;                   /* the tile's own bottom row, where it is walked up */
};

template <typename TILE>
static __device__ __forceinline__ void gather_above(const one_pass<typename TILE::word> &job,
                                                    const place &here, int chunk, gathered<TILE> *g)
{
    enum { ABOVE = gathered<TILE>::ABOVE };
    typedef typename gathered<TILE>::two two;
    const int group = threadIdx.x / TILE::pairs, at = threadIdx.x % TILE::pairs;
    const int first = max(chunk - job.phases, 0) + group;
    const unsigned row = (unsigned)job.strips * TILE::pairs; /* a chunk's bottoms */
    const two *const column = (const two *)job.bottoms + (unsigned)(here.strip * TILE::pairs + at);
    const two *const from = column + (size_t)first * row;
    const int count = (chunk - first + TILE::groups - 1) / TILE::groups;

    g->more_above = add_loads<ABOVE>(from + (size_t)ABOVE * TILE::groups * row, TILE::groups * row,
                                     count - ABOVE);
    begin_loads<ABOVE>(from, TILE::groups * row, count, g->above);
    if (TILE::groups > 1)
        g->bottom = __ldcg(column + (size_t)chunk * row);
}

template <typename TILE>
static __device__ __forceinline__ void gather_left(const one_pass<typename TILE::word> &job,
                                                   const place &here, int chunk, gathered<TILE> *g)
{
    typedef typename gathered<TILE>::most most;
    enum { LEFT = gathered<TILE>::LEFT, PER = shared_notes<TILE>::PER };
    enum { SUMS = TILE::rows * TILE::channels / PER, PARTS = TILE::threads / SUMS };
    const int part = threadIdx.x / SUMS;
    const int count = part < PARTS ? (here.strip - part + PARTS - 1) / PARTS : 0;
    const most *const from =
        (const most *)job.row_sums + (size_t)chunk * ((unsigned)job.strips * SUMS) + threadIdx.x;

    static_assert(TILE::rows * TILE::channels % PER == 0, "whole loads");
    g->more_left = add_loads<LEFT>(from + LEFT * PARTS * SUMS, PARTS * SUMS, count - LEFT);
    begin_loads<LEFT>(from, PARTS * SUMS, count, g->left);
}

/* The thread's total number i for the tile. */
template <typename TILE>
static __device__ __forceinline__ typename TILE::word
total_of(const one_pass<typename TILE::word> &job, const place &here, int chunk, int i)
{
    const int first = max(chunk - job.phases, 0), across = job.strips * TILE::channels;
    const int at = threadIdx.x + i * TILE::threads;

    return (here.beside >> i & 1) && at < (chunk - first) * across
               ? __ldcg(job.totals + (size_t)first * across + at)
               : 0;
}

template <typename TILE>
static __device__ __forceinline__ void gather(const one_pass<typename TILE::word> &job,
                                              const place &here, int chunk, gathered<TILE> *g)
{
    enum { CORNER = gathered<TILE>::CORNER };
    typename TILE::word more = 0;

    for (int i = CORNER; here.beside >> i; i++)
        more += total_of<TILE>(job, here, chunk, i);
    gather_above(job, here, chunk, g);
    gather_left(job, here, chunk, g);
#pragma unroll
    for (int i = 0; i < CORNER; i++)
        g->corner[i] = total_of<TILE>(job, here, chunk, i);
    g->corner[0] += more;
}

/* Leaves them to the others. */
template <typename TILE>
static __device__ __forceinline__ void note(const gathered<TILE> &g, shared_notes<TILE> *notes)
{
    static_assert(TILE::threads % TILE::channels == 0, "a thread's totals are of one channel");
    const int warp = threadIdx.x / SATK_WARP, lane = threadIdx.x % SATK_WARP;
    typename gathered<TILE>::two above = notes->above[threadIdx.x];
    typename gathered<TILE>::most left = g.more_left;
    typename TILE::word corner = 0;

    add(&above, g.more_above);
#pragma unroll
    for (int i = 0; i < g.ABOVE; i++)
        add(&above, g.above[i]);
#pragma unroll
    for (int i = 0; i < g.LEFT; i++)
        add(&left, g.left[i]);
#pragma unroll
    for (int i = 0; i < g.CORNER; i++)
        corner += g.corner[i];
    notes->above[threadIdx.x] = above;
    notes->left_part[threadIdx.x] = left;
#pragma unroll
    for (int c = 0; c < TILE::channels; c++) {
        const bool own = (int)threadIdx.x % TILE::channels == c;
        const typename TILE::word total = satk_warp_total(own ? corner : 0);
        if (lane == 0)
            notes->corner_part[c][warp] = total;
    }
}

/* Behind a barrier: the parts together. */
template <typename TILE>
static __device__ __forceinline__ void join_parts(shared_notes<TILE> *notes)
{
    enum { SUMS = TILE::rows * TILE::channels };
    enum { PARTS = TILE::threads * shared_notes<TILE>::PER / SUMS };
    const typename TILE::word *const parts = (const typename TILE::word *)notes->left_part;
    const int at = threadIdx.x;
    typename TILE::word left = 0;

    if (at < SUMS) {
#pragma unroll
        for (int part = 0; part < PARTS; part++)
            left += parts[part * SUMS + at];
        notes->left[at] = left;
    }
    if constexpr (TILE::groups > 1) {
        static_assert(TILE::channels == 1, "one sum for all");
        left = satk_warp_reduce(left);
        if (at % SATK_WARP == 0)
            notes->beside[at / SATK_WARP] = left;
    }
    if (at < TILE::channels) {
#pragma unroll
        for (int w = 0; w < TILE::warps; w++)
            notes->corner[at] += notes->corner_part[at][w];
    }
}

#endif
