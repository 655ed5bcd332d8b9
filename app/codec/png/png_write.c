/* PNG written: each row by the filter that probably packs it best, and all rows packed by libdeflate. */
#include "codec/codec_format.h"
#include "codec/png/png_filter.h"
#include "format/png_chunk.h"
#include "image/shape.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEFT = 16,      /* bytes of zeros to the left of a row: more than a pixel */
    CHUNK = 1 << 20 /* bytes of an IDAT chunk, at most */
};

/* Copies row y in the byte order of PNG: 16 bits with the high byte first. */
static void load_row(const satb_image *image, int y, uint8_t *row, size_t size)
{
    const uint8_t *from = (const uint8_t *)image->data + (size_t)y * size;
    if (image->bits == 8) {
        memcpy(row, from, size);
        return;
    }
    for (size_t i = 0; i < size; i += 2) {
        uint16_t sample;
        memcpy(&sample, from + i, 2);
        row[i] = (uint8_t)(sample >> 8);
        row[i + 1] = (uint8_t)sample;
    }
}

/* Writes the number of the filter that probably packs best, and the row with that filter. try: memory for a row. */
static void filter_row(const uint8_t *row, const uint8_t *above, uint8_t *try, uint8_t *out,
                       size_t size, int bpp)
{
    uint64_t least = UINT64_MAX;
    for (int filter = 0; filter < FILTER_COUNT; filter++) {
        filter_apply(filter, row, above, try, size, bpp);
        const uint64_t cost = filter_cost(try, size);
        if (cost < least) {
            least = cost;
            out[0] = (uint8_t)filter;
            memcpy(out + 1, try, size);
        }
    }
}

/* Filters all rows of `size` bytes. False: memory ran out. */
static bool filter_rows(const satb_image *image, size_t size, uint8_t *out)
{
    uint8_t *const memory = calloc(3, LEFT + size);
    if (!memory)
        return false;
    uint8_t *row = memory + LEFT, *above = row + LEFT + size, *const try = above + LEFT + size;
    for (int y = 0; y < image->height; y++, out += 1 + size) {
        load_row(image, y, row, size);
        filter_row(row, above, try, out, size, image->channels * image->bits / 8);
        uint8_t *const done = row;
        row = above;
        above = done;
    }
    free(memory);
    return true;
}

/* Puts the chunk of size bytes at data, around which there are bytes for its frame. */
static void put_chunk(sink *to, const char *type, uint8_t *data, size_t size)
{
    uint8_t *const chunk = data - PNG_BEFORE;
    png_frame_chunk(chunk, type, size);
    sink_put(to, chunk, PNG_BEFORE + size + PNG_BEHIND);
}

static void put_header(sink *to, const satb_image *image)
{
    static const uint8_t types[] = {0, 0, 4, 2, 6};
    uint8_t header[PNG_BEFORE + 13 + PNG_BEHIND] = {
        [16] = (uint8_t)image->bits, [17] = types[image->channels]};
    put_big_endian_32(header + 8, (uint32_t)image->width);
    put_big_endian_32(header + 12, (uint32_t)image->height);
    sink_put(to, PNG_SIGNATURE_TEXT, PNG_SIGNATURE);
    put_chunk(to, "IHDR", header + PNG_BEFORE, 13);
}

static void put_file(sink *to, const satb_image *image, uint8_t *stream, size_t size)
{
    uint8_t end[PNG_BEFORE + PNG_BEHIND], next[PNG_BEHIND];
    put_header(to, image);
    for (size_t at = 0; at < size; at += CHUNK) {
        uint8_t *const behind = stream + (size - at < CHUNK ? size : at + CHUNK);
        memcpy(next, behind, PNG_BEHIND); /* the frame is written there */
        put_chunk(to, "IDAT", stream + at, (size_t)(behind - stream) - at);
        memcpy(behind, next, PNG_BEHIND);
    }
    put_chunk(to, "IEND", end + PNG_BEFORE, 0);
}

const char *png_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p)
{
    const size_t row = picture_bytes(image) / (size_t)image->height,
                 size = (row + 1) * (size_t)image->height;
    struct libdeflate_compressor *const packer = libdeflate_alloc_compressor(settings->compression);
    const size_t bound = packer ? libdeflate_zlib_compress_bound(packer, size) : 0;
    uint8_t *const filtered = malloc(size + PNG_BEFORE + bound + PNG_BEHIND);
    const bool good = packer && filtered && filter_rows(image, row, filtered);
    if (good) {
        uint8_t *const stream = filtered + size + PNG_BEFORE;
        put_file(to, image, stream,
                 libdeflate_zlib_compress(packer, filtered, size, stream, bound));
    } else {
        problem_set(p, "not enough memory to write the PNG");
    }
    libdeflate_free_compressor(packer);
    free(filtered);
    return good ? "libdeflate" : NULL;
}
