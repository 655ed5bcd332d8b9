/* PFM: "Pf" or "PF", width, height and a scale whose sign tells the byte order; then floats, rows from the bottom. Of a map
 * with three channels the first counts. The scale's size is not applied: a constant factor changes no code of disparity. */
#include "codec/codec_format.h"
#include "image/half.h"
#include "image/pixels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct header {
    int channels, width, height;
    bool is_big;
    size_t at;
} header;

enum { LONGEST = 40 }; /* characters of a word */

/* Copies the next word between blanks. */
static bool next_word(bytes in, size_t *at, char word[LONGEST])
{
    size_t length = 0;
    while (*at < in.size && strchr(" \t\r\n", in.data[*at]))
        ++*at;
    while (*at < in.size && !strchr(" \t\r\n", in.data[*at]) && length < LONGEST - 1)
        word[length++] = (char)in.data[(*at)++];
    word[length] = '\0';
    return length > 0 && *at < in.size && strchr(" \t\r\n", in.data[*at]);
}

static bool read_words(bytes in, header *h, problem *p)
{
    char width[LONGEST], height[LONGEST], scale[LONGEST], *end[3];
    h->at = 2;
    h->channels = in.data[1] == 'F' ? 3 : 1;
    if (!next_word(in, &h->at, width) || !next_word(in, &h->at, height) ||
        !next_word(in, &h->at, scale))
        return problem_set(p, "the PFM header is damaged or cut off");
    const long across = strtol(width, &end[0], 10), down = strtol(height, &end[1], 10);
    const double factor = strtod(scale, &end[2]);
    if (*end[0] || *end[1] || *end[2] || across < 1 || down < 1 || across > PICTURE_SIDE ||
        down > PICTURE_SIDE || factor == 0 || factor != factor)
        return problem_set(p, "the PFM header is damaged or cut off");
    h->width = (int)across;
    h->height = (int)down;
    h->is_big = factor > 0;
    h->at++; /* one blank */
    return true;
}

static bool read_header(bytes in, header *h, problem *p)
{
    if (!read_words(in, h, p))
        return false;
    const uint64_t needed = (uint64_t)h->width * (uint64_t)h->height * (uint64_t)h->channels * 4;
    return needed <= in.size - h->at ||
           problem_set(p, "the file is cut off: %d x %d pixels need %llu bytes and %zu are there",
                       h->width, h->height, (unsigned long long)needed, in.size - h->at);
}

static float float_at(const uint8_t *at, bool is_big)
{
    const uint32_t bits =
        is_big ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
               : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

values_status pfm_values(bytes in, const decode_settings *settings, values *v, problem *p)
{
    header h = {0};
    if (!read_header(in, &h, p))
        return VALUES_FAILED;
    const satb_image shape = {.width = h.width, .height = h.height};
    if (!picture_allows(&shape, settings->max_pixels, p) ||
        !values_allocate(v, h.width, h.height, p))
        return VALUES_FAILED;
    const size_t row = (size_t)h.width;
    for (size_t y = 0; y < (size_t)h.height; y++)
        for (size_t x = 0; x < row; x++) {
            const size_t from = ((size_t)h.height - 1 - y) * row + x;
            v->data[y * row + x] =
                float_at(in.data + h.at + from * (size_t)h.channels * 4, h.is_big);
        }
    return VALUES_READ;
}

/* --- Pictures --------------------------------------------------------------------------------- */

bool pfm_claim(bytes first, satb_image *shape, problem *p)
{
    header h = {0};
    *shape = (satb_image){.width = 0};
    if (!read_words(first, &h, p))
        return false;
    *shape = (satb_image){.width = h.width, .height = h.height};
    return true;
}

bool pfm_probe(bytes in, satb_image *shape, problem *p)
{
    header h = {0};
    if (!read_header(in, &h, p))
        return false;
    *shape = (satb_image){
        .width = h.width, .height = h.height, .channels = h.channels, .bits = 16, .half = 1};
    return true;
}

const char *pfm_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    header h = {0};
    (void)settings;
    if (!read_header(in, &h, p) || !pixels_make(image, p))
        return NULL;
    uint16_t *const to = image->data;
    const size_t row = (size_t)h.width * (size_t)h.channels, height = (size_t)h.height;
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < row; x++)
            to[y * row + x] =
                half_of(float_at(in.data + h.at + ((height - 1 - y) * row + x) * 4, h.is_big));
    return "satblur";
}

/* Writes floats with the low byte first. */
static void put_row(const uint16_t *from, size_t count, uint8_t *row, sink *to)
{
    for (size_t i = 0; i < count; i++) {
        const float number = half_to_float(from[i]);
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        for (int b = 0; b < 4; b++)
            row[4 * i + (size_t)b] = (uint8_t)(bits >> 8 * b);
    }
    sink_put(to, row, 4 * count);
}

const char *pfm_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p)
{
    char head[64];
    const size_t count = (size_t)image->width * (size_t)image->channels;
    uint8_t *const row = malloc(4 * count);
    (void)settings;
    if (!row) {
        problem_set(p, "not enough memory to write the PFM");
        return NULL;
    }
    const int size = snprintf(head, sizeof head, "%s\n%d %d\n-1.0\n",
                              image->channels == 3 ? "PF" : "Pf", image->width, image->height);
    sink_put(to, head, (size_t)size);
    for (int y = image->height - 1; y >= 0; y--)
        put_row((const uint16_t *)image->data + (size_t)y * count, count, row, to);
    free(row);
    return "satblur";
}
