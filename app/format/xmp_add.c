#include "format/xmp_add.h"

#include "format/xmp.h"

/* Finds the last end of rdf:RDF, and the tag that has its name. False: there is none. */
static bool find_end(bytes packet, xmp_token *end, xmp_token *named)
{
    xmp_reader r = {.xmp = packet};
    xmp_space rdf = {.count = 0};
    xmp_token t, open = {.kind = XMP_END};
    xmp_bind(packet, XMP_RDF, false, &rdf);
    *end = open;
    while (xmp_next(&r, &t) != XMP_END) {
        open = t.kind != XMP_ATTRIBUTE && t.local.size > 0 ? t : open;
        if (t.kind == XMP_CLOSE && xmp_is(&open, &rdf, "RDF"))
            *end = t, *named = open;
    }
    return end->kind == XMP_CLOSE;
}

bool xmp_add(blob *packet, bytes description)
{
    xmp_token end, named = {.kind = XMP_END};
    blob whole = {0};
    if (!packet->data)
        blob_add_text(
            packet, "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n<rdf:RDF xmlns:rdf=\"" XMP_RDF "\">\n"
                    "</rdf:RDF>\n</x:xmpmeta>\n");
    if (packet->failed || !find_end(blob_view(packet), &end, &named))
        return false;
    const bool is_empty = end.local.size == 0; /* <rdf:RDF/> */
    const size_t behind = is_empty ? end.end : end.begin;
    blob_add(&whole, packet->data, end.begin);
    blob_add_text(&whole, is_empty ? ">" : "");
    blob_add_text(&whole, "<rdf:Description rdf:about=\"\"");
    blob_add_text(&whole, xmp_equals(named.prefix, "rdf") ? "" : " xmlns:rdf=\"" XMP_RDF "\"");
    blob_add(&whole, description.data, description.size);
    if (is_empty) {
        blob_add_text(&whole, "</");
        blob_add(&whole, packet->data + named.begin + 1, named.end - named.begin - 1);
        blob_add_text(&whole, ">");
    }
    blob_add(&whole, packet->data + behind, packet->size - behind);
    blob_free(packet);
    *packet = whole;
    return !whole.failed;
}
