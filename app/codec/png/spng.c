/* PNG by libspng, whose API is small and checked: it verifies checksums (stb_image does not, and takes twice the time),
 * stops at a cut-off file, and has no longjmp for errors as libpng has. */
#include "codec/codec_format.h"
#include "format/png_chunk.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <limits.h>
#include <spng.h>
#include <stdlib.h>
#include <string.h>

typedef struct layout {
    struct spng_ihdr header;
    int channels, bits;
    int format, flags; /* for spng_decode_image() */
} layout;

static bool explain_code(int code, problem *p)
{
    switch (code) {
    case SPNG_IO_EOF:
    case SPNG_EOF:
    case SPNG_EIDAT_TOO_SHORT: return problem_set(p, "the PNG is cut off; get a whole copy");
    case SPNG_ECHUNK_CRC:
        return problem_set(p, "the PNG is damaged (a checksum is wrong); get a whole copy");
    case SPNG_EMEM: return problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for this PNG");
    default:
        return problem_set(p, "the PNG is damaged (%s); get a whole copy", spng_strerror(code));
    }
}

/* Reads a file, whose chunks are whole, without the chunks that no pixel depends on. So a profile that unpacks to gigabytes
 * neither costs time nor makes libspng refuse the picture. */
typedef struct pixel_chunks {
    bytes in;
    size_t at, end; /* the offsets of the bytes that can be read on */
} pixel_chunks;

/* Goes on to the next chunk that concerns the pixels. Behind the end mark anything may follow. */
static bool next_part(pixel_chunks *c)
{
    enum { ANCILLARY = 0x20 };
    png_chunk chunk;
    for (c->at = c->end; png_next_chunk(c->in, &c->end, &chunk); c->at = c->end)
        if (!(chunk.type[0] & ANCILLARY) || png_chunk_is(&chunk, "tRNS"))
            return true;
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

/* The caller has seen that the chunks are whole. */
static spng_ctx *open_png(bytes in, pixel_chunks *chunks, int *code)
{
    *chunks = (pixel_chunks){.in = in, .end = PNG_SIGNATURE};
    spng_ctx *ctx = spng_ctx_new(0);
    if (!ctx) {
        *code = SPNG_EMEM;
        return NULL;
    }
    *code = spng_set_png_stream(ctx, read_part, chunks);
    if (*code == 0)
        *code = spng_set_crc_action(ctx, SPNG_CRC_ERROR, SPNG_CRC_ERROR);
    if (*code == 0)
        *code = spng_set_image_limits(ctx, INT_MAX, INT_MAX); /* the caller checks our own limits */
    return ctx;
}

/* Finds the channels that the pixels have once palettes, few bits and transparent colours are expanded. */
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

bool spng_probe_png(bytes in, satb_image *shape, problem *p)
{
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
        return explain_code(code, p);
    *shape = (satb_image){.width = (int)l.header.width,
                          .height = (int)l.header.height,
                          .channels = l.channels,
                          .bits = l.bits};
    return true;
}

bool spng_decode_png(bytes in, satb_image *image, problem *p)
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
    if (!pixels_make(image, p)) {
        spng_ctx_free(ctx);
        return false;
    }
    code = spng_decode_image(ctx, image->data, size, l.format, l.flags);
    if (code == 0) {
        code =
            spng_decode_chunks(ctx); /* to the end, so that a cut behind the pixels is found, too */
    }
    if (code != 0)
        goto fail;
    spng_ctx_free(ctx);
    return true;
fail:
    spng_ctx_free(ctx);
    return explain_code(code, p);
}
