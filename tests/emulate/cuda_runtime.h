// The part of CUDA's kernel language that this project's kernels use, for a C++ compiler. Launches
// have been rewritten by launches.awk; a block's threads run in turn, and change over where they
// wait for each other (emulate.cpp).
#ifndef SATB_EMULATE_CUDA_RUNTIME_H
#define SATB_EMULATE_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <type_traits>

#define __CUDACC__
#define __CUDA_ARCH__ 900 // the branches of shared code that are for the device
#define __global__
#define __device__
#define __host__
#define __grid_constant__
#define __forceinline__ inline
#define __shared__      static // blocks run one after the other

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
};

extern dim3 threadIdx, blockIdx, blockDim, gridDim;

// Runs the kernel for every block of the grid and every thread of a block.
void emulate(dim3 grid, dim3 block, const std::function<void()> &kernel);

// --- Waiting for each other ----------------------------------------------------------------------

void __syncthreads();

// The values that the lanes of mask, which all call this, give: out[lane]. Kinds of calls are kept
// apart, since lanes outside one call's mask may already be in the next.
enum emulate_kind { EMULATE_SHUFFLE, EMULATE_BALLOT, EMULATE_MATCH, EMULATE_KINDS };
void emulate_exchange(emulate_kind kind, unsigned mask, uint64_t value, uint64_t out[32]);

static inline int emulate_lane()
{
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return int(thread % 32);
}

template <typename T> T emulate_shuffle(unsigned mask, T value, int from)
{
    uint64_t bits = 0, all[32];
    memcpy(&bits, &value, sizeof value);
    const int own = emulate_lane();
    emulate_exchange(EMULATE_SHUFFLE, mask, bits, all);
    memcpy(&value, &all[from >= 0 && from < 32 ? from : own], sizeof value);
    return value;
}

template <typename T> T __shfl_sync(unsigned mask, T value, int lane)
{
    return emulate_shuffle(mask, value, lane % 32);
}

template <typename T> T __shfl_up_sync(unsigned mask, T value, int by)
{
    return emulate_shuffle(mask, value, emulate_lane() - by);
}

template <typename T> T __shfl_down_sync(unsigned mask, T value, int by)
{
    return emulate_shuffle(mask, value, emulate_lane() + by);
}

static inline unsigned __ballot_sync(unsigned mask, bool vote)
{
    uint64_t all[32];
    unsigned lanes = 0;
    emulate_exchange(EMULATE_BALLOT, mask, vote, all);
    for (int i = 0; i < 32; i++)
        lanes |= unsigned((mask >> i & 1) && all[i]) << i;
    return lanes;
}

static inline unsigned __match_any_sync(unsigned mask, uint32_t value)
{
    uint64_t all[32];
    unsigned lanes = 0;
    emulate_exchange(EMULATE_MATCH, mask, value, all);
    for (int i = 0; i < 32; i++)
        lanes |= unsigned((mask >> i & 1) && all[i] == value) << i;
    return lanes;
}

// --- Arithmetic and memory -----------------------------------------------------------------------

struct uchar4 {
    unsigned char x, y, z, w;
};
struct uint2 {
    unsigned x, y;
};
struct uint4 {
    unsigned x, y, z, w;
};
struct ulonglong2 {
    unsigned long long x, y;
};

static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    return {x, y, z, w};
}

static inline int __popc(unsigned v)
{
    return __builtin_popcount(v);
}

static inline int __ffs(int v)
{
    return __builtin_ffs(v);
}

static inline uint64_t __umul64hi(uint64_t a, uint64_t b)
{
    return uint64_t(((unsigned __int128)a * b) >> 64);
}

template <typename A, typename B> typename std::common_type<A, B>::type min(A a, B b)
{
    return a < b ? a : b;
}

template <typename A, typename B> typename std::common_type<A, B>::type max(A a, B b)
{
    return a > b ? a : b;
}

template <typename T> const T *emulate_aligned(const T *p) // as a GPU insists
{
    if (uintptr_t(p) % sizeof(T) != 0)
        abort();
    return p;
}

template <typename T> T __ldg(const T *p)
{
    return *emulate_aligned(p);
}

template <typename T> T __ldcs(const T *p)
{
    return *emulate_aligned(p);
}

template <typename T> void __stcs(T *p, T value)
{
    *const_cast<T *>(emulate_aligned(p)) = value;
}

template <typename T> T atomicAdd(T *p, T value)
{
    const T old = *p;
    *p += value;
    return old;
}

template <typename T> T atomicMin(T *p, T value)
{
    const T old = *p;
    *p = min(old, value);
    return old;
}

template <typename T> T atomicMax(T *p, T value)
{
    const T old = *p;
    *p = max(old, value);
    return old;
}

#endif
