/* The arithmetic of matte_plane.h. */
#ifndef SATK_MATTE_PLANE_RULE_H
#define SATK_MATTE_PLANE_RULE_H

#include "matte/matte_plane.h"
#include "matte/matte_rule.h"
#include "matte/matte_tap_rule.h"

#define SATK_MATTE_NOISE 7 /* codes of 8 bits */

/* Returns whether the matte's samples lie between the picture's pixels. */
SATK_FN int satk_matte_is_resized(const satk_matte_plane *job)
{
    return job->src.width != job->dst.width || job->src.height != job->dst.height;
}

/* Returns the coverage in 1/255 of a code. */
SATK_FN uint8_t satk_matte_cover(uint32_t code, int bits)
{
    const uint32_t white = (1u << bits) - 1;
    const uint32_t cover = (UINT8_MAX * code + white / 2) / white;

    return (uint8_t)(cover <= SATK_MATTE_NOISE               ? 0
                     : cover >= UINT8_MAX - SATK_MATTE_NOISE ? UINT8_MAX
                                                             : cover);
}

/* Returns the coverage between four samples of a channel. */
SATK_FN uint8_t satk_matte_cover_between(const satk_plane *src, int channel, satk_matte_tap x,
                                         satk_matte_tap y)
{
    const size_t channels = (size_t)src->channels;
    const uint32_t above =
        satk_matte_across(satk_row_of(src, y.a), channels, (size_t)channel, src->bits, x);
    const uint32_t below =
        satk_matte_across(satk_row_of(src, y.b), channels, (size_t)channel, src->bits, x);

    return satk_matte_cover(satk_matte_down(above, below, y), 16);
}

#endif
