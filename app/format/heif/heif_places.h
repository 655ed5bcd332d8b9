/* Where the data of items lies, by the iloc box. */
#ifndef SATBLUR_APP_HEIF_PLACES_H
#define SATBLUR_APP_HEIF_PLACES_H

#include "format/heif/heif_entry.h"

/* Reads the places of the items, which are known. False: p has a sentence. */
bool heif_places_read(heif_items *items, bytes iloc, problem *p);

#endif
