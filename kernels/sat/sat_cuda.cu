#include "sat/sat.h"
#include "sat/sat_lookback.h"
#include "sat/sat_rows_columns.cuh"

/* The picture, through the tone. */
template <typename T, int CHANNELS, int BITS> struct from_picture {
    satk_plane src;
    satk_tone tone;

    __device__ __forceinline__ void load(int x, int y, T *out) const
    {
        uint64_t s[4];
        satk_samples(&tone, (const uint8_t *)src.data + y * src.pitch, x, CHANNELS, BITS, s);
        for (int c = 0; c < CHANNELS; c++)
            out[c] = (T)s[c];
    }
};

template <typename T, int CHANNELS, int BITS>
static int build(const satk_sat *job, cudaStream_t stream)
{
    const from_picture<T, CHANNELS, BITS> source = {job->src, job->tone};

    return satk_build_rows_columns<T, CHANNELS>(source, (T *)job->table, (T *)job->scratch,
                                                job->src.width, job->src.height, stream);
}

template <typename T, int BITS> static int build_channels(const satk_sat *job, cudaStream_t stream)
{
    switch (job->src.channels) {
    case 1: return build<T, 1, BITS>(job, stream);
    case 2: return build<T, 2, BITS>(job, stream);
    case 3: return build<T, 3, BITS>(job, stream);
    default: return build<T, 4, BITS>(job, stream);
    }
}

static size_t rows_columns_scratch(const satk_sat *job)
{
    const satk_plane *const src = &job->src;

    return satk_rows_columns_scratch(src->width, src->height, src->channels) *
           (size_t)(job->word / 8);
}

static int build_one(const satk_sat *job, cudaStream_t stream)
{
    if (job->word == 32)
        return job->src.bits == 8 ? build_channels<uint32_t, 8>(job, stream)
                                  : build_channels<uint32_t, 16>(job, stream);
    return job->src.bits == 8 ? build_channels<uint64_t, 8>(job, stream)
                              : build_channels<uint64_t, 16>(job, stream);
}

static int rows_columns(const satk_sat *job, cudaStream_t stream)
{
    const size_t table =
        (size_t)job->src.width * job->src.channels * job->src.height * (size_t)(job->word / 8);
    satk_sat one = *job;
    int error = 0;

    for (int i = 0; i < satk_sat_pictures(job) && !error; i++) {
        one.src.data = (uint8_t *)job->src.data + i * job->src_step;
        one.table = (uint8_t *)job->table + i * table;
        error = build_one(&one, stream);
    }
    return error;
}

/* --- Choice ----------------------------------------------------------------------------------- */

size_t satk_sat_scratch_cuda(const satk_sat *job)
{
    return job->variant == SATK_SAT_ONE_PASS ? 0 : rows_columns_scratch(job);
}

size_t satk_sat_board_cuda(const satk_sat *job)
{
    return job->variant == SATK_SAT_ONE_PASS ? satk_sat_lookback_board(job) : 0;
}

int satk_sat_cuda(const satk_sat *job, void *stream)
{
    return job->variant == SATK_SAT_ONE_PASS ? satk_sat_lookback(job, stream)
                                             : rows_columns(job, (cudaStream_t)stream);
}
