/* How calls of nvJPEG and CUDA end: errors are kept in the codec, and a wait gives up the processor. */
#include "nvjpeg/nvjpeg_private.h"

#include <time.h>

bool nvjpeg_codec_did(nvjpeg_codec *c, nvjpegStatus_t status)
{
    if (status == NVJPEG_STATUS_SUCCESS)
        return true;
    c->error =
        status == NVJPEG_STATUS_ALLOCATOR_FAILURE ? NVJPEG_ERROR_MEMORY : NVJPEG_ERROR_PICTURE;
    c->reason = "nvJPEG failed";
    c->needs_reset = true;
    return false;
}

bool nvjpeg_codec_could(nvjpeg_codec *c, cudaError_t error)
{
    if (error == cudaSuccess)
        return true;
    (void)cudaGetLastError(); /* a sticky error stays; any other must not surface in a later call */
    c->error = error == cudaErrorMemoryAllocation ? NVJPEG_ERROR_MEMORY : NVJPEG_ERROR_DEVICE;
    c->reason = cudaGetErrorString(error);
    c->needs_reset = true;
    return false;
}

/* Polls every 20 us: cudaEventSynchronize() would keep the processor busy. */
cudaError_t nvjpeg_sleep(cudaEvent_t mark, cudaStream_t stream)
{
    const struct timespec pause = {.tv_nsec = 20000};
    cudaError_t error = cudaEventRecord(mark, stream);
    if (error != cudaSuccess)
        return error;
    while ((error = cudaEventQuery(mark)) == cudaErrorNotReady) {
        (void)cudaGetLastError();
        nanosleep(&pause, NULL);
    }
    return error;
}

bool nvjpeg_codec_wait(nvjpeg_codec *c)
{
    return nvjpeg_codec_could(c, nvjpeg_sleep(c->mark, c->stream));
}
