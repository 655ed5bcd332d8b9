#include "format/jpeg_xmp.h"

#include "format/jpeg_segment.h"
#include "format/xmp.h"

#include <stdlib.h>
#include <string.h>

enum {
    GUID = 32,
    PART_HEAD = GUID + 4 + 4
}; /* the packet's name, its size, where the part stands in it */

typedef struct part {
    size_t at;
    bytes data;
} part;

/* Finds the next part of the extended packet with that name. Parts of other packets, and parts that claim another size of the
 * packet than *size (0: not known yet), are skipped. */
static bool next_part(bytes file, size_t *at, bytes guid, size_t *size, part *found)
{
    jpeg_segment s;
    while (jpeg_next_segment(file, at, &s) && s.marker != JPEG_SOS) {
        bytes rest = s.data;
        if (s.marker != JPEG_APP1 ||
            !jpeg_skip_head(&rest, JPEG_XMP_MORE_HEAD, sizeof JPEG_XMP_MORE_HEAD) ||
            rest.size <= PART_HEAD || memcmp(rest.data, guid.data, GUID) != 0)
            continue;
        const size_t whole = big_endian_32(rest.data + GUID);
        if (*size && whole != *size)
            continue;
        *size = whole;
        *found = (part){.at = big_endian_32(rest.data + GUID + 4),
                        .data = {.data = rest.data + PART_HEAD, .size = rest.size - PART_HEAD}};
        return true;
    }
    return false;
}

static int by_place(const void *a, const void *b)
{
    const part *const x = a, *const y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Joins the parts if each begins where another one ends. */
static bool join(part *parts, size_t count, size_t size, blob *out)
{
    qsort(parts, count, sizeof *parts, by_place);
    for (size_t i = 0; i < count; i++)
        if (parts[i].at != out->size || !blob_add(out, parts[i].data.data, parts[i].data.size))
            return false;
    return out->size == size;
}

static void read_extended(bytes file, bytes guid, jpeg_xmp *x)
{
    size_t count = 0, size = 0;
    part found;
    for (size_t at = JPEG_FIRST; next_part(file, &at, guid, &size, &found);)
        count++;
    part *const parts = count ? malloc(count * sizeof *parts) : NULL;
    x->out_of_memory = count && !parts;
    x->is_damaged = true;
    if (!parts)
        return;
    size_t at = JPEG_FIRST;
    for (size_t i = 0; i < count && next_part(file, &at, guid, &size, &parts[i]);)
        i++;
    x->is_damaged = !join(parts, count, size, &x->extended);
    x->out_of_memory = x->extended.failed;
    if (x->is_damaged)
        blob_free(&x->extended);
    free(parts);
}

bool jpeg_xmp_name(bytes packet, bytes *name)
{
    xmp_space note = {.count = 0};
    xmp_bind(packet, JPEG_XMP_NOTE, false, &note);
    return xmp_value(packet, &note, "HasExtendedXMP", name) && name->size == GUID;
}

void jpeg_xmp_read(bytes file, jpeg_xmp *x)
{
    jpeg_segment s;
    size_t at = JPEG_FIRST;
    *x = (jpeg_xmp){.is_damaged = false};
    while (!x->packet.data && jpeg_next_segment(file, &at, &s) && s.marker != JPEG_SOS) {
        bytes rest = s.data;
        if (s.marker == JPEG_APP1 && jpeg_skip_head(&rest, JPEG_XMP_HEAD, sizeof JPEG_XMP_HEAD))
            x->packet = rest;
    }
    if (jpeg_xmp_name(x->packet, &x->guid))
        read_extended(file, x->guid, x);
}

void jpeg_xmp_free(jpeg_xmp *x)
{
    blob_free(&x->extended);
    *x = (jpeg_xmp){.is_damaged = false};
}

void jpeg_xmp_write_extended(bytes guid, bytes packet, blob *segments)
{
    enum { PART = 65000, HEAD = 2 + sizeof JPEG_XMP_MORE_HEAD + PART_HEAD };
    for (size_t at = 0, size; at < packet.size; at += size) {
        size = packet.size - at < PART ? packet.size - at : PART;
        blob_add_number(segments, 0xff00u | JPEG_APP1, 2);
        blob_add_number(segments, (uint32_t)(HEAD + size), 2);
        blob_add(segments, JPEG_XMP_MORE_HEAD, sizeof JPEG_XMP_MORE_HEAD);
        blob_add(segments, guid.data, GUID);
        blob_add_number(segments, (uint32_t)packet.size, 4);
        blob_add_number(segments, (uint32_t)at, 4);
        blob_add(segments, packet.data + at, size);
    }
}
