/* What libheif would do with a HEIF file, before it sees it: derived pictures whose parts form a ring end a program, and a
 * small file can make it decode for hours. */
#ifndef SATBLUR_APP_HEIF_GRAPH_H
#define SATBLUR_APP_HEIF_GRAPH_H

#include "format/heif/heif_items.h"

typedef struct heif_colours {
    bool is_gray;     /* the picture that is coded */
    heif_range range; /* of the picture */
    heif_range alpha; /* of its alpha */
} heif_colours;

/* Returns whether a picture may be decoded, and its alpha; the file's items are sound, and in proportion to the size that
 * the picture claims. If not, p has a sentence. root: NULL: the primary picture. colours: NULL: nobody asks. */
bool heif_graph_allows(bytes file, const uint32_t *root, heif_colours *colours, problem *p);

/* Returns how many pixels may be decoded, over all parts, for a picture that claims that size. */
uint64_t heif_graph_pixels(uint64_t width, uint64_t height);

#endif
