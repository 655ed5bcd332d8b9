/* Four launches: one copies the map and finds its holes, one prepares what is near them, one finds and judges gaps, and one
 * has all rounds. If there are no holes, the last three return at once. */
#include "common/parts.h"
#include "fill/fill_gaps.cuh"
#include "fill/fill_grow.cuh"
#include "fill/fill_parts.cuh"
#include "fill/fill_range.cuh"

static constexpr int COPY_THREADS = SATK_SURFACE_THREADS;
static constexpr int COPY_STRIP = SATK_SURFACE_STRIP; /* rows of a thread */
static constexpr int COPY_ROWS = COPY_THREADS / SATK_WARP * COPY_STRIP;

/* --- Copy ------------------------------------------------------------------------------------- */

/* Copies the map with this code for holes, counts these, and sets their bits, if there are words for them. */
template <typename CODE>
static __global__ void __launch_bounds__(COPY_THREADS)
    copy_map(const __grid_constant__ satk_fill_device f, uint32_t code)
{
    __shared__ int holes;
    const int lane = threadIdx.x % SATK_WARP, word = (int)(blockIdx.x % (unsigned)f.pitch);
    const int x = word * SATK_WARP + lane;
    const int top = (int)(blockIdx.x / (unsigned)f.pitch) * COPY_ROWS +
                    (int)threadIdx.x / SATK_WARP * COPY_STRIP;
    uint32_t own[COPY_STRIP];
    int count = 0;

    if (threadIdx.x == 0)
        holes = 0;
    __syncthreads();
#pragma unroll
    for (int j = 0; j < COPY_STRIP; j++)
        own[j] = satk_is_in(f.map, x, top + j) ? satk_fill_code<CODE>(f.map, x, top + j) : 1;
#pragma unroll
    for (int j = 0; j < COPY_STRIP; j++) {
        const uint32_t bits = __ballot_sync(SATK_ALL_LANES, own[j] == 0);
        if (satk_is_in(f.map, x, top + j))
            satk_fill_put<CODE>(f.dst, x, top + j, own[j] ? own[j] : code);
        if (lane == 0 && f.bits && top + j < f.map.height)
            f.bits[(size_t)(top + j) * f.pitch + word] = bits;
        count += __popc(bits);
    }
    if (lane == 0 && count)
        atomicAdd(&holes, count);
    __syncthreads();
    if (threadIdx.x == 0 && holes)
        atomicAdd((unsigned long long *)&f.counts[SATK_FILL_HOLES], (unsigned long long)holes);
}

/* Returns true if there is nothing to fill from, or nothing to fill. */
static __device__ __forceinline__ bool is_done(const satk_fill_device &f)
{
    const uint64_t holes = f.counts[SATK_FILL_HOLES];

    return holes == 0 || holes == (uint64_t)f.map.width * (uint64_t)f.map.height;
}

/* --- Preparation ------------------------------------------------------------------------------ */

/* Returns the samples of a word with a hole in the 5 x 5 around. */
static __device__ __forceinline__ uint32_t near_holes(const satk_fill_device &f, int word, int y)
{
    uint32_t here = 0, before = 0, after = 0;

#pragma unroll
    for (int j = -SATK_VOTE_REACH; j <= SATK_VOTE_REACH; j++) {
        here |= satk_holes_in(f, word, y + j);
        before |= satk_holes_in(f, word - 1, y + j);
        after |= satk_holes_in(f, word + 1, y + j);
    }
#pragma unroll
    for (int k = 0; k < SATK_VOTE_REACH; k++) {
        const uint32_t wider = satk_widened(before, here, after);
        before |= before << 1;
        after |= after >> 1;
        here = wider;
    }
    return here & satk_within_word(f, word);
}

/* Makes the cell of a sample, and the label of a hole. */
template <typename CODE>
static __device__ __forceinline__ void make_cell(const satk_fill_device &f, int word, int y,
                                                 uint32_t holes)
{
    const int lane = threadIdx.x % SATK_WARP, x = word * SATK_WARP + lane;
    const uint32_t at = (uint32_t)y * (uint32_t)f.map.width + (uint32_t)x;
    const uint32_t code = satk_fill_code<CODE>(f.map, x, y);

    f.cells[at] = {code ? code | SATK_CELL_KNOWN : 0, satk_fill_colour(f, x, y)};
    if (!code)
        f.labels[at] = satk_first_label(holes, lane, at);
}

