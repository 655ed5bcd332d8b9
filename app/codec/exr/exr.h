/* Between the files that read and write EXR: a file in memory, its parts and channels, and the rows of a part. */
#ifndef SATBLUR_APP_EXR_H
#define SATBLUR_APP_EXR_H

#include "codec/codec_format.h"

#include <openexr.h>

enum { EXR_CHANNELS = 1024, EXR_PARTS = 1024 }; /* at most */

/* --- The file --------------------------------------------------------------------------------- */

/* Opens the file for exr_finish(). *in stays where it is until then. False: p has a sentence. */
bool exr_open(exr_context_t *file, bytes *in, problem *p);

/* Returns whether the part can be read here, and sets the sides of its display window, which are the picture's; shape has the
 * channels and bits that memory is taken for. False: p has a sentence. */
bool exr_accept_part(exr_const_context_t file, int part, bytes in, uint64_t max_pixels,
                     satb_image *shape, problem *p);

/* Library calls with fewer words. Where there is nothing, the list is empty and the count is 0. */
const exr_attr_chlist_t *exr_channels_of(exr_const_context_t file, int part);
int exr_part_count(exr_const_context_t file);
bool exr_is_flat(exr_const_context_t file, int part);

/* Returns the number of the channel. -1: there is none of that name. */
int exr_find(const exr_attr_chlist_t *list, const char *name);

/* Writes the names of the flat parts' channels, 12 at most, and returns how many there are in all. */
int exr_name_channels(exr_const_context_t file, char *text, size_t size);

/* Prints nothing. */
void exr_be_silent(exr_const_context_t file, exr_result_t code, const char *text);

/* Returns zeroed memory, so that no damage shows what lay there before; NULL beyond 1 GiB. */
void *exr_zeroed(size_t size);

/* Returns whether exr_zeroed() has run out of memory in this thread since the last call: the library goes on without
 * attributes that it had no memory for. */
bool exr_was_short(void);

/* --- Channels --------------------------------------------------------------------------------- */

/* The channel that is depth. */
typedef struct exr_choice {
    int part, channel;
    bool is_gray; /* the channel R, which counts only if G and B are equal to it */
    int green, blue;
    char name[256];
} exr_choice;

/* Finds the channel of that name; name NULL: the one that is surely depth. False: p has a sentence. */
bool exr_choose(exr_const_context_t file, const char *name, exr_choice *choice, problem *p);

/* Does the same beside a picture: the name of the channel has to be one of depth, and Y is none. False: there is none. */
bool exr_choose_own(exr_const_context_t file, const char *name, exr_choice *choice);

/* Sets p to the sentence that no channel is surely depth, with the names of the channels. Returns false. */
bool exr_refuse_channels(exr_const_context_t file, problem *p);

/* The channels of a picture: gray, gray and alpha, RGB or RGBA. */
typedef struct exr_layer {
    int part, count;
    int channel[4];
} exr_layer;

/* Finds the picture. False: p has a sentence. */
bool exr_choose_layer(exr_const_context_t file, exr_layer *layer, problem *p);

/* --- Rows ------------------------------------------------------------------------------------- */

/* A row of a block, whose channels follow one another. Its pixels from `first` to before `end` lie in the display window,
 * at x + first and further on, y. */
typedef struct exr_row {
    const exr_attr_chlist_t *list;
    const uint8_t *samples;
    int width;
    int64_t x, y, first, end;
} exr_row;

/* Returns the row's samples of a channel. */
const uint8_t *exr_row_channel(const exr_row *row, int channel);

size_t exr_sample_bytes(exr_pixel_type_t type);
uint64_t exr_pixel_bytes(const exr_attr_chlist_t *list); /* of all channels */
float exr_sample(const uint8_t *at, exr_pixel_type_t type);

/* Takes a row. It is called in several threads. False: p has a sentence. */
typedef bool exr_take_row(void *user, const exr_row *row, problem *p);

/* Reads the part's rows that lie in the display window. False: p has a sentence. */
bool exr_read_part(exr_const_context_t file, int part, exr_take_row *take, void *user, problem *p);

#endif
