/* The arithmetic of holes of depth, shared by the host and the device: likeness of colours, levels of support, and the
 * judgement of gaps. */
#ifndef SATK_FILL_RULE_H
#define SATK_FILL_RULE_H

#include "common/rule.h"
#include "surface/surface_rule.h"

/* Returns the nearest code, or the farthest one. */
SATK_FN uint32_t satk_extreme_code(int is_near, int near_black, int bits)
{
    return is_near == !near_black ? (1u << bits) - 1 : 0;
}

/* Returns what makes a map's codes 16 bits. */
SATK_FN uint32_t satk_fill_scale(int bits)
{
    return bits == 8 ? 257 : 1;
}

/* Returns a 16-bit code's distance from the nearest. */
SATK_FN uint32_t satk_farness(uint32_t code, int near_black)
{
    return near_black ? code : UINT16_MAX - code;
}

/* --- Colours ---------------------------------------------------------------------------------- */

enum { SATK_TINTS = 512 }; /* coarse colours: 3 bits a channel */

/* Returns the coarse colour of a colour with red in the lowest byte. */
SATK_FN uint32_t satk_tint(uint32_t colour)
{
    return (colour >> 5 & 7) | (colour >> 10 & 0x38) | (colour >> 15 & 0x1c0);
}

/* Returns the pixels of an axis that the middle half of sample i of n touches: from its first quarter, rounded down, to its
 * third, rounded up. All of a sample would show more of its neighbours. */
SATK_FN satk_range satk_middle_of(int i, int n, int pixels)
{
    const int64_t first = (4 * (int64_t)i + 1) * pixels, end = (4 * (int64_t)i + 3) * pixels;
    const int64_t quarters = 4 * (int64_t)n;
    const satk_range middle = {(int)(first / quarters), (int)((end + quarters - 1) / quarters)};

    return middle;
}

/* e^-d in 1/2^31, rounded: for d of 32 i / 54 (coarse) and of i / 54 (fine). satk_likeness_of() makes 1 + 2^16 e^-d of them:
 * a surface's colours have a standard deviation of 12 in each channel, and distances are sums of three squares over 16. */
typedef struct satk_shares {
    uint32_t coarse[32], fine[32];
} satk_shares;

static const satk_shares satk_fill_shares = {
    {2147483648, 1187326532, 656463342, 362953331, 200673994, 110951046, 61343946, 33916577,
     18752204,   10367944,   5732353,   3169372,   1752321,   968844,    535666,   296166,
     163748,     90535,      50056,     27676,     15302,     8460,      4678,     2586,
     1430,       791,        437,       242,       134,       74,        41,       23},
    {2147483648, 2108081394, 2069402097, 2031432491, 1994159556, 1957570508, 1921652800,
     1886394114, 1851782358, 1817805663, 1784452375, 1751711056, 1719570479, 1688019621,
     1657047660, 1626643977, 1596798144, 1567499925, 1538739273, 1510506324, 1482791396,
     1455584985, 1428877760, 1402660562, 1376924400, 1351660447, 1326860040, 1302514674,
     1278615999, 1255155819, 1232126089, 1209518911}};

SATK_FN uint32_t satk_likeness_of(const satk_shares *shares, int distance)
{
    const uint64_t product = (uint64_t)shares->coarse[distance / 32] * shares->fine[distance % 32];

    return 1 + (uint32_t)((product + ((uint64_t)1 << 45)) >> 46);
}

/* --- Rounds ----------------------------------------------------------------------------------- */

enum {
    SATK_FILL_LEVELS = 4, /* of support; as a level: the depth is refused */
    SATK_FILL_LEAST = 64  /* at least 1/SATK_FILL_LEAST of the rims become known at a time */
};

/* Returns the level of a support. 0 is the best: about the votes of a neighbour of the hole's own colour. */
SATK_FN int satk_support_level(uint32_t support)
{
    uint32_t enough = (uint32_t)1536 << 16;
    int level = 0;

    for (; level < SATK_FILL_LEVELS - 1 && support < enough; level++)
        enough /= 16;
    return level;
}

/* Returns the level up to which there are enough holes; -1 if there are none. count: of each level. */
SATK_FN int satk_level_of_many(const uint64_t *count)
{
    uint64_t all = 0, sum = 0;
    int level = -1;

    for (int i = 0; i < SATK_FILL_LEVELS; i++)
        all += count[i];
    for (int i = 0; i < SATK_FILL_LEVELS; i++) {
        const int is_enough = sum * SATK_FILL_LEAST >= all;
        sum += is_enough ? 0 : count[i];
        level = is_enough ? level : i;
    }
    return level;
}

/* --- Gaps ------------------------------------------------------------------------------------- */

enum {
    SATK_GAP_FEW = 64,     /* samples: a gap within the map is small up to that, and .. */
    SATK_GAP_SMALL = 1024, /* .. up to 1/SATK_GAP_SMALL of the map */
    SATK_GAP_LARGE = 64,   /* a gap at the border is large from 1/SATK_GAP_LARGE of it on */
    SATK_GAP_LEAST = 16,   /* samples that make a rim known well enough, or a gap worth a look */
    SATK_GAP_SURFACE = 8,  /* a rim of less than 1/SATK_GAP_SURFACE of the range is one surface */
    SATK_GAP_COMMON = 2, /* an own colour is at least half as frequent on a surface as in the gap */
    SATK_GAP_EDGE = 32,  /* 1/SATK_GAP_EDGE of a rim may be beyond its ends, as errors are */
    SATK_GAP_ERRORS = 1024, /* 1/SATK_GAP_ERRORS of the map may be beyond its range */
    SATK_GAP_BINS = 256,    /* of the map's range */
    SATK_GAP_RINGS = 3,     /* distances at which a rim is looked at */
    SATK_GAP_FIRST = 3,     /* the first is 1/128 of the longer side: at least SATK_GAP_FIRST .. */
    SATK_GAP_LAST =
        15 /* .. and at most SATK_GAP_LAST, as satk_bits_around() reaches less than 64 */
};

