/* An NVIDIA GPU as a back end, in C: memory, copies, events. Only the launchers it calls are CUDA
 * code. */
#include "backend.h"
#include "size.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct cuda_buffer {
    void *data;
    size_t size;
} cuda_buffer;

typedef struct cuda_device {
    int index;
    cudaStream_t stream;
    cuda_buffer slots[SATB_SLOTS];
    cudaEvent_t
        marks[SATB_STAGES + 1]; /* stage i of this call runs from marks[i] to marks[i + 1] */
    satb_stage stages[SATB_STAGES];
    int stage_count;
} cuda_device;

/* A CUDA error as ours. what: "copy to the GPU", ... */
static satb_status check(satb_context *context, int error, const char *what)
{
    if (error == cudaSuccess)
        return SATB_OK;
    (void)cudaGetLastError(); /* a sticky error stays; any other must not surface in a later call */
    const satb_status status =
        error == cudaErrorMemoryAllocation ? SATB_ERR_DEVICE_NOMEM : SATB_ERR_DEVICE;
    return satb_fail(context, status, "%s: %s: %s", context->name, what,
                     cudaGetErrorString((cudaError_t)error));
}

/* --- Open and close --------------------------------------------------------------------------- */

static void cuda_close(satb_context *context)
{
    cuda_device *const device = context->device;

    (void)cudaSetDevice(device->index);
    for (int i = 0; i < SATB_SLOTS; i++)
        (void)cudaFree(device->slots[i].data);
    for (int i = 0; i <= SATB_STAGES; i++)
        if (device->marks[i])
            (void)cudaEventDestroy(device->marks[i]);
    if (device->stream)
        (void)cudaStreamDestroy(device->stream);
    free(device);
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

    satb_status status = satb_backend_cuda.begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = satb_backend_cuda.upload(context, SATB_SLOT_SRC, &image, &job.src);
    if (status == SATB_OK)
        status = satb_backend_cuda.reserve(context, SATB_SLOT_STATS, sizeof counts, &out);
    job.out = out;
    if (status == SATB_OK)
        status = satb_backend_cuda.histogram(context, &job);
    if (status == SATB_OK)
        status = satb_backend_cuda.fetch(context, counts, out, sizeof counts);
    if (status == SATB_OK && (counts[pixel] != 1 || counts[0] != 0))
        status = satb_fail(context, SATB_ERR_DEVICE, "%s: a test kernel gave a wrong result",
                           context->name);
    return status;
}

static satb_status prepare(satb_context *context, cuda_device *device)
{
    struct cudaDeviceProp properties;

    satb_status status = check(context, cudaSetDevice(device->index), "selecting it");
    if (status == SATB_OK)
        status =
            check(context, cudaGetDeviceProperties(&properties, device->index), "its properties");
    if (status != SATB_OK)
        return status;
    snprintf(context->name, sizeof context->name, "cuda:%d %.100s", device->index, properties.name);
    status = check(context, cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking),
                   "creating a stream");
    for (int i = 0; i <= SATB_STAGES && status == SATB_OK; i++)
        status = check(context, cudaEventCreate(&device->marks[i]), "creating an event");
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
    context->device = device;
    snprintf(context->name, sizeof context->name, "cuda:%d", device->index);
    status = prepare(context, device);
    if (status != SATB_OK) {
        cuda_close(context);
        context->device = NULL;
        return status == SATB_ERR_DEVICE_NOMEM ? status : SATB_ERR_UNAVAILABLE;
    }
    return SATB_OK;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static satb_status cuda_reserve(satb_context *context, satb_slot slot, size_t bytes, void **data)
{
    cuda_buffer *const buffer = &((cuda_device *)context->device)->slots[slot];

    if (buffer->size < bytes) {
        (void)cudaFree(buffer->data);
        *buffer = (cuda_buffer){0};
        const int error = cudaMalloc(&buffer->data, bytes);
        if (error != cudaSuccess) {
            (void)cudaGetLastError();
            buffer->data = NULL;
            const satb_status status =
                error == cudaErrorMemoryAllocation ? SATB_ERR_DEVICE_NOMEM : SATB_ERR_DEVICE;
            return satb_fail(context, status, "%s: no room for %zu MB: %s", context->name,
                             bytes >> 20, cudaGetErrorString((cudaError_t)error));
        }
        buffer->size = bytes;
    }
    *data = buffer->data;
    return SATB_OK;
}

