/* Fills unknown depth: code 0 of sensors' maps. Runs on the host for both back ends, in integers. */
#ifndef SATB_DEPTH_HOLES_H
#define SATB_DEPTH_HOLES_H

#include "base/context.h"

/* Returns the meaning of SATB_HOLES_DEFAULT with this map; other choices stay. */
satb_holes satb_holes_of(const satb_image *map, const satb_dof_params *params);

/* Makes *out the map, one channel, without holes. how: the result of satb_holes_of(). *out is the map itself if nothing has
 * to be changed; otherwise it owns memory, which the caller gives back (out->data, satb_give()). *holes: the number of
 * samples with code 0, or 0 if that is no hole. Errors: NOMEM. */
satb_status satb_fill_holes(satb_context *context, const satb_image *map, const satb_image *picture,
                            satb_holes how, int near_black, satb_image *out, size_t *holes);

#endif
