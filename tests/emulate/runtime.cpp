// The CUDA runtime's functions, on host memory. Nothing is asynchronous.
#include "emulate.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>

namespace
{

size_t total_bytes = size_t(2) << 30, used_bytes;
thread_local cudaError_t last_error;
std::mutex allowed_mutex;
std::map<const void *, size_t> allowed; // dynamic shared memory of kernels that asked for more

enum { HEADER = 256 }; // before every allocation: its size

// EMULATE_UNPINNED: there is no memory to be pinned. EMULATE_REPORT: a file for a line about the memory that the program has taken, and how often it waited asleep.
struct ledger {
    std::mutex mutex;
    size_t allocations, most_bytes, most_pinned;
    std::atomic<size_t> sleeps;
    std::map<void *, size_t> pinned; // host memory
    ~ledger()
    {
        const char *const name = getenv("EMULATE_REPORT");
        FILE *const file = name ? fopen(name, "w") : nullptr;
        if (!file)
            return;
        fprintf(file, "allocations %zu most %zu asleep %zu left %zu pinned %zu still %zu\n",
                allocations, most_bytes, sleeps.load(), used_bytes, most_pinned, pinned.size());
        fclose(file);
    }
} books;

double now_ms()
{
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

} // namespace

struct CUevent_st {
    double ms;
    bool is_asked; // since it was recorded
};

// EMULATE_DEVICES: how many there seem to be; all are the same one.
cudaError_t cudaGetDeviceCount(int *count)
{
    const char *const text = getenv("EMULATE_DEVICES");
    *count = text ? atoi(text) : 1;
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

// The most shared memory of a block. EMULATE_SHARED: a device that has less.
static size_t most_shared()
{
    const char *const text = getenv("EMULATE_SHARED");
    return text ? size_t(atol(text)) : 227 << 10;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    switch (attribute) {
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = EMULATE_STATIC_SHARED; break;
    case cudaDevAttrMultiProcessorCount: *value = EMULATE_PROCESSORS; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = int(most_shared()); break;
    default: return emulate_failed(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

// --- Kernels -------------------------------------------------------------------------------------

cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value)
{
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return cudaSuccess;
    if (value < 0 || size_t(value) > most_shared())
        return emulate_failed(cudaErrorInvalidValue);
    const std::lock_guard<std::mutex> lock(allowed_mutex);
    allowed[kernel] = size_t(value);
    return cudaSuccess;
}

static size_t allowed_shared(const void *kernel)
{
    const std::lock_guard<std::mutex> lock(allowed_mutex);
    const auto found = allowed.find(kernel);
    return found == allowed.end() ? size_t(EMULATE_STATIC_SHARED) : found->second;
}

cudaError_t emulate_permits(const void *kernel, dim3 grid, dim3 block, size_t shared)
{
    const bool block_fits = block.x > 0 && block.y > 0 && block.z > 0 && block.x <= 1024 &&
                            block.y <= 1024 && block.z <= 64 &&
                            size_t(block.x) * block.y * block.z <= EMULATE_MOST_THREADS;
    const bool grid_fits = grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.x <= 2147483647u &&
                           grid.y <= 65535 && grid.z <= 65535;
    if (!block_fits || !grid_fits)
        return cudaErrorInvalidConfiguration;
    return shared <= allowed_shared(kernel) ? cudaSuccess : cudaErrorInvalidValue;
}

// --- Errors --------------------------------------------------------------------------------------

cudaError_t emulate_failed(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch (error) {
    case cudaSuccess: return "cudaSuccess";
    case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration: return "cudaErrorInvalidConfiguration";
    default: return "unrecognized error code";
    }
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    default: return "unrecognized error code";
    }
}

// --- Memory --------------------------------------------------------------------------------------

// A multiple of 256, as on a device; and nothing behind the end that could be taken for it.
cudaError_t cudaMalloc(void **data, size_t bytes)
{
    void *base = nullptr;
    const std::lock_guard<std::mutex> lock(books.mutex);
    if (used_bytes + bytes > total_bytes || posix_memalign(&base, HEADER, HEADER + bytes))
        return emulate_failed(cudaErrorMemoryAllocation);
    *static_cast<size_t *>(base) = bytes;
    *data = static_cast<char *>(base) + HEADER;
    memset(*data, 0xa5, bytes); // fresh memory is not zero
    used_bytes += bytes;
    books.allocations++;
    books.most_bytes = std::max(books.most_bytes, used_bytes);
    return cudaSuccess;
}

cudaError_t cudaFree(void *data)
{
    if (data) {
        const std::lock_guard<std::mutex> lock(books.mutex);
        size_t *const base = reinterpret_cast<size_t *>(static_cast<char *>(data) - HEADER);
        used_bytes -= *base;
        free(base);
    }
    return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **data, size_t bytes, cudaStream_t)
{
    return cudaMalloc(data, bytes);
}

cudaError_t cudaFreeAsync(void *data, cudaStream_t)
{
    return cudaFree(data);
}

cudaError_t cudaMallocHost(void **data, size_t bytes)
{
    if (getenv("EMULATE_UNPINNED"))
        return emulate_failed(cudaErrorMemoryAllocation);
    *data = malloc(bytes);
    return *data ? cudaSuccess : emulate_failed(cudaErrorMemoryAllocation);
}

cudaError_t cudaFreeHost(void *data)
{
    free(data);
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *data, size_t bytes, unsigned)
{
    const std::lock_guard<std::mutex> lock(books.mutex);
    const bool is_new = bytes > 0 && books.pinned.insert({data, bytes}).second;
    books.most_pinned = std::max(books.most_pinned, books.pinned.size());
    return is_new ? cudaSuccess : emulate_failed(cudaErrorInvalidValue);
}

cudaError_t cudaHostUnregister(void *data)
{
    const std::lock_guard<std::mutex> lock(books.mutex);
    return books.pinned.erase(data) ? cudaSuccess : emulate_failed(cudaErrorInvalidValue);
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    const std::lock_guard<std::mutex> lock(books.mutex);
    *available = total_bytes - used_bytes;
    *total = total_bytes;
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t)
{
    memset(to, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t)
{
    for (size_t y = 0; y < height; y++)
        memset(static_cast<char *>(to) + y * pitch, value, width);
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

// --- Streams and events --------------------------------------------------------------------------

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

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
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
    event->is_asked = false;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return cudaSuccess;
}

// The first to ask after an event must ask again.
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    const bool is_first = !event->is_asked;

    event->is_asked = true;
    books.sleeps += is_first;
    return is_first ? emulate_failed(cudaErrorNotReady) : cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end)
{
    *ms = float(end->ms - begin->ms);
    return cudaSuccess;
}
