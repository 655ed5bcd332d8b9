/* Work on a caller's stream, on a real GPU. A gate holds the stream: a function of the host's that ends when the test
 * says so. */
#include "unit/core/unit_image.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 640, HEIGHT = 480, CHANNELS = 3, BYTES = WIDTH * HEIGHT * CHANNELS };

typedef struct gate {
    atomic_int is_open, gave_up;
} gate;

static void pause_ms(int ms)
{
    const struct timespec time = {.tv_nsec = ms * 1000000L};

    nanosleep(&time, NULL);
}

/* Waits for five seconds at most, so that a call that waits for the stream fails the test and does not hang it. */
static void CUDART_CB wait_at(void *data)
{
    gate *const g = data;

    for (int i = 0; i < 1000 && !g->is_open; i++)
        pause_ms(5);
    g->gave_up = !g->is_open;
}

typedef struct scene {
    satb_context *context;
    cudaStream_t stream;
    satb_image src, map, dst, again; /* on the device; src is empty at first */
    void *picture;                   /* on the device: what src becomes */
    uint8_t *once, *twice, *dof;     /* what the context's own stream makes of the picture */
    gate gate;
} scene;

static satb_image on_device(int channels)
{
    satb_image image = {.stride = WIDTH * channels,
                        .width = WIDTH,
                        .height = HEIGHT,
                        .channels = channels,
                        .bits = 8,
                        .on_device = 1};

    assert_int_equal(cudaMalloc(&image.data, (size_t)image.stride * HEIGHT), cudaSuccess);
    return image;
}

static uint8_t *fetch(const satb_image *image)
{
    uint8_t *const host = malloc(BYTES);

    assert_non_null(host);
    assert_int_equal(cudaMemcpy(host, image->data, BYTES, cudaMemcpyDeviceToHost), cudaSuccess);
    return host;
}

static const satb_box_params box = {.radius_x = 9, .radius_y = 4};
static const satb_dof_params dof = {.focus_mode = SATB_FOCUS_VALUE,
                                    .focus = 0.3,
                                    .strength = SATB_STRENGTH_RADIUS,
                                    .max_radius = 9};

/* Fills the picture and the map, and blurs them on the context's own stream. So all memory is there, too, and no call on
 * another stream waits for the device to get some. */
static void make_expected(scene *s)
{
    const satb_image picture = make(WIDTH, HEIGHT, CHANNELS, 8, 1);
    satb_image src = s->src;

    for (int i = 0; i < WIDTH * HEIGHT; i++)
        ((uint8_t *)picture.data)[i * CHANNELS] = (uint8_t)(i % WIDTH < WIDTH / 2 ? 20 : 230);
    assert_int_equal(cudaMemcpy(s->picture, picture.data, BYTES, cudaMemcpyHostToDevice), 0);
    assert_int_equal(cudaMemcpy2D(s->map.data, WIDTH, picture.data, WIDTH, WIDTH, HEIGHT,
                                  cudaMemcpyHostToDevice),
                     0);
    src.data = s->picture;
    assert_int_equal(satb_dof(s->context, &src, &s->map, &s->dst, &dof, NULL), SATB_OK);
    s->dof = fetch(&s->dst);
    assert_int_equal(satb_box(s->context, &src, &s->dst, &box), SATB_OK);
    s->once = fetch(&s->dst);
    assert_int_equal(satb_box(s->context, &s->dst, &s->again, &box), SATB_OK);
    s->twice = fetch(&s->again);
}

static int is_required; /* a device */

