/* An NVIDIA GPU as a back end, in C: memory, copies, events. Only the launchers it calls are CUDA
 * code. */
#include "cuda/cuda.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A CUDA error as ours. what: "copy to the GPU", ... */
satb_status satb_cuda_check(satb_context *context, int error, const char *what)
{
    if (error == cudaSuccess)
        return SATB_OK;
    (void)cudaGetLastError(); /* a sticky error stays; any other must not surface in a later call */
    const satb_status status =
        error == cudaErrorMemoryAllocation ? SATB_ERR_DEVICE_NOMEM : SATB_ERR_DEVICE;
    return satb_fail(context, status, "%s: %s: %s", context->name, what,
                     cudaGetErrorString((cudaError_t)error));
}

/* Those of all threads. */
static atomic_int open_contexts;

/* Not by an event of cudaEventBlockingSync: folders of photos on an H200, 24 jobs, 1116, 1132 and 1153 images/s for 1010
 * and 1069 (on two machines). */
static int sleep_until(cudaEvent_t mark)
{
    const struct timespec pause = {.tv_nsec = 20000}; /* and what timers are late by, 50 us */
    int error;

    while ((error = cudaEventQuery(mark)) == cudaErrorNotReady) {
        (void)cudaGetLastError();
        nanosleep(&pause, NULL);
    }
    return error;
}

/* A context that is alone waits awake, which ends soonest. Where there are several, others need the processor. */
satb_status satb_cuda_wait(satb_context *context)
{
    const cuda_device *const device = context->device;
    int error = cudaSuccess;

    if (open_contexts > 1) {
        error = cudaEventRecord(device->asleep, device->stream);
        if (error == cudaSuccess)
            error = sleep_until(device->asleep);
    } else {
        error = cudaStreamSynchronize(device->stream);
    }
    return satb_cuda_check(context, error, "running on it");
}

/* --- Open and close --------------------------------------------------------------------------- */

static void cuda_close(satb_context *context)
{
    cuda_device *const device = context->device;

    satb_cuda_trim(context);
    for (int i = 0; i <= SATB_STAGES; i++)
        if (device->marks[i])
            (void)cudaEventDestroy(device->marks[i]);
    if (device->asleep)
        (void)cudaEventDestroy(device->asleep);
    if (device->stream)
        (void)cudaStreamDestroy(device->stream);
    free(device);
    open_contexts--;
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

/* A device counts as usable when memory, a copy and one of our kernels work on it: a driver that is
 * too old, or a GPU for which this build has no code, shows here and not in the middle of a
 * picture. */
static satb_status probe(satb_context *context)
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

static satb_status prepare(satb_context *context, cuda_device *device)
{
    struct cudaDeviceProp properties;

    satb_status status = satb_cuda_check(context, cudaSetDevice(device->index), "selecting it");
    if (status == SATB_OK)
        status = satb_cuda_check(context, cudaGetDeviceProperties(&properties, device->index),
                                 "its properties");
    if (status != SATB_OK)
        return status;
    snprintf(context->name, sizeof context->name, "cuda:%d %.100s", device->index, properties.name);
    status =
        satb_cuda_check(context, cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking),
                        "creating a stream");
    if (status == SATB_OK)
        status = satb_cuda_check(context,
                                 cudaEventCreateWithFlags(&device->asleep, cudaEventDisableTiming),
                                 "creating an event");
    for (int i = 0; i <= SATB_STAGES && status == SATB_OK; i++)
        status = satb_cuda_check(context, cudaEventCreate(&device->marks[i]), "creating an event");
    if (status == SATB_OK)
        status = probe(context);
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
    open_contexts++;
    snprintf(context->name, sizeof context->name, "cuda:%d", device->index);
    status = prepare(context, device);
    if (status != SATB_OK) {
        cuda_close(context);
        context->device = NULL;
        return status == SATB_ERR_DEVICE_NOMEM ? status : SATB_ERR_UNAVAILABLE;
    }
    return SATB_OK;
}

/* --- Stages ----------------------------------------------------------------------------------- */

/* The images of the call that ends. */
static void forget(satb_context *context)
{
    cuda_device *const device = context->device;

    if (context->goes_on)
        return;
    for (int i = 0; i < SATB_SLOTS; i++)
        device->slots[i].holds = NULL;
}

