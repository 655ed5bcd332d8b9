/* The first channel of maps of codes: as a map of its own, copied, and counted. Runs on the host. */
#ifndef SATB_DEPTH_CHANNEL_H
#define SATB_DEPTH_CHANNEL_H

#include "base/context.h"

/* Counts the codes of the first channel in the rectangle x0 <= x < x1, y0 <= y < y1 of the map. counts: 2^bits entries,
 * overwritten. Returns 0 if memory ran out. */
int satb_count_codes(satb_context *context, const satb_image *map, int x0, int y0, int x1, int y1,
                     uint32_t *counts);

/* Copies a map of one channel. The caller gives the copy's memory back (out->data, satb_give()). Returns 0 if memory ran
 * out. */
int satb_copy_map(satb_context *context, const satb_image *map, satb_image *out);

/* Makes *out the map's first channel. *out is the map itself if it has no other; otherwise it owns memory, which the
 * caller gives back (out->data, satb_give()). Errors: NOMEM. */
satb_status satb_first_channel(satb_context *context, const satb_image *map, satb_image *out);

#endif
