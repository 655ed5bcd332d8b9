/* Unknown depth: code 0 of sensors' maps. Runs on the host for both back ends, in integers. */
#ifndef SATB_DEPTH_HOLES_H
#define SATB_DEPTH_HOLES_H

#include "base/context.h"

/* What SATB_HOLES_DEFAULT stands for with this map; other choices as they are. */
satb_holes satb_holes_of(const satb_image *map, const satb_dof_params *params);

/* The map's first channel without holes. how: as satb_holes_of() says. *out is the map itself where
 * nothing has to be changed; otherwise it owns memory, which the caller gives back (out->data,
 * satb_give()). *holes: how many samples have code 0, or 0 where that is no hole. Errors: NOMEM. */
satb_status satb_fill_holes(satb_context *context, const satb_image *map, const satb_image *picture,
                            satb_holes how, int near_black, satb_image *out, size_t *holes);

#endif
