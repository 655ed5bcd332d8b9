#include "format/heif/heif_beside.h"

#include "format/heif/heif_items.h"

#include <stdlib.h>

typedef struct kind_name {
    uint32_t kind;
    const char *name; /* NULL: it is known, and nothing is lost with it */
} kind_name;

static const kind_name groups[] = {{HEIF_KIND('b', 'r', 's', 't'), "burst"},
                                   {HEIF_KIND('s', 't', 'e', 'r'), "stereo pair"},
                                   {HEIF_KIND('p', 'a', 'n', 'o'), "panorama's pictures"},
                                   {HEIF_KIND('a', 'e', 'b', 'r'), "exposure bracket"},
                                   {HEIF_KIND('w', 'b', 'b', 'r'), "white balance bracket"},
                                   {HEIF_KIND('f', 'o', 'b', 'r'), "focus bracket"},
                                   {HEIF_KIND('a', 'f', 'b', 'r'), "flash bracket"},
                                   {HEIF_KIND('d', 'o', 'b', 'r'), "depth of field bracket"},
                                   {HEIF_KIND('s', 'l', 'i', 'd'), "slideshow"},
                                   {0, NULL}};

static const kind_name boxes[] = {{HEIF_KIND('m', 'o', 'o', 'v'), "animation"},
                                  {HEIF_KIND('m', 'p', 'v', 'd'), BESIDE_VIDEO},
                                  {0, NULL}};

/* Adds the names of the boxes that fill `in`. Returns what follows the last whole one. */
static bytes add_boxes(bytes in, const kind_name *table, beside_names *names)
{
    heif_box b;
    while (heif_next_box(&in, &b))
        for (const kind_name *t = table; t->kind; t++)
            if (t->kind == b.kind)
                beside_add(names, t->name);
    return in;
}

static bool is_picture(uint32_t kind)
{
    static const uint32_t kinds[] = {HEIF_KIND('h', 'v', 'c', '1'), HEIF_KIND('a', 'v', '0', '1'),
                                     HEIF_KIND('a', 'v', 'c', '1'), HEIF_KIND('v', 'v', 'c', '1'),
                                     HEIF_KIND('j', 'p', 'e', 'g'), HEIF_KIND('j', '2', 'k', '1'),
                                     HEIF_KIND('u', 'n', 'c', 'i'), HEIF_KIND('g', 'r', 'i', 'd'),
                                     HEIF_KIND('i', 'o', 'v', 'l'), HEIF_KIND('i', 'd', 'e', 'n')};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i] == kind)
            return true;
    return false;
}

static void add_item(const heif_items *items, int at, beside_names *names)
{
    const heif_entry *const e = &items->entry[at];
    if (e->kind == HEIF_KIND('t', 'm', 'a', 'p'))
        beside_add(names, BESIDE_GAIN_MAP);
    else if (e->is_auxiliary && !e->is_alpha && !e->is_part) {
        const char *const name = beside_of_type(e->auxiliary);
        beside_add(names, name ? name : "auxiliary pictures");
    } else if (is_picture(e->kind) && at != items->primary && !e->is_auxiliary &&
               !e->is_thumbnail && !e->is_part && !e->is_hidden)
        names->pictures++;
}

void heif_beside(bytes file, beside_names *names)
{
    problem ignored;
    heif_items *const items = heif_items_read(file, &ignored);
    *names = (beside_names){.count = 0};
    if (!items)
        return;
    add_boxes(items->groups, groups, names);
    for (int i = 0; i < items->count; i++)
        add_item(items, i, names);
    bytes rest = add_boxes(file, boxes, names);
    while (rest.size > 0 && rest.data[rest.size - 1] == 0)
        rest.size--;
    beside_add(names, rest.size == 0           ? NULL
                      : beside_has_video(rest) ? BESIDE_VIDEO
                                               : BESIDE_BEHIND_END);
    free(items);
}
