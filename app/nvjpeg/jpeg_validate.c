/* Walks over a JPEG's segments (ITU-T T.81, B.2), with libjpeg's rules for Huffman tables and colours. */
#include "nvjpeg/jpeg_validate.h"

#include "format/jpeg_segment.h"
#include "nvjpeg/jpeg_entropy.h"

#include <stdlib.h>
#include <string.h>

typedef struct component {
    uint8_t id, sampling, quantizer; /* sampling: across in the high four bits, down in the low */
    uint8_t table;                   /* of DC in the high bits, of AC in the low */
} component;

typedef struct walk {
    bytes in;
    size_t at;
    const satb_image *shape;
    component components[3];
    int count;                   /* of them; 0: no frame yet */
    unsigned quantizers;         /* bit n: table n is there */
    const uint8_t *tables[2][2]; /* of DC and of AC, two each; NULL: not there */
    unsigned restart;            /* units between two restart marks; 0: there are none */
    bool is_jfif;
    int transform; /* Adobe's; -1: none */
} walk;

static bool take_quantizers(walk *w, bytes s)
{
    for (; s.size > 0; s.data += 65, s.size -= 65) {
        if (s.size < 65 || s.data[0] > 3 || memchr(s.data + 1, 0, 64))
            return false;
        w->quantizers |= 1u << s.data[0];
    }
    return true;
}

/* Returns whether the codes of each length leave room for the longer ones, and none is all ones. */
static bool sound_codes(const uint8_t lengths[16])
{
    unsigned code = 0;
    for (unsigned i = 0; i < 16; i++) {
        code = 2 * code + lengths[i];
        if (lengths[i] > 0 && code >= 2u << i)
            return false;
    }
    return true;
}

/* Returns whether the symbols are those of 8-bit samples: a DC symbol counts the bits of a
 * difference; an AC symbol has a run of zeros in its high four bits and counts the bits that follow
 * in its low four. */
static bool sound_symbols(bool is_ac, const uint8_t *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned bits = symbols[i] & 15u, run = symbols[i] >> 4;
        if (is_ac ? bits > 10 || (bits == 0 && run != 0 && run != 15) : symbols[i] > 11)
            return false;
    }
    return true;
}

static bool take_tables(walk *w, bytes s)
{
    uint8_t head;
    const uint8_t *table;
    size_t symbols;
    while (s.size > 0) {
        if (!jpeg_next_huffman(&s, &head, &table, &symbols) || (head & 0xee) != 0 || symbols == 0 ||
            !sound_codes(table) || !sound_symbols(head >> 4, table + 16, symbols))
            return false;
        w->tables[head >> 4][head & 1] = table;
    }
    return true;
}

/* Returns whether brightness has the resolution of the colours, or twice that, in each
 * direction. */
static bool sound_sampling(const walk *w)
{
    const uint8_t first = w->components[0].sampling;
    if (w->count == 1)
        return first == 0x11;
    return (first == 0x11 || first == 0x12 || first == 0x21 || first == 0x22) &&
           w->components[1].sampling == 0x11 && w->components[2].sampling == 0x11;
}

static bool take_frame(walk *w, bytes s)
{
    const satb_image *const shape = w->shape;
    const size_t count = (size_t)shape->channels;
    if (w->count > 0 || (count != 1 && count != 3) || s.size != 6 + 3 * count || s.data[0] != 8 ||
        big_endian_16(s.data + 1) != (uint32_t)shape->height ||
        big_endian_16(s.data + 3) != (uint32_t)shape->width || s.data[5] != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *const c = s.data + 6 + 3 * i;
        w->components[i] = (component){.id = c[0], .sampling = c[1], .quantizer = c[2]};
    }
    w->count = (int)count;
    return sound_sampling(w);
}

static bool take_restart(walk *w, bytes s)
{
    if (s.size != 2)
        return false;
    w->restart = big_endian_16(s.data);
    return true;
}

static bool take_application(walk *w, const jpeg_segment *s)
{
    if (s->marker == JPEG_APP0 && s->data.size >= 14 && memcmp(s->data.data, "JFIF", 5) == 0) {
        w->is_jfif = true;
        return s->data.data[5] == 1; /* its version */
    }
    if (jpeg_adobe_transform(s) >= 0)
        w->transform = jpeg_adobe_transform(s);
    return true;
}

static bool is_application(const jpeg_segment *s)
{
    return s->marker == JPEG_COM || (s->marker >= JPEG_APP0 && s->marker <= JPEG_APP15);
}

static bool take_segment(walk *w, const jpeg_segment *s)
{
    switch (s->marker) {
    case JPEG_SOF0: return take_frame(w, s->data);
    case JPEG_DHT: return take_tables(w, s->data);
    case JPEG_DQT: return take_quantizers(w, s->data);
    case JPEG_DRI: return take_restart(w, s->data);
    default: return is_application(s) && take_application(w, s);
    }
}

/* Finds the segment that stands at w->at. Returns false if there is none, or the file has ended. */
static bool next_segment(walk *w, jpeg_segment *s)
{
    const size_t begin = w->at;
    return jpeg_next_segment(w->in, &w->at, s) && s->begin == begin && s->marker != JPEG_EOI;
}