/* Makes all cells near holes, and lists the words with holes. A thread has a word, and then a warp one of its words after
 * the other. */
template <typename CODE>
static __global__ void __launch_bounds__(COPY_THREADS)
    prepare(const __grid_constant__ satk_fill_device f)
{
    const uint32_t count = (uint32_t)f.pitch * (uint32_t)f.map.height;
    const uint32_t index = blockIdx.x * COPY_THREADS + threadIdx.x;
    const int lane = threadIdx.x % SATK_WARP;
    const int y = (int)(index / (uint32_t)f.pitch), word = (int)(index % (uint32_t)f.pitch);

    if (is_done(f))
        return;
    const bool is_in = index < count;
    const uint32_t holes = is_in ? f.bits[index] : 0, near = is_in ? near_holes(f, word, y) : 0;
    const uint32_t with = __ballot_sync(SATK_ALL_LANES, holes != 0);
    unsigned first = 0;
    if (lane == 0 && with)
        first = atomicAdd(&f.control->words, (unsigned)__popc(with));
    first = __shfl_sync(SATK_ALL_LANES, first, 0);
    if (holes)
        f.words[first + __popc(with & ((1u << lane) - 1))] = {index, holes};
    for (uint32_t left = __ballot_sync(SATK_ALL_LANES, near != 0); left; left &= left - 1) {
        const int from = __ffs((int)left) - 1;
        const uint32_t these = __shfl_sync(SATK_ALL_LANES, near, from);
        const int row = __shfl_sync(SATK_ALL_LANES, y, from);
        const int of = __shfl_sync(SATK_ALL_LANES, word, from);
        const uint32_t unknown = __shfl_sync(SATK_ALL_LANES, holes, from);
        if (these >> lane & 1)
            make_cell<CODE>(f, of, row, unknown);
    }
}

/* --- Gaps ------------------------------------------------------------------------------------- */

union gap_memory {
    satk_range_memory range;
    satk_judge_memory judge;
};

/* Returns the range of the map's depths. The counts of higher bytes are complete. */
template <typename CODE>
static __device__ satk_fill_range find_range(const satk_fill_device &f, satk_meeting *meeting,
                                             satk_range_memory *m)
{
    satk_find_ranks(f.control->high, 0, satk_ranks_of(f), m);
    satk_fill_ranks codes = m->found;
    const satk_fill_ranks rest = m->rest;
    if (sizeof(CODE) == 2) {
        satk_count_bytes<CODE, true>(f, codes, m);
        satk_meet_all(meeting);
        satk_find_ranks(f.control->low[0], SATK_BYTES, rest, m);
        for (int k = 0; k < 2; k++)
            codes.at[k] = codes.at[k] << 8 | m->found.at[k];
        __syncthreads();
    }
    return satk_range_by<CODE>(f, codes);
}

/* Judges all large gaps, some at a time. Tables are clear. */
template <typename CODE>
static __device__ void judge_gaps(const satk_fill_device &f, uint32_t gaps, satk_meeting *meeting,
                                  gap_memory *m)
{
    const satk_fill_range range = find_range<CODE>(f, meeting, &m->range);

    for (uint32_t first = 1; first <= gaps; first += SATK_FILL_BATCH) {
        const uint32_t left = gaps + 1 - first;
        const satk_fill_batch batch = {first, min(left, (uint32_t)SATK_FILL_BATCH)};
        satk_count_depths<CODE>(f, batch, range);
        satk_meet_all(meeting);
        satk_judge_all_depths(f, batch, &m->judge);
        satk_meet_all(meeting);
        satk_count_colours<CODE>(f, batch);
        satk_meet_all(meeting);
        satk_judge_all_colours(f, batch, &m->judge);
        satk_meet_all(meeting);
    }
}

