/* A gain map: how much brighter a picture (the base) is on a display of high dynamic range. After ISO 21496-1, and Adobe's
 * gain map specification 1.0, which has the same formula. For a channel, all in linear light with 1 for the base's white,
 *     light = (base + base_offset) * 2^g - light_offset,    g = least + (most - least) * (code / 255)^(1 / gamma)
 * on a display that is bright enough to show all of it. Apple's maps before that standard have
 *     light = base * (1 + (2^most - 1) * v),    v: light of the code by the curve of BT.709
 * The map lies over the whole base, and its codes are interpolated. */
#ifndef SATBLUR_APP_GAIN_MAP_H
#define SATBLUR_APP_GAIN_MAP_H

#include "base/message.h"

#include <satblur.h>

#include <stdbool.h>

typedef struct gain_channel {
    double least, most; /* log2 of the gain, at the smallest and the largest code */
    double gamma;
    double base_offset, light_offset;
} gain_channel;

/* dark and bright are log2 of a display's white over the base's: beyond dark the gain counts, from bright on in full. */
typedef struct gain_map {
    satb_image image;   /* of the host's, dense, gray or RGB; for pixels_free(). data NULL: none */
    gain_channel of[3]; /* red, green, blue; where they differ, a new map has three channels */
    double dark, bright;
    bool is_apples; /* of Apple's formula; all numbers but most and bright are neutral */
} gain_map;

/* Numbers beyond these are of no real picture. */
enum { GAIN_LOG2_MOST = 32, GAIN_GAMMA_MOST = 20 };

/* Returns whether all numbers are finite and in range and order. */
bool gain_map_is_sound(const gain_map *g);

/* Returns the gain at a share of the largest code. */
double gain_map_at(const gain_map *g, int channel, double share);

/* Returns whether the three channels have the same numbers. */
bool gain_map_is_plain(const gain_map *g);

/* Makes half floats of a dense picture's codes of 8 or 16 bits, which are read as sRGB's, and of its map, which is no larger and
 * has no colours if the picture has none. Light below 0 becomes 0, then colours get other primaries by the matrix (NULL: they keep
 * theirs), and are multiplied by alpha. light->data is for pixels_free(). False: p has a sentence. */
bool gain_map_light(const gain_map *g, const satb_image *base, double (*matrix)[3], int threads,
                    satb_image *light, problem *p);

/* A base and its light, before and after the work: dense, of one size, and without alpha. */
typedef struct gain_pictures {
    const satb_image *base_before, *light_before, *base, *light;
} gain_pictures;

/* Makes the map of the pictures after the work, of old's size and 8 bits, by the first formula. Where an area of the map did not
 * change, its code stands for the old gain. Elsewhere it stands for the area's mean light over its mean base: of luminance, if the
 * map is gray. least and most stay unless a gain is beyond them. made->image.data is for pixels_free(). False: p has a sentence. */
bool gain_map_measure(const gain_pictures *pictures, const gain_map *old, gain_map *made,
                      problem *p);

#endif
