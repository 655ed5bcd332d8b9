/* Memory for pixels, on the host; and the moves of an image between a GPU and the host. Every function may be called
 * in any thread. */
#ifndef SATBLUR_APP_PIXELS_H
#define SATBLUR_APP_PIXELS_H

#include "base/message.h"

#include <satblur.h>

#include <stdbool.h>
#include <stddef.h>

/* Uninitialised memory of the host's for pixels_free(). NULL: there is not enough. */
void *pixels_allocate(size_t size);

/* Gives an image dense rows in such memory. False: there is not enough, and p has a sentence unless it is NULL. */
bool pixels_make(satb_image *image, problem *p);

/* Frees memory of pixels_allocate() or malloc(); NULL is allowed. Up to `count` of pixels_keep() large blocks are
 * retained for pixels_allocate(), as the next picture of a folder needs blocks of that size again. */
void pixels_free(void *data);

/* Sets how many freed blocks are retained: 0 at first. pixels_keep(0) frees them. */
enum { PIXELS_MOST_KEPT = 768 };
void pixels_keep(int count);

/* Sets who locks memory for a GPU's driver, which copies faster from and to locked memory: satb_pin() and satb_unpin(),
 * or NULL and NULL for nobody. */
void pixels_pin_by(satb_status (*pin)(void *data, size_t size), void (*unpin)(void *data));

/* Locks a large block, until it is freed for good. Locking takes as long as some copies, so nothing is done while
 * pixels_keep() retains no blocks. */
void pixels_pin(void *data);

/* Frees an image's pixels, on a GPU or on the host. */
void pixels_drop(satb_image *image);

/* Copies an image from a GPU to a dense one in memory of the host's, for pixels_free(). Its first row begins a block of
 * the GPU's memory; rows may be left out by a larger stride. False: p has a sentence, and nothing has changed. */
bool pixels_fetch(const satb_image *image, satb_image *copy, problem *p);

/* Moves the pixels of a dense image to the host. An image of the host's stays as it is. False: as for pixels_fetch(). */
bool pixels_bring(satb_image *image, problem *p);

/* Gives an image on a GPU uninitialised memory of the host's instead. An image of the host's stays as it is. False: as
 * for pixels_fetch(). */
bool pixels_displace(satb_image *image, problem *p);

#endif
