/* The pictures beside the primary one in a HEIC file: its depth map and its matte, as phones write them. */
#ifndef SATBLUR_APP_HEIF_AUX_H
#define SATBLUR_APP_HEIF_AUX_H

#include "codec/codec_format.h"

#include <satb_config.h>

typedef enum heif_aux { HEIF_AUX_DEPTH, HEIF_AUX_MATTE, HEIF_AUX_GAIN } heif_aux;

struct heif_item; /* of heif_open.h */

typedef enum heif_aux_status {
    HEIF_AUX_READ,
    HEIF_AUX_NONE,  /* the file has none, and nothing is wrong */
    HEIF_AUX_FAILED /* it has one that cannot be read: p has a sentence without the file's name */
} heif_aux_status;

typedef struct heif_aux_image {
    satb_image image; /* gray, dense, for pixels_free(); turned as the primary picture is */
    unsigned white;   /* the largest code in the file's own numbers */
    /* Of a depth map */
    satb_depth_type type;
    bool near_black; /* the smallest code is the nearest; otherwise the largest is */
    double distance_near,
        distance_far; /* metres at the nearest and the farthest code; FAR may be infinite for
                                           disparity; 0 and 0: unknown, or relative */
} heif_aux_image;

/* Finds the depth map or the matte of a HEIC or AVIF file's primary picture by its type, and decodes it. Of the settings,
 * max_pixels counts. The first of several counts. */
#if SATB_HAVE_HEIF
heif_aux_status heif_aux_read(bytes in, heif_aux kind, const decode_settings *settings,
                              heif_aux_image *out, problem *p);
#else
static inline heif_aux_status heif_aux_read(bytes in, heif_aux kind,
                                            const decode_settings *settings, heif_aux_image *out,
                                            problem *p)
{
    (void)in, (void)kind, (void)settings, (void)out, (void)p;
    return HEIF_AUX_NONE;
}
#endif

/* Finds the picture of that kind among all that belong to an open primary one, for heif_close(). False: there is none. */
bool heif_aux_find(bytes in, const struct heif_item *main, heif_aux kind, struct heif_item *aux);

/* Decodes it, turned as the primary picture is. False: p has a sentence. */
bool heif_aux_pixels(bytes in, const struct heif_item *main, struct heif_item *aux,
                     uint64_t max_pixels, satb_image *image, problem *p);

/* Keeps the first channel of a dense picture. */
void heif_aux_make_gray(satb_image *image);

#endif
