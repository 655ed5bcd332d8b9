// A CUDA device made of one host thread. What it proves: every line of the kernels, of their
// launchers and of the CUDA back end computes the right bits, whichever thread comes first. What it
// cannot: races among blocks, timing, and whatever a real driver does.
#include "cuda_runtime.h"

#include <chrono>
#include <csetjmp>
#include <cstdio>
#include <memory>
#include <ucontext.h>
#include <vector>

dim3 threadIdx, blockIdx, blockDim, gridDim;

// --- Threads of a block --------------------------------------------------------------------------

namespace
{

enum { STACK = 64 << 10, WARP = 32, MOST_THREADS = 1024 };

struct lane_exchange {
    uint64_t value[WARP];
    unsigned arrived, left; // lanes that gave their value; lanes that have read everybody's
};

// A thread lives for ever on a stack of its own and runs one body per block. It is entered by
// setcontext() once, and after that by _longjmp(), which needs no system call.
struct thread {
    std::unique_ptr<char[]> stack;
    jmp_buf at;
    dim3 index;
    bool done;
};

std::vector<thread> threads(MOST_THREADS);
jmp_buf scheduler;
const std::function<void()> *body;
size_t current, alive, waiting;
unsigned barrier; // how many barriers the block has passed
lane_exchange exchanges[MOST_THREADS / WARP][EMULATE_KINDS];
bool progress; // somebody could go on in this round

void let_others_run()
{
    if (!_setjmp(threads[current].at))
        _longjmp(scheduler, 1);
}

template <typename F> void wait_until(F ready)
{
    while (!ready())
        let_others_run();
    progress = true;
}

void live()
{
    for (;;) {
        (*body)();
        threads[current].done = true;
        progress = true;
        alive--;
        let_others_run();
    }
}

void resume(thread *t)
{
    if (_setjmp(scheduler))
        return; // it waits, or is done
    if (t->stack)
        _longjmp(t->at, 1);
    t->stack.reset(new char[STACK]);
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = t->stack.get();
    context.uc_stack.ss_size = STACK;
    makecontext(&context, live, 0);
    setcontext(&context);
}

// Every other block runs its threads backwards: a missing barrier shows in one of the two.
void run_block(size_t count)
{
    alive = count;
    waiting = 0;
    memset(exchanges, 0, sizeof exchanges);
    for (unsigned i = 0; i < count; i++) {
        threads[i].index =
            dim3(i % blockDim.x, i / blockDim.x % blockDim.y, i / blockDim.x / blockDim.y);
        threads[i].done = false;
    }
    while (alive > 0) {
        progress = false;
        for (size_t i = 0; i < count; i++) {
            current = blockIdx.x % 2 ? count - 1 - i : i;
            if (!threads[current].done) {
                threadIdx = threads[current].index;
                resume(&threads[current]);
            }
        }
        if (!progress) {
            fprintf(stderr, "emulate: the threads of a block wait for each other for ever\n");
            abort();
        }
    }
}

} // namespace

void emulate(dim3 grid, dim3 block, const std::function<void()> &kernel)
{
    const size_t count = size_t(block.x) * block.y * block.z;
    if (count > MOST_THREADS || grid.x < 1 || grid.x > 2147483647u || grid.y > 65535 ||
        grid.z > 65535) {
        fprintf(stderr, "emulate: a launch beyond what a device takes\n");
        abort();
    }
    gridDim = grid;
    blockDim = block;
    body = &kernel;
    for (unsigned z = 0; z < grid.z; z++)
        for (unsigned y = 0; y < grid.y; y++)
            for (unsigned x = 0; x < grid.x; x++) {
                blockIdx = dim3(x, y, z);
                run_block(count);
            }
}

void __syncthreads()
{
    const unsigned passed = barrier;
    waiting++;
    wait_until([=] {
        if (barrier == passed && waiting >= alive) { // the last one opens it
            waiting = 0;
            barrier++;
        }
        return barrier != passed;
    });
}

void emulate_exchange(emulate_kind kind, unsigned mask, uint64_t value, uint64_t out[32])
{
    lane_exchange *const e = &exchanges[current / WARP][kind];
    const unsigned own = 1u << current % WARP;
    if (!(mask & own)) {
        fprintf(stderr, "emulate: a lane is not in the mask that it names\n");
        abort();
    }
    wait_until([=] { return !(e->arrived & own); }); // the last exchange is over
    e->value[current % WARP] = value;
    e->arrived |= own;
    wait_until([=] { return (e->arrived & mask) == mask; });
    memcpy(out, e->value, sizeof e->value);
    e->left |= own;
    if ((e->left & mask) == mask) {
        e->arrived &= ~mask;
        e->left &= ~mask;
    }
}

// --- Runtime -------------------------------------------------------------------------------------

namespace
{

size_t total_bytes = size_t(2) << 30, used_bytes;

struct header { // before every allocation, which begins at a multiple of 256 as on a device
    size_t bytes;
    void *base;
};

double now_ms()
{
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

} // namespace

struct CUevent_st {
    double ms;
};

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int)
{
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
    strcpy(properties->name, "emulated on the CPU");
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int)
{
    *value = 2; // multiprocessors
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

const char *cudaGetErrorName(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation" : "cudaSuccess";
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? "out of memory" : "no error";
}

cudaError_t cudaMalloc(void **data, size_t bytes)
{
    const size_t alignment = 256;
    void *const base = used_bytes + bytes <= total_bytes ? malloc(bytes + 2 * alignment) : nullptr;
    if (!base)
        return cudaErrorMemoryAllocation;
    const uintptr_t at = (uintptr_t(base) + 2 * alignment - 1) / alignment * alignment;
    *data = reinterpret_cast<void *>(at);
    static_cast<header *>(*data)[-1] = {bytes, base};
    memset(*data, 0xa5, bytes); // fresh memory is not zero
    used_bytes += bytes;
    return cudaSuccess;
}

cudaError_t cudaFree(void *data)
{
    if (data) {
        used_bytes -= static_cast<header *>(data)[-1].bytes;
        free(static_cast<header *>(data)[-1].base);
    }
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    *available = total_bytes - used_bytes;
    *total = total_bytes;
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t)
{
    memset(to, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t)
{
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind, cudaStream_t)
{
    for (size_t y = 0; y < height; y++)
        memcpy(static_cast<char *>(to) + y * to_pitch,
               static_cast<const char *>(from) + y * from_pitch, width);
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = nullptr;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t)
{
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t)
{
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = new CUevent_st();
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    event->ms = now_ms();
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end)
{
    *ms = float(end->ms - begin->ms);
    return cudaSuccess;
}
