/* BMP: those of Windows, with headers of 40 to 124 bytes, and of OS/2, with 12 to 64. A pixel has 1 to 8 bits of a palette,
 * plain or as runs (RLE4, RLE8), or 16, 24 or 32 bits of colours. Rows run upwards unless the height is negative. */
#include "codec/codec_format.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <limits.h>
#include <string.h>

enum { FILE_HEADER = 14, OS2_HEADER = 12, PLAIN_HEADER = 40, ALPHA_HEADER = 56, MOST_HEADER = 124 };
enum { COLOURS = 256, CHANNELS = 4 };
enum packing { PLAIN, RLE8, RLE4, FIELDS, JPEG_INSIDE, PNG_INSIDE, ALPHA_FIELDS };

typedef struct header {
    int width, height;
    bool is_from_top;
    unsigned bits, packing;
    uint32_t masks[CHANNELS]; /* red, green, blue, alpha; of 16 and 32 bits */
    size_t at;                /* of the pixels */
    uint8_t palette[COLOURS][3];
} header;

static uint32_t number_at(const uint8_t *b, int size)
{
    uint32_t value = 0;
    for (int i = size - 1; i >= 0; i--)
        value = value << 8 | b[i];
    return value;
}

static bool cut_off(problem *p)
{
    return problem_set(p, "the file is cut off; get a whole copy");
}

/* --- The header ------------------------------------------------------------------------------- */

/* Reads the sides: 16 bits each in the oldest header. */
static bool read_sides(header *h, const uint8_t *b, size_t size, problem *p)
{
    const bool is_short = size == OS2_HEADER;
    const int64_t width = is_short ? (int32_t)number_at(b + 4, 2) : (int32_t)number_at(b + 4, 4);
    const int64_t height = is_short ? (int32_t)number_at(b + 6, 2) : (int32_t)number_at(b + 8, 4);
    h->is_from_top = height < 0;
    h->width = (int)width;
    h->height = (int)(height < 0 ? -height : height);
    h->bits = number_at(b + (is_short ? 10 : 14), 2);
    h->packing = size >= 20 ? number_at(b + 16, 4) : PLAIN;
    return (width >= 1 && height != 0 && height > INT_MIN) ||
           problem_set(p, "claims %lld x %lld pixels; the file is damaged", (long long)width,
                       (long long)height);
}

static bool accept_kind(const header *h, size_t size, problem *p)
{
    static const char *const names[] = {"", "", "", "", "JPEG", "PNG"};
    const bool is_os2 = size < PLAIN_HEADER || size == 64;
    if (is_os2 && (h->packing == 3 || h->packing == 4))
        return problem_set(p, "a BMP of OS/2 with %s is not read here; convert it to PNG",
                           h->packing == 3 ? "Huffman codes" : "runs of 24 bits");
    if (h->packing == JPEG_INSIDE || h->packing == PNG_INSIDE)
        return problem_set(p, "a BMP with a %s inside is not read here; convert it to PNG",
                           names[h->packing]);
    const bool is_known =
        h->packing == PLAIN ? h->bits == 1 || h->bits == 2 || h->bits == 4 || h->bits == 8 ||
                                  h->bits == 16 || h->bits == 24 || h->bits == 32
        : h->packing == RLE8 ? h->bits == 8
        : h->packing == RLE4 ? h->bits == 4
                             : (h->packing == FIELDS || h->packing == ALPHA_FIELDS) &&
                                   (h->bits == 16 || h->bits == 32);
    return is_known ||
           problem_set(p,
                       "a BMP with pixels of %u bits and packing %u is not read here; convert it "
                       "to PNG",
                       h->bits, h->packing);
}

/* Sets the bits of each colour: those of the header, or the usual ones, in which the fourth byte has no meaning. *end moves
 * behind masks that follow a header of 40 bytes. */
