/* GIF: the first frame (GIF89a). Codes of a palette are packed by LZW, in blocks of up to 255 bytes. Pixels that the frame leaves
 * out are clear. */
#include "codec/codec_format.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <string.h>

enum { HEADER = 13, FRAME = 9, EXTENSION = '!', IMAGE = ',', CONTROL = 0xf9 };
enum { NO_CODE = -1, CODES = 4096 };
enum { TIMES = 4, MORE = 1 << 16 }; /* pixels of a frame, which may overhang the picture */

typedef struct frame {
    int width, height;            /* of the picture */
    int left, top, columns, rows; /* of the frame */
    int clear;                    /* the code of clear pixels; NO_CODE */
    bool is_interlaced;
    const uint8_t *palette;
    size_t colours;
    size_t at; /* of the packed codes */
} frame;

static int number_at(bytes in, size_t at)
{
    return in.data[at] | in.data[at + 1] << 8;
}

static bool cut_off(problem *p)
{
    return problem_set(p, "the file is cut off; get a whole copy");
}

/* --- The frame -------------------------------------------------------------------------------- */

/* Moves behind blocks, up to the empty one. False: the file ends before. */
static bool skip_blocks(bytes in, size_t *at)
{
    while (*at < in.size && in.data[*at] > 0)
        *at += 1 + (size_t)in.data[*at];
    ++*at;
    return *at <= in.size;
}

static bool take_palette(bytes in, unsigned flags, size_t *at, frame *f)
{
    if (!(flags & 0x80))
        return true;
    f->colours = (size_t)2 << (flags & 7);
    f->palette = in.data + *at;
    *at += 3 * f->colours;
    return *at <= in.size;
}

/* Moves to the next frame, and reads on the way which code is clear. False: there is none. */
static bool next_frame(bytes in, size_t *at, frame *f)
{
    while (*at + 2 < in.size && in.data[*at] == EXTENSION) {
        const uint8_t *const b = in.data + *at;
        if (b[1] == CONTROL && *at + 7 < in.size && b[2] >= 4)
            f->clear = b[3] & 1 ? b[6] : NO_CODE;
        *at += 2;
        if (!skip_blocks(in, at))
            return false;
    }
    return *at + 1 + FRAME < in.size && in.data[*at] == IMAGE;
}

static bool read_frame(bytes in, frame *f, problem *p)
{
    size_t at = HEADER;
    *f = (frame){.clear = NO_CODE};
    if (in.size < HEADER)
        return cut_off(p);
    f->width = number_at(in, 6);
    f->height = number_at(in, 8);
    if (!take_palette(in, in.data[10], &at, f) || at >= in.size)
        return cut_off(p);
    if (!next_frame(in, &at, f))
        return at + 1 + FRAME >= in.size ? cut_off(p)
                                         : problem_set(p, "the GIF has no picture in it");
    f->left = number_at(in, at + 1);
    f->top = number_at(in, at + 3);
    f->columns = number_at(in, at + 5);
    f->rows = number_at(in, at + 7);
    const unsigned flags = in.data[at + 9];
    f->is_interlaced = flags & 0x40;
    at += 1 + FRAME;
    if (!take_palette(in, flags, &at, f) || at + 1 >= in.size)
        return cut_off(p);
    f->at = at;
    if (f->width == 0 || f->height == 0) { /* some programs leave it out */
        f->width = f->left + f->columns;
        f->height = f->top + f->rows;
    }
    if ((uint64_t)f->columns * (uint64_t)f->rows >
        TIMES * (uint64_t)f->width * (uint64_t)f->height + MORE)
        return problem_set(
            p,
            "the GIF's first frame of %d x %d pixels is far larger than its picture; "
            "convert it to PNG",
            f->columns, f->rows);
    return (f->colours > 0 || problem_set(p, "the GIF has no palette; convert it to PNG")) &&
           ((f->columns > 0 && f->rows > 0) || problem_set(p, "the GIF's first frame is empty"));
}

bool gif_claim(bytes first, satb_image *shape, problem *p)
{
    (void)p;
    *shape = (satb_image){.width = 0};
    if (first.size >= HEADER)
        *shape = (satb_image){
            .width = number_at(first, 6), .height = number_at(first, 8), .channels = 4, .bits = 8};
    return true;
}

bool gif_probe(bytes in, satb_image *shape, problem *p)
{
    frame f;
    if (!read_frame(in, &f, p))
        return false;
    const bool covers = f.left == 0 && f.top == 0 && f.columns >= f.width && f.rows >= f.height;
    *shape = (satb_image){.width = f.width,
                          .height = f.height,
                          .channels = covers && f.clear == NO_CODE ? 3 : 4,
                          .bits = 8};
    return true;
}

/* --- LZW -------------------------------------------------------------------------------------- */

typedef struct unpacker {
    bytes in;
    size_t at, block; /* the next byte, and where its block ends */
    uint32_t bits;
    int count; /* of bits */
    uint16_t before[CODES];
    uint8_t last[CODES], first[CODES]; /* of the string of a code */
    uint16_t length[CODES];
} unpacker;

