/* The depth in focus: found in a picture and its map, or the median of a window. */
#ifndef SATB_DEPTH_FOCUS_H
#define SATB_DEPTH_FOCUS_H

#include "base/context.h"
#include "depth/focus_vote.h"

/* Finds the focus if the caller names none, as satblur.h says at satb_focus. The map is made ready: it has one channel and
 * the picture's size. Either may be on the device. orientation: of the picture, 1 .. 8. lens: from codes to
 * disparities. Errors: NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_find_focus(satb_context *context, const satb_image *picture, const satb_image *map,
                            int orientation, const satk_lens *lens, satb_found_focus *found);

/* Returns the bytes that it takes of SATB_SLOT_STATS for a map of these bits. */
size_t satb_focus_bytes(int bits);

#endif
