/* PNG of the common kinds (8 and 16 bits, no palette, no transparent colour, not interlaced), for speed: libdeflate unpacks
 * twice as fast as the zlib of libspng. Only undamaged files are read here. libspng judges the rest. */
#include "codec/codec_format.h"
#include "codec/png/png_filter.h"
#include "format/png_chunk.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether only chunks that do not concern the pixels stand between the IDAT chunks and the
 * end mark. */
static bool has_plain_end(bytes in, size_t at)
{
    static const char notes[][5] = {"tEXt", "zTXt", "iTXt", "tIME", "eXIf"};
    png_chunk c;
    while (png_next_chunk(in, &at, &c)) {
        bool note = false;
        if (png_chunk_is(&c, "IEND"))
            return c.data.size == 0;
        for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
            note = note || png_chunk_is(&c, notes[i]);
        if (!note)
            return false;
    }
    return false;
}

/* Returns whether the chunk is a header of a kind that is read here, with the image's channels and
 * bits. */
static bool is_common_header(const png_chunk *c, const satb_image *image)
{
    enum { DEPTH = 8, TYPE, METHOD, FILTER, INTERLACE, SIZE };
    static const int channels[] = {1, 0, 3, 0, 2, 0, 4};
    const uint8_t *const b = c->data.data;
    return png_chunk_is(c, "IHDR") && c->data.size == SIZE && b[TYPE] <= 6 &&
           channels[b[TYPE]] == image->channels && b[DEPTH] == image->bits && b[METHOD] == 0 &&
           b[FILTER] == 0 && b[INTERLACE] == 0;
}

/* Joins the contents of the IDAT chunks at `stream`, which has the file's size. Returns their bytes; 0: the file is not of a
 * kind that is read here. The caller has seen that the chunks are whole up to IEND. */
static size_t join_stream(bytes in, const satb_image *image, uint8_t *stream)
{
    png_chunk c;
    size_t at = PNG_SIGNATURE, size = 0, end;
    if (!png_next_chunk(in, &at, &c) || !is_common_header(&c, image))
        return 0;
    do
        if (!png_next_chunk(in, &at, &c) || png_chunk_is(&c, "IEND") || png_chunk_is(&c, "tRNS"))
            return 0;
    while (!png_chunk_is(&c, "IDAT"));
    do {
        memcpy(stream + size, c.data.data, c.data.size);
        size += c.data.size;
        end = at;
    } while (png_next_chunk(in, &at, &c) && png_chunk_is(&c, "IDAT"));
    return has_plain_end(in, end) ? size : 0;
}

/* Unpacks a stream of exactly that many bytes. False: it has others, or is damaged, or memory ran out. */
static bool unpack(const uint8_t *stream, size_t stream_size, uint8_t *out, size_t size)
{
    struct libdeflate_decompressor *const d = libdeflate_alloc_decompressor();
    size_t found = 0;
    const bool good = d &&
                      libdeflate_zlib_decompress(d, stream, stream_size, out, size, &found) ==
                          LIBDEFLATE_SUCCESS &&
                      found == size;
    libdeflate_free_decompressor(d);
    return good;
}

static void swap_bytes(uint8_t *samples, size_t size)
{
    for (size_t i = 0; i + 1 < size; i += 2) {
        const uint16_t sample = (uint16_t)(samples[i] << 8 | samples[i + 1]);
        memcpy(samples + i, &sample, 2);
    }
}

/* Undoes the filters of all rows where they are: each is longer than its pixels. False: a filter is unknown, or memory ran
 * out. */
static bool undo_rows(const satb_image *image)
{
    const int bpp = image->channels * image->bits / 8;
    const size_t size = picture_bytes(image) / (size_t)image->height;
    uint8_t *const room = calloc(2, size + 1), *row = image->data; /* a row, and zeros */
    const uint8_t *above = room + size + 1, *from = row;
    bool good = room != NULL;
    for (int y = 0; good && y < image->height; y++, from += size + 1, row += size) {
        memcpy(room, from, size + 1);
        good = filter_undo(room, above, row, size, bpp);
        above = row;
    }
    free(room);
    return good;
}

bool png_decode_common(bytes in, satb_image *image)
{
    const size_t size =
        picture_bytes(image) + (size_t)image->height; /* with the filters' numbers */
    uint8_t *const stream = malloc(in.size);
    const size_t stream_size = stream ? join_stream(in, image, stream) : 0;
    image->data = stream_size > 0 ? pixels_allocate(size) : NULL;
    const bool done =
        image->data && unpack(stream, stream_size, image->data, size) && undo_rows(image);
    free(stream);
    if (done && image->bits == 16)
        swap_bytes(image->data, picture_bytes(image));
    if (!done) {
        pixels_free(image->data);
        image->data = NULL;
    }
    return done;
}
