/* Between the files that read EXR: a flat part, its channel, and the rows of it. */
#ifndef SATBLUR_APP_EXR_H
#define SATBLUR_APP_EXR_H

#include "codec/codec_format.h"

#include <openexr.h>

enum { EXR_CHANNELS = 1024, EXR_PARTS = 1024 }; /* at most */

/* The channel that is depth. */
typedef struct exr_choice {
    int part, channel;
    bool is_gray; /* the channel R, which counts only if G and B are equal to it */
    int green, blue;
    char name[256];
} exr_choice;

/* Finds the channel of that name; name NULL: the one that is surely depth. False: p has a sentence. */
bool exr_choose(exr_const_context_t file, const char *name, exr_choice *choice, problem *p);

/* Sets p to the sentence that no channel is surely depth, with the names of the channels. Returns false. */
bool exr_refuse_channels(exr_const_context_t file, problem *p);

/* Reads the part's rows into v->data, which are those of the display window; NaN is where the file has none. */
bool exr_read_part(exr_const_context_t file, const exr_choice *choice, values *v, problem *p);

#endif
