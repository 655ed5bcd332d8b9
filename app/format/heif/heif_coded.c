#include "format/heif/heif_coded.h"

#include "format/heif/heif_headers.h"

#include <stdlib.h>

static bool damaged(problem *p, const char *what)
{
    return problem_set(p, "a coded picture is damaged (%s); get a whole copy, or convert it to PNG",
                       what);
}

static void add_header(heif_coded *out, const heif_header *h)
{
    out->width = h->width > out->width ? h->width : out->width;
    out->height = h->height > out->height ? h->height : out->height;
}

/* --- HEVC ------------------------------------------------------------------------------------- */

/* Counts the parameter sets of an item: the decoder makes tables of the picture's size for each. */
static bool take_unit(bytes unit, int *sets, heif_coded *out, problem *p)
{
    enum { UNIT_HEAD = 2, FIRST_SET = 32, SEQUENCE = 33, LAST_SET = 34, MOST_SETS = 64 };
    heif_header h;
    const unsigned type = (unsigned)heif_number(unit, 0, 1) >> 1 & 63;
    if (type < FIRST_SET || type > LAST_SET)
        return true;
    if (++*sets > MOST_SETS)
        return damaged(p, "it has too many headers");
    if (type != SEQUENCE)
        return true;
    if (!heif_header_hevc(heif_behind(unit, UNIT_HEAD), &h))
        return damaged(p, "its header is cut off");
    add_header(out, &h);
    return true;
}

/* Takes the unit that follows its size. */
static bool take_sized_unit(heif_cursor *c, int size_bytes, bytes *unit)
{
    const uint64_t size = heif_take(c, size_bytes);
    if (c->is_short || size > c->rest.size)
        return false;
    *unit = (bytes){.data = c->rest.data, .size = (size_t)size};
    c->rest = heif_behind(c->rest, (size_t)size);
    return true;
}

static bool read_hevc_configuration(bytes hvcc, int *sets, heif_coded *out, problem *p)
{
    enum { HEAD = 22 };
    heif_cursor c = {.rest = heif_behind(hvcc, HEAD)};
    bytes unit;
    for (int arrays = (int)heif_take(&c, 1); arrays > 0; arrays--) {
        heif_take(&c, 1);
        for (int units = (int)heif_take(&c, 2); units > 0; units--) {
            if (!take_sized_unit(&c, 2, &unit))
                return damaged(p, "its header is cut off");
            if (!take_unit(unit, sets, out, p))
                return false;
        }
    }
    return !c.is_short || damaged(p, "its header is cut off");
}

static bool read_hevc(bytes hvcc, bytes data, heif_coded *out, problem *p)
{
    heif_cursor c = {.rest = data};
    bytes unit;
    int sets = 0;
    out->pictures = 1;
    if (!read_hevc_configuration(hvcc, &sets, out, p))
        return false;
    while (c.rest.size > 0) {
        if (!take_sized_unit(&c, 4, &unit))
            return damaged(p, "a unit has the wrong size");
        if (!take_unit(unit, &sets, out, p))
            return false;
    }
    return true;
}

/* --- AV1 -------------------------------------------------------------------------------------- */

typedef struct obu {
    unsigned type;
    bytes data;
} obu;

/* Takes a number of seven bits a byte, the low ones first. */
static uint64_t take_leb128(heif_cursor *c)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 56; shift += 7) {
        const uint64_t byte = heif_take(c, 1);
        value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    c->is_short = true;
    return 0;
}

static bool is_known(unsigned type)
{
    enum { FIRST = 1, LAST = 8, PADDING = 15 };
    return (type >= FIRST && type <= LAST) || type == PADDING;
}

/* Takes the next unit. One without a size takes the rest, which ends_anywhere allows. */
static bool take_obu(heif_cursor *c, bool ends_anywhere, obu *out)
{
    enum { FORBIDDEN = 0x80, EXTENSION = 4, HAS_SIZE = 2 };
    const unsigned head = (unsigned)heif_take(c, 1);
    if (head & EXTENSION)
        heif_take(c, 1);
    const uint64_t size = head & HAS_SIZE ? take_leb128(c) : c->rest.size;
    out->type = head >> 3 & 15;
    if (c->is_short || size > c->rest.size || head & FORBIDDEN || !is_known(out->type) ||
        (!(head & HAS_SIZE) && !ends_anywhere))
        return false;
    out->data = (bytes){.data = c->rest.data, .size = (size_t)size};
    c->rest = heif_behind(c->rest, (size_t)size);
    return true;
}

static bool read_obus(bytes data, bool ends_anywhere, heif_coded *out, problem *p)
{
    enum { SEQUENCE = 1, FRAME_HEADER = 3, FRAME = 6, MOST_PICTURES = 64 };
    heif_cursor c = {.rest = data};
    heif_header h;
    obu o;
    while (c.rest.size > 0) {
        if (!take_obu(&c, ends_anywhere, &o))
            return damaged(p, "a unit has the wrong size or kind");
        out->pictures += o.type == FRAME_HEADER || o.type == FRAME;
        if (out->pictures > MOST_PICTURES)
            return damaged(p, "it has too many frames");
        if (o.type != SEQUENCE)
            continue;
        if (!heif_header_av1(o.data, &h))
            return damaged(p, "its header is cut off");
        add_header(out, &h);
        out->range = h.is_full ? HEIF_RANGE_FULL : HEIF_RANGE_LIMITED;
    }
    return true;
}

static bool read_av1(bytes av1c, bytes data, heif_coded *out, problem *p)
{
    enum { HEAD = 4 };
    return read_obus(heif_behind(av1c, HEAD), false, out, p) && read_obus(data, true, out, p) &&
           ((out->width > 0 && out->pictures > 0) || damaged(p, "it has no header or no frame"));
}

bool heif_coded_read(const heif_items *items, const heif_entry *e, heif_coded *out, problem *p)
{
    bytes data;
    void *gathered = NULL;
    *out = (heif_coded){.pictures = 0};
    const bool is_hevc = e->kind == HEIF_KIND('h', 'v', 'c', '1');
    const bool done =
        (e->coding.data || damaged(p, "its header is missing")) &&
        heif_items_data(items, e, &data, &gathered, p) &&
        (is_hevc ? read_hevc(e->coding, data, out, p) : read_av1(e->coding, data, out, p));
    free(gathered);
    return done;
}
