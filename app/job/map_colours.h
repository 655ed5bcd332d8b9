/* Depth maps in false colours, and how much of a map has colours at all. */
#ifndef SATBLUR_APP_MAP_COLOURS_H
#define SATBLUR_APP_MAP_COLOURS_H

#include "engine/engine.h"

/* Finds the shares of colours in one row of four. A map without colours has none. False: p has the line. */
bool colours_find(const satb_image *map, satb_colours *found, const char *name, problem *p);

/* Replaces a depth map's colours by the codes that they stand for, as --depth-colormap says. With `auto` a map whose colours
 * are of no scale stays as it is. Prints a note on the scale. *found gets the shares of
 * colours that are left, but for those of --depth-colormap none. False: p has the line; the colours fit several scales, or not
 * the one that is named. */
bool map_read_colours(engine_request *q, satb_colours *found, problem *p);

typedef struct scale_words {
    char text[128];
} scale_words;

/* Returns "inferno, magma, ... or spectral": all scales that a map's colours are compared with. */
scale_words map_scale_words(void);

#endif
