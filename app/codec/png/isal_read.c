/* PNG read by ISA-L's igzip, for speed: its inflate is fast and takes a stream in parts, so the filters of one part are
 * undone while the next is inflated. Only the common kinds are read here (8 and 16 bits, no palette, no transparent colour,
 * not interlaced), and only undamaged files. libspng judges the rest. */
#include "codec/codec_format.h"
#include "codec/png/png_filter.h"
#include "format/png_chunk.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

const char *isal_name(void)
{
    return "ISA-L";
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* BAND: bytes that are inflated, then unfiltered: both fit the second-level cache. SLOTS: bands in work at a time, few
 * enough that their memory is not given back to the system after each picture. */
enum { BAND = 256 << 10, SLOTS = 3 };

typedef struct packed { /* the deflate stream of all IDAT chunks */
    bytes in;
    size_t at; /* the offset of the next chunk */
    bool broken;
    struct inflate_state state;
} packed;

typedef struct band {
    uint8_t *data;
    bool good;
} band;

typedef struct rows {
    const satb_image *image;
    size_t size; /* bytes of a row */
    const uint8_t *zeros;
    bool good;
} rows;

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

/* Returns whether the file is of a kind that is read here. *first is the offset of the first IDAT
 * chunk. The caller has seen that the chunks are whole up to IEND. */
static bool is_common_kind(bytes in, const satb_image *image, size_t *first)
{
    png_chunk c;
    size_t at = PNG_SIGNATURE, end;
    if (!png_next_chunk(in, &at, &c) || !is_common_header(&c, image))
        return false;
    do {
        *first = at;
        if (!png_next_chunk(in, &at, &c) || png_chunk_is(&c, "IEND") || png_chunk_is(&c, "tRNS"))
            return false;
    } while (!png_chunk_is(&c, "IDAT"));
    do
        end = at;
    while (png_next_chunk(in, &at, &c) && png_chunk_is(&c, "IDAT"));
    return has_plain_end(in, end);
}

/* Hands the next IDAT chunk, which may be empty, to igzip. False: there is none. */
static bool feed_chunk(packed *p)
{
    png_chunk c;
    size_t at = p->at;
    if (!png_next_chunk(p->in, &at, &c) || !png_chunk_is(&c, "IDAT"))
        return false;
    p->state.avail_in = (uint32_t)c.data.size;
    p->state.next_in = (uint8_t *)(uintptr_t)c.data.data; /* igzip only reads it */
    p->at = at;
    return true;
}

/* Inflates the next size bytes, fewer only at the end of the stream, where igzip has compared its checksum. False: the
 * stream is damaged or cut off. Without input igzip may still have output. */
static bool inflate_some(packed *p, uint8_t *out, size_t size)
{
    struct inflate_state *s = &p->state;
    s->next_out = out;
    s->avail_out = (uint32_t)size;
    while (s->avail_out > 0 && s->block_state != ISAL_BLOCK_FINISH && !p->broken) {
        const bool fed = s->avail_in == 0 && feed_chunk(p);
        const uint32_t in = s->avail_in, out_left = s->avail_out;
        const int result = isal_inflate(s);
        const bool stuck = !fed && s->avail_in == in && s->avail_out == out_left;
        p->broken = (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT) ||
                    (stuck && s->block_state != ISAL_BLOCK_FINISH);
    }
    return !p->broken;
}

static bool inflate_all(packed *p, uint8_t *out, size_t size)
{
    return inflate_some(p, out, size) && p->state.avail_out == 0;
}

static bool at_its_end(packed *p)
{
    uint8_t more;
    return inflate_some(p, &more, 1) && p->state.avail_out == 1;
}

static void swap_bytes(uint8_t *samples, size_t size)
{
    for (size_t i = 0; i + 1 < size; i += 2) {
        const uint16_t sample = (uint16_t)(samples[i] << 8 | samples[i + 1]);
        memcpy(samples + i, &sample, 2);
    }
}

/* Undoes the filters of count rows from row first on. The last row stays big-endian (16 bits) until the row below it is
 * done. */
static bool undo_rows(const rows *r, const uint8_t *filtered, int first, int count)
{
    const satb_image *image = r->image;
    uint8_t *begin = (uint8_t *)image->data + (size_t)first * r->size;
    const uint8_t *above = first > 0 ? begin - r->size : r->zeros;
    if (!filter_undo(filtered, above, begin, r->size, image->channels * image->bits / 8, count))
        return false;
    if (image->bits == 16) {
        uint8_t *from = first > 0 ? begin - r->size : begin;
        const int kept = first + count < image->height ? 1 : 0;
        swap_bytes(from, (size_t)(begin - from) + (size_t)(count - kept) * r->size);
    }
    return true;
}

/* One task inflates each band, and then another undoes its filters. These are two chains, so two threads share the work, and
 * one thread does it in order. */
static bool decode_bands(packed *p, band slots[SLOTS], rows *r, int rows_a_band)
{
    const int height = r->image->height;
    for (int first = 0, k = 0; first < height; first += rows_a_band, k = (k + 1) % SLOTS) {
        const int count = height - first < rows_a_band ? height - first : rows_a_band;
        band *const b = &slots[k];
#pragma omp task depend(inout : p[0], b[0])
        b->good = inflate_all(p, b->data, (r->size + 1) * (size_t)count);
#pragma omp task depend(inout : b[0], r[0])
        r->good = r->good && b->good && undo_rows(r, b->data, first, count);
    }
#pragma omp taskwait
    return r->good && at_its_end(p);
}

/* Decodes in SLOTS bands of rows_a_band rows. */
static bool decode_stream(packed *p, const satb_image *image, int rows_a_band)
{
    rows r = {.image = image, .size = picture_bytes(image) / (size_t)image->height, .good = true};
    const size_t a_band = (r.size + 1) * (size_t)rows_a_band;
    uint8_t *memory = pixels_allocate(SLOTS * a_band + r.size);
    if (!memory)
        return false;
    band slots[SLOTS];
    for (int i = 0; i < SLOTS; i++)
        slots[i] = (band){.data = memory + (size_t)i * a_band};
    r.zeros = memset(memory + SLOTS * a_band, 0, r.size);
    const bool done = decode_bands(p, slots, &r, rows_a_band);
    pixels_free(memory);
    return done;
}

bool isal_decode_png(bytes in, satb_image *image)
{
    size_t first;
    if (!is_common_kind(in, image, &first))
        return false;
    const size_t row = picture_bytes(image) / (size_t)image->height + 1;
    const size_t fitting = row < BAND ? BAND / row : 1;
    packed *p = malloc(sizeof *p);
    if (!p)
        return false;
    *p = (packed){.in = in, .at = first};
    isal_inflate_init(&p->state);
    p->state.crc_flag = ISAL_ZLIB;
    image->data = pixels_allocate(picture_bytes(image));
    const bool done =
        image->data &&
        decode_stream(p, image, fitting < (size_t)image->height ? (int)fitting : image->height);
    free(p);
    if (!done) {
        pixels_free(image->data);
        image->data = NULL;
    }
    return done;
}