static void cuda_settle(satb_context *context)
{
    cuda_device *const device = context->device;

    forget(context);
    (void)cudaStreamSynchronize(device->stream);
    (void)cudaGetLastError(); /* the error that led here has been told */
    device->under_way = 0;
}

static satb_status mark(satb_context *context)
{
    const cuda_device *const device = context->device;

    return satb_cuda_check(
        context, cudaEventRecord(device->marks[device->stage_count], device->stream), "timing it");
}

/* The last stage ends; waits, and adds up what the stages took. */
static satb_status add_up_stages(satb_context *context)
{
    cuda_device *const device = context->device;
    satb_status status = mark(context);

    if (status == SATB_OK)
        status = satb_cuda_wait(context);
    for (int i = 0; i < device->stage_count && status == SATB_OK; i++) {
        float ms = 0;
        status = satb_cuda_check(context,
                                 cudaEventElapsedTime(&ms, device->marks[i], device->marks[i + 1]),
                                 "timing it");
        device->ms[device->stages[i]] += ms;
    }
    device->stage_count = 0;
    return status;
}

static satb_status begin_call(satb_context *context)
{
    cuda_device *const device = context->device;

    device->stage_count = 0;
    for (int i = 0; i < SATB_STAGES; i++)
        device->ms[i] = 0;
    forget(context);
    device->under_way = 1;
    context->memory.bands = 1;
    return satb_cuda_check(context, cudaSetDevice(device->index),
                           "selecting it"); /* perhaps the caller is another thread */
}

satb_status satb_cuda_begin(satb_context *context, satb_stage stage)
{
    cuda_device *const device = context->device;
    satb_status status = SATB_OK;

    if (!device->under_way)
        status = begin_call(context);
    else if (device->stage_count == SATB_STAGES) /* bands have more stages than there are marks */
        status = add_up_stages(context);
    if (status == SATB_OK)
        status = mark(context);
    if (status == SATB_OK)
        device->stages[device->stage_count++] = stage;
    return status;
}

static satb_status cuda_finish(satb_context *context)
{
    cuda_device *const device = context->device;
    const satb_status status = add_up_stages(context);

    if (status == SATB_OK) {
        satb_set_timings(context, device->ms);
        device->under_way = 0;
    }
    return status;
}

const satb_backend satb_backend_cuda = {
    .open = cuda_open,
    .close = cuda_close,
    .trim = satb_cuda_trim,
    .fits = satb_cuda_fits,
    .make_room = satb_cuda_make_room,
    .reserve = satb_cuda_reserve,
    .upload = satb_cuda_upload,
    .upload_bytes = satb_cuda_upload_bytes,
    .output = satb_cuda_output,
    .download = satb_cuda_download,
    .reaches = satb_cuda_reaches,
    .bring = satb_cuda_bring,
    .keep = satb_cuda_keep,
    .output_bytes = satb_cuda_output_bytes,
    .fetch = satb_cuda_fetch,
    .host_room = satb_cuda_host_room,
    .sat = satb_cuda_sat,
    .blur = satb_cuda_blur,
    .layer = satb_cuda_layer,
    .spread = satb_cuda_spread,
    .find_lights = satb_cuda_find_lights,
    .add_lights = satb_cuda_add_lights,
    .surface = satb_cuda_surface,
    .histogram = satb_cuda_histogram,
    .reduce = satb_cuda_reduce,
    .scan = satb_cuda_scan,
    .compact = satb_cuda_compact,
    .sort = satb_cuda_sort,
    .add_sat_room = satb_cuda_add_sat_room,
    .add_blur_room = satb_cuda_add_blur_room,
    .add_layer_room = satb_cuda_add_layer_room,
    .add_spread_room = satb_cuda_add_spread_room,
    .add_lights_room = satb_cuda_add_lights_room,
    .add_surface_room = satb_cuda_add_surface_room,
    .add_scan_room = satb_cuda_add_scan_room,
    .luma = satb_cuda_luma,
    .equalize = satb_cuda_equalize,
    .settle = cuda_settle,
    .begin = satb_cuda_begin,
    .finish = cuda_finish,
};
