#include "cuda/cuda_device.h"

#include <stdatomic.h>
#include <time.h>

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

satb_status satb_cuda_select(satb_context *context)
{
    const cuda_device *const device = context->device;

    return satb_cuda_check(context, cudaSetDevice(device->index), "selecting it");
}

/* --- Waiting ---------------------------------------------------------------------------------- */

static atomic_int open_contexts; /* of all threads */

void satb_cuda_count_context(int more)
{
    open_contexts += more;
}

/* Polls: an event of cudaEventBlockingSync wakes later where many contexts wait. */
static int sleep_until(cudaEvent_t mark)
{
    const struct timespec pause = {.tv_nsec = 20000}; /* and a timer's delay of 50 us */
    int error;

    while ((error = cudaEventQuery(mark)) == cudaErrorNotReady) {
        (void)cudaGetLastError();
        nanosleep(&pause, NULL);
    }
    return error;
}

/* Waits for the device. A single context spins, which ends soonest. Several contexts sleep, since
 * others need the processor. */
satb_status satb_cuda_wait(satb_context *context)
{
    const cuda_device *const device = context->device;
    int error = cudaSuccess;

    if (open_contexts > 1) {
        error = cudaEventRecord(device->reached, device->stream);
        if (error == cudaSuccess)
            error = sleep_until(device->reached);
    } else {
        error = cudaStreamSynchronize(device->stream);
    }
    return satb_cuda_check(context, error, "running on it");
}

/* --- Streams ---------------------------------------------------------------------------------- */

/* Slots are reused by later calls, so these start after the last one, which may be under way on the old stream. That stream
 * may be gone, but the event is the context's. */
satb_status satb_cuda_set_stream(satb_context *context, void *stream)
{
    cuda_device *const device = context->device;
    const cudaStream_t next = stream == SATB_OWN_STREAM ? device->own : (cudaStream_t)stream;

    satb_status status = satb_cuda_select(context);
    if (status != SATB_OK)
        return status;
    int error = cudaStreamWaitEvent(next, device->reached, 0);
    if (error == cudaSuccess) /* fails if the stream is another device's */
        error = cudaEventRecord(device->reached, next);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return satb_fail(context, SATB_ERR_ARG, "stream: not one of %s: %s", context->name,
                         cudaGetErrorString((cudaError_t)error));
    }
    device->stream = next;
    return SATB_OK;
}

/* Returns whether a call may end before its work: nobody but the stream waits for the results. */
static int ends_early(const cuda_device *device)
{
    return device->stream != device->own && !device->host_images;
}

/* --- Stages ----------------------------------------------------------------------------------- */

/* Forgets the images of the call that ends. */
static void forget(cuda_device *device)
{
    if (device->keeps_images)
        return;
    for (int i = 0; i < SATB_SLOTS; i++)
        device->slots[i].holds = NULL;
}

/* Forgets where callers' images are. */
static void forget_lent(cuda_device *device)
{
    for (int i = 0; i < SATB_SLOTS; i++)
        device->slots[i].lent = NULL;
}

void satb_cuda_settle(satb_context *context)
{
    cuda_device *const device = context->device;

    forget(device);
    (void)cudaStreamSynchronize(device->stream);
    (void)cudaGetLastError(); /* the error that led here is reported already */
    device->under_way = 0;
}

static satb_status mark(satb_context *context)
{
    const cuda_device *const device = context->device;

    return satb_cuda_check(
        context, cudaEventRecord(device->marks[device->stage_count], device->stream), "timing it");
}

/* Ends the last stage, waits, and adds up the times of the stages. */
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
        device->timings.ms[device->stages[i]] += ms;
    }
    device->stage_count = 0;
    return status;
}

static satb_status begin_call(satb_context *context)
{
    cuda_device *const device = context->device;

    device->stage_count = 0;
    device->timings = (satb_timings){{0}};
    forget(device);
    forget_lent(device);
    device->under_way = 1;
    device->host_images = 0;
    context->memory.bands = 1;
    return satb_cuda_select(context);
}

satb_status satb_cuda_begin(satb_context *context, satb_stage stage)
{
    cuda_device *const device = context->device;
    satb_status status = SATB_OK;

    if (!device->under_way)
        status = begin_call(context);
    else if (device->stage_count == SATB_MARKS) /* bands have more stages than there are marks */
        status = add_up_stages(context);
    if (status == SATB_OK)
        status = mark(context);
    if (status == SATB_OK)
        device->stages[device->stage_count++] = stage;
    return status;
}

satb_status satb_cuda_pause(satb_context *context)
{
    const cuda_device *const device = context->device;

    return device->host_images ? satb_cuda_finish(context) : SATB_OK;
}

/* The stages of a call that ends early are not timed. */
satb_status satb_cuda_finish(satb_context *context)
{
    cuda_device *const device = context->device;
    const int is_early = ends_early(device);
    const satb_status status =
        is_early ? satb_cuda_check(context, cudaEventRecord(device->reached, device->stream),
                                   "queueing on it")
                 : add_up_stages(context);

    if (status == SATB_OK) {
        context->timings = is_early ? (satb_timings){{0}} : device->timings;
        device->under_way = 0;
    }
    return status;
}