static bool read_masks(header *h, bytes in, size_t size, size_t *end, problem *p)
{
    static const uint32_t narrow[CHANNELS] = {31 << 10, 31 << 5, 31, 0};
    static const uint32_t wide[CHANNELS] = {0xff0000, 0xff00, 0xff, 0};
    memcpy(h->masks, h->bits == 16 ? narrow : wide, sizeof h->masks);
    if (h->packing != FIELDS && h->packing != ALPHA_FIELDS)
        return true;
    const bool has_alpha = size >= ALPHA_HEADER || h->packing == ALPHA_FIELDS;
    const size_t count = has_alpha ? 4 : 3, at = FILE_HEADER + PLAIN_HEADER;
    if (at + 4 * count > in.size)
        return cut_off(p);
    for (size_t i = 0; i < count; i++)
        h->masks[i] = number_at(in.data + at + 4 * i, 4);
    if (size == PLAIN_HEADER)
        *end += 4 * count;
    return (h->masks[0] && h->masks[1] && h->masks[2]) ||
           problem_set(p, "the BMP has no bits for a colour; the file is damaged");
}

/* Reads the palette: blue, green, red, and but for the oldest header a byte without a meaning. Colours that it lacks are
 * black. */
static bool read_palette(header *h, bytes in, size_t size, size_t at, problem *p)
{
    const size_t each = size == OS2_HEADER ? 3 : 4, most = (size_t)1 << h->bits;
    size_t count = size >= 36 ? number_at(in.data + FILE_HEADER + 32, 4) : 0;
    count = count == 0 || count > most ? most : count;
    if (h->at == at) /* some programs forget the palette there */
        h->at += each * count;
    if (h->at > at && (h->at - at) / each < count)
        count = (h->at - at) / each;
    if (at + each * count > in.size)
        return cut_off(p);
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            h->palette[i][c] = in.data[at + each * i + 2 - (size_t)c];
    return true;
}

static bool read_header(bytes in, header *h, problem *p)
{
    *h = (header){.width = 0};
    const size_t size = in.size >= FILE_HEADER + 4 ? number_at(in.data + FILE_HEADER, 4) : 0;
    if (size == 0)
        return cut_off(p);
    if (size < OS2_HEADER || (size > OS2_HEADER && size < 16) || size > MOST_HEADER)
        return problem_set(
            p, "a BMP with a header of %zu bytes is not read here; convert it to PNG", size);
    size_t end = FILE_HEADER + size;
    if (end > in.size)
        return cut_off(p);
    h->at = number_at(in.data + 10, 4);
    if (!read_sides(h, in.data + FILE_HEADER, size, p) || !accept_kind(h, size, p) ||
        !read_masks(h, in, size, &end, p))
        return false;
    return h->bits > 8 || read_palette(h, in, size, end, p);
}

bool bmp_probe(bytes in, satb_image *shape, problem *p)
{
    header h;
    if (!read_header(in, &h, p))
        return false;
    *shape = (satb_image){
        .width = h.width, .height = h.height, .channels = h.masks[3] ? 4 : 3, .bits = 8};
    return true;
}

static uint64_t row_bytes(const header *h)
{
    return ((uint64_t)h->width * h->bits + 31) / 32 * 4;
}

/* Runs may leave out any number of pixels. */
void bmp_weigh(bytes in, picture_claim *claim)
{
    header h;
    problem ignored;
    if (!read_header(in, &h, &ignored))
        return;
    claim->unpacked = row_bytes(&h) * (uint64_t)h.height;
    claim->reach = h.packing == RLE8 || h.packing == RLE4 ? 0 : 1;
}

/* --- Rows ------------------------------------------------------------------------------------- */

static uint8_t *row_at(const header *h, const satb_image *image, int y)
{
    const size_t row = (size_t)(h->is_from_top ? y : h->height - 1 - y);
    return (uint8_t *)image->data + row * (size_t)h->width * (size_t)image->channels;
}

/* Returns the mask's bits of a pixel in 0 .. 255. */
static uint8_t field_of(uint32_t pixel, uint32_t mask)
{
    uint32_t value = pixel & mask;
    for (; mask > 0 && !(mask & 1); mask >>= 1)
        value >>= 1;
    return (uint8_t)(mask == 0 ? 0 : (uint64_t)value * UINT8_MAX / mask);
}

static void read_codes(const header *h, const uint8_t *from, uint8_t *to)
{
    const unsigned mask = (1u << h->bits) - 1;
    for (size_t x = 0; x < (size_t)h->width; x++) {
        const size_t bit = x * h->bits;
        const unsigned code = from[bit / 8] >> (8 - h->bits - bit % 8) & mask;
        memcpy(to + 3 * x, h->palette[code], 3);
    }
}

