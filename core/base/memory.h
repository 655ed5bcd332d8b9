/* Memory for whole pictures. */
#ifndef SATB_MEMORY_H
#define SATB_MEMORY_H

#include <stddef.h>

/* 64-byte aligned; to be freed with free(). Huge pages are not asked for: where the host of a virtual machine has
 * taken free memory back, clearing one takes 20 ms. NULL: out of memory. */
void *satb_allocate(size_t bytes);

/* Freed blocks that wait for the next picture, of a context: fresh pages are cleared by the system. */
enum { SATB_SPARES = 24 };

typedef struct satb_spares {
    void *blocks[SATB_SPARES]; /* the oldest first */
    int count;
} satb_spares;

/* The smallest spare block that is large enough, if it is not by far too large, or a new one. As above. */
void *satb_take(satb_spares *spares, size_t bytes);

/* In place of the oldest, which no picture has wanted since. data may be NULL. */
void satb_give(satb_spares *spares, void *data);

void satb_free_spares(satb_spares *spares);

#endif
