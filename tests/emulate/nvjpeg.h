/* The part of nvJPEG's interface that this project uses. nvjpeg.c implements it by libjpeg-turbo, so that --codec gpu
 * runs on any machine. Only a GPU shows which files nvJPEG takes, and which samples it makes. */
#ifndef SATB_EMULATE_NVJPEG_H
#define SATB_EMULATE_NVJPEG_H

#include <cuda_runtime_api.h>

typedef enum nvjpegStatus_t {
    NVJPEG_STATUS_SUCCESS = 0,
    NVJPEG_STATUS_INVALID_PARAMETER = 2,
    NVJPEG_STATUS_BAD_JPEG = 3,
    NVJPEG_STATUS_JPEG_NOT_SUPPORTED = 4,
    NVJPEG_STATUS_ALLOCATOR_FAILURE = 5,
    NVJPEG_STATUS_EXECUTION_FAILED = 6,
    NVJPEG_STATUS_ARCH_MISMATCH = 7
} nvjpegStatus_t;

typedef enum nvjpegBackend_t {
    NVJPEG_BACKEND_DEFAULT = 0,
    NVJPEG_BACKEND_HYBRID = 1,
    NVJPEG_BACKEND_GPU_HYBRID = 2,
    NVJPEG_BACKEND_HARDWARE = 3
} nvjpegBackend_t;

typedef enum nvjpegOutputFormat_t {
    NVJPEG_OUTPUT_Y = 2,
    NVJPEG_OUTPUT_RGBI = 5
} nvjpegOutputFormat_t;

typedef enum nvjpegInputFormat_t { NVJPEG_INPUT_RGBI = 5 } nvjpegInputFormat_t;

typedef enum nvjpegChromaSubsampling_t {
    NVJPEG_CSS_444 = 0,
    NVJPEG_CSS_420 = 2
} nvjpegChromaSubsampling_t;

#define NVJPEG_FLAGS_UPSAMPLING_WITH_INTERPOLATION 32

typedef struct nvjpegImage_t {
    unsigned char *channel[4];
    size_t pitch[4];
} nvjpegImage_t;

typedef struct nvjpegHandle *nvjpegHandle_t;
typedef struct nvjpegJpegState *nvjpegJpegState_t;
typedef struct nvjpegJpegDecoder *nvjpegJpegDecoder_t;
typedef struct nvjpegJpegStream *nvjpegJpegStream_t;
typedef struct nvjpegDecodeParams *nvjpegDecodeParams_t;
typedef struct nvjpegBufferPinned *nvjpegBufferPinned_t;
typedef struct nvjpegBufferDevice *nvjpegBufferDevice_t;
typedef struct nvjpegEncoderState *nvjpegEncoderState_t;
typedef struct nvjpegEncoderParams *nvjpegEncoderParams_t;

nvjpegStatus_t nvjpegCreateEx(nvjpegBackend_t backend, void *device_allocator,
                              void *pinned_allocator, unsigned flags, nvjpegHandle_t *handle);
nvjpegStatus_t nvjpegDestroy(nvjpegHandle_t handle);

nvjpegStatus_t nvjpegDecoderCreate(nvjpegHandle_t handle, nvjpegBackend_t backend,
                                   nvjpegJpegDecoder_t *decoder);
nvjpegStatus_t nvjpegDecoderDestroy(nvjpegJpegDecoder_t decoder);
nvjpegStatus_t nvjpegDecoderStateCreate(nvjpegHandle_t handle, nvjpegJpegDecoder_t decoder,
                                        nvjpegJpegState_t *state);
nvjpegStatus_t nvjpegJpegStateDestroy(nvjpegJpegState_t state);
nvjpegStatus_t nvjpegBufferPinnedCreate(nvjpegHandle_t handle, void *allocator,
                                        nvjpegBufferPinned_t *buffer);
nvjpegStatus_t nvjpegBufferPinnedDestroy(nvjpegBufferPinned_t buffer);
nvjpegStatus_t nvjpegBufferDeviceCreate(nvjpegHandle_t handle, void *allocator,
                                        nvjpegBufferDevice_t *buffer);
