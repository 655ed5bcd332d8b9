/* A CUDA device: its state, its errors, the wait for it, and the stages of a call. The files of this room stand on each
 * other: cuda.c, which has the table, on cuda_jobs.c, which launches kernels, on cuda_memory.c, on this one. */
#ifndef SATB_CUDA_DEVICE_H
#define SATB_CUDA_DEVICE_H

#include "backend/backend.h"

#include <cuda_runtime_api.h>

typedef struct cuda_buffer {
    void *data;
    size_t size;
    int is_filled;   /* with contents that never change */
    uint32_t builds; /* of a board: tables since it was cleared */
    /* The data pointer of the image whose samples are all here, in either memory; `data` itself: an image that is only
     * here, see retain(); NULL: no whole image. */
    const void *holds;
    /* The bytes of a caller's image that kernels read where it is, instead of the slot; NULL: there is none. */
    const uint8_t *lent, *lent_end;
} cuda_buffer;

enum { SATB_MARKS = 16 }; /* stages of a call that is not in bands */

typedef struct cuda_device {
    int index;
    cudaStream_t stream; /* `own`, or the caller's */
    cudaStream_t own;
    cuda_buffer slots[SATB_SLOTS];
    size_t held, cap; /* bytes of all slots, and their limit; cap 0: the free memory */
    int under_way;    /* 1: during a call */
    int keeps_images; /* 1: slots keep the images of the last call, see retain() */
    int host_images;  /* 1: copies of the call are from or to images in the host's memory */
    cudaEvent_t marks[SATB_MARKS + 1]; /* stage i runs from marks[i] to marks[i + 1] */
    satb_stage stages[SATB_MARKS];
    int stage_count;
    satb_timings timings; /* of earlier stages of the call */
    cudaEvent_t reached;  /* for satb_cuda_wait(), and the end of a call that is not waited for */
    cuda_buffer host;     /* locked host memory, see host_buffer() */
} cuda_device;

/* Returns OK for cudaSuccess, else DEVICE_NOMEM or DEVICE with a message. error: a cudaError_t. what: the work that
 * failed, such as "copying to it". */
satb_status satb_cuda_check(satb_context *context, int error, const char *what);

/* Makes the device the thread's current one. A context may be used by another thread than before. */
satb_status satb_cuda_select(satb_context *context);

/* Waits until the stream has done all that was queued. */
satb_status satb_cuda_wait(satb_context *context);

/* Adds to the number of open CUDA contexts of this process, on which the way to wait depends. */
void satb_cuda_count_context(int more);

/* Entries of the back end's table, see backend.h. */
satb_status satb_cuda_set_stream(satb_context *context, void *stream);
void satb_cuda_settle(satb_context *context);
satb_status satb_cuda_begin(satb_context *context, satb_stage stage);
satb_status satb_cuda_pause(satb_context *context);
satb_status satb_cuda_finish(satb_context *context);

#endif
