#include "depth/depth_rims.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for more. Returns 0 if memory ran out. */
static int reserve(satb_rims *rims, size_t more)
{
    const size_t wanted = rims->count + more;
    size_t capacity = rims->capacity ? rims->capacity : 256;

    if (wanted <= rims->capacity)
        return 1;
    while (capacity < wanted)
        capacity *= 2;
    satb_rim *const at = realloc(rims->at, capacity * sizeof *at);
    if (!at)
        return 0;
    rims->at = at;
    rims->capacity = capacity;
    return 1;
}

int satb_add_rims(satb_rims *to, const satb_rims *more)
{
    if (more->count == 0)
        return 1;
    if (!reserve(to, more->count))
        return 0;
    memcpy(to->at + to->count, more->at, more->count * sizeof *more->at);
    to->count += more->count;
    return 1;
}

int satb_add_rim(satb_rims *to, const satb_rim *rim)
{
    if (!reserve(to, 1))
        return 0;
    to->at[to->count++] = *rim;
    return 1;
}

void satb_free_rims(satb_rims *rims)
{
    free(rims->at);
    *rims = (satb_rims){NULL, 0, 0};
}
