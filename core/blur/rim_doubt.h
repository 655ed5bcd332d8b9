/* Pixels beside a strongly blurred surface that count as a sharp one behind it, but show the blurred one: maps are off by some
 * pixels there. They would stay sharp, as an outline of what is blurred. Runs on the host. */
#ifndef SATB_RIM_DOUBT_H
#define SATB_RIM_DOUBT_H

#include "base/context.h"

/* What a plane of 8 bits says of each pixel. */
enum {
    SATB_MARK_NONE,
    SATB_MARK_DOUBTFUL = 1, /* it lies on the far half of an edge */
    SATB_MARK_SHARP,        /* it counts as sharp */
    SATB_MARK_STRANGER      /* result: it shows the surface before it */
};

/* Makes pixels of the plane strangers. picture, marks: of one size, in host memory. near: 16 bits, the code of the surface
 * before each doubtful pixel; strangers get theirs.
 *   - Sharp pixels become doubtful if a doubtful one is within `reach` pixels. Their near code is the mean of those around.
 *   - A doubtful pixel is a stranger if sharp ones are around, and none of them has its colour, to 6/255 a channel (root
 *     mean square). 17 x 17 pixels are looked at, at steps of half the reach, rounded up. So a pixel that looks like the
 *     sharp surface stays one of it. Alpha does not count. A doubtful pixel that is no stranger gets SATB_MARK_NONE.
 * Errors: NOMEM. */
satb_status satb_find_strangers(satb_context *context, const satb_image *picture,
                                const satb_image *marks, const satb_image *near, int reach);

#endif
