#include "image/block_cache.h"

#include <string.h>

static bool fits_block(const block *b, int gpu, size_t size)
{
    enum { SLACK = 2 << 20 };
    return !b->is_used && b->gpu == gpu && b->size >= size && b->size - size <= size / 2 + SLACK;
}

void *block_take(block_cache *c, int gpu, size_t size)
{
    for (int i = c->count - 1; i >= 0; i--)
        if (fits_block(&c->blocks[i], gpu, size)) {
            c->blocks[i].is_used = true;
            return c->blocks[i].data;
        }
    return NULL;
}

bool block_add(block_cache *c, block b)
{
    if (c->count == BLOCKS_MOST)
        return false;
    c->blocks[c->count++] = b;
    return true;
}

int block_find(const block_cache *c, const void *data)
{
    int i = c->count - 1;
    while (i >= 0 && c->blocks[i].data != data)
        i--;
    return i;
}

int block_retire(block_cache *c, int at)
{
    block b = block_remove(c, at);
    b.is_used = false;
    block_add(c, b);
    return c->count - 1;
}

int block_oldest(const block_cache *c, int gpu)
{
    for (int i = 0; i < c->count; i++)
        if (!c->blocks[i].is_used && c->blocks[i].gpu == gpu)
            return i;
    return -1;
}

block block_remove(block_cache *c, int at)
{
    const block b = c->blocks[at];
    c->count--;
    memmove(c->blocks + at, c->blocks + at + 1, (size_t)(c->count - at) * sizeof *c->blocks);
    return b;
}
