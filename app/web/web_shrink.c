/* Copies of pictures in other sizes and for the screen. */
#include "codec/convert.h"
#include "image/orientation.h"
#include "web/web.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct span { /* of samples, in one direction */
    int from, to;
} span;

/* Returns the samples of `size` that cell `at` of `cells` covers, at least one. */
static span span_of(int at, int cells, int size)
{
    span s = {(int)((int64_t)at * size / cells), (int)((int64_t)(at + 1) * size / cells)};
    s.to = s.to > s.from ? s.to : s.from + 1;
    return s;
}

static span middle_of(span s)
{
    const int at = s.from + (s.to - s.from) / 2;
    return (span){at, at + 1};
}

static unsigned mean_of(const satb_image *image, span across, span down, int channel)
{
    uint64_t sum = 0;
    for (int y = down.from; y < down.to; y++) {
        const uint8_t *const row = (const uint8_t *)image->data + y * image->stride;
        for (int x = across.from; x < across.to; x++)
            sum +=
                picture_sample(image, row, (size_t)x * (size_t)image->channels + (size_t)channel);
    }
    const uint64_t area = (uint64_t)(across.to - across.from) * (uint64_t)(down.to - down.from);
    return (unsigned)((sum + area / 2) / area);
}

static void shrink_row(const satb_image *from, const satb_image *to, int y, bool is_map)
{
    const span rows = span_of(y, to->height, from->height), down = is_map ? middle_of(rows) : rows;
    uint8_t *const row = (uint8_t *)to->data + y * to->stride;
    for (int x = 0; x < to->width; x++) {
        const span columns = span_of(x, to->width, from->width);
        const span across = is_map ? middle_of(columns) : columns;
        for (int c = 0; c < to->channels; c++) {
            const unsigned mean = mean_of(from, across, down, c);
            const int at = x * to->channels + c;
            if (to->bits == 16)
                ((uint16_t *)(void *)row)[at] = (uint16_t)mean;
            else
                row[at] = (uint8_t)mean;
        }
    }
}

static bool shrink_image(const satb_image *from, satb_image *to, bool is_map)
{
    to->stride = (ptrdiff_t)to->width * to->channels * (to->bits / 8);
    to->data = pixels_allocate(picture_bytes(to));
    if (!to->data)
        return false;
    if (to->width == from->width && to->height == from->height && to->stride == from->stride)
        memcpy(to->data, from->data, picture_bytes(to));
    else
        for (int y = 0; y < to->height; y++)
            shrink_row(from, to, y, is_map);
    return true;
}

static bool shrink_values(const values *from, values *to)
{
    to->data = pixels_allocate((size_t)to->width * (size_t)to->height * sizeof *to->data);
    if (!to->data)
        return false;
    for (int y = 0; y < to->height; y++) {
        const int row = middle_of(span_of(y, to->height, from->height)).from;
        for (int x = 0; x < to->width; x++) {
            const int column = middle_of(span_of(x, to->width, from->width)).from;
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
