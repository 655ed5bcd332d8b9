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
 * Nobody waits for a sum of sums, so there is no chain. And a block publishes its next tile, which
 * it has already loaded, before it stores its present one: whoever needs it has stored a tile of its
 * own meanwhile. */
#include "array.h"
#include "launch.cuh"
#include "sat_onepass.h"
#include "sat_tile.cuh"

#include <cooperative_groups.h>

#include <utility>

template <typename T> struct one_pass {
    satk_plane src;
    satk_tone tone;
    T *table;
    int strips, phases, chunks, rows; /* rows of a chunk */
    bool wide;                        /* the picture's rows are 16-byte aligned */
    unsigned *published;              /* [phase][strip]: how many tiles the block has */
    T *row_sums;                      /* [chunk][strip][row][channel] */
    T *bottoms;                       /* [chunk][strip][word] */
    T *totals;                        /* [chunk][strip][channel]: the ends of the bottom rows */
};

/* What the threads of a block tell each other about the present tile. */
template <typename TILE> struct notes {
    typename TILE::word above[TILE::threads];     /* [group][word]: the bottom rows above */
    typename TILE::word left_part[TILE::threads]; /* [part][row][channel] */
    typename TILE::word left[TILE::rows * TILE::channels];
    typename TILE::word beside[TILE::warps]; /* the sum of `left`, in parts; of one channel */
    typename TILE::word corner_part[TILE::channels][TILE::warps];
    typename TILE::word corner[TILE::channels];
};

/* A block's place, and what its threads carry from tile to tile. */
template <typename TILE> struct place {
    int strip, phase;
    typename TILE::word above;  /* of the thread's column, its group's part */
    typename TILE::word bottom; /* of the present tile */
    typename TILE::word corner; /* of the thread's channel, in the first threads */
};

template <typename TILE>
static __device__ __forceinline__ size_t tile_at(const one_pass<typename TILE::word> &job,
                                                 const place<TILE> &here, int chunk)
{
    return (size_t)chunk * job.strips + here.strip;
}

template <typename TILE>
static __device__ __forceinline__ void load(const one_pass<typename TILE::word> &job,
                                            const place<TILE> &here, int chunk,
                                            satk_packed<TILE> *tile)
{
    const int lane = threadIdx.x % SATK_WARP;

    satk_load_tile<TILE>(job.src, job.wide, here.strip * TILE::width + lane * TILE::pixels,
                         chunk * job.rows, job.rows, tile);
}

/* --- Publishing ------------------------------------------------------------------------------- */

/* First part: everyone's rows. buffer: a row for each warp. */
template <typename TILE>
static __device__ __forceinline__ void add_up(const one_pass<typename TILE::word> &job,
                                              const place<TILE> &here, int chunk,
                                              const satk_packed<TILE> &tile, void *buffer)
{
    typedef typename TILE::sum sum;

    satk_add_up<TILE>(tile, job.tone, job.rows,
                      job.row_sums + tile_at(job, here, chunk) * TILE::rows * TILE::channels,
                      (sum *)buffer + threadIdx.x / SATK_WARP * TILE::words);
}

/* Second part, behind a barrier: the bottom row. */
template <typename TILE>
static __device__ __forceinline__ void add_warps(const one_pass<typename TILE::word> &job,
                                                 const place<TILE> &here, int chunk,
                                                 const void *buffer)
{
    typedef typename TILE::sum sum;
    const int at = threadIdx.x, channel = at - (TILE::words - TILE::channels);
    const sum *const column = (const sum *)buffer + satk_place_of<TILE, sum>(at);
    typename TILE::word bottom = 0;

    if (at >= TILE::words)
        return;
#pragma unroll
    for (int w = 0; w < TILE::warps; w++)
        bottom += column[w * TILE::words];
    job.bottoms[tile_at(job, here, chunk) * TILE::words + at] = bottom;
    if (channel >= 0)
        job.totals[tile_at(job, here, chunk) * TILE::channels + channel] = bottom;
}

/* Third part, behind another. */
template <typename TILE>
static __device__ __forceinline__ void say_published(const one_pass<typename TILE::word> &job,
                                                     const place<TILE> &here, unsigned tiles)
{
    if (threadIdx.x == 0) {
        __threadfence();
        *(volatile unsigned *)&job.published[here.phase * job.strips + here.strip] = tiles;
    }
}

