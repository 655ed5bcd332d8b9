/* Files of libheif: opening them within limits, and the pixels of an item as samples. */
#ifndef SATBLUR_APP_HEIF_OPEN_H
#define SATBLUR_APP_HEIF_OPEN_H

#include "codec/codec_format.h"
#include "format/heif/heif_graph.h"

#include <libheif/heif.h>

enum { HEIF_SIDE = 16384 }; /* pixels a side, at most */

typedef struct heif_item {
    struct heif_context *context; /* of the whole file, whose memory must stay */
    struct heif_image_handle *handle;
    heif_item_id id;
    heif_properties properties;
    heif_colours colours;
} heif_item;

/* Opens the primary picture, where the file is fit for the library. False: p has a sentence. heif_close() follows in either case. */
bool heif_open(bytes in, heif_item *item, problem *p);

void heif_close(heif_item *item);

/* Returns the shape that the item claims, nothing decoded: 16 bits for more than 8. */
satb_image heif_shape(const heif_item *item);

/* Returns bits of a sample of the file. */
int heif_bits(const heif_item *item);

/* Returns whether the item may be decoded: its size as it is stored, before it is cropped. */
bool heif_allows(const heif_item *item, uint64_t max_pixels, problem *p);

/* Decodes the item, turned as its properties say, into a dense picture for pixels_free(). decoded: for
 * heif_image_release(), as the coded picture has colours of its own; NULL: nobody asks. */
bool heif_pixels(const heif_item *item, satb_image *image, struct heif_image **decoded, problem *p);

/* Sets a sentence about the library's error. Returns false always. */
bool heif_explain(problem *p, struct heif_error error);

/* Allows the calling thread's decoder of HEVC so many pixels, over all parts of a picture, before they are allocated. */
void heif_hevc_allow(uint64_t pixels);

/* Registers the decoder of HEVC. */
void heif_hevc_register(void);

#endif
