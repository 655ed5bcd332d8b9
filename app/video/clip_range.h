/* The range of the depths of a clip, so that its maps share one scale. */
#ifndef SATBLUR_APP_CLIP_RANGE_H
#define SATBLUR_APP_CLIP_RANGE_H

#include "video/clip.h"

/* Reads all maps of a clip that are scaled by their own numbers (maps of numbers, codes with a unit, a range in per cent), on
 * that many threads, and sets their common range in o as --depth-range does. Other maps keep their scale, and are not read
 * here. False: p has the line; a pipe, which is read once, is refused then. */
bool clip_range_find(const clip *maps, const decode_settings *settings, int threads, options *o,
                     problem *p);

#endif
