/* stb_image and stb_image_write, whose code is compiled in this file: JPEG and TGA are read, 8-bit PNG, JPEG, BMP and
 * TGA written. The other readers of stb are switched off. */
#include "codec/codec_format.h"

#include <libdeflate.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Passes around stb: its own variable for the level is shared by all threads, it forgets the packed data when memory for
 * the file around them runs out, and a probe that lacks memory for a JPEG calls the file unknown. */
static _Thread_local struct {
    int level;
    unsigned char *packed;
    bool starved; /* memory has run out since reading began */
} for_stb;

/* Packs by libdeflate instead of stb's own deflate, which is slow and packs badly. NULL, which stb checks: memory ran
 * out. */
static unsigned char *deflate_for_stb(const unsigned char *data, int size, int *packed)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(for_stb.level);
    if (!compressor)
        return NULL;
    const size_t capacity = libdeflate_zlib_compress_bound(compressor, (size_t)size);
    unsigned char *out = malloc(capacity);
    const size_t used =
        out ? libdeflate_zlib_compress(compressor, data, (size_t)size, out, capacity) : 0;
    libdeflate_free_compressor(compressor);
    if (used == 0 || used > INT_MAX) {
        free(out);
        return NULL;
    }
    *packed = (int)used;
    return for_stb.packed = out;
}

/* Returns zeros: a JPEG without its tables is decoded with what is there. */
static void *allocate_for_stb(size_t size)
{
    void *memory = calloc(1, size);
    for_stb.starved = for_stb.starved || !memory;
    return memory;
}

/* stb shifts into the sign of numbers and overflows them: here both wrap. Its warnings are switched off. */
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
#define STBI_MALLOC(size)       allocate_for_stb(size)
#define STBI_REALLOC(old, size) realloc(old, size)
#define STBI_FREE(data)         free(data)
#define STBI_ASSERT(condition)  ((void)0) /* damage is an error, not a crash */
#define STBI_ONLY_JPEG
#define STBI_ONLY_TGA
#include <stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#define STBIW_ZLIB_COMPRESS(data, size, packed, level) deflate_for_stb(data, size, packed)
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

/* --- Reading ---------------------------------------------------------------------------------- */

/* Notes that stb asks for more than the file has, as stb goes on with zeros then and calls the result a picture: a read
 * finds nothing left, or comes back short. A short read is normal for stb's own small buffer, to which the first read of all
 * goes, as that is always filled as far as possible. */
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
    if (for_stb.starved || (reason && strcmp(reason, "outofmem") == 0))
        return problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for this picture");
    return r->cut_off
               ? problem_set(p, "the file is cut off; get a whole copy")
               : problem_set(p, "the file is damaged or of an unusual kind (%s); convert it to PNG",
                             reason ? reason : "no reason given");
}

bool stb_probe(bytes in, satb_image *shape, problem *p)
{
    reader r = {.in = in};
    for_stb.starved = false;
    *shape = (satb_image){.bits = 8};
    if (!stbi_info_from_callbacks(&callbacks, &r, &shape->width, &shape->height, &shape->channels))
        return explain(&r, p);
    return true;
}

const char *stb_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    (void)settings;
    reader r = {.in = in};
    int in_file;
    for_stb.starved = false;
    image->data = stbi_load_from_callbacks(&callbacks, &r, &image->width, &image->height, &in_file,
                                           image->channels);
    return (image->data && !r.cut_off) || explain(&r, p) ? "stb" : NULL;
}

/* The image descriptor of a TGA: bits 0 to 3 count the attribute (alpha) bits of a pixel; bit 4 is set where rows run from
 * right to left. stb ignores both. */
enum { TGA_DESCRIPTOR = 17, TGA_DEPTH = 16, TGA_ATTRIBUTES = 0x0f, TGA_MIRRORED = 0x10 };

/* Returns whether a TGA may begin so. Its type is 1 to 3, or 9 to 11 where pixels are packed as
 * runs; a pixel has 8 to 32 bits. */
bool tga_may_start(bytes first)
{
    const uint8_t *const b = first.data;
    return first.size > TGA_DESCRIPTOR && b[1] <= 1 && (b[2] & ~8) >= 1 && (b[2] & ~8) <= 3 &&
           b[TGA_DEPTH] >= 8 && b[TGA_DEPTH] <= 32;
}

/* Refuses a file whose second byte is neither 0 nor 1: stb goes by the content and tries JPEG first, but no JPEG may reach
 * stb unchecked, under a TGA's name. */
bool tga_probe(bytes in, satb_image *shape, problem *p)
{
    if (in.size > 1 && in.data[1] > 1)
        return problem_set(p, "the file is not a TGA, or is damaged; give it the right name");
    if (!stb_probe(in, shape, p))
        return false;
    if (shape->channels == 4 && in.size > TGA_DESCRIPTOR && in.data[TGA_DEPTH] == 32 &&
        (in.data[TGA_DESCRIPTOR] & TGA_ATTRIBUTES) == 0)
        shape->channels = 3; /* the fourth byte has no meaning */
    return true;
}

const char *tga_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    if (!stb_decode(in, image, settings, p))
        return NULL;
    if (!(in.data[TGA_DESCRIPTOR] & TGA_MIRRORED))
        return "stb";
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
    return "stb";
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void put(void *user, void *data, int size)
{
    sink_put(user, data, (size_t)size);
}

/* done: what stb returned, 0 if it failed. A sink that failed is the caller's to explain. */
static const char *finish(int done, const sink *to, const char *reason, problem *p)
{
    if (!done && !to->failed)
        problem_set(p, "%s", reason);
    return done || to->failed ? "stb" : NULL;
}

const char *stb_encode_png(const satb_image *image, const encode_settings *settings, sink *to,
                           problem *p)
{
    for_stb.level = settings->compression;
    for_stb.packed = NULL; /* stb may fail before it has packed */
    const int done = stbi_write_png_to_func(put, to, image->width, image->height, image->channels,
                                            image->data, 0);
    if (!done)
        free(for_stb.packed);
    return finish(done, to, "not enough memory to write the PNG", p);
}

const char *stb_encode_jpeg(const satb_image *image, const encode_settings *settings, sink *to,
                            problem *p)
{
    return finish(stbi_write_jpg_to_func(put, to, image->width, image->height, image->channels,
                                         image->data, settings->quality),
                  to, "the JPEG could not be written (stb refuses its size)", p);
}

const char *stb_encode_bmp(const satb_image *image, const encode_settings *settings, sink *to,
                           problem *p)
{
    (void)settings;
    return finish(
        stbi_write_bmp_to_func(put, to, image->width, image->height, image->channels, image->data),
        to, "the BMP could not be written (stb refuses its size)", p);
}

const char *stb_encode_tga(const satb_image *image, const encode_settings *settings, sink *to,
                           problem *p)
{
    (void)settings;
    return finish(
        stbi_write_tga_to_func(put, to, image->width, image->height, image->channels, image->data),
        to, "the TGA could not be written (stb refuses its size)", p);
}
