/* PNG: who reads and writes it, and libspng, which reads every kind, and writes 16 bits and pictures
 * beyond stb's int sizes. libspng because its API is small and checked: it verifies chunk CRCs
 * (stb_image does not, and takes twice the time), stops at a cut-off file, and has no longjmp for
 * errors as libpng has. Writing 8 bits stays with stb, whose deflate can be replaced by libdeflate.
 * ISA-L is faster at what is common: reading most files, and writing at the default level. */
#include "codec/codec_format.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <libdeflate.h>
#include <limits.h>
#include <spng.h>
#include <stdlib.h>
#include <string.h>

typedef struct layout {
    struct spng_ihdr header;
    int channels, bits;
    int format, flags; /* for spng_decode_image() */
} layout;

static bool explain(int code, problem *p)
{
    switch (code) {
    case SPNG_IO_EOF:
    case SPNG_EOF:
    case SPNG_EIDAT_TOO_SHORT: return problem_set(p, "the PNG is cut off; get a whole copy");
    case SPNG_ECHUNK_CRC:
        return problem_set(p, "the PNG is damaged (a checksum is wrong); get a whole copy");
    case SPNG_EMEM: return problem_set(p, "not enough memory for this PNG");
    default:
        return problem_set(p, "the PNG is damaged (%s); get a whole copy", spng_strerror(code));
    }
}

/* Walks the chunks from the signature to the end mark and checks their sums. libspng checks those
 * it meets, but it is content as soon as it has all rows, and names the damage to the packed rows
 * before their wrong sum. */
static bool intact(bytes in, problem *p)
{
    size_t at = 8;
    for (;;) {
        if (in.size - at < 12)
            return explain(SPNG_IO_EOF, p);
        const uint8_t *chunk = in.data + at;
        const size_t length = big_endian_32(chunk);
        if (length > in.size - at - 12)
            return explain(SPNG_IO_EOF, p);
        if (libdeflate_crc32(0, chunk + 4, length + 4) != big_endian_32(chunk + 8 + length))
            return explain(SPNG_ECHUNK_CRC, p);
        at += length + 12;
        if (memcmp(chunk + 4, "IEND", 4) == 0)
            return true;
    }
}

/* A file whose chunks are whole, without those that no pixel depends on: whatever they hold, such as a
 * profile that unpacks to gigabytes, the picture is not refused for it, and no time is lost. */
typedef struct pixel_chunks {
    bytes in;
    size_t at, end; /* of what can be read on */
} pixel_chunks;

/* Goes on to the next chunk that concerns the pixels. */
static bool next_part(pixel_chunks *c)
{
    enum { ANCILLARY = 0x20 };
    while (c->in.size - c->end >= 12) {
        const uint8_t *chunk = c->in.data + c->end;
        const size_t length = big_endian_32(chunk);
        if (length > c->in.size - c->end - 12)
            break; /* behind the end mark anything may follow */
        c->at = c->end;
        c->end += 12 + length;
        if (!(chunk[4] & ANCILLARY) || memcmp(chunk + 4, "tRNS", 4) == 0)
            return true;
        c->at = c->end;
    }
    return false;
}

static int read_part(spng_ctx *ctx, void *user, void *out, size_t size)
{
    pixel_chunks *c = user;
    uint8_t *to = out;
    (void)ctx;
    while (size > 0) {
        if (c->at == c->end && !next_part(c))
            return SPNG_IO_EOF;
        const size_t left = c->end - c->at, count = size < left ? size : left;
        memcpy(to, c->in.data + c->at, count);
        c->at += count;
        to += count;
        size -= count;
    }
    return 0;
}

/* The chunks were walked by intact(). */
static spng_ctx *open_png(bytes in, pixel_chunks *chunks, int *code)
{
    enum { SIGNATURE = 8 };
    *chunks = (pixel_chunks){.in = in, .end = SIGNATURE};
    spng_ctx *ctx = spng_ctx_new(0);
    if (!ctx) {
        *code = SPNG_EMEM;
        return NULL;
    }
    *code = spng_set_png_stream(ctx, read_part, chunks);
    if (*code == 0)
        *code = spng_set_crc_action(ctx, SPNG_CRC_ERROR, SPNG_CRC_ERROR);
    if (*code == 0) {
        *code = spng_set_image_limits(ctx, INT_MAX,
                                      INT_MAX); /* ours are checked, and told, by the caller */
    }
    return ctx;
}

/* Which channels the pixels have once palettes, few bits and transparent colours are spelled out. */
static int read_layout(spng_ctx *ctx, layout *l)
{
    int code = spng_get_ihdr(ctx, &l->header);
    if (code != 0)
        return code;
    struct spng_trns key;
    code = spng_get_trns(ctx, &key);
    if (code != 0 && code != SPNG_ECHUNKAVAIL)
        return code;
    const bool alpha = code == 0, deep = l->header.bit_depth == 16;
    const bool gray = l->header.color_type == SPNG_COLOR_TYPE_GRAYSCALE;
    const bool colour = l->header.color_type == SPNG_COLOR_TYPE_TRUECOLOR;
    l->bits = deep ? 16 : 8;
    l->flags = alpha ? SPNG_DECODE_TRNS : 0;
    if (gray) {
        l->channels = alpha ? 2 : 1;
        l->format =
            alpha ? (deep ? SPNG_FMT_GA16 : SPNG_FMT_GA8) : (deep ? SPNG_FMT_PNG : SPNG_FMT_G8);
    } else if (colour || l->header.color_type == SPNG_COLOR_TYPE_INDEXED) {
        l->channels = alpha ? 4 : 3;
        l->format = alpha ? (deep ? SPNG_FMT_RGBA16 : SPNG_FMT_RGBA8)
                          : (deep ? SPNG_FMT_PNG : SPNG_FMT_RGB8);
    } else {
        l->channels = l->header.color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA ? 2 : 4;
        l->format = SPNG_FMT_PNG;
    }
    return 0;
}

