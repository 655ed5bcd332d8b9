/* The memory that depth of field by layers takes of a device. The calls are real, up to the launches: kernels and copies do
 * nothing, and memory is address space alone. Linked with the emulated device, whose entries are wrapped. */
#include "unit/unit.h"

#include "cuda/cuda_device.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WIDTH = 3840, HEIGHT = 2160 };

static int counts;       /* 1: the device only counts; 0: it is the emulated one */
static size_t set_bytes; /* of a set of the map's codes */

/* --- A device that only counts ------------------------------------------------------------------ */

#define WRAP(entry, ...)                                                                           \
    cudaError_t __real_##entry(__VA_ARGS__);                                                       \
    cudaError_t __wrap_##entry(__VA_ARGS__);                                                       \
    cudaError_t __wrap_##entry(__VA_ARGS__)

/* Returns address space, behind a page that has its size. */
WRAP(cudaMalloc, void **data, size_t bytes)
{
    const size_t all = bytes + 4096;

    if (!counts)
        return __real_cudaMalloc(data, bytes);
    char *const at =
        mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return cudaErrorMemoryAllocation;
    *(size_t *)(void *)at = all;
    *data = at + 4096;
    return cudaSuccess;
}

WRAP(cudaFree, void *data)
{
    char *const at = data ? (char *)data - 4096 : NULL;

    if (!counts)
        return __real_cudaFree(data);
    if (at)
        munmap(at, *(size_t *)(void *)at);
    return cudaSuccess;
}

WRAP(cudaMemGetInfo, size_t *available, size_t *total)
{
    *available = *total = (size_t)24 << 30;
    return cudaSuccess;
}

WRAP(cudaMemsetAsync, void *to, int value, size_t bytes, cudaStream_t stream)
{
    return counts ? cudaSuccess : __real_cudaMemsetAsync(to, value, bytes, stream);
}

/* Lights are found on both sides of the focus. */
WRAP(cudaMemcpyAsync, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
     cudaStream_t stream)
{
    if (!counts)
        return __real_cudaMemcpyAsync(to, from, bytes, kind, stream);
    if (kind == cudaMemcpyDeviceToHost)
        memset(to, 1, bytes);
    return cudaSuccess;
}

/* A map's numbers, which are one row, say that all codes occur, and at rims, too. */
WRAP(cudaMemcpy2DAsync, void *to, size_t to_pitch, const void *from, size_t from_pitch,
     size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (!counts)
        return __real_cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind,
                                        stream);
    if (kind == cudaMemcpyDeviceToHost && height == 1) {
        memset(to, 0, width);
        memset((char *)to + width - 2 * set_bytes, 0xff, 2 * set_bytes);
    }
    return cudaSuccess;
}

#define NO_LAUNCH(kernel)                                                                          \
    int __wrap_satk_##kernel##_cuda(const void *job, void *stream);                                \
    int __wrap_satk_##kernel##_cuda(const void *job, void *stream)                                 \
    {                                                                                              \
        (void)job, (void)stream;                                                                   \
        return cudaSuccess;                                                                        \
    }
NO_LAUNCH(codes)
NO_LAUNCH(cover)
NO_LAUNCH(fill)
NO_LAUNCH(follow)
NO_LAUNCH(highlight_add)
NO_LAUNCH(highlight_find)
NO_LAUNCH(layer)
NO_LAUNCH(matte_plane)
NO_LAUNCH(radii)
NO_LAUNCH(resample)
NO_LAUNCH(rim_codes)
NO_LAUNCH(separate)
NO_LAUNCH(surface)

/* --- Calls -------------------------------------------------------------------------------------- */

static satb_image make(int part, int channels, int bits)
{
    const size_t row = (size_t)(WIDTH / part * channels * bits / 8);
    void *const data = calloc((size_t)(HEIGHT / part), row); /* the host touches none of it */

    assert_non_null(data);
    return (satb_image){data, (ptrdiff_t)row, WIDTH / part, HEIGHT / part, channels, bits, 0};
}

/* Returns the bytes that calls with the parameters have taken. */
static size_t taken(satb_image map, int bits, satb_dof_params params)
{
    const satb_config config = {.device = SATB_DEVICE_CUDA, .threads = 1};
    const satb_image src = make(1, 3, 8), dst = make(1, 3, 8);
    satb_context *context = NULL;

    params.focus_mode = SATB_FOCUS_VALUE;
    params.focus = 0.5;
    params.method = SATB_METHOD_LAYERED;
    set_bytes = satk_codes_bytes(bits);
    if (satb_open(&context, &config) != SATB_OK)
        fail_msg("%s", satb_open_message());
    satb_trim(context);
    counts = 1;
    for (int i = 0; i < 2; i++)
        if (satb_dof(context, &src, &map, &dst, &params, NULL) != SATB_OK)
            fail_msg("%s", satb_last_message(context));
    const satb_memory memory = satb_last_memory(context);
    assert_int_equal(memory.bands, 1);
    if (getenv("SLOTS"))
        for (int i = 0; i < SATB_SLOTS; i++)
            if (((cuda_device *)context->device)->slots[i].size >> 10)
                print_message("  slot %d: %.1f MB\n", i,
                              (double)((cuda_device *)context->device)->slots[i].size / 1e6);
    satb_trim(context);
    counts = 0;
    satb_close(&context);
    free(src.data);
    free(dst.data);
    free(map.data);
    return memory.peak;
}

static void report(const char *what, size_t bytes)
{
    print_message("%s: %.0f MB\n", what, (double)bytes / 1e6);
}

static void all_maps(void **state)
{
    static const double radii[] = {0, 20, 40, 150, 400};
    (void)state;
    for (int i = 0; i < 5; i++) {
        const satb_dof_params p = {.strength = i ? SATB_STRENGTH_RADIUS : SATB_STRENGTH_DEFAULT, .max_radius = radii[i]};
        satb_dof_params matte = p, light = p, lin = p;
        satb_image m = make(1, 1, 8);
        matte.matte = &m;
        light.highlights = 8;
        lin.depth_type = SATB_DEPTH_LINEAR;
        lin.near_black = 1;
        print_message("radius %g\n", radii[i]);
        report("exact", taken(make(1, 1, 8), 8, p));
        report("half", taken(make(2, 1, 8), 16, p));
        report("holes 16", taken(make(1, 1, 16), 16, lin));
        report("half matte", taken(make(2, 1, 8), 16, matte));
        report("lights", taken(make(1, 1, 8), 8, light));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_maps)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