/* Returns whether all decoders take the three components for YCbCr. */
static bool certain_colours(const walk *w)
{
    const component *const c = w->components;
    if (w->count == 1)
        return true;
    if ((w->transform >= 0 && w->transform != 1) || c[0].id == c[1].id || c[0].id == c[2].id ||
        c[1].id == c[2].id)
        return false;
    return w->is_jfif || w->transform >= 0 || (c[0].id == 1 && c[1].id == 2 && c[2].id == 3);
}

static bool take_scan(walk *w, bytes s)
{
    const size_t count = (size_t)w->count;
    if (count == 0 || s.size != 4 + 2 * count || s.data[0] != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const uint8_t id = s.data[1 + 2 * i], table = s.data[2 + 2 * i];
        const component *const c = &w->components[i];
        if (id != c->id || (table & 0xee) != 0 || !w->tables[0][table >> 4] ||
            !w->tables[1][table & 1] || c->quantizer > 3 || !(w->quantizers >> c->quantizer & 1))
            return false;
        w->components[i].table = table;
    }
    return memcmp(s.data + 1 + 2 * count, "\0\x3f", 3) == 0 && certain_colours(w);
}

/* Returns the number of units: the smallest pieces of the picture that hold whole blocks of all components. */
static size_t count_units(const walk *w)
{
    const size_t across = 8 * (size_t)(w->components[0].sampling >> 4);
    const size_t down = 8 * (size_t)(w->components[0].sampling & 15);
    return (((size_t)w->shape->width + across - 1) / across) *
           (((size_t)w->shape->height + down - 1) / down);
}

/* --- Entropy-coded data ----------------------------------------------------------------------- */

typedef struct entropy {
    jpeg_huffman tables[2][2];
    jpeg_unit unit;
    size_t units;  /* that are left */
    uint8_t *data; /* since the last restart mark, as jpeg_entropy_is_whole() takes it */
    size_t size;
} entropy;

static void prepare_entropy(entropy *e, const walk *w)
{
    for (int i = 0; i < 4; i++)
        if (w->tables[i / 2][i % 2])
            jpeg_huffman_make(&e->tables[i / 2][i % 2], w->tables[i / 2][i % 2], i / 2);
    for (int c = 0; c < w->count; c++) {
        const component *const from = &w->components[c];
        for (int n = (from->sampling >> 4) * (from->sampling & 15); n > 0; n--) {
            e->unit.dc[e->unit.blocks] = &e->tables[0][from->table >> 4];
            e->unit.ac[e->unit.blocks++] = &e->tables[1][from->table & 1];
        }
    }
    e->units = count_units(w);
}

static void add_data(entropy *e, const uint8_t *from, size_t size)
{
    memcpy(e->data + e->size, from, size);
    e->size += size;
}

/* Checks the data before a mark: all the units of a restart, or the rest. */
static bool take_units(entropy *e, const walk *w, bool is_last)
{
    const size_t units = is_last ? e->units : w->restart;
    if (units > e->units || (w->restart > 0 && (units == 0 || units > w->restart)))
        return false;
    const bytes data = {.data = e->data, .size = e->size};
    memset(e->data + e->size, 0, JPEG_MARGIN);
    e->units -= units;
    e->size = 0;
    return jpeg_entropy_is_whole(&e->unit, data, units);
}

/* Entropy-coded data has no marks but those of restarts, in turn, and the end mark follows at once. */
static bool walk_entropy(walk *w, entropy *e)
{
    for (unsigned restarts = 0;;) {
        const uint8_t *const from = w->in.data + w->at;
        const size_t left = w->in.size - w->at;
        const uint8_t *const b = memchr(from, 0xff, left);
        if (!b || b + 1 == from + left)
            return false;
        const size_t before = (size_t)(b - from);
        w->at += before + 2;
        add_data(e, from, b[1] == 0 ? before + 1 : before);
        if (b[1] == 0)
            continue;
        if (b[1] == JPEG_EOI)
            return take_units(e, w, true);
        if (w->restart == 0 || b[1] != JPEG_RST0 + restarts++ % 8 || !take_units(e, w, false))
            return false;
    }
}

static jpeg_verdict validate_entropy(walk *w)
{
    entropy e = {.data = malloc(w->in.size - w->at + JPEG_MARGIN)};
    if (!e.data)
        return JPEG_STARVED;
    prepare_entropy(&e, w);
    const bool is_whole = walk_entropy(w, &e);
    free(e.data);
    return is_whole ? JPEG_SOUND : JPEG_DAMAGED;
}

static bool has_start(bytes in)
{
    return in.size >= JPEG_FIRST && memcmp(in.data, "\xff\xd8", JPEG_FIRST) == 0;
}

jpeg_verdict jpeg_validate(bytes in, const satb_image *shape, size_t *size)
{
    walk w = {.in = in, .at = JPEG_FIRST, .shape = shape, .transform = -1};
    jpeg_segment s;
    while (has_start(in) && next_segment(&w, &s)) {
        if (s.marker == JPEG_SOS) {
            const jpeg_verdict verdict =
                take_scan(&w, s.data) ? validate_entropy(&w) : JPEG_UNUSUAL;
            *size = w.at;
            return verdict;
        }
        if (!take_segment(&w, &s))
            return JPEG_UNUSUAL;
    }
    return JPEG_UNUSUAL;
}

size_t jpeg_head_size(bytes in)
{
    walk w = {.in = in, .at = JPEG_FIRST};
    jpeg_segment s;
    for (size_t begin = w.at; has_start(in) && next_segment(&w, &s); begin = w.at)
        if (!is_application(&s))
            return begin;
    return 0;
}
