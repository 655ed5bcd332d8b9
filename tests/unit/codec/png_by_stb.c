#include "unit/codec/png_by_stb.h"

#include <string.h>

#if defined(__GNUC__) /* to the end: some of these are found there */
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wundef"
#endif
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_ONLY_PNG
#include <stb_image.h>

bool png_by_stb_is(const void *png, size_t size, const satb_image *image)
{
    int width, height, channels;
    const size_t bytes =
        (size_t)image->width * (size_t)image->height * (size_t)(image->channels * image->bits / 8);
    void *data =
        image->bits == 16
            ? (void *)stbi_load_16_from_memory(png, (int)size, &width, &height, &channels, 0)
            : (void *)stbi_load_from_memory(png, (int)size, &width, &height, &channels, 0);
    const bool same = data && width == image->width && height == image->height &&
                      channels == image->channels && memcmp(data, image->data, bytes) == 0;
    stbi_image_free(data);
    return same;
}
