/* TGA: gray, colours or codes of a colour map, plain or packed as runs. It has no signature. */
#include "codec/codec_format.h"
#include "image/pixels.h"

#include <string.h>

/* Offsets in the header, and bits of the descriptor: 0 to 3 count the bits of alpha, 4 and 5 say where the first pixel is, 6 and 7
 * that rows are not in order. */
enum {
    HAS_MAP = 1,
    TYPE = 2,
    MAP_FIRST = 3,
    MAP_COUNT = 5,
    MAP_BITS = 7,
    WIDTH = 12,
    HEIGHT = 14,
    DEPTH = 16,
    DESCRIPTOR = 17,
    HEADER = 18
};
enum { ATTRIBUTES = 0x0f, FROM_RIGHT = 0x10, FROM_TOP = 0x20, INTERLEAVED = 0xc0 };
enum { CODES = 1, COLOURS = 2, GRAYS = 3, PACKED = 8 };

typedef struct header {
    int width, height, channels;
    unsigned kind; /* CODES, COLOURS or GRAYS */
    bool is_packed;
    unsigned bits, step;              /* of a pixel in the file */
    unsigned map_bytes, first, count; /* of the colour map */
    unsigned map_bits;
    size_t map_at, at; /* of the colour map and the pixels */
    unsigned descriptor;
} header;

static unsigned number_at(const uint8_t *b, unsigned size)
{
    unsigned value = 0;
    for (unsigned i = size; i > 0; i--)
        value = value << 8 | b[i - 1];
    return value;
}

static bool cut_off(problem *p)
{
    return problem_set(p, "the file is cut off; get a whole copy");
}

/* It has no signature: its name or the footer of version 2 tells. */
bool tga_is(bytes in, const char *path)
{
    static const char footer[] = "TRUEVISION-XFILE.";
    return codec_has_ending(path, "tga") ||
           (in.size > sizeof footer &&
            memcmp(in.data + in.size - sizeof footer, footer, sizeof footer) == 0);
}

/* Returns whether a TGA may begin so. Its type is 1 to 3, or 9 to 11 where pixels are packed as runs; a pixel has 8 to 32 bits. */
bool tga_may_start(bytes first)
{
    const uint8_t *const b = first.data;
    return first.size >= HEADER && b[HAS_MAP] <= 1 && (b[TYPE] & ~PACKED) >= CODES &&
           (b[TYPE] & ~PACKED) <= GRAYS && b[DEPTH] >= 8 && b[DEPTH] <= 32;
}

/* --- The header ------------------------------------------------------------------------------- */

/* Returns the channels of pixels or of the map's entries; 0: there are none of that kind. */
static int channels_of(unsigned bits, bool is_gray)
{
    switch (bits) {
    case 8: return 1;
    case 15: return is_gray ? 0 : 3;
    case 16: return is_gray ? 2 : 3;
    case 24: return is_gray ? 0 : 3;
    case 32: return is_gray ? 0 : 4;
    default: return 0;
    }
}

static bool accept_kind(const header *h, problem *p)
{
    if (h->descriptor & INTERLEAVED)
        return problem_set(p, "a TGA with interleaved rows is not read here; convert it to PNG");
    if (h->kind == CODES && h->count == 0)
        return problem_set(p, "the TGA has no colour map for its pixels; the file is damaged");
    return h->channels > 0 ||
           problem_set(p,
                       "a TGA with pixels of %u bits (type %u) is not read here; convert it to "
                       "PNG",
                       h->kind == CODES && (h->bits == 8 || h->bits == 16) ? h->map_bits : h->bits,
                       h->kind + (h->is_packed ? PACKED : 0u));
}

