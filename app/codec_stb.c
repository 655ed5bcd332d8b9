/* stb_image and stb_image_write, the only file that holds their code: JPEG, BMP and TGA in; 8-bit
 * PNG, JPEG, BMP and TGA out. The other readers of stb are switched off. */
#include "codec.h"

#include <libdeflate.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* stb's own deflate is slow and packs badly; this one takes its place. NULL (which stb checks)
 * means out of memory. */
static unsigned char *deflate_for_stb(const unsigned char *data, int size, int *packed, int level)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    if (!compressor)
        return NULL;
    const size_t room = libdeflate_zlib_compress_bound(compressor, (size_t)size);
    unsigned char *out = malloc(room);
    const size_t used =
        out ? libdeflate_zlib_compress(compressor, data, (size_t)size, out, room) : 0;
    libdeflate_free_compressor(compressor);
    if (used == 0 || used > INT_MAX) {
        free(out);
        return NULL;
    }
    *packed = (int)used;
    return out;
}

/* stb shifts into and overflows signed numbers; here that is defined to wrap. Its warnings are not
 * ours to mend. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("wrapv")
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wundef"
#endif
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_MALLOC(size)                                                                          \
    calloc(1, size) /* a JPEG without its tables is decoded with what is there */
#define STBI_REALLOC(old, size) realloc(old, size)
#define STBI_FREE(data)         free(data)
#define STBI_ASSERT(condition)  ((void)0) /* damage is an error, not a crash */
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#include <stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#define STBIW_ZLIB_COMPRESS(data, size, packed, level) deflate_for_stb(data, size, packed, level)
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

/* --- Reading ---------------------------------------------------------------------------------- */

/* Behind the end of a file stb goes on with zeros and calls the result a picture. This reader keeps
 * in mind that more was asked for than the file has: a read that finds nothing left, or one that
 * comes back short. Only into stb's own small buffer (where the first read of all goes) a short
 * read is normal, as that is always filled as far as possible. */
typedef struct reader {
    bytes in;
    size_t at;
    const char *buffer;
    bool cut_off;
} reader;

static int read_some(void *user, char *out, int size)
{
    reader *r = user;
    const size_t left = r->in.size - r->at;
    const size_t wanted = size > 0 ? (size_t)size : 0;
    const size_t count = wanted < left ? wanted : left;
    memcpy(out, r->in.data + r->at, count);
    r->at += count;
    r->buffer = r->buffer ? r->buffer : out;
    r->cut_off = r->cut_off || count == 0 || (count < wanted && out != r->buffer);
    return (int)count;
}

static void skip_some(void *user, int size)
{
    reader *r = user;
    const size_t left = r->in.size - r->at;
    const size_t wanted = size > 0 ? (size_t)size : 0;
    r->at += wanted < left ? wanted : left;
    r->cut_off = r->cut_off || wanted > left;
}

static int at_end(void *user)
{
    const reader *r = user;
    return r->at == r->in.size;
}

static const stbi_io_callbacks callbacks = {.read = read_some, .skip = skip_some, .eof = at_end};

static bool explain(const reader *r, problem *p)
{
    const char *reason = stbi_failure_reason();
    if (reason && strcmp(reason, "outofmem") == 0)
        return problem_set(p, "not enough memory for this picture");
    return r->cut_off
               ? problem_set(p, "the file is cut off; get a whole copy")
               : problem_set(p, "the file is damaged or of an unusual kind (%s); convert it to PNG",
                             reason ? reason : "no reason given");
}

/* Whether the Huffman tables of a DHT segment are whole and have at most 256 codes each: stb writes
 * as many into its arrays as the file says. */
static bool sound_tables(const uint8_t *data, size_t size)
{
    while (size > 0) {
        size_t codes = 0;
        for (size_t i = 1; i <= 16 && size >= 17; i++)
            codes += data[i];
        if (size < 17 || codes > 256 || codes > size - 17)
            return false;
        data += 17 + codes;
        size -= 17 + codes;
    }
    return true;
}

/* The marker at or after *at, which moves behind it; 0 at the end of the file. What is passed over
 * are packed samples: there, FF is followed by 0 or a restart mark (ITU-T T.81, B.1.1). */
static int next_marker(bytes in, size_t *at)
{
    for (; in.size - *at >= 2; ++*at) {
        const uint8_t *b = in.data + *at;
        if (b[0] == 0xff && b[1] != 0 && b[1] != 0xff && (b[1] < 0xd0 || b[1] > 0xd7)) {
            *at += 2;
            return b[1];
        }
    }
    return 0;
}

/* Walks a JPEG from marker to marker to its end, before stb sees it. */
static bool sound_jpeg(bytes in, problem *p)
{
    enum { DHT = 0xc4, EOI = 0xd9 };
    size_t at = 2;
    for (int marker = next_marker(in, &at); marker != EOI; marker = next_marker(in, &at)) {
        const size_t left = in.size - at;
        const size_t length = left < 2 ? 0 : (size_t)in.data[at] << 8 | in.data[at + 1];
        if (marker == 0 || length > left)
            return problem_set(p, "the file is cut off; get a whole copy");
        if (length < 2 || (marker == DHT && !sound_tables(in.data + at + 2, length - 2)))
            return problem_set(p, "the JPEG is damaged; get a whole copy");
        at += length;
    }
    return true;
}

