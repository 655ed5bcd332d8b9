#include "image/pixels.h"

#include "image/block_cache.h"
#include "image/device_pixels.h"
#include "image/shape.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    LARGE = 7 << 18, /* bytes; a gray picture of 1920x1080 has a little more */
    PLACE = 2 << 20  /* large blocks begin at a multiple, so that most others are known at once */
};

/* --- On the host ------------------------------------------------------------------------------ */

/* The system clears fresh pages, and takes back those that are freed, which costs several per cent of a folder's time. So
 * freed blocks are retained. */
static struct {
    pthread_mutex_t lock;
    block_cache cache;
    int idle, most; /* blocks that are retained, and that may be */
    satb_status (*pin)(void *data, size_t size);
    void (*unpin)(void *data);
} host = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void unpin(block *b)
{
    if (b->is_pinned)
        host.unpin(b->data);
    b->is_pinned = false;
}

/* Takes the block off the list, for free(). */
static void *release_block(int at)
{
    block b = block_remove(&host.cache, at);
    unpin(&b);
    return b.data;
}

static void *release_oldest(void)
{
    host.idle--;
    return release_block(block_oldest(&host.cache, BLOCK_HOST));
}

static void *take_retained(size_t size)
{
    pthread_mutex_lock(&host.lock);
    void *const data = block_take(&host.cache, BLOCK_HOST, size);
    host.idle -= data != NULL;
    pthread_mutex_unlock(&host.lock);
    return data;
}

/* Lists a new block. A block for which the list has no place is freed by pixels_free(). */
static void list_new(void *data, size_t size)
{
    pthread_mutex_lock(&host.lock);
    block_add(&host.cache, (block){.data = data, .size = size, .gpu = BLOCK_HOST, .is_used = true});
    pthread_mutex_unlock(&host.lock);
}

/* Huge pages are not asked for: where the host of a virtual machine has taken free memory back, clearing one takes 20 ms,
 * which is more than they save. */
void *pixels_allocate(size_t size)
{
    const bool is_large = size >= LARGE;
    const size_t alignment = is_large ? PLACE : 64;
    const size_t rounded = (size + alignment - 1) / alignment * alignment;
    if (rounded < size)
        return NULL;
    void *data = is_large ? take_retained(size) : NULL;
    if (data)
        return data;
    data = aligned_alloc(alignment, rounded ? rounded : alignment);
    if (is_large && data)
        list_new(data, rounded);
    return data;
}

bool pixels_make(satb_image *image, problem *p)
{
    image->on_device = 0;
    image->stride = (ptrdiff_t)image->width * image->channels * (image->bits / 8);
    image->data = pixels_allocate(picture_bytes(image));
    return image->data ||
           (p && problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for %d x %d pixels",
                                  image->width, image->height));
}

void pixels_free(void *data)
{
    void *out = data;
    if (!data || (uintptr_t)data % PLACE != 0) {
        free(data);
        return;
    }
    pthread_mutex_lock(&host.lock);
    const int at = block_find(&host.cache, data);
    if (at >= 0 && host.most == 0) {
        out = release_block(at);
    } else if (at >= 0) {
        block_retire(&host.cache, at);
        out = ++host.idle > host.most ? release_oldest() : NULL;
    }
    pthread_mutex_unlock(&host.lock);
    free(out);
}

void pixels_keep(int count)
{
    pthread_mutex_lock(&host.lock);
    host.most = count < PIXELS_MOST_KEPT ? count : PIXELS_MOST_KEPT;
    while (host.idle > host.most)
        free(release_oldest());
    pthread_mutex_unlock(&host.lock);
}

void pixels_pin_by(satb_status (*pin)(void *data, size_t size), void (*undo)(void *data))
{
    pthread_mutex_lock(&host.lock);
    for (int i = 0; i < host.cache.count; i++)
        unpin(&host.cache.blocks[i]);
    host.pin = pin;
    host.unpin = undo;
    pthread_mutex_unlock(&host.lock);
}

/* Pins a block. A block that cannot be pinned is used as it is. */
void pixels_pin(void *data)
{
    if (!data || (uintptr_t)data % PLACE != 0)
        return;
    pthread_mutex_lock(&host.lock);
    const int at = host.pin && host.most > 0 ? block_find(&host.cache, data) : -1;
    block *const b = at < 0 ? NULL : &host.cache.blocks[at];
    if (b && !b->is_pinned)
        b->is_pinned = host.pin(b->data, b->size) == SATB_OK;
    pthread_mutex_unlock(&host.lock);
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

/* Makes a copy of the image's description with dense memory of the host's. */
static bool place_on_host(const satb_image *image, satb_image *copy, problem *p)
{
    *copy = *image;
    return pixels_make(copy, p);
}

bool pixels_fetch(const satb_image *image, satb_image *copy, problem *p)
{
    if (!place_on_host(image, copy, p))
        return false;
    pixels_pin(copy->data);
    if (device_pixels_fetch(image->data, (size_t)image->stride, copy->data, (size_t)copy->stride,
                            (size_t)image->height, p))
        return true;
    pixels_free(copy->data);
    return false;
}

/* Moves an image from the GPU to the host, with its pixels or without. */
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
