/* The codecs: made when they are first needed, acquired in turn and retained until the end, as nvJPEG's buffers grow
 * to the size of the pictures once. */
#include "nvjpeg/nvjpeg.h"
#include "nvjpeg/nvjpeg_private.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static struct {
    nvjpeg_codec *codecs; /* codec i is on GPU i modulo gpus */
    nvjpeg_codec **idle;  /* the one that is idle for longest comes first */
    int count, idle_count;
    nvjpegHandle_t handles[GPUS_MOST];
    hw_decoder gray[GPUS_MOST], rgb[GPUS_MOST];
    int gpus;
    atomic_bool is_low; /* nothing is retained */
    pthread_mutex_t lock;
    pthread_cond_t released[GPUS_MOST], any_released;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .any_released = PTHREAD_COND_INITIALIZER};

/* --- Memory ----------------------------------------------------------------------------------- */

/* Closes the idle codecs of that GPU, which is then the thread's current device. Returns whether any was open. The
 * hardware decoder's memory stays: it is less, and takes half a second to be made again. */
static bool trim_codecs(int gpu)
{
    bool any = false;
    if (pool.count == 0 || cudaSetDevice(gpu) != cudaSuccess)
        return false;
    pthread_mutex_lock(&pool.lock);
    for (int i = 0; i < pool.idle_count; i++)
        if (pool.idle[i]->device == gpu && pool.idle[i]->is_open) {
            nvjpeg_codec_close(pool.idle[i]);
            any = true;
        }
    pthread_mutex_unlock(&pool.lock);
    return any;
}

bool nvjpeg_trim(int gpu)
{
    const bool any = device_pixels_trim(gpu);
    return trim_codecs(gpu) || any;
}

void nvjpeg_set_low_memory(bool is_low)
{
    pool.is_low = is_low;
    device_pixels_set_low_memory(is_low);
    for (int i = 0; i < pool.gpus && is_low; i++)
        (void)nvjpeg_trim(pool.codecs[i].device);
}

bool nvjpeg_codec_retry(nvjpeg_codec *c)
{
    if (c->error != NVJPEG_ERROR_MEMORY || !nvjpeg_trim(c->device))
        return false;
    nvjpeg_codec_close(c);
    return nvjpeg_codec_open(c);
}

/* Returns the place of the first idle codec of that GPU; pool.idle_count: there is none. */
static int find_idle(int gpu)
{
    int i = 0;
    while (i < pool.idle_count && gpu != NVJPEG_ANY_GPU && pool.idle[i]->device != gpu)
        i++;
    return i;
}

/* The GPUs have consecutive numbers. */
static int index_of(int gpu)
{
    return gpu - pool.codecs[0].device;
}

nvjpeg_codec *nvjpeg_codec_acquire(int gpu)
{
    int at;
    if (pool.count == 0)
        return NULL;
    pthread_mutex_lock(&pool.lock);
    while ((at = find_idle(gpu)) == pool.idle_count)
        pthread_cond_wait(
            gpu == NVJPEG_ANY_GPU ? &pool.any_released : &pool.released[index_of(gpu)], &pool.lock);
    nvjpeg_codec *const c = pool.idle[at];
    pool.idle_count--;
    memmove(pool.idle + at, pool.idle + at + 1, (size_t)(pool.idle_count - at) * sizeof *pool.idle);
    pthread_mutex_unlock(&pool.lock);
    (void)(nvjpeg_codec_open(c) || nvjpeg_codec_retry(c));
    return c;
}

/* Wakes one thread that waits for a codec of this GPU, and one that waits for any: waking all costs more of the
 * system's time than the decoding saves. */
void nvjpeg_codec_release(nvjpeg_codec *c)
{
    if (c->needs_reset || pool.is_low)
        nvjpeg_codec_close(c);
    pthread_mutex_lock(&pool.lock);
    pool.idle[pool.idle_count++] = c;
    pthread_cond_signal(&pool.released[index_of(c->device)]);
    pthread_cond_signal(&pool.any_released);
    pthread_mutex_unlock(&pool.lock);
}

/* --- All -------------------------------------------------------------------------------------- */

/* Opens the hardware decoder where the GPU has one. Colours are interpolated, as libjpeg does it. Files were
 * validated, so NVJPEG_FLAGS_BITSTREAM_STRICT is left out: it would check each picture again, while the others of its
 * batch wait. */