/* Returns the next code of that many bits; NO_CODE: the data ends. */
static int next_code(unpacker *u, int size)
{
    while (u->count < size) {
        if (u->at == u->block) {
            if (u->at >= u->in.size || u->in.data[u->at] == 0)
                return NO_CODE;
            u->block = u->at + 1 + u->in.data[u->at];
            u->at++;
        }
        if (u->at >= u->in.size)
            return NO_CODE;
        u->bits |= (uint32_t)u->in.data[u->at++] << u->count;
        u->count += 8;
    }
    const int code = (int)(u->bits & ((1u << size) - 1));
    u->bits >>= size;
    u->count -= size;
    return code;
}

/* Writes the string of a code, of which at most `room` bytes. Returns its length. */
static size_t put_string(const unpacker *u, int code, uint8_t *to, size_t room)
{
    const size_t length = u->length[code];
    for (size_t i = length; i > 0; i--, code = u->before[code])
        if (i <= room)
            to[i - 1] = u->last[code];
    return length < room ? length : room;
}

/* Adds the string of a code and a byte behind it. */
static void add_string(unpacker *u, int code, int before, uint8_t last)
{
    u->before[code] = (uint16_t)before;
    u->last[code] = last;
    u->first[code] = u->first[before];
    u->length[code] = (uint16_t)(u->length[before] + 1);
}

/* Unpacks all codes of a frame. False: there are fewer, or they are damaged. */
static bool unpack(unpacker *u, uint8_t *to, size_t all)
{
    const int least = u->in.data[u->at++];
    if (least < 1 || least > 8)
        return false;
    const int reset = 1 << least;
    int size = least + 1, next = reset + 2, before = NO_CODE;
    u->block = u->at;
    for (int i = 0; i < reset; i++)
        u->first[i] = u->last[i] = (uint8_t)i, u->length[i] = 1;
    for (size_t done = 0; done < all;) {
        const int code = next_code(u, size);
        if (code == NO_CODE || code == reset + 1 || code > next ||
            (before == NO_CODE && code > reset) || (code == next && next == CODES))
            return false;
        if (code == reset) {
            size = least + 1, next = reset + 2, before = NO_CODE;
            continue;
        }
        if (before != NO_CODE && next < CODES) {
            add_string(u, next, before, u->first[code == next ? before : code]);
            next++;
            size += next == 1 << size && size < 12;
        }
        done += put_string(u, code, to + done, all - done);
        before = code;
    }
    return true;
}

/* --- The picture ------------------------------------------------------------------------------ */

/* Returns the row of the frame that stands at that place in the file: interlaced ones come in four passes. */
static int row_of(const frame *f, int number)
{
    static const int first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
    for (int pass = 0; pass < 4 && f->is_interlaced; pass++) {
        const int rows = (f->rows - first[pass] + step[pass] - 1) / step[pass];
        if (number < rows)
            return first[pass] + number * step[pass];
        number -= rows > 0 ? rows : 0;
    }
    return number;
}

static void put_rows(const frame *f, const uint8_t *codes, const satb_image *image)
{
    memset(image->data, 0, picture_bytes(image));
    for (int i = 0; i < f->rows; i++, codes += f->columns) {
        const int y = f->top + row_of(f, i);
        for (int x = 0; x < f->columns && y < f->height && f->left + x < f->width; x++) {
            const size_t pixel = (size_t)y * (size_t)f->width + (size_t)(f->left + x);
            uint8_t *const to = (uint8_t *)image->data + pixel * (size_t)image->channels;
            if (codes[x] < f->colours)
                memcpy(to, f->palette + 3 * (size_t)codes[x], 3);
            if (image->channels == 4)
                to[3] = codes[x] == f->clear ? 0 : UINT8_MAX;
        }
    }
}

static bool has_more(bytes in, size_t at, frame *f)
{
    return skip_blocks(in, &at) && next_frame(in, &at, f);
}

const char *gif_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    frame f;
    (void)settings;
    if (!read_frame(in, &f, p))
        return NULL;
    const size_t all = (size_t)f.columns * (size_t)f.rows;
    uint8_t *const codes = pixels_allocate(all);
    unpacker *const u = pixels_allocate(sizeof *u);
    bool done = pixels_make(image, NULL) && codes && u;
    if (!done)
        problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for %d x %d pixels", f.width,
                         f.height);
    if (done) {
        *u = (unpacker){.in = in, .at = f.at};
        done = unpack(u, codes, all) ||
               problem_set(p, "the GIF is damaged or cut off; get a whole copy");
    }
    if (done) {
        put_rows(&f, codes, image);
        if (has_more(in, f.at + 1, &f))
            problem_set(p, "an animation's further frames are not read");
    }
    pixels_free(codes);
    pixels_free(u);
    return done ? "satblur" : NULL;
}
