/* Doubts about a map: what a depth map rarely is, and which option would help. */
#ifndef SATBLUR_APP_MAP_ADVICE_H
#define SATBLUR_APP_MAP_ADVICE_H

#include "engine/engine.h"

/* Prints a note if the map's proportions are not the picture's, if its channels differ, and if its depths fill at most a
 * sixteenth of its scale. Of a map on a GPU, only the first is looked at. */
void map_advice(const engine_request *q);

#endif
