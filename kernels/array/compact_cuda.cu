#include "array/array.cuh"
#include "array/compact.h"
#include "common/launch.cuh"
#include "common/lookback.cuh"

static __device__ __forceinline__ bool keeps(const satk_compact &job, uint32_t value)
{
    return value >= job.low && value <= job.high;
}

/* --- Single pass ------------------------------------------------------------------------------ */

typedef satk_tile_state<uint64_t> tile_state;

/* One block, one tile. A warp has SATK_COMPACT_ITEMS runs of 32 neighbouring values; a ballot tells
 * every lane of a run who is kept, so a place is a count of bits. */
template <bool INDICES>
static __global__ void compact_tiles(const __grid_constant__ satk_compact job, tile_state *states,
                                     unsigned long long *counter)
{
    __shared__ uint32_t staged[SATK_COMPACT_TILE];
    __shared__ uint16_t origins[INDICES ? SATK_COMPACT_TILE : 1]; /* within the tile */
    __shared__ uint32_t totals[SATK_COMPACT_WARPS];
    __shared__ uint64_t tiles_before;
    const uint64_t tile = satk_draw_tile(counter);
    const uint64_t first = tile * SATK_COMPACT_TILE, size = job.count - first;
    const int lane = threadIdx.x % SATK_WARP, warp = threadIdx.x / SATK_WARP;
    const unsigned own = warp * SATK_WARP * SATK_COMPACT_ITEMS + lane, lower = (1u << lane) - 1;
    uint32_t value[SATK_COMPACT_ITEMS];
    unsigned kept[SATK_COMPACT_ITEMS]; /* by which lanes */
    uint32_t total = 0;

    /* Load everything before the first use: the loads overlap. */
#pragma unroll
    for (int i = 0; i < SATK_COMPACT_ITEMS; i++)
        value[i] = own + i * SATK_WARP < size ? job.in[first + own + i * SATK_WARP] : 0;

        /* Count what the warp keeps. */
#pragma unroll
    for (int i = 0; i < SATK_COMPACT_ITEMS; i++) {
        kept[i] = __ballot_sync(0xffffffffu, own + i * SATK_WARP < size && keeps(job, value[i]));
        total += __popc(kept[i]);
    }
    if (lane == 0)
        totals[warp] = total;
    __syncthreads();

    /* Publish the tile's count at once: later tiles wait for it. */
    uint32_t place = satk_warps_before(totals);
    total = 0;
#pragma unroll
    for (int w = 0; w < SATK_COMPACT_WARPS; w++)
        total += totals[w];
    if (threadIdx.x == 0)
        satk_publish<uint64_t>(states + tile, tile > 0 ? SATK_SUM : SATK_PREFIX, total);

        /* Compact in shared memory. */
#pragma unroll
    for (int i = 0; i < SATK_COMPACT_ITEMS; i++) {
        const uint32_t to = place + __popc(kept[i] & lower);
        if (kept[i] >> lane & 1) {
            staged[to] = value[i];
            if (INDICES)
                origins[to] = (uint16_t)(own + i * SATK_WARP);
        }
        place += __popc(kept[i]);
    }

    /* Look back. */
    if (warp == 0) {
        const uint64_t before = satk_look_back(states, (int64_t)tile);
        if (lane == 0) {
            if (tile > 0)
                satk_publish<uint64_t>(states + tile, SATK_PREFIX, before + total);
            if (size <= SATK_COMPACT_TILE)
                *job.kept = before + total;
            tiles_before = before;
        }
    }
    __syncthreads();

    /* Neighbouring threads write neighbouring words. */
    for (uint32_t i = threadIdx.x; i < total; i += blockDim.x) {
        job.out[tiles_before + i] = staged[i];
        if (INDICES)
            job.indices[tiles_before + i] = first + origins[i];
    }
}

/* --- Three kernels ---------------------------------------------------------------------------- */

template <typename T>
static __global__ void set_flags(const __grid_constant__ satk_compact job, T *flags)
{
    const uint64_t i = satk_array_index();

    if (i < job.count)
        flags[i] = keeps(job, job.in[i]);
}

/* places: the exclusive scan of the flags, so where a value goes if it is kept. */
template <typename T>
static __global__ void scatter(const __grid_constant__ satk_compact job, const T *places)
{
    const uint64_t i = satk_array_index();

    if (i >= job.count)
        return;
    const uint32_t value = job.in[i];
    const T place = places[i];
    if (keeps(job, value)) {
        job.out[place] = value;
        if (job.indices)
            job.indices[place] = i;
    }
    if (i == job.count - 1)
        *job.kept = (uint64_t)place + keeps(job, value);
}

/* --- Launchers -------------------------------------------------------------------------------- */

typedef struct layout {
    size_t counter, states;   /* single-pass */
    size_t flags, scan_space; /* three-kernel */
    size_t bytes;
} layout;

static uint64_t tiles_of(const satk_compact *job)
{
    return job->count / SATK_COMPACT_TILE + (job->count % SATK_COMPACT_TILE > 0);
}

static layout layout_of(const satk_compact *job)
{
    layout l = {};

    if (job->variant == SATK_COMPACT_SINGLE_PASS) {
        l.counter = satk_place(&l.bytes, 1, sizeof(unsigned long long));
        l.states = satk_place(&l.bytes, tiles_of(job), sizeof(tile_state));
    } else {
        const satk_scan scan = satk_scan_flags(NULL, job->count, NULL);
        l.flags = satk_place(&l.bytes, job->count, satk_place_word(job->count) / 8);
        l.scan_space = satk_place(&l.bytes, satk_scan_scratch_cuda(&scan), 1);
    }
    return l;
}

size_t satk_compact_scratch_cuda(const satk_compact *job)
{
    return layout_of(job).bytes;
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

template <typename T> static int three_kernel(const satk_compact *job, cudaStream_t stream)
{
    const layout l = layout_of(job);
    uint8_t *const scratch = (uint8_t *)job->scratch;
    T *const flags = (T *)(scratch + l.flags);
    const satk_scan scan = satk_scan_flags(flags, job->count, scratch + l.scan_space);
    const unsigned blocks = satk_array_blocks(job->count);

    set_flags<T><<<blocks, SATK_ARRAY_THREADS, 0, stream>>>(*job, flags);
    int error = satk_launched(stream);
    if (!error)
        error = satk_scan_cuda(&scan, stream);
    if (error)
        return error;
    scatter<T><<<blocks, SATK_ARRAY_THREADS, 0, stream>>>(*job, flags);
    return satk_launched(stream);
}

int satk_compact_cuda(const satk_compact *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;

    if (job->count == 0)
        return (int)cudaMemsetAsync(job->kept, 0, sizeof *job->kept, s);
    if (job->variant == SATK_COMPACT_SINGLE_PASS)
        return single_pass(job, s);
    return satk_place_word(job->count) == 32 ? three_kernel<uint32_t>(job, s)
                                             : three_kernel<uint64_t>(job, s);
}
