/* Blurs a PPM: box RADIUS < in.ppm > out.ppm
 *     cc box.c $(pkg-config --cflags --libs satblur) -o box */
#include <satblur.h>
#include <stdio.h>
#include <stdlib.h>

/* Reads the pixels of a PPM of 8 bits without comments. Returns NULL if there is none. The caller frees it. */
static unsigned char *read_ppm(int *width, int *height)
{
    int largest = 0;
    if (scanf("P6 %d %d %d", width, height, &largest) != 3 || largest != 255 || getchar() == EOF)
        return NULL;
    if (*width < 1 || *height < 1 || *width > 30000 || *height > 30000)
        return NULL;
    const size_t size = (size_t)*width * (size_t)*height * 3;
    unsigned char *pixels = (unsigned char *)malloc(size);
    if (pixels && fread(pixels, 1, size, stdin) != size) {
        free(pixels);
        pixels = NULL;
    }
    return pixels;
}

/* Blurs in place. Returns 0, or prints why not and returns 1. */
static int blur(const satb_image *image, double radius)
{
    satb_context *context = NULL;
    if (satb_open(&context, NULL) != SATB_OK) {
        fprintf(stderr, "box: %s\n", satb_open_message());
        return 1;
    }
    satb_box_params params = {0};
    params.radius_x = params.radius_y = radius;
    const satb_status status = satb_box(context, image, image, &params);
    if (status != SATB_OK)
        fprintf(stderr, "box: %s\n", satb_last_message(context));
    satb_close(&context);
    return status != SATB_OK;
}

int main(int argc, char **argv)
{
    satb_image image = {0};
    unsigned char *pixels = read_ppm(&image.width, &image.height);
    if (argc != 2 || !pixels) {
        fprintf(stderr, "usage: box RADIUS < in.ppm > out.ppm\n");
        free(pixels);
        return 2;
    }
    image.data = pixels;
    image.channels = 3;
    image.bits = 8;
    image.stride = (ptrdiff_t)image.width * 3;
    int failed = blur(&image, atof(argv[1]));
    if (!failed) {
        const size_t size = (size_t)image.width * (size_t)image.height * 3;
        printf("P6\n%d %d\n255\n", image.width, image.height);
        failed = fwrite(pixels, 1, size, stdout) != size || fflush(stdout) != 0;
    }
    free(pixels);
    return failed;
}
