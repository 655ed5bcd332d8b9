/* Panoramas: what a picture's XMP says of itself. */
#ifndef SATBLUR_APP_PANORAMA_H
#define SATBLUR_APP_PANORAMA_H

#include "metadata/metadata_fields.h"

/* Returns whether the picture shows all directions, so that its left and right sides meet: it is twice as wide as high, and
 * its XMP names an equirectangular projection that is not cut (Google's Photo Sphere XMP Metadata). */
bool panorama_is_whole(const metadata *m, int width, int height);

#endif
