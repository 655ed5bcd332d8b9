#include "quality/measure/read.h"

#include <spng.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int ok, const char *path)
{
    if (!ok) {
        fprintf(stderr, "score: cannot read %s\n", path);
        exit(EXIT_FAILURE);
    }
}

static int channels(int colour_type)
{
    switch (colour_type) {
    case SPNG_COLOR_TYPE_GRAYSCALE: return 1;
    case SPNG_COLOR_TYPE_GRAYSCALE_ALPHA: return 2;
    case SPNG_COLOR_TYPE_TRUECOLOR: return 3;
    case SPNG_COLOR_TYPE_TRUECOLOR_ALPHA: return 4;
    default: return 0;
    }
}

struct picture read_png(const char *path)
{
    FILE *const file = fopen(path, "rb");
    check(file != NULL, path);
    spng_ctx *const png = spng_ctx_new(0);
    check(png != NULL, path);
    spng_set_png_file(png, file);
    struct spng_ihdr header;
    check(!spng_get_ihdr(png, &header), path);
    const int samples = channels(header.color_type), bits = header.bit_depth;
    check(samples > 0 && (bits == 8 || bits == 16), path);
    size_t bytes;
    check(!spng_decoded_image_size(png, SPNG_FMT_PNG, &bytes), path);
    void *const raw = malloc(bytes);
    const size_t count = (size_t)header.width * header.height;
    float *const rgb = malloc(3 * count * sizeof *rgb);
    check(raw && rgb && !spng_decode_image(png, raw, bytes, SPNG_FMT_PNG, 0), path);
    for (size_t i = 0; i < 3 * count; ++i) {
        // Alpha is left out: all pictures here are opaque.
        const size_t from = i / 3 * (size_t)samples + (samples >= 3 ? i % 3 : 0);
        rgb[i] = bits == 8 ? (float)((const uint8_t *)raw)[from] / 255
                           : (float)((const uint16_t *)raw)[from] / 65535;
    }
    free(raw);
    spng_ctx_free(png);
    fclose(file);
    return (struct picture){(int)header.width, (int)header.height, rgb};
}
