#include "support/device.h"

#include "support/copy.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

static struct {
    cudaStream_t stream;
    cudaEvent_t start, stop;
    char name[256], reason[256], error[256];
    void *board; /* see device_sat() */
    size_t board_bytes;
    int broken;
} device;

/* Remembers a failure for device_error(). */
static int noted(int error)
{
    if (error) {
        snprintf(device.error, sizeof device.error, "%s (%s)",
                 cudaGetErrorString((cudaError_t)error), cudaGetErrorName((cudaError_t)error));
        cudaGetLastError(); /* a launch error is reported once; what stays is a broken context */
        const cudaError_t state = cudaStreamQuery(device.stream);
        device.broken |= state != cudaSuccess && state != cudaErrorNotReady;
    }
    return error;
}

static int opened(void)
{
    struct cudaDeviceProp properties;
    int count = 0, error = (int)cudaGetDeviceCount(&count);

    if (!error && count == 0)
        error = cudaErrorNoDevice;
    if (!error)
        error = (int)cudaGetDeviceProperties(&properties, 0);
    if (!error)
        error = (int)cudaSetDevice(0);
    if (!error)
        error = (int)cudaStreamCreateWithFlags(&device.stream, cudaStreamNonBlocking);
    if (!error)
        error = (int)cudaEventCreate(&device.start);
    if (!error)
        error = (int)cudaEventCreate(&device.stop);
    if (!error)
        snprintf(device.name, sizeof device.name, "%s", properties.name);
    return error;
}

int device_open(void)
{
    const int error = opened();

    if (error)
        snprintf(device.reason, sizeof device.reason, "no device: %s",
                 cudaGetErrorString((cudaError_t)error));
    return !error;
}

const char *device_reason(void)
{
    return device.reason;
}

const char *device_name(void)
{
    return device.name;
}

const char *device_error(void)
{
    return device.error;
}

int device_broken(void)
{
    return device.broken;
}

size_t device_free_memory(void)
{
    size_t unused = 0, total = 0;

    return noted((int)cudaMemGetInfo(&unused, &total)) ? 0 : unused;
}

void *device_alloc(size_t bytes)
{
    void *memory = NULL;

    return noted((int)cudaMalloc(&memory, bytes ? bytes : 1)) ? NULL : memory;
}

void device_free(void *memory)
{
    noted((int)cudaFree(memory));
}

/* Copies go through the stream as well, since the default stream is not ordered with it. */
static int copied(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    const int error = (int)cudaMemcpyAsync(to, from, bytes, kind, device.stream);

    return noted(error ? error : (int)cudaStreamSynchronize(device.stream));
}

int device_upload(void *to, const void *from, size_t bytes)
{
    return copied(to, from, bytes, cudaMemcpyHostToDevice);
}

int device_download(void *to, const void *from, size_t bytes)
{
    return copied(to, from, bytes, cudaMemcpyDeviceToHost);
}

int device_copy(void *to, const void *from, size_t bytes)
{
    return noted((int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, device.stream));
}

size_t device_sat_scratch(const satk_sat *job)
{
    return satk_sat_scratch_cuda(job);
}

/* Makes the board of all tables as large as the largest needs. It is zero at first, and then as builds
 * leave it. */
static int reserve_board(size_t bytes)
{
    if (device.board_bytes >= bytes)
        return 0;
    (void)cudaFree(device.board);
    device.board = NULL;
    device.board_bytes = 0;
    int error = (int)cudaMalloc(&device.board, bytes);
    if (!error)
        error = (int)cudaMemsetAsync(device.board, 0, bytes, device.stream);
    if (!error)
        device.board_bytes = bytes;
    return error;
}

int device_sat(const satk_sat *job)
{
    const int error = reserve_board(satk_sat_board_cuda(job));
    satk_sat whole = *job;

    whole.board = device.board;
    return noted(error ? error : satk_sat_cuda(&whole, device.stream));
}

int device_age_board(void)
{
    const unsigned long long ticket = (unsigned long long)(SATK_SAT_BUILDS - 1) << 32;

    if (!device.board)
        return 0;
    const int error = (int)cudaMemsetAsync(device.board, 0, device.board_bytes, device.stream);
    return noted(error ? error : device_upload(device.board, &ticket, sizeof ticket));
}

int device_box_fused_pays(const satk_box *job)
{
    return satk_box_fused_pays_cuda(job);
}

size_t device_box_fused_scratch(const satk_box *job)
{
    return satk_box_fused_scratch_cuda(job);
}

int device_box_fused(const satk_box *job, void *scratch)
{
    return noted(satk_box_fused_cuda(job, scratch, device.stream));
}

#define PLAIN(NAME, JOB, WORK)                                                                     \
    int device_##NAME(const satk_##JOB *job)                                                       \
    {                                                                                              \
        return noted(satk_##NAME##_cuda(job, device.stream));                                      \
    }
#define SCRATCH(NAME, JOB, WORK)                                                                   \
    PLAIN(NAME, JOB, WORK)                                                                         \
    size_t device_##NAME##_scratch(const satk_##JOB *job)                                          \
    {                                                                                              \
        return satk_##JOB##_scratch_cuda(job);                                                     \
    }
SATK_KERNELS(PLAIN, SCRATCH, SCRATCH)
PLAIN(box, box, "")
PLAIN(scan_convert, scan_convert, "")
#undef PLAIN
#undef SCRATCH

void *device_stream(void)
{
    return device.stream;
}

/* Reports an error that a launcher has forgotten to report, and that is still pending. */
int device_wait(void)
{
    const int error = (int)cudaStreamSynchronize(device.stream), pending = (int)cudaGetLastError();

    return noted(error ? error : pending);
}

int device_idle(void)
{
    return noted((int)cudaDeviceSynchronize());
}

int device_copy_variants(void)
{
    return COPY_VARIANTS;
}

int device_widen(const void *in, void *out, size_t bytes_in, int variant)
{
    return noted(copy_widen_cuda(in, out, bytes_in, variant, device.stream));
}

int device_traffic(const void *in, size_t bytes_in, void *out, size_t bytes_out, int variant)
{
    return noted(copy_traffic_cuda(in, bytes_in, out, bytes_out, variant, device.stream));
}

int device_start(void)
{
    return noted((int)cudaEventRecord(device.start, device.stream));
}

double device_stop(void)
{
    float ms = -1;
    int error = (int)cudaEventRecord(device.stop, device.stream);

    if (!error)
        error = (int)cudaEventSynchronize(device.stop);
    if (!error)
        error = (int)cudaEventElapsedTime(&ms, device.start, device.stop);
    return noted(error) ? -1 : ms;
}
