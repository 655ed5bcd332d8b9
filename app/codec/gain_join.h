/* A JPEG with its gain map behind it. */
#ifndef SATBLUR_APP_GAIN_JOIN_H
#define SATBLUR_APP_GAIN_JOIN_H

#include "codec/codec.h"

/* Encodes the picture and its map as JPEGs, one behind the other, with all that names the map: XMP (hdrgm, and the container's
 * list), ISO 21496-1, and the index of CIPA DC-007. Returns as codec_encode() does. */
const char *gain_join(const codec *jpeg, const satb_image *image, const gain_map *gain,
                      const encode_settings *settings, sink *to, problem *p);

#endif
