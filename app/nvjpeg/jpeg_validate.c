/* A walk over a JPEG's segments (ITU-T T.81, B.2), with libjpeg's rules for Huffman tables and colours. */
#include "nvjpeg/jpeg_validate.h"

#include "nvjpeg/jpeg_entropy.h"

#include <stdlib.h>
#include <string.h>

enum {
    SOF0 = 0xc0,
    DHT = 0xc4,
    EOI = 0xd9,
    SOS = 0xda,
    DQT = 0xdb,
    DRI = 0xdd,
    APP0 = 0xe0,
    APP14 = 0xee,
    APP15 = 0xef,
    COM = 0xfe
};

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
    bool is_jfif, is_adobe;
    uint8_t transform; /* Adobe's */
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

/* Codes of each length must leave room for the longer ones, and none is all ones. */
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

/* Symbols of 8-bit samples: of DC the bits of a difference, of AC a run and the bits that follow it. */
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
    while (s.size > 0) {
        size_t count = 0;
        for (size_t i = 1; i <= 16 && s.size >= 17; i++)
            count += s.data[i];
        if (s.size < 17 || (s.data[0] & 0xee) != 0 || count == 0 || count > 256 ||
            count > s.size - 17)
            return false;
        const bool is_ac = s.data[0] >> 4;
        if (!sound_codes(s.data + 1) || !sound_symbols(is_ac, s.data + 17, count))
            return false;
        w->tables[is_ac][s.data[0] & 1] = s.data + 1;
        s.data += 17 + count;
        s.size -= 17 + count;
    }
    return true;
}

/* Brightness may have twice the resolution of the colours, in either direction. */
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

static bool take_application(walk *w, int marker, bytes s)
{
    if (marker == APP0 && s.size >= 14 && memcmp(s.data, "JFIF", 5) == 0) {
        w->is_jfif = true;
        return s.data[5] == 1; /* its version */
    }
    if (marker == APP14 && s.size >= 12 && memcmp(s.data, "Adobe", 5) == 0) {
        w->is_adobe = true;
        w->transform = s.data[11];
    }
    return true;
}

static bool take(walk *w, int marker, bytes s)
{
    switch (marker) {
    case SOF0: return take_frame(w, s);
    case DHT: return take_tables(w, s);
    case DQT: return take_quantizers(w, s);
    case DRI: return take_restart(w, s);
    case COM: return true;
    default: return marker >= APP0 && marker <= APP15 && take_application(w, marker, s);
    }
}

/* The marker that stands at w->at, and what it begins; false where that is not whole. */
static bool next(walk *w, int *marker, bytes *segment)
{
    const uint8_t *const b = w->in.data + w->at;
    const size_t left = w->in.size - w->at;
    if (left < 4 || b[0] != 0xff)
        return false;
    const size_t length = big_endian_16(b + 2);
    if (length < 2 || length > left - 2)
        return false;
    *marker = b[1];
    *segment = (bytes){.data = b + 4, .size = length - 2};
    w->at += 2 + length;
    return true;
}

/* That all decoders take the three components for YCbCr. */
static bool certain_colours(const walk *w)
{
    const component *const c = w->components;
    if (w->count == 1)
        return true;
    if ((w->is_adobe && w->transform != 1) || c[0].id == c[1].id || c[0].id == c[2].id ||
        c[1].id == c[2].id)
        return false;
    return w->is_jfif || w->is_adobe || (c[0].id == 1 && c[1].id == 2 && c[2].id == 3);
}

static bool sound_scan(walk *w, bytes s)
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

/* How many there are of the least pieces that hold whole blocks of all components. */
static size_t count_units(const walk *w)
{
    const size_t across = 8 * (size_t)(w->components[0].sampling >> 4);
    const size_t down = 8 * (size_t)(w->components[0].sampling & 15);
    return (((size_t)w->shape->width + across - 1) / across) *
           (((size_t)w->shape->height + down - 1) / down);
}

