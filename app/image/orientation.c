#include "image/orientation.h"

#include "image/pixels.h"

#include <stdlib.h>
#include <string.h>

bool orientation_swaps(int orientation)
{
    return orientation >= 5;
}

int orientation_inverse(int orientation)
{
    return orientation == 6 ? 8 : orientation == 8 ? 6 : orientation;
}

/* EXIF 2.3, 4.6.4: 2 is mirrored, 3 turned by 180 degrees, 4 upside down; 5 to 8 have rows as columns, and become upright
 * by a turn: 6 clockwise, 8 the other way. */
void orientation_point_to_stored(int orientation, int width, int height, int *x, int *y)
{
    const int right = width - 1 - *x, down = height - 1 - *y, left = *x, up = *y;
    switch (orientation) {
    case 2: *x = right; break;
    case 3: *x = right, *y = down; break;
    case 4: *y = down; break;
    case 5: *x = up, *y = left; break;
    case 6: *x = up, *y = right; break;
    case 7: *x = down, *y = right; break;
    case 8: *x = down, *y = left; break;
    default: break;
    }
}

/* Copies pixels. A constant size makes memcpy() a move or two. */
static inline void copy_each(uint8_t *to, const uint8_t *from, ptrdiff_t step, int count,
                             size_t pixel)
{
    for (int i = 0; i < count; i++)
        memcpy(to + (size_t)i * pixel, from + i * step, pixel);
}

static void copy_row(uint8_t *to, const uint8_t *from, ptrdiff_t step, int count, size_t pixel)
{
    switch (pixel) {
    case 1: copy_each(to, from, step, count, 1); break;
    case 2: copy_each(to, from, step, count, 2); break;
    case 3: copy_each(to, from, step, count, 3); break;
    case 4: copy_each(to, from, step, count, 4); break;
    case 6: copy_each(to, from, step, count, 6); break;
    default: copy_each(to, from, step, count, 8);
    }
}

/* Works in tiles, as pixels below each other may come from one row. */
void orientation_copy(const satb_image *from, const satb_image *to, int orientation)
{
    enum { TILE = 64 };
    const size_t pixel = (size_t)(to->channels * to->bits / 8);
    for (int top = 0; top < to->height; top += TILE) {
        const int bottom = to->height - top < TILE ? to->height : top + TILE;
        for (int left = 0; left < to->width; left += TILE) {
            const int count = to->width - left < TILE ? to->width - left : TILE;
            for (int y = top; y < bottom; y++) {
                int x0 = left, y0 = y, x1 = left + 1, y1 = y;
                orientation_point_to_stored(orientation, to->width, to->height, &x0, &y0);
                orientation_point_to_stored(orientation, to->width, to->height, &x1, &y1);
                const ptrdiff_t step =
                    (x1 - x0) * (ptrdiff_t)pixel + (y1 - y0) * (ptrdiff_t)from->stride;
                copy_row((uint8_t *)to->data + y * to->stride + (size_t)left * pixel,
                         (const uint8_t *)from->data + y0 * from->stride + (size_t)x0 * pixel, step,
                         count, pixel);
            }
        }
    }
}

bool orientation_apply(satb_image *image, int orientation)
{
    satb_image turned = *image;
    if (orientation == 1)
        return true;
    if (orientation_swaps(orientation)) {
        turned.width = image->height;
        turned.height = image->width;
    }
    if (!pixels_make(&turned, NULL))
        return false;
    orientation_copy(image, &turned, orientation);
    pixels_free(image->data);
    *image = turned;
    return true;
}
