/* Large blocks of memory that pictures use one after another, of the host or of GPUs. This is the list of them alone: its
 * owner allocates, frees, and holds a lock. */
#ifndef SATBLUR_APP_BLOCK_CACHE_H
#define SATBLUR_APP_BLOCK_CACHE_H

#include <stdbool.h>
#include <stddef.h>

enum { BLOCKS_MOST = 2048, BLOCK_HOST = -1 };

typedef struct block {
    void *data;
    size_t size; /* bytes */
    int gpu;     /* BLOCK_HOST: memory of the host */
    bool is_used;
    bool is_pinned; /* for its owner */
} block;

typedef struct block_cache {   /* all zero: empty */
    block blocks[BLOCKS_MOST]; /* the one that was freed last comes last */
    int count;
} block_cache;

/* Returns an idle block of that memory, which is then used: large enough, and not larger than that by more than half and
 * 2 MB. The one that was freed last is preferred, as a cache of the processor may still hold it. NULL: there is none. */
void *block_take(block_cache *c, int gpu, size_t size);

/* Lists a new block. False: the list is full. */
bool block_add(block_cache *c, block b);

/* Returns the place of a block, or -1 if it is not listed. */
int block_find(const block_cache *c, const void *data);

/* Marks the block at a place idle, and returns its new place. */
int block_retire(block_cache *c, int at);

/* Returns the place of the block of that memory that has been idle for longest, or -1 if none is
 * idle. */
int block_oldest(const block_cache *c, int gpu);

/* Takes the block at a place off the list. */
block block_remove(block_cache *c, int at);

#endif
