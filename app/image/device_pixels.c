/* The GPUs' memory that pictures stay in from decoding to encoding. */
#include "image/device_pixels.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { BLOCKS_MOST = 2048, SLACK = 2 << 20 };

typedef struct block {
    void *data;
    size_t size;
    int gpu;
    bool is_used;
} block;

typedef struct share { /* of a GPU */
    int gpu;
    size_t room, taken;
} share;

static struct {
    pthread_mutex_t lock;
    block blocks[BLOCKS_MOST]; /* the one that was freed last comes last */
    int count;
    share shares[DEVICE_PIXELS_GPUS];
    int gpus;
    atomic_bool is_short;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Contexts must find memory, too: what pictures leave them decides on their bands. The thread's current device is that
 * GPU. */
void device_pixels_open(int gpu)
{
    size_t free_bytes = 0, total = 0;
    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
        (void)cudaGetLastError();
    all.shares[all.gpus++] = (share){.gpu = gpu, .room = free_bytes / 4};
}

static share *share_of(int gpu)
{
    for (int i = 0; i < all.gpus; i++)
        if (all.shares[i].gpu == gpu)
            return &all.shares[i];
    return NULL;
}

static block take_out(int i)
{
    const block b = all.blocks[i];
    all.count--;
    memmove(all.blocks + i, all.blocks + i + 1, (size_t)(all.count - i) * sizeof *all.blocks);
    return b;
}

static void give_back(share *s, int i)
{
    const block b = take_out(i);
    (void)cudaFree(b.data);
    s->taken -= b.size;
}

/* A kept one that is large enough, and not by far too large. */
static void *find_kept(int gpu, size_t size)
{
    for (int i = all.count - 1; i >= 0; i--) {
        block *const b = &all.blocks[i];
        if (!b->is_used && b->gpu == gpu && b->size >= size && b->size - size <= size / 2 + SLACK) {
            b->is_used = true;
            return b->data;
        }
    }
    return NULL;
}

/* What is kept goes back, that which no picture has wanted for longest first, until there is room. Freeing waits for
 * all of the GPU's work. Returns how many. */
static int make_room(share *s, size_t size)
{
    const int before = all.count;
    for (int i = 0; i < all.count && (s->room - s->taken < size || all.count == BLOCKS_MOST);)
        if (!all.blocks[i].is_used && all.blocks[i].gpu == s->gpu)
            give_back(s, i);
        else
            i++;
    return before - all.count;
}

bool device_pixels_trim(int gpu)
{
    pthread_mutex_lock(&all.lock);
    share *const s = share_of(gpu);
    const bool any = s && make_room(s, SIZE_MAX) > 0;
    pthread_mutex_unlock(&all.lock);
    return any;
}

void device_pixels_set_short(bool is_short)
{
    all.is_short = is_short;
}

static void *make_new(share *s, size_t size)
{
    block b = {.size = size, .gpu = s->gpu, .is_used = true};
    if (size > s->room)
        return NULL;
    make_room(s, size);
    if (s->room - s->taken < size || all.count == BLOCKS_MOST)
        return NULL;
    if (cudaSetDevice(s->gpu) != cudaSuccess || cudaMalloc(&b.data, size) != cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    s->taken += size;
    all.blocks[all.count++] = b;
    return b.data;
}

void *device_pixels_allocate(int gpu, size_t size)
{
    pthread_mutex_lock(&all.lock);
    share *const s = share_of(gpu);
    void *data = s ? find_kept(gpu, size) : NULL;
    if (s && !data)
        data = make_new(s, size);
    pthread_mutex_unlock(&all.lock);
    return data;
}

static int find(const void *data)
{
    int i = all.count - 1;
    while (i >= 0 && all.blocks[i].data != data)
        i--;
    return i;
}

void device_pixels_free(void *data)
{
    pthread_mutex_lock(&all.lock);
    const int i = data ? find(data) : -1;
    if (i >= 0) {
        block b = take_out(i);
        b.is_used = false;
        all.blocks[all.count++] = b;
        if (all.is_short)
            give_back(share_of(b.gpu), all.count - 1);
    }
    pthread_mutex_unlock(&all.lock);
}

int device_pixels_gpu(const void *data)
{
    pthread_mutex_lock(&all.lock);
    const int gpu = all.blocks[find(data)].gpu;
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

bool device_pixels_fetch(const void *data, void *host, size_t size, problem *p)
{
    const int gpu = device_pixels_gpu(data);
    cudaError_t error = cudaSetDevice(gpu);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(host, data, size, cudaMemcpyDeviceToHost, cudaStreamPerThread);
    if (error == cudaSuccess)
        error = wait_for(cudaStreamPerThread);
    if (error == cudaSuccess)
        return true;
    (void)cudaGetLastError(); /* a sticky error stays; any other must not surface in a later call */
    (void)cudaStreamSynchronize(cudaStreamPerThread); /* the caller frees the memory next */
    return problem_set_oom(p, error == cudaErrorMemoryAllocation,
                          "CUDA device %d failed at fetching pixels: %s", gpu,
                          cudaGetErrorString(error));
}

void device_pixels_close(void)
{
    for (int i = 0; i < all.count; i++)
        if (cudaSetDevice(all.blocks[i].gpu) == cudaSuccess)
            (void)cudaFree(all.blocks[i].data);
    (void)cudaGetLastError();
    all.count = all.gpus = 0;
    all.is_short = false;
}
