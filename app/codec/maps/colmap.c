/* COLMAP's depth maps: "WIDTH&HEIGHT&1&", then floats, little-endian, rows from the top. The distances are in units of the scene, and 0
 * is unknown. */
#include "codec/codec_format.h"
#include "image/pixels.h"

#include <string.h>

/* Takes a number of up to 8 digits and the '&' behind it. Returns -1 if there is none. */
static int take_number(bytes in, size_t *at)
{
    enum { DIGITS = 8 };
    int value = 0, count = 0;
    for (; *at < in.size && count <= DIGITS && in.data[*at] >= '0' && in.data[*at] <= '9'; count++)
        value = 10 * value + (in.data[(*at)++] - '0');
    if (count < 1 || count > DIGITS || *at >= in.size || in.data[*at] != '&')
        return -1;
    ++*at;
    return value;
}

static bool read_header(bytes in, satb_image *shape, size_t *at)
{
    *at = 0;
    shape->width = take_number(in, at);
    shape->height = shape->width > 0 ? take_number(in, at) : -1;
    shape->channels = shape->height > 0 ? take_number(in, at) : -1;
    return shape->channels > 0;
}

bool colmap_is(bytes in, const char *path)
{
    satb_image shape;
    size_t at;
    (void)path;
    return in.size > 0 && in.data[0] >= '1' && in.data[0] <= '9' && read_header(in, &shape, &at);
}

bool colmap_claim(bytes first, satb_image *shape, problem *p)
{
    size_t at;
    satb_image found = {.bits = 32};
    *shape = (satb_image){.width = 0};
    if (!read_header(first, &found, &at) || found.width > PICTURE_SIDE ||
        found.height > PICTURE_SIDE)
        return problem_set(p, "the header of COLMAP's map is damaged; write it again");
    if (found.channels != 1)
        return problem_set(p,
                           "COLMAP's map has %d numbers a pixel, like a normal map; give a depth "
                           "map",
                           found.channels);
    *shape = found;
    return true;
}

values_status colmap_values(bytes in, const decode_settings *settings, values *v, problem *p)
{
    satb_image shape;
    size_t at;
    if (!colmap_claim(in, &shape, p) || !read_header(in, &shape, &at))
        return VALUES_FAILED;
    const size_t pixels = (size_t)shape.width * (size_t)shape.height;
    if (pixels > (in.size - at) / 4) {
        problem_set(p, "the file is cut off; get a whole copy");
        return VALUES_FAILED;
    }
    if (!picture_allows(&shape, settings->max_pixels, p) ||
        !values_allocate(v, shape.width, shape.height, p))
        return VALUES_FAILED;
    const uint8_t *from = in.data + at;
    for (size_t i = 0; i < pixels; i++, from += 4) {
        const uint32_t bits =
            (uint32_t)from[3] << 24 | (uint32_t)from[2] << 16 | (uint32_t)from[1] << 8 | from[0];
        memcpy(&v->data[i], &bits, sizeof bits);
    }
    v->is_metres = v->is_assumed = true;
    return VALUES_READ;
}
