/* Smaller copies of pictures: each pixel is the mean of those that it covers. */
#ifndef SATBLUR_APP_SHRINK_H
#define SATBLUR_APP_SHRINK_H

#include <satblur.h>

#include <stdbool.h>

typedef struct shrink_span { /* of samples, in one direction */
    int from, to;
} shrink_span;

/* Returns the samples of `size` that cell `at` of `cells` covers, at least one. */
shrink_span shrink_span_of(int at, int cells, int size);

/* Returns the middle one of them. */
shrink_span shrink_middle_of(shrink_span s);

/* Fills an image of that width and height, with the channels and bits of the other one, into memory for pixels_free(). is_map:
 * it gets the pixels in the middle instead of means. False: memory ran out. */
bool shrink_image(const satb_image *from, satb_image *to, bool is_map);

#endif
