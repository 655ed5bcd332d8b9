#include "format/xmp_add.h"

#include <string.h>

#define END "</rdf:RDF>"

static const char begin[] = "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
                            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n";
static const char end[] = END "\n</x:xmpmeta>\n";

/* Returns where the list of descriptions ends; SIZE_MAX: nowhere. */
static size_t find_end(bytes in)
{
    const size_t length = sizeof END - 1;
    for (size_t at = in.size < length ? 0 : in.size - length + 1; at-- > 0;)
        if (memcmp(in.data + at, END, length) == 0)
            return at;
    return SIZE_MAX;
}

bool xmp_add(blob *packet, bytes description)
{
    blob whole = {0};
    const size_t at = packet->data ? find_end(blob_view(packet)) : 0;
    if (packet->failed || at == SIZE_MAX)
        return false;
    if (packet->data)
        blob_add(&whole, packet->data, at);
    else
        blob_add(&whole, begin, sizeof begin - 1);
    blob_add(&whole, description.data, description.size);
    if (packet->data)
        blob_add(&whole, packet->data + at, packet->size - at);
    else
        blob_add(&whole, end, sizeof end - 1);
    blob_free(packet);
    *packet = whole;
    return !whole.failed;
}
