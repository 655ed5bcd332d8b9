/* The CUDA back end on two devices, with a driver that does not say how much memory is free, and after 2^31 tables. Linked
 * with the emulated device (EMULATE_DEVICES=2), and with functions of the runtime wrapped. */
#include "unit/core/unit_image.h"

#include "cuda/cuda_device.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 64, HEIGHT = 48 };

static unsigned asked; /* a bit for each device that was asked for its free memory */
static int is_silent;

cudaError_t __real_cudaMemGetInfo(size_t *available, size_t *total);
cudaError_t __wrap_cudaMemGetInfo(size_t *available, size_t *total);

cudaError_t __wrap_cudaMemGetInfo(size_t *available, size_t *total)
{
    int device = -1;

    assert_int_equal(cudaGetDevice(&device), cudaSuccess);
    asked |= 1u << device;
    return is_silent ? cudaErrorInvalidValue : __real_cudaMemGetInfo(available, total);
}

static int waits;               /* for a stream */
static cudaError_t join_result; /* of a stream that is to wait for an event */

cudaError_t __real_cudaStreamSynchronize(cudaStream_t stream);
cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream);
cudaError_t __wrap_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);

cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream)
{
    waits++;
    return __real_cudaStreamSynchronize(stream);
}

cudaError_t __wrap_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)stream;
    (void)event;
    (void)flags;
    return join_result;
}

static satb_context *open_on(int device, size_t cap)
{
    const satb_config config = {
        .device = SATB_DEVICE_CUDA, .cuda_index = device, .threads = 1, .gpu_memory = cap};
    satb_context *context = NULL;

    if (satb_open(&context, &config) != SATB_OK)
        fail_msg("%s", satb_open_message());
    return context;
}

/* A picture with a depth map of its size, whose edges are the device's work. */
static satb_status blur(satb_context *context)
{
    const satb_image src = make(WIDTH, HEIGHT, 3, 8, 1), dst = make(WIDTH, HEIGHT, 3, 8, 2);
    const satb_image map = make(WIDTH, HEIGHT, 1, 8, 3);
    const satb_dof_params params = {.strength = SATB_STRENGTH_RADIUS, .max_radius = 5};

    for (int i = 0; i < WIDTH * HEIGHT; i++)
        ((uint8_t *)map.data)[i] = i % WIDTH < WIDTH / 2 ? 20 : 200;
    const satb_status status = satb_dof(context, &src, &map, &dst, &params, NULL);
    return status;
}

/* --- Another thread than the one that has opened the context ------------------------------------ */

static void *blur_on_second(void *context)
{
    int device = -1;

    assert_int_equal(cudaGetDevice(&device), cudaSuccess);
    assert_int_equal(device, 0);
    assert_int_equal(blur(context), SATB_OK);
    return NULL;
}