/* --- Reading what others have published ------------------------------------------------------- */

/* Until all that step's tile needs is there: the tiles above and left of it, of the blocks of its
 * strip and of those to the left; of later phases the step before. */
template <typename TILE>
static __device__ __forceinline__ void wait(const one_pass<typename TILE::word> &job,
                                            const place<TILE> &here, unsigned step)
{
    const int across = here.strip + 1;

    for (int i = threadIdx.x; i < across * job.phases; i += TILE::threads) {
        const int phase = i / across, strip = i % across;
        const volatile unsigned *const tiles = &job.published[phase * job.strips + strip];
        while (*tiles < step + (phase <= here.phase))
            __nanosleep(20);
    }
    __threadfence();
    __syncthreads();
}

/* The bottom rows since the block's last tile, and this one's own. */
template <typename TILE>
static __device__ __forceinline__ void gather_above(const one_pass<typename TILE::word> &job,
                                                    place<TILE> *here, int chunk,
                                                    notes<TILE> *notes)
{
    const int group = threadIdx.x / TILE::words, at = threadIdx.x % TILE::words;
    const int first = max(chunk - job.phases, 0);
    const size_t pitch = (size_t)job.strips * TILE::words;
    const typename TILE::word *const column = job.bottoms + (size_t)here->strip * TILE::words + at;

    if (group > 0)
        here->bottom = __ldcg(column + chunk * pitch);
#pragma unroll 8
    for (int k = first + group; k < chunk; k += TILE::groups)
        here->above += __ldcg(column + k * pitch);
    notes->above[threadIdx.x] = here->above;
}

/* The tiles left of this one: their row sums. */
template <typename TILE>
static __device__ __forceinline__ void gather_left(const one_pass<typename TILE::word> &job,
                                                   const place<TILE> &here, int chunk,
                                                   notes<TILE> *notes)
{
    enum { SUMS = TILE::rows * TILE::channels, PARTS = TILE::threads / SUMS };
    const int part = threadIdx.x / SUMS, at = threadIdx.x % SUMS;
    const typename TILE::word *const sums = job.row_sums + (size_t)chunk * job.strips * SUMS + at;
    typename TILE::word left = 0;

    if (part < PARTS && at < job.rows * TILE::channels)
#pragma unroll 8
        for (int s = part; s < here.strip; s += PARTS)
            left += __ldcg(sums + s * SUMS);
    notes->left_part[threadIdx.x] = left;
}

/* The tiles left of the strip and above, since the block's last tile: their totals. A thread's
 * channel is always the same. */
template <typename TILE>
static __device__ __forceinline__ void gather_corner(const one_pass<typename TILE::word> &job,
                                                     const place<TILE> &here, int chunk,
                                                     notes<TILE> *notes)
{
    static_assert(TILE::threads % TILE::channels == 0, "a thread has one channel");
    const int warp = threadIdx.x / SATK_WARP, lane = threadIdx.x % SATK_WARP;
    const int first = max(chunk - job.phases, 0), across = here.strip * TILE::channels;
    typename TILE::word sum = 0;

#pragma unroll 2
    for (int i = threadIdx.x; i < (chunk - first) * across; i += TILE::threads) {
        const size_t row = (size_t)(first + i / across) * job.strips * TILE::channels;
        sum += __ldcg(job.totals + row + i % across);
    }
#pragma unroll
    for (int c = 0; c < TILE::channels; c++) {
        const bool own = (int)threadIdx.x % TILE::channels == c;
        const typename TILE::word total = satk_warp_reduce(own ? sum : 0);
        if (lane == 0)
            notes->corner_part[c][warp] = total;
    }
}

