/* Radiance HDR: lines of text, then pixels of three mantissas and a shared exponent (RGBE), packed as runs. Not by
 * stb_image, whose reader hangs where a file is cut off and knows neither old runs nor rows of both kinds. A mantissa m
 * stands for m * 2^(exponent - 136). EXPOSURE and COLORCORR are not applied. */
#include "codec/codec_format.h"
#include "image/half.h"
#include "image/pixels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_PACKED = 8, MOST_PACKED = 32767 }; /* pixels of a row whose channels are packed */

/* --- The header ------------------------------------------------------------------------------- */

enum { LINE = 256 };

/* Copies the next line, cut to 255 characters. */
static bool next_line(bytes in, size_t *at, char line[LINE])
{
    const uint8_t *const from = in.data + *at;
    const uint8_t *const end = *at < in.size ? memchr(from, '\n', in.size - *at) : NULL;
    if (!end)
        return false;
    size_t length = (size_t)(end - from);
    *at += length + 1;
    length = length > 0 && from[length - 1] == '\r' ? length - 1 : length;
    length = length < LINE - 1 ? length : LINE - 1;
    memcpy(line, from, length);
    line[length] = '\0';
    return true;
}

/* Reads "-Y 480 +X 640". */
static bool read_size(const char *line, satb_image *shape, problem *p)
{
    char *end;
    if (strncmp(line, "-Y ", 3) != 0 || !strstr(line, " +X "))
        return problem_set(p,
                           "its rows do not run from top to bottom and left to right (%.40s); "
                           "save it upright",
                           line);
    const long height = strtol(line + 3, &end, 10);
    if (strncmp(end, " +X ", 4) != 0)
        return problem_set(p, "the HDR header is damaged or cut off");
    const long width = strtol(end + 4, &end, 10);
    if (*end || width < 1 || height < 1 || width > PICTURE_SIDE || height > PICTURE_SIDE)
        return problem_set(p, "the HDR header is damaged or claims an impossible size");
    *shape = (satb_image){
        .width = (int)width, .height = (int)height, .channels = 3, .bits = 16, .half = 1};
    return true;
}

/* Reads the header and sets *at behind it. */
static bool read_header(bytes in, satb_image *shape, size_t *at, problem *p)
{
    char line[LINE];
    *at = 0;
    do {
        if (!next_line(in, at, line))
            return problem_set(p, "the HDR header is damaged or cut off");
        if (strncmp(line, "FORMAT=", 7) == 0 && strcmp(line + 7, "32-bit_rle_rgbe") != 0)
            return problem_set(
                p,
                "its colours are of the kind %.40s, which satblur does not read; save it as RGBE",
                line + 7);
    } while (line[0]);
    if (!next_line(in, at, line))
        return problem_set(p, "the HDR header is damaged or cut off");
    return read_size(line, shape, p);
}

bool hdr_claim(bytes first, satb_image *shape, problem *p)
{
    size_t at;
    (void)p; /* the header may be longer */
    if (!read_header(first, shape, &at, &(problem){.text = ""}))
        *shape = (satb_image){.width = 0};
    return true;
}

bool hdr_probe(bytes in, satb_image *shape, problem *p)
{
    size_t at;
    return read_header(in, shape, &at, p);
}

/* --- Rows ------------------------------------------------------------------------------------- */

typedef enum row_status { ROW_READ, ROW_DAMAGED, ROW_CUT_OFF } row_status;

/* Unpacks a channel of a row: a count beyond 128 is of a run, a smaller one of different bytes. */
static row_status unpack_channel(bytes in, size_t *at, uint8_t *to, size_t width)
{
    for (size_t x = 0; x < width;) {
        if (in.size - *at < 2)
            return ROW_CUT_OFF;
        const size_t code = in.data[(*at)++], count = code > 128 ? code - 128 : code;
        if (count == 0 || count > width - x)
            return ROW_DAMAGED;
        if (code <= 128 && count > in.size - *at)
            return ROW_CUT_OFF;
        for (size_t i = 0; i < count; i++, x++)
            to[4 * x] = in.data[code > 128 ? *at : *at + i];
        *at += code > 128 ? 1 : count;
    }
    return ROW_READ;
}

/* Reads a row of whole pixels. (1, 1, 1, n) repeats the pixel before n times; further ones count n << 8, and so on. */
static row_status read_plain(bytes in, size_t *at, uint8_t *to, size_t width)
{
    static const uint8_t repeat[3] = {1, 1, 1};
    int shift = 0;
    for (size_t x = 0; x < width;) {
        if (in.size - *at < 4)
            return ROW_CUT_OFF;
        const uint8_t *const pixel = in.data + *at;
        *at += 4;
        if (memcmp(pixel, repeat, sizeof repeat) != 0) {
            memcpy(to + 4 * x++, pixel, 4);
            shift = 0;
            continue;
        }
        const uint64_t count = (uint64_t)pixel[3] << shift;
        if (x == 0 || shift > 16 || count > width - x)
            return ROW_DAMAGED;
        for (uint64_t i = 0; i < count; i++, x++)
            memcpy(to + 4 * x, to + 4 * (x - 1), 4);
        shift += 8;
    }
    return ROW_READ;
}

