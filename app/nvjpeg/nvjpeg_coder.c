/* Coders: opened when they are first needed, taken in turn, kept until the end, as nvJPEG's own buffers
 * grow to the size of the pictures once. */
#include "nvjpeg/nvjpeg.h"
#include "nvjpeg/nvjpeg_private.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct {
    coder *coders, **idle; /* idle: the one that has waited longest comes first */
    int count, waiting;
    nvjpegHandle_t handles[GPUS_MOST];
    engines gray[GPUS_MOST], rgb[GPUS_MOST];
    int gpus;
    atomic_bool is_short; /* nothing is retained */
    pthread_mutex_t lock;
    pthread_cond_t given;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .given = PTHREAD_COND_INITIALIZER};

/* For what the engines leave, and for GPUs without such. Of a photo of 1920x1080 and 0.5 MB they take 4.4 and 7.4 ms
 * of a processor, and of its gray map 1.8 and 1.6 (H200); with 24 jobs, folders of both went through at 616 images/s
 * by the first alone and 570 by the second. */
const coder_kind coder_kinds[DECODERS] = {
    {NVJPEG_BACKEND_GPU_HYBRID, "nvJPEG"},
    {NVJPEG_BACKEND_HYBRID, "nvJPEG (CPU and GPU)"},
};

/* --- Troubles --------------------------------------------------------------------------------- */

bool coder_did(coder *c, nvjpegStatus_t status)
{
    if (status == NVJPEG_STATUS_SUCCESS)
        return true;
    c->trouble = status == NVJPEG_STATUS_ALLOCATOR_FAILURE ? TROUBLE_MEMORY : TROUBLE_PICTURE;
    c->reason = "nvJPEG failed";
    c->is_soiled = true;
    return false;
}

bool coder_could(coder *c, cudaError_t error)
{
    if (error == cudaSuccess)
        return true;
    (void)cudaGetLastError(); /* a sticky error stays; any other must not surface in a later call */
    c->trouble = error == cudaErrorMemoryAllocation ? TROUBLE_MEMORY : TROUBLE_DEVICE;
    c->reason = cudaGetErrorString(error);
    c->is_soiled = true;
    return false;
}

/* As core/backend_cuda.c does it, and for its reason. */
cudaError_t coder_sleep(cudaEvent_t mark, cudaStream_t stream)
{
    const struct timespec pause = {.tv_nsec = 20000};
    cudaError_t error = cudaEventRecord(mark, stream);
    if (error != cudaSuccess)
        return error;
    while ((error = cudaEventQuery(mark)) == cudaErrorNotReady) {
        (void)cudaGetLastError();
        nanosleep(&pause, NULL);
    }
    return error;
}

bool coder_wait(coder *c)
{
    return coder_could(c, coder_sleep(c->mark, c->stream));
}

/* --- One coder -------------------------------------------------------------------------------- */

bool coder_reserve_pixels(coder *c, size_t size)
{
    if (c->pixels_size >= size)
        return true;
    (void)cudaFree(c->pixels);
    c->pixels = NULL;
    c->pixels_size = 0;
    if (!coder_could(c, cudaMalloc(&c->pixels, size))) {
        c->pixels = NULL;
        return false;
    }
    c->pixels_size = size;
    return true;
}

bool coder_reserve_packed(coder *c, size_t size)
{
    if (c->packed_size >= size)
        return true;
    (void)cudaFreeHost(c->packed);
    c->packed = NULL;
    c->packed_size = 0;
    if (!coder_could(c, cudaMallocHost(&c->packed, size + size / 4)))
        return false;
    c->packed_size = size + size / 4;
    return true;
}

