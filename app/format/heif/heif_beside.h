/* What a HEIF file holds beside its primary picture. */
#ifndef SATBLUR_APP_HEIF_BESIDE_H
#define SATBLUR_APP_HEIF_BESIDE_H

#include "format/beside.h"

/* Names all that belongs to no primary picture's pixels: auxiliary pictures but alpha, further pictures, and the groups that they
 * make; an animation, a motion video. Thumbnails do not count. A file that is damaged has none. */
void heif_beside(bytes file, beside_names *names);

#endif
