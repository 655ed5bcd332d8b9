// The CUDA runtime's functions, except those of memory. Nothing is asynchronous.
#include "emulate/emulate.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>

namespace
{

thread_local cudaError_t last_error;
std::mutex allowed_mutex;
std::map<const void *, size_t> allowed; // dynamic shared memory of kernels that asked for more

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

// EMULATE_DEVICES sets the number of devices. They differ in their memory alone.
cudaError_t cudaGetDeviceCount(int *count)
{
    const char *const text = getenv("EMULATE_DEVICES");
    *count = text ? atoi(text) : 1;
    return cudaSuccess;
}

static thread_local int current_device;

cudaError_t cudaGetDevice(int *device)
{
    *device = current_device;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    int count = 0;
    cudaGetDeviceCount(&count);
    if (device < 0 || device >= count)
        return emulate_failed(cudaErrorInvalidDevice);
    current_device = device;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
    strcpy(properties->name, "emulated on the CPU");
    return cudaSuccess;
}

// Returns the most shared memory of a block. EMULATE_SHARED emulates a device with less.
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

// Returns success, and an error for ever from the call on that EMULATE_LIVES counts: the device has gone.
cudaError_t emulate_lives(void)
{
    static const char *const text = getenv("EMULATE_LIVES");
    static std::atomic<long> left{text ? atol(text) : 0};
    return text && left-- <= 0 ? emulate_failed(cudaErrorUnknown) : cudaSuccess;
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
    case cudaErrorInvalidDevice: return "cudaErrorInvalidDevice";
    case cudaErrorInvalidConfiguration: return "cudaErrorInvalidConfiguration";
    case cudaErrorUnknown: return "cudaErrorUnknown";
    default: return "unrecognized error code";
    }
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidDevice: return "invalid device ordinal";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorUnknown: return "unknown error";
    default: return "unrecognized error code";
    }
}

// --- Streams and events --------------------------------------------------------------------------

// Work is done when it is queued, so a stream is a number and no more.
static cudaStream_t new_stream()
{
    static std::atomic<uintptr_t> streams{16};

    return reinterpret_cast<cudaStream_t>(++streams);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = new_stream();
    return emulate_lives();
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned, int)
{
    *stream = new_stream();
    return emulate_lives();
}

cudaError_t cudaStreamDestroy(cudaStream_t)
{
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t)
{
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return emulate_lives();
}

cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return emulate_lives();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
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
    return emulate_lives();
}

// The first query of an event must be repeated.
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    const bool is_first = !event->is_asked;

    event->is_asked = true;
    emulate_sleeps += is_first;
    return is_first ? emulate_failed(cudaErrorNotReady) : cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end)
{
    *ms = float(end->ms - begin->ms);
    return cudaSuccess;
}
