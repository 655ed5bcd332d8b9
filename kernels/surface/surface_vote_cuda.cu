/* Gives samples on ramps the code of the surface for which the samples around them vote. */
#include "surface/surface.cuh"

static constexpr int BINS = 8;

/* Returns a bit for each of the 5 x 5 that votes, row by row. */
static __device__ uint32_t voters_of(const satk_plane &map, const satk_bit_plane &ramps,
                                     satk_pixel p)
{
    const uint32_t across = satk_five_there(p.x, map.width);
    const uint32_t down = satk_five_there(p.y, map.height);
    uint32_t all = 0, loud = 0;

#pragma unroll
    for (int j = 0; j < SATK_HEARD_SIDE; j++)
        if (down >> j & 1) {
            const uint32_t on_ramps = satk_five_bits(ramps, p.x, p.y + j - SATK_HEARD);
            all |= across << j * SATK_HEARD_SIDE;
            loud |= (across & ~on_ramps) << j * SATK_HEARD_SIDE;
        }
    return loud ? loud : all;
}

/* Returns voter k of a pixel. */
static __device__ __forceinline__ satk_pixel voter(satk_pixel p, int k)
{
    return {p.x + k % SATK_HEARD_SIDE - SATK_HEARD, p.y + k / SATK_HEARD_SIDE - SATK_HEARD};
}

/* Returns the closeness of voter i of five to a pixel in their middle, in 1/256. */
static __device__ __forceinline__ uint32_t closeness(int i)
{
    return (SATK_HEARD + 1 - abs(i - SATK_HEARD)) << 8;
}

static __device__ __forceinline__ uint32_t likeness(const satk_surface_tables *tables,
                                                    const satk_colour &a, const satk_colour &b)
{
    int away = 0;

#pragma unroll
    for (int c = 0; c < 3; c++)
        away += (a.rgb[c] - b.rgb[c]) * (a.rgb[c] - b.rgb[c]);
    return tables->alike[min(away >> 4, SATK_SURFACE_LIKENESSES - 1)];
}

/* Returns the mean of the two neighbouring bins that have most votes, the higher ones of equals. */
static __device__ __forceinline__ int mean_of_best(const uint32_t *votes, const uint64_t *codes)
{
    uint32_t most = votes[0] + votes[1];
    uint64_t sum = codes[0] + codes[1];

#pragma unroll
    for (int b = 1; b < BINS - 1; b++)
        if (votes[b] + votes[b + 1] >= most) {
            most = votes[b] + votes[b + 1];
            sum = codes[b] + codes[b + 1];
        }
    return (int)((sum + most / 2) / most);
}

/* Returns a code in 16 bits. */
template <typename CODE>
static __device__ __forceinline__ int code16_at(const satk_plane &map, satk_pixel p)
{
    return satk_code_at<CODE>(map, p.x, p.y) * (sizeof(CODE) == 1 ? 257 : 1);
}

template <typename CODE>
static __device__ satk_extremes range_of(const satk_plane &map, satk_pixel p, uint32_t voters)
{
    satk_extremes range = {65535, 0};

    for (uint32_t left = voters; left; left &= left - 1) {
        const int code = code16_at<CODE>(map, voter(p, __ffs((int)left) - 1));
        range = satk_both(range, {code, code});
    }
    return range;
}

template <typename CODE>
static __device__ int decide(const satk_surface &job, const satk_bit_plane &ramps, satk_pixel p)
{
    const satk_colour own = satk_colour_at(job.src, p.x, p.y);
    const uint32_t voters = voters_of(job.map, ramps, p);
    const satk_extremes range = range_of<CODE>(job.map, p, voters);
    const uint32_t bins = (BINS << 16) / (uint32_t)(range.high - range.low + 1);
    uint32_t votes[BINS] = {0};
    uint64_t codes[BINS] = {0}; /* times votes */

    for (uint32_t left = voters; left; left &= left - 1) {
        const int k = __ffs((int)left) - 1;
        const satk_pixel v = voter(p, k);
        const uint32_t code = (uint32_t)code16_at<CODE>(job.map, v);
        const uint32_t close = closeness(k % SATK_HEARD_SIDE) * closeness(k / SATK_HEARD_SIDE) >> 8;
        const uint32_t vote = close * likeness(job.tables, satk_colour_at(job.src, v.x, v.y), own);
        const uint32_t bin = (code - (uint32_t)range.low) * bins >> 16;
#pragma unroll
        for (uint32_t b = 0; b < BINS; b++) { /* not at [bin]: these are registers */
            votes[b] += bin == b ? vote : 0;
            codes[b] += bin == b ? (uint64_t)vote * code : 0;
        }
    }
    return (int)satk_code_in(8 * sizeof(CODE), (uint32_t)mean_of_best(votes, codes));
}

template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    vote(const __grid_constant__ satk_surface job, satk_bit_plane ramps)
{
    __shared__ satk_few few;
    const satk_pixel tile = satk_find_tile(job.map), strip = satk_find_strip(tile);

    if (satk_is_left(job))
        return;
    satk_gather_none(few);
#pragma unroll
    for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
        const satk_pixel p = {strip.x, strip.y + j};
        if (p.y < job.map.height)
            satk_gather_row(few, satk_strip_row() + j, *satk_word_of(ramps, p));
        if (satk_is_inside(job.map, p))
            satk_put_code<CODE>(job.voted, p, satk_code_at<CODE>(job.map, p.x, p.y));
    }
    const int count = satk_gathered(few);
    for (int i = (int)threadIdx.x; i < count; i += SATK_SURFACE_THREADS) {
        const satk_pixel p = satk_gathered_at(few, i, tile);
        satk_put_code<CODE>(job.voted, p, decide<CODE>(job, ramps, p));
    }
}

int satk_vote(const satk_surface *job, satk_bit_plane ramps, cudaStream_t stream)
{
    return satk_run_surface<vote<uint8_t>, vote<uint16_t>>(job, ramps, stream);
}
