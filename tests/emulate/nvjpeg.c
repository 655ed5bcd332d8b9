/* nvJPEG's functions, by libjpeg-turbo. Every object is a block of its own, so that a leak checker sees each.
 *   EMULATE_ENGINES=MS     the GPU has a hardware decoder for pictures from 16 x 16 pixels on; a batch takes MS milliseconds
 *   EMULATE_BATCH=FILE     gets the size of its largest batch, and the number of other decoders that were made
 *   EMULATE_CROWDED=1      the hardware decoder has memory for one picture at a time
 *   EMULATE_REFUSES=WIDTH  the hardware decoder fails at a picture of that width, and so does its batch
 *   EMULATE_WORKSPACE=N    decoding and encoding take N bytes of the device's memory for each pixel, and retain them until
 *                          the object that holds them is destroyed
 *   EMULATE_DECODE=N, EMULATE_ENCODE=N    decoding and encoding fail with status N */
#include <nvjpeg.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <turbojpeg.h>

/* A block of the device's memory, which only grows. */
typedef struct workspace {
    void *data;
    size_t size;
} workspace;

struct nvjpegHandle {
    char unused;
};
struct nvjpegJpegDecoder {
    nvjpegBackend_t backend;
};
struct nvjpegJpegState {
    const struct nvjpegJpegDecoder *decoder;
    bool has_pinned;
    struct nvjpegBufferDevice *device; /* of a decoder */
    workspace work;                    /* of the hardware decoder */
    int batch; /* of the hardware decoder: pictures that it was initialised for */
    nvjpegOutputFormat_t format;
};

struct nvjpegJpegStream {
    const unsigned char *data;
    size_t size;
    int width, height, sampling, space;
};

struct nvjpegDecodeParams {
    nvjpegOutputFormat_t format;
};
struct nvjpegBufferPinned {
    char unused;
};
struct nvjpegBufferDevice {
    workspace work;
};

struct nvjpegEncoderState {
    workspace work;
    unsigned char *data;
    unsigned long size;
};

struct nvjpegEncoderParams {
    int quality;
    nvjpegChromaSubsampling_t sampling;
};

static nvjpegStatus_t create(void *object, size_t size)
{
    void *const made = calloc(1, size);
    memcpy(object, &made, sizeof made);
    return made ? NVJPEG_STATUS_SUCCESS : NVJPEG_STATUS_ALLOCATOR_FAILURE;
}

static nvjpegStatus_t destroy(void *object)
{
    free(object);
    return object ? NVJPEG_STATUS_SUCCESS : NVJPEG_STATUS_INVALID_PARAMETER;
}

static int number_of(const char *name)
{
    const char *const text = getenv(name);
    return text ? atoi(text) : 0;
}

#define CREATE(object) create(object, sizeof **(object))

#define DESTROYS(name, type)                                                                       \
    nvjpegStatus_t name(type object)                                                               \
    {                                                                                              \
        return destroy(object);                                                                    \
    }

DESTROYS(nvjpegDecoderDestroy, nvjpegJpegDecoder_t)
DESTROYS(nvjpegBufferPinnedDestroy, nvjpegBufferPinned_t)
DESTROYS(nvjpegDecodeParamsDestroy, nvjpegDecodeParams_t)
DESTROYS(nvjpegJpegStreamDestroy, nvjpegJpegStream_t)
DESTROYS(nvjpegEncoderParamsDestroy, nvjpegEncoderParams_t)

nvjpegStatus_t nvjpegJpegStateDestroy(nvjpegJpegState_t state)
{
    (void)cudaFree(state->work.data);
    return destroy(state);
}

nvjpegStatus_t nvjpegBufferDeviceDestroy(nvjpegBufferDevice_t buffer)
{
    (void)cudaFree(buffer->work.data);
    return destroy(buffer);
}

nvjpegStatus_t nvjpegCreateEx(nvjpegBackend_t backend, void *device_allocator,
                              void *pinned_allocator, unsigned flags, nvjpegHandle_t *handle)
{
    (void)device_allocator;
    (void)pinned_allocator;
    (void)flags;
    if (backend == NVJPEG_BACKEND_HARDWARE && number_of("EMULATE_ENGINES") == 0)
        return NVJPEG_STATUS_ARCH_MISMATCH;
    return CREATE(handle);
}

