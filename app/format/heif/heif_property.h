/* The properties of items, each a box. */
#ifndef SATBLUR_APP_HEIF_PROPERTY_H
#define SATBLUR_APP_HEIF_PROPERTY_H

#include "format/heif/heif_entry.h"

/* Gives the item a property. False: it may have one of the kind, and has one already. */
bool heif_property_take(heif_entry *e, const heif_box *b);

#endif
