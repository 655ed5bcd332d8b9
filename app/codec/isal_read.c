/* PNG read by ISA-L's igzip, for speed: its inflate is fast and takes a stream in parts, so that the
 * filters of one part are undone while the next is inflated. Only the common kinds are read here (8
 * and 16 bits, no palette, no transparent colour, not interlaced), and only files in perfect order;
 * whatever is left, libspng judges. */
#include "codec/codec_format.h"
#include "codec/png_filter.h"
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

/* BAND: bytes that are inflated, then unfiltered: both fit the second-level cache. SLOTS: bands in work at a time, less
 * than what a folder gives back to the system: 400 fresh pages for each picture, 2 % of a folder with maps. */
enum { BAND = 256 << 10, SLOTS = 3 };

typedef struct packed { /* the stream of all IDAT chunks */
    bytes in;
    size_t at; /* the chunk to come */
    bool broken;
    struct inflate_state state;
} packed;

typedef struct band {
    uint8_t *data;
    bool good;
} band;

typedef struct rows {
    const satb_image *image;
    size_t size; /* of one, in bytes */
    const uint8_t *zeros;
    bool good;
} rows;

static size_t chunk_length(bytes in, size_t at)
{
    const uint8_t *b = in.data + at;
    return (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3];
}

static bool chunk_is(bytes in, size_t at, const char *type)
{
    return memcmp(in.data + at + 4, type, 4) == 0;
}

/* Whether the rest of the file after the IDAT chunks is the end mark, with nothing before it but
 * notes that do not concern the pixels. */
static bool plain_end(bytes in, size_t at)
{
    static const char notes[][5] = {"tEXt", "zTXt", "iTXt", "tIME", "eXIf"};
    while (!chunk_is(in, at, "IEND")) {
        bool note = false;
        for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
            note = note || chunk_is(in, at, notes[i]);
        if (!note)
            return false;
        at += 12 + chunk_length(in, at);
    }
    return chunk_length(in, at) == 0;
}

/* Gives *at the first IDAT chunk. The caller has seen that the chunks are whole up to IEND. */
static bool of_common_kind(bytes in, const satb_image *image, size_t *at)
{
    enum { IHDR = 8, DEPTH = IHDR + 8 + 8, TYPE, METHOD, FILTER, INTERLACE };
    static const int channels[] = {1, 0, 3, 0, 2, 0, 4};
    const uint8_t *b = in.data;
    if (!chunk_is(in, IHDR, "IHDR") || chunk_length(in, IHDR) != 13 || b[TYPE] > 6 ||
        channels[b[TYPE]] != image->channels || b[DEPTH] != image->bits || b[METHOD] != 0 ||
        b[FILTER] != 0 || b[INTERLACE] != 0)
        return false;
    for (*at = IHDR; !chunk_is(in, *at, "IDAT"); *at += 12 + chunk_length(in, *at))
        if (chunk_is(in, *at, "IEND") || chunk_is(in, *at, "tRNS"))
            return false;
    size_t end = *at;
    while (chunk_is(in, end, "IDAT"))
        end += 12 + chunk_length(in, end);
    return plain_end(in, end);
}

/* Hands over the next IDAT chunk, which may be empty; false where there is none. */
static bool feed(packed *p)
{
    if (!chunk_is(p->in, p->at, "IDAT"))
        return false;
    p->state.avail_in = (uint32_t)chunk_length(p->in, p->at);
    p->state.next_in = (uint8_t *)(uintptr_t)(p->in.data + p->at + 8); /* it is only read */
    p->at += 12 + (size_t)p->state.avail_in;
    return true;
}

/* Inflates the next size bytes, fewer only where the stream ends; false where it is damaged or cut
 * off. At its end the stream's sum has been compared. Without input there can still be output, which
 * igzip has kept for itself. */
static bool inflate_some(packed *p, uint8_t *out, size_t size)
{
    struct inflate_state *s = &p->state;
    s->next_out = out;
    s->avail_out = (uint32_t)size;
    while (s->avail_out > 0 && s->block_state != ISAL_BLOCK_FINISH && !p->broken) {
        const bool fed = s->avail_in == 0 && feed(p);
        const uint32_t in = s->avail_in, room = s->avail_out;
        const int result = isal_inflate(s);
        const bool stuck = !fed && s->avail_in == in && s->avail_out == room;
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

/* Undoes the filters of count rows from row first on. 16 bits stay big-endian in the last row until
 * the one below it is done. */
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

/* A task inflates each band, and another, once that is done, undoes its filters: two chains, so two
 * threads share the work, and on one it is done in order. Which thread does what changes nothing. */
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

/* Decodes with memory for SLOTS bands of rows_a_band rows, and zeros above the first row. */
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
    if (!of_common_kind(in, image, &first))
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
