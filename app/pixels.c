#include "codec.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Large buffers begin at a huge page and ask for such: a fresh 4K picture is 6000 page faults
 * otherwise, which take as long as filling it. */
void *pixels_allocate(size_t size)
{
    const size_t huge = (size_t)2 << 20, alignment = size >= huge ? huge : 64;
    const size_t rounded = (size + alignment - 1) / alignment * alignment;
    if (rounded < size)
        return NULL;
    void *data = aligned_alloc(alignment, rounded ? rounded : alignment);
    if (data && size >= huge)
        madvise(data, rounded, MADV_HUGEPAGE); /* a wish: failure changes nothing */
    return data;
}