static atomic_int largest_batch, decoders_made;

nvjpegStatus_t nvjpegDestroy(nvjpegHandle_t handle)
{
    const char *const name = getenv("EMULATE_BATCH");
    FILE *const file = name ? fopen(name, "w") : NULL;
    if (file) {
        fprintf(file, "%d\ndecoders %d\n", largest_batch, decoders_made);
        fclose(file);
    }
    return destroy(handle);
}

/* --- Reading ---------------------------------------------------------------------------------- */

nvjpegStatus_t nvjpegDecoderCreate(nvjpegHandle_t handle, nvjpegBackend_t backend,
                                   nvjpegJpegDecoder_t *decoder)
{
    (void)handle;
    if ((int)backend == number_of("EMULATE_LACKS"))
        return NVJPEG_STATUS_ARCH_MISMATCH;
    const nvjpegStatus_t status = CREATE(decoder);
    if (status == NVJPEG_STATUS_SUCCESS) {
        (*decoder)->backend = backend;
        decoders_made++;
    }
    return status;
}

nvjpegStatus_t nvjpegDecoderStateCreate(nvjpegHandle_t handle, nvjpegJpegDecoder_t decoder,
                                        nvjpegJpegState_t *state)
{
    (void)handle;
    const nvjpegStatus_t status = CREATE(state);
    if (status == NVJPEG_STATUS_SUCCESS)
        (*state)->decoder = decoder;
    return status;
}

nvjpegStatus_t nvjpegBufferPinnedCreate(nvjpegHandle_t handle, void *allocator,
                                        nvjpegBufferPinned_t *buffer)
{
    (void)handle;
    (void)allocator;
    return CREATE(buffer);
}

nvjpegStatus_t nvjpegBufferDeviceCreate(nvjpegHandle_t handle, void *allocator,
                                        nvjpegBufferDevice_t *buffer)
{
    (void)handle;
    (void)allocator;
    return CREATE(buffer);
}

