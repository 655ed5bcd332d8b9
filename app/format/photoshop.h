/* Photoshop's image resources (in JPEG's APP13, TIFF's tag 34377, ImageMagick's texts) and the IPTC records within. */
#ifndef SATBLUR_APP_PHOTOSHOP_H
#define SATBLUR_APP_PHOTOSHOP_H

#include "format/hidden.h"

enum { IPTC_MARK = 0x1c }; /* each data set of IPTC-IIM begins so */

/* Appends the resources, which begin with "8BIM", without those that are no numbers, names, texts or paths: thumbnails,
 * plug-ins' own data, unknown ones. Returns HIDDEN_* flags; nothing is appended that is not understood. */
int photoshop_clean(bytes resources, blob *out);

/* Appends the data sets of IPTC-IIM without previews and objects. Returns HIDDEN_* flags. */
int iptc_clean(bytes records, blob *out);

/* Return what these would. */
int photoshop_find(bytes resources);
int iptc_find(bytes records);

#endif
