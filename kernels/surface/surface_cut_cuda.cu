/* Gives samples on ramps the code of the closer end. */
#include "surface/surface.cuh"

/* Returns the extremes of `ends` and of the samples that are exactly `reach` away, in a row or a column. */
template <typename CODE>
static __device__ __forceinline__ satk_extremes widen(const satk_plane &map, satk_pixel p,
                                                      int reach, satk_extremes ends)
{
    for (int i = -reach; i <= reach; i++)
#pragma unroll
        for (int side = 0; side < 4; side++) {
            const int to = side % 2 ? reach : -reach;
            const int x = satk_within(p.x + (side < 2 ? i : to), map.width);
            const int y = satk_within(p.y + (side < 2 ? to : i), map.height);
            const int code = satk_code_at<CODE>(map, x, y);
            ends = satk_both(ends, {code, code});
        }
    return ends;
}

/* Returns the ends of the ramp at a sample: the extremes of the smallest square around it that has them. */
template <typename CODE>
static __device__ satk_extremes find_ends(const satk_plane &map, satk_pixel p)
{
    const int own = satk_code_at<CODE>(map, p.x, p.y);
    satk_extremes ends = widen<CODE>(map, p, 1, {own, own});

    for (int reach = 2; reach <= SATK_CUT_REACH; reach++) {
        const satk_extremes next = widen<CODE>(map, p, reach, ends);
        if (satk_has_ends((uint32_t)(ends.high - ends.low), (uint32_t)(next.high - next.low)))
            break;
        ends = next;
    }
    return ends;
}

template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    cut(const __grid_constant__ satk_surface job, satk_bit_plane ramps)
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
            satk_put_code<CODE>(job.cut, p, satk_code_at<CODE>(job.map, p.x, p.y));
    }
    const int count = satk_gathered(few);
    for (int i = (int)threadIdx.x; i < count; i += SATK_SURFACE_THREADS) {
        const satk_pixel p = satk_gathered_at(few, i, tile);
        const satk_extremes ends = find_ends<CODE>(job.map, p);
        const uint32_t code = (uint32_t)satk_code_at<CODE>(job.map, p.x, p.y);
        satk_put_code<CODE>(job.cut, p,
                            (int)satk_closer_end(code, (uint32_t)ends.low, (uint32_t)ends.high));
    }
}

int satk_cut_ramps(const satk_surface *job, satk_bit_plane ramps, cudaStream_t stream)
{
    return satk_run_surface<cut<uint8_t>, cut<uint16_t>>(job, ramps, stream);
}
