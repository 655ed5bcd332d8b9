/* PNM: bits, gray and RGB in digits (P1, P2, P3) and in bytes (P4, P5, P6), and PAM (P7), which may have alpha. Samples of more
 * than 8 bits are big-endian. */
#include "codec/codec_format.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PBM = '4', PAM = '7' }; /* kinds, by the magic's second byte */

typedef struct header {
    char kind; /* of the binary form */
    bool is_plain;
    int channels, width, height, largest;
    size_t at; /* the offset of the samples */
} header;

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_blanks(bytes in, size_t *at)
{
    while (*at < in.size && (is_space(in.data[*at]) || in.data[*at] == '#')) {
        if (in.data[*at] == '#')
            while (*at < in.size && in.data[*at] != '\n' && in.data[*at] != '\r')
                ++*at;
        else
            ++*at;
    }
}

/* Returns the number after blanks and comments; -1 where there is none or it is beyond 2^26. */
static int next_number(bytes in, size_t *at)
{
    int value = -1;
    skip_blanks(in, at);
    for (; *at < in.size && in.data[*at] >= '0' && in.data[*at] <= '9'; ++*at) {
        value = (value < 0 ? 0 : value) * 10 + (in.data[*at] - '0');
        if (value > 1 << 26)
            return -1;
    }
    return value;
}

/* --- The header ------------------------------------------------------------------------------- */

/* Reads PAM's lines of a word and a number, up to ENDHDR. Its names of kinds say no more than the number of samples. */
static void read_lines(bytes in, header *h)
{
    static const char *const words[] = {"WIDTH", "HEIGHT", "DEPTH", "MAXVAL"};
    int *const numbers[] = {&h->width, &h->height, &h->channels, &h->largest};
    for (;;) {
        skip_blanks(in, &h->at);
        const uint8_t *const word = in.data + h->at;
        size_t length = 0;
        while (h->at + length < in.size && !is_space(word[length]))
            length++;
        h->at += length;
        if (length == 0 || (length == 6 && memcmp(word, "ENDHDR", length) == 0))
            return;
        int known = 0;
        while (known < 4 &&
               (strlen(words[known]) != length || memcmp(word, words[known], length) != 0))
            known++;
        if (known < 4)
            *numbers[known] = next_number(in, &h->at);
        else
            while (h->at < in.size && in.data[h->at] != '\n')
                h->at++;
    }
}

static bool read_header(bytes in, header *h, problem *p)
{
    const char kind = (char)in.data[1];
    *h = (header){.kind = kind, .channels = 1, .largest = 1, .at = 2};
    h->is_plain = kind < PBM;
    h->kind = (char)(h->is_plain ? kind + 3 : kind);
    if (h->kind == PAM) {
        read_lines(in, h);
    } else {
        h->channels = h->kind == '6' ? 3 : 1;
        h->width = next_number(in, &h->at);
        h->height = next_number(in, &h->at);
        if (h->kind != PBM)
            h->largest = next_number(in, &h->at);
    }
    if (h->width < 1 || h->height < 1 || h->largest < 1 || h->largest > 65535 || h->at >= in.size ||
        !is_space(in.data[h->at]))
        return problem_set(p, "the PNM header is damaged or cut off");
    if (h->channels < 1 || h->channels > 4)
        return problem_set(p, "a PAM with %d samples a pixel is not read here; convert it to PNG",
                           h->channels);
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

/* Returns the bytes of a row of a binary form. */
static uint64_t row_bytes(const header *h)
{
    const uint64_t width = (uint64_t)h->width;
    return h->kind == PBM ? (width + 7) / 8
                          : width * (uint64_t)h->channels * (h->largest > 255 ? 2 : 1);
}

/* Returns the bytes that the samples take, at least. In digits each has one, and a blank before the next unless it is a bit. */
static uint64_t least_bytes(const header *h)
{
    const uint64_t samples = (uint64_t)h->width * (uint64_t)h->height * (uint64_t)h->channels;
    return !h->is_plain     ? row_bytes(h) * (uint64_t)h->height
           : h->kind == PBM ? samples
                            : 2 * samples - 1;
}

bool pnm_probe(bytes in, satb_image *shape, problem *p)
{
    header h;
    if (!read_header(in, &h, p) || !pnm_claim(in, shape, p))
        return false;
    const uint64_t needed = least_bytes(&h); /* sides are below 2^27, so it cannot overflow */
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

/* --- Samples ---------------------------------------------------------------------------------- */

/* Stores a sample, scaled to 255 or 65535: v * 255 / largest, rounded. */
static bool put(const satb_image *image, uint32_t largest, size_t at, uint32_t v, problem *p)
{
    const uint32_t full = image->bits == 16 ? UINT16_MAX : UINT8_MAX;
    const uint32_t scaled = largest == full ? v : (v * full + largest / 2) / largest;
    if (v > largest)
        return problem_set(p, "a sample is %u and the header allows %u; the file is damaged", v,
                           largest);
    if (full == UINT8_MAX)
        ((uint8_t *)image->data)[at] = (uint8_t)scaled;
    else
        ((uint16_t *)image->data)[at] = (uint16_t)scaled;
    return true;
}

static bool read_bytes(const header *h, bytes in, const satb_image *image, problem *p)
{
    const uint8_t *const from = in.data + h->at;
    const size_t count = (size_t)h->width * (size_t)h->height * (size_t)h->channels;
    const bool is_narrow = image->bits == 8;
    for (size_t i = 0; i < count; i++)
        if (!put(image, (uint32_t)h->largest, i, is_narrow ? from[i] : big_endian_16(from + 2 * i),
                 p))
            return false;
    return true;
}

/* Reads bits, of which 1 is black. */
static bool read_bits(const header *h, bytes in, const satb_image *image)
{
    uint8_t *to = image->data;
    for (size_t y = 0; y < (size_t)h->height; y++) {
        const uint8_t *const row = in.data + h->at + y * (size_t)row_bytes(h);
        for (size_t x = 0; x < (size_t)h->width; x++)
            *to++ = row[x / 8] >> (7 - x % 8) & 1 ? 0 : UINT8_MAX;
    }
    return true;
}

/* Returns a bit of the plain form, which need not have a blank behind it; -1: it is none. */
static int next_bit(bytes in, size_t *at)
{
    skip_blanks(in, at);
    const int digit = *at < in.size ? in.data[*at] - '0' : -1;
    if (digit != 0 && digit != 1)
        return -1;
    ++*at;
    return 1 - digit;
}

static bool read_digits(const header *h, bytes in, const satb_image *image, problem *p)
{
    const size_t count = (size_t)h->width * (size_t)h->height * (size_t)h->channels;
    size_t at = h->at;
    for (size_t i = 0; i < count; i++) {
        const int v = h->kind == PBM ? next_bit(in, &at) : next_number(in, &at);
        if (v < 0)
            return at >= in.size ? problem_set(p, "the file is cut off; get a whole copy")
                                 : problem_set(p, "a sample is no number; the file is damaged");
        if (!put(image, (uint32_t)h->largest, i, (uint32_t)v, p))
            return false;
    }
    return true;
}

const char *pnm_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    header h;
    (void)settings;
    if (!read_header(in, &h, p) || !pixels_make(image, p))
        return NULL;
    const bool done = h.is_plain      ? read_digits(&h, in, image, p)
                      : h.kind == PBM ? read_bits(&h, in, image)
                                      : read_bytes(&h, in, image, p);
    return done ? "satblur" : NULL;
}

/* --- Writing ---------------------------------------------------------------------------------- */

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
