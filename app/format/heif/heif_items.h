/* The items of a HEIF file: the pictures, what they are made of, their properties, and where their data lies. The file is
 * read by strict rules: libheif and others must find the same in it. */
#ifndef SATBLUR_APP_HEIF_ITEMS_H
#define SATBLUR_APP_HEIF_ITEMS_H

#include "format/heif/heif_entry.h"

/* Reads the items, for free(). NULL: p has a sentence. The file's memory must stay. */
heif_items *heif_items_read(bytes file, problem *p);

/* Returns what the properties of an item say. A file that is damaged has none. */
heif_properties heif_properties_of(bytes file, uint32_t id);

#endif
