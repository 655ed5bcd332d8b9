#include "check/oracle.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 u128;

/* Returns the part of an axis's window at a distance from its centre, in 1/256. */
static uint64_t weight_at(int distance, uint32_t radius)
{
    const int whole = (int)(radius / 256);

    return distance <= whole ? 256 : distance == whole + 1 ? radius % 256 : 0;
}

static u128 divided(u128 a, u128 b)
{
    return (2 * a + b) / (2 * b); /* half up */
}

/* Returns the weight that a source gives to the pixel dx, dy beside it. */
static u128 given(const oracle_spread *spread, uint32_t radius, int dx, int dy)
{
    const u128 share = (u128)weight_at(dx, radius) * weight_at(dy, radius);
    const u128 side = 256 * (2 * (u128)(radius / 256) + 1) + 2 * (radius % 256);

    return share ? divided(share << spread->bits, side * side) : 0;
}

static void spread_pixel(const oracle_spread *spread, int x, int y, oracle_codes *codes)
{
    const oracle_plane *const src = &spread->src;
    const int alpha = src->channels % 2 == 0 ? src->channels - 1 : -1;
    u128 sum[4] = {0}, all = 0;
    uint64_t sample[4];

    for (int j = 0; j < src->height; j++)
        for (int i = 0; i < src->width; i++) {
            const uint32_t radius = spread->lut[oracle_code(&spread->map, i, j, 0)];
            const u128 g = given(spread, radius, abs(i - x), abs(j - y));
            if (!g)
                continue;
            oracle_samples(src, &spread->look, i, j, sample);
            all += g;
            for (int c = 0; c < src->channels; c++)
                sum[c] += g * sample[c];
        }
    const u128 weight = spread->look.weighted && alpha >= 0 ? sum[alpha] : all;
    for (int c = 0; c < src->channels; c++) {
        const u128 by = c == alpha ? all : weight;
        codes->c[c] = oracle_code(src, x, y, c);
        if (by)
            codes->c[c] = oracle_code_of(&spread->look, src->bits, c == alpha,
                                         (uint32_t)divided(sum[c], by), codes->c[c]);
    }
}

void oracle_spreads(const oracle_spread *spread, const oracle_pixel *pixels, size_t count,
                    oracle_codes *codes)
{
#pragma omp parallel for schedule(dynamic, 16) if (count > 64)
    for (size_t i = 0; i < count; i++)
        spread_pixel(spread, pixels[i].x, pixels[i].y, &codes[i]);
}
