#include "format/heif/heif_items.h"

#include "format/heif/heif_places.h"
#include "format/heif/heif_property.h"

#include <stdlib.h>

/* --- Boxes ------------------------------------------------------------------------------------ */

/* Finds the one box of a kind among those that fill `in`. found->data NULL: there is none. */
static bool find_one(bytes in, uint32_t kind, bytes *found, problem *p)
{
    heif_box b;
    *found = (bytes){.data = NULL};
    while (in.size > 0) {
        if (!heif_next_box(&in, &b))
            return heif_items_damaged(p, "a box has the wrong size");
        if (b.kind == kind && found->data)
            return heif_items_damaged(p, "a box is there twice");
        if (b.kind == kind)
            *found = b.data;
    }
    return true;
}

/* Finds the one meta box. What follows the last whole box is no box, as phones add data of their own. */
static bool find_meta(bytes file, bytes *meta, problem *p)
{
    heif_box b;
    *meta = (bytes){.data = NULL};
    while (heif_next_box(&file, &b)) {
        if (b.kind == HEIF_KIND('m', 'i', 'n', 'i') ||
            (b.kind == HEIF_KIND('m', 'e', 't', 'a') && meta->data))
            return heif_items_damaged(p, "there are two");
        if (b.kind == HEIF_KIND('m', 'e', 't', 'a'))
            *meta = b.data;
    }
    return meta->data || heif_items_damaged(p, "there is no whole one");
}

/* --- Items ------------------------------------------------------------------------------------ */

static bool add_item(heif_items *items, bytes infe, problem *p)
{
    heif_cursor c = {.rest = infe};
    const bool is_hidden = heif_number(infe, 3, 1) & 1;
    const int version = heif_take_version(&c);
    const uint32_t id = (uint32_t)heif_take(&c, version == 3 ? 4 : 2);
    heif_take(&c, 2); /* protection */
    const uint32_t kind = version < 2 ? 0 : (uint32_t)heif_take(&c, 4);
    if (c.is_short || version > 3)
        return heif_items_damaged(p, "an item has no kind");
    if (heif_items_find(items, id) != HEIF_NO_ITEM)
        return heif_items_damaged(p, "two items have the same number");
    if (items->count == HEIF_ITEMS)
        return heif_items_too_many(p, "items", HEIF_ITEMS);
    items->entry[items->count++] = (heif_entry){.id = id,
                                                .kind = kind,
                                                .is_hidden = is_hidden,
                                                .alpha = HEIF_NO_ITEM,
                                                .properties = {.orientation = 1}};
    return true;
}

static bool read_iinf(heif_items *items, bytes iinf, problem *p)
{
    heif_cursor c = {.rest = iinf};
    heif_box b;
    heif_take(&c, heif_take_version(&c) == 0 ? 2 : 4); /* the boxes themselves are counted */
    while (c.rest.size > 0) {
        if (!heif_next_box(&c.rest, &b))
            return heif_items_damaged(p, "a box has the wrong size");
        if (b.kind == HEIF_KIND('i', 'n', 'f', 'e') && !add_item(items, b.data, p))
            return false;
    }
    return true;
}

static bool read_pitm(heif_items *items, bytes pitm, problem *p)
{
    heif_cursor c = {.rest = pitm};
    const uint32_t id = (uint32_t)heif_take(&c, heif_take_version(&c) == 0 ? 2 : 4);
    items->primary = heif_items_find(items, id);
    return (!c.is_short && items->primary != HEIF_NO_ITEM) ||
           heif_items_damaged(p, "its picture is missing");
}

/* --- Properties ------------------------------------------------------------------------------- */

static bool read_ipco(heif_items *items, bytes ipco, problem *p)
{
    heif_box b;
    while (ipco.size > 0) {
        if (!heif_next_box(&ipco, &b))
            return heif_items_damaged(p, "a box has the wrong size");
        if (items->properties == HEIF_PROPERTIES)
            return heif_items_too_many(p, "properties", HEIF_PROPERTIES);
        items->property[items->properties++] = b;
    }
    return true;
}

/* Gives an item the properties that a list names by index, counted from 1, with a flag in the high bit. */
static bool take_list(heif_items *items, heif_cursor *c, int id_size, int index_size, problem *p)
{
    const int at = heif_items_find(items, (uint32_t)heif_take(c, id_size));
    const uint32_t mask = index_size == 2 ? 0x7fff : 0x7f;
    heif_entry spare = {.has_properties = false};
    heif_entry *const e = at == HEIF_NO_ITEM ? &spare : &items->entry[at];
    if (e->has_properties)
        return heif_items_damaged(p, "an item has two lists of properties");
    e->has_properties = true;
    for (int left = (int)heif_take(c, 1); left > 0 && !c->is_short; left--) {
        const int index = (int)((uint32_t)heif_take(c, index_size) & mask);
        if (index > items->properties)
            return heif_items_damaged(p, "a property is missing");
        if (index > 0 && !heif_property_take(e, &items->property[index - 1]))
            return heif_items_damaged(p, "an item has a property twice");
    }
    return !c->is_short || heif_items_damaged(p, "it is cut off");
}

static bool read_ipma(heif_items *items, bytes ipma, problem *p)
{
    heif_cursor c = {.rest = ipma};
    const uint32_t word = (uint32_t)heif_take(&c, 4);
    const int id_size = word >> 24 == 0 ? 2 : 4, index_size = word & 1 ? 2 : 1;
    const uint64_t count = heif_take(&c, 4);
    if (count > HEIF_ITEMS)
        return heif_items_too_many(p, "lists of properties", HEIF_ITEMS);
    for (uint64_t i = 0; i < count; i++)
        if (!take_list(items, &c, id_size, index_size, p))
            return false;
    return true;
}

