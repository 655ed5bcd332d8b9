/* The definition that the CPU and the CUDA code of spread.h share: where a window's differences are, and
 * a pixel from its sums. Functions are inlined with constant channels and bits. */
#ifndef SATK_SPREAD_RULE_H
#define SATK_SPREAD_RULE_H

#include "spread/spread.h"
#include "box/box_rule.h"

/* Lanes of deltas: the colours, the weight, and alpha unless it is the same everywhere. */
#define SATK_SPREAD_MOST_LANES 5

SATK_FN int satk_colours(int channels)
{
    return satk_has_alpha(channels) ? channels - 1 : channels;
}

SATK_FN int satk_spread_lanes(int channels, int opaque)
{
    return satk_colours(channels) + 1 + (satk_has_alpha(channels) && !opaque);
}

/* A window differs from its neighbours at four places of an axis: where its ring and its inner part
 * begin, where the inner part and the ring have ended. Without a ring these are the middle two. */
#define SATK_PLACES 4

SATK_FN int satk_place_at(const satk_splat *s, int centre, int i)
{
    return i < 2 ? centre - s->reach - 1 + i : centre + s->reach - 1 + i;
}

/* The differences at places i and j of the axes are kind[satk_kind_at(i, j)], negative at
 * some: those of nested windows, with a corner's weight and the rises of the parts further in. */
#define SATK_KINDS 3

SATK_FN void satk_kinds(const satk_splat *s, uint64_t *kind)
{
    kind[0] = s->corner;
    kind[1] = s->side - s->corner;
    kind[2] = s->inner - 2 * s->side + s->corner;
}

SATK_FN int satk_kind_at(int i, int j)
{
    return (i == 1 || i == 2) + (j == 1 || j == 2);
}

SATK_FN int satk_is_negative(int i, int j)
{
    return (i < 2) != (j < 2);
}

/* Finds the lanes that pixel x of a row spreads: out[SATK_SPREAD_MOST_LANES]. */
SATK_FN void satk_spread_samples(const satk_spread *job, const void *row, int x, int channels,
                                 int bits, uint64_t *out)
{
    const int colours = satk_colours(channels);

    satk_samples(&job->tone, row, x, channels, bits, out);
    if (colours < channels)
        out[colours + 1] = out[colours];
    out[colours] = 1;
}

SATK_FN const satk_splat *satk_splat_of(const satk_spread *job, int x, int y)
{
    const uint8_t *const row = (const uint8_t *)job->map.data + y * job->map.pitch;

    return &job->splat[satk_code(row, (size_t)x * (size_t)job->map.channels, job->map.bits)];
}

/* Stores dst(x, y) from the sums of its lanes. */
SATK_FN void satk_spread_pixel(const satk_spread *job, int x, int y, const uint64_t *sums,
                               int channels, int bits, int opaque)
{
    const uint8_t *const src = (const uint8_t *)job->src.data + y * job->src.pitch;
    const int colours = satk_colours(channels);
    satk_total t;
    uint32_t codes[4];

    t.area = sums[colours];
    t.narrow = 0;
    for (int c = 0; c < colours; c++)
        t.sum[c] = sums[c];
    if (colours < channels)
        t.sum[colours] = opaque ? t.area * ((1u << bits) - 1) : sums[colours + 1];
    satk_mean_codes(&job->tone, &t, src, x, codes, channels, bits, 0);
    satk_put_pixel((uint8_t *)job->dst.data + y * job->dst.pitch, x, channels, bits, codes);
}

#endif
