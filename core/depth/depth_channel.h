/* Depth maps as pictures: what codes occur, where the focus is, and how a map gets the size of its
 * photo. Runs on the host; the maps are small beside the tables. */
#ifndef SATB_DEPTH_H
#define SATB_DEPTH_H

#include "base/context.h"
#include "depth/lens.h"

/* How often each code of the first channel occurs in the rectangle x0 <= x < x1, y0 <= y < y1.
 * counts has 2^bits entries and is overwritten. 0: out of memory. */
int satb_count_codes(satb_context *context, const satb_image *map, int x0, int y0, int x1, int y1,
                     uint32_t *counts);

/* The disparity in focus when nobody says: the strongest mode of the disparity histogram (256 bins,
 * smoothed) among the nearer half of the disparities that occur, then the mean of the disparities
 * in that mode. disparity and counts have n entries, by code; at least one count is not 0. */
double satb_auto_focus(const double *disparity, const uint32_t *counts, size_t n);

/* The median code of counts. */
uint32_t satb_median_code(const uint32_t *counts, size_t n);

/* A copy of a map of one channel in memory of its own, which the caller gives back (out->data, satb_give()).
 * 0: out of memory. */
int satb_copy_map(satb_context *context, const satb_image *map, satb_image *out);

/* The map's first channel. *out is the map itself where it has no other; otherwise it owns memory,
 * which the caller gives back (out->data, satb_give()). Errors: NOMEM. */
satb_status satb_first_channel(satb_context *context, const satb_image *map, satb_image *out);

/* The map's first channel at width x height, 16 bits, bilinear with pixel centres aligned. *out
 * owns memory, which the caller gives back (out->data, satb_give()). Errors: NOMEM. */
satb_status satb_resample(satb_context *context, const satb_image *map, int width, int height,
                          satb_image *out);

#endif