static nvjpegStatus_t make_decoder(coder *c, int i)
{
    nvjpegStatus_t status =
        nvjpegDecoderCreate(c->handle, coder_kinds[i].backend, &c->decoders[i].decoder);
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

static void close_decoder(coder *c, int i)
{
    if (c->decoders[i].state)
        (void)nvjpegJpegStateDestroy(c->decoders[i].state);
    if (c->decoders[i].decoder)
        (void)nvjpegDecoderDestroy(c->decoders[i].decoder);
    c->decoders[i].state = NULL;
    c->decoders[i].decoder = NULL;
}

/* Kinds that this GPU lacks are left out, but not all. */
bool coder_open_decoders(coder *c)
{
    nvjpegStatus_t status = NVJPEG_STATUS_SUCCESS;
    int count = 0;
    if (c->has_decoders)
        return true;
    if (!coder_did(c, nvjpegBufferPinnedCreate(c->handle, NULL, &c->pinned_buffer)) ||
        !coder_did(c, nvjpegBufferDeviceCreate(c->handle, NULL, &c->device_buffer)))
        return false; /* soiled, and so not called again before it is made anew */
    for (int i = 0; i < DECODERS && status != NVJPEG_STATUS_ALLOCATOR_FAILURE; i++) {
        status = make_decoder(c, i);
        if (status != NVJPEG_STATUS_SUCCESS)
            close_decoder(c, i);
        else
            count++;
    }
    c->has_decoders = count > 0 && status != NVJPEG_STATUS_ALLOCATOR_FAILURE;
    return c->has_decoders || coder_did(c, status);
}

/* The stream has the highest priority, as nvJPEG waits awake in the middle of encoding, for kernels that are short. With
 * that of the blurs', whose kernels are long, folders of photos on an H200 went through at 1514 images/s for 1627 and
 * took 31.7 s of the processors for 26.0 (medians of three in turn). */
static bool open_all(coder *c)
{
    return coder_could(c,
                       cudaStreamCreateWithPriority(&c->stream, cudaStreamNonBlocking, INT_MIN)) &&
           coder_could(c, cudaEventCreateWithFlags(&c->mark, cudaEventDisableTiming)) &&
           coder_did(c, nvjpegJpegStreamCreate(c->handle, &c->file)) &&
           coder_did(c, nvjpegDecodeParamsCreate(c->handle, &c->decoding)) &&
           coder_did(c, nvjpegEncoderStateCreate(c->handle, &c->encoder, c->stream)) &&
           coder_did(c, nvjpegEncoderParamsCreate(c->handle, &c->encoding, c->stream));
}

/* In the reverse order; each may be missing. */
static void close_all(coder *c)
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
    (void)cudaFreeHost(c->packed);
    (void)cudaFree(c->pixels);
    if (c->mark)
        (void)cudaEventDestroy(c->mark);
    if (c->stream)
        (void)cudaStreamDestroy(c->stream);
    (void)cudaGetLastError();
    *c = (coder){.device = c->device, .handle = c->handle, .gray = c->gray, .rgb = c->rgb};
}

/* nvJPEG's objects belong to a device, which must be the calling thread's current one. */
static bool ready(coder *c)
{
    c->trouble = TROUBLE_NONE;
    if (!coder_could(c, cudaSetDevice(c->device)))
        return false;
    c->is_open = c->is_open || open_all(c);
    return c->is_open;
}

/* Closes the idle coders of that GPU, which is then the thread's current device. Returns whether any was open. The
 * engines' memory stays: it is less, and takes half a second to be made again. */
static bool trim_coders(int gpu)
{
    bool any = false;
    if (pool.count == 0 || cudaSetDevice(gpu) != cudaSuccess)
        return false;
    pthread_mutex_lock(&pool.lock);
    for (int i = 0; i < pool.waiting; i++)
        if (pool.idle[i]->device == gpu && pool.idle[i]->is_open) {
            close_all(pool.idle[i]);
            any = true;
        }
    pthread_mutex_unlock(&pool.lock);
    return any;
}

bool nvjpeg_trim(int gpu)
{
    const bool any = device_pixels_trim(gpu);
    return trim_coders(gpu) || any;
}

void nvjpeg_set_short(bool is_short)
{
    pool.is_short = is_short;
    device_pixels_set_short(is_short);
    for (int i = 0; i < pool.gpus && is_short; i++)
        (void)nvjpeg_trim(pool.coders[i].device);
}

/* What met the end of memory in the middle is made anew. */
bool coder_again(coder *c)
{
    if (c->trouble != TROUBLE_MEMORY || !nvjpeg_trim(c->device))
        return false;
    close_all(c);
    return ready(c);
}

/* Where the first such is among those that wait; their number: none does. */
static int find_idle(int gpu)
{
    int i = 0;
    while (i < pool.waiting && gpu != ANY_GPU && pool.idle[i]->device != gpu)
        i++;
    return i;
}

coder *coder_take(int gpu)
{
    int at;
    if (pool.count == 0)
        return NULL;
    pthread_mutex_lock(&pool.lock);
    while ((at = find_idle(gpu)) == pool.waiting)
        pthread_cond_wait(&pool.given, &pool.lock);
    coder *const c = pool.idle[at];
    pool.waiting--;
    memmove(pool.idle + at, pool.idle + at + 1, (size_t)(pool.waiting - at) * sizeof *pool.idle);
    pthread_mutex_unlock(&pool.lock);
    (void)(ready(c) || coder_again(c));
    return c;
}

/* Who waits may want another one than this. */
void coder_give(coder *c)
{
    if (c->is_soiled || pool.is_short)
        close_all(c);
    pthread_mutex_lock(&pool.lock);
    pool.idle[pool.waiting++] = c;
    if (pool.gpus > 1)
        pthread_cond_broadcast(&pool.given);
    else
        pthread_cond_signal(&pool.given);
    pthread_mutex_unlock(&pool.lock);
}

/* --- All -------------------------------------------------------------------------------------- */

/* Colours are interpolated, as libjpeg does it. Not NVJPEG_FLAGS_BITSTREAM_STRICT: what is in perfect order needs no
 * second look, which takes 0.13 ms of a photo while all others of its batch wait: 2340 a second for 4160 in batches
 * of 7. With the engines, if the GPU has such. */
