/* stb_image and stb_image_write, whose code is compiled in this file: JPEG is read; JPEG, BMP and TGA are written. The other
 * readers of stb are switched off. */
#include "codec/codec_format.h"

#include <stdlib.h>
#include <string.h>

/* Whether memory has run out since reading began: a probe that lacks memory for a JPEG calls the file unknown. */
static _Thread_local bool starved;

/* Returns zeros: a JPEG without its tables is decoded with what is there. */
static void *allocate_for_stb(size_t size)
{
    void *memory = calloc(1, size);
    starved = starved || !memory;
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
#include <stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
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
    if (starved || (reason && strcmp(reason, "outofmem") == 0))
        return problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for this picture");
    return r->cut_off
               ? problem_set(p, "the file is cut off; get a whole copy")
               : problem_set(p, "the file is damaged or of an unusual kind (%s); convert it to PNG",
                             reason ? reason : "no reason given");
}

bool stb_probe(bytes in, satb_image *shape, problem *p)
{
    reader r = {.in = in};
    starved = false;
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
    starved = false;
    image->data = stbi_load_from_callbacks(&callbacks, &r, &image->width, &image->height, &in_file,
                                           image->channels);
    return (image->data && !r.cut_off) || explain(&r, p) ? "stb" : NULL;
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
