/* Views of pictures on the host. */
#ifndef SATBLUR_APP_VIEW_H
#define SATBLUR_APP_VIEW_H

#include "base/message.h"

#include <satblur.h>

#include <stdbool.h>

/* Makes a view of the image on the host, for view_close(). Rows of an image on a GPU are copied. False: p has the line,
 * which begins with the name. */
bool view_open(const satb_image *image, satb_image *view, const char *name, problem *p);

void view_close(const satb_image *image, satb_image *view);

#endif
