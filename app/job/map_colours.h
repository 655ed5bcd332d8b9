/* Depth maps in false colours, and how much of a map has colours at all. */
#ifndef SATBLUR_APP_MAP_COLOURS_H
#define SATBLUR_APP_MAP_COLOURS_H

#include "engine/engine.h"

/* Shares of a map's pixels. */
typedef struct colouring {
    double coloured; /* its channels differ by more than 1/8 of the scale, beyond JPEG's noise */
    double strong;   /* by more than 1/4 of the scale, and by more than a tint of gray */
} colouring;

/* Finds the shares in one row of four. A map without colours has none. False: p has the line. */
bool colouring_find(const satb_image *map, colouring *found, const char *name, problem *p);

/* Returns whether the channels differ in more than a few pixels. */
bool colouring_is_real(const colouring *c);

/* Replaces a depth map's colours by the codes that they stand for, as --depth-colormap says. With `auto` a map whose colours
 * are of no scale stays as it is. Prints a note on the scale. *found gets the shares of
 * colours that are left, but for those of --depth-colormap none. False: p has the line; the colours fit several scales, or not
 * the one that is named. */
bool map_read_colours(engine_request *q, colouring *found, problem *p);

typedef struct scale_words {
    char text[128];
} scale_words;

/* Returns "inferno, magma, ... or spectral": all scales that a map's colours are compared with. */
scale_words map_scale_words(void);

#endif
