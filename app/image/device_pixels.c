/* The GPUs' memory that pictures stay in from decoding to encoding. */
#include "image/device_pixels.h"

#include "image/block_cache.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

typedef struct share { /* of a GPU, in bytes */
    int gpu;
    size_t most, taken;
} share;

static struct {
    pthread_mutex_t lock;
    block_cache cache;
    share shares[DEVICE_PIXELS_GPUS];
    int gpus;
    atomic_bool is_low;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

void device_pixels_open(int gpu)
{
    size_t free_bytes = 0, total = 0;
    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
        (void)cudaGetLastError();
    all.shares[all.gpus++] = (share){.gpu = gpu, .most = free_bytes / 4};
}

static share *share_of(int gpu)
{
    for (int i = 0; i < all.gpus; i++)
        if (all.shares[i].gpu == gpu)
            return &all.shares[i];
    return NULL;
}

static void give_back(share *s, int at)
{
    const block b = block_remove(&all.cache, at);
    (void)cudaFree(b.data);
    s->taken -= b.size;
}

/* Gives retained blocks back, the longest idle one first, until there are `size` bytes. Freeing waits for all of the GPU's
 * work. Returns how many. */
static int make_space(share *s, size_t size)
{
    int count = 0, at;
    while ((s->most - s->taken < size || all.cache.count == BLOCKS_MOST) &&
           (at = block_oldest(&all.cache, s->gpu)) >= 0) {
        give_back(s, at);
        count++;
    }
    return count;
}

bool device_pixels_trim(int gpu)
{
    pthread_mutex_lock(&all.lock);
    share *const s = share_of(gpu);
    const bool any = s && make_space(s, SIZE_MAX) > 0;
    pthread_mutex_unlock(&all.lock);
    return any;
}

void device_pixels_set_low_memory(bool is_low)
{
    all.is_low = is_low;
}

static void *make_new(share *s, size_t size)
{
    block b = {.size = size, .gpu = s->gpu, .is_used = true};
    if (size > s->most)
        return NULL;
    make_space(s, size);
    if (s->most - s->taken < size || all.cache.count == BLOCKS_MOST)
        return NULL;
    if (cudaSetDevice(s->gpu) != cudaSuccess || cudaMalloc(&b.data, size) != cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    s->taken += size;
    block_add(&all.cache, b);
    return b.data;
}

void *device_pixels_allocate(int gpu, size_t size)
{
    pthread_mutex_lock(&all.lock);
    share *const s = share_of(gpu);
    void *data = s ? block_take(&all.cache, gpu, size) : NULL;
    if (s && !data)
        data = make_new(s, size);
    pthread_mutex_unlock(&all.lock);
    return data;
}

void device_pixels_free(void *data)
{
    pthread_mutex_lock(&all.lock);
    int at = data ? block_find(&all.cache, data) : -1;
    if (at >= 0)
        at = block_retire(&all.cache, at);
    if (at >= 0 && all.is_low)
        give_back(share_of(all.cache.blocks[at].gpu), at);
    pthread_mutex_unlock(&all.lock);
}

int device_pixels_gpu(const void *data)
{
    pthread_mutex_lock(&all.lock);
    const int gpu = all.cache.blocks[block_find(&all.cache, data)].gpu;
    pthread_mutex_unlock(&all.lock);
    return gpu;
}

/* Asleep, as other threads need the processor. */
static cudaError_t wait_for(cudaStream_t stream)
{
    const struct timespec pause = {.tv_nsec = 20000};
    cudaError_t error;
    while ((error = cudaStreamQuery(stream)) == cudaErrorNotReady) {
        (void)cudaGetLastError();
        nanosleep(&pause, NULL);
    }
    return error;
}

/* Rows that are dense on both sides are one copy, as CUDA limits the pitch of others. */
static cudaError_t queue_rows(const void *data, size_t stride, void *host, size_t row, size_t rows)
{
    if (stride == row)
        return cudaMemcpyAsync(host, data, row * rows, cudaMemcpyDeviceToHost, cudaStreamPerThread);
    return cudaMemcpy2DAsync(host, row, data, stride, row, rows, cudaMemcpyDeviceToHost,
                             cudaStreamPerThread);
}

bool device_pixels_fetch(const void *data, size_t stride, void *host, size_t row, size_t rows,
                         problem *p)
{
    const int gpu = device_pixels_gpu(data);
    cudaError_t error = cudaSetDevice(gpu);
    if (error == cudaSuccess)
        error = queue_rows(data, stride, host, row, rows);
    if (error == cudaSuccess)
        error = wait_for(cudaStreamPerThread);
    if (error == cudaSuccess)
        return true;
    (void)cudaGetLastError(); /* a sticky error stays; any other must not surface in a later call */
    (void)cudaStreamSynchronize(cudaStreamPerThread); /* the caller frees the memory next */
    return problem_set_kind(
        p, error == cudaErrorMemoryAllocation ? PROBLEM_DEVICE_MEMORY : PROBLEM_PLAIN,
        "CUDA device %d failed at fetching pixels: %s", gpu, cudaGetErrorString(error));
}

void device_pixels_close(void)
{
    for (int i = 0; i < all.cache.count; i++)
        if (cudaSetDevice(all.cache.blocks[i].gpu) == cudaSuccess)
            (void)cudaFree(all.cache.blocks[i].data);
    (void)cudaGetLastError();
    all.cache.count = all.gpus = 0;
    all.is_low = false;
}