static int open_scene(void **state)
{
    static scene s;
    const satb_config config = {.device = SATB_DEVICE_CUDA};

    s = (scene){.context = NULL};
    if (satb_open(&s.context, &config) != SATB_OK) {
        printf("unit_stream: NOT RUN: %s\n", satb_open_message());
        *state = NULL;
        return is_required;
    }
    s.src = on_device(CHANNELS);
    s.dst = on_device(CHANNELS);
    s.again = on_device(CHANNELS);
    s.map = on_device(1);
    assert_int_equal(cudaMalloc(&s.picture, BYTES), cudaSuccess);
    assert_int_equal(cudaMemset(s.src.data, 0, BYTES), cudaSuccess);
    assert_int_equal(cudaStreamCreateWithFlags(&s.stream, cudaStreamNonBlocking), cudaSuccess);
    make_expected(&s);
    assert_int_equal(cudaMemset(s.dst.data, 0, BYTES),
                     cudaSuccess); /* no result is there before its time */
    assert_int_equal(cudaMemset(s.again.data, 0, BYTES), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(satb_set_stream(s.context, s.stream), SATB_OK);
    *state = &s;
    return 0;
}

static int close_scene(void **state)
{
    scene *const s = *state;

    if (!s)
        return 0;
    satb_close(&s->context);
    cudaStreamDestroy(s->stream);
    cudaFree(s->src.data);
    cudaFree(s->dst.data);
    cudaFree(s->again.data);
    cudaFree(s->map.data);
    cudaFree(s->picture);
    free(s->once);
    free(s->twice);
    free(s->dof);
    return 0;
}

/* Queues the gate, and the picture's way into src behind it. */
static scene *begin(void **state)
{
    scene *const s = *state;

    if (!s)
        skip();
    assert_int_equal(cudaLaunchHostFunc(s->stream, wait_at, &s->gate), cudaSuccess);
    assert_int_equal(
        cudaMemcpyAsync(s->src.data, s->picture, BYTES, cudaMemcpyDeviceToDevice, s->stream), 0);
    return s;
}

static void *open_later(void *data)
{
    pause_ms(50);
    ((gate *)data)->is_open = 1;
    return NULL;
}

static void assert_pixels(const satb_image *image, const uint8_t *expected)
{
    uint8_t *const found = fetch(image);

    assert_memory_equal(found, expected, BYTES);
    free(found);
}

static void box_returns_at_once(void **state)
{
    scene *const s = begin(state);

    assert_int_equal(satb_box(s->context, &s->src, &s->dst, &box), SATB_OK);
    assert_int_equal(s->gate.gave_up, 0);
    assert_int_equal(cudaStreamQuery(s->stream), cudaErrorNotReady);
    s->gate.is_open = 1;
    assert_int_equal(cudaStreamSynchronize(s->stream), cudaSuccess);
    assert_int_equal(s->gate.gave_up, 0);
    assert_pixels(&s->dst, s->once);
}

static void dof_comes_after_what_is_queued(void **state)
{
    scene *const s = begin(state);
    pthread_t opener;

    assert_int_equal(pthread_create(&opener, NULL, open_later, &s->gate), 0);
    assert_int_equal(satb_dof(s->context, &s->src, &s->map, &s->dst, &dof, NULL), SATB_OK);
    assert_int_equal(cudaStreamSynchronize(s->stream), cudaSuccess);
    pthread_join(opener, NULL);
    assert_int_equal(s->gate.gave_up, 0);
    assert_pixels(&s->dst, s->dof);
}

static void own_stream_comes_after_the_callers(void **state)
{
    scene *const s = begin(state);
    pthread_t opener;

    assert_int_equal(satb_box(s->context, &s->src, &s->dst, &box), SATB_OK);
    assert_int_equal(pthread_create(&opener, NULL, open_later, &s->gate), 0);
    assert_int_equal(satb_set_stream(s->context, SATB_OWN_STREAM), SATB_OK);
    assert_int_equal(satb_box(s->context, &s->dst, &s->again, &box), SATB_OK);
    pthread_join(opener, NULL);
    assert_int_equal(s->gate.gave_up, 0);
    assert_pixels(&s->again, s->twice);
}

/* The host's memory is locked: a copy to other memory would wait by itself. */
static void host_images_are_waited_for(void **state)
{
    scene *const s = begin(state);
    satb_image host = s->dst;
    pthread_t opener;

    host.on_device = 0;
    assert_int_equal(cudaMallocHost(&host.data, BYTES), cudaSuccess);
    memset(host.data, 0, BYTES);
    assert_int_equal(pthread_create(&opener, NULL, open_later, &s->gate), 0);
    assert_int_equal(satb_box(s->context, &s->src, &host, &box), SATB_OK);
    assert_memory_equal(host.data, s->once, BYTES);
    pthread_join(opener, NULL);
    assert_int_equal(s->gate.gave_up, 0);
    cudaFreeHost(host.data);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(box_returns_at_once, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(dof_comes_after_what_is_queued, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(own_stream_comes_after_the_callers, open_scene,
                                        close_scene),
        cmocka_unit_test_setup_teardown(host_images_are_waited_for, open_scene, close_scene),
    };

    is_required = argc > 1 && !strcmp(argv[1], "--require-cuda");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
