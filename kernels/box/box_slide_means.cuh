/* The means of a row of box_slide_cuda.cu, from the row's table. */
#ifndef SATK_BOX_SLIDE_MEANS_CUH
#define SATK_BOX_SLIDE_MEANS_CUH

#include "box/box_slide.cuh"

namespace
{

/* What mean_of() divides by. */
template <typename FORM> struct divider {
    uint32_t number;
    typename FORM::inverse inverse;

    /* The inverse is 1 / number within 2^-22 if sums are split. Else it is 2^32 / number or up to 2^-20
     * of it less, but not more. */
    __device__ __forceinline__ explicit divider(uint32_t by) : number(by)
    {
        if constexpr (FORM::split)
            inverse = satk_nearly_inverse((float)by);
        else
            inverse = (uint32_t)(4294967296.0f * (1 - 0x1p-21f) * satk_nearly_inverse((float)by));
    }
};

/* Returns the mean, rounded half up; it is below 2^18, and sum + area / 2 below 2^31. The product is less
 * than 2^-2 + 2^-1 below the mean, so its whole part is the mean or one less. */
__device__ __forceinline__ uint32_t mean_of(uint32_t sum, uint32_t area, uint32_t inverse)
{
    const uint32_t up = sum + area / 2, quotient = __umulhi(up, inverse);

    return quotient + (up - quotient * area >= area);
}

__device__ __forceinline__ uint32_t mean_of(uint64_t sum, uint32_t area, float inverse)
{
    return satk_any_mean(sum, area, inverse);
}

/* A window's columns in the table of a row: the slots of their ends, those of the inner window first. */
template <typename FORM> struct ends {
    static constexpr int windows = FORM::fraction ? 2 : 1;
    const row_table<FORM> *table;
    nested weight;
    int slots, lo[windows], hi[windows];

    /* left: the table's first column */
    __device__ __forceinline__ ends(const sliding &job, const row_table<FORM> *of, int left, int x)
        : table(of), weight(job.across), slots(slots_of((int)blockDim.x))
    {
#pragma unroll
        for (int i = 0; i < windows; i++) {
            const satk_range columns = job.across.window(x, i, job.box.src.width);
            lo[i] = slot_of(columns.lo - left);
            hi[i] = slot_of(columns.hi - left);
        }
    }
    __device__ __forceinline__ uint32_t in_plane(int plane, int i) const
    {
        return table->prefix[plane * slots + hi[i]] - table->prefix[plane * slots + lo[i]];
    }
    /* Returns the sum of a plane over the window, from that of the inner one and from what the outer one has beside it.
     * PARTS: the next plane has the upper parts. */
    template <bool PARTS> __device__ __forceinline__ typename FORM::sum sum(int plane) const
    {
        const uint32_t low = in_plane(plane, 0);
        typename FORM::sum sum = low;

        if constexpr (PARTS) {
            sum = (uint64_t)in_plane(plane + 1, 0) << upper;
            sum += low - (uint32_t)sum;
        }
        if constexpr (FORM::fraction) {
            const typename FORM::sum beside = in_plane(plane, 1) - low;
            sum = weight.one() * sum + weight.outer * beside;
        }
        return sum;
    }
};

/* Finds a pixel's codes from its window. A transparent window keeps the colours of pixel x of src, a
 * row. */
template <typename FORM>
__device__ __forceinline__ void find_codes(const satk_tone &tone, const ends<FORM> &window,
                                           divider<FORM> by, const uint8_t *src, int x,
                                           uint32_t *codes)
{
    if constexpr (FORM::weighted) {
        const uint32_t weight = (uint32_t)window.template sum<false>(FORM::planes - 1);
        const uint32_t alpha = mean_of((typename FORM::sum)weight, by.number, by.inverse);
        if (weight == 0)
            satk_get_pixel(src, x, FORM::channels, 8, codes);
        codes[FORM::colours] = alpha;
        if (weight == 0)
            return;
        by = divider<FORM>(weight);
    }
#pragma unroll
    for (int c = 0; c < FORM::colours; c++) {
        const uint32_t mean = mean_of(window.template sum<FORM::split>(FORM::split ? 2 * c : c),
                                      by.number, by.inverse);
        if (FORM::weighted)
            codes[c] = satk_encoded(&tone, mean);
        else
            codes[c] = FORM::has_samples ? tone.encode[mean] : mean;
    }
}

/* The same of half floats, as satk_half_codes() has it. */
template <typename FORM>
__device__ __forceinline__ void find_halves(const ends<FORM> &window, const divider<FORM> &by,
                                            const uint8_t *src, int x, uint32_t *codes)
{
    satk_get_pixel(src, x, FORM::channels, FORM::bits, codes);
#pragma unroll
    for (int c = 0; c < FORM::colours; c++) {
        const uint32_t mean =
            satk_large_mean(window.template sum<true>(2 * c), by.number, by.inverse);
        if (sample_of_half(codes[c]) != mean)
            codes[c] = satk_half_float(mean);
    }
}

/* Stores the means of row y of a segment. */
template <typename FORM>
__device__ __forceinline__ void put_means(const sliding &job, int first, int left, int y,
                                          const row_table<FORM> *table)
{
    constexpr int channels = FORM::channels;
    const satk_plane &src = job.box.src;
    const uint32_t height = job.down.template length<FORM::fraction>(y, src.height);
    const divider<FORM> full((uint32_t)job.across.full() * height);
    const int last = min(first + job.segment, src.width);
    const uint8_t *const from = satk_pixel_of(src, 0, y, channels);
    uint8_t *const to = satk_pixel_of(job.box.dst, 0, y, channels);

#pragma unroll 2
    for (int x = first + (int)threadIdx.x; x < last; x += (int)blockDim.x) {
        const ends<FORM> window(job, table, left, x);
        const uint32_t area = job.across.template length<FORM::fraction>(x, src.width) * height;
        const divider<FORM> by = area == full.number ? full : divider<FORM>(area);
        uint32_t codes[4];

        if constexpr (FORM::half)
            find_halves(window, by, from, x, codes);
        else
            find_codes(job.box.tone, window, by, from, x, codes);
        if (FORM::weighted || FORM::half)
            satk_put_pixel(to, x, channels, FORM::bits, codes);
        else
            satk_put_opaque<channels>(to + (ptrdiff_t)x * channels, codes);
    }
}

} // namespace

#endif
