#include "cuda/cuda_memory.h"

#include "base/size.h"
#include "cuda/cuda_device.h"

#include <pthread.h>
#include <stdatomic.h>

#define KEPT_FREE ((size_t)256 << 20)

static void give_back(cuda_device *device, satb_slot slot)
{
    cuda_buffer *const buffer = &device->slots[slot];

    (void)cudaFree(buffer->data);
    device->held -= buffer->size;
    *buffer = (cuda_buffer){0};
}

void satb_cuda_trim(satb_context *context)
{
    cuda_device *const device = context->device;

    (void)cudaSetDevice(device->index);
    for (int i = 0; i < SATB_SLOTS; i++)
        give_back(device, (satb_slot)i);
    (void)cudaFreeHost(device->host.data);
    device->host = (cuda_buffer){0};
    (void)cudaGetLastError();
}

static satb_status lacks_memory(satb_context *context, int error, size_t bytes)
{
    const cuda_device *const device = context->device;
    const satb_status status =
        error == cudaErrorMemoryAllocation ? SATB_ERR_DEVICE_NOMEM : SATB_ERR_DEVICE;

    (void)cudaGetLastError();
    return satb_fail(context, status, "%s: no memory for %zu KB beside %zu KB: %s", context->name,
                     bytes >> 10, device->held >> 10, cudaGetErrorString((cudaError_t)error));
}

/* Returns the bytes that the slot has to keep, see retain(). need NULL: nothing is needed. */
static size_t wanted_of(const cuda_device *device, const satb_need *need, satb_slot slot)
{
    const cuda_buffer *const buffer = &device->slots[slot];
    const size_t wanted = need ? need->bytes[slot] : 0;
    const int is_kept = device->keeps_images && buffer->data && buffer->holds == buffer->data;

    return is_kept && buffer->size > wanted ? buffer->size : wanted;
}

satb_status satb_cuda_reserve(satb_context *context, satb_slot slot, size_t bytes, void **data)
{
    cuda_device *const device = context->device;
    cuda_buffer *const buffer = &device->slots[slot];

    if (buffer->size < bytes) {
        give_back(device, slot);
        if (device->cap && (bytes > device->cap || device->held > device->cap - bytes))
            return lacks_memory(context, cudaErrorMemoryAllocation, bytes);
        const int error = cudaMalloc(&buffer->data, bytes);
        if (error != cudaSuccess) {
            buffer->data = NULL;
            return lacks_memory(context, error, bytes);
        }
        buffer->size = bytes;
        device->held += bytes;
        if (context->memory.peak < device->held)
            context->memory.peak = device->held;
    }
    *data = buffer->data;
    return SATB_OK;
}

/* Returns the bytes that all slots may have: the cap, but no more than are free, less some for the kernels' code and
 * stacks. The calling thread's current device may be another one: no call may be under way. Where the driver does not
 * say how much is free, the cap alone counts, and allocations show the rest. */
static size_t limit_of(const cuda_device *device)
{
    size_t available = 0, total = 0;

    if (cudaSetDevice(device->index) != cudaSuccess ||
        cudaMemGetInfo(&available, &total) != cudaSuccess) {
        (void)cudaGetLastError();
        return device->cap ? device->cap : SIZE_MAX;
    }
    const size_t kept = total / 16 < KEPT_FREE ? total / 16 : KEPT_FREE;
    const size_t limit = device->held + (available > kept ? available - kept : 0);
    return device->cap && device->cap < limit ? device->cap : limit;
}

int satb_cuda_fits(satb_context *context, const satb_need *need, size_t *limit)
{
    const cuda_device *const device = context->device;
    size_t bytes = 0;
    int is_there = 1;

    for (int i = 0; i < SATB_SLOTS; i++) {
        const size_t wanted = wanted_of(device, need, (satb_slot)i);
        bytes += wanted;
        is_there &= wanted <= device->slots[i].size;
    }
    if (is_there) /* for every picture of a size after the first */
        return 1;
    *limit = limit_of(device);
    return bytes <= *limit;
}

satb_status satb_cuda_reserve_all(satb_context *context, const satb_need *need)
{
    cuda_device *const device = context->device;
    size_t bytes = 0;
    satb_status status = SATB_OK;
    int grows = 0;

    for (int i = 0; i < SATB_SLOTS; i++) {
        const size_t size = device->slots[i].size;
        const size_t wanted = wanted_of(device, need, (satb_slot)i);
        bytes += size > wanted ? size : wanted;
        grows |= wanted > size;
    }
    const int is_short = need ? grows && bytes > limit_of(device) : device->cap > 0;
    for (int i = 0; i < SATB_SLOTS && is_short; i++)
        if (device->slots[i].size > wanted_of(device, need, (satb_slot)i))
            give_back(device, (satb_slot)i);
    for (int i = 0; i < SATB_SLOTS && need && status == SATB_OK; i++) {
        void *data;
        status = satb_cuda_reserve(context, (satb_slot)i, need->bytes[i], &data);
    }
    return status;
}

