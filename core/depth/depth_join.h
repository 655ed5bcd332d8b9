/* Pixels that show two surfaces of depth, by the host: surface_join_cpu.h has the definition. */
#ifndef SATB_DEPTH_JOIN_H
#define SATB_DEPTH_JOIN_H

#include "base/context.h"

/* Joins mixed pixels of a map, one channel, to the nearer surface. picture: of the map's size. near_black: 1: small codes
 * are near. *out is the map itself if no pixel is mixed; otherwise it owns memory, which the caller gives back (out->data,
 * satb_give()). *mixed: the number of pixels joined. Errors: NOMEM. */
satb_status satb_join_surfaces(satb_context *context, const satb_image *map,
                               const satb_image *picture, int near_black, satb_image *out,
                               size_t *mixed);

#endif
