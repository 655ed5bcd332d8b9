#include "memory.h"

#include <stdlib.h>
#include <sys/mman.h>

void *satb_allocate(size_t bytes)
{
    const size_t huge = (size_t)2 << 20, alignment = bytes >= huge ? huge : 64;
    const size_t rounded = (bytes + alignment - 1) / alignment * alignment;

    if (rounded < bytes)
        return NULL;
    void *const data = aligned_alloc(alignment, rounded);
    if (data && bytes >= huge)
        madvise(data, rounded, MADV_HUGEPAGE); /* a wish: failure changes nothing */
    return data;
}
