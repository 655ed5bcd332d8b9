/* Between the files of nvJPEG's room. */
#ifndef SATBLUR_APP_NVJPEG_PRIVATE_H
#define SATBLUR_APP_NVJPEG_PRIVATE_H

#include "base/blob.h"
#include "image/device_pixels.h"

#include <cuda_runtime_api.h>
#include <nvjpeg.h>
#include <pthread.h>

enum { DECODERS = 2, CODECS_PER_GPU = 64, GPUS_MOST = DEVICE_PIXELS_GPUS };
enum { CODEC_BYTES = 600 << 20 }; /* of the GPU's memory, for a photo of 6000 x 4000 pixels */

typedef struct nvjpeg_decoder_kind {
    nvjpegBackend_t backend;
    const char *name; /* for --timings */
} nvjpeg_decoder_kind;

extern const nvjpeg_decoder_kind
    nvjpeg_decoder_kinds[DECODERS]; /* in the order in which they are tried */

typedef enum nvjpeg_error {
    NVJPEG_ERROR_NONE,
    NVJPEG_ERROR_PICTURE, /* the library does not take the picture */
    NVJPEG_ERROR_MEMORY,
    NVJPEG_ERROR_DEVICE
} nvjpeg_error;

typedef struct decode_request { /* for one picture, by a thread that waits for it */
    bytes file;
    nvjpegImage_t out;
    bool is_done;
    nvjpegStatus_t status;
    cudaError_t error;
} decode_request;

typedef struct hw_decoder { /* a GPU's hardware decoder, for pictures of one format */
    nvjpegHandle_t handle;
    nvjpegOutputFormat_t format;
    nvjpegJpegState_t state; /* NULL: made when it is needed */
    cudaStream_t stream;
    cudaEvent_t mark;
    pthread_mutex_t lock;
    pthread_cond_t ended;                     /* a batch has ended */
    bool is_busy;                             /* with a batch */
    decode_request *requests[CODECS_PER_GPU]; /* for the next batch; a codec has one at most */
    int waiting;                              /* of them */
} hw_decoder;

typedef struct nvjpeg_codec {
    int device;
    nvjpegHandle_t handle;  /* the device's, for all codecs on it, as are these: */
    hw_decoder *gray, *rgb; /* NULL: the device has none */
    bool is_open;
    bool needs_reset; /* a call failed in the middle: the codec is closed before it is used again */
    nvjpeg_error error;
    const char *reason; /* of the error; static memory */

    cudaStream_t stream;
    cudaEvent_t mark;        /* for nvjpeg_codec_wait() */
    nvjpegJpegStream_t file; /* as it was parsed */
    nvjpegDecodeParams_t decoding;
    bool
        has_decoders; /* the hardware decoder leaves them little, so they are made when they are needed */
    nvjpegBufferDevice_t device_buffer; /* these two are shared by the decoders */
    nvjpegBufferPinned_t pinned_buffer;
    struct {
        nvjpegJpegDecoder_t decoder; /* NULL: the GPU has none of that kind, or none was needed */
        nvjpegJpegState_t state;
    } decoders[DECODERS];
    nvjpegEncoderState_t encoder;
    nvjpegEncoderParams_t encoding;
    void *pixels, *encoded; /* the GPU's memory, and the host's; they only grow */
    size_t pixels_size, encoded_size;
} nvjpeg_codec;

/* --- nvjpeg_status.c -------------------------------------------------------------------------- */

/* Whether a call went well; otherwise the codec has its error. */
bool nvjpeg_codec_did(nvjpeg_codec *c, nvjpegStatus_t status);
bool nvjpeg_codec_could(nvjpeg_codec *c, cudaError_t error);

/* Waits until the GPU is done with the stream, asleep, as others need the processor. */
cudaError_t nvjpeg_sleep(cudaEvent_t mark, cudaStream_t stream);
bool nvjpeg_codec_wait(nvjpeg_codec *c);

/* --- nvjpeg_codec.c --------------------------------------------------------------------------- */

/* Makes the codec ready for use in this thread, whose current device becomes the codec's. False: the codec has its
 * error. */
bool nvjpeg_codec_open(nvjpeg_codec *c);
void nvjpeg_codec_close(nvjpeg_codec *c);

/* Makes the decoders, where there are none yet; false: the codec has its error. */
bool nvjpeg_codec_open_decoders(nvjpeg_codec *c);

/* Enlarge the memory for pixels (the GPU's) and for an encoded file (the host's), whose contents are lost. */
bool nvjpeg_codec_reserve_pixels(nvjpeg_codec *c, size_t size);
bool nvjpeg_codec_reserve_file(nvjpeg_codec *c, size_t size);

/* --- nvjpeg_hw_decoder.c ---------------------------------------------------------------------- */

/* The codec takes errors, and the thread's current device is the codec's. */
bool hw_decoder_open(hw_decoder *d, nvjpeg_codec *c, nvjpegOutputFormat_t format);
void hw_decoder_close(hw_decoder *d);

/* Decodes a picture together with those of other threads. False: the picture was refused alone, or there is no memory
 * for it alone, or the GPU has failed; the codec has the error. */
bool hw_decoder_decode(hw_decoder *d, nvjpeg_codec *c, bytes file, const nvjpegImage_t *out);

/* --- nvjpeg_pool.c ---------------------------------------------------------------------------- */

/* Waits for a codec of that GPU, which is one of nvjpeg_open()'s, or (NVJPEG_ANY_GPU) of any, and opens it; the codec
 * has an error where that failed. NULL: nvjpeg_open() was not called. */
enum { NVJPEG_ANY_GPU = -1 };
nvjpeg_codec *nvjpeg_codec_acquire(int gpu);
void nvjpeg_codec_release(nvjpeg_codec *c);

/* Gives retained memory back and makes the codec again, if a call ran out of the GPU's memory.
 * Returns whether a second try is worth it. */
bool nvjpeg_codec_retry(nvjpeg_codec *c);

#endif
