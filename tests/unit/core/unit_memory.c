/* The memory that depth of field by layers takes of a device. The calls are real, up to the launches: kernels and copies do
 * nothing, and memory is address space alone. Linked with the emulated device, whose entries are wrapped. */
#include "unit/unit.h"

#include "backend/backend.h"
#include "blur/dof_slabs.h"
#include "depth/depth_planes.h"
#include "kernels.h"

#include <cuda_runtime_api.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WIDTH = 3840, HEIGHT = 2160 };

static int counts;                     /* 1: the device only counts; 0: it is the emulated one */
static int reserves;                   /* 1: a call reserves all its memory */
static size_t beside;                  /* bytes that were allocated otherwise */
static int grows = 1;                  /* of the picture's sides */
static size_t card = (size_t)24 << 30; /* bytes of the device */
static size_t taken;                   /* of these */
static size_t largest = SIZE_MAX;      /* allocation that there is memory for */

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
    if (bytes > largest)
        return cudaErrorMemoryAllocation;
    beside += reserves ? 0 : bytes;
    char *const at =
        mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return cudaErrorMemoryAllocation;
    *(size_t *)(void *)at = all;
    taken += all;
    *data = at + 4096;
    return cudaSuccess;
}

WRAP(cudaFree, void *data)
{
    char *const at = data ? (char *)data - 4096 : NULL;

    if (!counts)
        return __real_cudaFree(data);
    if (at) {
        taken -= *(size_t *)(void *)at;
        munmap(at, *(size_t *)(void *)at);
    }
    return cudaSuccess;
}

WRAP(cudaMemGetInfo, size_t *available, size_t *total)
{
    *available = card - taken;
    *total = card;
    return cudaSuccess;
}

WRAP(cudaMemsetAsync, void *to, int value, size_t bytes, cudaStream_t stream)
{
    return counts ? cudaSuccess : __real_cudaMemsetAsync(to, value, bytes, stream);
}

satb_status __real_satb_cuda_reserve_all(satb_context *context, const satb_need *need);
satb_status __wrap_satb_cuda_reserve_all(satb_context *context, const satb_need *need);
satb_status __wrap_satb_cuda_reserve_all(satb_context *context, const satb_need *need)
{
    reserves = 1;
    const satb_status status = __real_satb_cuda_reserve_all(context, need);
    reserves = 0;
    return status;
}

/* Lights are found on both sides of the focus. Larger numbers, those that a focus is found by, are 0. */
WRAP(cudaMemcpyAsync, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
     cudaStream_t stream)
{
    if (!counts)
        return __real_cudaMemcpyAsync(to, from, bytes, kind, stream);
    if (kind == cudaMemcpyDeviceToHost)
        memset(to, bytes < 1024, bytes);
    return cudaSuccess;
}

/* A map's numbers are a row of counts, which say 0, and a row for each set: all codes occur, and at rims, too. */
WRAP(cudaMemcpy2DAsync, void *to, size_t to_pitch, const void *from, size_t from_pitch,
     size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (!counts)
        return __real_cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind,
                                        stream);
    if (kind == cudaMemcpyDeviceToHost && height == 1)
        memset(to, width == offsetof(satb_depth_numbers, codes) ? 0 : 0xff, width);
    return cudaSuccess;
}

#define NO_LAUNCH(NAME, JOB, WORK)                                                                 \
    int __real_satk_##NAME##_cuda(const satk_##JOB *job, void *stream);                            \
    int __wrap_satk_##NAME##_cuda(const satk_##JOB *job, void *stream);                            \
    int __wrap_satk_##NAME##_cuda(const satk_##JOB *job, void *stream)                             \
    {                                                                                              \
        return counts ? cudaSuccess : __real_satk_##NAME##_cuda(job, stream);                      \
    }
SATK_KERNELS(NO_LAUNCH, NO_LAUNCH, NO_LAUNCH)

/* --- Calls -------------------------------------------------------------------------------------- */

/* An image of a call, 1/part of the picture's width and height. */
static satb_image make(int part, int channels, int bits)
{
    const int width = grows * WIDTH / part, height = grows * HEIGHT / part;
    const size_t row = (size_t)(width * channels * bits / 8);
    void *const data = calloc((size_t)height, row); /* the host touches none of it */

    assert_non_null(data);
    return (satb_image){data, (ptrdiff_t)row, width, height, channels, bits, 0, 0};
}

/* A kind of call. */
typedef struct call {
    const char *what;
    int part, bits; /* of the map; part 0: the matte is the map */
    int channels;   /* of the map; 0: 1 */
    int seeks;      /* 1: the focus is found */
    int has_holes, has_matte, has_lights, has_mask;
    int half;      /* the picture has half floats */
    double radius; /* 0: the default */
    satb_bokeh bokeh;
} call;

