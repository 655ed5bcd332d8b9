#include "format/photoshop.h"

#include "format/xmp_clean.h"

#include <string.h>

/* --- IPTC (IIM 4.2) --------------------------------------------------------------------------- */

/* Returns whether a data set is kept: of the envelope and of the application, but rasterized captions and previews. */
static bool is_kept_record(const uint8_t *head)
{
    enum { ENVELOPE = 1, APPLICATION = 2, RASTERIZED = 125, PREVIEW = 200, PREVIEW_END = 202 };
    const int record = head[1], set = head[2];
    return record == ENVELOPE ||
           (record == APPLICATION && set != RASTERIZED && (set < PREVIEW || set > PREVIEW_END));
}

/* Returns the size of a data set, head and all; 0: there is none. The high bit of the size tells that the size of the size
 * follows. */
static size_t record_size(bytes in)
{
    enum { HEAD = 5, EXTENDED = 0x8000 };
    if (in.size < HEAD || in.data[0] != IPTC_MARK)
        return 0;
    size_t size = big_endian_16(in.data + 3), head = HEAD;
    if (size & EXTENDED) {
        const size_t more = size - EXTENDED;
        if (more > 4 || more > in.size - HEAD)
            return 0;
        size = 0;
        for (size_t i = 0; i < more; i++)
            size = size << 8 | in.data[HEAD + i];
        head += more;
    }
    return size <= in.size - head ? head + size : 0;
}

static bool are_zeros(bytes in)
{
    while (in.size > 0 && in.data[in.size - 1] == 0)
        in.size--;
    return in.size == 0;
}

int iptc_clean(bytes in, blob *out)
{
    int found = 0;
    const size_t before = out->size;
    while (!are_zeros(in)) {
        const size_t size = record_size(in);
        const bytes record = {.data = in.data, .size = size};
        if (size == 0) {
            out->size = before;
            return HIDDEN_UNCLEAR;
        }
        if (is_kept_record(in.data) && !hidden_picture(record))
            blob_add(out, record.data, record.size);
        else
            found |= HIDDEN_BLOCKS;
        in.data += size;
        in.size -= size;
    }
    blob_add(out, in.data, in.size);
    return out->failed ? HIDDEN_STARVED : found;
}

int iptc_find(bytes records)
{
    blob out = {0};
    const int found = iptc_clean(records, &out);
    blob_free(&out);
    return found;
}

/* --- Resources (Adobe Photoshop File Formats Specification) ----------------------------------- */

enum { IPTC = 1028, THUMBNAIL_4 = 1033, THUMBNAIL = 1036, XMP = 1060 };

/* Returns whether the resource is of a kind that holds numbers, names, texts or paths. */
static bool is_kept_number(uint32_t number)
{
    static const struct {
        uint16_t first, last;
    } kept[] = {
        {1000, 1003}, /* channels, page setup */
        {1005,
         1013}, /* resolution, alpha channels' names, caption, border, colour, print flags, halftones */
        {1015, 1018}, /* transfer functions, duotones */
        {1020, 1028}, /* layers' state, groups, working path, IPTC */
        {1030, 1032}, /* quality, grid */
        {1034, 1035}, /* copyright flag, URL */
        {1037, 1037}, /* angle of light */
        {1040, 1045}, /* watermark, effects, spot colours, number of the document, names */
        {1049, 1054}, /* altitude of light, slices, workflow, URLs */
        {1057, 1057}, /* version */
        {1060, 1062}, /* XMP, digest of the caption, scale of printing */
        {1064, 1067}, /* pixels' shape, layer comps, alternate colours */
        {1069, 1080}, /* selected layers, print, colour samplers, timeline, counts */
        {1082, 1088}, /* print, saving, selected paths */
        {2000, 3000}, /* paths */
        {10000, 10000} /* print flags */};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (number >= kept[i].first && number <= kept[i].last)
            return true;
    return false;
}

typedef struct resource {
    uint32_t number;
    bytes head, data; /* head: with the name and the size */
    size_t whole;     /* bytes with padding */
} resource;

/* Reads the next resource. The padding of the last one may be missing. */
static bool read_resource(bytes in, resource *r)
{
    enum { NAME = 6, SIZE = 4 };
    if (in.size < NAME + 2 + SIZE ||
        (memcmp(in.data, "8BIM", 4) != 0 && memcmp(in.data, "MeSa", 4) != 0 &&
         memcmp(in.data, "PHUT", 4) != 0 && memcmp(in.data, "AgHg", 4) != 0 &&
         memcmp(in.data, "DCSR", 4) != 0))
        return false;
    const size_t name = ((size_t)in.data[NAME] + 2) / 2 * 2, head = NAME + name + SIZE;
    const size_t size = head <= in.size ? big_endian_32(in.data + head - SIZE) : SIZE_MAX;
    if (head > in.size || size > in.size - head)
        return false;
    r->number = big_endian_16(in.data + 4);
    r->head = (bytes){.data = in.data, .size = head};
    r->data = (bytes){.data = in.data + head, .size = size};
    r->whole = size % 2 && size < in.size - head ? head + size + 1 : head + size;
    return true;
}

/* Appends IPTC's resource with what is kept of its records. */
static int keep_iptc(const resource *r, blob *out)
{
    enum { SIZE = 4 };
    blob records = {0};
    int found = iptc_clean(r->data, &records);
    if (!(found & HIDDEN_UNCLEAR)) {
        blob_add(out, r->head.data, r->head.size - SIZE);
        blob_add_number(out, (uint32_t)records.size, SIZE);
        blob_add(out, records.data, records.size);
        blob_add(out, "", records.size % 2);
    }
    blob_free(&records);
    return found & HIDDEN_UNCLEAR ? HIDDEN_BLOCKS : found;
}

static int keep_resource(bytes in, const resource *r, blob *out)
{
    const bool is_8bim = memcmp(in.data, "8BIM", 4) == 0;
    if (is_8bim && (r->number == THUMBNAIL || r->number == THUMBNAIL_4))
        return HIDDEN_THUMBNAIL;
    if (is_8bim && r->number == IPTC)
        return keep_iptc(r, out);
    if (!is_8bim || !is_kept_number(r->number) || hidden_picture(r->data))
        return HIDDEN_BLOCKS;
    const int found = r->number == XMP ? xmp_find(r->data) : 0;
    if (found)
        return found & HIDDEN_STARVED ? HIDDEN_STARVED : HIDDEN_BLOCKS;
    blob_add(out, in.data, r->whole);
    blob_add(out, "", r->whole % 2);
    return 0;
}

int photoshop_clean(bytes in, blob *out)
{
    const size_t before = out->size;
    int found = 0;
    for (resource r; !are_zeros(in); in.data += r.whole, in.size -= r.whole) {
        if (!read_resource(in, &r)) {
            out->size = before;
            return HIDDEN_UNCLEAR;
        }
        found |= keep_resource(in, &r, out);
    }
    return out->failed ? HIDDEN_STARVED : found;
}

int photoshop_find(bytes resources)
{
    blob out = {0};
    const int found = photoshop_clean(resources, &out);
    blob_free(&out);
    return found;
}
