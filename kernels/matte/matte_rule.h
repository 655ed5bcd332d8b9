/* The sides of a matte. */
#ifndef SATK_MATTE_RULE_H
#define SATK_MATTE_RULE_H

#include "common/plane.h"

/* A pixel belongs to the background (coverage 0), to the subject (255), or to both. */
enum { SATK_BACKGROUND, SATK_SUBJECT, SATK_SIDES, SATK_BOTH_SIDES = SATK_SIDES };

SATK_FN int satk_matte_side(uint32_t cover)
{
    return cover == 0 ? SATK_BACKGROUND : cover == UINT8_MAX ? SATK_SUBJECT : SATK_BOTH_SIDES;
}

/* Return a row of a plane, and the sample of one channel at a pixel. */
SATK_FN void *satk_row_of(const satk_plane *plane, int y)
{
    return (uint8_t *)plane->data + y * plane->pitch;
}

SATK_FN uint32_t satk_sample_at(const satk_plane *plane, int x, int y, int channel)
{
    return satk_code(satk_row_of(plane, y), (size_t)x * (size_t)plane->channels + (size_t)channel,
                     plane->bits);
}

SATK_FN void satk_put_sample(const satk_plane *plane, int x, int y, int channel, uint32_t code)
{
    satk_put_code(satk_row_of(plane, y), (size_t)x * (size_t)plane->channels + (size_t)channel,
                  plane->bits, code);
}

#endif
