/* Memory for whole pictures. */
#ifndef SATB_MEMORY_H
#define SATB_MEMORY_H

#include <stddef.h>

/* Returns memory for free(), 64-byte aligned, or NULL. It requests no huge pages: on a virtual machine whose host has
 * reclaimed free memory, the first touch of one is slow. */
void *satb_allocate(size_t bytes);

/* Freed blocks of a context that wait for the next picture. The system would have to clear fresh pages. */
enum { SATB_SPARES = 24 };

typedef struct satb_spares {
    void *blocks[SATB_SPARES]; /* the oldest first */
    int count;
} satb_spares;

/* Returns the smallest spare block that is large enough and not far too large, or new memory, or NULL. */
void *satb_take(satb_spares *spares, size_t bytes);

/* Keeps the block as a spare one, and frees the oldest if there are too many. data may be NULL. */
void satb_give(satb_spares *spares, void *data);

/* Frees all spare blocks. */
void satb_free_spares(satb_spares *spares);

#endif
