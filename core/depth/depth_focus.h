/* The depth in focus, found in a picture and its map. */
#ifndef SATB_DEPTH_FOCUS_H
#define SATB_DEPTH_FOCUS_H

#include "depth/depth_planes.h"
#include "depth/focus_vote.h"

/* Finds the focus if the caller names none, by a vote (focus_vote.h). The map is ready; its planes may be on the device. The
 * subject is what the matte covers, or without one what the mask protects. lens: from codes to disparities. Errors: NOMEM,
 * DEVICE_NOMEM, DEVICE, in depth->at. */
satb_status satb_find_focus(const satb_depth_map *depth, const satb_dof_params *params,
                            const satk_lens *lens, satb_found_focus *found);

/* Returns the bytes that it takes of SATB_SLOT_STATS for a map of these bits. */
size_t satb_focus_bytes(int bits);

#endif
