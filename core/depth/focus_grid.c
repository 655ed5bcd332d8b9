#include "depth/focus_grid.h"

/* Returns the largest odd number up to n, or 1. */
static int odd_below(int64_t n)
{
    return n < 1 ? 1 : (int)(n - 1 + n % 2);
}

static satk_cuts cuts_of(int side, int longer)
{
    const int most = SATK_MOST_PATCHES;

    if (longer <= most)
        return (satk_cuts){side, side, 1};
    const int patches = odd_below((int64_t)side * most / longer);
    const int samples = satk_smaller(satk_smaller(longer / most, side), SATK_MOST_SAMPLES);
    return (satk_cuts){side, patches, odd_below(samples)};
}

void satb_cut_patches(int width, int height, satk_cuts *across, satk_cuts *down)
{
    const int longer = satk_larger(width, height);

    *across = cuts_of(width, longer);
    *down = cuts_of(height, longer);
}
