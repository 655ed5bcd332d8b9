#include "image/shrink.h"

#include "image/pixels.h"
#include "image/shape.h"

#include <stdint.h>
#include <string.h>

shrink_span shrink_span_of(int at, int cells, int size)
{
    shrink_span s = {(int)((int64_t)at * size / cells), (int)((int64_t)(at + 1) * size / cells)};
    s.to = s.to > s.from ? s.to : s.from + 1;
    return s;
}

shrink_span shrink_middle_of(shrink_span s)
{
    const int at = s.from + (s.to - s.from) / 2;
    return (shrink_span){at, at + 1};
}

static unsigned mean_of(const satb_image *image, shrink_span across, shrink_span down, int channel)
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
    const shrink_span rows = shrink_span_of(y, to->height, from->height),
                      down = is_map ? shrink_middle_of(rows) : rows;
    uint8_t *const row = (uint8_t *)to->data + y * to->stride;
    for (int x = 0; x < to->width; x++) {
        const shrink_span columns = shrink_span_of(x, to->width, from->width);
        const shrink_span across = is_map ? shrink_middle_of(columns) : columns;
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

bool shrink_image(const satb_image *from, satb_image *to, bool is_map)
{
    if (!pixels_make(to, NULL))
        return false;
    if (to->width == from->width && to->height == from->height && to->stride == from->stride)
        memcpy(to->data, from->data, picture_bytes(to));
    else
        for (int y = 0; y < to->height; y++)
            shrink_row(from, to, y, is_map);
    return true;
}
