/* Follows what is at a pixel of a clip's first frame, by its colours and its depth.
 *
 * Frames are looked at with at most 320 cells a side. The template is the 17 x 17 cells around the pixel; of these count the
 * cells whose depth is that of the pixel. It is compared with every place around the last one by the mean difference of
 * colours and depths, in units of the template's own contrast. A good match takes an eighth of the new cells into the template,
 * but for cells that look otherwise, as something covers the place there. A poor match takes nothing. Where even the best match
 * is bad the place is lost, and the search widens from frame to frame until a good match is there. */
#ifndef SATBLUR_APP_TRACK_H
#define SATBLUR_APP_TRACK_H

#include "base/message.h"

#include <satblur.h>

#include <stdbool.h>
#include <stdint.h>

enum { TRACK_CELLS = 320, TRACK_RADIUS = 8, TRACK_PATCH = 2 * TRACK_RADIUS + 1 };

/* A frame of few cells, each with red, green, blue and depth. */
typedef struct track_view {
    int width, height;                 /* cells */
    int picture_width, picture_height; /* pixels */
    uint8_t *cells;
} track_view;

/* A cell of the template that counts: where it lies from the middle, and what it shows. */
typedef struct track_cell {
    int8_t across, down;
    uint8_t shows[4];
} track_cell;

typedef struct track {
    bool has_begun;
    int first_x, first_y;                        /* the pixel */
    int origin_x, origin_y;                      /* its cell */
    int x, y;                                    /* the cell where it was seen last */
    float cells[TRACK_PATCH * TRACK_PATCH][4];   /* the template */
    uint8_t patch[TRACK_PATCH * TRACK_PATCH][4]; /* the same, rounded */
    bool knows[TRACK_PATCH * TRACK_PATCH];       /* cells that were in the picture once */
    track_cell own[TRACK_PATCH * TRACK_PATCH];   /* cells that count */
    int used;                                    /* how many */
    double contrast;
    uint64_t frames, lost_for;      /* frames until now, and those since it was lost */
    int losses;                     /* times that it was lost */
    uint64_t lost_from, lost_until; /* the first time: its first frame and its last */
} track;

/* Makes the view of a picture and its map, whose data may be NULL; both lie on the host, and the map has any size. False: p
 * has a sentence. */
bool track_view_make(track_view *v, const satb_image *picture, const satb_image *map, problem *p);
void track_view_free(track_view *v);

/* Finds the place in the next frame. In the first frame *x, *y is the pixel that is followed; afterwards it gets the place as a
 * pixel. is_cut: it may be anywhere. False: it is lost. */
bool track_follow(track *t, const track_view *v, bool is_cut, int *x, int *y);

#endif