bool png_probe(bytes in, satb_image *shape, problem *p)
{
    if (!intact(in, p))
        return false;
    layout l;
    pixel_chunks chunks;
    int code;
    spng_ctx *ctx = open_png(in, &chunks, &code);
    if (code == 0)
        code = read_layout(ctx, &l);
    spng_ctx_free(ctx);
    if (code == SPNG_EUSER_WIDTH || code == SPNG_EUSER_HEIGHT || code == SPNG_EWIDTH ||
        code == SPNG_EHEIGHT)
        return problem_set(p, "the PNG claims an impossible size; the file is damaged");
    if (code != 0)
        return explain(code, p);
    *shape = (satb_image){.width = (int)l.header.width,
                          .height = (int)l.header.height,
                          .channels = l.channels,
                          .bits = l.bits};
    return true;
}

static bool decode(bytes in, satb_image *image, problem *p)
{
    layout l;
    pixel_chunks chunks;
    int code;
    size_t size = 0;
    spng_ctx *ctx = open_png(in, &chunks, &code);
    if (code != 0 || (code = read_layout(ctx, &l)) != 0 ||
        (code = spng_decoded_image_size(ctx, l.format, &size)) != 0)
        goto fail;
    if (size != picture_bytes(image)) {
        code = SPNG_EINTERNAL;
        goto fail;
    }
    image->data = pixels_allocate(size);
    if (!image->data) {
        spng_ctx_free(ctx);
        return problem_set(p, "not enough memory for %d x %d pixels", image->width, image->height);
    }
    code = spng_decode_image(ctx, image->data, size, l.format, l.flags);
    if (code == 0) {
        code =
            spng_decode_chunks(ctx); /* to the end, so that a cut after the pixels is found too */
    }
    if (code != 0)
        goto fail;
    spng_ctx_free(ctx);
    return true;
fail:
    spng_ctx_free(ctx);
    return explain(code, p);
}

const char *png_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    if (settings->choice != CODEC_PLAIN && isal_decode_png(in, image))
        return isal_name();
    return decode(in, image, p) ? "libspng" : NULL;
}

static int put(spng_ctx *ctx, void *user, void *data, size_t size)
{
    (void)ctx;
    return sink_put(user, data, size) ? 0 : SPNG_IO_ERROR;
}

static int encode(spng_ctx *ctx, const satb_image *image, int level, sink *to)
{
    static const uint8_t types[] = {0, SPNG_COLOR_TYPE_GRAYSCALE, SPNG_COLOR_TYPE_GRAYSCALE_ALPHA,
                                    SPNG_COLOR_TYPE_TRUECOLOR, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
    struct spng_ihdr header = {.width = (uint32_t)image->width,
                               .height = (uint32_t)image->height,
                               .bit_depth = (uint8_t)image->bits,
                               .color_type = types[image->channels]};
    int code = spng_set_png_stream(ctx, put, to);
    if (code == 0) {
        code = spng_set_option(ctx, SPNG_IMG_COMPRESSION_LEVEL,
                               level > 9 ? 9 : level); /* zlib ends at 9 */
    }
    if (code == 0)
        code = spng_set_ihdr(ctx, &header);
    if (code == 0) {
        code = spng_encode_image(ctx, image->data, picture_bytes(image), SPNG_FMT_PNG,
                                 SPNG_ENCODE_FINALIZE);
    }
    return code;
}

static bool encode_png(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p)
{
    spng_ctx *ctx = spng_ctx_new(SPNG_CTX_ENCODER);
    if (!ctx)
        return problem_set(p, "not enough memory to write a PNG");
    const int code = encode(ctx, image, settings->compression, to);
    spng_ctx_free(ctx);
    return code == 0 || to->failed ||
           problem_set(p, "the PNG could not be written (%s)", spng_strerror(code));
}

const char *png_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p)
{
    enum { FAST_LEVEL = 1 }; /* above, libdeflate packs better than ISA-L can */
    const size_t margin =
        (size_t)1 << 27; /* stb adds a byte per row, deflate's overhead and headers in int */
    if (settings->choice != CODEC_PLAIN && settings->compression == FAST_LEVEL && isal_name())
        return isal_encode_png(image, settings, to, p) ? isal_name() : NULL;
    if (image->bits == 8 && picture_bytes(image) + (size_t)image->height < INT_MAX - margin)
        return stb_encode_png(image, settings, to, p);
    return encode_png(image, settings, to, p) ? "libspng" : NULL;
}
