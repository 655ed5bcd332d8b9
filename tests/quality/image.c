#include "quality/image.h"

#include <math.h>
#include <spng.h>
#include <stdio.h>
#include <stdlib.h>

// IEC 61966-2-1.
static float srgb(float linear)
{
    const float x = linear < 0 ? 0 : linear > 1 ? 1 : linear;
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
}

uint8_t srgb_byte(float linear)
{
    return (uint8_t)(255 * srgb(linear) + 0.5f);
}

uint16_t srgb_word(float linear)
{
    return (uint16_t)(65535 * srgb(linear) + 0.5f);
}

static void check(int ok, const char *path)
{
    if (!ok) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(EXIT_FAILURE);
    }
}

void write_png(const char *path, const void *pixels, int width, int height, int channels, int bits)
{
    struct spng_ihdr header = {.width = (uint32_t)width,
                               .height = (uint32_t)height,
                               .bit_depth = (uint8_t)bits,
                               .color_type = channels == 3 ? SPNG_COLOR_TYPE_TRUECOLOR
                                                           : SPNG_COLOR_TYPE_GRAYSCALE};
    const size_t bytes = (size_t)width * (size_t)height * (size_t)(channels * bits / 8);
    FILE *const file = fopen(path, "wb");
    check(file != NULL, path);
    spng_ctx *const png = spng_ctx_new(SPNG_CTX_ENCODER);
    check(png != NULL, path);
    spng_set_png_file(png, file);
    spng_set_ihdr(png, &header);
    // Level 9 gains next to nothing on 16 bits and takes ten times as long.
    spng_set_option(png, SPNG_IMG_COMPRESSION_LEVEL, bits == 8 ? 9 : 5);
    check(!spng_encode_image(png, pixels, bytes, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE), path);
    spng_ctx_free(png);
    check(fclose(file) == 0, path);
}

void write_pfm(const char *path, const float *rgb, int width, int height)
{
    FILE *const file = fopen(path, "wb");
    check(file != NULL, path);
    const int little = *(const uint8_t *)&(uint16_t){1};
    const size_t row = 3 * (size_t)width;
    fprintf(file, "PF\n%d %d\n%d.0\n", width, height, little ? -1 : 1);
    for (int y = height - 1; y >= 0; --y)
        check(fwrite(rgb + row * (size_t)y, sizeof *rgb, row, file) == row, path);
    check(fclose(file) == 0, path);
}

void write_rgb(const char *path, const uint8_t *pixels, int width, int height)
{
    write_png(path, pixels, width, height, 3, 8);
}

void write_gray16(const char *path, const uint16_t *pixels, int width, int height)
{
    write_png(path, pixels, width, height, 1, 16);
}
