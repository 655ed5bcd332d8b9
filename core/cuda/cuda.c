/* An NVIDIA GPU as a back end: opening and closing it, and its table. */
#include "cuda/cuda_device.h"
#include "cuda/cuda_jobs.h"
#include "cuda/cuda_memory.h"

#include <stdio.h>
#include <stdlib.h>

/* --- Open and close --------------------------------------------------------------------------- */

static void cuda_close(satb_context *context)
{
    cuda_device *const device = context->device;

    satb_cuda_trim(context);
    for (int i = 0; i <= SATB_MARKS; i++)
        if (device->marks[i])
            (void)cudaEventDestroy(device->marks[i]);
    if (device->reached)
        (void)cudaEventDestroy(device->reached);
    if (device->own)
        (void)cudaStreamDestroy(device->own);
    free(device);
    satb_cuda_count_context(-1);
}

static satb_status find_device(satb_context *context, int index)
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);

    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return satb_fail(context, SATB_ERR_UNAVAILABLE, "no usable CUDA device: %s",
                         cudaGetErrorString(error));
    }
    if (index >= count)
        return satb_fail(context, SATB_ERR_UNAVAILABLE, "no CUDA device %d: there are %d", index,
                         count);
    return SATB_OK;
}

/* Tries memory, a copy and a kernel on the device. So a driver that is too old, or a GPU that this build has no code for,
 * fails here and not in the middle of a picture. */
static satb_status probe_device(satb_context *context)
{
    uint8_t pixel = 42;
    uint64_t counts[256] = {0};
    const satb_image image = {
        .data = &pixel, .stride = 1, .width = 1, .height = 1, .channels = 1, .bits = 8};
    satk_histogram job = {0};
    void *out = NULL;

    const satb_band band = satb_whole(&image);
    satb_status status = satb_cuda_upload(context, SATB_SLOT_SRC, &image, &band, &job.src);
    if (status == SATB_OK)
        status = satb_cuda_reserve(context, SATB_SLOT_STATS, sizeof counts, &out);
    job.out = out;
    if (status == SATB_OK)
        status = satb_cuda_histogram(context, &job);
    if (status == SATB_OK)
        status = satb_cuda_fetch(context, counts, out, sizeof counts);
    if (status == SATB_OK && (counts[pixel] != 1 || counts[0] != 0))
        status = satb_fail(context, SATB_ERR_DEVICE, "%s: a test kernel gave a wrong result",
                           context->name);
    return status;
}

static satb_status prepare_device(satb_context *context, cuda_device *device)
{
    struct cudaDeviceProp properties;

    satb_status status = satb_cuda_select(context);
    if (status == SATB_OK)
        status = satb_cuda_check(context, cudaGetDeviceProperties(&properties, device->index),
                                 "its properties");
    if (status != SATB_OK)
        return status;
    snprintf(context->name, sizeof context->name, "cuda:%d %.100s", device->index, properties.name);
    status =
        satb_cuda_check(context, cudaStreamCreateWithFlags(&device->own, cudaStreamNonBlocking),
                        "creating a stream");
    device->stream = device->own;
    if (status == SATB_OK)
        status = satb_cuda_check(context,
                                 cudaEventCreateWithFlags(&device->reached, cudaEventDisableTiming),
                                 "creating an event");
    for (int i = 0; i <= SATB_MARKS && status == SATB_OK; i++)
        status = satb_cuda_check(context, cudaEventCreate(&device->marks[i]), "creating an event");
    if (status == SATB_OK)
        status = probe_device(context);
    return status;
}

static satb_status cuda_open(satb_context *context, const satb_config *config)
{
    satb_status status = find_device(context, config->cuda_index);

    if (status != SATB_OK)
        return status;
    cuda_device *const device = calloc(1, sizeof *device);
    if (!device)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    device->index = config->cuda_index;
    device->cap = config->gpu_memory;
    context->device = device;
    satb_cuda_count_context(1);
    snprintf(context->name, sizeof context->name, "cuda:%d", device->index);
    status = prepare_device(context, device);
    if (status != SATB_OK) {
        cuda_close(context);
        context->device = NULL;
        return status == SATB_ERR_DEVICE_NOMEM ? status : SATB_ERR_UNAVAILABLE;
    }
    return SATB_OK;
}

/* --- The table -------------------------------------------------------------------------------- */

/* clang-format off */
const satb_backend satb_backend_cuda = {
    .open = cuda_open,
    .close = cuda_close,
    .set_stream = satb_cuda_set_stream,
    .trim = satb_cuda_trim,
    .fits = satb_cuda_fits,
    .reserve_all = satb_cuda_reserve_all,
    .reserve = satb_cuda_reserve,
    .upload = satb_cuda_upload,
    .upload_bytes = satb_cuda_upload_bytes,
    .output = satb_cuda_output,
    .download = satb_cuda_download,
    .copy = satb_cuda_copy,
    .reaches = satb_cuda_reaches,
    .to_host = satb_cuda_to_host,
    .retain = satb_cuda_retain,
    .release = satb_cuda_release,
    .output_bytes = satb_cuda_output_bytes,
    .fetch = satb_cuda_fetch,
    .host_buffer = satb_cuda_host_buffer,
    .sat = satb_cuda_sat,
    .blur = satb_cuda_blur,
    .add_sat_need = satb_cuda_add_sat_need,
    .add_blur_need = satb_cuda_add_blur_need,
    .settle = satb_cuda_settle,
    .begin = satb_cuda_begin,
    .pause = satb_cuda_pause,
    .finish = satb_cuda_finish,
#define PLAIN(NAME, JOB, WORK) .NAME = satb_cuda_##NAME,
#define SCRATCH(NAME, JOB, WORK)                                                                   \
    .NAME = satb_cuda_##NAME, .add_##NAME##_need = satb_cuda_add_##NAME##_need,
    SATK_KERNELS(PLAIN, SCRATCH, SCRATCH)
#undef PLAIN
#undef SCRATCH
};
/* clang-format on */
