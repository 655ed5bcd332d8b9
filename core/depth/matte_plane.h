/* A matte: how much of each pixel the subject covers. Runs on the host. */
#ifndef SATB_MATTE_PLANE_H
#define SATB_MATTE_PLANE_H

#include "base/context.h"

/* Makes *plane the matte at width x height pixels, in 8 bits: its alpha, if it has one that is not the same everywhere, else
 * its first channel. A matte of another size is interpolated. Up to 7/255 is black, and from 248/255 on is white, since
 * programs that make mattes leave a few codes of noise. *plane owns memory, which the caller gives back (plane->data,
 * satb_give()). Errors: ARG, NOMEM, DEVICE_NOMEM, DEVICE; with nothing to give back. */
satb_status satb_open_matte_plane(satb_context *context, const satb_image *matte, int width,
                                  int height, satb_image *plane);

/* Returns the mean of a plane, 0 .. 1. */
double satb_matte_mean(const satb_image *plane);

#endif