static bool read_header(bytes in, header *h, problem *p)
{
    const uint8_t *const b = in.data;
    if (in.size < HEADER)
        return cut_off(p);
    if (!tga_may_start(in))
        return problem_set(p, "the file is no TGA, or of an unusual kind; give it the right name, "
                              "or convert it to PNG");
    *h = (header){.width = (int)number_at(b + WIDTH, 2),
                  .height = (int)number_at(b + HEIGHT, 2),
                  .kind = b[TYPE] & ~(unsigned)PACKED,
                  .is_packed = (b[TYPE] & PACKED) != 0,
                  .bits = b[DEPTH],
                  .step = (b[DEPTH] + 7u) / 8,
                  .map_bits = b[MAP_BITS],
                  .map_bytes = b[HAS_MAP] ? (b[MAP_BITS] + 7u) / 8 : 0,
                  .first = number_at(b + MAP_FIRST, 2),
                  .count = b[HAS_MAP] ? number_at(b + MAP_COUNT, 2) : 0,
                  .map_at = HEADER + (size_t)b[0],
                  .descriptor = b[DESCRIPTOR]};
    h->at = h->map_at + (size_t)h->map_bytes * h->count;
    if (h->kind != CODES)
        h->channels = channels_of(h->bits, h->kind == GRAYS);
    else if (h->bits == 8 || h->bits == 16)
        h->channels = channels_of(h->map_bits, false);
    if (h->kind == COLOURS && h->channels == 4 && (h->descriptor & ATTRIBUTES) == 0)
        h->channels = 3; /* the fourth byte has no meaning */
    return accept_kind(h, p);
}

bool tga_probe(bytes in, satb_image *shape, problem *p)
{
    header h;
    if (!read_header(in, &h, p))
        return false;
    *shape = (satb_image){.width = h.width, .height = h.height, .channels = h.channels, .bits = 8};
    return true;
}

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Stores a colour of the file: gray, with alpha or without it, or blue, green and red of 5 or 8 bits. */
static void put_colour(const uint8_t *from, unsigned size, int channels, uint8_t *to)
{
    if (channels < 3) {
        memcpy(to, from, (size_t)channels);
    } else if (size == 2) {
        const unsigned pixel = number_at(from, 2);
        for (int c = 0; c < 3; c++)
            to[c] = (uint8_t)((pixel >> (10 - 5 * c) & 31) * UINT8_MAX / 31);
    } else {
        for (int c = 0; c < 3; c++)
            to[c] = from[2 - c];
        if (channels == 4)
            to[3] = from[3];
    }
}

/* Stores a pixel. Codes that the colour map lacks have its first colour. */
static void put_pixel(const header *h, bytes in, const uint8_t *from, uint8_t *to)
{
    if (h->kind != CODES) {
        put_colour(from, h->step, h->channels, to);
        return;
    }
    const unsigned code = number_at(from, h->step) - h->first; /* wraps below the first one */
    const size_t entry = code < h->count ? code : 0;
    put_colour(in.data + h->map_at + entry * h->map_bytes, h->map_bytes, h->channels, to);
}

typedef struct place { /* of the next pixel, as they follow each other in the file */
    int x, y;
} place;

/* Returns where the next pixel lies in the picture. */
static uint8_t *take_place(const header *h, const satb_image *image, place *next)
{
    const int x = h->descriptor & FROM_RIGHT ? h->width - 1 - next->x : next->x;
    const int y = h->descriptor & FROM_TOP ? next->y : h->height - 1 - next->y;
    if (++next->x == h->width)
        *next = (place){0, next->y + 1};
    return (uint8_t *)image->data +
           ((size_t)y * (size_t)h->width + (size_t)x) * (size_t)h->channels;
}

/* Reads packets: a byte whose high bit is set stands for a pixel that is repeated, others for pixels that follow. Its other bits
 * count them, less one. Packets may go on in the next row. */
static bool read_pixels(const header *h, bytes in, const satb_image *image, problem *p)
{
    size_t at = h->at;
    place next = {0, 0};
    for (size_t left = (size_t)h->width * (size_t)h->height; left > 0;) {
        size_t count = left, step = h->step;
        if (h->is_packed) {
            if (at >= in.size)
                return cut_off(p);
            const unsigned packet = in.data[at++], here = (packet & 127) + 1;
            count = here < left ? here : left;
            step = packet & 128 ? 0 : step;
        }
        const size_t needed = step ? step * count : h->step;
        if (at > in.size || needed > in.size - at)
            return cut_off(p);
        for (size_t i = 0; i < count; i++)
            put_pixel(h, in, in.data + at + i * step, take_place(h, image, &next));
        at += needed;
        left -= count;
    }
    return true;
}

const char *tga_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    header h;
    (void)settings;
    const bool done = read_header(in, &h, p) && (h.at <= in.size || cut_off(p)) &&
                      pixels_make(image, p) && read_pixels(&h, in, image, p);
    return done ? "satblur" : NULL;
}