typedef struct samples {
    jpeg_codes codes[2][2];
    jpeg_unit unit;
    size_t units;    /* that are left */
    uint8_t *packed; /* since the last mark, as jpeg_samples_in_order() takes it */
    size_t size;
} samples;

static void prepare(samples *s, const walk *w)
{
    const jpeg_codes *codes[JPEG_BLOCKS][2];
    int blocks = 0;
    for (int i = 0; i < 4; i++)
        if (w->tables[i / 2][i % 2])
            jpeg_codes_make(&s->codes[i / 2][i % 2], w->tables[i / 2][i % 2], i / 2);
    for (int c = 0; c < w->count; c++) {
        const component *const from = &w->components[c];
        for (int n = (from->sampling >> 4) * (from->sampling & 15); n > 0; n--) {
            codes[blocks][0] = &s->codes[0][from->table >> 4];
            codes[blocks++][1] = &s->codes[1][from->table & 1];
        }
    }
    jpeg_unit_make(&s->unit, blocks, codes);
    s->units = count_units(w);
}

static void add(samples *s, const uint8_t *from, size_t size)
{
    memcpy(s->packed + s->size, from, size);
    s->size += size;
}

/* What was packed before a mark: all the units of a restart, or the rest. */
static bool take_samples(samples *s, const walk *w, bool is_last)
{
    const size_t units = is_last ? s->units : w->restart;
    if (units > s->units || (w->restart > 0 && (units == 0 || units > w->restart)))
        return false;
    const bytes packed = {.data = s->packed, .size = s->size};
    memset(s->packed + s->size, 0, JPEG_MARGIN);
    s->units -= units;
    s->size = 0;
    return jpeg_samples_in_order(&s->unit, packed, units);
}

/* Packed samples have no marks but those of restarts, in turn, and the end follows at once. */
static bool walk_samples(walk *w, samples *s)
{
    for (unsigned restarts = 0;;) {
        const uint8_t *const from = w->in.data + w->at;
        const size_t left = w->in.size - w->at;
        const uint8_t *const b = memchr(from, 0xff, left);
        if (!b || b + 1 == from + left)
            return false;
        const size_t before = (size_t)(b - from);
        w->at += before + 2;
        add(s, from, b[1] == 0 ? before + 1 : before);
        if (b[1] == 0)
            continue;
        if (b[1] == EOI)
            return take_samples(s, w, true);
        if (w->restart == 0 || b[1] != 0xd0 + restarts++ % 8 || !take_samples(s, w, false))
            return false;
    }
}

static bool sound_samples(walk *w, bool *starved)
{
    samples s = {.packed = malloc(w->in.size - w->at + JPEG_MARGIN)};
    *starved = !s.packed;
    if (!s.packed)
        return false;
    prepare(&s, w);
    const bool is_sound = walk_samples(w, &s);
    free(s.packed);
    return is_sound;
}

bool jpeg_in_order(bytes in, const satb_image *shape, size_t *size, bool *starved)
{
    walk w = {.in = in, .at = 2, .shape = shape};
    bytes segment;
    int marker = 0;
    *starved = false;
    if (in.size < 2 || memcmp(in.data, "\xff\xd8", 2) != 0)
        return false;
    while (next(&w, &marker, &segment)) {
        if (marker == SOS) {
            const bool is_sound = sound_scan(&w, segment) && sound_samples(&w, starved);
            *size = w.at;
            return is_sound;
        }
        if (!take(&w, marker, segment))
            return false;
    }
    return false;
}

size_t jpeg_head_size(bytes in)
{
    walk w = {.in = in, .at = 2};
    bytes segment;
    int marker = 0;
    if (in.size < 2 || memcmp(in.data, "\xff\xd8", 2) != 0)
        return 0;
    for (size_t begin = w.at; next(&w, &marker, &segment); begin = w.at)
        if (marker != COM && (marker < APP0 || marker > APP15))
            return begin;
    return 0;
}
