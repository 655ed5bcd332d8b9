/* Summed-area tables in one read of the picture and one write of the table.
 *
 * The picture is cut into strips of columns and chunks of rows; a tile is where the two meet. As many
 * blocks as the device runs at a time stay from the beginning to the end: block (strip, phase) has
 * the strip's chunks phase, phase + phases, ... Of every tile its block publishes, once and as early
 * as it can, what the others need: the sums of its rows, and its bottom row, that is its column sums,
 * scanned. A word of the table is then
 *
 *     what is above the tile in its strip up to this column    the bottom rows above
 *   + what is above the tile and left of its strip             the totals of those tiles
 *   + what is left of the tile up to this row                  the row sums of the tiles beside it
 *   + what is in the tile
 *
 * Nobody waits for a sum of sums, so there is no chain. And everything is asked for long before it is
 * needed: while a block stores a tile, the next one, which it has already published, waits in
 * registers, the one after that is being loaded, and what others have published is being read. */
#include "array.h"
#include "launch.cuh"
#include "sat_onepass.h"
#include "sat_tile.cuh"

#include <cooperative_groups.h>

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

/* --- Storing ---------------------------------------------------------------------------------- */

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

/* --- Kernel ----------------------------------------------------------------------------------- */

template <typename TILE>
static __global__ void __launch_bounds__(TILE::threads, SATK_ONE_PASS_BLOCKS)
    build_in_one_pass(const __grid_constant__ one_pass<typename TILE::word> job)
{
    extern __shared__ uint4 buffer[];
    __shared__ shared_notes<TILE> notes;
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int pitch = job.src.width * TILE::channels;
    typename TILE::word *const words = (typename TILE::word *)buffer;
    place here = find_place<TILE>(job);
    satk_packed<TILE> present, next;
    gathered<TILE> given;

    notes.above[threadIdx.x] = {0, 0};
    if (threadIdx.x < TILE::channels)
        notes.corner[threadIdx.x] = 0;
    load<TILE>(job, here, here.phase, &present);
    add_up<TILE>(job, here, here.phase, present, buffer);
    load<TILE>(job, here, here.phase + job.phases, &next);
    __syncthreads();
    add_warps<TILE>(job, here, here.phase, buffer);
    say_published<TILE>(job, here, 1);
    grid.sync(); /* the first tiles need no more; and now all counters are set */
    gather<TILE>(job, here, here.phase, &given);

    unsigned step = 0;
    for (int chunk = here.phase; chunk < job.chunks; chunk += job.phases, step++) {
        const bool more = chunk + job.phases < job.chunks;
        note(given, &notes);
        if (more)
            add_up<TILE>(job, here, chunk + job.phases, next, buffer);
        __syncthreads();
        join_parts(&notes);
        if (more)
            add_warps<TILE>(job, here, chunk + job.phases, buffer);
        __syncthreads();
        satk_scan_rows<TILE>(present, job.tone, notes.left, words);
        present = next;
        load<TILE>(job, here, chunk + 2 * job.phases, &next);
        __syncthreads();
        walker<typename TILE::word> way = begin_walk<TILE>(job, here, chunk, given, notes, words);
        if (more) {
            say_published<TILE>(job, here, step + 2);
            walk<TILE>(&way, false, pitch);
            const unsigned seen = look<TILE>(job, here);
            walk<TILE>(&way, false, pitch);
            wait<TILE>(job, here, step + 1, seen);
            gather<TILE>(job, here, chunk + job.phases, &given);
        }
        walk<TILE>(&way, true, pitch);
        __syncthreads();
    }
}

/* --- Launch ----------------------------------------------------------------------------------- */

/* How many blocks of the kernel the device runs at a time; 0: none that may wait for each other. */
template <typename TILE> static int find_blocks(int *blocks)
{
    int device, able, processors, each = 0;
    int error = (int)cudaGetDevice(&device);

    *blocks = 0;
    if (!error)
        error = (int)cudaDeviceGetAttribute(&able, cudaDevAttrCooperativeLaunch, device);
    if (error || !able)
        return error;
    error = (int)cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (!error)
        error = (int)cudaFuncSetAttribute(build_in_one_pass<TILE>,
                                          cudaFuncAttributeMaxDynamicSharedMemorySize, TILE::bytes);
    if (error == cudaErrorInvalidValue) { /* more than this device has */
        (void)cudaGetLastError();
        return 0;
    }
    if (!error)
        error = (int)cudaFuncSetAttribute(build_in_one_pass<TILE>,
                                          cudaFuncAttributePreferredSharedMemoryCarveout, 100);
    if (!error)
        error = (int)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, build_in_one_pass<TILE>,
                                                                   TILE::threads, TILE::bytes);
    *blocks = error ? 0 : each * processors;
    return error;
}

