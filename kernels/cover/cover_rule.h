/* The arithmetic of coverage, shared by the host and the device: what becomes of a rim, and how far doubt reaches. */
#ifndef SATK_COVER_RULE_H
#define SATK_COVER_RULE_H

#include "cover/cover.h"

enum {
    /* Radii, in 1/256 pixel. */
    SATK_SHARPER = 3 * SATK_ONE / 4, /* the least difference of two surfaces whose rim shows */
    SATK_BLURRED =
        20 * SATK_ONE, /* the least difference at which the near one would leave an outline .. */
    SATK_SHARP = 10 * SATK_ONE, /* .. on a far one below this */
    SATK_SOFT = 2 * SATK_ONE,   /* the least of a near one whose edge in a map is a rim */
    SATK_SAMPLES_OFF = 2,       /* that edges of maps are off by */
    SATK_LEAST_COVER = 8,       /* in 1/255: less is no sixteenth, rounded, as layers count it */
    SATK_LOOK = 8,  /* pixels to each side of a doubtful one that are compared with it, in steps */
    SATK_ALIKE = 6, /* the largest difference of colours, in codes of 8 bits */
    SATK_ALIKE_BESIDE = 12, /* the same, beside the edge of a sharp thing */
    SATK_AROUND = 3,        /* pixels to each side of a doubtful one whose strangers are counted */
    SATK_MOST_SAMPLE = UINT8_MAX /* of a rim */
};

/* What becomes of a rim's pixel. SATK_BESIDE: it is covered if it looks like the near surface beside it. */
typedef enum satk_fate { SATK_LEFT, SATK_COVERED, SATK_BESIDE, SATK_DOUBTED } satk_fate;

SATK_FN uint32_t satk_size_of(int32_t radius)
{
    return radius < 0 ? 0u - (uint32_t)radius : (uint32_t)radius;
}

SATK_FN satk_fate satk_fate_of(int kind, int cover, int beside, int32_t near, int32_t far)
{
    const int64_t apart = (int64_t)near - far;
    const int differ = apart >= SATK_SHARPER || apart <= -SATK_SHARPER;

    if (kind == SATK_RIM_EDGE && cover <= UINT8_MAX / 2 && satk_size_of(far) < SATK_SHARP &&
        (int64_t)satk_size_of(near) - satk_size_of(far) >= SATK_BLURRED)
        return SATK_DOUBTED;
    if (kind == SATK_RIM_EDGE && satk_size_of(near) < SATK_SOFT)
        return differ && beside >= SATK_LEAST_COVER ? SATK_BESIDE : SATK_LEFT;
    return differ && cover >= SATK_LEAST_COVER ? SATK_COVERED : SATK_LEFT;
}

/* Returns the fate of the rim at a pixel; kind is not SATK_RIM_NONE. */
SATK_FN satk_fate satk_fate_at(const satk_cover *job, size_t at)
{
    const satk_rims *const rims = &job->rims;

    return satk_fate_of(rims->kind[at], rims->cover[at], rims->beside[at],
                        job->radius[rims->near[at]], job->radius[rims->far[at]]);
}

/* Returns the coverage of a rim that shows. */
SATK_FN uint8_t satk_shown_cover(const satk_rims *rims, size_t at, satk_fate fate)
{
    return fate == SATK_BESIDE ? rims->beside[at] : rims->cover[at];
}

/* Returns whether a code is closer to that of the near surface than to that of the far one. */
SATK_FN int satk_is_nearer(uint32_t code, uint32_t near, uint32_t far)
{
    return near > far ? 2 * code > near + far : 2 * code < near + far;
}

/* Returns the farthest that doubt reaches in a picture. */
SATK_FN int satk_most_reach(const satk_plane *map)
{
    const int share = satk_larger(satk_larger(map->width, map->height) / 128, 8);

    return satk_smaller(share, SATK_SAMPLES_OFF * SATK_MOST_SAMPLE);
}

/* Returns how far a map's edges may be off, in pixels: by some of its samples, and by a share of the picture at most. sum:
 * of the samples of `count` doubtful rims. */
SATK_FN int satk_reach_of_doubt(const satk_plane *map, uint64_t sum, uint64_t count)
{
    const uint64_t reach = (SATK_SAMPLES_OFF * sum + count - 1) / count;
    const uint64_t most = (uint64_t)satk_most_reach(map);

    return (int)(reach < most ? reach : most);
}

/* Returns whether a doubtful pixel that is like sharp ones is a stranger, too, by the numbers of strangers, and of sharp and
 * doubtful pixels in all, around it: single pixels are no surface. */
SATK_FN int satk_is_among(int strangers, int all)
{
    return 10 * strangers > 7 * all;
}

/* Returns the colours of a pixel that count: those without alpha. */
SATK_FN int satk_colours_in(int channels)
{
    return channels - (channels % 2 == 0);
}

SATK_FN satk_colour_side satk_side_of(int kind)
{
    return kind == SATK_RIM_SUBJECT          ? SATK_COLOUR_SUBJECT
           : kind == SATK_RIM_BEFORE_SUBJECT ? SATK_COLOUR_BACKGROUND
                                             : SATK_COLOUR_KEEP;
}

#endif
