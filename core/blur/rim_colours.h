/* The colours of rims: a pixel that the subject covers in part shows a mixture, of which a surface has its own part. Runs on
 * the host. */
#ifndef SATB_RIM_COLOURS_H
#define SATB_RIM_COLOURS_H

#include "base/context.h"
#include "matte/separate.h"

/* Makes *out the picture with the colours of one side alone at some pixels: where sides is SATK_COLOUR_SUBJECT or
 * SATK_COLOUR_BACKGROUND. matte: the subject's part in 1/255. All are of one size and in host memory. matte/separate.h has
 * the definition. *out owns memory, which the caller gives back (out->data, satb_give()). Errors: NOMEM, with nothing to
 * give back: out->data is NULL then. */
satb_status satb_separate_colours(satb_context *context, const satb_image *picture,
                                  const satb_image *matte, const satb_image *sides,
                                  satb_image *out);

#endif
