/* How a picture is cut where it does not fit a device's memory: into bands of rows, each uploaded with
 * the rows that its windows reach above and below, as a picture of its own. Its windows then meet the
 * picture's own rows, or what the edge mode finds beyond the picture, and never the band's edge, so
 * the bits are those of the whole. */
#ifndef SATB_BANDS_H
#define SATB_BANDS_H

#include "backend/backend.h"

typedef struct satb_bands {
    int height; /* of the picture */
    int reach;  /* rows from a pixel to the farthest that its result depends on */
    satb_edge edge;
    int count; /* set by satb_cut() */
} satb_bands;

/* Adds what a job takes of each slot while it holds so many rows. */
typedef void satb_add_need(satb_context *context, const void *job, int rows, satb_need *need);

/* What so many rows of the image take in a slot. */
void satb_add_plane(satb_need *need, satb_slot slot, const satb_image *image, int rows);

/* The smallest number of bands with which the job fits the memory that there is, one where it can, and
 * room for them. Errors: DEVICE_NOMEM, with the bytes that are needed. */
satb_status satb_cut(satb_context *context, satb_bands *bands, satb_add_need *add, const void *job);

satb_band satb_band_at(const satb_bands *bands, int i);

/* The planes of a band, where the device has them. */
typedef struct satb_band_planes {
    satk_plane src, map, dst; /* map: of 0 x 0 where there is none */
    int row;                  /* of the picture, that they begin with */
} satb_band_planes;

/* An operation that makes a picture of a picture and perhaps a map, band by band. */
typedef struct satb_banded {
    const satb_image *src, *map, *dst; /* map may be NULL; src may be dst */
    satb_stage stage;                  /* what its work is timed as */
    void *job;                         /* passed to these: */
    satb_add_need *add_need;
    satb_status (*upload_tables)(satb_context *context, void *job); /* once, before the first */
    satb_status (*run)(satb_context *context, void *job, const satb_band_planes *planes);
} satb_banded;

/* Runs it, cut as bands->height, reach and edge say, and waits for its end. Errors: DEVICE_NOMEM, NOMEM, and
 * those of the operation. */
satb_status satb_run_in_bands(satb_context *context, satb_bands *bands, const satb_banded *banded);

#endif
