/* Box blurs without a table in memory, behind box.h: the two ways, between which box_fused_cuda.cu chooses,
 * and their common parts. Edges that shrink; codes of 8 bits, and half floats for those that slide. */
#ifndef SATK_BOX_FUSED_CUH
#define SATK_BOX_FUSED_CUH

#include "box/box.h"

#include <cuda_runtime.h>

/* box_piece_cuda.cu: any radii that are small; codes as they are, opaque alpha. */
bool satk_box_piece_suits(const satk_box *job);
int satk_box_piece(const satk_box *job, cudaStream_t stream); /* a cudaError_t; 0 = launched */

/* box_slide_cuda.cu: radii that are the same for all pixels, and whole with half floats; any tone. scratch:
 * 16-byte aligned. */
bool satk_box_slide_suits(const satk_box *job);
size_t satk_box_slide_scratch(const satk_box *job); /* bytes */
int satk_box_slide(const satk_box *job, void *scratch, cudaStream_t stream);

/* Channels that are summed, as alpha is the largest everywhere, and a word for all their sums if
 * these are below 2^21. */
template <int CHANNELS> struct satk_opaque {
    static constexpr int colours = 1;
    typedef uint32_t cell;
};
template <> struct satk_opaque<3> {
    static constexpr int colours = 3;
    typedef uint64_t cell;
};
template <> struct satk_opaque<4> : satk_opaque<3> {
};

static __device__ __forceinline__ uint8_t *satk_pixel_of(const satk_plane &plane, int x, int y,
                                                         int size)
{
    return (uint8_t *)plane.data + y * plane.pitch + (ptrdiff_t)x * size;
}

/* Returns 1 / number within 2^-22 (PTX ISA, "rcp.approx"). */
static __device__ __forceinline__ float satk_nearly_inverse(float number)
{
#ifdef __NVCC__
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(number));
    return inverse;
#else
    return (1 + 0x1p-23f) / number;
#endif
}

/* Returns about sum / area. The roundings are less than 2^-20 of it in all. The guess is made too small by that, so it is not
 * too large, and by less than 2^-19 of it too small. */
static __device__ __forceinline__ uint32_t satk_guess(uint64_t sum, float inverse)
{
    const float nearly = (float)(uint32_t)(sum >> 32) * 4294967296.0f + (float)(uint32_t)sum;

    return (uint32_t)(nearly * (inverse * (1 - 0x1p-20f)));
}

/* Returns the mean over any area below 2^31, rounded half up; it is below 2^18, so the guess's whole part is the mean or one
 * less. */
static __device__ __forceinline__ uint32_t satk_any_mean(uint64_t sum, uint32_t area, float inverse)
{
    const uint64_t up = sum + area / 2;
    const uint32_t quotient = satk_guess(up, inverse);

    return quotient + ((uint32_t)up - quotient * area >= area);
}

/* The same of means of 32 bits: the guess leaves a rest, whose mean is below 2^14. */
static __device__ __forceinline__ uint32_t satk_large_mean(uint64_t sum, uint32_t area,
                                                           float inverse)
{
    const uint32_t guess = satk_guess(sum, inverse);

    return guess + satk_any_mean(sum - (uint64_t)guess * area, area, inverse);
}

/* Stores a pixel. `codes` may have more than their lowest bytes. Pixels of two or four channels are
 * aligned. */
template <int CHANNELS>
static __device__ __forceinline__ void satk_put_opaque(uint8_t *to, const uint32_t *codes)
{
    if constexpr (CHANNELS == 4) {
        const uint32_t two = __byte_perm(codes[0], codes[1], 0x0040);
        *(uint32_t *)to = __byte_perm(two, codes[2], 0x0410) | 0xff000000u;
    } else if constexpr (CHANNELS == 2) {
        *(uint16_t *)to = (uint16_t)(codes[0] | 0xff00u);
    } else {
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            to[c] = (uint8_t)codes[c];
    }
}

#endif