/* --- Copies ----------------------------------------------------------------------------------- */

static int is_whole(const satb_band *band, const satb_image *image)
{
    return band->begin == 0 && band->end == image->height && band->first == 0 &&
           band->last == image->height;
}

static satb_status reserve_plane(satb_context *context, satb_slot slot, const satb_image *image,
                                 const satb_band *band, satk_plane *plane)
{
    *plane = satb_plane_of(image);
    plane->height = band->end - band->begin;
    plane->pitch = (ptrdiff_t)satb_pitch(image);
    return satb_cuda_reserve(context, slot, (size_t)plane->pitch * (size_t)plane->height,
                             &plane->data);
}

/* Returns whether kernels can read, or write, a whole image where it is: on the device, in rows of whole 16 bytes. Kernels
 * load, and store, as many at a time. */
static int is_direct(const satb_band *band, const satb_image *image)
{
    return image->on_device && is_whole(band, image) && (uintptr_t)image->data % 16 == 0 &&
           image->stride % 16 == 0 && satb_row_bytes(image) % 16 == 0;
}

/* Returns whether kernels have left the image in a slot. */
static int is_own(const cuda_device *device, const satb_image *image)
{
    for (int i = 0; i < SATB_SLOTS; i++)
        if (image->on_device && device->slots[i].data == image->data)
            return 1;
    return 0;
}

static const uint8_t *end_of(const satb_image *image)
{
    return (const uint8_t *)image->data + (ptrdiff_t)(image->height - 1) * image->stride +
           satb_row_bytes(image);
}

/* Returns whether an image has memory of one that kernels read. */
static int overlaps_lent(const cuda_device *device, const satb_image *image)
{
    const uint8_t *const begin = image->data, *const end = end_of(image);

    for (int i = 0; i < SATB_SLOTS; i++)
        if (device->slots[i].lent && begin < device->slots[i].lent_end &&
            device->slots[i].lent < end)
            return 1;
    return 0;
}

satb_status satb_cuda_output(satb_context *context, satb_slot slot, const satb_image *image,
                             const satb_band *band, satk_plane *plane)
{
    cuda_device *const device = context->device;

    device->slots[slot].holds = NULL;
    if (!is_direct(band, image) || overlaps_lent(device, image))
        return reserve_plane(context, slot, image, band, plane);
    *plane = satb_plane_of(image);
    return SATB_OK;
}

/* Copies rows beyond the picture one by one from where the edge mode finds them, all others at once. */
satb_status satb_cuda_upload(satb_context *context, satb_slot slot, const satb_image *image,
                             const satb_band *band, satk_plane *plane)
{
    cuda_device *const device = context->device;
    cuda_buffer *const buffer = &device->slots[slot];
    int rows;

    buffer->lent = NULL;
    if (is_direct(band, image) || (is_own(device, image) && is_whole(band, image))) {
        *plane = satb_plane_of(image);
        buffer->lent = image->data;
        buffer->lent_end = end_of(image);
        return SATB_OK;
    }
    satb_status status = reserve_plane(context, slot, image, band, plane);
    if (status != SATB_OK || (buffer->holds == image->data && is_whole(band, image)))
        return status;
    buffer->holds = NULL;
    device->host_images |= !image->on_device;
    for (int y = band->begin; y < band->end && status == SATB_OK; y += rows) {
        const int inside = y >= 0 && y < image->height;
        const int end = band->end < image->height ? band->end : image->height;
        const int row = inside ? y : satb_row_at(band->edge, y, image->height);
        rows = inside ? end - y : 1;
        status = satb_cuda_check(
            context,
            cudaMemcpy2DAsync((uint8_t *)plane->data + (y - band->begin) * plane->pitch,
                              (size_t)plane->pitch,
                              (const uint8_t *)image->data + row * image->stride,
                              (size_t)image->stride, satb_row_bytes(image), (size_t)rows,
                              image->on_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice,
                              device->stream),
            "copying to it");
    }
    if (status == SATB_OK && is_whole(band, image))
        buffer->holds = image->data;
    return status;
}

satb_status satb_cuda_download(satb_context *context, const satk_plane *plane,
                               const satb_band *band, const satb_image *image)
{
    cuda_device *const device = context->device;
    const uint8_t *const from =
        (const uint8_t *)plane->data + (band->first - band->begin) * plane->pitch;

    if (plane->data == image->data) /* kernels have written to it */
        return SATB_OK;
    for (int i = 0; i < SATB_SLOTS && is_whole(band, image); i++)
        if (device->slots[i].data == plane->data)
            device->slots[i].holds = image->data;
    device->host_images |= !image->on_device;
    return satb_cuda_check(
        context,
        cudaMemcpy2DAsync(
            (uint8_t *)image->data + band->first * image->stride, (size_t)image->stride, from,
            (size_t)plane->pitch, satb_row_bytes(image), (size_t)(band->last - band->first),
            image->on_device ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost, device->stream),
        "copying from it");
}