/* Behind a barrier: the parts together. */
template <typename TILE>
static __device__ __forceinline__ void join_parts(place<TILE> *here, notes<TILE> *notes)
{
    enum { SUMS = TILE::rows * TILE::channels, PARTS = TILE::threads / SUMS };
    const int at = threadIdx.x;
    typename TILE::word left = 0;

    if (at < SUMS) {
#pragma unroll
        for (int part = 0; part < PARTS; part++)
            left += notes->left_part[part * SUMS + at];
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
            here->corner += notes->corner_part[at][w];
        notes->corner[at] = here->corner;
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

/* Walks `count` rows of a column: down from the sum above them, or up from the sum of the last. */
template <typename TILE, bool DOWN>
static __device__ __forceinline__ void walk(const typename TILE::word *words, int count,
                                            typename TILE::word sum, typename TILE::word *out,
                                            ptrdiff_t pitch)
{
    typedef typename TILE::word word;
    enum { AHEAD = 8 };
    constexpr int step = DOWN ? TILE::words : -TILE::words;

    for (; count >= AHEAD; count -= AHEAD, words += AHEAD * step) {
        word scanned[AHEAD];
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            scanned[i] = words[i * step];
#pragma unroll
        for (int i = 0; i < AHEAD; i++, out += pitch) {
            const word before = sum;
            sum += DOWN ? scanned[i] : (word)0 - scanned[i];
            put(out, DOWN ? sum : before);
        }
    }
    for (; count > 0; count--, words += step, out += pitch) {
        const word before = sum;
        sum += DOWN ? *words : (word)0 - *words;
        put(out, DOWN ? sum : before);
    }
}

/* The tile's columns. Where two threads share one, the second begins at its end, whose sum is known,
 * and walks up. */
template <typename TILE>
static __device__ __forceinline__ void
store(const one_pass<typename TILE::word> &job, const place<TILE> &here, int chunk,
      const notes<TILE> &notes, const typename TILE::word *words)
{
    const int group = threadIdx.x / TILE::words, at = threadIdx.x % TILE::words;
    const int pitch = job.src.width * TILE::channels, column = here.strip * TILE::words + at;
    const int y = chunk * job.rows, rows = min(job.rows, job.src.height - y);
    const int upper = (rows + TILE::groups - 1) / TILE::groups;
    typename TILE::word sum = notes.corner[at % TILE::channels];
    typename TILE::word *const out = job.table + (size_t)y * pitch + column;

    if (column >= pitch)
        return;
    words += satk_place_of<TILE, typename TILE::word>(at);
#pragma unroll
    for (int g = 0; g < TILE::groups; g++)
        sum += notes.above[g * TILE::words + at];
    if (group == 0) {
        walk<TILE, true>(words, upper, sum, out, pitch);
        return;
    }
    sum += here.bottom;
#pragma unroll
    for (int w = 0; w < (TILE::rows + SATK_WARP - 1) / SATK_WARP; w++)
        sum += notes.beside[w];
    walk<TILE, false>(words + (rows - 1) * TILE::words, rows - upper, sum,
                      out + (size_t)(rows - 1) * pitch, -(ptrdiff_t)pitch);
}

/* --- Kernel ----------------------------------------------------------------------------------- */

template <typename TILE>
static __global__ void __launch_bounds__(TILE::threads, SATK_ONE_PASS_BLOCKS)
    build_in_one_pass(const __grid_constant__ one_pass<typename TILE::word> job)
{
    extern __shared__ uint4 buffer[];
    __shared__ notes<TILE> notes;
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    typename TILE::word *const words = (typename TILE::word *)buffer;
    place<TILE> here = {(int)blockIdx.x % job.strips, (int)blockIdx.x / job.strips, 0, 0, 0};
    satk_packed<TILE> present, coming;

    load(job, here, here.phase, &present);
    add_up(job, here, here.phase, present, buffer);
    __syncthreads();
    add_warps(job, here, here.phase, buffer);
    say_published(job, here, 1);
    auto token = grid.barrier_arrive(); /* the first tiles need no more, and the counters are set */

    unsigned step = 0;
    for (int chunk = here.phase; chunk < job.chunks; chunk += job.phases, step++) {
        const int next = chunk + job.phases;
        const bool more = next < job.chunks;
        if (more)
            load(job, here, next, &coming);
        if (step == 0)
            grid.barrier_wait(std::move(token));
        else
            wait(job, here, step);
        gather_above(job, &here, chunk, &notes);
        gather_left(job, here, chunk, &notes);
        gather_corner(job, here, chunk, &notes);
        if (more)
            add_up(job, here, next, coming, buffer);
        __syncthreads();
        join_parts(&here, &notes);
        if (more)
            add_warps(job, here, next, buffer);
        __syncthreads();
        if (more)
            say_published(job, here, step + 2);
        satk_scan_rows<TILE>(present, job.tone, notes.left, words);
        __syncthreads();
        store(job, here, chunk, notes, words);
        present = coming;
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
    if (error || l->strips > blocks)
        return error;
    l->phases = min(blocks / l->strips, parts_of(src->height, TILE::warps));
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
