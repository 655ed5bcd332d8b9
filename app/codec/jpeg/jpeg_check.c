#include "codec/jpeg/jpeg_check.h"

#include "codec/codec_format.h"
#include "format/jpeg_segment.h"

#include <stdint.h>

enum {
    COMPONENTS_MOST = 4,
    DC = 0,
    AC = 1,
    STANDARD = 3 /* bits 0 and 1: the tables of annex K.3 */
};

typedef struct component {
    uint8_t id, across, down, quantizer;
    bool has_scan;
    int last_scan; /* the number of the scan in which it was found last, from 1 on */
} component;

typedef struct check {
    component components[COMPONENTS_MOST];
    int count; /* of components; 0: no frame was read, and the decoder will say why */
    bool is_progressive;
    uint32_t width, height, across, down; /* the largest of the components' across and down */
    unsigned quantizers, tables[2];       /* bit n: table n is there */
    bool lacks_tables, has_twins;         /* twins: components of one name */
    int transform;                        /* Adobe's; -1: none */
    int scans;
    uint64_t blocks; /* of all scans */
} check;

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t ceil_divide(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

/* Reads a frame. One that is malformed, or of a kind that is not read here, is left to the decoder,
 * which refuses it. */
static void read_frame(check *c, const jpeg_segment *s)
{
    enum { HEAD = 6, EACH = 3 };
    const uint8_t *const d = s->data.data;
    if (c->count > 0 || s->data.size < HEAD || d[5] < 1 || d[5] > COMPONENTS_MOST ||
        s->data.size != HEAD + EACH * (size_t)d[5])
        return;
    c->is_progressive = s->marker == JPEG_SOF2;
    c->height = big_endian_16(d + 1);
    c->width = big_endian_16(d + 3);
    c->count = d[5];
    for (int i = 0; i < c->count; i++) {
        const uint8_t *const from = d + HEAD + EACH * i;
        c->components[i] = (component){
            .id = from[0], .across = from[1] >> 4, .down = from[1] & 15, .quantizer = from[2]};
        for (int k = 0; k < i; k++)
            c->has_twins |= c->components[k].id == from[0];
        c->across = larger(c->across, c->components[i].across);
        c->down = larger(c->down, c->components[i].down);
    }
}

static void read_quantizers(check *c, bytes data)
{
    while (data.size > 0) {
        const size_t size = data.data[0] >> 4 ? 129 : 65;
        if (size > data.size)
            return;
        c->quantizers |= 1u << (data.data[0] & 15);
        data.data += size;
        data.size -= size;
    }
}

/* stb copies as many symbols into its arrays as a table claims, so every table must be whole. */
static bool read_tables(check *c, bytes data)
{
    uint8_t head;
    const uint8_t *table;
    size_t symbols;
    while (data.size > 0) {
        if (!jpeg_next_huffman(&data, &head, &table, &symbols))
            return false;
        c->tables[head >> 4 & 1] |= 1u << (head & 15);
    }
    return true;
}

/* Returns whether a table that a scan names is there, or is a standard one, on which baseline scans
 * may rely. */
static bool has_table(check *c, int of, unsigned number)
{
    if (c->tables[of] >> number & 1)
        return true;
    c->lacks_tables = true;
    return !c->is_progressive && (STANDARD >> number & 1);
}

/* Returns the blocks of 8 x 8 samples of a component, which fills whole units of the picture. */
static uint64_t count_blocks(const check *c, const component *of)
{
    return c->across == 0 || c->down == 0
               ? 0
               : (uint64_t)ceil_divide(c->width, 8 * c->across) * of->across *
                     ceil_divide(c->height, 8 * c->down) * of->down;
}

/* Finds the component of that name. Of twins, each is found once in a scan, in their order, as by libjpeg-turbo. */
static component *find_component(check *c, uint8_t id)
{
    for (int i = 0; i < c->count; i++) {
        component *const of = &c->components[i];
        if (of->id == id && of->last_scan != c->scans) {
            of->last_scan = c->scans;
            return of;
        }
    }
    return NULL;
}

/* Reads a scan's header. False: a component or a table that it names is not there. */
static bool read_scan(check *c, bytes data)
{
    const size_t count = data.size > 0 ? data.data[0] : 0;
    if (count < 1 || data.size != 1 + 2 * count + 3)
        return false;
    const uint8_t first = data.data[1 + 2 * count], approximation = data.data[3 + 2 * count];
    const bool uses_dc = !c->is_progressive || (first == 0 && approximation >> 4 == 0);
    const bool uses_ac = !c->is_progressive || first > 0;
    c->scans++;
    for (size_t i = 0; i < count; i++) {
        component *const of = find_component(c, data.data[1 + 2 * i]);
        const uint8_t names = data.data[2 + 2 * i];
        if (!of || of->quantizer > 3 || !(c->quantizers >> of->quantizer & 1) ||
            (uses_dc && !has_table(c, DC, names >> 4)) ||
            (uses_ac && !has_table(c, AC, names & 15)))
            return false;
        of->has_scan |= uses_dc;
        c->blocks += count_blocks(c, of);
    }
    return true;
}

static bool is_too_much(const check *c)
{
    uint64_t own = 0;
    for (int i = 0; i < c->count; i++)
        own += count_blocks(c, &c->components[i]);
    return c->scans > JPEG_SCANS_MOST ||
           (c->blocks > JPEG_BLOCKS_MOST && c->blocks / JPEG_PASSES_MOST > own);
}

/* Names a frame of a kind that is not read here; NULL: the segment is none. */
static const char *find_kind(const jpeg_segment *s)
{
    static const char *const kinds[16] = {
        [3] = "lossless",      [5] = "hierarchical", [6] = "hierarchical", [7] = "hierarchical",
        [9] = "arithmetic",    [10] = "arithmetic",  [11] = "arithmetic",  [13] = "hierarchical",
        [14] = "hierarchical", [15] = "hierarchical"};
    const bool is_frame =
        s->marker == JPEG_SOF0 || s->marker == JPEG_SOF1 || s->marker == JPEG_SOF2;
    if (is_frame && s->data.size > 0 && s->data.data[0] != 8)
        return s->data.data[0] == 12 ? "12 bits" : "other bits than 8";
    return s->marker == JPEG_SOF55           ? "JPEG-LS"
           : (s->marker & 0xf0) == JPEG_SOF0 ? kinds[s->marker & 15]
                                             : NULL;
}

static bool read_segment(check *c, const jpeg_segment *s, problem *p)
{
    static const char damaged[] = "the JPEG is damaged (%s); get a whole copy";
    const char *const other = c->count == 0 ? find_kind(s) : NULL;
    if (other)
        return problem_set(p, "a JPEG of this kind (%s) is not read here; convert it to PNG",
                           other);
    switch (s->marker) {
    case JPEG_SOF0:
    case JPEG_SOF1:
    case JPEG_SOF2: read_frame(c, s); return true;
    case JPEG_DQT: read_quantizers(c, s->data); return true;
    case JPEG_APP14:
        if (jpeg_adobe_transform(s) >= 0)
            c->transform = jpeg_adobe_transform(s);
        return true;
    case JPEG_DHT:
        return read_tables(c, s->data) || problem_set(p, damaged, "a Huffman table is not whole");
    case JPEG_SOS:
        if (c->count > 0 && !read_scan(c, s->data))
            return problem_set(p, damaged, "a scan names a table or component that is not there");
        return !is_too_much(c) ||
               problem_set(p, "the JPEG has too many scans for %u x %u pixels; convert it to PNG",
                           c->width, c->height);
    default: return true;
    }
}

/* Checks the file as a whole, at its end mark. Four components are CMYK (transform 0, or no Adobe segment) or YCCK. */
static bool is_complete(const check *c, problem *p)
{
    for (int i = 0; i < c->count; i++)
        if (!c->components[i].has_scan)
            return problem_set(p,
                               "the JPEG is damaged (a component has no scan); get a whole copy");
    return c->count != 4 || c->transform <= 0 || c->transform == 2 ||
           problem_set(p,
                       "the JPEG has colours of an unknown kind (Adobe's transform %d of four "
                       "components); convert it to RGB",
                       c->transform);
}

static bool walk_segments(check *c, bytes in, problem *p)
{
    jpeg_segment s;
    size_t at = JPEG_FIRST;
    *c = (check){.transform = -1};
    while (jpeg_next_segment(in, &at, &s)) {
        if (s.marker == JPEG_EOI)
            return is_complete(c, p);
        if (!read_segment(c, &s, p))
            return false;
    }
    return problem_set(p, s.marker ? "the JPEG is damaged; get a whole copy"
                                   : "the file is cut off; get a whole copy");
}

/* Reads the first frame, if it is there; count stays 0 otherwise. */
static check find_frame(bytes in)
{
    check c = {.count = 0};
    jpeg_segment s;
    for (size_t at = JPEG_FIRST; c.count == 0 && jpeg_next_segment(in, &at, &s);)
        if (s.marker >= JPEG_SOF0 && s.marker <= JPEG_SOF2)
            read_frame(&c, &s);
    return c;
}

bool jpeg_claim(bytes first, satb_image *shape, problem *p)
{
    const check c = find_frame(first);
    (void)p;
    *shape = (satb_image){.width = (int)c.width, .height = (int)c.height};
    return true;
}

/* A progressive scan has a bit for a block at least, and two of them follow in a scan of another kind. */
void jpeg_weigh(bytes in, picture_claim *claim)
{
    const check c = find_frame(in);
    claim->unpacked = 0;
    claim->reach = 8;
    for (int i = 0; i < c.count; i++)
        claim->unpacked += count_blocks(&c, &c.components[i]);
}

bool jpeg_check(bytes in, problem *p)
{
    check c;
    return walk_segments(&c, in, p);
}

static bool copy_with_missing(const check *c, bytes in, blob *copy)
{
    const bool lacks_adobe = c->count == 4 && c->transform < 0;
    if (!c->lacks_tables && !lacks_adobe)
        return true;
    blob_add(copy, in.data, JPEG_FIRST);
    if (lacks_adobe)
        jpeg_add_adobe(copy);
    if (c->lacks_tables)
        jpeg_add_tables(copy);
    return blob_add(copy, in.data + JPEG_FIRST, in.size - JPEG_FIRST);
}

bool jpeg_prepare_for_stb(bytes in, blob *copy, problem *p)
{
    check c;
    if (!walk_segments(&c, in, p))
        return false;
    if (c.has_twins)
        return problem_set(p, "components of the JPEG share a name, which stb does not read; "
                              "convert it to PNG");
    if (!copy_with_missing(&c, in, copy))
        return problem_set_kind(p, PROBLEM_MEMORY, "not enough memory to read the JPEG");
    if (c.count == 4)
        problem_set(p, "CMYK was converted to RGB without its colour profile%s",
                    c.transform >= 0 ? ""
                                     : "; it has no Adobe segment, so 255 was read as no ink, and "
                                       "if the colours look inverted, convert it to RGB");
    return true;
}
