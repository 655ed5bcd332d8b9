#include "blur/pattern.h"

#include <bayer.h>

/* Returns the threshold of pixel x, y of a picture as it is displayed. */
static uint8_t threshold(int x, int y)
{
    return (uint8_t)(2 * satb_bayer((unsigned)x, (unsigned)y) + 1);
}

satk_pattern satb_make_pattern(const satb_image *src, int orientation, int margin)
{
    const int is_swapped = orientation >= 5;
    const int right = (is_swapped ? src->height : src->width) - 1;
    const int bottom = (is_swapped ? src->width : src->height) - 1;
    satk_pattern p;

    for (int row = 0; row < SATK_PATTERN_SIDE; row++)
        for (int column = 0; column < SATK_PATTERN_SIDE; column++) {
            const int x = is_swapped ? row : column, y = is_swapped ? column : row;
            p.threshold[row][(column + margin) % SATK_PATTERN_SIDE] =
                threshold(orientation & 2 ? right - x : x, (orientation - 1) & 2 ? bottom - y : y);
        }
    return p;
}
