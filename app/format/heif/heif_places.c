#include "format/heif/heif_places.h"

/* Sizes of the numbers of iloc. */
typedef struct location_sizes {
    int version, offset, length, base, index, id;
} location_sizes;

static bool is_number_size(int size)
{
    return size == 0 || size == 4 || size == 8;
}

/* An index of extents in version 1 is read by some and not by others. */
static bool take_sizes(heif_cursor *c, location_sizes *s, problem *p)
{
    const int version = heif_take_version(c);
    const unsigned sizes = (unsigned)heif_take(c, 2);
    *s = (location_sizes){.version = version,
                          .offset = (int)(sizes >> 12),
                          .length = (int)(sizes >> 8 & 15),
                          .base = (int)(sizes >> 4 & 15),
                          .index = version == 0 ? 0 : (int)(sizes & 15),
                          .id = version < 2 ? 2 : 4};
    return (version <= 2 && is_number_size(s->offset) && is_number_size(s->length) &&
            is_number_size(s->base) && is_number_size(s->index) &&
            (version != 1 || s->index == 0)) ||
           heif_items_damaged(p, "places have odd sizes");
}

/* Adds a piece of data. Its container is the file, or idat. */
static bool take_extent(heif_items *items, heif_cursor *c, const location_sizes *s, bytes container,
                        uint64_t base, problem *p)
{
    heif_take(c, s->index);
    const uint64_t offset = heif_take(c, s->offset), length = heif_take(c, s->length);
    const uint64_t start = base + offset;
    if (c->is_short || start < base || start > container.size || length > container.size - start)
        return heif_items_damaged(p, "data lies beyond its end");
    if (items->extents == HEIF_EXTENTS)
        return heif_items_too_many(p, "pieces of data", HEIF_EXTENTS);
    items->extent[items->extents++] =
        (bytes){.data = container.data + start, .size = (size_t)length};
    return true;
}

/* An item that is in no list of items may have a place all the same. */
static bool take_location(heif_items *items, heif_cursor *c, const location_sizes *s, problem *p)
{
    enum { IN_FILE, IN_IDAT };
    const int at = heif_items_find(items, (uint32_t)heif_take(c, s->id));
    const unsigned method = s->version == 0 ? IN_FILE : (unsigned)heif_take(c, 2) & 15;
    heif_take(c, 2); /* another file, which nobody reads */
    const uint64_t base = heif_take(c, s->base);
    const int count = (int)heif_take(c, 2), first = items->extents;
    const bytes container = method == IN_IDAT ? items->idat : items->file;
    if (method > IN_IDAT || (method == IN_IDAT && !container.data && count > 0))
        return heif_items_damaged(p, "data is in no known place");
    for (int i = 0; i < count; i++)
        if (!take_extent(items, c, s, container, base, p))
            return false;
    if (at == HEIF_NO_ITEM)
        return true;
    heif_entry *const e = &items->entry[at];
    if (e->is_located)
        return heif_items_damaged(p, "an item has two places");
    e->is_located = true;
    e->first_extent = first;
    e->extents = count;
    return true;
}

/* Returns whether all data together is in proportion to the file, as libheif reads each item's, whether it is of use or
 * not. Some tiles may share their data. */
static bool is_in_proportion(const heif_items *items, problem *p)
{
    enum { TIMES = 4, MORE = 1 << 26 };
    uint64_t all = 0;
    for (int i = 0; i < items->extents; i++)
        all += items->extent[i].size;
    return all <= (uint64_t)items->file.size * TIMES + MORE ||
           heif_items_damaged(p, "the same data belongs to many items");
}

bool heif_places_read(heif_items *items, bytes iloc, problem *p)
{
    heif_cursor c = {.rest = iloc};
    location_sizes s;
    if (!take_sizes(&c, &s, p))
        return false;
    const uint64_t count = heif_take(&c, s.version < 2 ? 2 : 4);
    if (count > HEIF_ITEMS)
        return heif_items_too_many(p, "places of items", HEIF_ITEMS);
    for (uint64_t i = 0; i < count; i++)
        if (!take_location(items, &c, &s, p))
            return false;
    return (!c.is_short || heif_items_damaged(p, "it is cut off")) && is_in_proportion(items, p);
}
