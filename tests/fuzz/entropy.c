/* Compares the program's walk over entropy-coded data, by any Huffman tables, with a reader that goes bit by bit. */
#include "fuzz/fuzz.h"
#include "support/jpeg_bits.h"
#include "nvjpeg/jpeg_entropy.h"

enum { TABLES = 2, MOST_BYTES = 16384 };

typedef union table { /* in the form of DHT */
    struct {
        uint8_t counts[16], symbols[256];
    };
    uint8_t bytes[16 + 256];
} table;

/* Chooses codes of each length that leave room for the longer ones, and none of ones alone. */
static void choose_table(feed *f, table *t, bool is_ac)
{
    const uint32_t most = is_ac ? 162 : 12;
    uint32_t code = 0, total = 0;
    for (int i = 0; i < 16; i++) {
        code *= 2;
        const uint32_t room = (2u << i) - 1 - code, rest = most - total;
        const uint32_t count = choose(f, (room < rest ? room : rest) + 1);
        t->counts[i] = (uint8_t)count;
        code += count;
        total += count;
    }
    for (uint32_t i = 0; i < total; i++) {
        const uint32_t bits = choose(f, is_ac ? 11 : 12), run = is_ac ? choose(f, 16) : 0;
        t->symbols[i] = (uint8_t)(bits > 0 || !is_ac ? run << 4 | bits : run & 1 ? 0xf0 : 0);
    }
}

typedef struct shape { /* of a unit */
    int blocks, dc[JPEG_BLOCKS], ac[JPEG_BLOCKS];
    table tables[2][TABLES];
} shape;

static void choose_shape(feed *f, shape *s)
{
    *s = (shape){.blocks = 1 + (int)choose(f, JPEG_BLOCKS)};
    for (int b = 0; b < s->blocks; b++) {
        s->dc[b] = (int)choose(f, TABLES);
        s->ac[b] = (int)choose(f, TABLES);
    }
    for (int i = 0; i < 2 * TABLES; i++)
        choose_table(f, &s->tables[i / TABLES][i % TABLES], i / TABLES);
}

/* --- Samples ---------------------------------------------------------------------------------- */

typedef struct writer {
    uint8_t *data; /* all 0 behind the bits that are written */
    size_t bit, end;
    uint32_t state; /* of the generator of codes and bits */
} writer;

static uint32_t any(writer *w, uint32_t below)
{
    w->state = w->state * 1664525u + 1013904223u;
    return (w->state >> 8) % below;
}

static void write_bits(writer *w, uint32_t value, int count)
{
    for (int i = count - 1; i >= 0 && w->bit < w->end; i--, w->bit++)
        w->data[w->bit / 8] |= (uint8_t)((value >> i & 1) << (7 - w->bit % 8));
}

/* Writes one of the codes and returns its symbol; the table has one code at least. */
static int write_any(writer *w, const table *t)
{
    uint32_t total = 0, code = 0, before = 0;
    for (int i = 0; i < 16; i++)
        total += t->counts[i];
    const uint32_t which = any(w, total);
    for (int i = 0; i < 16; i++) {
        code *= 2;
        if (which - before < t->counts[i]) {
            write_bits(w, code + which - before, i + 1);
            return t->symbols[which];
        }
        code += t->counts[i];
        before += t->counts[i];
    }
    return -1;
}

/* Writes a block. It may be too long, which is a fault. */
static void write_block(writer *w, const table *dc, const table *ac)
{
    int symbol = write_any(w, dc);
    write_bits(w, any(w, 1 << 16), symbol);
    for (int at = 1; at < 64; at += (symbol >> 4) + 1) {
        symbol = write_any(w, ac);
        if (symbol == 0)
            break;
        write_bits(w, any(w, 1 << 16), symbol & 15);
    }
}

static bool has_codes(const table *t)
{
    for (int i = 0; i < 16; i++)
        if (t->counts[i] > 0)
            return true;
    return false;
}

/* Makes data of that size: blocks as an encoder would write them; or, by choice or where a table has no code, the
 * rest of the input, again and again and each time a little different. Then some bytes are changed. */
static uint8_t *choose_data(feed *f, const shape *s, size_t size)
{
    writer w = {.data = calloc(size + JPEG_MARGIN, 1), .end = 8 * size, .state = take(f, 4)};
    bool writes = choose(f, 4) > 0;
    CHECK(w.data);
    for (int b = 0; b < s->blocks; b++)
        writes = writes && has_codes(&s->tables[0][s->dc[b]]) && has_codes(&s->tables[1][s->ac[b]]);
    for (int b = 0; writes && w.bit < w.end; b = (b + 1) % s->blocks)
        write_block(&w, &s->tables[0][s->dc[b]], &s->tables[1][s->ac[b]]);
    for (uint32_t faults = choose(f, 4); faults > 0 && size > 0; faults--)
        w.data[choose(f, (uint32_t)size)] ^= (uint8_t)take(f, 1);
    for (size_t i = 0; !writes && i < size && f->size > 0; i++)
        w.data[i] = (uint8_t)(f->data[i % f->size] ^ (i / f->size * 37 & 0x11));
    return w.data;
}

/* --- Both ------------------------------------------------------------------------------------- */

/* Reads up to `most` units, or to the first that is not whole; returns the number of whole ones. */
static size_t read_units(reader *r, const shape *s, size_t most)
{
    for (size_t units = 0; units < most; units++) {
        const size_t begin = r->bit;
        for (int b = 0; b < s->blocks; b++)
            if (!read_block(r, s->tables[0][s->dc[b]].bytes, s->tables[1][s->ac[b]].bytes)) {
                r->bit = begin;
                return units;
            }
    }
    return most;
}

static void make_unit(const shape *s, jpeg_huffman codes[2][TABLES], jpeg_unit *unit)
{
    *unit = (jpeg_unit){.blocks = s->blocks};
    for (int i = 0; i < 2 * TABLES; i++)
        jpeg_huffman_make(&codes[i / TABLES][i % TABLES], s->tables[i / TABLES][i % TABLES].bytes,
                          i / TABLES);
    for (int b = 0; b < s->blocks; b++) {
        unit->dc[b] = &codes[0][s->dc[b]];
        unit->ac[b] = &codes[1][s->ac[b]];
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static jpeg_huffman codes[2][TABLES];
    feed f = {data, size};
    shape s;
    jpeg_unit unit;
    choose_shape(&f, &s);
    make_unit(&s, codes, &unit);
    size_t count = choose(&f, MOST_BYTES);
    uint8_t *const entropy = choose_data(&f, &s, count);
    reader r = {.data = entropy, .end = 8 * count};
    const size_t whole = read_units(&r, &s, SIZE_MAX);
    const bytes all = {.data = entropy, .size = count};
    CHECK(jpeg_entropy_is_whole(&unit, all, whole) == (r.end - r.bit < 8));
    for (size_t more = 1; more < 40; more += 1 + more / 4)
        CHECK(!jpeg_entropy_is_whole(&unit, all, whole + more));
    CHECK(!jpeg_entropy_is_whole(&unit, all, whole + 1 + choose(&f, MOST_BYTES)));
    /* Fewer units, and the data cut behind the byte in which they end. */
    const size_t fewer = whole > 0 ? choose(&f, (uint32_t)whole) + 1 : 0;
    r.bit = 0;
    CHECK(read_units(&r, &s, fewer) == fewer);
    count = (r.bit + 7) / 8;
    memset(entropy + count, 0, JPEG_MARGIN);
    CHECK(jpeg_entropy_is_whole(&unit, (bytes){.data = entropy, .size = count}, fewer));
    free(entropy);
    return 0;
}
