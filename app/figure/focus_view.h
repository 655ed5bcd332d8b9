/* The view of --focus-view: the picture in its own colours where it is in focus, in orange before the focus and in blue
 * behind it. */
#ifndef SATBLUR_APP_FOCUS_VIEW_H
#define SATBLUR_APP_FOCUS_VIEW_H

#include "base/message.h"

#include <satblur.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct focus_view {
    satb_image image;        /* RGB of 8 bits, for pixels_drop() */
    double sharp_radius;     /* pixels: the largest radius that counts as in focus */
    double near, far;        /* pixels: the largest radii before and behind the focus */
    uint64_t before, behind; /* pixels that are out of focus */
} focus_view;

/* Draws the view of src, which is on the host. coc: the result of satb_coc(), whose report has the point of focus. In focus
 * are radii up to half a pixel, or to 1/3000 of the diagonal: twice that radius is the circle that a print shows as a
 * point. A line goes around what is in focus, a cross marks the point. False: memory ran out, and p has a sentence. */
bool focus_view_draw(focus_view *view, const satb_image *src, const satb_image *coc,
                     const satb_dof_report *report, problem *p);

#endif