/* Finds gaps, judges large ones, and lists the holes on rims. */
template <typename CODE>
static __global__ void __launch_bounds__(SATK_FILL_THREADS, SATK_FILL_BLOCKS)
    find_gaps(const __grid_constant__ satk_fill_device f)
{
    __shared__ gap_memory memory;
    satk_meeting meeting = {&f.control->arrived[0], 0};

    if (is_done(f))
        return;
    satk_join_holes(f);
    satk_meet_all(&meeting);
    satk_measure_gaps(f);
    satk_meet_all(&meeting);
    satk_number_gaps(f);
    satk_meet_all(&meeting);
    const uint32_t gaps = __ldcg(&f.control->gaps);
    if (gaps > 0) {
        satk_label_gaps(f);
        satk_clear_tables(f);
        satk_count_bytes<CODE, false>(f, {}, &memory.range);
        satk_meet_all(&meeting);
    }
    satk_list_rims(f);
    if (gaps > 0)
        judge_gaps<CODE>(f, gaps, &meeting, &memory);
}

/* --- Rounds ----------------------------------------------------------------------------------- */

template <typename CODE>
static __global__ void __launch_bounds__(SATK_FILL_THREADS, SATK_FILL_BLOCKS)
    grow(const __grid_constant__ satk_fill_device f)
{
    __shared__ satk_grow_memory memory;
    satk_meeting meeting = {&f.control->arrived[1], 0};

    if (is_done(f))
        return;
    const satk_fill_end end = satk_grow<CODE>(f, &meeting, &memory);
    if (end.rims > 0)
        satk_fill_rest<CODE>(f, f.control->gaps);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        f.counts[SATK_FILL_GAPS] = f.control->gaps;
        f.counts[SATK_FILL_ROUNDS] = end.rounds;
    }
}

/* --- Memory ----------------------------------------------------------------------------------- */

static uint64_t samples_of(const satk_plane *map)
{
    return (uint64_t)map->width * (uint64_t)map->height;
}

/* Returns how many large gaps there are at most: those at the border have a sample of it, with a known one between two, and
 * others have many samples. */
static uint64_t gaps_of(const satk_plane *map)
{
    const uint64_t border = (uint64_t)map->width + (uint64_t)map->height;
    const uint64_t samples = samples_of(map), by_size = samples / SATK_GAP_LEAST;
    const uint64_t most = border + samples / SATK_GAP_FEW;
    const uint64_t within = border + SATK_GAP_SMALL, fewer = most < within ? most : within;

    return fewer < by_size ? fewer : by_size;
}

/* Divides the scratch memory of a job. Returns its bytes. */
static size_t lay_out(const satk_fill *job, satk_fill_device *f)
{
    const satk_plane *const map = &job->map;
    const uint64_t samples = samples_of(map);
    const uint64_t words = ((uint64_t)map->width + SATK_WARP - 1) / SATK_WARP;
    const uint64_t all = words * (uint64_t)map->height;
    const uintptr_t memory = (uintptr_t)job->scratch; /* 0 where only the bytes are wanted */
    size_t bytes = 0;

    f->pitch = (int)words;
    f->control = (satk_fill_control *)(memory + satk_place(&bytes, 1, sizeof *f->control));
    f->bits = (uint32_t *)(memory + satk_place(&bytes, all, sizeof *f->bits));
    f->words = (uint2 *)(memory + satk_place(&bytes, all, sizeof *f->words));
    f->cells = (uint2 *)(memory + satk_place(&bytes, samples, sizeof *f->cells));
    f->labels = (uint32_t *)(memory + satk_place(&bytes, samples, sizeof *f->labels));
    for (int i = 0; i < 2; i++)
        f->rims[i] = (uint32_t *)(memory + satk_place(&bytes, samples, sizeof **f->rims));
    f->gaps =
        (satk_fill_gap *)(memory + satk_place(&bytes, 1 + gaps_of(map), sizeof *f->gaps));
    f->tables = (satk_fill_rim *)(memory + satk_place(&bytes, SATK_FILL_BATCH, sizeof *f->tables));
    return bytes;
}