static void read_colours(const header *h, const uint8_t *from, int channels, uint8_t *to)
{
    const int each = (int)h->bits / 8;
    for (int x = 0; x < h->width; x++, from += each)
        for (int c = 0; c < channels; c++)
            *to++ = each == 3 ? from[2 - c] : field_of(number_at(from, each), h->masks[c]);
}

static bool read_rows(const header *h, bytes in, const satb_image *image, problem *p)
{
    const uint64_t each = row_bytes(h);
    if (h->at > in.size || each > (in.size - h->at) / (uint64_t)h->height)
        return cut_off(p);
    for (int y = 0; y < h->height; y++) {
        const uint8_t *const from = in.data + h->at + each * (size_t)y;
        if (h->bits <= 8)
            read_codes(h, from, row_at(h, image, y));
        else
            read_colours(h, from, image->channels, row_at(h, image, y));
    }
    return true;
}

/* --- Runs ------------------------------------------------------------------------------------- */

typedef struct place {
    int x, y;
} place;

/* Sets pixels of the row, up to its end: codes of a byte, or two in a byte. step 0: all have those of the first byte. */
static void put_codes(const header *h, const satb_image *image, place *at, const uint8_t *codes,
                      int count, int step)
{
    for (int i = 0; i < count && at->x < h->width; i++, at->x++) {
        const int code = h->packing == RLE8 ? codes[i * step]
                         : i % 2 == 0       ? codes[i / 2 * step] >> 4
                                            : codes[i / 2 * step] & 15;
        memcpy(row_at(h, image, at->y) + 3 * (size_t)at->x, h->palette[code], 3);
    }
}

/* Fills the picture with the first colour, which is that of pixels that no run sets. */
static void fill(const header *h, const satb_image *image)
{
    for (size_t i = 0; i < (size_t)h->width * (size_t)h->height; i++)
        memcpy((uint8_t *)image->data + 3 * i, h->palette[0], 3);
}

/* Reads pairs of a count and a code. A count of 0 ends the row (0) or the picture (1), moves on (2), or tells how many codes
 * follow, filled up to an even number of bytes. */
static bool read_runs(const header *h, bytes in, const satb_image *image, problem *p)
{
    enum { ROW_ENDS, ENDS, MOVES };
    place at = {0, 0};
    fill(h, image);
    for (size_t next = h->at; at.y < h->height;) {
        if (next > in.size || in.size - next < 2)
            return cut_off(p);
        const uint8_t *const b = in.data + next;
        const size_t left = in.size - next - 2;
        const size_t packed = h->packing == RLE8 ? b[1] : (b[1] + 1u) / 2;
        next += 2;
        if (b[0] > 0) {
            put_codes(h, image, &at, b + 1, b[0], 0);
        } else if (b[1] == ENDS) {
            return true;
        } else if (b[1] == ROW_ENDS) {
            at = (place){0, at.y + 1};
        } else if (b[1] == MOVES ? left < 2 : left < packed) {
            return cut_off(p);
        } else if (b[1] == MOVES) {
            at = (place){at.x + b[2] < h->width ? at.x + b[2] : h->width, at.y + b[3]};
            next += 2;
        } else {
            put_codes(h, image, &at, b + 2, b[1], 1);
            next += packed + packed % 2;
        }
    }
    return true;
}

/* --- The picture ------------------------------------------------------------------------------ */

/* Makes a picture opaque whose alpha is 0 everywhere: its writer meant none. */
static void drop_empty_alpha(const satb_image *image)
{
    uint8_t *const alpha = (uint8_t *)image->data + 3;
    const size_t all = picture_bytes(image);
    for (size_t i = 0; i < all; i += CHANNELS)
        if (alpha[i] > 0)
            return;
    for (size_t i = 0; i < all; i += CHANNELS)
        alpha[i] = UINT8_MAX;
}

const char *bmp_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    header h;
    (void)settings;
    if (!read_header(in, &h, p) || !pixels_make(image, p))
        return NULL;
    const bool has_runs = h.packing == RLE8 || h.packing == RLE4;
    if (!(has_runs ? read_runs : read_rows)(&h, in, image, p))
        return NULL;
    if (image->channels == CHANNELS)
        drop_empty_alpha(image);
    return "satblur";
}
