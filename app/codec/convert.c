#include "codec/convert.h"

#include "image/pixels.h"
#include "image/shape.h"

#include <stdint.h>

int convert_channels(unsigned set, int channels)
{
    static const int candidates[5][4] = {{0}, {1, 3}, {2, 4, 1, 3}, {3}, {4, 3}};
    for (int i = 0; i < 4 && candidates[channels][i]; i++)
        if (set & (1u << candidates[channels][i]))
            return candidates[channels][i];
    return 0;
}

static void convert_row(const satb_image *image, const uint8_t *row, const satb_image *fit,
                        uint8_t *out)
{
    const int from = image->channels, to = fit->channels;
    const int colours = from >= 3 ? 3 : 1;
    for (int x = 0; x < image->width; x++) {
        for (int c = 0; c < to; c++) {
            const bool alpha = to % 2 == 0 && c == to - 1;
            const int source = alpha ? from - 1 : c < colours ? c : 0;
            const unsigned v =
                picture_sample(image, row, (size_t)x * (size_t)from + (size_t)source);
            const size_t at = (size_t)x * (size_t)to + (size_t)c;
            if (fit->bits == 16)
                ((uint16_t *)(void *)out)[at] = (uint16_t)v;
            else
                out[at] = (uint8_t)(image->bits == 16 ? (v * 255u + 32767u) / 65535u : v);
        }
    }
}

bool convert_pixels(const satb_image *image, satb_image *fit, problem *p)
{
    fit->data = pixels_allocate(picture_bytes(fit));
    if (!fit->data)
        return problem_set(p, "not enough memory to convert %d x %d pixels", fit->width,
                           fit->height);
    for (int y = 0; y < image->height; y++)
        convert_row(image, (const uint8_t *)image->data + y * image->stride, fit,
                    (uint8_t *)fit->data + y * fit->stride);
    return true;
}