nvjpegStatus_t nvjpegStateAttachPinnedBuffer(nvjpegJpegState_t state, nvjpegBufferPinned_t buffer)
{
    state->has_pinned = buffer != NULL;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegStateAttachDeviceBuffer(nvjpegJpegState_t state, nvjpegBufferDevice_t buffer)
{
    state->device = buffer;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecodeParamsCreate(nvjpegHandle_t handle, nvjpegDecodeParams_t *params)
{
    (void)handle;
    return CREATE(params);
}

nvjpegStatus_t nvjpegDecodeParamsSetOutputFormat(nvjpegDecodeParams_t params,
                                                 nvjpegOutputFormat_t format)
{
    params->format = format;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegJpegStreamCreate(nvjpegHandle_t handle, nvjpegJpegStream_t *file)
{
    (void)handle;
    return CREATE(file);
}

nvjpegStatus_t nvjpegJpegStreamParse(nvjpegHandle_t handle, const unsigned char *data, size_t size,
                                     int save_metadata, int save_stream, nvjpegJpegStream_t file)
{
    (void)handle;
    (void)save_metadata;
    (void)save_stream;
    tjhandle tj = tjInitDecompress();
    *file = (struct nvjpegJpegStream){.data = data, .size = size};
    const bool done = tj && tjDecompressHeader3(tj, data, size, &file->width, &file->height,
                                                &file->sampling, &file->space) == 0;
    if (tj)
        tjDestroy(tj);
    return done ? NVJPEG_STATUS_SUCCESS : NVJPEG_STATUS_BAD_JPEG;
}

nvjpegStatus_t nvjpegJpegStreamGetFrameDimensions(nvjpegJpegStream_t file, unsigned *width,
                                                  unsigned *height)
{
    *width = (unsigned)file->width;
    *height = (unsigned)file->height;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegJpegStreamGetComponentsNum(nvjpegJpegStream_t file, unsigned *count)
{
    *count = file->space == TJCS_GRAY ? 1 : 3;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecoderJpegSupported(nvjpegJpegDecoder_t decoder, nvjpegJpegStream_t file,
                                          nvjpegDecodeParams_t params, int *unsupported)
{
    (void)params;
    *unsupported =
        decoder->backend == NVJPEG_BACKEND_GPU_HYBRID && (file->width < 16 || file->height < 16);
    return NVJPEG_STATUS_SUCCESS;
}

/* Makes room for a picture. Returns false if memory is short, and leaves CUDA's error behind. */
static bool reserve(workspace *work, int width, int height)
{
    const size_t bytes = (size_t)width * (size_t)height * (size_t)number_of("EMULATE_WORKSPACE");
    if (work->size >= bytes)
        return true;
    (void)cudaFree(work->data);
    *work = (workspace){0};
    if (cudaMalloc(&work->data, bytes) != cudaSuccess)
        return false;
    work->size = bytes;
    return true;
}

static nvjpegStatus_t decode(const struct nvjpegJpegStream *file, workspace *work,
                             const nvjpegImage_t *out, bool is_gray, int flags)
{
    if (!reserve(work, file->width, file->height))
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    tjhandle tj = tjInitDecompress();
    emulate_enter();
    const bool done =
        tj && emulate_is_here(out->channel[0]) && is_gray == (file->space == TJCS_GRAY) &&
        tjDecompress2(tj, file->data, file->size, out->channel[0], file->width, (int)out->pitch[0],
                      file->height, is_gray ? TJPF_GRAY : TJPF_RGB,
                      TJFLAG_STOPONWARNING | flags) == 0;
    emulate_leave();
    if (tj)
        tjDestroy(tj);
    return done ? NVJPEG_STATUS_SUCCESS : NVJPEG_STATUS_BAD_JPEG;
}

/* Makes nearly the samples of --codec fast, as nvJPEG does. */
nvjpegStatus_t nvjpegDecodeJpeg(nvjpegHandle_t handle, nvjpegJpegDecoder_t decoder,
                                nvjpegJpegState_t state, nvjpegJpegStream_t file,
                                nvjpegImage_t *out, nvjpegDecodeParams_t params,
                                cudaStream_t stream)
{
    (void)handle;
    (void)stream;
    const int fails = number_of("EMULATE_DECODE");
    if (fails)
        return (nvjpegStatus_t)fails;
    if (state->decoder != decoder || !state->device || !state->has_pinned)
        return NVJPEG_STATUS_INVALID_PARAMETER;
    return decode(file, &state->device->work, out, params->format == NVJPEG_OUTPUT_Y,
                  TJFLAG_FASTDCT);
}

/* --- Reading by the hardware decoder ---------------------------------------------------------- */

nvjpegStatus_t nvjpegJpegStateCreate(nvjpegHandle_t handle, nvjpegJpegState_t *state)
{
    (void)handle;
    return CREATE(state);
}

nvjpegStatus_t nvjpegDecodeBatchedSupportedEx(nvjpegHandle_t handle, nvjpegJpegStream_t file,
                                              nvjpegDecodeParams_t params, int *unsupported)
{
    (void)handle;
    (void)params;
    *unsupported = file->width < 16 || file->height < 16;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecodeBatchedInitialize(nvjpegHandle_t handle, nvjpegJpegState_t state,
                                             int count, int threads, nvjpegOutputFormat_t format)
{
    (void)handle;
    (void)threads;
    state->batch = count;
    state->format = format;
    return NVJPEG_STATUS_SUCCESS;
}

/* Makes the samples of --codec fast. */
nvjpegStatus_t nvjpegDecodeBatched(nvjpegHandle_t handle, nvjpegJpegState_t state,
                                   const unsigned char *const *data, const size_t *sizes,
                                   nvjpegImage_t *outs, cudaStream_t stream)
{
    (void)stream;
    const int fails = number_of("EMULATE_DECODE"), refused = number_of("EMULATE_REFUSES");
    const struct timespec pause = {.tv_nsec = 1000000L * number_of("EMULATE_ENGINES")};
    nvjpegStatus_t status = fails ? (nvjpegStatus_t)fails : NVJPEG_STATUS_SUCCESS;
    int largest = largest_batch;
    while (state->batch > largest &&
           !atomic_compare_exchange_weak(&largest_batch, &largest, state->batch))
        continue;
    nanosleep(&pause, NULL);
    if (state->batch > 1 && number_of("EMULATE_CROWDED")) {
        void *all; /* fails, and leaves CUDA's error behind */
        status = cudaMalloc(&all, SIZE_MAX / 2) ? NVJPEG_STATUS_ALLOCATOR_FAILURE : status;
    }
    for (int i = 0; i < state->batch && status == NVJPEG_STATUS_SUCCESS; i++) {
        struct nvjpegJpegStream file;
        status = nvjpegJpegStreamParse(handle, data[i], sizes[i], 0, 0, &file);
        if (status == NVJPEG_STATUS_SUCCESS)
            status = file.width == refused ? NVJPEG_STATUS_EXECUTION_FAILED
                                           : decode(&file, &state->work, &outs[i],
                                                    state->format == NVJPEG_OUTPUT_Y, 0);
    }
    state->batch = 0; /* must be initialised again, which nvJPEG requires after a failure alone */
    return status;
}

/* --- Writing ---------------------------------------------------------------------------------- */

nvjpegStatus_t nvjpegEncoderStateCreate(nvjpegHandle_t handle, nvjpegEncoderState_t *state,
                                        cudaStream_t stream)
{
    (void)handle;
    (void)stream;
    return CREATE(state);
}

nvjpegStatus_t nvjpegEncoderStateDestroy(nvjpegEncoderState_t state)
{
    tjFree(state->data);
    (void)cudaFree(state->work.data);
    return destroy(state);
}

nvjpegStatus_t nvjpegEncoderParamsCreate(nvjpegHandle_t handle, nvjpegEncoderParams_t *params,
                                         cudaStream_t stream)
{
    (void)handle;
    (void)stream;
    return CREATE(params);
}

nvjpegStatus_t nvjpegEncoderParamsSetQuality(nvjpegEncoderParams_t params, int quality,
                                             cudaStream_t stream)
{
    (void)stream;
    params->quality = quality;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegEncoderParamsSetSamplingFactors(nvjpegEncoderParams_t params,
                                                     nvjpegChromaSubsampling_t sampling,
                                                     cudaStream_t stream)
{
    (void)stream;
    params->sampling = sampling;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegEncodeImage(nvjpegHandle_t handle, nvjpegEncoderState_t state,
                                 nvjpegEncoderParams_t params, const nvjpegImage_t *from,
                                 nvjpegInputFormat_t format, int width, int height,
                                 cudaStream_t stream)
{
    (void)handle;
    (void)format;
    (void)stream;
    const int fails = number_of("EMULATE_ENCODE");
    if (fails)
        return (nvjpegStatus_t)fails;
    tjFree(state->data);
    state->data = NULL;
    state->size = 0;
    if (!reserve(&state->work, width, height))
        return NVJPEG_STATUS_ALLOCATOR_FAILURE;
    tjhandle tj = tjInitCompress();
    emulate_enter();
    const bool done = tj && emulate_is_here(from->channel[0]) &&
                      tjCompress2(tj, from->channel[0], width, (int)from->pitch[0], height,
                                  TJPF_RGB, &state->data, &state->size,
                                  params->sampling == NVJPEG_CSS_444 ? TJSAMP_444 : TJSAMP_420,
                                  params->quality, TJFLAG_FASTDCT) == 0;
    emulate_leave();
    if (tj)
        tjDestroy(tj);
    return done ? NVJPEG_STATUS_SUCCESS : NVJPEG_STATUS_EXECUTION_FAILED;
}

/* Adds a comment behind the start mark, which must not get into the program's files. */
nvjpegStatus_t nvjpegEncodeRetrieveBitstream(nvjpegHandle_t handle, nvjpegEncoderState_t state,
                                             unsigned char *data, size_t *size, cudaStream_t stream)
{
    static const char comment[] = "\xff\xd8\xff\xfe\0\x0a"
                                  "emulated";
    (void)handle;
    (void)stream;
    const size_t more = sizeof comment - 1 - 2;
    if (data && *size < state->size + more)
        return NVJPEG_STATUS_INVALID_PARAMETER;
    if (data) {
        memcpy(data, comment, more + 2);
        memcpy(data + more + 2, state->data + 2, state->size - 2);
    }
    *size = state->size + more;
    return NVJPEG_STATUS_SUCCESS;
}