/* What may grow into a gap. A gap of zeros is open to all. */
typedef struct satk_gap {
    int is_choosy;   /* 0: every surface may */
    uint32_t behind; /* farness from which a surface is the far side; any colour may be its */
    uint32_t code;   /* in 16 bits, of what no surface grew into: the far side's */
    uint32_t alike[SATK_TINTS / 32]; /* a bit for each of a nearer surface's own colours */
} satk_gap;

/* Farness that is in the map's range. */
typedef struct satk_fill_range {
    uint32_t nearest, farthest;
} satk_fill_range;

/* Returns the distance of a ring in samples. Each is twice as far as the one before. */
SATK_FN int satk_ring_of(int width, int height, int ring)
{
    const int first = (width > height ? width : height) / 128;

    return (first < SATK_GAP_FIRST  ? SATK_GAP_FIRST
            : first < SATK_GAP_LAST ? first
                                    : SATK_GAP_LAST)
           << ring;
}

SATK_FN int satk_is_small_gap(uint64_t samples, uint64_t count, int is_at_border)
{
    const uint64_t most = samples / SATK_GAP_SMALL;

    return (count <= SATK_GAP_FEW || count <= most) && (count < SATK_GAP_LEAST || !is_at_border);
}

SATK_FN uint32_t satk_bin_of(const satk_fill_range *of, uint32_t farness)
{
    const uint32_t range = of->farthest - of->nearest;
    const uint32_t above = farness > of->nearest ? farness - of->nearest : 0;

    return above < range ? above * (SATK_GAP_BINS - 1) / range : SATK_GAP_BINS - 1;
}

/* Returns the bin with 1/SATK_GAP_EDGE of the rim's samples beyond it, from the far end or from the near one. known: the sum of
 * the counts. */
SATK_FN int satk_end_of(const uint64_t *count, uint64_t known, int from, int step)
{
    uint64_t beyond = count[from];
    int bin = from;

    while (beyond <= known / SATK_GAP_EDGE)
        beyond += count[bin += step];
    return bin;
}

/* Sets what the depths of a rim say about its gap. count, sum: known samples by bin, and their farness. is_choosy: whether
 * the rim is a step. */
SATK_FN void satk_judge_depths(const uint64_t *count, const uint64_t *sum, uint64_t known,
                               int near_black, satk_gap *gap)
{
    const int far = satk_end_of(count, known, SATK_GAP_BINS - 1, -1);
    const int near = satk_end_of(count, known, 0, 1);
    const uint32_t farthest = (uint32_t)(sum[far] / count[far]);
    const uint32_t nearest = (uint32_t)(sum[near] / count[near]);

    gap->is_choosy = far - near >= SATK_GAP_BINS / SATK_GAP_SURFACE;
    gap->behind = nearest + (farthest - nearest) / 2;
    gap->code = satk_farness(farthest, near_black);
}

/* Makes a gap one that lies beyond the map's range. */
SATK_FN void satk_put_beyond(int near_black, satk_gap *gap)
{
    gap->is_choosy = 1;
    gap->behind = UINT32_MAX;
    gap->code = satk_farness(UINT16_MAX, near_black);
}

/* How often a colour is on the near side of a rim, on its far side, and in the gap; or all colours are. */
typedef struct satk_gap_colours {
    uint64_t near, far, own;
} satk_gap_colours;

/* Returns 1 if a/all is at least b/both divided by `by`. */
SATK_FN int satk_is_common(uint64_t a, uint64_t all, uint64_t b, uint64_t both, uint64_t by)
{
    return a > 0 && a * both * by >= b * all;
}

/* Returns 1 if the rim shows a colour of the gap. */
SATK_FN int satk_is_shown(const satk_gap_colours *c, const satk_gap_colours *all)
{
    return satk_is_common(c->near + c->far, all->near + all->far, c->own, all->own,
                          SATK_GAP_COMMON);
}

/* Returns 1 if a colour is the own one of a surface in front of the far side: one of the near side that is rarer on the far
 * one or, beyond the range, of any side. */
SATK_FN int satk_is_in_front(const satk_gap_colours *c, const satk_gap_colours *all, int beyond)
{
    const uint64_t seen = c->near + (beyond ? c->far : 0);
    const uint64_t of_all = all->near + (beyond ? all->far : 0);

    return (beyond || satk_is_common(seen, of_all, 2 * c->far, all->far, 1)) &&
           satk_is_common(seen, of_all, c->own, all->own, SATK_GAP_COMMON);
}

/* Returns whether a surface may grow into a hole of a gap: as the far side, or as its colour is a nearer surface's. alike: the
 * word of the gap's own colours that has the tint. level: of the hole's support. */
SATK_FN int satk_may_grow(int is_choosy, uint32_t behind, uint32_t alike, uint32_t farness,
                          uint32_t tint, int level)
{
    return !is_choosy || farness >= behind || (level == 0 && alike >> tint % 32 & 1);
}

#endif
