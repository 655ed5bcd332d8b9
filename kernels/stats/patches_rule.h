/* The arithmetic of patches. */
#ifndef SATK_PATCHES_RULE_H
#define SATK_PATCHES_RULE_H

#include "stats/patches.h"

/* Returns a pixel's luma: red + 2 green + blue, or gray; times alpha, so that transparent pixels have no detail. */
SATK_FN int32_t satk_patch_luma(const void *row, int x, int channels, int bits)
{
    const size_t at = (size_t)x * (size_t)channels;
    int32_t luma = (int32_t)satk_code(row, at, bits);

    if (channels >= 3)
        luma += (int32_t)(2 * satk_code(row, at + 1, bits) + satk_code(row, at + 2, bits));
    if (satk_has_alpha(channels))
        luma = (int32_t)((int64_t)luma * satk_code(row, at + (size_t)channels - 1, bits) >> bits);
    return luma;
}

#endif