static nvjpegStatus_t open_handle(nvjpegHandle_t *handle, bool *has_hardware)
{
    const unsigned flags = NVJPEG_FLAGS_UPSAMPLING_WITH_INTERPOLATION;
    const nvjpegStatus_t status =
        nvjpegCreateEx(NVJPEG_BACKEND_HARDWARE, NULL, NULL, flags, handle);

    *has_hardware = status == NVJPEG_STATUS_SUCCESS;
    return *has_hardware ? status
                         : nvjpegCreateEx(NVJPEG_BACKEND_DEFAULT, NULL, NULL, flags, handle);
}

/* Gives all codecs of a GPU the parts that they share. */
static bool open_shared(int i, bool has_hardware)
{
    nvjpeg_codec *const c = &pool.codecs[i];
    for (int j = i; j < pool.count; j += pool.gpus) {
        pool.codecs[j].handle = pool.handles[i];
        pool.codecs[j].gray = has_hardware ? &pool.gray[i] : NULL;
        pool.codecs[j].rgb = has_hardware ? &pool.rgb[i] : NULL;
    }
    return !has_hardware || (hw_decoder_open(&pool.gray[i], c, NVJPEG_OUTPUT_Y) &&
                             hw_decoder_open(&pool.rgb[i], c, NVJPEG_OUTPUT_RGBI));
}

/* Opens one GPU's handle and the first codec on it, so that a failure shows now. */
static bool open_gpu(int i, problem *p)
{
    nvjpeg_codec *const c = &pool.codecs[i];
    bool has_hardware = false;
    if (!nvjpeg_codec_could(c, cudaSetDevice(c->device)))
        return problem_set(p, "--codec gpu: no usable CUDA device %d: %s; leave out --codec gpu",
                           c->device, c->reason);
    const nvjpegStatus_t status = open_handle(&pool.handles[i], &has_hardware);
    if (status != NVJPEG_STATUS_SUCCESS) {
        pool.handles[i] = NULL;
        return problem_set(p,
                           "--codec gpu: nvJPEG does not work on CUDA device %d (status %d); "
                           "leave out --codec gpu",
                           c->device, (int)status);
    }
    device_pixels_open(c->device);
    return (open_shared(i, has_hardware) && nvjpeg_codec_open(c) &&
            (has_hardware || nvjpeg_codec_open_decoders(c))) ||
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

/* Returns how many codecs fit half of a GPU's memory, at the size of photos of 24 million pixels; jobs wait for a
 * codec. The other half is for contexts and pictures. An error shows in open_gpu(). */
static size_t count_fitting(int gpu)
{
    size_t free_bytes = 0, total = 0;
    if (cudaSetDevice(gpu) != cudaSuccess || cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
        (void)cudaGetLastError();
    return free_bytes / 2 / CODEC_BYTES;
}

/* Returns the number of users, or of codecs that fit the GPUs if that is less; one on each GPU at least. */
static int count_codecs(int first, int count, int users)
{
    size_t each = CODECS_PER_GPU;
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
    pool.count = count_codecs(first, count, users);
    pool.gpus = count;
    pool.codecs = calloc((size_t)pool.count, sizeof *pool.codecs);
    pool.idle = calloc((size_t)pool.count, sizeof *pool.idle);
    bool done = (pool.codecs && pool.idle) || problem_set(p, "not enough memory");
    for (int i = 0; i < pool.count && done; i++) {
        pool.codecs[i].device = first + i % count;
        pool.idle[i] = &pool.codecs[i];
    }
    for (int i = 0; i < count; i++)
        pthread_cond_init(&pool.released[i], NULL);
    for (int i = 0; i < count && done; i++)
        done = open_gpu(i, p);
    pool.idle_count = pool.count;
    if (!done)
        nvjpeg_close();
    return done;
}

static void close_gpu(int i)
{
    (void)cudaSetDevice(pool.codecs[i].device);
    hw_decoder_close(&pool.gray[i]);
    hw_decoder_close(&pool.rgb[i]);
    if (pool.handles[i])
        (void)nvjpegDestroy(pool.handles[i]);
    pool.handles[i] = NULL;
}

void nvjpeg_close(void)
{
    for (int i = 0; pool.codecs && i < pool.count; i++)
        if (cudaSetDevice(pool.codecs[i].device) == cudaSuccess)
            nvjpeg_codec_close(&pool.codecs[i]);
    device_pixels_close();
    for (int i = 0; pool.codecs && i < pool.gpus; i++)
        close_gpu(i);
    (void)cudaGetLastError();
    for (int i = 0; i < pool.gpus; i++)
        pthread_cond_destroy(&pool.released[i]);
    free(pool.codecs);
    free(pool.idle);
    pool.codecs = NULL;
    pool.idle = NULL;
    pool.count = pool.idle_count = pool.gpus = 0;
    pool.is_low = false;
}
