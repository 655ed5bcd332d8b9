#include "base/memory.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST = 1 << 16, /* bytes of the smallest block that is kept */
    SLACK = 2 << 20  /* bytes that a block may be too large by, beside half of what is requested */
};

void *satb_allocate(size_t bytes)
{
    enum { ALIGNMENT = 64 };
    const size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

    /* Distances within an object must fit. */
    return bytes > PTRDIFF_MAX - ALIGNMENT ? NULL : aligned_alloc(ALIGNMENT, rounded);
}

static void *take_out(satb_spares *s, int i)
{
    void *const data = s->blocks[i];

    s->count--;
    memmove(s->blocks + i, s->blocks + i + 1, (size_t)(s->count - i) * sizeof *s->blocks);
    return data;
}

void *satb_take(satb_spares *s, size_t bytes)
{
    size_t most = bytes < LEAST ? 0 : bytes + bytes / 2 + SLACK;
    int best = -1;

    for (int i = 0; i < s->count; i++) {
        const size_t size = malloc_usable_size(s->blocks[i]);
        if (size >= bytes && size <= most) {
            best = i;
            most = size;
        }
    }
    return best < 0 ? satb_allocate(bytes) : take_out(s, best);
}

void satb_give(satb_spares *s, void *data)
{
    if (!data)
        return;
    if (malloc_usable_size(data) < LEAST) {
        free(data);
        return;
    }
    if (s->count == SATB_SPARES)
        free(take_out(s, 0));
    s->blocks[s->count++] = data;
}

void satb_free_spares(satb_spares *s)
{
    while (s->count > 0)
        free(take_out(s, 0));
}
