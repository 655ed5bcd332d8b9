/* How a picture is cut where it does not fit a device's memory: into bands of rows, each uploaded with
 * the rows that its windows reach above and below, as a picture of its own. Its windows then meet the
 * picture's own rows, or what the edge mode finds beyond the picture, and never the band's edge, so
 * the bits are those of the whole. */
#ifndef SATB_BANDS_H
#define SATB_BANDS_H

#include "backend.h"

typedef struct satb_bands {
    int height; /* of the picture */
    int reach;  /* rows from a pixel to the farthest that its result depends on */
    satb_edge edge;
    int count; /* set by satb_cut() */
} satb_bands;

/* Adds what a job takes of each slot while it holds so many rows. */
typedef void satb_add_room(satb_context *context, const void *job, int rows, satb_room *room);

/* What so many rows of the image take in a slot. */
void satb_add_plane(satb_room *room, satb_slot slot, const satb_image *image, int rows);

/* The smallest number of bands with which the job fits the memory that there is, one where it can, and
 * room for them. Errors: DEVICE_NOMEM, with the bytes that are needed. */
satb_status satb_cut(satb_context *context, satb_bands *bands, satb_add_room *add, const void *job);

satb_band satb_band_at(const satb_bands *bands, int i);

/* Bands that reach beyond themselves would read what those before them have written if *src is dst:
 * *src becomes a copy then, *copy its memory, to be freed; otherwise NULL. Errors: NOMEM. */
satb_status satb_keep_source(satb_context *context, const satb_bands *bands, satb_image *src,
                             const satb_image *dst, void **copy);

#endif