size_t satk_fill_scratch_cuda(const satk_fill *job)
{
    satk_fill of_none = *job;
    satk_fill_device f = {};

    of_none.scratch = NULL;
    return job->how == SATK_FILL_INWARDS ? lay_out(&of_none, &f) : 16;
}

/* --- Launches --------------------------------------------------------------------------------- */

template <typename CODE>
static int launch_copy(const satk_fill_device &f, uint32_t code, cudaStream_t stream)
{
    const unsigned down = ((unsigned)f.map.height + COPY_ROWS - 1) / COPY_ROWS;

    copy_map<CODE><<<(unsigned)f.pitch * down, COPY_THREADS, 0, stream>>>(f, code);
    return satk_launched(stream);
}

template <typename CODE> static int launch_prepare(const satk_fill_device &f, cudaStream_t stream)
{
    const uint64_t words = (uint64_t)f.pitch * (uint64_t)f.map.height;

    prepare<CODE>
        <<<(unsigned)((words + COPY_THREADS - 1) / COPY_THREADS), COPY_THREADS, 0, stream>>>(f);
    return satk_launched(stream);
}

typedef void fill_kernel(const satk_fill_device);

/* Finds the blocks of a kernel that the device runs at the same time, but none without some samples. Returns a cudaError_t. */
static int find_blocks(fill_kernel *kernel, const satk_plane *map, unsigned *blocks)
{
    int device = 0, processors = 0, each = 0;
    int error = (int)cudaGetDevice(&device);

    if (!error)
        error = (int)cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (!error)
        error =
            (int)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, SATK_FILL_THREADS, 0);
    const uint64_t wanted = 1 + samples_of(map) / SATK_FILL_SAMPLES;
    const uint64_t full = (uint64_t)processors * (uint64_t)each;
    *blocks = (unsigned)(wanted < full ? wanted : full);
    return error;
}

/* Launches a kernel whose blocks all run at the same time. */
static int launch_together(fill_kernel *kernel, const satk_fill_device &f, cudaStream_t stream)
{
    cudaLaunchAttribute together = {};
    cudaLaunchConfig_t config = {};
    unsigned blocks = 0;
    const int error = find_blocks(kernel, &f.map, &blocks);

    if (error)
        return error;
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(SATK_FILL_THREADS);
    config.stream = stream;
    config.attrs = &together;
    config.numAttrs = 1;
    (void)cudaLaunchKernelEx(&config, kernel, f);
    return satk_launched(stream);
}

template <typename CODE> static int fill_inwards(const satk_fill_device &f, cudaStream_t stream)
{
    int error = (int)cudaMemsetAsync(f.control, 0, sizeof *f.control, stream);

    if (!error)
        error = launch_copy<CODE>(f, 0, stream);
    if (!error)
        error = launch_prepare<CODE>(f, stream);
    if (!error)
        error = launch_together(find_gaps<CODE>, f, stream);
    if (!error)
        error = launch_together(grow<CODE>, f, stream);
    return error;
}

int satk_fill_cuda(const satk_fill *job, void *on)
{
    const cudaStream_t stream = (cudaStream_t)on;
    const bool is_8 = job->map.bits == 8;
    satk_fill_device f = {};

    (void)lay_out(job, &f);
    f.src = job->src;
    f.map = job->map;
    f.dst = job->dst;
    f.pixels = satk_colours_of(&job->src);
    f.shares = satk_fill_shares;
    f.near_black = job->near_black;
    f.counts = job->counts;
    const int error =
        (int)cudaMemsetAsync(job->counts, 0, SATK_FILL_COUNTS * sizeof *job->counts, stream);
    if (error)
        return error;
    if (job->how == SATK_FILL_INWARDS)
        return is_8 ? fill_inwards<uint8_t>(f, stream) : fill_inwards<uint16_t>(f, stream);
    f.bits = NULL;
    const uint32_t code =
        satk_extreme_code(job->how == SATK_FILL_NEAR, job->near_black, job->map.bits);
    return is_8 ? launch_copy<uint8_t>(f, code, stream) : launch_copy<uint16_t>(f, code, stream);
}
