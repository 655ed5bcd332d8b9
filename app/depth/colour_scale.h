/* Colour scales that programs draw depth maps with: 256 colours each, for the codes 0 to 255. */
#ifndef SATBLUR_APP_COLOUR_SCALE_H
#define SATBLUR_APP_COLOUR_SCALE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum colour_scale {
    COLOURS_INFERNO,
    COLOURS_MAGMA,
    COLOURS_PLASMA,
    COLOURS_VIRIDIS,
    COLOURS_TURBO,
    COLOUR_LISTS,               /* those before are lists of colours; the others are computed */
    COLOURS_JET = COLOUR_LISTS, /* matplotlib's */
    COLOURS_OPENCV_JET,
    COLOURS_SPECTRAL,
    COLOUR_SCALES
} colour_scale;

/* --depth-colormap: how a map's colours become codes. A scale s is COLORMAP_NAMED + 2 s, and 1 more reversed. */
enum { COLORMAP_AUTO, COLORMAP_NONE, COLORMAP_PACKED, COLORMAP_PACKED_LOW, COLORMAP_NAMED };

typedef struct colour_table {
    uint8_t rgb[256][3];
} colour_table;

extern const char *const colour_scale_lists[COLOUR_LISTS];

/* Returns "inferno", ...: static memory. */
const char *colour_scale_name(colour_scale scale);

/* Returns the scale's colours in 8 bits. rounded: as OpenCV writes them; otherwise cut off, as matplotlib does.
 * OpenCV's jet has but one form. */
colour_table colour_scale_table(colour_scale scale, bool rounded);

/* Returns whether the near end is usually the code 0: of spectral it is, whose red is there. */
bool colour_scale_is_near_first(colour_scale scale);

#endif