static nvjpegStatus_t open_handle(nvjpegHandle_t *handle, bool *has_engines)
{
    const unsigned flags = NVJPEG_FLAGS_UPSAMPLING_WITH_INTERPOLATION;
    const nvjpegStatus_t status =
        nvjpegCreateEx(NVJPEG_BACKEND_HARDWARE, NULL, NULL, flags, handle);

    *has_engines = status == NVJPEG_STATUS_SUCCESS;
    return *has_engines ? status
                        : nvjpegCreateEx(NVJPEG_BACKEND_DEFAULT, NULL, NULL, flags, handle);
}

/* What all coders of a GPU share. */
static bool open_shared(int i, bool has_engines)
{
    coder *const c = &pool.coders[i];
    for (int j = i; j < pool.count; j += pool.gpus) {
        pool.coders[j].handle = pool.handles[i];
        pool.coders[j].gray = has_engines ? &pool.gray[i] : NULL;
        pool.coders[j].rgb = has_engines ? &pool.rgb[i] : NULL;
    }
    return !has_engines || (engines_open(&pool.gray[i], c, NVJPEG_OUTPUT_Y) &&
                            engines_open(&pool.rgb[i], c, NVJPEG_OUTPUT_RGBI));
}

/* One GPU's handle, and the first coder on it, so that what does not work shows now. */
static bool open_gpu(int i, problem *p)
{
    coder *const c = &pool.coders[i];
    bool has_engines = false;
    if (!coder_could(c, cudaSetDevice(c->device)))
        return problem_set(p, "--codec gpu: no usable CUDA device %d: %s; leave out --codec gpu",
                           c->device, c->reason);
    const nvjpegStatus_t status = open_handle(&pool.handles[i], &has_engines);
    if (status != NVJPEG_STATUS_SUCCESS) {
        pool.handles[i] = NULL;
        return problem_set(p,
                           "--codec gpu: nvJPEG does not work on CUDA device %d (status %d); "
                           "leave out --codec gpu",
                           c->device, (int)status);
    }
    device_pixels_open(c->device);
    return (open_shared(i, has_engines) && ready(c) && (has_engines || coder_open_decoders(c))) ||
           problem_set(p, "--codec gpu: CUDA device %d: %s; leave out --codec gpu", c->device,
                       c->reason);
}

static bool find_gpus(int first, int count, problem *p)
{
    int there = 0;
    const cudaError_t error = cudaGetDeviceCount(&there);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return problem_set(p, "--codec gpu: no usable CUDA device: %s; leave out --codec gpu",
                           cudaGetErrorString(error));
    }
    return (first + count <= there && count <= GPUS_MOST) ||
           problem_set(p, "--codec gpu: no CUDA device %d: there are %d", first + count - 1, there);
}

/* How many coders half of a GPU's memory is enough for, at the size of photos of 24 million pixels; jobs wait while there
 * is none. The other half is for contexts and pictures. What does not work shows in open_gpu(). */
static size_t count_fitting(int gpu)
{
    size_t free_bytes = 0, total = 0;
    if (cudaSetDevice(gpu) != cudaSuccess || cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
        (void)cudaGetLastError();
    return free_bytes / 2 / CODER_BYTES;
}

/* As many as have users and fit the GPUs; one on each at least. */
static int count_coders(int first, int count, int users)
{
    size_t each = CODERS_PER_GPU;
    for (int i = 0; i < count; i++) {
        const size_t fitting = count_fitting(first + i);
        each = fitting < each ? fitting : each;
    }
    const int most = (each > 0 ? (int)each : 1) * count;
    return users < count ? count : users < most ? users : most;
}

bool nvjpeg_open(int first, int count, int users, problem *p)
{
    if (!find_gpus(first, count, p))
        return false;
    pool.count = count_coders(first, count, users);
    pool.gpus = count;
    pool.coders = calloc((size_t)pool.count, sizeof *pool.coders);
    pool.idle = calloc((size_t)pool.count, sizeof *pool.idle);
    bool done = (pool.coders && pool.idle) || problem_set(p, "not enough memory");
    for (int i = 0; i < pool.count && done; i++) {
        pool.coders[i].device = first + i % count;
        pool.idle[i] = &pool.coders[i];
    }
    for (int i = 0; i < count && done; i++)
        done = open_gpu(i, p);
    pool.waiting = pool.count;
    if (!done)
        nvjpeg_close();
    return done;
}

static void close_gpu(int i)
{
    (void)cudaSetDevice(pool.coders[i].device);
    engines_close(&pool.gray[i]);
    engines_close(&pool.rgb[i]);
    if (pool.handles[i])
        (void)nvjpegDestroy(pool.handles[i]);
    pool.handles[i] = NULL;
}

void nvjpeg_close(void)
{
    for (int i = 0; pool.coders && i < pool.count; i++)
        if (cudaSetDevice(pool.coders[i].device) == cudaSuccess)
            close_all(&pool.coders[i]);
    device_pixels_close();
    for (int i = 0; pool.coders && i < pool.gpus; i++)
        close_gpu(i);
    (void)cudaGetLastError();
    free(pool.coders);
    free(pool.idle);
    pool.coders = NULL;
    pool.idle = NULL;
    pool.count = pool.waiting = pool.gpus = 0;
    pool.is_short = false;
}
