#include "image/pixels.h"

#include "image/device_pixels.h"
#include "image/shape.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGE = 7 << 18, /* a gray picture of 1920x1080 has a little more */
    PLACE = 2 << 20  /* large ones begin at a multiple, by which they are known */
};

/* Fresh pages are cleared by the system and freed ones are given back to it, 4 % of a folder of photos in all. */

/* --- Freed blocks that are kept --------------------------------------------------------------- */

static struct {
    pthread_mutex_t lock;
    void *blocks[PIXELS_MOST_KEPT]; /* the oldest first */
    int count, most;
    satb_status (*pin)(void *data, size_t size);
    void (*unpin)(void *data);
    void *pinned[PIXELS_MOST_KEPT];
    int pinned_count;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Where it is among those that are pinned, or -1. */
static int find_pinned(const void *data)
{
    int i = kept.pinned_count - 1;
    while (i >= 0 && kept.pinned[i] != data)
        i--;
    return i;
}

static void unpin(void *data)
{
    const int i = find_pinned(data);
    if (i < 0)
        return;
    kept.unpin(data);
    kept.pinned[i] = kept.pinned[--kept.pinned_count];
}

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
        if (room >= size && room - size <= size / 2 + PLACE)
            data = take_out(i);
    }
    pthread_mutex_unlock(&kept.lock);
    return data;
}

void pixels_keep(int count)
{
    pthread_mutex_lock(&kept.lock);
    kept.most = count < PIXELS_MOST_KEPT ? count : PIXELS_MOST_KEPT;
    while (kept.count > kept.most) {
        void *const data = take_out(0);
        unpin(data);
        free(data);
    }
    pthread_mutex_unlock(&kept.lock);
}

/* In place of the oldest, which no picture has wanted since. */
void pixels_free(void *data)
{
    void *out = data;
    if (!data || (uintptr_t)data % PLACE != 0) {
        free(data);
        return;
    }
    pthread_mutex_lock(&kept.lock);
    if (kept.most > 0) {
        out = kept.count == kept.most ? take_out(0) : NULL;
        kept.blocks[kept.count++] = data;
    }
    unpin(out);
    pthread_mutex_unlock(&kept.lock);
    free(out);
}

/* --- Pinned ones ------------------------------------------------------------------------------ */

void pixels_pin_by(satb_status (*pin)(void *data, size_t size), void (*undo)(void *data))
{
    pthread_mutex_lock(&kept.lock);
    while (kept.pinned_count > 0)
        kept.unpin(kept.pinned[--kept.pinned_count]);
    kept.pin = pin;
    kept.unpin = undo;
    pthread_mutex_unlock(&kept.lock);
}

/* That it cannot be pinned changes nothing. */
void pixels_pin(void *data)
{
    if (!data || (uintptr_t)data % PLACE != 0)
        return;
    pthread_mutex_lock(&kept.lock);
    if (kept.pin && kept.most > 0 && kept.pinned_count < PIXELS_MOST_KEPT &&
        find_pinned(data) < 0 && kept.pin(data, malloc_usable_size(data)) == SATB_OK)
        kept.pinned[kept.pinned_count++] = data;
    pthread_mutex_unlock(&kept.lock);
}

/* --- New ones --------------------------------------------------------------------------------- */

/* Huge pages are not asked for. They save 7 to 15 % of a single picture's time, but where the host of a virtual
 * machine has taken free memory back, clearing one takes 20 ms: 24 megapixels took four times as long. */
void *pixels_allocate(size_t size)
{
    const size_t alignment = size >= LARGE ? PLACE : 64;
    const size_t rounded = (size + alignment - 1) / alignment * alignment;
    if (rounded < size)
        return NULL;
    void *const data = size >= LARGE ? take_kept(size) : NULL;
    if (data)
        return data;
    return aligned_alloc(alignment, rounded ? rounded : alignment);
}

/* --- On a GPU --------------------------------------------------------------------------------- */

void pixels_drop(satb_image *image)
{
    if (image->on_device)
        device_pixels_free(image->data);
    else
        pixels_free(image->data);
    image->data = NULL;
    image->on_device = 0;
}

/* As the image, but with memory of the host's. */
static bool place_on_host(const satb_image *image, satb_image *copy, problem *p)
{
    *copy = *image;
    copy->on_device = 0;
    copy->data = pixels_allocate(picture_bytes(image));
    return copy->data ||
           problem_set(p, "not enough memory for %d x %d pixels", image->width, image->height);
}

bool pixels_fetch(const satb_image *image, satb_image *copy, problem *p)
{
    if (!place_on_host(image, copy, p))
        return false;
    pixels_pin(copy->data);
    if (device_pixels_fetch(image->data, copy->data, picture_bytes(image), p))
        return true;
    pixels_free(copy->data);
    return false;
}

/* From the GPU, with its pixels or without. */
static bool move_to_host(satb_image *image,
                         bool (*copy_of)(const satb_image *, satb_image *, problem *), problem *p)
{
    satb_image copy;
    if (!image->on_device)
        return true;
    if (!copy_of(image, &copy, p))
        return false;
    pixels_drop(image);
    *image = copy;
    return true;
}

bool pixels_displace(satb_image *image, problem *p)
{
    return move_to_host(image, place_on_host, p);
}

bool pixels_bring(satb_image *image, problem *p)
{
    return move_to_host(image, pixels_fetch, p);
}
