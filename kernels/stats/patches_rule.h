/* The arithmetic of patches. */
#ifndef SATK_PATCHES_RULE_H
#define SATK_PATCHES_RULE_H

#include "stats/patches.h"

/* Returns the first pixel of sample i of an axis. Both ends are cut alike. */
SATK_FN int satk_cut_at(const satk_cuts *c, int i)
{
    const int all = c->patches * c->samples;

    return 2 * i <= all ? (int)((int64_t)i * c->side / all)
                        : c->side - (int)((int64_t)(all - i) * c->side / all);
}

/* Returns a pixel's luma: red + 2 green + blue, or gray; times alpha, so that transparent pixels have no detail. */
SATK_FN uint32_t satk_patch_luma(const void *row, int x, int channels, int bits)
{
    const size_t at = (size_t)x * (size_t)channels;
    uint32_t luma = satk_code(row, at, bits);

    if (channels >= 3)
        luma += 2 * satk_code(row, at + 1, bits) + satk_code(row, at + 2, bits);
    if (satk_has_alpha(channels))
        luma = (uint32_t)((uint64_t)luma * satk_code(row, at + (size_t)channels - 1, bits) >> bits);
    return luma;
}

/* Returns the luma of a sample of `pixels` that add up to `sum`. */
SATK_FN int32_t satk_sample_luma(uint64_t sum, uint64_t pixels)
{
    return (int32_t)((sum + pixels / 2) / pixels);
}

#endif
