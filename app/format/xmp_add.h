/* Adds properties to an XMP packet. */
#ifndef SATBLUR_APP_XMP_ADD_H
#define SATBLUR_APP_XMP_ADD_H

#include "base/blob.h"

/* Adds an rdf:Description, given without its begin `<rdf:Description rdf:about=""`, to the packet, or to a new packet in an
 * empty blob. False: the packet has no place for it, and stays, or memory ran out, which packet->failed tells. */
bool xmp_add(blob *packet, bytes description);

#endif
