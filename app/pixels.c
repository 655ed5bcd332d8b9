#include "codec.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

/* Fresh pages are cleared by the system and freed ones are given back to it, 4 % of a folder of photos in all. */

/* --- Freed blocks that are kept --------------------------------------------------------------- */

static struct {
    pthread_mutex_t lock;
    void *blocks[PIXELS_MOST_KEPT]; /* the oldest first */
    int count, most;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *take_out(int i)
{
    void *const data = kept.blocks[i];
    kept.count--;
    memmove(kept.blocks + i, kept.blocks + i + 1, (size_t)(kept.count - i) * sizeof *kept.blocks);
    return data;
}

/* One that is large enough, and not by far too large, or NULL: the last one, which the cache may still hold. */
static void *take_kept(size_t size)
{
    void *data = NULL;
    pthread_mutex_lock(&kept.lock);
    for (int i = kept.count - 1; i >= 0 && !data; i--) {
        const size_t room = malloc_usable_size(kept.blocks[i]);
        if (room >= size && room - size <= size / 2 + HUGE_PAGE)
            data = take_out(i);
    }
    pthread_mutex_unlock(&kept.lock);
    return data;
}

void pixels_keep(int count)
{
    pthread_mutex_lock(&kept.lock);
    kept.most = count < PIXELS_MOST_KEPT ? count : PIXELS_MOST_KEPT;
    while (kept.count > kept.most)
        free(take_out(0));
    pthread_mutex_unlock(&kept.lock);
}

/* In place of the oldest, which no picture has wanted since. */
void pixels_free(void *data)
{
    void *out = data;
    if (!data || (uintptr_t)data % HUGE_PAGE != 0) {
        free(data);
        return;
    }
    pthread_mutex_lock(&kept.lock);
    if (kept.most > 0) {
        out = kept.count == kept.most ? take_out(0) : NULL;
        kept.blocks[kept.count++] = data;
    }
    pthread_mutex_unlock(&kept.lock);
    free(out);
}

/* --- New ones --------------------------------------------------------------------------------- */

/* Large buffers begin at a huge page and ask for such: a fresh 4K picture is 6000 page faults
 * otherwise, which take as long as filling it. */
void *pixels_allocate(size_t size)
{
    const size_t huge = HUGE_PAGE, alignment = size >= huge ? huge : 64;
    const size_t rounded = (size + alignment - 1) / alignment * alignment;
    if (rounded < size)
        return NULL;
    void *data = size >= huge ? take_kept(size) : NULL;
    if (data)
        return data;
    data = aligned_alloc(alignment, rounded ? rounded : alignment);
    if (data && size >= huge)
        madvise(data, rounded, MADV_HUGEPAGE); /* a wish: failure changes nothing */
    return data;
}
