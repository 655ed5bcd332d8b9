/* Copies of pictures in other sizes and for the screen. */
#include "codec/convert.h"
#include "image/orientation.h"
#include "image/shrink.h"
#include "web/web.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool shrink_values(const values *from, values *to)
{
    to->data = pixels_allocate((size_t)to->width * (size_t)to->height * sizeof *to->data);
    if (!to->data)
        return false;
    for (int y = 0; y < to->height; y++) {
        const int row = shrink_middle_of(shrink_span_of(y, to->height, from->height)).from;
        for (int x = 0; x < to->width; x++) {
            const int column = shrink_middle_of(shrink_span_of(x, to->width, from->width)).from;
            to->data[(size_t)y * (size_t)to->width + (size_t)x] =
                from->data[(size_t)row * (size_t)from->width + (size_t)column];
        }
    }
    return true;
}

static void fit(int *width, int *height, double most)
{
    const double scale = sqrt(most / ((double)*width * *height));
    if (scale >= 1)
        return;
    *width = *width * scale < 1 ? 1 : (int)(*width * scale);
    *height = *height * scale < 1 ? 1 : (int)(*height * scale);
}

bool shrink_picture(const picture *from, double most, bool is_map, picture *to)
{
    *to = *from;
    to->meta = (metadata){0};
    to->file = (blob){0};
    to->image.data = NULL;
    to->values.data = NULL;
    fit(&to->image.width, &to->image.height, most);
    fit(&to->values.width, &to->values.height, most);
    return (!from->image.data || shrink_image(&from->image, &to->image, is_map)) &&
           (!from->values.data || shrink_values(&from->values, &to->values));
}

uint8_t *shrink_to_rgba(satb_image *image, int orientation)
{
    const int channels = image->channels % 2 ? 3 : 4;
    satb_image plain = *image;
    plain.channels = channels;
    plain.bits = 8;
    plain.half = 0;
    plain.stride = (ptrdiff_t)plain.width * channels;
    plain.data = NULL;
    problem p;
    const bool is_plain = image->bits == 8 && image->channels == channels;
    const bool done = is_plain || convert_pixels(image, &plain, &p);
    if (is_plain)
        plain.data = image->data;
    else
        pixels_drop(image);
    const size_t count = (size_t)plain.width * (size_t)plain.height;
    uint8_t *const out = done && orientation_apply(&plain, orientation) ? malloc(4 * count) : NULL;
    const uint8_t *const in = plain.data;
    for (size_t i = 0; out && i < count; i++) {
        memcpy(out + 4 * i, in + (size_t)channels * i, (size_t)channels);
        if (channels == 3)
            out[4 * i + 3] = UINT8_MAX;
    }
    *image = plain;
    image->data = NULL;
    if (done)
        pixels_drop(&plain);
    return out;
}
