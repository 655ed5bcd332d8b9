/* The arithmetic of unmix.h, shared by the host and the device. */
#ifndef SATK_UNMIX_RULE_H
#define SATK_UNMIX_RULE_H

#include "cover/unmix.h"

/* Returns the near surface's light in `a` sixteenths of a pixel, in sixteenths of a sample. */
SATK_FN int64_t satk_near_light(int64_t own, int64_t behind, int a)
{
    return 16 * own - (16 - a) * behind;
}

/* Returns the least number of sixteenths, at least a, for which the near surface has a sample. */
SATK_FN int satk_least_part(int64_t own, int64_t behind, int64_t white, int a)
{
    int64_t light = satk_near_light(own, behind, a);

    while (light < 0 || light > a * white)
        light = satk_near_light(own, behind, ++a);
    return a;
}

/* Unmixes a mixed pixel. */
SATK_FN void satk_unmix_pixel(const satk_unmix *job, int x, int y)
{
    const satk_plane *const picture = &job->picture;
    const int colours = picture->channels - satk_has_alpha(picture->channels);
    const size_t at = (size_t)y * (size_t)picture->width + (size_t)x;
    uint8_t *const cover = (uint8_t *)job->cover.data + y * job->cover.pitch + x;
    void *const row = (uint8_t *)picture->data + y * picture->pitch;
    int64_t own[3], behind[3];
    uint32_t codes[4];
    int a = (16 * *cover + 127) / UINT8_MAX;

    if (*cover == UINT8_MAX)
        return;
    satk_get_pixel(row, x, picture->channels, picture->bits, codes);
    for (int c = 0; c < colours; c++) {
        own[c] = job->tone.decode ? job->tone.decode[codes[c]] : codes[c];
        behind[c] = job->behind[job->rims.behind[c][at]];
        a = satk_least_part(own[c], behind[c], job->behind[UINT8_MAX], a);
    }
    *cover = (uint8_t)((UINT8_MAX * a + 8) / 16);
    for (int c = 0; c < colours; c++) {
        const int64_t near = (satk_near_light(own[c], behind[c], a) + a / 2) / a;
        if (near != own[c]) /* or the half float keeps its bits */
            codes[c] = job->tone.half ? satk_half_float((uint64_t)near)
                                      : satk_encoded(&job->tone, (uint64_t)near);
    }
    satk_put_pixel(row, x, picture->channels, picture->bits, codes);
}

#endif
