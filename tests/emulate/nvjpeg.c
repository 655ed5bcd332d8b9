/* nvJPEG's functions, by libjpeg-turbo. Every object is a block of its own, so that a leak checker sees
 * what is not given back.
 *   EMULATE_ENGINES=1    a GPU with engines, for pictures from 16x16 pixels on
 *   EMULATE_DECODE=N, EMULATE_ENCODE=N    the status with which decoding and encoding fail */
#include <nvjpeg.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

struct nvjpegHandle {
    char unused;
};

struct nvjpegJpegDecoder {
    nvjpegBackend_t backend;
};

struct nvjpegJpegState {
    const struct nvjpegJpegDecoder *decoder;
    bool has_pinned, has_device;
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
    char unused;
};

struct nvjpegEncoderState {
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

nvjpegStatus_t nvjpegCreateEx(nvjpegBackend_t backend, void *device_allocator,
                              void *pinned_allocator, unsigned flags, nvjpegHandle_t *handle)
{
    (void)backend;
    (void)device_allocator;
    (void)pinned_allocator;
    (void)flags;
    return CREATE(handle);
}

nvjpegStatus_t nvjpegDestroy(nvjpegHandle_t handle)
{
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
    if (status == NVJPEG_STATUS_SUCCESS)
        (*decoder)->backend = backend;
    return status;
}

nvjpegStatus_t nvjpegDecoderDestroy(nvjpegJpegDecoder_t decoder)
{
    return destroy(decoder);
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

nvjpegStatus_t nvjpegJpegStateDestroy(nvjpegJpegState_t state)
{
    return destroy(state);
}

nvjpegStatus_t nvjpegBufferPinnedCreate(nvjpegHandle_t handle, void *allocator,
                                        nvjpegBufferPinned_t *buffer)
{
    (void)handle;
    (void)allocator;
    return CREATE(buffer);
}

nvjpegStatus_t nvjpegBufferPinnedDestroy(nvjpegBufferPinned_t buffer)
{
    return destroy(buffer);
}

nvjpegStatus_t nvjpegBufferDeviceCreate(nvjpegHandle_t handle, void *allocator,
                                        nvjpegBufferDevice_t *buffer)
{
    (void)handle;
    (void)allocator;
    return CREATE(buffer);
}

nvjpegStatus_t nvjpegBufferDeviceDestroy(nvjpegBufferDevice_t buffer)
{
    return destroy(buffer);
}

nvjpegStatus_t nvjpegStateAttachPinnedBuffer(nvjpegJpegState_t state, nvjpegBufferPinned_t buffer)
{
    state->has_pinned = buffer != NULL;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegStateAttachDeviceBuffer(nvjpegJpegState_t state, nvjpegBufferDevice_t buffer)
{
    state->has_device = buffer != NULL;
    return NVJPEG_STATUS_SUCCESS;
}

nvjpegStatus_t nvjpegDecodeParamsCreate(nvjpegHandle_t handle, nvjpegDecodeParams_t *params)
{
    (void)handle;
    return CREATE(params);
}

nvjpegStatus_t nvjpegDecodeParamsDestroy(nvjpegDecodeParams_t params)
{
    return destroy(params);
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

nvjpegStatus_t nvjpegJpegStreamDestroy(nvjpegJpegStream_t file)
{
    return destroy(file);
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

/* Nearly the samples that --codec fast finds, as nvJPEG's are. */
nvjpegStatus_t nvjpegDecodeJpeg(nvjpegHandle_t handle, nvjpegJpegDecoder_t decoder,
                                nvjpegJpegState_t state, nvjpegJpegStream_t file,
                                nvjpegImage_t *out, nvjpegDecodeParams_t params,
                                cudaStream_t stream)
{
    (void)handle;
    (void)stream;
    const int fails = number_of("EMULATE_DECODE");
    const bool is_gray = params->format == NVJPEG_OUTPUT_Y;
    if (fails)
        return (nvjpegStatus_t)fails;
    if (state->decoder != decoder || !state->has_device || !state->has_pinned ||
        is_gray != (file->space == TJCS_GRAY))
        return NVJPEG_STATUS_INVALID_PARAMETER;
    tjhandle tj = tjInitDecompress();
    const bool done =
        tj && tjDecompress2(tj, file->data, file->size, out->channel[0], file->width,
                            (int)out->pitch[0], file->height, is_gray ? TJPF_GRAY : TJPF_RGB,
                            TJFLAG_STOPONWARNING | TJFLAG_FASTDCT) == 0;
    if (tj)
        tjDestroy(tj);
    return done ? NVJPEG_STATUS_SUCCESS : NVJPEG_STATUS_BAD_JPEG;
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
    return destroy(state);
}

nvjpegStatus_t nvjpegEncoderParamsCreate(nvjpegHandle_t handle, nvjpegEncoderParams_t *params,
                                         cudaStream_t stream)
{
    (void)handle;
    (void)stream;
    return CREATE(params);
}

nvjpegStatus_t nvjpegEncoderParamsDestroy(nvjpegEncoderParams_t params)
{
    return destroy(params);
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
    tjhandle tj = tjInitCompress();
    const bool done =
        tj && tjCompress2(tj, from->channel[0], width, (int)from->pitch[0], height, TJPF_RGB,
                          &state->data, &state->size,
                          params->sampling == NVJPEG_CSS_444 ? TJSAMP_444 : TJSAMP_420,
                          params->quality, TJFLAG_FASTDCT) == 0;
    if (tj)
        tjDestroy(tj);
    return done ? NVJPEG_STATUS_SUCCESS : NVJPEG_STATUS_EXECUTION_FAILED;
}

/* With a comment behind the start mark, which must not get into the program's files. */
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
