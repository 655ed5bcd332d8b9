/* Random planes of coverage. */
#ifndef CHECK_MASK_H
#define CHECK_MASK_H

#include "check/check.h"

/* A coverage of which most is none, half or all, and some just beside those. */
static inline picture check_mask(check *c, int w, int h)
{
    static const int codes[] = {0, 1, 64, 127, 128, 129, 254, 255};
    const shape form = {w, h, 1, 8, random_below(&c->random, 4), random_below(&c->random, 4)};
    picture cover = picture_input(&form, FILL_RANDOM, &c->random);

    for (int i = 0; i < w * h; i++)
        if (random_below(&c->random, 3))
            picture_put(&cover.plane, i % w, i / w, 0,
                        (uint32_t)codes[random_below(&c->random, 8)]);
    return cover;
}

#endif
