#include "unit/unit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct piece {
    struct piece *next;
    void *memory;
} piece;

static piece *pieces;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of pieces: tests have threads */

void *unit_keep(void *memory)
{
    piece *const p = malloc(sizeof *p);
    assert_true(p && memory);
    p->memory = memory;
    pthread_mutex_lock(&lock);
    p->next = pieces;
    pieces = p;
    pthread_mutex_unlock(&lock);
    return memory;
}

void *unit_memory(size_t size)
{
    return unit_keep(malloc(size ? size : 1));
}

void *unit_aligned(size_t size)
{
    void *memory = NULL;
    assert_int_equal(posix_memalign(&memory, 64, size), 0);
    return unit_keep(memory);
}

void *unit_zeros(size_t size)
{
    return memset(unit_memory(size), 0, size);
}

void *unit_copy(const void *data, size_t size)
{
    void *const copy = unit_memory(size);
    return size > 0 ? memcpy(copy, data, size) : copy;
}

int unit_free(void **state)
{
    while (pieces) {
        piece *const p = pieces;
        pieces = p->next;
        free(p->memory);
        free(p);
    }
    return 0;
}
