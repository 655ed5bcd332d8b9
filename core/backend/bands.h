/* Bands of rows, for pictures that do not fit a device's memory. Each band is uploaded with the rows that its windows reach
 * above and below, and is a picture of its own to the kernels. Its windows meet the picture's own rows, or those that the
 * edge mode finds beyond the picture, and never the band's edge. So the bits are those of the whole picture. */
#ifndef SATB_BANDS_H
#define SATB_BANDS_H

#include "backend/call.h"

typedef struct satb_bands {
    int height; /* of the picture */
    int reach;  /* rows from a pixel to the farthest that its result depends on */
    satb_edge edge;
    int count; /* set by satb_cut() */
} satb_bands;

/* Adds the bytes of each slot that a job needs for bands of `rows` rows. */
typedef void satb_add_need(satb_context *context, const void *job, int rows, satb_need *need);

/* Adds the bytes that `rows` rows of the image need in a slot. */
void satb_add_plane(satb_need *need, satb_slot slot, const satb_image *image, int rows);

/* Returns the bytes that tables may take where fewer would do, if all slots may have `limit` bytes: a quarter of them, so that
 * several contexts share a device, in steps of 256 MB; but at least SATK_LAYER_BYTES. */
size_t satb_share_of_tables(size_t limit);

/* Sets bands->count to the smallest number with which the job fits the device's memory, and reserves that memory. Sets
 * context->most_tables, which the job's need and its run rely on. Errors: DEVICE_NOMEM, with the bytes that are needed. */
satb_status satb_cut(satb_context *context, satb_bands *bands, satb_add_need *add, const void *job);

/* Returns band i of bands->count. */
satb_band satb_band_at(const satb_bands *bands, int i);

/* The planes of a band in the device's memory. */
typedef struct satb_band_planes {
    satk_plane src, map, cover, dst; /* map, cover: 0 x 0 without one */
    int row;                         /* the picture's row that they begin with */
    satk_range own;                  /* rows of the planes that the band gives to the picture */
} satb_band_planes;

/* An operation from a picture, and perhaps a map, to a picture. */
typedef struct satb_banded {
    const satb_image *src, *map, *cover, *dst; /* map and cover may be NULL; src may be dst */
    satb_call *call;  /* may keep src, map, cover; NULL: no call keeps images */
    satb_stage stage; /* the stage that its work is timed as */
    void *job;        /* passed to these: */
    satb_add_need *add_need;
    satb_status (*upload_tables)(satb_context *context,
                                 void *job); /* called once, before the first band */
    satb_status (*run)(satb_context *context, void *job, const satb_band_planes *planes);
} satb_banded;

/* Runs an operation in bands and waits for its end. bands: all but count is set. If src is dst and bands reach beyond
 * themselves, src is copied first. Errors: DEVICE_NOMEM, NOMEM, and those of the operation. */
satb_status satb_run_in_bands(satb_context *context, satb_bands *bands, const satb_banded *banded);

#endif
