// The part of CUDA's kernel language that this project's kernels use, for a C++ compiler. Launches
// and dynamic shared memory have been rewritten by launches.awk. Blocks run on several host threads
// at once; within a block its threads run in turn, and change over where they wait for each other
// (emulate.cpp).
#ifndef SATB_EMULATE_CUDA_RUNTIME_H
#define SATB_EMULATE_CUDA_RUNTIME_H

#include "emulate/cuda_runtime_api.h"
#include "emulate/vectors.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <type_traits>

#define __CUDACC__
#define __CUDA_ARCH__ 900 // the branches of shared code that are for the device
#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__       static __thread // a block does not leave its host thread
#ifndef __clang__
#define __builtin_assume(condition) ((void)0)
#endif

static const int warpSize = 32;

// __thread is used instead of thread_local, whose initialisation is checked at every access.
extern __thread uint3 threadIdx, blockIdx;
extern __thread dim3 blockDim, gridDim;
extern __thread unsigned emulate_thread; // the thread's number in its block

// --- Launches ------------------------------------------------------------------------------------

// Runs the body for every block of the grid and every thread of a block. kernel is needed where
// `shared`, the bytes of dynamic shared memory, may be more than a kernel has without asking:
// launches.awk gives it unless they are the number 0.
void emulate_grid(const void *kernel, dim3 grid, dim3 block, size_t shared,
                  const std::function<void()> &body);

template <typename F, typename... A>
void emulate(const void *kernel, dim3 grid, dim3 block, size_t shared, F call, A... arguments)
{
    const auto body = [&] { call(arguments...); };
    emulate_grid(kernel, grid, block, shared, body);
}

// Where this does not compile, the launch must name all template arguments of its kernel.
template <typename... P> const void *emulate_kernel(void (*kernel)(P...))
{
    return reinterpret_cast<const void *>(kernel);
}

template <typename... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute(emulate_kernel(kernel), attribute, value);
}

// Finds how many blocks of that many threads a processor runs at the same time.
cudaError_t emulate_resident(int *blocks, int threads);

struct cudaLaunchAttribute {
    enum { none, cooperative } id;
    struct {
        int cooperative;
    } val;
};
static const auto cudaLaunchAttributeCooperative = cudaLaunchAttribute::cooperative;

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

// Returns whether the device runs all blocks of that grid at the same time.
bool emulate_runs_together(dim3 grid);

template <typename... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*)(P...), int block,
                                                          size_t)
{
    return emulate_resident(blocks, block);
}

template <typename... P, typename... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                               A... arguments)
{
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id == cudaLaunchAttributeCooperative &&
            config->attrs[i].val.cooperative && !emulate_runs_together(config->gridDim))
            return cudaErrorCooperativeLaunchTooLarge;
    emulate(emulate_kernel(kernel), config->gridDim, config->blockDim, config->dynamicSmemBytes,
            kernel, arguments...);
    return cudaPeekAtLastError();
}

void *emulate_dynamic_shared();

// --- Waiting -------------------------------------------------------------------------------------

void __syncthreads();
int __syncthreads_count(int vote);
int __syncthreads_and(int vote);
int __syncthreads_or(int vote);

// Lets the block's other threads run, and other blocks.
void __nanosleep(unsigned nanoseconds);

static inline void __threadfence()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static inline void __threadfence_block()
{
    __threadfence();
}

#include "emulate/intrinsics.h"
#include "emulate/warp.h"

#endif
