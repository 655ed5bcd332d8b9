/* The arithmetic of surfaces of depth, shared by the host and the device: differences of codes that count, ways to cut a map,
 * its halves, its rims, and whether a colour is a mixture of two surfaces'. */
#ifndef SATK_SURFACE_RULE_H
#define SATK_SURFACE_RULE_H

#include "common/rule.h"
#include "surface/surface.h"

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

/* Returns whether a map is a mask with gray rims, from its numbers of black, white and all samples: at least nine tenths,
 * but not all, are black or white, and at least a hundredth each. */
SATK_FN int satk_counts_mask(uint64_t black, uint64_t white, uint64_t samples)
{
    return black + white < samples && 10 * (black + white) >= 9 * samples &&
           100 * black >= samples && 100 * white >= samples;
}

/* --- Ways ------------------------------------------------------------------------------------- */

enum {
    SATK_LEAST_SIDE = 9, /* a map of fewer samples, in width or height, has no edges */
    SATK_MOST_LEVELS = 1 + SATK_MOST_HALVES /* the map and its halves */
};

/* What is done with a map. */
typedef enum satk_surface_way {
    SATK_WAY_STAYS,  /* it is brought to the picture's size, and that is all */
    SATK_WAY_MASK,   /* it is cut at its middle */
    SATK_WAY_NARROW, /* its ramps are cut sample by sample */
    SATK_WAY_WIDE    /* its ramps are cut in its halves, too */
} satk_surface_way;

SATK_FN int satk_has_size_of(const satk_plane *map, const satk_plane *other)
{
    return map->width == other->width && map->height == other->height;
}

/* Returns whether there may be edges to cut. */
SATK_FN int satk_may_cut(const satk_surface *job)
{
    return job->how & SATK_CUT && job->map.width <= job->dst.width &&
           job->map.height <= job->dst.height && job->map.width >= SATK_LEAST_SIDE &&
           job->map.height >= SATK_LEAST_SIDE;
}

/* Returns whether a matte has an outline. */
SATK_FN int satk_has_outline(const satk_surface *job)
{
    const uint64_t pixels = (uint64_t)job->dst.width * (uint64_t)job->dst.height;

    return job->outline && *job->outline > 0 && *job->outline < UINT8_MAX * pixels;
}

/* Returns whether the map is cut as a mask. The counts of black and white are known. */
SATK_FN int satk_is_mask(const satk_surface *job)
{
    const uint64_t samples = (uint64_t)job->map.width * (uint64_t)job->map.height;

    return job->how & SATK_AS_MASK ||
           (job->how & SATK_FIND_MASK && !satk_has_outline(job) &&
            satk_counts_mask(job->counts[SATK_BLACK], job->counts[SATK_WHITE], samples));
}

/* Returns the way of a map. The counts of a mask are known, and those of edges and ramps if the map may be cut. */
SATK_FN satk_surface_way satk_way_of(const satk_surface *job)
{
    const satk_plane *const map = &job->map;

    if (satk_is_mask(job))
        return SATK_WAY_MASK;
    if (!satk_may_cut(job))
        return SATK_WAY_STAYS;
    return satk_has_size_of(map, &job->dst) &&
                   !satk_is_wide(map->width, map->height, job->counts[SATK_EDGES],
                                 job->counts[SATK_RAMPS])
               ? SATK_WAY_NARROW
               : SATK_WAY_WIDE;
}

/* --- Halves ----------------------------------------------------------------------------------- */

/* Returns the samples of half an axis. Half an odd one is odd, too: its middle sample is the picture's middle, and no pixel
 * there lies between two of them. */
SATK_FN int satk_half_of(int n)
{
    return n % 2 ? n / 4 * 2 + 1 : n / 2;
}

/* Returns the number of maps that edges are looked for in: the map, and halves of at least SATK_LEAST_SIDE samples. */
SATK_FN int satk_levels_of(int width, int height)
{
    int levels = 1;

    for (;
         levels < SATK_MOST_LEVELS && width >= 2 * SATK_LEAST_SIDE && height >= 2 * SATK_LEAST_SIDE;
         levels++) {
        width = satk_half_of(width);
        height = satk_half_of(height);
    }
    return levels;
}

/* Returns the number of maps, out of that many, whose ramps are cut. The counts of the halves' edges are known. */
SATK_FN int satk_levels_used(const uint64_t *counts, int levels)
{
    int used = 1;

    while (used < levels &&
           3 * counts[SATK_NEW_EDGES + used - 1] >= counts[SATK_HALF_EDGES + used - 1])
        used++;
    return used;
}

/* The part of the n samples of an axis that sample s of half of it covers: the areas of three of them. An odd axis is cut
 * into equal parts, too; an area is in 1/satk_half_of(n) of a sample then. */
typedef struct satk_halved {
    int at[3];
    uint64_t area[3];
} satk_halved;

