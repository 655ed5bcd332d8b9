#include "unit/codec/heif_case.h"

#include <string.h>

#include "unit/unit.h"

/* --- Boxes ------------------------------------------------------------------------------------ */

/* Begins a box, whose size box_end() fills in. version: of a full box; -1: it is none. */
static size_t box_begin(blob *out, const char *type, int version)
{
    const size_t at = out->size;
    blob_add_number(out, 0, 4);
    blob_add(out, type, 4);
    if (version >= 0)
        blob_add_number(out, (uint32_t)version << 24, 4);
    return at;
}

static void box_end(blob *out, size_t at)
{
    put_big_endian_32(out->data + at, (uint32_t)(out->size - at));
}

/* Returns the content of the box of that type, wherever it stands in a file of libheif's. */
static bytes find_content(const memory *file, const char *type)
{
    for (size_t at = 4; at + 4 <= file->size; at++)
        if (memcmp(file->data + at, type, 4) == 0)
            return (bytes){.data = file->data + at + 4,
                           .size = big_endian_32(file->data + at - 4) - 8};
    fail_msg("there is no box %s", type);
    return (bytes){.size = 0};
}

static void add_box(blob *out, const char *type, bytes data)
{
    const size_t at = box_begin(out, type, -1);
    blob_add(out, data.data, data.size);
    box_end(out, at);
}

/* --- The boxes of a file ---------------------------------------------------------------------- */

enum { XMP_ID = 101 }; /* of the first part's XMP */

typedef struct layout {
    const heif_case_part *parts;
    int count;
    memory coded[8]; /* a file of libheif's for each part */
    uint32_t start;  /* of the data in the file */
} layout;

static void add_entry(blob *out, int id, const char *type)
{
    const size_t at = box_begin(out, "infe", 2);
    blob_add_number(out, (uint32_t)id, 2);
    blob_add_number(out, 0, 2);
    blob_add(out, type, 4);
    blob_add(out, "", 1);
    if (strcmp(type, "mime") == 0)
        blob_add(out, "application/rdf+xml", 20);
    box_end(out, at);
}

static int count_items(const layout *l)
{
    int items = l->count;
    for (int i = 0; i < l->count; i++)
        items += l->parts[i].xmp != NULL;
    return items;
}

static void add_iinf(const layout *l, blob *out)
{
    const size_t at = box_begin(out, "iinf", 0);
    blob_add_number(out, (uint32_t)count_items(l), 2);
    for (int i = 0; i < l->count; i++) {
        add_entry(out, i + 1, "hvc1");
        if (l->parts[i].xmp)
            add_entry(out, XMP_ID + i, "mime");
    }
    box_end(out, at);
}

static void add_reference(blob *out, const char *type, int from, int to)
{
    const size_t at = box_begin(out, type, -1);
    blob_add_number(out, (uint32_t)from, 2);
    blob_add_number(out, 1, 2);
    blob_add_number(out, (uint32_t)to, 2);
    box_end(out, at);
}

static void add_iref(const layout *l, blob *out)
{
    const size_t at = box_begin(out, "iref", 0);
    for (int i = 0; i < l->count; i++) {
        if (l->parts[i].type)
            add_reference(out, "auxl", i + 1, 1);
        if (l->parts[i].premultiplies)
            add_reference(out, "prem", 1, i + 1);
        if (l->parts[i].xmp)
            add_reference(out, "cdsc", XMP_ID + i, i + 1);
    }
    box_end(out, at);
}

static void add_extent(blob *out, int id, uint32_t *offset, size_t size)
{
    blob_add_number(out, (uint32_t)id, 2);
    blob_add_number(out, 0, 2); /* this file */
    blob_add_number(out, 1, 2); /* extents */
    blob_add_number(out, *offset, 4);
    blob_add_number(out, (uint32_t)size, 4);
    *offset += (uint32_t)size;
}

static void add_iloc(const layout *l, blob *out)
{
    uint32_t offset = l->start;
    const size_t at = box_begin(out, "iloc", 0);
    blob_add_number(out, 0x4400, 2); /* offsets and sizes of 4 bytes */
    blob_add_number(out, (uint32_t)count_items(l), 2);
    for (int i = 0; i < l->count; i++) {
        add_extent(out, i + 1, &offset, find_content(&l->coded[i], "mdat").size);
        if (l->parts[i].xmp)
            add_extent(out, XMP_ID + i, &offset, strlen(l->parts[i].xmp));
    }
    box_end(out, at);
}

/* Adds a part's properties to ipco, and its list of them to ipma. */
static void add_properties(const layout *l, int i, blob *ipco, blob *ipma, int *index)
{
    const heif_case_part *const part = &l->parts[i];
    const uint8_t quarters = (uint8_t)part->quarters, axis = (uint8_t)(part->axis - 1);
    const int first = *index;
    size_t at = box_begin(ipco, "ispe", 0);
    blob_add_number(ipco, (uint32_t)part->image.width, 4);
    blob_add_number(ipco, (uint32_t)part->image.height, 4);
    box_end(ipco, at);
    add_box(ipco, "hvcC", find_content(&l->coded[i], "hvcC"));
    *index += 2;
    if (part->type) {
        at = box_begin(ipco, "auxC", 0);
        blob_add(ipco, part->type, strlen(part->type) + 1);
        blob_add(ipco, part->sei.data, part->sei.size);
        box_end(ipco, at);
        ++*index;
    }
    if (part->nclx) {
        at = box_begin(ipco, "colr", -1);
        blob_add(ipco, "nclx", 4);
        blob_add(ipco, part->nclx, 7);
        box_end(ipco, at);
        ++*index;
    }
    if (part->quarters > 0 && ++*index)
        add_box(ipco, "irot", (bytes){.data = &quarters, .size = 1});
    if (part->axis > 0 && ++*index)
        add_box(ipco, "imir", (bytes){.data = &axis, .size = 1});
    blob_add_number(ipma, (uint32_t)i + 1, 2);
    blob_add_number(ipma, (uint32_t)(*index - first), 1);
    for (int k = first; k < *index; k++)
        blob_add_number(ipma, (uint32_t)k + 1, 1);
}

