/* PGM and PPM in their binary forms (P5, P6), 8 or 16 bits, big-endian. stb reads these, too, but leaves 16-bit samples in
 * the wrong byte order and ignores the largest value that the header names. */
#include "codec/codec_format.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct header {
    int channels, width, height, largest;
    size_t at; /* the offset of the samples */
} header;

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Returns the number after blanks and comments; -1 where there is none or it is beyond 2^26. */
static int next_number(bytes in, size_t *at)
{
    while (*at < in.size && (is_space(in.data[*at]) || in.data[*at] == '#')) {
        if (in.data[*at] == '#')
            while (*at < in.size && in.data[*at] != '\n' && in.data[*at] != '\r')
                ++*at;
        else
            ++*at;
    }
    int value = -1;
    for (; *at < in.size && in.data[*at] >= '0' && in.data[*at] <= '9'; ++*at) {
        value = (value < 0 ? 0 : value) * 10 + (in.data[*at] - '0');
        if (value > 1 << 26)
            return -1;
    }
    return value;
}

static bool read_header(bytes in, header *h, problem *p)
{
    h->channels = in.data[1] == '6' ? 3 : 1;
    h->at = 2;
    h->width = next_number(in, &h->at);
    h->height = next_number(in, &h->at);
    h->largest = next_number(in, &h->at);
    if (h->width < 1 || h->height < 1 || h->largest < 1 || h->largest > 65535 || h->at >= in.size ||
        !is_space(in.data[h->at]))
        return problem_set(p, "the PNM header is damaged or cut off");
    h->at++;
    return true;
}

bool pnm_claim(bytes first, satb_image *shape, problem *p)
{
    header h;
    if (!read_header(first, &h, p))
        return false;
    *shape = (satb_image){.width = h.width,
                          .height = h.height,
                          .channels = h.channels,
                          .bits = h.largest > 255 ? 16 : 8};
    return true;
}

bool pnm_probe(bytes in, satb_image *shape, problem *p)
{
    header h;
    if (!read_header(in, &h, p) || !pnm_claim(in, shape, p))
        return false;
    /* Sides are below 2^27 here, so this cannot overflow. */
    const uint64_t needed =
        (uint64_t)h.width * (uint64_t)h.height * (uint64_t)(h.channels * shape->bits / 8);
    if (needed > in.size - h.at) {
        return problem_set(p,
                           "the file is cut off: %d x %d pixels need %llu bytes and %zu are there",
                           h.width, h.height, (unsigned long long)needed, in.size - h.at);
    }
    return true;
}

unsigned pnm_white(bytes in)
{
    problem ignored;
    header h;
    return read_header(in, &h, &ignored) ? (unsigned)h.largest : 0;
}

/* Scales samples to 255 or 65535: v * 255 / largest, rounded. */
static bool decode_samples(bytes in, satb_image *image, problem *p)
{
    header h;
    if (!read_header(in, &h, p))
        return false;
    const uint8_t *from = in.data + h.at;
    const size_t count = (size_t)h.width * (size_t)h.height * (size_t)h.channels;
    const uint32_t largest = (uint32_t)h.largest, full = image->bits == 16 ? 65535 : 255;
    image->data = pixels_allocate(picture_bytes(image));
    if (!image->data)
        return problem_set(p, "not enough memory for %d x %d pixels", h.width, h.height);
    uint8_t *const narrow = image->data;
    uint16_t *const wide = image->data;
    for (size_t i = 0; i < count; i++) {
        const uint32_t v = full == 255 ? from[i] : (uint32_t)from[2 * i] << 8 | from[2 * i + 1];
        if (v > largest) {
            return problem_set(p, "a sample is %u and the header allows %u; the file is damaged", v,
                               largest);
        }
        const uint32_t scaled = largest == full ? v : (v * full + largest / 2) / largest;
        if (full == 255)
            narrow[i] = (uint8_t)scaled;
        else
            wide[i] = (uint16_t)scaled;
    }
    return true;
}

const char *pnm_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    (void)settings;
    return decode_samples(in, image, p) ? "satblur" : NULL;
}

const char *pnm_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p)
{
    (void)settings;
    (void)p;
    char head[64];
    snprintf(head, sizeof head, "P%c\n%d %d\n%d\n", image->channels == 3 ? '6' : '5', image->width,
             image->height, image->bits == 16 ? 65535 : 255);
    if (!sink_put(to, head, strlen(head)))
        return "satblur";
    if (image->bits == 8) {
        sink_put(to, image->data, picture_bytes(image));
        return "satblur";
    }
    const uint16_t *samples = image->data;
    size_t left = picture_bytes(image) / 2;
    while (left > 0 && !to->failed) {
        uint8_t part[8192];
        const size_t count = left < sizeof part / 2 ? left : sizeof part / 2;
        for (size_t i = 0; i < count; i++) {
            part[2 * i] = (uint8_t)(samples[i] >> 8);
            part[2 * i + 1] = (uint8_t)samples[i];
        }
        sink_put(to, part, count * 2);
        samples += count;
        left -= count;
    }
    return "satblur";
}