/* A plane in a slot, of the image's kind; rows begin at multiples of 16 bytes. */
static satb_status cuda_output(satb_context *context, satb_slot slot, const satb_image *image,
                               satk_plane *plane)
{
    *plane = (satk_plane){.width = image->width,
                          .height = image->height,
                          .channels = image->channels,
                          .bits = image->bits};
    const size_t pitch = (satb_row_bytes(image) + 15) / 16 * 16;
    plane->pitch = (ptrdiff_t)pitch;
    return cuda_reserve(context, slot, pitch * (size_t)image->height, &plane->data);
}

static satb_status cuda_upload(satb_context *context, satb_slot slot, const satb_image *image,
                               satk_plane *plane)
{
    const cuda_device *const device = context->device;
    const satb_status status = cuda_output(context, slot, image, plane);

    if (status != SATB_OK)
        return status;
    return check(context,
                 cudaMemcpy2DAsync(plane->data, (size_t)plane->pitch, image->data,
                                   (size_t)image->stride, satb_row_bytes(image),
                                   (size_t)plane->height, cudaMemcpyHostToDevice, device->stream),
                 "copying to it");
}

static satb_status cuda_upload_bytes(satb_context *context, satb_slot slot, const void *bytes,
                                     size_t size, int once, const void **data)
{
    cuda_device *const device = context->device;
    const int there = once && device->slots[slot].size >= size;
    void *to = NULL;

    satb_status status = cuda_reserve(context, slot, size, &to);
    *data = to;
    if (status != SATB_OK || there)
        return status;
    status =
        check(context, cudaMemcpyAsync(to, bytes, size, cudaMemcpyHostToDevice, device->stream),
              "copying to it");
    if (status != SATB_OK)
        device->slots[slot].size = 0; /* what is there must not count as uploaded */
    return status;
}

static satb_status cuda_download(satb_context *context, const satk_plane *plane,
                                 const satb_image *image)
{
    const cuda_device *const device = context->device;

    return check(context,
                 cudaMemcpy2DAsync(image->data, (size_t)image->stride, plane->data,
                                   (size_t)plane->pitch, satb_row_bytes(image),
                                   (size_t)plane->height, cudaMemcpyDeviceToHost, device->stream),
                 "copying from it");
}

static satb_status cuda_output_bytes(satb_context *context, satb_slot slot, void *host,
                                     size_t bytes, void **data)
{
    (void)host;
    return cuda_reserve(context, slot, bytes, data);
}

static satb_status cuda_fetch(satb_context *context, void *host, const void *data, size_t bytes)
{
    const cuda_device *const device = context->device;
    const satb_status status =
        check(context, cudaMemcpyAsync(host, data, bytes, cudaMemcpyDeviceToHost, device->stream),
              "copying from it");

    return status != SATB_OK
               ? status
               : check(context, cudaStreamSynchronize(device->stream), "running on it");
}

/* --- Primitives ------------------------------------------------------------------------------- */

static satb_status cuda_sat(satb_context *context, satk_sat *job)
{
    const cuda_device *const device = context->device;
    const satb_status status =
        cuda_reserve(context, SATB_SLOT_SCRATCH, satk_sat_scratch_cuda(job), &job->scratch);

    return status != SATB_OK
               ? status
               : check(context, satk_sat_cuda(job, device->stream), "building the table");
}

static satb_status cuda_begin(satb_context *context, satb_stage stage);

static satb_status cuda_blur(satb_context *context, const satk_box *job)
{
    const cuda_device *const device = context->device;
    const size_t bytes = (size_t)job->src.width * (size_t)job->src.channels *
                         (size_t)job->src.height * (size_t)(job->word / 8);
    satk_sat sat = {.src = job->src,
                    .tone = job->tone,
                    .word = job->word,
                    .variant = (satk_sat_variant)context->sat};
    satk_box box = *job;

    satb_status status = cuda_reserve(context, SATB_SLOT_TABLE, bytes, &sat.table);
    if (status == SATB_OK)
        status = cuda_sat(context, &sat);
    if (status == SATB_OK)
        status = cuda_begin(context, SATB_STAGE_BLUR);
    box.table = sat.table;
    return status != SATB_OK
               ? status
               : check(context, satk_box_cuda(&box, device->stream), "averaging windows");
}

static satb_status cuda_layer(satb_context *context, satk_layer *job)
{
    const cuda_device *const device = context->device;
    const satb_status status =
        cuda_reserve(context, SATB_SLOT_SCRATCH, satk_layer_scratch_cuda(job), &job->scratch);

    return status != SATB_OK
               ? status
               : check(context, satk_layer_cuda(job, device->stream), "blurring layers");
}

