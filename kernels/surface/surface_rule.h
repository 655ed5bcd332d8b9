/* The arithmetic of surfaces of depth, shared by the host and the device: differences of codes that count, maps with wide
 * edges, and whether a colour is a mixture of two surfaces'. */
#ifndef SATK_SURFACE_RULE_H
#define SATK_SURFACE_RULE_H

#include "common/rule.h"

/* Returns 1/255 of the full scale, so that a map of 8 bits and the same map in 16 bits (times 257)
 * have the same edges. */
SATK_FN uint32_t satk_code_unit(int bits)
{
    return bits == 8 ? 1 : 257;
}

/* Returns a code of 16 bits in `bits` bits, rounded. */
SATK_FN uint32_t satk_code_in(int bits, uint32_t code)
{
    return bits == 8 ? (code + 128) / 257 : code;
}

/* Returns the difference of codes above which there may be an edge. */
SATK_FN uint32_t satk_least_edge(int bits)
{
    return 4 * satk_code_unit(bits);
}

/* Returns the difference of nearness above which a pixel is beside something nearer. */
SATK_FN uint32_t satk_least_step(int bits)
{
    return 8 * satk_code_unit(bits);
}

/* Returns 1 if a map has fewer samples on edges than an eighth of its longer side. */
SATK_FN int satk_is_few(int width, int height, uint64_t edges)
{
    return edges < (uint64_t)((width > height ? width : height) / 8);
}

/* Returns 1 if a map has few edges or wide ones. A map of half the size may show them better. */
SATK_FN int satk_is_wide(int width, int height, uint64_t edges, uint64_t ramps)
{
    return satk_is_few(width, height, edges) || 5 * ramps > 4 * edges;
}

/* --- Cuts ------------------------------------------------------------------------------------- */

enum {
    SATK_CUT_REACH = 4
}; /* samples to each side: of the largest square that has a ramp's ends */

/* Returns 1 if a square around a sample on a ramp has the ramp's ends: the next larger one's codes differ by less than an
 * eighth more. */
SATK_FN int satk_has_ends(uint32_t range, uint32_t next)
{
    return 8 * next < 9 * range;
}

/* Returns the closer end of a ramp from low to high, of equals high. */
SATK_FN uint32_t satk_closer_end(uint32_t code, uint32_t low, uint32_t high)
{
    return 2 * code >= low + high ? high : low;
}

/* --- Mixtures --------------------------------------------------------------------------------- */

enum { SATK_DEVIATIONS = 4 };

/* Sums over the colours of some of 25 pixels, in linear light of 14 bits. */
typedef struct satk_colour_sums {
    int64_t colour[3], square, count;
} satk_colour_sums;

/* Returns 1 if a colour is further from their mean than SATK_DEVIATIONS of their standard
 * deviations. Both sides are multiplied by the square of their number. */
SATK_FN int satk_is_outside(const int64_t *colour, const satk_colour_sums *s)
{
    int64_t away = 0, variance = s->count * s->square;

    for (int c = 0; c < 3; c++) {
        const int64_t v = s->count * colour[c] - s->colour[c];
        away += v * v;
        variance -= s->colour[c] * s->colour[c];
    }
    return away > SATK_DEVIATIONS * SATK_DEVIATIONS * variance;
}

/* Returns a mean, rounded down. Sums fit 32 bits. */
SATK_FN int64_t satk_mean_colour(const satk_colour_sums *s, int c)
{
    return (uint32_t)s->colour[c] / (uint32_t)s->count;
}

/* Returns 1 if a colour is between their means, and within 18 degrees of the line. Colours have 14
 * bits, so the numbers that are compared are below 10 * (3 * 2^28)^2 < 2^63. */
SATK_FN int satk_is_on_line(const int64_t *colour, const satk_colour_sums *near,
                            const satk_colour_sums *far)
{
    int64_t along = 0, length = 0, own = 0;

    for (int c = 0; c < 3; c++) {
        const int64_t mean = satk_mean_colour(far, c);
        const int64_t d = satk_mean_colour(near, c) - mean, v = colour[c] - mean;
        along += v * d;
        length += d * d;
        own += v * v;
    }
    return along > 0 && along <= length && 10 * along * along > 9 * own * length;
}

#endif
