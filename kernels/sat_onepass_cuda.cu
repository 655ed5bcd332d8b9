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
#include "sat_walk.cuh"

#include <cooperative_groups.h>

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
