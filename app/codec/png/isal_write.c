/* PNG written by ISA-L's igzip, for speed: rows are filtered and packed in pieces on all threads. All pieces have the same
 * number of rows and begin with an empty window, so the bytes do not depend on the threads. Each ends at a byte (as by zlib's
 * Z_FULL_FLUSH), so the pieces, one IDAT chunk each, join into one stream. libdeflate cannot end a piece in this way. */
#include "codec/codec_format.h"
#include "codec/png/png_filter.h"
#include "format/png_chunk.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <isa-l/igzip_lib.h>
#include <libdeflate.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECE = 256 << 10, /* filtered bytes; smaller pieces pack worse */
    LEFT = 16,         /* bytes of zeros to the left of a row: more than a pixel */
    AROUND = 64,       /* a chunk's frame, and the stream's head and sum */
    STREAM = (sizeof(struct isal_zstream) + 63) / 64 * 64 /* too much for a small stack */
};

typedef struct piece { /* the memory and the result of a task */
    bool good;
    uint8_t *memory;
    uint8_t *row, *above; /* big-endian, zeros to the left */
    uint8_t *candidate[FILTER_COUNT];
    struct isal_zstream *stream;
    uint8_t *filtered, *packed, *level;
    size_t capacity;          /* of packed */
    size_t size, packed_size; /* bytes that are filtered, and packed */
} piece;

typedef struct writer {
    const satb_image *image;
    size_t row_size; /* bytes of a row without the filter's number */
    int rows_a_piece, pieces;
    uint32_t sum; /* Adler-32 of the filtered bytes so far */
    sink *to;
} writer;

static bool piece_allocate(piece *p, const writer *w)
{
    const size_t padded = LEFT + w->row_size,
                 filtered = (w->row_size + 1) * (size_t)w->rows_a_piece;
    p->capacity = filtered + filtered / 8 + 4096; /* more than igzip needs for noise */
    p->memory = pixels_allocate((2 + FILTER_COUNT) * padded + filtered + p->capacity + AROUND +
                                STREAM + ISAL_DEF_LVL3_DEFAULT);
    if (!p->memory)
        return false;
    p->stream = (void *)p->memory; /* first: aligned, as is what follows */
    p->level = p->memory + STREAM;
    uint8_t *at = p->level + ISAL_DEF_LVL3_DEFAULT;
    for (int i = 0; i < FILTER_COUNT; i++, at += padded)
        p->candidate[i] = at;
    p->row = at + LEFT;
    p->above = p->row + padded;
    memset(at, 0, 2 * padded);
    p->filtered = at + 2 * padded;
    p->packed = p->filtered + filtered;
    return true;
}

/* Copies row y in the byte order of PNG: 16 bits with the high byte first. */
static void load_row(const writer *w, int y, uint8_t *row)
{
    const uint8_t *from = (const uint8_t *)w->image->data + (size_t)y * w->row_size;
    if (w->image->bits == 8) {
        memcpy(row, from, w->row_size);
        return;
    }
    for (size_t i = 0; i < w->row_size; i += 2) {
        uint16_t sample;
        memcpy(&sample, from + i, 2);
        row[i] = (uint8_t)(sample >> 8);
        row[i + 1] = (uint8_t)sample;
    }
}

/* Writes the number of the filter that probably packs best, and the row with that filter. */
static void filter_row(const writer *w, piece *p, uint8_t *out)
{
    const int bpp = w->image->channels * w->image->bits / 8;
    uint64_t least = UINT64_MAX;
    for (int filter = 0; filter < FILTER_COUNT; filter++) {
        filter_apply(filter, p->row, p->above, p->candidate[filter], w->row_size, bpp);
        const uint64_t cost = filter_cost(p->candidate[filter], w->row_size);
        if (cost < least) {
            least = cost;
            out[0] = (uint8_t)filter;
        }
    }
    memcpy(out + 1, p->candidate[out[0]], w->row_size);
}

static void filter_rows(const writer *w, piece *p, int first, int count)
{
    if (first > 0)
        load_row(w, first - 1, p->above);
    p->size = 0;
    for (int y = first; y < first + count; y++) {
        load_row(w, y, p->row);
        filter_row(w, p, p->filtered + p->size);
        p->size += w->row_size + 1;
        uint8_t *done = p->row;
        p->row = p->above;
        p->above = done;
    }
}

