/* Images that are mirrored, upside down and transposed. */
#ifndef SATB_TESTS_TURNED_H
#define SATB_TESTS_TURNED_H

#include "unit/core/unit_drawn.h"

enum { MIRRORED = 1, FLIPPED = 2, TURNED = 4, TURNS = 8 };

/* Returns an image of one channel after a turn. */
static inline satb_image turned(const satb_image *map, int how)
{
    const int w = how & TURNED ? map->height : map->width;
    const int h = how & TURNED ? map->width : map->height;
    const satb_image out = blank(w, h, 1, map->bits);

    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++) {
            const int i = how & MIRRORED ? map->width - 1 - x : x;
            const int j = how & FLIPPED ? map->height - 1 - y : y;
            put(&out, how & TURNED ? j : i, how & TURNED ? i : j, 0, sample(map, x, y, 0));
        }
    return out;
}

#endif
