/* Geometry of sums that slide down a strip of rows, for box_slide.c and box_weigh.c. */
#ifndef SATK_BOX_STRIP_H
#define SATK_BOX_STRIP_H

#include "box/box.h"

static inline size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Returns a whole radius, no larger than makes a difference. */
static inline int reach(uint32_t radius, int side)
{
    return satk_smaller((int)(radius / SATK_ONE), side - 1);
}

/* Returns the pixels of an axis that a window around x has inside. */
static inline int inside(int x, int radius, int side)
{
    return satk_smaller(x + radius, side - 1) - (x > radius ? x - radius : 0) + 1;
}

static inline int most_inside(int radius, int side)
{
    return satk_smaller(2 * radius + 1, side);
}

/* The rows of the picture that change one row's windows into the next's; NULL: none. */
typedef struct move {
    const uint8_t *enter, *leave;
} move;

static inline const uint8_t *row_of(const satk_plane *src, int y)
{
    return (const uint8_t *)src->data + y * src->pitch;
}

/* Returns the change to row y of a strip, whose sums are those of rows y - 1 - ry to y - 1 + ry; at
 * its first row, those from y - ry on. */
static inline move move_to(const satk_plane *src, int y, int first, int ry)
{
    return (move){y + ry < src->height ? row_of(src, y + ry) : NULL,
                  y > first && y > ry ? row_of(src, y - ry - 1) : NULL};
}

#endif
