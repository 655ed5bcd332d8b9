#include "bench/bench_api_images.h"

#include "bench/bench_scene.h"

static const double focus = 0.75; /* of radii */

static const struct {
    int part; /* of the picture's width and height */
    int channels, bits;
} shapes[API_IMAGES] = {
    [API_RGB] = {1, 3, 8},      [API_RGBA] = {1, 4, 8},     [API_RGB16] = {1, 3, 16},
    [API_RGBA16] = {1, 4, 16},  [API_MAP] = {1, 1, 8},      [API_HALF] = {2, 1, 8},
    [API_QUARTER] = {4, 1, 8},  [API_ENLARGED] = {1, 1, 8}, [API_ENLARGED16] = {1, 1, 16},
    [API_HOLES16] = {1, 1, 16}, [API_SUBJECT] = {1, 1, 8},  [API_RADII] = {1, 1, 8},
    [API_CUTOUT] = {1, 4, 8},
};

size_t api_bytes(const satb_image *image)
{
    return (size_t)image->width * (size_t)image->height *
           (size_t)(image->channels * image->bits / 8);
}

static satb_image shaped(void *data, int width, int height, int channels, int bits)
{
    return (satb_image){.data = data,
                        .stride = (ptrdiff_t)width * channels * bits / 8,
                        .width = width,
                        .height = height,
                        .channels = channels,
                        .bits = bits};
}

/* Returns the image in host memory; data is NULL if there is none. */
static satb_image allocated(int width, int height, int channels, int bits)
{
    satb_image image = shaped(NULL, width, height, channels, bits);

    image.data = bench_get(BENCH_CPU, api_bytes(&image));
    return image;
}

/* Makes the enlarged map of 16 bits from the exact one, which has no holes yet. Returns 1 when done. */
static int enlarge_deep(const satb_image *exact, const satb_image *to)
{
    const satb_image quarter = allocated(exact->width / 4, exact->height / 4, 1, 16);

    if (!quarter.data)
        return 0;
    scene_shrink(exact, &quarter);
    scene_enlarge(&quarter, to);
    bench_put_back(BENCH_CPU, quarter.data);
    return 1;
}

static int draw_images(satb_image *host)
{
    for (int i = API_RGB; i <= API_RGBA16; i++)
        scene_draw_picture(&host[i]);
    scene_draw_map(&host[API_MAP]);
    scene_shrink(&host[API_MAP], &host[API_HALF]);
    scene_shrink(&host[API_MAP], &host[API_QUARTER]);
    scene_enlarge(&host[API_QUARTER], &host[API_ENLARGED]);
    scene_draw_map(&host[API_HOLES16]);
    const int done = enlarge_deep(&host[API_HOLES16], &host[API_ENLARGED16]);
    scene_draw_holes(&host[API_HOLES16]);
    scene_draw_subject(&host[API_SUBJECT]);
    scene_draw_radii(&host[API_RADII], focus);
    scene_draw_cutout(&host[API_CUTOUT]);
    return done;
}

/* Copies an image to the back end. Returns 1 when done. */
static int copied(const api_images *images, const satb_image *host, satb_image *to)
{
    *to = *host;
    to->data = bench_get_filled(images->on, host->data, api_bytes(host));
    to->on_device = images->on == BENCH_CUDA;
    return to->data != NULL;
}

int api_open_images(api_images *images, bench_back_end on, int width, int height)
{
    const size_t most = (size_t)width * (size_t)height * 8;
    int done = 1;

    *images = (api_images){.on = on, .width = width, .height = height};
    images->host_result.data = bench_get(BENCH_CPU, most);
    done = images->host_result.data != NULL;
    for (int i = API_RGB; i < API_IMAGES; i++) {
        const int part = shapes[i].part;
        images->host[i] =
            allocated(width / part, height / part, shapes[i].channels, shapes[i].bits);
        done &= images->host[i].data != NULL;
    }
    done = done && draw_images(images->host);
    for (int set = 0; set < API_SETS && done; set++) {
        for (int i = API_RGB; i < API_IMAGES; i++)
            done &= copied(images, &images->host[i], &images->set[set][i]);
        images->result[set].data = bench_get(on, most);
        images->result[set].on_device = on == BENCH_CUDA;
        done &= images->result[set].data != NULL;
    }
    return done;
}

void api_close_images(api_images *images)
{
    for (int i = API_RGB; i < API_IMAGES; i++) {
        bench_put_back(BENCH_CPU, images->host[i].data);
        for (int set = 0; set < API_SETS; set++)
            bench_put_back(images->on, images->set[set][i].data);
    }
    for (int set = 0; set < API_SETS; set++)
        bench_put_back(images->on, images->result[set].data);
    bench_put_back(BENCH_CPU, images->host_result.data);
}
