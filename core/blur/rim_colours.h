/* The colours of rims: a pixel that the subject covers in part shows a mixture, of which a surface has its own part. Runs on
 * the host. */
#ifndef SATB_RIM_COLOURS_H
#define SATB_RIM_COLOURS_H

#include "base/context.h"

/* What becomes of a pixel's colour. */
enum { SATB_COLOUR_KEEP, SATB_COLOUR_SUBJECT, SATB_COLOUR_BACKGROUND };

/* Makes *out the picture with the colours of one side alone at some pixels: where sides is SATB_COLOUR_SUBJECT or
 * SATB_COLOUR_BACKGROUND. matte: the subject's part m in 1/255. All are of one size and in host memory.
 * The colours F of the subject and B of the background at a pixel are the closest to the mean colours of both sides around
 * that mix to the pixel's: m F + (1 - m) B, by least squares, then cut to the codes that there are. The means are those of
 * the smallest window that has 12 pixels of either side, with 3, 6, 12 .. pixels to each side of its centre. Where the whole
 * picture has less, the pixel keeps its colour. Codes are mixed as they are stored, since programs that make mattes learn
 * from mixtures of codes. Alpha stays. *out owns memory, which the caller gives back (out->data, satb_give()). Errors:
 * NOMEM, with nothing to give back: out->data is NULL then. */
satb_status satb_separate_colours(satb_context *context, const satb_image *picture,
                                  const satb_image *matte, const satb_image *sides,
                                  satb_image *out);

#endif
