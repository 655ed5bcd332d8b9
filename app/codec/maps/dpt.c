/* Sintel's .dpt: the float 202021.25, width and height as 32-bit words, then distances in metres as floats, all
 * little-endian, rows from the top. */
#include "codec/codec_format.h"
#include "image/pixels.h"

#include <string.h>

enum { HEADER = 12 };

static uint32_t word_at(const uint8_t *at)
{
    return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static bool refuse(problem *p)
{
    return problem_set(p, "the DPT file is damaged or cut off");
}

bool dpt_claim(bytes first, satb_image *shape, problem *p)
{
    const uint32_t width = first.size < HEADER ? 0 : word_at(first.data + 4);
    const uint32_t height = first.size < HEADER ? 0 : word_at(first.data + 8);
    *shape = (satb_image){.width = 0};
    if (width < 1 || height < 1 || width > PICTURE_SIDE || height > PICTURE_SIDE)
        return refuse(p);
    *shape = (satb_image){.width = (int)width, .height = (int)height};
    return true;
}

values_status dpt_values(bytes in, const decode_settings *settings, values *v, problem *p)
{
    satb_image shape;
    if (!dpt_claim(in, &shape, p))
        return VALUES_FAILED;
    const size_t pixels = (size_t)shape.width * (size_t)shape.height;
    if ((pixels > (in.size - HEADER) / 4 && !refuse(p)) ||
        !picture_allows(&shape, settings->max_pixels, p) ||
        !values_allocate(v, shape.width, shape.height, p))
        return VALUES_FAILED;
    for (size_t i = 0; i < pixels; i++) {
        const uint32_t bits = word_at(in.data + HEADER + 4 * i);
        memcpy(&v->data[i], &bits, sizeof bits);
    }
    v->is_metres = true;
    return VALUES_READ;
}
