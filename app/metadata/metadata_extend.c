/* Adds to the XMP of a JPEG what a segment cannot hold (ISO 16684-3, 7.4). */
#include "metadata/metadata.h"

#include "base/md5.h"
#include "format/jpeg_segment.h"
#include "format/jpeg_xmp.h"
#include "format/xmp.h"
#include "format/xmp_add.h"

#include <stdio.h>
#include <string.h>

/* Moves the extended packet out of the segments into a blob, which is empty if there is none. */
static bool take_extended(metadata *m, blob *packet)
{
    const bytes old = blob_view(&m->own);
    blob file = {0}, rest = {0};
    jpeg_segment s;
    jpeg_xmp x;
    metadata_write_jpeg(m, &file);
    jpeg_xmp_read(blob_view(&file), &x);
    for (size_t at = 0; jpeg_next_segment(old, &at, &s);) {
        bytes data = s.data;
        if (s.marker != JPEG_APP1 ||
            !jpeg_skip_head(&data, JPEG_XMP_MORE_HEAD, sizeof JPEG_XMP_MORE_HEAD))
            blob_add(&rest, old.data + s.begin, at - s.begin);
    }
    const bool done = !file.failed && !rest.failed && !x.out_of_memory;
    *packet = x.extended;
    x.extended = (blob){0};
    jpeg_xmp_free(&x);
    blob_free(&file);
    blob_free(&m->own);
    m->own = rest;
    return done;
}

/* Names the extended packet in the other one, which may name another. */
static bool name_extended(blob *xmp, const char *name)
{
    xmp_space note = {.count = 0};
    bytes old;
    char text[160];
    xmp_bind(blob_view(xmp), JPEG_XMP_NOTE, false, &note);
    if (xmp_value(blob_view(xmp), &note, "HasExtendedXMP", &old) && old.size == strlen(name)) {
        memcpy(xmp->data + (old.data - xmp->data), name, old.size);
        return true;
    }
    snprintf(text, sizeof text,
             "<rdf:Description rdf:about=\"\" xmlns:xmpNote=\"" JPEG_XMP_NOTE "\" "
             "xmpNote:HasExtendedXMP=\"%s\"/>\n",
             name);
    return xmp_add(xmp, (bytes){.data = (const uint8_t *)text, .size = strlen(text)});
}

bool metadata_extend_xmp(metadata *m, bytes description, bytes larger, problem *p)
{
    blob extended = {0};
    problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for its XMP");
    if (!take_extended(m, &extended)) {
        blob_free(&extended);
        return false;
    }
    bool done = xmp_add(&extended, larger);
    if (done && extended.size <= UINT32_MAX) {
        const md5_name name = md5_of(blob_view(&extended));
        const bytes guid = {.data = (const uint8_t *)name.text, .size = strlen(name.text)};
        done = name_extended(&m->xmp, name.text) && xmp_add(&m->xmp, description);
        jpeg_xmp_write_extended(guid, blob_view(&extended), &m->own);
    }
    const bool fits = extended.size <= UINT32_MAX && m->xmp.size <= JPEG_XMP_MOST;
    const bool starved = extended.failed || m->xmp.failed || m->own.failed;
    blob_free(&extended);
    if (!starved && !(done && fits))
        problem_set(p, "its XMP has no place for more");
    return !starved && done && fits;
}