static bool read_iprp(heif_items *items, bytes iprp, problem *p)
{
    bytes ipco;
    heif_box b;
    if (!find_one(iprp, HEIF_KIND('i', 'p', 'c', 'o'), &ipco, p) || !read_ipco(items, ipco, p))
        return false;
    while (heif_next_box(&iprp, &b))
        if (b.kind == HEIF_KIND('i', 'p', 'm', 'a') && !read_ipma(items, b.data, p))
            return false;
    return true;
}

/* --- References ------------------------------------------------------------------------------- */

/* Notes of what an item is derived. */
static bool add_parts(heif_items *items, int from, heif_cursor *c, int count, int id_size,
                      problem *p)
{
    heif_entry *const e = &items->entry[from];
    if (e->parts > 0)
        return heif_items_damaged(p, "a picture is derived twice");
    e->first_part = items->parts;
    for (int i = 0; i < count; i++) {
        const int to = heif_items_find(items, (uint32_t)heif_take(c, id_size));
        if (to == HEIF_NO_ITEM)
            return heif_items_damaged(p, "a part is missing");
        items->entry[to].is_part = true;
        items->part[items->parts++] = to;
    }
    e->parts = count;
    return true;
}

static bool add_alpha(heif_items *items, int from, heif_cursor *c, int count, int id_size,
                      problem *p)
{
    const int to = heif_items_find(items, (uint32_t)heif_take(c, id_size));
    if (count != 1 || to == HEIF_NO_ITEM)
        return heif_items_damaged(p, "an alpha belongs to no picture");
    if (items->entry[to].alpha != HEIF_NO_ITEM)
        return heif_items_damaged(p, "a picture has two alphas");
    items->entry[to].alpha = from;
    return true;
}

static bool add_reference(heif_items *items, const heif_box *b, int id_size, problem *p)
{
    heif_cursor c = {.rest = b->data};
    const int from = heif_items_find(items, (uint32_t)heif_take(&c, id_size));
    const int count = (int)heif_take(&c, 2);
    if (c.is_short || c.rest.size != (size_t)count * (size_t)id_size)
        return heif_items_damaged(p, "a box has the wrong size");
    items->references += count + 1;
    if (items->references > HEIF_REFERENCES)
        return heif_items_too_many(p, "references from item to item", HEIF_REFERENCES);
    if (from == HEIF_NO_ITEM)
        return true;
    items->entry[from].is_auxiliary |= b->kind == HEIF_KIND('a', 'u', 'x', 'l');
    items->entry[from].is_thumbnail |= b->kind == HEIF_KIND('t', 'h', 'm', 'b');
    if (b->kind == HEIF_KIND('d', 'i', 'm', 'g'))
        return add_parts(items, from, &c, count, id_size, p);
    if (b->kind == HEIF_KIND('a', 'u', 'x', 'l') && items->entry[from].is_alpha)
        return add_alpha(items, from, &c, count, id_size, p);
    return true;
}

static bool read_iref(heif_items *items, bytes iref, problem *p)
{
    heif_cursor c = {.rest = iref};
    heif_box b;
    if (!iref.data)
        return true;
    const int id_size = heif_take_version(&c) == 0 ? 2 : 4;
    while (c.rest.size > 0) {
        if (!heif_next_box(&c.rest, &b))
            return heif_items_damaged(p, "a box has the wrong size");
        if (!add_reference(items, &b, id_size, p))
            return false;
    }
    return true;
}

/* --- All of it -------------------------------------------------------------------------------- */

static bool read_all(heif_items *items, problem *p)
{
    enum { FULL_HEAD = 4 }; /* version and flags */
    bytes meta, iinf, pitm, iloc, iprp, iref;
    if (!find_meta(items->file, &meta, p))
        return false;
    meta = heif_behind(meta, FULL_HEAD);
    return find_one(meta, HEIF_KIND('i', 'i', 'n', 'f'), &iinf, p) &&
           find_one(meta, HEIF_KIND('p', 'i', 't', 'm'), &pitm, p) &&
           find_one(meta, HEIF_KIND('i', 'l', 'o', 'c'), &iloc, p) &&
           find_one(meta, HEIF_KIND('i', 'p', 'r', 'p'), &iprp, p) &&
           find_one(meta, HEIF_KIND('i', 'r', 'e', 'f'), &iref, p) &&
           find_one(meta, HEIF_KIND('i', 'd', 'a', 't'), &items->idat, p) &&
           find_one(meta, HEIF_KIND('g', 'r', 'p', 'l'), &items->groups, p) &&
           read_iinf(items, iinf, p) && read_pitm(items, pitm, p) &&
           heif_places_read(items, iloc, p) && read_iprp(items, iprp, p) &&
           read_iref(items, iref, p);
}

heif_items *heif_items_read(bytes file, problem *p)
{
    heif_items *const items = calloc(1, sizeof *items);
    if (!items) {
        problem_set(p, "not enough memory to read it");
        return NULL;
    }
    items->file = file;
    if (read_all(items, p))
        return items;
    free(items);
    return NULL;
}

heif_properties heif_properties_of(bytes file, uint32_t id)
{
    heif_properties found = {.orientation = 1};
    problem p;
    heif_items *const items = heif_items_read(file, &p);
    const int at = items ? heif_items_find(items, id) : HEIF_NO_ITEM;
    if (at != HEIF_NO_ITEM)
        found = items->entry[at].properties;
    free(items);
    return found;
}