satb_status satb_cuda_copy(satb_context *context, const satk_plane *src, const satk_plane *dst)
{
    const cuda_device *const device = context->device;

    return satb_cuda_check(context,
                           cudaMemcpy2DAsync(dst->data, (size_t)dst->pitch, src->data,
                                             (size_t)src->pitch, satk_row_bytes(src),
                                             (size_t)src->height, cudaMemcpyDeviceToDevice,
                                             device->stream),
                           "copying within it");
}

/* --- Images on the device --------------------------------------------------------------------- */

int satb_cuda_reaches(satb_context *context, const void *data)
{
    const cuda_device *const device = context->device;
    struct cudaPointerAttributes at;
    const int is_known = cudaSetDevice(device->index) == cudaSuccess &&
                         cudaPointerGetAttributes(&at, data) == cudaSuccess;

    (void)cudaGetLastError();
    return is_known && ((at.type == cudaMemoryTypeDevice && at.device == device->index) ||
                        at.type == cudaMemoryTypeManaged);
}

/* Does not use download(), which would make a slot hold an image that the host may soon free. */
satb_status satb_cuda_to_host(satb_context *context, const satb_image *image,
                              const satb_image *host)
{
    const cuda_device *const device = context->device;

    int error = cudaSetDevice(device->index); /* this may come before a call's begin() */
    if (error == cudaSuccess)
        error = cudaMemcpy2DAsync(host->data, (size_t)host->stride, image->data,
                                  (size_t)image->stride, satb_row_bytes(image),
                                  (size_t)image->height, cudaMemcpyDeviceToHost, device->stream);
    const satb_status status = satb_cuda_check(context, error, "copying from it");
    return status == SATB_OK ? satb_cuda_wait(context) : status;
}

void satb_cuda_retain(satb_context *context, satb_slot slot)
{
    cuda_device *const device = context->device;

    device->slots[slot].holds = device->slots[slot].data;
    device->keeps_images = 1;
}

void satb_cuda_release(satb_context *context)
{
    ((cuda_device *)context->device)->keeps_images = 0;
}

satb_status satb_cuda_upload_bytes(satb_context *context, satb_slot slot, const void *bytes,
                                   size_t size, int once, const void **data)
{
    cuda_device *const device = context->device;
    void *to = NULL;

    satb_status status = satb_cuda_reserve(context, slot, size, &to);
    *data = to;
    if (status != SATB_OK || (once && device->slots[slot].is_filled))
        return status;
    status = satb_cuda_check(
        context, cudaMemcpyAsync(to, bytes, size, cudaMemcpyHostToDevice, device->stream),
        "copying to it");
    device->slots[slot].is_filled = once && status == SATB_OK;
    return status;
}

satb_status satb_cuda_output_bytes(satb_context *context, satb_slot slot, void *host, size_t bytes,
                                   void **data)
{
    (void)host;
    return satb_cuda_reserve(context, slot, bytes, data);
}

void *satb_cuda_host_buffer(satb_context *context, size_t bytes)
{
    cuda_device *const device = context->device;
    cuda_buffer *const host = &device->host;

    if (host->size >= bytes)
        return host->data;
    (void)cudaFreeHost(host->data);
    *host = (cuda_buffer){0};
    if (cudaSetDevice(device->index) == cudaSuccess &&
        cudaMallocHost(&host->data, bytes) == cudaSuccess)
        host->size = bytes;
    else
        *host = (cuda_buffer){0};
    (void)cudaGetLastError();
    return host->data;
}

/* --- Locked memory of the caller's ------------------------------------------------------------ */

static atomic_int pinned_on; /* the device that memory was locked for last */

/* Locks it for all devices. */
satb_status satb_pin(void *data, size_t bytes)
{
    int device = 0;
    int error = cudaGetDevice(&device);

    if (error == cudaSuccess)
        error = cudaHostRegister(data, bytes, cudaHostRegisterPortable);
    (void)cudaGetLastError();
    if (error != cudaSuccess)
        return SATB_ERR_UNAVAILABLE;
    pinned_on = device;
    return SATB_OK;
}

static void *unpin(void *data)
{
    (void)cudaSetDevice(pinned_on);
    (void)cudaHostUnregister(data);
    (void)cudaGetLastError();
    return NULL;
}

/* Unlocks in a thread that ends. The calling one keeps its current device then, and opens none: setting the device back
 * would open one that the thread has not used yet. */
void satb_unpin(void *data)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, unpin, data))
        unpin(data);
    else
        (void)pthread_join(thread, NULL);
}

satb_status satb_cuda_fetch(satb_context *context, void *host, const void *data, size_t bytes)
{
    const cuda_device *const device = context->device;
    const satb_status status = satb_cuda_check(
        context, cudaMemcpyAsync(host, data, bytes, cudaMemcpyDeviceToHost, device->stream),
        "copying from it");

    return status != SATB_OK ? status : satb_cuda_wait(context);
}
