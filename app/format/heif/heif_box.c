#include "format/heif/heif_box.h"

#include <string.h>

uint64_t heif_number(bytes from, size_t at, int size)
{
    uint64_t value = 0;
    if (at > from.size || (size_t)size > from.size - at)
        return 0;
    for (int i = 0; i < size; i++)
        value = value << 8 | from.data[at + (size_t)i];
    return value;
}

bytes heif_behind(bytes from, size_t count)
{
    const size_t used = count < from.size ? count : from.size;
    if (used > 0) /* none may be of NULL */
        from = (bytes){.data = from.data + used, .size = from.size - used};
    return from;
}

/* Size 1 means that eight bytes with the size follow, and size 0 that the box ends where *from ends. */
bool heif_next_box(bytes *from, heif_box *b)
{
    enum { HEAD = 8, LONG_HEAD = 16 };
    if (from->size < HEAD)
        return false;
    const uint64_t word = heif_number(*from, 0, 4);
    const size_t head = word == 1 ? LONG_HEAD : HEAD;
    const uint64_t size = word == 1 ? heif_number(*from, HEAD, 8) : word == 0 ? from->size : word;
    if (size < head || size > from->size)
        return false;
    b->kind = (uint32_t)heif_number(*from, 4, 4);
    b->data = (bytes){.data = from->data + head, .size = (size_t)size - head};
    *from = heif_behind(*from, (size_t)size);
    return true;
}

uint64_t heif_take(heif_cursor *c, int size)
{
    const uint64_t value = heif_number(c->rest, 0, size);
    c->is_short = c->is_short || c->rest.size < (size_t)size;
    c->rest = heif_behind(c->rest, (size_t)size);
    return value;
}

int heif_take_version(heif_cursor *c)
{
    return (int)(heif_take(c, 4) >> 24);
}

/* --- The kind --------------------------------------------------------------------------------- */

static heif_kind kind_of_brand(const uint8_t *brand)
{
    static const char avif[][5] = {"avif", "avis"};
    static const char heic[][5] = {"heic", "heix", "heim", "heis", "hevc",
                                   "hevx", "hevm", "hevs", "mif1"};
    for (size_t i = 0; i < sizeof avif / sizeof *avif; i++)
        if (memcmp(brand, avif[i], 4) == 0)
            return HEIF_AVIF;
    for (size_t i = 0; i < sizeof heic / sizeof *heic; i++)
        if (memcmp(brand, heic[i], 4) == 0)
            return HEIF_HEIC;
    return HEIF_NONE;
}

/* The major brand decides, and mif1, which says nothing about the codec, only where no other brand does. */
heif_kind heif_kind_of(bytes file)
{
    heif_box b;
    heif_kind kind = HEIF_NONE;
    if (!heif_next_box(&file, &b) || b.kind != HEIF_KIND('f', 't', 'y', 'p'))
        return HEIF_NONE;
    for (size_t at = 0; at + 4 <= b.data.size; at += at == 0 ? 8 : 4) {
        const heif_kind more = kind_of_brand(b.data.data + at);
        const bool is_general = memcmp(b.data.data + at, "mif1", 4) == 0;
        if (more != HEIF_NONE && !is_general)
            return more;
        kind = kind == HEIF_NONE ? more : kind;
    }
    return kind;
}