/* A number of 2 or 4 bytes in the byte order of a TIFF; 0 beyond the end. */
static uint32_t tiff_number(bytes tiff, size_t at, int size)
{
    uint32_t value = 0;
    for (int i = 0; i < size && at + (size_t)size <= tiff.size; i++) {
        const size_t from = tiff.data[0] == 'M' ? (size_t)i : (size_t)(size - 1 - i);
        value = value << 8 | tiff.data[at + from];
    }
    return value;
}

/* The orientation tag of an APP1 segment, 0 where it has none (EXIF 2.3, 4.6). */
static int exif_orientation(bytes segment)
{
    enum { ORIENTATION = 0x112 };
    if (segment.size < 14 || memcmp(segment.data, "Exif\0", 6) != 0)
        return 0;
    const bytes tiff = {.data = segment.data + 6, .size = segment.size - 6};
    const size_t directory = tiff_number(tiff, 4, 4);
    const uint32_t entries = tiff_number(tiff, directory, 2);
    for (uint32_t i = 0; i < entries; i++) {
        const size_t entry = directory + 2 + 12 * (size_t)i;
        if (tiff_number(tiff, entry, 2) == ORIENTATION)
            return (int)tiff_number(tiff, entry + 8, 2);
    }
    return 0;
}

int jpeg_orientation(bytes in)
{
    enum { APP1 = 0xe1, SOS = 0xda };
    size_t at = 2;
    for (int marker; (marker = next_marker(in, &at)) != 0 && marker != SOS;) {
        const size_t left = in.size - at;
        const size_t length = left < 2 ? 0 : (size_t)in.data[at] << 8 | in.data[at + 1];
        if (length < 2 || length > left)
            break;
        const bytes segment = {.data = in.data + at + 2, .size = length - 2};
        const int orientation = marker == APP1 ? exif_orientation(segment) : 0;
        if (orientation >= 1 && orientation <= 8)
            return orientation;
        at += length;
    }
    return 1;
}

bool stb_probe(bytes in, satb_image *shape, problem *p)
{
    if (in.data[0] == 0xff && !sound_jpeg(in, p))
        return false;
    reader r = {.in = in};
    *shape = (satb_image){.bits = 8};
    if (!stbi_info_from_callbacks(&callbacks, &r, &shape->width, &shape->height, &shape->channels))
        return explain(&r, p);
    if (shape->height < 0 && shape->height > INT_MIN)
        shape->height = -shape->height; /* a BMP whose rows run from top to bottom */
    return true;
}

bool stb_decode(bytes in, satb_image *image, problem *p)
{
    reader r = {.in = in};
    int in_file;
    image->data = stbi_load_from_callbacks(&callbacks, &r, &image->width, &image->height, &in_file,
                                           image->channels);
    return (image->data && !r.cut_off) || explain(&r, p);
}

/* The image descriptor of a TGA: bits 0..3 count the attribute (alpha) bits of a pixel, bit 4 says
 * that rows run from right to left. stb looks at neither. */
enum { TGA_DESCRIPTOR = 17, TGA_DEPTH = 16, TGA_ATTRIBUTES = 0x0f, TGA_MIRRORED = 0x10 };

bool tga_probe(bytes in, satb_image *shape, problem *p)
{
    if (!stb_probe(in, shape, p))
        return false;
    if (shape->channels == 4 && in.size > TGA_DESCRIPTOR && in.data[TGA_DEPTH] == 32 &&
        (in.data[TGA_DESCRIPTOR] & TGA_ATTRIBUTES) == 0)
        shape->channels = 3; /* the fourth byte means nothing */
    return true;
}

bool tga_decode(bytes in, satb_image *image, problem *p)
{
    if (!stb_decode(in, image, p))
        return false;
    if (!(in.data[TGA_DESCRIPTOR] & TGA_MIRRORED))
        return true;
    const size_t pixel = (size_t)image->channels, row = pixel * (size_t)image->width;
    for (int y = 0; y < image->height; y++) {
        uint8_t *left = (uint8_t *)image->data + row * (size_t)y, *right = left + row - pixel;
        for (; left < right; left += pixel, right -= pixel) {
            uint8_t swap[4];
            memcpy(swap, left, pixel);
            memcpy(left, right, pixel);
            memcpy(right, swap, pixel);
        }
    }
    return true;
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void put(void *user, void *data, int size)
{
    sink_put(user, data, (size_t)size);
}

/* stb says 0 when memory ran out, and knows nothing of a sink that fails. */
static bool finish(int done, const sink *to, problem *p)
{
    return done || to->failed || problem_set(p, "not enough memory to write the picture");
}

bool stb_encode_png(const satb_image *image, const encode_settings *settings, sink *to, problem *p)
{
    stbi_write_png_compression_level = settings->compression;
    return finish(stbi_write_png_to_func(put, to, image->width, image->height, image->channels,
                                         image->data, 0),
                  to, p);
}

bool stb_encode_jpeg(const satb_image *image, const encode_settings *settings, sink *to, problem *p)
{
    return finish(stbi_write_jpg_to_func(put, to, image->width, image->height, image->channels,
                                         image->data, settings->quality),
                  to, p);
}

bool stb_encode_bmp(const satb_image *image, const encode_settings *settings, sink *to, problem *p)
{
    (void)settings;
    return finish(
        stbi_write_bmp_to_func(put, to, image->width, image->height, image->channels, image->data),
        to, p);
}

bool stb_encode_tga(const satb_image *image, const encode_settings *settings, sink *to, problem *p)
{
    (void)settings;
    return finish(
        stbi_write_tga_to_func(put, to, image->width, image->height, image->channels, image->data),
        to, p);
}
