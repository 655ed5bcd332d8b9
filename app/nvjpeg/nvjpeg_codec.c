/* One codec: nvJPEG's objects and memory to decode or encode one picture at a time on one GPU. */
#include "nvjpeg/nvjpeg_private.h"

#include <limits.h>

/* For pictures that the hardware decoder refuses, and for GPUs without one. The first takes less of the processor. */
const nvjpeg_decoder_kind nvjpeg_decoder_kinds[DECODERS] = {
    {NVJPEG_BACKEND_GPU_HYBRID, "nvJPEG"},
    {NVJPEG_BACKEND_HYBRID, "nvJPEG (CPU and GPU)"},
};

bool nvjpeg_codec_reserve_pixels(nvjpeg_codec *c, size_t size)
{
    if (c->pixels_size >= size)
        return true;
    (void)cudaFree(c->pixels);
    c->pixels = NULL;
    c->pixels_size = 0;
    if (!nvjpeg_codec_could(c, cudaMalloc(&c->pixels, size))) {
        c->pixels = NULL;
        return false;
    }
    c->pixels_size = size;
    return true;
}

bool nvjpeg_codec_reserve_file(nvjpeg_codec *c, size_t size)
{
    if (c->encoded_size >= size)
        return true;
    (void)cudaFreeHost(c->encoded);
    c->encoded = NULL;
    c->encoded_size = 0;
    if (!nvjpeg_codec_could(c, cudaMallocHost(&c->encoded, size + size / 4)))
        return false;
    c->encoded_size = size + size / 4;
    return true;
}

static nvjpegStatus_t make_decoder(nvjpeg_codec *c, int i)
{
    nvjpegStatus_t status =
        nvjpegDecoderCreate(c->handle, nvjpeg_decoder_kinds[i].backend, &c->decoders[i].decoder);
    if (status != NVJPEG_STATUS_SUCCESS) {
        c->decoders[i].decoder = NULL;
        return status;
    }
    status = nvjpegDecoderStateCreate(c->handle, c->decoders[i].decoder, &c->decoders[i].state);
    if (status != NVJPEG_STATUS_SUCCESS) {
        c->decoders[i].state = NULL;
        return status;
    }
    status = nvjpegStateAttachPinnedBuffer(c->decoders[i].state, c->pinned_buffer);
    return status == NVJPEG_STATUS_SUCCESS
               ? nvjpegStateAttachDeviceBuffer(c->decoders[i].state, c->device_buffer)
               : status;
}

static void close_decoder(nvjpeg_codec *c, int i)
{
    if (c->decoders[i].state)
        (void)nvjpegJpegStateDestroy(c->decoders[i].state);
    if (c->decoders[i].decoder)
        (void)nvjpegDecoderDestroy(c->decoders[i].decoder);
    c->decoders[i].state = NULL;
    c->decoders[i].decoder = NULL;
}

/* Decoders that this GPU lacks are left out; one is needed. */
bool nvjpeg_codec_open_decoders(nvjpeg_codec *c)
{
    nvjpegStatus_t status = NVJPEG_STATUS_SUCCESS;
    int count = 0;
    if (c->has_decoders)
        return true;
    if (!nvjpeg_codec_did(c, nvjpegBufferPinnedCreate(c->handle, NULL, &c->pinned_buffer)) ||
        !nvjpeg_codec_did(c, nvjpegBufferDeviceCreate(c->handle, NULL, &c->device_buffer)))
        return false; /* needs_reset is set, so there is no second call before the codec is made again */
    for (int i = 0; i < DECODERS && status != NVJPEG_STATUS_ALLOCATOR_FAILURE; i++) {
        status = make_decoder(c, i);
        if (status != NVJPEG_STATUS_SUCCESS)
            close_decoder(c, i);
        else
            count++;
    }
    c->has_decoders = count > 0 && status != NVJPEG_STATUS_ALLOCATOR_FAILURE;
    return c->has_decoders || nvjpeg_codec_did(c, status);
}

/* The stream has the highest priority: nvJPEG spins in the middle of encoding for its own short kernels, and the blurs'
 * kernels are long. */
static bool open_parts(nvjpeg_codec *c)
{
    return nvjpeg_codec_could(
               c, cudaStreamCreateWithPriority(&c->stream, cudaStreamNonBlocking, INT_MIN)) &&
           nvjpeg_codec_could(c, cudaEventCreateWithFlags(&c->mark, cudaEventDisableTiming)) &&
           nvjpeg_codec_did(c, nvjpegJpegStreamCreate(c->handle, &c->file)) &&
           nvjpeg_codec_did(c, nvjpegDecodeParamsCreate(c->handle, &c->decoding)) &&
           nvjpeg_codec_did(c, nvjpegEncoderStateCreate(c->handle, &c->encoder, c->stream)) &&
           nvjpeg_codec_did(c, nvjpegEncoderParamsCreate(c->handle, &c->encoding, c->stream));
}

/* Closes in the reverse order; each part may be missing. */
void nvjpeg_codec_close(nvjpeg_codec *c)
{
    if (c->stream)
        (void)cudaStreamSynchronize(c->stream);
    for (int i = DECODERS - 1; i >= 0; i--)
        close_decoder(c, i);
    if (c->device_buffer)
        (void)nvjpegBufferDeviceDestroy(c->device_buffer);
    if (c->pinned_buffer)
        (void)nvjpegBufferPinnedDestroy(c->pinned_buffer);
    if (c->encoding)
        (void)nvjpegEncoderParamsDestroy(c->encoding);
    if (c->encoder)
        (void)nvjpegEncoderStateDestroy(c->encoder);
    if (c->decoding)
        (void)nvjpegDecodeParamsDestroy(c->decoding);
    if (c->file)
        (void)nvjpegJpegStreamDestroy(c->file);
    (void)cudaFreeHost(c->encoded);
    (void)cudaFree(c->pixels);
    if (c->mark)
        (void)cudaEventDestroy(c->mark);
    if (c->stream)
        (void)cudaStreamDestroy(c->stream);
    (void)cudaGetLastError();
    *c = (nvjpeg_codec){.device = c->device, .handle = c->handle, .gray = c->gray, .rgb = c->rgb};
}

/* nvJPEG's objects belong to a device, which must be the thread's current one. */
bool nvjpeg_codec_open(nvjpeg_codec *c)
{
    c->error = NVJPEG_ERROR_NONE;
    if (!nvjpeg_codec_could(c, cudaSetDevice(c->device)))
        return false;
    c->is_open = c->is_open || open_parts(c);
    return c->is_open;
}
