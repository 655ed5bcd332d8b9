/* Launch checking: every launcher ends with satk_launched(). */
#ifndef SATK_LAUNCH_CUH
#define SATK_LAUNCH_CUH

#include <cuda_runtime.h>

/* The error of the launch just made. Built with SATK_DEBUG_SYNC, also waits, so that a kernel's own
 * fault is reported at its launch and not somewhere later. */
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
