#include "image.h"

#include <math.h>
#include <spng.h>
#include <stdio.h>
#include <stdlib.h>

// IEC 61966-2-1.
uint8_t srgb_byte(float linear)
{
    const float x = linear < 0 ? 0 : linear > 1 ? 1 : linear;
    const float y = x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
    return (uint8_t)(255 * y + 0.5f);
}

static void check(int ok, const char *path)
{
    if (!ok) {
        fprintf(stderr, "render: cannot write %s\n", path);
        exit(EXIT_FAILURE);
    }
}

static void write_png(const char *path, const void *pixels, size_t bytes, struct spng_ihdr header)
{
    FILE *const file = fopen(path, "wb");
    check(file != NULL, path);
    spng_ctx *const png = spng_ctx_new(SPNG_CTX_ENCODER);
    check(png != NULL, path);
    spng_set_png_file(png, file);
    spng_set_ihdr(png, &header);
    spng_set_option(png, SPNG_IMG_COMPRESSION_LEVEL, 9);
    check(!spng_encode_image(png, pixels, bytes, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE), path);
    spng_ctx_free(png);
    check(fclose(file) == 0, path);
}

void write_rgb(const char *path, const uint8_t *pixels, int width, int height)
{
    const struct spng_ihdr header = {.width = (uint32_t)width,
                                     .height = (uint32_t)height,
                                     .bit_depth = 8,
                                     .color_type = SPNG_COLOR_TYPE_TRUECOLOR};
    write_png(path, pixels, (size_t)width * (size_t)height * 3, header);
}

void write_gray16(const char *path, const uint16_t *pixels, int width, int height)
{
    const struct spng_ihdr header = {.width = (uint32_t)width,
                                     .height = (uint32_t)height,
                                     .bit_depth = 16,
                                     .color_type = SPNG_COLOR_TYPE_GRAYSCALE};
    write_png(path, pixels, (size_t)width * (size_t)height * 2, header);
}
