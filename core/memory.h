/* Memory for whole pictures. */
#ifndef SATB_MEMORY_H
#define SATB_MEMORY_H

#include <stddef.h>

/* To be freed with free(). Large buffers ask for huge pages: touching fresh memory in pages of 4 KB
 * costs as much as filling it. NULL: out of memory. */
void *satb_allocate(size_t bytes);

#endif