static satb_status cuda_histogram(satb_context *context, satk_histogram *job)
{
    return check(context, satk_histogram_cuda(job, ((cuda_device *)context->device)->stream),
                 "counting");
}

static satb_status cuda_reduce(satb_context *context, satk_reduce *job)
{
    const cuda_device *const device = context->device;
    const satb_status status =
        cuda_reserve(context, SATB_SLOT_SCRATCH, satk_reduce_scratch_cuda(job), &job->scratch);

    return status != SATB_OK ? status
                             : check(context, satk_reduce_cuda(job, device->stream), "reducing");
}

static satb_status cuda_scan(satb_context *context, satk_scan *job)
{
    const cuda_device *const device = context->device;
    const satb_status status =
        cuda_reserve(context, SATB_SLOT_SCRATCH, satk_scan_scratch_cuda(job), &job->scratch);

    return status != SATB_OK ? status
                             : check(context, satk_scan_cuda(job, device->stream), "scanning");
}

static satb_status cuda_compact(satb_context *context, satk_compact *job)
{
    const cuda_device *const device = context->device;
    const satb_status status =
        cuda_reserve(context, SATB_SLOT_SCRATCH, satk_compact_scratch_cuda(job), &job->scratch);

    return status != SATB_OK ? status
                             : check(context, satk_compact_cuda(job, device->stream), "compacting");
}

static satb_status cuda_sort(satb_context *context, satk_sort *job)
{
    const cuda_device *const device = context->device;
    const satb_status status =
        cuda_reserve(context, SATB_SLOT_SCRATCH, satk_sort_scratch_cuda(job), &job->scratch);

    return status != SATB_OK ? status
                             : check(context, satk_sort_cuda(job, device->stream), "sorting");
}

static satb_status cuda_luma(satb_context *context, satk_luma *job)
{
    return check(context, satk_luma_cuda(job, ((cuda_device *)context->device)->stream),
                 "counting luminances");
}

static satb_status cuda_equalize(satb_context *context, const satk_equalize *job)
{
    return check(context, satk_equalize_cuda(job, ((cuda_device *)context->device)->stream),
                 "equalising");
}

static void cuda_settle(satb_context *context)
{
    const cuda_device *const device = context->device;

    (void)cudaStreamSynchronize(device->stream);
    (void)cudaGetLastError(); /* the error that led here has been told */
}

/* --- Stages ----------------------------------------------------------------------------------- */

static satb_status mark(satb_context *context)
{
    const cuda_device *const device = context->device;

    return check(context, cudaEventRecord(device->marks[device->stage_count], device->stream),
                 "timing it");
}

static satb_status cuda_begin(satb_context *context, satb_stage stage)
{
    cuda_device *const device = context->device;

    if (stage == SATB_STAGE_UPLOAD) { /* a new call, perhaps from another thread */
        device->stage_count = 0;
        const satb_status status = check(context, cudaSetDevice(device->index), "selecting it");
        if (status != SATB_OK)
            return status;
    }
    const satb_status status = mark(context);
    if (status == SATB_OK)
        device->stages[device->stage_count++] = stage;
    return status;
}

static satb_status cuda_finish(satb_context *context)
{
    const cuda_device *const device = context->device;
    satb_status status = mark(context);

    if (status == SATB_OK)
        status = check(context, cudaStreamSynchronize(device->stream), "running on it");
    double stages[SATB_STAGES] = {0};
    for (int i = 0; i < device->stage_count && status == SATB_OK; i++) {
        float ms = 0;
        status = check(context, cudaEventElapsedTime(&ms, device->marks[i], device->marks[i + 1]),
                       "timing it");
        stages[device->stages[i]] += ms;
    }
    if (status == SATB_OK)
        satb_set_timings(context, stages);
    return status;
}

const satb_backend satb_backend_cuda = {
    .open = cuda_open,
    .close = cuda_close,
    .reserve = cuda_reserve,
    .upload = cuda_upload,
    .upload_bytes = cuda_upload_bytes,
    .output = cuda_output,
    .download = cuda_download,
    .output_bytes = cuda_output_bytes,
    .fetch = cuda_fetch,
    .sat = cuda_sat,
    .blur = cuda_blur,
    .layer = cuda_layer,
    .histogram = cuda_histogram,
    .reduce = cuda_reduce,
    .scan = cuda_scan,
    .compact = cuda_compact,
    .sort = cuda_sort,
    .luma = cuda_luma,
    .equalize = cuda_equalize,
    .settle = cuda_settle,
    .begin = cuda_begin,
    .finish = cuda_finish,
};