SATK_FN satk_halved satk_halved_at(int s, int n)
{
    const uint64_t half = (uint64_t)satk_half_of(n), before = (uint64_t)s;
    satk_halved c = {{2 * s, 2 * s, 2 * s + 1}, {0, 1, 1}};

    if (n % 4 == 3) {
        c.at[1] = 2 * s + 1, c.at[2] = 2 * s + 2;
        c.area[0] = half - before, c.area[1] = half, c.area[2] = before + 1;
    } else if (n % 2) {
        c.at[0] = s > 0 ? 2 * s - 1 : 0, c.at[2] = 2 * s + 1 < n ? 2 * s + 1 : n - 1;
        c.area[0] = before, c.area[1] = half, c.area[2] = half - 1 - before;
    }
    return c;
}

/* Returns the sum of these areas. */
SATK_FN uint64_t satk_areas_of(int n)
{
    return n % 2 ? (uint64_t)n : 2;
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

/* A ramp at a pixel: its ends, the pixels of a sample of its level, across and down, and how much the map rises along two
 * pixels of the row and two of the column, in all. */
typedef struct satk_ramp {
    uint32_t low, high;
    int across, down;
    uint32_t slope;
} satk_ramp;

/* Returns whether an end of a ramp is the far one, on whose side the slope counts. */
SATK_FN int satk_is_far_end(const satk_ramp *ramp, uint32_t end, int near_black)
{
    return end == (near_black ? ramp->high : ramp->low);
}

/* Returns whether the pixel of a ramp is cut: its codes differ by more than the least edge's, and the map rises there by
 * `rise` along half a sample. A flat part near the ramp is a surface. */
SATK_FN int satk_is_cut(const satk_ramp *ramp, uint32_t rise)
{
    const uint32_t range = ramp->high - ramp->low;

    return range > satk_least_edge(16) && 32 * rise >= range;
}

enum { SATK_RIM_NARROWER = 6 }; /* a rim than its ramp */

/* Returns the near end's part of a pixel, in 1/255, that lies `away` from the far end of a ramp. */
SATK_FN uint8_t satk_cover_at(uint32_t away, uint32_t range)
{
    const int64_t twice =
        (int64_t)SATK_RIM_NARROWER * (2 * (int64_t)away - range) + range; /* of the range */

    if (twice <= 0)
        return 0;
    return (uint8_t)(twice >= 2 * (int64_t)range
                         ? UINT8_MAX
                         : (UINT8_MAX * twice + range) / (2 * (int64_t)range));
}

/* Returns the near end's part of a pixel beyond the middle of a ramp, in 1/255, if it falls from all of it at the middle to
 * nothing within a pixel. slope: see satk_ramp. */
SATK_FN uint8_t satk_beside_at(uint32_t away, uint32_t range, uint32_t slope)
{
    const uint32_t behind = range - 2 * away; /* twice the way back to the middle */

    if (2 * away >= range || behind >= slope)
        return 0;
    return (uint8_t)((2 * UINT8_MAX * (slope - behind) + slope) / (2 * slope));
}

/* A pixel's rim; kind SATK_RIM_NONE: it has none. */
typedef struct satk_rim {
    uint16_t near, far;
    uint8_t kind, cover, sample, beside;
} satk_rim;

/* Returns the rim of a pixel with that code on a ramp. It is one if the near end has not all of it, and it may be the near
 * end's: more than a 64th of the ramp lies between it and the far end. bits: of the codes of near and far. */
SATK_FN satk_rim satk_rim_at(const satk_ramp *ramp, uint32_t code, int near_black, int bits)
{
    const uint32_t near = near_black ? ramp->low : ramp->high,
                   far = near_black ? ramp->high : ramp->low;
    const uint32_t away = code > far ? code - far : far - code, range = ramp->high - ramp->low;
    const int larger = ramp->across > ramp->down ? ramp->across : ramp->down;
    const int is_beyond = (code > far) != (near > far);
    satk_rim rim = {(uint16_t)satk_code_in(bits, near),
                    (uint16_t)satk_code_in(bits, far),
                    SATK_RIM_EDGE,
                    is_beyond ? (uint8_t)0 : satk_cover_at(away, range),
                    (uint8_t)(larger < UINT8_MAX ? larger : UINT8_MAX),
                    is_beyond ? (uint8_t)0 : satk_beside_at(away, range, ramp->slope)};

    if (rim.cover == UINT8_MAX || (rim.cover == 0 && 64 * away <= range))
        rim.kind = SATK_RIM_NONE;
    return rim;
}

/* Returns the rim of a gray pixel of a mask: code is neither 0 nor white. */
SATK_FN satk_rim satk_mask_rim(uint32_t code, int near_black, int bits)
{
    const uint32_t white = (1u << bits) - 1, cover = (UINT8_MAX * code + white / 2) / white;
    const satk_rim rim = {(uint16_t)(near_black ? 0 : white),
                          (uint16_t)(near_black ? white : 0),
                          SATK_RIM_SUBJECT,
                          (uint8_t)(near_black ? UINT8_MAX - cover : cover),
                          0,
                          0};

    return rim;
}

SATK_FN void satk_put_rim(const satk_rims *rims, size_t at, const satk_rim *rim)
{
    rims->kind[at] = rim->kind;
    if (rim->kind == SATK_RIM_NONE)
        return;
    rims->near[at] = rim->near;
    rims->far[at] = rim->far;
    rims->cover[at] = rim->cover;
    rims->sample[at] = rim->sample;
    rims->beside[at] = rim->beside;
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
