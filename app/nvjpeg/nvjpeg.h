/* JPEG on a GPU, by nvJPEG. */
#ifndef SATBLUR_APP_NVJPEG_H
#define SATBLUR_APP_NVJPEG_H

#include "base/blob.h"
#include "base/message.h"
#include "base/sink.h"

#include <satblur.h>

#include <stdbool.h>

typedef enum gpu_answer {
    GPU_DONE,
    GPU_LEAVES, /* the GPU does not take this picture: the codecs of the host do it. Nothing was written or retained */
    GPU_FAILED  /* p has a sentence: memory ran out, or the GPU failed */
} gpu_answer;

/* Returns the library's name, or NULL if it is not built in. */
const char *nvjpeg_name(void);

/* Prepares `count` GPUs, from number `first` on, for that many users at a time. False: p has the line. */
bool nvjpeg_open(int first, int count, int users, problem *p);
void nvjpeg_close(void);

/* Decodes a JPEG, in any thread, and waits while everything that was prepared is in use. stays: the pixels stay on
 * GPU `gpu`, which decodes them, unless it has no memory for them: image->on_device tells. Otherwise any GPU decodes
 * and the pixels are the host's. *library: the name of the decoder. */
gpu_answer nvjpeg_decode(bytes in, satb_image *image, int gpu, bool stays, const char **library,
                         problem *p);

/* Encodes an RGB image of the host's or of a GPU's, in any thread, and waits as nvjpeg_decode() does. quality: 1 to
 * 100. */
gpu_answer nvjpeg_encode(const satb_image *image, int quality, sink *to, problem *p);

/* Gives the memory that is retained for the next pictures back to the GPU. False: there was none. */
bool nvjpeg_trim(int gpu);

/* While memory is short, nothing is retained. */
void nvjpeg_set_low_memory(bool is_low);

#endif
