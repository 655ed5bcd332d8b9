// The CUDA runtime's memory: blocks of the host's that are known as a device's, so that a copy the wrong way is an
// error.
//   EMULATE_MEMORY=BYTES  as much as all devices have together
//   EMULATE_UNPINNED=1    there is no memory to be pinned
//   EMULATE_GUARDED=1     only kernels and copies may touch a device's memory: all else ends the program by a signal,
//                         if nothing of another thread is on the device at the time
//   EMULATE_REPORT=FILE   for a line about the connections it would have had, the memory that the program has taken,
//                         how often it waited asleep, and how many bytes it copied to devices, from them, and within
//                         them
#include "emulate/emulate.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <sys/mman.h>

std::atomic<size_t> emulate_sleeps{0};

namespace
{

size_t total_bytes()
{
    static const char *const text = getenv("EMULATE_MEMORY");
    static const size_t bytes = text ? size_t(atoll(text)) : size_t(2) << 30;
    return bytes;
}

size_t used_bytes;

struct block {
    size_t bytes, mapped; // mapped: 0: not guarded
    int device;
};

struct ledger {
    std::mutex mutex;
    size_t allocations, most_bytes, most_pinned;
    size_t copied[4]; // by kind
    std::map<const char *, block> blocks;
    std::map<void *, size_t> pinned; // host memory
    int inside;                      // threads that are on the device
    ~ledger()
    {
        const char *const name = getenv("EMULATE_REPORT");
        FILE *const file = name ? fopen(name, "w") : nullptr;
        if (!file)
            return;
        const char *const connections = getenv("CUDA_DEVICE_MAX_CONNECTIONS");
        fprintf(file,
                "connections %s allocations %zu most %zu asleep %zu up %zu down %zu within %zu "
                "left %zu pinned "
                "%zu still %zu\n",
                connections ? connections : "8", allocations, most_bytes, emulate_sleeps.load(),
                copied[cudaMemcpyHostToDevice], copied[cudaMemcpyDeviceToHost],
                copied[cudaMemcpyDeviceToDevice], used_bytes, most_pinned, pinned.size());
        fclose(file);
    }
} books;

bool is_guarded()
{
    static const bool guarded = getenv("EMULATE_GUARDED") != nullptr;
    return guarded;
}

void protect_all(int how)
{
    for (const auto &b : books.blocks)
        if (b.second.mapped && mprotect(const_cast<char *>(b.first), b.second.mapped, how))
            abort();
}

// Returns the block that has data, or the end. The mutex is locked.
std::map<const char *, block>::const_iterator find(const void *data)
{
    const char *const at = static_cast<const char *>(data);
    auto next = books.blocks.upper_bound(at);
    if (next == books.blocks.begin())
        return books.blocks.end();
    --next;
    return at < next->first + std::max<size_t>(next->second.bytes, 1) ? next : books.blocks.end();
}

// Returns whether all bytes are a device's, or the host's.
bool lies(const void *data, size_t bytes, bool on_device)
{
    const auto at = find(data);
    if (!on_device)
        return at == books.blocks.end();
    return at != books.blocks.end() &&
           static_cast<const char *>(data) + bytes <= at->first + at->second.bytes;
}

bool may_copy(const void *to, size_t to_span, const void *from, size_t from_span,
              cudaMemcpyKind kind, size_t bytes)
{
    const std::lock_guard<std::mutex> lock(books.mutex);
    const bool good = lies(to, to_span, kind != cudaMemcpyDeviceToHost) &&
                      lies(from, from_span, kind != cudaMemcpyHostToDevice);
    if (good)
        books.copied[kind] += bytes;
    else
        fprintf(stderr, "emulate: a copy of kind %d from or to memory of another kind\n",
                int(kind));
    return good;
}

void *take(size_t bytes, size_t *mapped)
{
    const size_t page = 4096;
    void *data = nullptr;
    *mapped = is_guarded() ? (bytes / page + 1) * page : 0;
    if (!*mapped)
        return posix_memalign(&data, 256, bytes ? bytes : 1) ? nullptr : data;
    data = mmap(nullptr, *mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return data == MAP_FAILED ? nullptr : data;
}

} // namespace

void emulate_enter(void)
{
    if (!is_guarded())
        return;
    const std::lock_guard<std::mutex> lock(books.mutex);
    if (books.inside++ == 0)
        protect_all(PROT_READ | PROT_WRITE);
}

void emulate_leave(void)
{
    if (!is_guarded())
        return;
    const std::lock_guard<std::mutex> lock(books.mutex);
    if (--books.inside == 0)
        protect_all(PROT_NONE);
}

// Returns memory at a multiple of 256, as a device does.
cudaError_t cudaMalloc(void **data, size_t bytes)
{
    block b = {bytes, 0, 0};
    if (emulate_lives() != cudaSuccess)
        return cudaErrorUnknown;
    cudaGetDevice(&b.device);
    const std::lock_guard<std::mutex> lock(books.mutex);
    *data = bytes > total_bytes() - used_bytes ? nullptr : take(bytes, &b.mapped);
    if (!*data)
        return emulate_failed(cudaErrorMemoryAllocation);
    memset(*data, 0xa5, bytes); // fresh memory is not zero
    if (b.mapped && books.inside == 0)
        mprotect(*data, b.mapped, PROT_NONE);
    books.blocks[static_cast<char *>(*data)] = b;
    used_bytes += bytes;
    books.allocations++;
    books.most_bytes = std::max(books.most_bytes, used_bytes);
    return cudaSuccess;
}

cudaError_t cudaFree(void *data)
{
    if (!data)
        return cudaSuccess;
    const std::lock_guard<std::mutex> lock(books.mutex);
    const auto at = books.blocks.find(static_cast<char *>(data));
    if (at == books.blocks.end())
        return emulate_failed(cudaErrorInvalidValue);
    used_bytes -= at->second.bytes;
    if (at->second.mapped)
        munmap(data, at->second.mapped);
    else
        free(data);
    books.blocks.erase(at);
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
    const bool is_new =
        bytes > 0 && lies(data, bytes, false) && books.pinned.insert({data, bytes}).second;
    books.most_pinned = std::max(books.most_pinned, books.pinned.size());
    return is_new ? cudaSuccess : emulate_failed(cudaErrorInvalidValue);
}

cudaError_t cudaHostUnregister(void *data)
{
    const std::lock_guard<std::mutex> lock(books.mutex);
    return books.pinned.erase(data) ? cudaSuccess : emulate_failed(cudaErrorInvalidValue);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *data)
{
    const std::lock_guard<std::mutex> lock(books.mutex);
    const auto at = find(data);
    const bool is_device = at != books.blocks.end();
    attributes->type = is_device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
    attributes->device = is_device ? at->second.device : -2;
    return cudaSuccess;
}

int emulate_is_here(const void *data)
{
    cudaPointerAttributes at;
    int device = -1;
    cudaGetDevice(&device);
    return cudaPointerGetAttributes(&at, data) == cudaSuccess && at.type == cudaMemoryTypeDevice &&
           at.device == device;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    const std::lock_guard<std::mutex> lock(books.mutex);
    *available = total_bytes() - used_bytes;
    *total = total_bytes();
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t)
{
    if (emulate_lives() != cudaSuccess)
        return cudaErrorUnknown;
    emulate_enter();
    memset(to, value, bytes);
    emulate_leave();
    return cudaSuccess;
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t)
{
    emulate_enter();
    for (size_t y = 0; y < height; y++)
        memset(static_cast<char *>(to) + y * pitch, value, width);
    emulate_leave();
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t)
{
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (to_pitch < width || from_pitch < width ||
        !may_copy(to, (height - 1) * to_pitch + width, from, (height - 1) * from_pitch + width,
                  kind, width * height))
        return emulate_failed(cudaErrorInvalidValue);
    if (emulate_lives() != cudaSuccess)
        return cudaErrorUnknown;
    emulate_enter();
    for (size_t y = 0; y < height; y++)
        memcpy(static_cast<char *>(to) + y * to_pitch,
               static_cast<const char *>(from) + y * from_pitch, width);
    emulate_leave();
    return cudaSuccess;
}