nvjpegStatus_t nvjpegBufferDeviceDestroy(nvjpegBufferDevice_t buffer);
nvjpegStatus_t nvjpegStateAttachPinnedBuffer(nvjpegJpegState_t state, nvjpegBufferPinned_t buffer);
nvjpegStatus_t nvjpegStateAttachDeviceBuffer(nvjpegJpegState_t state, nvjpegBufferDevice_t buffer);
nvjpegStatus_t nvjpegDecodeParamsCreate(nvjpegHandle_t handle, nvjpegDecodeParams_t *params);
nvjpegStatus_t nvjpegDecodeParamsDestroy(nvjpegDecodeParams_t params);
nvjpegStatus_t nvjpegDecodeParamsSetOutputFormat(nvjpegDecodeParams_t params,
                                                 nvjpegOutputFormat_t format);

nvjpegStatus_t nvjpegJpegStreamCreate(nvjpegHandle_t handle, nvjpegJpegStream_t *file);
nvjpegStatus_t nvjpegJpegStreamDestroy(nvjpegJpegStream_t file);
nvjpegStatus_t nvjpegJpegStreamParse(nvjpegHandle_t handle, const unsigned char *data, size_t size,
                                     int save_metadata, int save_stream, nvjpegJpegStream_t file);
nvjpegStatus_t nvjpegJpegStreamGetFrameDimensions(nvjpegJpegStream_t file, unsigned *width,
                                                  unsigned *height);
nvjpegStatus_t nvjpegJpegStreamGetComponentsNum(nvjpegJpegStream_t file, unsigned *count);

nvjpegStatus_t nvjpegDecoderJpegSupported(nvjpegJpegDecoder_t decoder, nvjpegJpegStream_t file,
                                          nvjpegDecodeParams_t params, int *unsupported);
nvjpegStatus_t nvjpegDecodeJpeg(nvjpegHandle_t handle, nvjpegJpegDecoder_t decoder,
                                nvjpegJpegState_t state, nvjpegJpegStream_t file,
                                nvjpegImage_t *out, nvjpegDecodeParams_t params,
                                cudaStream_t stream);

nvjpegStatus_t nvjpegJpegStateCreate(nvjpegHandle_t handle, nvjpegJpegState_t *state);
nvjpegStatus_t nvjpegDecodeBatchedSupportedEx(nvjpegHandle_t handle, nvjpegJpegStream_t file,
                                              nvjpegDecodeParams_t params, int *unsupported);
nvjpegStatus_t nvjpegDecodeBatchedInitialize(nvjpegHandle_t handle, nvjpegJpegState_t state,
                                             int count, int threads, nvjpegOutputFormat_t format);
nvjpegStatus_t nvjpegDecodeBatched(nvjpegHandle_t handle, nvjpegJpegState_t state,
                                   const unsigned char *const *data, const size_t *sizes,
                                   nvjpegImage_t *outs, cudaStream_t stream);

nvjpegStatus_t nvjpegEncoderStateCreate(nvjpegHandle_t handle, nvjpegEncoderState_t *state,
                                        cudaStream_t stream);
nvjpegStatus_t nvjpegEncoderStateDestroy(nvjpegEncoderState_t state);
nvjpegStatus_t nvjpegEncoderParamsCreate(nvjpegHandle_t handle, nvjpegEncoderParams_t *params,
                                         cudaStream_t stream);
nvjpegStatus_t nvjpegEncoderParamsDestroy(nvjpegEncoderParams_t params);
nvjpegStatus_t nvjpegEncoderParamsSetQuality(nvjpegEncoderParams_t params, int quality,
                                             cudaStream_t stream);
nvjpegStatus_t nvjpegEncoderParamsSetSamplingFactors(nvjpegEncoderParams_t params,
                                                     nvjpegChromaSubsampling_t sampling,
                                                     cudaStream_t stream);
nvjpegStatus_t nvjpegEncodeImage(nvjpegHandle_t handle, nvjpegEncoderState_t state,
                                 nvjpegEncoderParams_t params, const nvjpegImage_t *from,
                                 nvjpegInputFormat_t format, int width, int height,
                                 cudaStream_t stream);
nvjpegStatus_t nvjpegEncodeRetrieveBitstream(nvjpegHandle_t handle, nvjpegEncoderState_t state,
                                             unsigned char *data, size_t *size,
                                             cudaStream_t stream);

#endif
