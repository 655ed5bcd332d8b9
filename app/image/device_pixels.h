/* Memory of GPUs for pixels, which stay there from decoding to encoding. Every function but open and close may be
 * called in any thread. */
#ifndef SATBLUR_APP_DEVICE_PIXELS_H
#define SATBLUR_APP_DEVICE_PIXELS_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

enum { DEVICE_PIXELS_GPUS = 64 };

/* Reserves a quarter of the GPU's free memory for pixels. The contexts need the rest: it decides on their bands. The
 * GPU is the thread's current device. At most DEVICE_PIXELS_GPUS calls before device_pixels_close(). */
void device_pixels_open(int gpu);

/* Frees all memory, used or not. */
void device_pixels_close(void);

/* Uninitialised memory of that GPU, for device_pixels_free(). NULL: the GPU was not opened or has not enough, and
 * memory of the host's must do. */
void *device_pixels_allocate(int gpu, size_t size);

/* Retains the block for the next picture; NULL is allowed. */
void device_pixels_free(void *data);

/* Returns the GPU of a block. */
int device_pixels_gpu(const void *data);

/* Copies rows of `row` bytes, the first of which begins a block, to the host, and waits for them. They are `stride` bytes
 * apart in the block, and dense on the host. */
bool device_pixels_fetch(const void *data, size_t stride, void *host, size_t row, size_t rows,
                         problem *p);

/* Gives the retained blocks back to the GPU. False: there were none. */
bool device_pixels_trim(int gpu);

/* While memory is short, freed blocks go back to the GPU. */
void device_pixels_set_low_memory(bool is_low);

#endif