static void only_its_own_device(void **state)
{
    satb_context *context = open_on(1, 0);
    pthread_t thread;

    asked = 0;
    assert_int_equal(pthread_create(&thread, NULL, blur_on_second, context), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(asked, 1u << 1);
    satb_close(&context);
}

static void unpin_leaves_the_device(void **state)
{
    static uint8_t memory[4096];
    int device = -1;

    assert_int_equal(cudaSetDevice(1), cudaSuccess);
    assert_int_equal(satb_pin(memory, sizeof memory), SATB_OK);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    satb_unpin(memory);
    assert_int_equal(cudaGetDevice(&device), cudaSuccess);
    assert_int_equal(device, 0);
    assert_int_equal(satb_pin(memory, sizeof memory), SATB_OK); /* it was undone */
    satb_unpin(memory);
}

/* --- A driver that does not say how much memory is free ----------------------------------------- */

static void unknown_memory(void **state)
{
    satb_context *context = open_on(0, 0);

    is_silent = 1;
    assert_int_equal(blur(context), SATB_OK);
    assert_int_equal(satb_last_memory(context).bands, 1);
    satb_close(&context);
    is_silent = 0;
}

static void unknown_memory_and_a_limit(void **state)
{
    satb_context *context = open_on(0, 100000);

    is_silent = 1;
    satb_limit_bands(context, 1);
    const satb_image src = make(512, 512, 4, 8, 1);
    const satb_box_params params = {.radius_x = 3, .radius_y = 3};
    assert_int_equal(satb_box(context, &src, &src, &params), SATB_ERR_DEVICE_NOMEM);
    assert_non_null(strstr(satb_last_message(context), "0.1 MB may be used"));
    satb_close(&context);
    is_silent = 0;
}

/* --- A caller's stream -------------------------------------------------------------------------- */

static satb_image on_device(int width, int height, int channels)
{
    satb_image image = make(width, height, channels, 8, 1);
    const satb_image host = image;
    const size_t bytes = (size_t)image.stride * (size_t)height;

    assert_int_equal(cudaMalloc(&image.data, bytes), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(image.data, host.data, bytes, cudaMemcpyHostToDevice, NULL),
                     cudaSuccess);
    image.on_device = 1;
    return image;
}

/* Returns how often a call has waited. map NULL: a box blur. */
static int waits_of(satb_context *context, const satb_image *src, const satb_image *map)
{
    const satb_box_params box = {.radius_x = 3, .radius_y = 3};
    const satb_dof_params dof = {
        .focus_mode = SATB_FOCUS_VALUE, .strength = SATB_STRENGTH_RADIUS, .max_radius = 5};
    const satb_image dst = on_device(WIDTH, HEIGHT, src->channels);

    waits = 0;
    const satb_status status =
        map ? satb_dof(context, src, map, &dst, &dof, NULL) : satb_box(context, src, &dst, &box);
    const int found = waits;
    assert_int_equal(status, SATB_OK);
    cudaFree(dst.data);
    return found;
}

/* The host waits for the codes of the map, for whether alpha is opaque, and for whether there are points of light. */
static void few_waits(void **state)
{
    satb_context *context = open_on(0, 0);
    const satb_image host = make(WIDTH, HEIGHT, 3, 8, 1), rgb = on_device(WIDTH, HEIGHT, 3);
    const satb_image rgba = on_device(WIDTH, HEIGHT, 4), map = on_device(WIDTH / 2, HEIGHT / 2, 1);

    assert_int_equal(waits_of(context, &rgb, NULL), 1);
    assert_int_equal(waits_of(context, &rgba, NULL), 2);
    assert_int_equal(waits_of(context, &rgb, &map), 3);
    assert_int_equal(satb_set_stream(context, NULL), SATB_OK);
    assert_int_equal(waits_of(context, &rgb, NULL), 0);
    assert_int_equal(waits_of(context, &rgba, NULL), 1);
    assert_int_equal(waits_of(context, &rgb, &map), 2);
    assert_int_equal(waits_of(context, &host, NULL), 1);
    assert_int_equal(satb_set_stream(context, SATB_OWN_STREAM), SATB_OK);
    assert_int_equal(waits_of(context, &rgb, NULL), 1);
    satb_close(&context);
    cudaFree(rgb.data);
    cudaFree(rgba.data);
    cudaFree(map.data);
}

static void foreign_stream(void **state)
{
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = 1};
    satb_context *context = open_on(0, 0);

    join_result = cudaErrorInvalidValue;
    assert_int_equal(satb_set_stream(context, NULL), SATB_ERR_ARG);
    assert_non_null(strstr(satb_last_message(context), "stream: not one of cuda:0"));
    join_result = cudaSuccess;
    satb_close(&context);
    assert_int_equal(satb_open(&context, &config), SATB_OK);
    assert_int_equal(satb_set_stream(context, NULL), SATB_ERR_ARG);
    assert_int_equal(satb_set_stream(context, SATB_OWN_STREAM), SATB_OK);
    satb_close(&context);
}

/* --- Two threads ------------------------------------------------------------------------------ */

enum { ROUNDS = 60 };

