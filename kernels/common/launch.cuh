/* Launches: the shared memory that a kernel may have, and checking: every launcher ends with satk_launched(). */
#ifndef SATK_LAUNCH_CUH
#define SATK_LAUNCH_CUH

#include <cuda_runtime.h>

/* Returns the error of the launch just made. If it is built with SATK_DEBUG_SYNC, it also waits, so
 * that a kernel's own fault is reported at its launch. */
static inline int satk_launched(cudaStream_t stream)
{
    const cudaError_t launch = cudaGetLastError();
#ifdef SATK_DEBUG_SYNC
    if (launch == cudaSuccess)
        return (int)cudaStreamSynchronize(stream);
#else
    (void)stream;
#endif
    return (int)launch;
}

/* Allows the kernel, which has no static shared memory, as much of it as a block of the device may have. The limit is
 * the kernel's in all threads of the process. If it were a job's own, another thread could lower it between here and the
 * launch. */
template <typename KERNEL> static inline int satk_allow_shared(KERNEL *kernel)
{
    int device, most = 0;
    cudaError_t error = cudaGetDevice(&device);

    if (!error)
        error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (!error)
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    return (int)error;
}

#endif
