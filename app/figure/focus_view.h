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

typedef struct focus_marks { /* pixels that the focus was found at */
    int count, x[3], y[3];
} focus_marks;

/* Draws the view of src, which is on the host. coc: the result of satb_coc(), full_radius: that of its report, in pixels. In
 * focus are radii up to half a pixel, or to 1/3000 of the diagonal: the eye takes a circle of twice that radius for a point.
 * A line goes around what is in focus, and crosses mark the pixels. False: memory ran out, and p has a sentence. */
bool focus_view_draw(focus_view *view, const satb_image *src, const satb_image *coc,
                     double full_radius, const focus_marks *marks, problem *p);

#endif