static void add_iprp(const layout *l, blob *out)
{
    blob ipco = {0}, ipma = {0};
    int index = 0;
    blob_add_number(&ipma, 0, 4);
    blob_add_number(&ipma, (uint32_t)l->count, 4);
    for (int i = 0; i < l->count; i++)
        add_properties(l, i, &ipco, &ipma, &index);
    const size_t at = box_begin(out, "iprp", -1);
    add_box(out, "ipco", blob_view(&ipco));
    add_box(out, "ipma", blob_view(&ipma));
    box_end(out, at);
    blob_free(&ipco);
    blob_free(&ipma);
}

static void add_group(const layout *l, blob *out)
{
    const size_t at = box_begin(out, "grpl", -1);
    const size_t group = box_begin(out, l->parts[0].group, 0);
    blob_add_number(out, 77, 4); /* its number */
    blob_add_number(out, (uint32_t)l->count, 4);
    for (int i = 0; i < l->count; i++)
        blob_add_number(out, (uint32_t)i + 1, 4);
    box_end(out, group);
    box_end(out, at);
}

static void add_data(const layout *l, blob *out)
{
    const size_t at = box_begin(out, "mdat", -1);
    for (int i = 0; i < l->count; i++) {
        const bytes data = find_content(&l->coded[i], "mdat");
        blob_add(out, data.data, data.size);
        if (l->parts[i].xmp)
            blob_add(out, l->parts[i].xmp, strlen(l->parts[i].xmp));
    }
    box_end(out, at);
}

/* Adds all boxes, and notes where the data begins. */
static void add_boxes(layout *l, blob *out)
{
    static const uint8_t handler[] = {0, 0, 0, 0, 'p', 'i', 'c', 't', 0, 0, 0,
                                      0, 0, 0, 0, 0,   0,   0,   0,   0, 0};
    static const uint8_t primary[] = {0, 1};
    const size_t ftyp = box_begin(out, "ftyp", -1);
    blob_add(out, "heic\0\0\0\0mif1heic", 16);
    box_end(out, ftyp);
    const size_t meta = box_begin(out, "meta", 0);
    size_t at = box_begin(out, "hdlr", 0);
    blob_add(out, handler, sizeof handler);
    box_end(out, at);
    at = box_begin(out, "pitm", 0);
    blob_add(out, primary, sizeof primary);
    box_end(out, at);
    add_iloc(l, out);
    add_iinf(l, out);
    add_iref(l, out);
    add_iprp(l, out);
    if (l->parts[0].group)
        add_group(l, out);
    box_end(out, meta);
    l->start = (uint32_t)out->size + 8;
    add_data(l, out);
}

blob heif_case_file(const heif_case_part *parts, int count)
{
    layout l = {.parts = parts, .count = count};
    blob out = {0};
    const encode_settings settings = {.quality = 100};
    for (int i = 0; i < count; i++)
        l.coded[i] = case_encoded_by("a.heic", &parts[i].image, &settings);
    add_boxes(&l, &out);
    out.size = 0; /* once more, as the place of the data is known */
    add_boxes(&l, &out);
    assert_false(out.failed);
    return out;
}

/* --- Their content ---------------------------------------------------------------------------- */

static void put_bits(uint8_t *to, int *at, int count, unsigned value)
{
    for (int i = count - 1; i >= 0; i--, ++*at)
        if (value >> i & 1)
            to[*at / 8] |= (uint8_t)(0x80 >> *at % 8);
}

/* Sign, exponent + 31, a mantissa of one bit that is 0. */
static void put_power(uint8_t *to, int *at, int exponent)
{
    put_bits(to, at, 1, 0);
    put_bits(to, at, 7, (unsigned)(exponent + 31));
    put_bits(to, at, 5, 0);
    put_bits(to, at, 1, 0);
}

bytes heif_case_sei(uint8_t to[32], bool is_depth, int low_exponent, int high_exponent)
{
    enum { PREFIX_SEI = 39, DEPTH_REPRESENTATION = 177, HEAD = 12 };
    int at = 8 * HEAD;
    memset(to, 0, 32);
    put_bits(to, &at, 4, is_depth ? 0xc : 0x3); /* z_near and z_far, or d_min and d_max */
    put_bits(to, &at, 3, is_depth ? 3 : 2);     /* Exp-Golomb: type 2 or 1 */
    if (!is_depth)
        put_bits(to, &at, 1, 1); /* view 0 */
    put_power(to, &at, low_exponent);
    put_power(to, &at, high_exponent);
    put_bits(to, &at, 1, 1);
    const uint8_t end = (uint8_t)((at + 7) / 8);
    to[3] = (uint8_t)(end - 4);
    to[7] = (uint8_t)(end - 8);
    to[8] = PREFIX_SEI << 1;
    to[9] = 1;
    to[10] = DEPTH_REPRESENTATION;
    to[11] = (uint8_t)(end - HEAD);
    return (bytes){.data = to, .size = end};
}

satb_image heif_case_ramp(int width, int height)
{
    satb_image image = {
        .width = width, .height = height, .channels = 1, .bits = 8, .stride = width};
    uint8_t *const data = unit_memory(picture_bytes(&image));
    for (int i = 0; i < width * height; i++)
        data[i] = (uint8_t)((i % width) * 60 / width + (i / width) * 180 / height);
    image.data = data;
    return image;
}
