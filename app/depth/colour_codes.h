/* The codes behind the colours of a depth map: which scale the colours are of, and each pixel's place on it. */
#ifndef SATBLUR_APP_COLOUR_CODES_H
#define SATBLUR_APP_COLOUR_CODES_H

#include "depth/colour_scale.h"

#include <satblur.h>

#include <stdbool.h>
#include <stdint.h>

/* A scale, and how well a map's colours fit it. */
typedef struct colour_match {
    colour_scale scale;
    bool rounded; /* for colour_scale_table() */
    bool
        exact; /* nine tenths of the pixels have the colours of the table, give or take 1 in a channel */
    double
        share; /* of the pixels, or of the vivid ones if less, that have those colours but for JPEG's noise; 0 to 1 */
    double distance; /* the mean of those from the table, in units of its own */
    int codes;       /* different ones that were met */
} colour_match;

typedef enum colour_verdict { COLOURS_FOUND, COLOURS_UNKNOWN, COLOURS_AMBIGUOUS } colour_verdict;

/* Compares a map on the host, with 3 or 4 channels, with one scale. Up to 4096 pixels are looked at. */
colour_match colour_compare(const satb_image *map, colour_scale scale);

/* Compares a map with all scales. found: the best of them, and the next. COLOURS_UNKNOWN: a seventh or more of the map fits
 * none, or it has too few colours to tell. COLOURS_AMBIGUOUS: both fit, and their codes differ. */
colour_verdict colour_find(const satb_image *map, colour_match found[2]);

/* Reads the codes of all pixels, width * height of them. Pixels whose colours are no ones of the scale, or lie where colours
 * change too fast for a JPEG, get the best one of the codes around. *foreign: the pixels of no colour of the scale that lie
 * deeper in their like than any JPEG mixes colours, as those of a border or a legend do. False: memory ran out. */
bool colour_read(const satb_image *map, const colour_match *match, uint8_t *codes, size_t *foreign);

/* Reads 24-bit values as codes of 16 bits. Red is the highest byte, or the lowest one. */
void colour_unpack(const satb_image *map, bool red_is_low, uint16_t *codes);

#endif
