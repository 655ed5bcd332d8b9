#include "format/heif/heif_entry.h"

bool heif_items_damaged(problem *p, const char *what)
{
    return problem_set(
        p, "its list of items is damaged (%s); get a whole copy, or convert it to PNG", what);
}

bool heif_items_too_many(problem *p, const char *what, int most)
{
    return problem_set(p, "it has more than %d %s; convert it to PNG", most, what);
}

int heif_items_find(const heif_items *items, uint32_t id)
{
    for (int i = 0; i < items->count; i++)
        if (items->entry[i].id == id)
            return i;
    return HEIF_NO_ITEM;
}

bool heif_items_data(const heif_items *items, const heif_entry *e, bytes *data, void **gathered,
                     problem *p)
{
    const bytes *const pieces = items->extent + e->first_extent;
    blob all = {.size = 0};
    *gathered = NULL;
    *data = e->extents == 1 ? pieces[0] : (bytes){.size = 0};
    if (e->extents < 2)
        return true;
    for (int i = 0; i < e->extents; i++)
        blob_add(&all, pieces[i].data, pieces[i].size);
    *data = blob_view(&all);
    *gathered = all.data;
    return !all.failed || problem_set(p, "not enough memory to read it");
}