/* Returns the most bytes that two calls have taken, one after the other. All radii occur on both sides of the focus. */
static size_t bytes_of(const call *c)
{
    const satb_config config = {.device = SATB_DEVICE_CUDA, .threads = 1};
    const int bits = c->half ? 16 : 8;
    satb_image src = make(1, 3, bits), dst = make(1, 3, bits);
    const satb_image map = make(c->part ? c->part : 1, c->channels ? c->channels : 1, c->bits);
    const satb_image matte = make(1, 1, 8);
    const satb_dof_params params = {.focus_mode = c->seeks ? SATB_FOCUS_AUTO : SATB_FOCUS_VALUE,
                                    .focus = 0.5,
                                    .strength = c->radius > 0 ? SATB_STRENGTH_RADIUS
                                                              : SATB_STRENGTH_DEFAULT,
                                    .max_radius = c->radius,
                                    .method = SATB_METHOD_LAYERED,
                                    .bokeh = c->bokeh,
                                    .holes = c->has_holes ? SATB_HOLES_FILL : SATB_HOLES_NONE,
                                    .matte = c->has_matte ? &matte : NULL,
                                    .protect = c->has_mask ? &matte : NULL,
                                    .highlights = c->has_lights ? 8 : 0};
    satb_context *context = NULL;

    src.half = dst.half = c->half;
    if (satb_open(&context, &config) != SATB_OK)
        fail_msg("%s", satb_open_message());
    satb_trim(context);
    counts = 1;
    beside = 0;
    for (int i = 0; i < 2; i++)
        if (satb_dof(context, &src, c->part ? &map : NULL, &dst, &params, NULL) != SATB_OK)
            fail_msg("%s: %s", c->what, satb_last_message(context));
    const satb_memory memory = satb_last_memory(context);
    satb_trim(context);
    counts = 0;
    satb_close(&context);
    assert_int_equal(memory.bands, 1);
    if (beside > 0)
        fail_msg("%s: %zu bytes were not reserved before the work", c->what, beside);
    free(src.data);
    free(dst.data);
    free(map.data);
    free(matte.data);
    return memory.peak;
}

/* So eight contexts fit a card of 16 GB. Half floats take 100 MB more: codes that they are shown by. All of it is reserved
 * before the work. */
static void a_call_takes_at_most_1500_megabytes(void **state)
{
    static const call calls[] = {
        {.what = "exact map", .part = 1, .bits = 8},
        {.what = "exact map, radius 40", .part = 1, .bits = 8, .radius = 40},
        {.what = "exact map, radius 400", .part = 1, .bits = 8, .radius = 400},
        {.what = "smooth", .part = 1, .bits = 8, .bokeh = SATB_BOKEH_SMOOTH},
        {.what = "matte alone", .bits = 8, .has_matte = 1},
        {.what = "map of colours", .part = 1, .bits = 16, .channels = 3, .has_holes = 1},
        {.what = "focus", .part = 2, .bits = 8, .seeks = 1},
        {.what = "half map", .part = 2, .bits = 8},
        {.what = "half map, radius 400", .part = 2, .bits = 8, .radius = 400},
        {.what = "holes", .part = 1, .bits = 16, .has_holes = 1},
        {.what = "half map, matte", .part = 2, .bits = 8, .has_matte = 1},
        {.what = "a mask that protects", .part = 2, .bits = 8, .has_mask = 1},
        {.what = "highlights", .part = 1, .bits = 8, .has_lights = 1},
        {.what = "half floats", .part = 1, .bits = 16, .half = 1},
        {.what = "half floats, matte", .part = 2, .bits = 8, .half = 1, .has_matte = 1},
        {.what = "all", .part = 1, .bits = 16, .has_holes = 1, .has_matte = 1, .has_lights = 1},
    };

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const size_t bytes = bytes_of(&calls[i]);
        print_message("%s: %.0f MB\n", calls[i].what, (double)bytes / 1e6);
        assert_in_range(bytes, 300000000,
                        calls[i].half ? 1600000000 : 1500000000); /* less were no tables */
    }
}

/* Large pictures have tables in proportion, as far as a quarter of the memory goes; where memory is short they do with
 * those of others. None is cut into bands. */
static void tables_grow_with_the_picture(void **state)
{
    static const call exact = {.what = "exact map, radius 40", .part = 1, .bits = 8, .radius = 40};
    static const struct {
        size_t card, largest, peak;
    } cases[] = {
        {(size_t)24 << 30, SIZE_MAX, 5200000000},
        {(size_t)10 << 30, SIZE_MAX, 3300000000}, /* a quarter: 2.5 GB */
        {(size_t)24 << 30, (size_t)2 << 30, 2500000000},
        {2500000000, SIZE_MAX, 2200000000},
    };

    grows = 2;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        card = cases[i].card, largest = cases[i].largest;
        const size_t bytes = bytes_of(&exact);
        print_message("%zu MB free: %.0f MB\n", card >> 20, (double)bytes / 1e6);
        assert_in_range(bytes, cases[i].peak / 10 * 9, cases[i].peak);
    }
    grows = 1, card = (size_t)24 << 30, largest = SIZE_MAX;
}

/* --- Bands -------------------------------------------------------------------------------------- */

/* Bands are cut by the bytes of the largest of them: those of fewer rows must not need more. */
static void fewer_rows_need_no_more(void **state)
{
    static const size_t limits[] = {0, 1, 100000000};
    static satk_slab slabs[SATK_MAX_SLABS];
    double radius[SATK_MAX_SLABS];

    for (int i = 0; i < 12; i++) {
        satk_layer job = {
            .src = {.width = i % 2 ? 8 * WIDTH : WIDTH, .channels = 1 + i % 4, .bits = 8},
            .rows = HEIGHT,
            .slabs = slabs,
            .most = limits[i / 4]};
        const satb_dof_params shape = {.blades = i % 2 ? 5 : 0};
        const satb_aperture aperture = satb_make_aperture(&shape);
        size_t before = 0;
        job.forms = (satk_forms){.whole = {aperture.windows[0].box, aperture.windows[1].box},
                                 .count = aperture.windows[0].count};
        job.count = satb_make_slabs(-5.0 * (1 << i), 3 << i, 0, WIDTH, &aperture, slabs, radius);
        for (int k = 0; k < job.count; k++)
            slabs[k].used = 1;
        for (job.src.height = 1; job.src.height <= HEIGHT; job.src.height += 3) {
            const size_t bytes = satk_layer_scratch_cuda(&job);
            assert_true(bytes >= before);
            before = bytes;
        }
    }
}

UNIT_MAIN(UNIT(a_call_takes_at_most_1500_megabytes), UNIT(tables_grow_with_the_picture),
          UNIT(fewer_rows_need_no_more))