/* Blurs a picture as wide as *user says, again and again, and measures its 16 bits. Returns how often either failed. */
static void *blur_again(void *user)
{
    const satb_box_params box = {.radius_x = 2, .radius_y = 2};
    const satb_image src = make(*(const int *)user, 32, 3, 8, 1);
    const satb_image deep = make(*(const int *)user, 32, 1, 16, 1);
    satb_channel_stats stats;
    satb_context *context = open_on(0, 0);
    intptr_t failed = 0;

    for (int i = 0; i < ROUNDS; i++)
        failed += (satb_box(context, &src, &src, &box) != SATB_OK) +
                  (satb_measure(context, &deep, &stats) != SATB_OK);
    satb_close(&context);
    return (void *)failed;
}

/* A kernel's limit of shared memory is that of all threads, and each has pictures of another size. */
static void two_widths(void **state)
{
    int widths[] = {160, 1300};
    pthread_t threads[2];
    void *failed;

    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, blur_again, &widths[i]), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
}

/* --- Boards ------------------------------------------------------------------------------------ */

/* Returns the tables that a board has served since it was cleared, by its first word. */
static uint32_t served(const satb_context *context)
{
    const cuda_device *const device = context->device;
    const uint64_t *const ticket = device->slots[SATB_SLOT_BOARD].data; /* the host's memory here */

    return (uint32_t)(*ticket >> 32);
}

/* Numbers of builds come again after SATK_SAT_BUILDS: the board is cleared before that. */
static void boards_are_cleared(void **state)
{
    satb_context *context = open_on(0, 0);
    const satb_image src = make(300, 200, 4, 8, 5);
    static uint32_t first[300 * 200 * 4], last[300 * 200 * 4];

    assert_int_equal(satb_table(context, &src, 32, first), SATB_OK);
    assert_int_equal(satb_table(context, &src, 32, first), SATB_OK);
    assert_int_equal(served(context), 2);
    ((cuda_device *)context->device)->slots[SATB_SLOT_BOARD].builds = SATK_SAT_BUILDS;
    assert_int_equal(satb_table(context, &src, 32, last), SATB_OK);
    assert_int_equal(served(context), 1);
    assert_memory_equal(first, last, sizeof last);
    satb_close(&context);
}

/* --- An entry that no operation calls alone ----------------------------------------------------- */

/* Finds the codes of an image by the context's back end. */
static void find_codes(satb_context *context, const satb_image *map, uint32_t set[8])
{
    const satb_backend *const b = context->backend;
    const satb_band band = satb_whole(map);
    satk_codes job = {0};
    void *out = NULL;

    assert_int_equal(b->begin(context, SATB_STAGE_UPLOAD), SATB_OK);
    assert_int_equal(b->upload(context, SATB_SLOT_MAP, map, &band, &job.src), SATB_OK);
    assert_int_equal(
        b->output_bytes(context, SATB_SLOT_STATS, set, satk_codes_bytes(map->bits), &out), SATB_OK);
    job.out = out;
    assert_int_equal(b->codes(context, &job), SATB_OK);
    assert_int_equal(b->fetch(context, set, out, satk_codes_bytes(map->bits)), SATB_OK);
    assert_int_equal(b->finish(context), SATB_OK);
}

static void codes_on_both(void **state)
{
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = 3};
    const satb_image map = make(300, 20, 1, 8, 6);
    satb_context *contexts[2] = {NULL, open_on(1, 0)};
    uint32_t set[2][8];

    memset(map.data, 7, 300 * 20);
    ((uint8_t *)map.data)[5000] = 255;
    assert_int_equal(satb_open(&contexts[0], &config), SATB_OK);
    for (int i = 0; i < 2; i++) {
        find_codes(contexts[i], &map, set[i]);
        for (uint32_t code = 0; code < 256; code++)
            assert_int_equal(satk_has_code(set[i], code), code == 7 || code == 255);
        satb_close(&contexts[i]);
    }
}

UNIT_MAIN(UNIT(only_its_own_device), UNIT(unpin_leaves_the_device), UNIT(unknown_memory),
          UNIT(unknown_memory_and_a_limit), UNIT(few_waits), UNIT(foreign_stream), UNIT(two_widths),
          UNIT(boards_are_cleared), UNIT(codes_on_both))
