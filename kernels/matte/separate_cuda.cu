#include "common/parts.h"
#include "matte/matte_sums.cuh"
#include "matte/separate_rule.h"

/* The planes of the sums: of the background, then of the subject, its pixels and their colours. */
template <int COLOURS> struct colours_source {
    enum { half = 1 + COLOURS, planes = SATK_SIDES * half };
    satk_plane src, matte;

    __device__ __forceinline__ void read(int x, int y, uint32_t *words) const
    {
        const int side = satk_matte_side(((const uint8_t *)satk_row_of(&matte, y))[x]);
        uint32_t codes[4];

        satk_get_pixel(satk_row_of(&src, y), x, src.channels, src.bits, codes);
#pragma unroll
        for (int i = 0; i < planes; i++)
            words[i] = side != i / half ? 0 : i % half == 0 ? 1 : codes[i % half - 1];
    }
};

template <int COLOURS> struct separate_work {
    satk_matte_sums<colours_source<COLOURS>::planes> sums; /* in the scratch */
};

template <int COLOURS> static size_t divide(const satk_separate *job, separate_work<COLOURS> *work)
{
    size_t bytes = 0;

    work->sums = satk_matte_place<colours_source<COLOURS>::planes>(&job->src, job->scratch, &bytes);
    return bytes;
}

/* Finds the sums of the smallest window that has enough pixels of either side. Returns false if none has. */
template <int PLANES>
static __device__ __forceinline__ bool find_sums(const satk_matte_sums<PLANES> &sums, int x, int y,
                                                 uint64_t *total)
{
    const int longest = max(sums.width, sums.height);

    for (int r = SATK_SEPARATE_NARROWEST;; r *= 2) {
        satk_sum_in(sums, satk_matte_around({x, x + 1, y, y + 1}, r, sums.width, sums.height),
                    total);
        if (total[0] >= SATK_SEPARATE_ENOUGH && total[PLANES / 2] >= SATK_SEPARATE_ENOUGH)
            return true;
        if (r >= longest)
            return false;
    }
}

/* Returns the mean of channel c of the pixels that the sums of a side are of. */
static __device__ __forceinline__ int64_t mean_of(const uint64_t *side, int c)
{
    return satk_separate_divided((int64_t)side[1 + c], (int64_t)side[0]);
}

template <int COLOURS>
static __global__ void __launch_bounds__(SATK_MATTE_THREADS)
    separate(const __grid_constant__ satk_separate job,
             const __grid_constant__ separate_work<COLOURS> work)
{
    enum { PLANES = colours_source<COLOURS>::planes, HALF = PLANES / 2 };
    const satk_matte_area tile = satk_matte_tile(job.src);
    const int x = satk_matte_column(tile), first = satk_matte_row(tile), bits = job.src.bits;

    if (x >= tile.x1)
        return;
    for (int y = first; y < min(first + SATK_MATTE_STRIP, tile.y1); y++) {
        const int fate = ((const uint8_t *)satk_row_of(&job.sides, y))[x];
        uint64_t total[PLANES];
        uint32_t codes[4];

        satk_get_pixel(satk_row_of(&job.src, y), x, job.src.channels, bits, codes);
        if (fate != SATK_COLOUR_KEEP && find_sums(work.sums, x, y, total)) {
            const int64_t m = ((const uint8_t *)satk_row_of(&job.matte, y))[x];
#pragma unroll
            for (int c = 0; c < COLOURS; c++)
                codes[c] = satk_separated(mean_of(total + HALF, c), mean_of(total, c), codes[c], m,
                                          fate == SATK_COLOUR_SUBJECT, bits);
        }
        satk_put_pixel(satk_row_of(&job.dst, y), x, job.src.channels, bits, codes);
    }
}

template <int COLOURS> static int run(const satk_separate *job, cudaStream_t stream)
{
    separate_work<COLOURS> work;

    (void)divide(job, &work);
    const int error =
        satk_build_matte_sums(colours_source<COLOURS>{job->src, job->matte}, work.sums, stream);
    if (error)
        return error;
    separate<COLOURS><<<satk_matte_blocks(&job->src), SATK_MATTE_THREADS, 0, stream>>>(*job, work);
    return satk_launched(stream);
}

size_t satk_separate_scratch_cuda(const satk_separate *job)
{
    separate_work<1> gray;
    separate_work<3> colour;

    return job->src.channels < 3 ? divide(job, &gray) : divide(job, &colour);
}

int satk_separate_cuda(const satk_separate *job, void *of)
{
    cudaStream_t const stream = (cudaStream_t)of;

    return job->src.channels < 3 ? run<1>(job, stream) : run<3>(job, stream);
}
