/* Refuses what is certainly no map or matte of the picture, and doubts what a map rarely is. */
#ifndef SATBLUR_APP_MAP_CHECK_H
#define SATBLUR_APP_MAP_CHECK_H

#include "engine/engine.h"
#include "job/map_colours.h"

/* Looks at a request's map before the work. False: p has the line; the map is the picture itself, shows it beside a map, is
 * a picture in strong colours, or lies where the picture stands. Prints a note if its proportions are others, if its
 * channels differ, or if it looks like the picture in gray. The last is not looked at if either is on a GPU; for the rest,
 * what is needed of pixels on a GPU is fetched. known: the shares of colours in the map; NULL: they are looked for. */
bool map_accept(const engine_request *q, const satb_colours *known, problem *p);

/* Looks at a request's matte or another mask before the work. False: p has the line; the mask lies where the picture
 * stands, or is a picture in strong colours whose alpha says nothing. Prints a note if its proportions are others. */
bool mask_accept(const engine_request *q, source_role role, problem *p);

/* Looks at the part of the picture that the matte covered. False: p has the line; the matte alone marks no subject. Prints a
 * note if a map is blurred as if there was no matte. */
bool matte_doubt(const engine_request *q, problem *p);

/* Returns whether a depth map was given without a word on its near end. */
bool map_near_is_assumed(const engine_request *q);

/* Prints a note if that seems to be the other end, as the map's lower part is farther than its upper part. Maps on a GPU are
 * not looked at. */
void map_doubt_near(const engine_request *q);

/* Prints a note if a depth map's values fill at most an eighth of their scale, and no --depth-range is given. */
void map_doubt_range(const engine_request *q);

#endif
