/* The definition that the CPU and the CUDA code of highlight.h and points.h share. Functions are inlined with constant
 * channels and bits. */
#ifndef SATK_HIGHLIGHT_RULE_H
#define SATK_HIGHLIGHT_RULE_H

#include "highlight/highlight.h"

SATK_FN int satk_light_colours(int channels)
{
    return satk_has_alpha(channels) ? channels - 1 : channels;
}

SATK_FN uint32_t satk_brightest(const uint32_t *codes, int channels)
{
    uint32_t most = codes[0];

    for (int c = 1; c < satk_light_colours(channels); c++)
        most = codes[c] > most ? codes[c] : most;
    return most;
}

SATK_FN const satk_disc *satk_disc_at(const satk_disc *discs, const satk_plane *map, int x, int y)
{
    const uint8_t *const row = (const uint8_t *)map->data + y * map->pitch;

    return &discs[satk_code(row, (size_t)x * (size_t)map->channels, map->bits)];
}

/* Returns the least code that was clipped. */
SATK_FN uint32_t satk_clipped_from(int bits)
{
    return (1u << bits) - (1u << (bits - 6));
}

/* Returns 1 if a pixel was clipped; brightest: its code. */
SATK_FN int satk_is_clipped(uint32_t brightest, int bits)
{
    return brightest >= satk_clipped_from(bits);
}

/* Returns 1 if a light was taken out of src at x, y; 0 beside the picture, too. */
SATK_FN int satk_is_light(const satk_plane *src, const satk_plane *base, int x, int y, int channels,
                          int bits)
{
    uint32_t codes[4], rest[4];
    int differs = 0;

    if (x < 0 || y < 0 || x >= src->width)
        return 0;
    satk_get_pixel((const uint8_t *)src->data + y * src->pitch, x, channels, bits, codes);
    satk_get_pixel((const uint8_t *)base->data + y * base->pitch, x, channels, bits, rest);
    for (int c = 0; c < satk_light_colours(channels); c++)
        differs |= codes[c] != rest[c];
    return differs;
}

/* Returns what a pixel adds to the number of lamps: 1 for a light that begins one, -1 for one that joins two. The sum is
 * Euler's number: of areas whose pixels meet at sides or corners, less their holes. */
SATK_FN int satk_points_at(const satk_highlight *job, int x, int y, int channels, int bits)
{
    const satk_plane *const src = &job->src, *const base = &job->base;

    if (!satk_is_light(src, base, x, y, channels, bits) ||
        satk_is_light(src, base, x, y - 1, channels, bits))
        return 0;
    return !(satk_is_light(src, base, x - 1, y, channels, bits) ||
             satk_is_light(src, base, x - 1, y - 1, channels, bits)) -
           satk_is_light(src, base, x + 1, y - 1, channels, bits);
}

#endif
