/* Compaction in one pass over tiles, as the product runs it. The other variant is in
 * compact_textbook_cuda.cu. */
#include "array/array_tune.cuh"
#include "array/compact_textbook.cuh"
#include "common/launch.cuh"
#include "common/lookback.cuh"
#include "common/parts.h"

typedef satk_tile_state<uint64_t> tile_state;

/* The kept values of a block's tile, in shared memory. */
template <bool INDICES> struct tile_memory {
    uint32_t value[SATK_COMPACT_TILE];                /* kept ones, without gaps */
    uint16_t origin[INDICES ? SATK_COMPACT_TILE : 1]; /* of each, within the tile */
    uint32_t totals[SATK_COMPACT_WARPS];              /* kept by each warp */
    uint64_t before;                                  /* kept in earlier tiles */
};

/* Reads the lane's values, all before the first is used, so that the loads overlap. kept: the lanes that
 * keep theirs, by item. Returns how many values the warp keeps. own: the lane's first value. */
static __device__ __forceinline__ uint32_t read_values(const satk_compact &job, uint64_t first,
                                                       unsigned own, uint32_t *value,
                                                       unsigned *kept)
{
    const uint64_t size = job.count - first;
    uint32_t total = 0;

#pragma unroll
    for (int i = 0; i < SATK_COMPACT_ITEMS; i++)
        value[i] = own + i * SATK_WARP < size ? job.in[first + own + i * SATK_WARP] : 0;
#pragma unroll
    for (int i = 0; i < SATK_COMPACT_ITEMS; i++) {
        kept[i] =
            __ballot_sync(0xffffffffu, own + i * SATK_WARP < size && satk_is_kept(&job, value[i]));
        total += __popc(kept[i]);
    }
    return total;
}

/* Puts the warp's kept values into shared memory, from `place` on: a lane's place is a count of bits. */
template <bool INDICES>
static __device__ __forceinline__ void stage_values(const uint32_t *value, const unsigned *kept,
                                                    unsigned own, uint32_t place,
                                                    tile_memory<INDICES> *memory)
{
    const int lane = threadIdx.x % SATK_WARP;
    const unsigned lower = (1u << lane) - 1;

#pragma unroll
    for (int i = 0; i < SATK_COMPACT_ITEMS; i++) {
        const uint32_t to = place + __popc(kept[i] & lower);
        if (kept[i] >> lane & 1) {
            memory->value[to] = value[i];
            if (INDICES)
                memory->origin[to] = (uint16_t)(own + i * SATK_WARP);
        }
        place += __popc(kept[i]);
    }
}

/* Finds how many values earlier tiles keep, in all lanes, and publishes the sum with `total`, the tile's
 * own. Called by one warp. */
static __device__ __forceinline__ uint64_t join_tiles(tile_state *states, uint64_t tile,
                                                      uint32_t total)
{
    const uint64_t before = satk_look_back(states, (int64_t)tile);

    if (threadIdx.x % SATK_WARP == 0 && tile > 0)
        satk_publish<uint64_t>(states + tile, SATK_PREFIX, before + total);
    return before;
}

/* One block, one tile. A warp has SATK_COMPACT_ITEMS runs of 32 neighbouring values. */
template <bool INDICES>
static __global__ void compact_tiles(const __grid_constant__ satk_compact job, tile_state *states,
                                     unsigned long long *counter)
{
    __shared__ tile_memory<INDICES> memory;
    const uint64_t tile = satk_draw_tile(counter), first = tile * SATK_COMPACT_TILE;
    const int lane = threadIdx.x % SATK_WARP, warp = threadIdx.x / SATK_WARP;
    const unsigned own = warp * SATK_WARP * SATK_COMPACT_ITEMS + lane;
    uint32_t value[SATK_COMPACT_ITEMS], total = 0;
    unsigned kept[SATK_COMPACT_ITEMS];

    const uint32_t mine = read_values(job, first, own, value, kept);
    if (lane == 0)
        memory.totals[warp] = mine;
    __syncthreads();

#pragma unroll
    for (int w = 0; w < SATK_COMPACT_WARPS; w++)
        total += memory.totals[w];
    if (threadIdx.x == 0) /* at once: later tiles wait for it */
        satk_publish<uint64_t>(states + tile, tile > 0 ? SATK_SUM : SATK_PREFIX, total);
    stage_values(value, kept, own, satk_warps_before(memory.totals), &memory);
    if (warp == 0) {
        const uint64_t before = join_tiles(states, tile, total);
        if (lane == 0) {
            memory.before = before;
            if (job.count - first <= SATK_COMPACT_TILE)
                *job.kept = before + total;
        }
    }
    __syncthreads();

    /* Neighbouring threads write neighbouring words. */
    const uint64_t before = memory.before;
    for (uint32_t i = threadIdx.x; i < total; i += blockDim.x) {
        job.out[before + i] = memory.value[i];
        if (INDICES)
            job.indices[before + i] = first + memory.origin[i];
    }
}

/* --- Launchers -------------------------------------------------------------------------------- */

typedef struct layout {
    size_t counter, states, bytes;
} layout;

static uint64_t tiles_of(const satk_compact *job)
{
    return job->count / SATK_COMPACT_TILE + (job->count % SATK_COMPACT_TILE > 0);
}

static layout layout_of(const satk_compact *job)
{
    layout l = {};

    l.counter = satk_place(&l.bytes, 1, sizeof(unsigned long long));
    l.states = satk_place(&l.bytes, tiles_of(job), sizeof(tile_state));
    return l;
}

size_t satk_compact_scratch_cuda(const satk_compact *job)
{
    return job->variant == SATK_COMPACT_SINGLE_PASS ? layout_of(job).bytes
                                                    : satk_compact_textbook_scratch(job);
}

static int single_pass(const satk_compact *job, cudaStream_t stream)
{
    const layout l = layout_of(job);
    uint8_t *const scratch = (uint8_t *)job->scratch;
    unsigned long long *const counter = (unsigned long long *)(scratch + l.counter);
    tile_state *const states = (tile_state *)(scratch + l.states);
    const unsigned blocks = (unsigned)tiles_of(job), threads = SATK_COMPACT_WARPS * SATK_WARP;
    const int error = (int)cudaMemsetAsync(scratch, 0, l.bytes, stream);

    if (error)
        return error;
    if (job->indices)
        compact_tiles<true><<<blocks, threads, 0, stream>>>(*job, states, counter);
    else
        compact_tiles<false><<<blocks, threads, 0, stream>>>(*job, states, counter);
    return satk_launched(stream);
}

int satk_compact_cuda(const satk_compact *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;

    if (job->count == 0)
        return (int)cudaMemsetAsync(job->kept, 0, sizeof *job->kept, s);
    return job->variant == SATK_COMPACT_SINGLE_PASS ? single_pass(job, s)
                                                    : satk_compact_textbook_cuda(job, s);
}