static int parts_of(int count, int each)
{
    return (count + each - 1) / each;
}

/* The job's division and the bytes of its scratch; 0 bytes: the picture is too wide. */
template <typename TILE>
static int plan(const satk_sat *job, one_pass<typename TILE::word> *l, size_t *bytes)
{
    const satk_plane *const src = &job->src;
    int blocks;
    const int error = find_blocks<TILE>(&blocks);

    *bytes = 0;
    l->strips = parts_of(src->width, TILE::width);
    if (error || l->strips > min(blocks, 10 * TILE::threads / TILE::channels))
        return error;
    l->phases = min(blocks / l->strips, parts_of(src->height, TILE::warps));
    l->phases = min(l->phases, 10 * TILE::threads / (l->strips * TILE::channels)); /* 10 bits */
    const int steps =
        parts_of(src->height, l->phases * TILE::rows); /* and no more rows than these */
    l->rows = parts_of(src->height, l->phases * steps);
    l->chunks = parts_of(src->height, l->rows);
    l->phases = min(l->phases, l->chunks);

    const size_t tiles = (size_t)l->chunks * l->strips, word = sizeof(typename TILE::word);
    uint8_t *const base = (uint8_t *)job->scratch;
    l->published =
        (unsigned *)(base + satk_place(bytes, (size_t)l->strips * l->phases, sizeof(unsigned)));
    l->row_sums =
        (typename TILE::word *)(base +
                                satk_place(bytes, tiles * TILE::rows * TILE::channels, word));
    l->bottoms = (typename TILE::word *)(base + satk_place(bytes, tiles * TILE::words, word));
    l->totals = (typename TILE::word *)(base + satk_place(bytes, tiles * TILE::channels, word));
    return 0;
}

template <typename TILE> static size_t scratch(const satk_sat *job)
{
    one_pass<typename TILE::word> launch;
    size_t bytes;

    return plan<TILE>(job, &launch, &bytes) ? 0 : bytes;
}

template <typename TILE> static int build(const satk_sat *job, cudaStream_t stream, int *launched)
{
    one_pass<typename TILE::word> launch = {};
    void *arguments[] = {&launch};
    size_t bytes;
    int error = plan<TILE>(job, &launch, &bytes);

    *launched = 0;
    if (error || bytes == 0)
        return error;
    launch.src = job->src;
    launch.tone = job->tone;
    launch.table = (typename TILE::word *)job->table;
    launch.wide = ((uintptr_t)job->src.data | (uintptr_t)job->src.pitch) % 16 == 0;
    launch.even = job->src.width * TILE::channels % 2 == 0;
    (void)cudaLaunchCooperativeKernel(build_in_one_pass<TILE>,
                                      dim3((unsigned)(launch.strips * launch.phases)),
                                      dim3(TILE::threads), arguments, (size_t)TILE::bytes, stream);
    error = satk_launched(stream);
    *launched = !error;
    return error;
}

/* --- Which tile ------------------------------------------------------------------------------- */

struct builder {
    size_t (*scratch)(const satk_sat *);
    int (*build)(const satk_sat *, cudaStream_t, int *launched);
};

template <typename T, int CHANNELS, int BITS> static builder find_tone(const satk_sat *job)
{
    typedef satk_tile<T, CHANNELS, BITS, true> plain;
    typedef satk_tile<T, CHANNELS, BITS, false> toned;

    return job->tone.decode || job->tone.weighted ? builder{scratch<toned>, build<toned>}
                                                  : builder{scratch<plain>, build<plain>};
}

template <typename T, int BITS> static builder find_channels(const satk_sat *job)
{
    switch (job->src.channels) {
    case 1: return find_tone<T, 1, BITS>(job);
    case 2: return find_tone<T, 2, BITS>(job);
    case 3: return find_tone<T, 3, BITS>(job);
    default: return find_tone<T, 4, BITS>(job);
    }
}

static builder find_builder(const satk_sat *job)
{
    if (job->word == 32)
        return job->src.bits == 8 ? find_channels<uint32_t, 8>(job)
                                  : find_channels<uint32_t, 16>(job);
    return job->src.bits == 8 ? find_channels<uint64_t, 8>(job) : find_channels<uint64_t, 16>(job);
}

size_t satk_one_pass_scratch(const satk_sat *job)
{
    return find_builder(job).scratch(job);
}

int satk_one_pass(const satk_sat *job, void *stream, int *launched)
{
    return find_builder(job).build(job, (cudaStream_t)stream, launched);
}
