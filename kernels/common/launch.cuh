/* Launch checking: every launcher ends with satk_launched(). */
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

#endif
