/* Between the files of nvJPEG: what decodes or encodes one picture at a time on one GPU, and is kept for
 * the next. */
#ifndef SATBLUR_APP_CODEC_NVJPEG_H
#define SATBLUR_APP_CODEC_NVJPEG_H

#include "base/blob.h"
#include "image/device_pixels.h"

#include <cuda_runtime_api.h>
#include <nvjpeg.h>
#include <pthread.h>

enum { DECODERS = 2, CODERS_PER_GPU = 64, GPUS_MOST = DEVICE_PIXELS_GPUS };
enum { CODER_BYTES = 600 << 20 }; /* of a photo of 6000x4000; 578 MiB on an H200, by nvidia-smi */

typedef struct coder_kind {
    nvjpegBackend_t backend;
    const char *name; /* for --timings */
} coder_kind;

extern const coder_kind coder_kinds[DECODERS]; /* in the order in which they are tried */

typedef enum trouble { /* what a picture met */
                       TROUBLE_NONE,
                       TROUBLE_PICTURE, /* the library does not take it */
                       TROUBLE_MEMORY,
                       TROUBLE_DEVICE
} trouble;

typedef struct wish { /* for a picture, by a thread that waits for it */
    bytes file;
    nvjpegImage_t out;
    bool is_done;
    nvjpegStatus_t status;
    cudaError_t error;
} wish;

typedef struct engines { /* those of a GPU, for pictures of one format */
    nvjpegHandle_t handle;
    nvjpegOutputFormat_t format;
    nvjpegJpegState_t state; /* NULL: made when it is needed */
    cudaStream_t stream;
    cudaEvent_t mark;
    pthread_mutex_t lock;
    pthread_cond_t ended;         /* a batch has */
    bool is_busy;                 /* with a batch */
    wish *wishes[CODERS_PER_GPU]; /* for the next; a coder has one at most */
    int waiting;
} engines;

typedef struct coder {
    int device;
    nvjpegHandle_t handle; /* the device's, for all coders on it, as are these: */
    engines *gray, *rgb;   /* NULL: it has none */
    bool is_open;
    bool is_soiled; /* something failed in the middle: it is made anew before it is used again */
    trouble trouble;
    const char *reason; /* of the trouble; static memory */

    cudaStream_t stream;
    cudaEvent_t mark;        /* for coder_wait() */
    nvjpegJpegStream_t file; /* as it was parsed */
    nvjpegDecodeParams_t decoding;
    bool has_decoders; /* engines leave them little, so they are made when they are needed */
    nvjpegBufferDevice_t device_buffer; /* these two are shared by the decoders */
    nvjpegBufferPinned_t pinned_buffer;
    struct {
        nvjpegJpegDecoder_t decoder; /* NULL: the GPU has none of that kind, or none was needed */
        nvjpegJpegState_t state;
    } decoders[DECODERS];
    nvjpegEncoderState_t encoder;
    nvjpegEncoderParams_t encoding;
    void *pixels, *packed; /* the GPU's memory, and the host's; they only grow */
    size_t pixels_size, packed_size;
} coder;

/* The one that has waited longest, of that GPU, which is one of nvjpeg_open()'s, or (ANY_GPU) of any, ready for use in
 * this thread; NULL: nothing is open.
 * Where it could not be made ready, it has trouble. */
enum { ANY_GPU = -1 };
coder *coder_take(int gpu);
void coder_give(coder *c);

/* Its decoders are there; otherwise the coder has its trouble. */
bool coder_open_decoders(coder *c);

/* Whether a call went well; otherwise the coder has its trouble. */
bool coder_did(coder *c, nvjpegStatus_t status);
bool coder_could(coder *c, cudaError_t error);

/* Whether to try once more what failed: for want of memory of the GPU's, of which some was kept and has gone back. */
bool coder_again(coder *c);

/* Until the GPU is done with what was begun; asleep, as others need the processor. */
cudaError_t coder_sleep(cudaEvent_t mark, cudaStream_t stream);
bool coder_wait(coder *c);

/* The coder is for its troubles, and the thread's current device is its. */
bool engines_open(engines *e, coder *c, nvjpegOutputFormat_t format);
void engines_close(engines *e);

/* Together with what other threads want. Where it fails, the picture was refused alone, or there is no memory for
 * it alone, or the GPU has failed. */
bool engines_decode(engines *e, coder *c, bytes file, const nvjpegImage_t *out);

bool coder_reserve_pixels(coder *c, size_t size);
bool coder_reserve_packed(coder *c, size_t size);

#endif