static void pack_piece(piece *p, bool last)
{
    struct isal_zstream *const stream = p->stream;
    isal_deflate_init(stream);
    stream->level = 3; /* at 1 and 2 the bytes sometimes depend on the address of the memory */
    memset(p->level, 0, ISAL_DEF_LVL3_DEFAULT); /* igzip reads its unused parts, too */
    stream->level_buf = p->level;
    stream->level_buf_size = ISAL_DEF_LVL3_DEFAULT;
    stream->flush = last ? NO_FLUSH : FULL_FLUSH;
    stream->end_of_stream = last;
    stream->next_in = p->filtered;
    stream->avail_in = (uint32_t)p->size;
    stream->next_out = p->packed + AROUND / 2;
    stream->avail_out = (uint32_t)p->capacity;
    p->good = isal_deflate(stream) == COMP_OK && stream->avail_in == 0 && stream->avail_out > 0;
    p->packed_size = stream->total_out;
}

static void make_piece(const writer *w, piece *p, int number)
{
    const int first = number * w->rows_a_piece, left = w->image->height - first;
    filter_rows(w, p, first, left < w->rows_a_piece ? left : w->rows_a_piece);
    pack_piece(p, number == w->pieces - 1);
}

/* Puts the chunk of size bytes at data, around which there are bytes for its frame. */
static void put_chunk(sink *to, const char *type, uint8_t *data, size_t size)
{
    uint8_t *const chunk = data - PNG_BEFORE;
    png_frame_chunk(chunk, type, size);
    sink_put(to, chunk, PNG_BEFORE + size + PNG_BEHIND);
}

/* Puts a piece as a chunk; called in the order of the pieces. */
static void put_piece(writer *w, piece *p, int number)
{
    uint8_t *data = p->packed + AROUND / 2;
    w->sum = libdeflate_adler32(w->sum, p->filtered, p->size);
    if (number == w->pieces - 1) {
        put_big_endian_32(data + p->packed_size, w->sum);
        p->packed_size += 4;
    }
    if (number == 0) { /* the head: deflate, a window of 32 KB, packed fast (RFC 1950, 2.2) */
        data -= 2;
        memcpy(data, "\x78\x01", 2);
        p->packed_size += 2;
    }
    put_chunk(w->to, "IDAT", data, p->packed_size);
}

/* One task makes each piece, and another puts it once the pieces before it are put: no thread waits as long as there is a
 * piece to make. */
static bool put_pieces(writer *w, piece *slots, int count)
{
    bool good = true;
    for (int number = 0; number < w->pieces; number++) {
        piece *const p = &slots[number % count];
#pragma omp task depend(inout : p[0])
        make_piece(w, p, number);
#pragma omp task depend(inout : p[0], w[0]) shared(good)
        {
            good = good && p->good;
            if (good)
                put_piece(w, p, number);
        }
    }
#pragma omp taskwait
    return good;
}

static bool put_pixels(writer *w, int threads, problem *p)
{
    enum { MOST = 64 };
    piece slots[MOST] = {{0}};
    const int wanted = threads > 1 ? 2 * threads : 1;
    const int count = wanted < MOST ? wanted : MOST;
    bool good = true;
    for (int i = 0; i < count && good; i++)
        good = piece_allocate(&slots[i], w) || problem_set(p, "not enough memory to write the PNG");
#pragma omp parallel num_threads(threads) if (good)
#pragma omp single
    good = good && (put_pieces(w, slots, count) ||
                    problem_set(p, "ISA-L cannot pack the PNG; use --codec stb"));
    for (int i = 0; i < count; i++)
        pixels_free(slots[i].memory);
    return good;
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

bool isal_encode_png(const satb_image *image, const encode_settings *settings, sink *to, problem *p)
{
    const size_t row_size = picture_bytes(image) / (size_t)image->height;
    const size_t fitting = PIECE / (row_size + 1);
    const int rows = fitting < 1                       ? 1
                     : fitting > (size_t)image->height ? image->height
                                                       : (int)fitting;
    const int pieces = (image->height + rows - 1) / rows;
    const int most = settings->threads > 0 ? settings->threads : omp_get_max_threads();
    writer w = {.image = image,
                .row_size = row_size,
                .rows_a_piece = rows,
                .pieces = pieces,
                .sum = 1,
                .to = to};
    uint8_t end[PNG_BEFORE + PNG_BEHIND];
    put_header(to, image);
    if (!put_pixels(&w, most < pieces ? most : pieces, p))
        return false;
    put_chunk(to, "IEND", end + PNG_BEFORE, 0);
    return true;
}