static row_status read_row(bytes in, size_t *at, uint8_t *to, size_t width)
{
    const uint8_t *const b = in.data + *at;
    if (in.size - *at < 4)
        return ROW_CUT_OFF;
    if (width < LEAST_PACKED || width > MOST_PACKED || b[0] != 2 || b[1] != 2 || b[2] > 127)
        return read_plain(in, at, to, width);
    if (((size_t)b[2] << 8 | b[3]) != width)
        return ROW_DAMAGED;
    *at += 4;
    row_status status = ROW_READ;
    for (int c = 0; c < 4 && status == ROW_READ; c++)
        status = unpack_channel(in, at, to + c, width);
    return status;
}

static void convert_row(const uint8_t *from, size_t width, const float scale[256], uint16_t *to)
{
    for (size_t x = 0; x < width; x++, from += 4)
        for (int c = 0; c < 3; c++)
            *to++ = half_of((float)from[c] * scale[from[3]]);
}

static bool read_rows(bytes in, size_t at, const satb_image *image, uint8_t *row, problem *p)
{
    float scale[256] = {0}; /* exponent 0 is black */
    const size_t width = (size_t)image->width;
    for (int e = 1; e < 256; e++)
        scale[e] = ldexpf(1, e - 136);
    for (int y = 0; y < image->height; y++) {
        const row_status status = read_row(in, &at, row, width);
        if (status != ROW_READ)
            return problem_set(p, "its pixels at row %d are %s; get a new copy", y,
                               status == ROW_CUT_OFF ? "cut off" : "damaged");
        convert_row(row, width, scale, (uint16_t *)image->data + (size_t)y * width * 3);
    }
    return true;
}

const char *hdr_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    size_t at;
    (void)settings;
    if (!read_header(in, image, &at, p))
        return NULL;
    uint8_t *const row = malloc(4 * (size_t)image->width);
    bool done = pixels_make(image, NULL) && row;
    if (done)
        done = read_rows(in, at, image, row, p);
    else
        problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for %d x %d pixels", image->width,
                         image->height);
    free(row);
    return done ? "satblur" : NULL;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Returns the nearest whole number of one below 2^22; of two the even one. */
static float nearest(float number)
{
    return number + 0x1p23F - 0x1p23F;
}

/* Rounds a pixel to 8 bits of its largest channel. Negative numbers and NaN become 0, and infinity 65504. */
static void pack_pixel(const uint16_t *rgb, uint8_t *red, size_t step)
{
    float v[3], top = 0;
    for (int c = 0; c < 3; c++) {
        v[c] = rgb[c] <= HALF_LARGEST    ? half_to_float(rgb[c])
               : rgb[c] == HALF_INFINITY ? half_to_float(HALF_LARGEST)
                                         : 0;
        top = v[c] > top ? v[c] : top;
    }
    int exponent = -128;
    if (top > 0)
        frexpf(top, &exponent);
    float scale = top > 0 ? ldexpf(1, 8 - exponent) : 0;
    if (nearest(top * scale) > 255) {
        exponent++;
        scale /= 2;
    }
    for (int c = 0; c < 3; c++)
        red[(size_t)c * step] = (uint8_t)nearest(v[c] * scale);
    red[3 * step] = (uint8_t)(exponent + 128);
}

/* Returns the count of equal bytes, 127 at most. */
static size_t run_at(const uint8_t *from, size_t left)
{
    size_t run = 1;
    while (run < left && run < 127 && from[run] == from[0])
        run++;
    return run;
}

/* Packs a channel of a row and returns the bytes, which are no more than the row's and one for each 128 of them. */
static size_t pack_channel(const uint8_t *from, size_t width, uint8_t *to)
{
    enum { LEAST = 3 }; /* of a run */
    size_t used = 0;
    for (size_t x = 0; x < width;) {
        const size_t run = run_at(from + x, width - x);
        size_t count = 0;
        if (run >= LEAST) {
            to[used++] = (uint8_t)(128 + run);
            to[used++] = from[x];
            x += run;
            continue;
        }
        while (x + count < width && count < 128 &&
               run_at(from + x + count, width - x - count) < LEAST)
            count++;
        to[used++] = (uint8_t)count;
        memcpy(to + used, from + x, count);
        used += count;
        x += count;
    }
    return used;
}

/* Writes a row by way of `plain`, which holds 4 bytes of a pixel, and `packed`, which holds twice as many and a head. */
static void write_row(const uint16_t *rgb, size_t width, uint8_t *plain, uint8_t *packed, sink *to)
{
    const bool packs = width >= LEAST_PACKED && width <= MOST_PACKED;
    for (size_t x = 0; x < width; x++)
        pack_pixel(rgb + 3 * x, plain + (packs ? x : 4 * x), packs ? width : 1);
    if (!packs) {
        sink_put(to, plain, 4 * width);
        return;
    }
    size_t used = 4;
    packed[0] = packed[1] = 2;
    packed[2] = (uint8_t)(width >> 8);
    packed[3] = (uint8_t)width;
    for (size_t c = 0; c < 4; c++)
        used += pack_channel(plain + c * width, width, packed + used);
    sink_put(to, packed, used);
}

const char *hdr_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p)
{
    char head[100];
    (void)settings;
    const size_t width = (size_t)image->width;
    uint8_t *const rows = malloc(12 * width + 4);
    if (!rows) {
        problem_set(p, "not enough memory to write the HDR");
        return NULL;
    }
    const int size =
        snprintf(head, sizeof head, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n",
                 image->height, image->width);
    sink_put(to, head, (size_t)size);
    for (int y = 0; y < image->height; y++)
        write_row((const uint16_t *)image->data + (size_t)y * width * 3, width, rows,
                  rows + 4 * width, to);
    free(rows);
    return "satblur";
}
