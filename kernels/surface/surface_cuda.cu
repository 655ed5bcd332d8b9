#include "common/parts.h"
#include "surface/resample.h"
#include "surface/surface_stages.cuh"

/* Counts the samples of the least and the largest code, sixteen bytes of a row a step. */
template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    count_ends(const __grid_constant__ satk_surface job)
{
    constexpr int STEP = (int)(sizeof(uint4) / sizeof(CODE));
    const unsigned across = ((unsigned)job.map.width + STEP - 1) / STEP;
    const bool is_aligned =
        ((uintptr_t)job.map.data | (uintptr_t)job.map.pitch) % sizeof(uint4) == 0;
    int black = 0, white = 0;

    for (size_t k = (size_t)blockIdx.x * SATK_SURFACE_THREADS + threadIdx.x;
         k < (size_t)across * job.map.height; k += (size_t)gridDim.x * SATK_SURFACE_THREADS) {
        const int x = (int)(k % across) * STEP, count = min(STEP, job.map.width - x);
        const CODE *const from =
            (const CODE *)((const uint8_t *)job.map.data + (k / across) * job.map.pitch) + x;
        union {
            uint4 all;
            CODE code[STEP];
        } codes;
        if (is_aligned && count == STEP)
            codes.all = *(const uint4 *)from;
        else
            for (int i = 0; i < STEP; i++)
                codes.code[i] = i < count ? from[i] : 1;
#pragma unroll
        for (int i = 0; i < STEP; i++) {
            black += codes.code[i] == 0;
            white += codes.code[i] == (CODE)-1;
        }
    }
    satk_add_up(job.counts, SATK_BLACK, black);
    satk_add_up(job.counts, SATK_WHITE, white);
}

static int count_black_and_white(const satk_surface *job, cudaStream_t stream)
{
    const unsigned blocks = satk_blocks_of(satk_tiles_of(job->map));

    if (job->map.bits == 8)
        count_ends<uint8_t><<<blocks, SATK_SURFACE_THREADS, 0, stream>>>(*job);
    else
        count_ends<uint16_t><<<blocks, SATK_SURFACE_THREADS, 0, stream>>>(*job);
    return satk_launched(stream);
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Returns the next part of the memory; memory NULL: only *at is moved on. */
static void *take(void *memory, size_t *at, size_t count, size_t element)
{
    const size_t begin = satk_place(at, count, element);

    return memory ? (uint8_t *)memory + begin : NULL;
}

static satk_plane take_plane(void *memory, size_t *at, int width, int height, int bits)
{
    const size_t pitch = ((size_t)width * bits / 8 + 15) / 16 * 16;

    return {take(memory, at, pitch * height, 1), (ptrdiff_t)pitch, width, height, 1, bits};
}

static satk_bit_plane take_bits(void *memory, size_t *at, const satk_plane &map)
{
    const size_t words = satk_words_of(map);

    return {(uint32_t *)take(memory, at, words * map.height, sizeof(uint32_t)), (int)words};
}

static void take_level(const satk_surface *job, void *memory, size_t *at, int l, satk_surfacing *s)
{
    satk_map_level *const level = &s->level[l];

    level->map = l == 0 ? job->map
                        : take_plane(memory, at, satk_half_of(s->level[l - 1].map.width),
                                     satk_half_of(s->level[l - 1].map.height), 16);
    level->edge = take_bits(memory, at, level->map);
    level->kept = l == 0 ? level->edge : take_bits(memory, at, level->map);
    level->near = take_bits(memory, at, level->map);
    level->ends = (uint32_t *)take(memory, at, (size_t)level->map.width * level->map.height,
                                   sizeof *level->ends);
}

/* *bytes: of all of it. */
static satk_surfacing lay_out(const satk_surface *job, void *memory, size_t *bytes)
{
    const satk_plane *const dst = &job->dst;
    const bool joins = job->how & SATK_JOIN, same = satk_has_size_of(&job->map, dst);
    satk_surfacing s = {};

    *bytes = 0;
    s.job = *job;
    const satk_plane other = take_plane(memory, bytes, dst->width, dst->height, dst->bits);
    s.between = joins || same ? other : *dst;
    s.fine = same ? job->map : joins ? *dst : other;
    s.ramps = take_bits(memory, bytes, job->map);
    if (!satk_may_cut(job))
        return s;
    s.levels = satk_levels_of(job->map.width, job->map.height);
    s.places = (satk_level_place *)take(
        memory, bytes, s.levels * ((size_t)dst->width + dst->height), sizeof *s.places);
    for (int l = 0; l < s.levels; l++)
        take_level(job, memory, bytes, l, &s);
    return s;
}

size_t satk_surface_scratch_cuda(const satk_surface *job)
{
    size_t bytes;

    lay_out(job, NULL, &bytes);
    return bytes;
}

/* --- Run -------------------------------------------------------------------------------------- */

static int clear(const satk_surface *job, cudaStream_t stream)
{
    const size_t pixels = (size_t)job->dst.width * job->dst.height;
    const int error =
        (int)cudaMemsetAsync(job->counts, 0, SATK_SURFACE_COUNTS * sizeof *job->counts, stream);

    return error ? error : (int)cudaMemsetAsync(job->rims.kind, SATK_RIM_NONE, pixels, stream);
}

int satk_surface_cuda(const satk_surface *job, void *of)
{
    const cudaStream_t stream = (cudaStream_t)of;
    size_t bytes;
    const satk_surfacing s = lay_out(job, job->scratch, &bytes);
    const satk_resample resample = {job->map, s.fine, NULL};

    int error = clear(job, stream);
    if (!error && job->how & SATK_FIND_MASK)
        error = count_black_and_white(job, stream);
    if (!error && !satk_has_size_of(&job->map, &job->dst))
        error = satk_resample_cuda(&resample, of);
    if (!error && s.levels > 0)
        error = satk_mark_maps(&s, 0, 1, stream);
    if (!error && s.levels > 0)
        error = satk_make_halves(&s, stream);
    if (!error)
        error = satk_cut_ramps(&s, stream);
    if (!error && s.between.data != job->dst.data)
        error = satk_join(&s, stream);
    return error;
}
