/* The arithmetic of follow.h. */
#ifndef SATK_FOLLOW_RULE_H
#define SATK_FOLLOW_RULE_H

#include "matte/follow.h"
#include "matte/matte_rule.h"

/* How the mean codes of both sides around a pixel are looked for. A pixel of one side is INSIDE until others are near; then
 * it counts for no mean. */
enum {
    SATK_INSIDE,
    SATK_SOUGHT = 1,
    SATK_SOUGHT_ONCE, /* in the narrowest window alone */
    SATK_FOUND,
    SATK_NOT_FOUND
};

/* Mean codes around a pixel. */
typedef struct satk_side_means {
    uint16_t of[SATK_SIDES];
} satk_side_means;

/* Returns the radius of the widest windows that tell pixels near others. */
SATK_FN int satk_follow_reach(const satk_plane *map)
{
    return satk_larger(satk_larger(map->width, map->height) / 128, 8);
}

/* Returns the pixels of a window that lie within the map. */
SATK_FN uint64_t satk_follow_area(const satk_plane *map, int x, int y, int r)
{
    const satk_range across = satk_clip(satk_window(x, r), map->width);
    const satk_range down = satk_clip(satk_window(y, r), map->height);

    return (uint64_t)(across.hi - across.lo) * (uint64_t)(down.hi - down.lo);
}

/* Returns how a pixel's means are looked for, from the pixels of its window, and those of them that are of one side.
 * Wide windows would take the ground around the subject's feet for a part of it, so background beside a plain outline,
 * without hair, looks into the first one alone. */
SATK_FN int satk_follow_search(int side, uint64_t area, uint64_t background, uint64_t subject)
{
    const int is_inside = (side == SATK_BACKGROUND ? background : subject) == area;
    const int is_plain = 4 * (area - background - subject) < area;

    return side == SATK_BOTH_SIDES               ? SATK_SOUGHT
           : is_inside                           ? SATK_INSIDE
           : side == SATK_BACKGROUND && is_plain ? SATK_SOUGHT_ONCE
                                                 : SATK_SOUGHT;
}

/* Returns the mean of some codes, rounded half up. */
SATK_FN uint16_t satk_follow_mean(uint64_t codes, uint64_t count)
{
    return (uint16_t)((codes + count / 2) / count);
}

SATK_FN uint32_t satk_apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Returns whether a code of one side is not its side's: nearer to the other's mean than a share of the way, and not far
 * beyond it, where a third thing would be. */
SATK_FN int satk_is_contrary(int side, uint32_t code, const satk_side_means *mean, int bits)
{
    const uint32_t own = mean->of[side], other = mean->of[1 - side], way = satk_apart(own, other);
    const int ahead = own < other ? code > own : code < own;
    const int beyond = own < other ? code > other : code < other;
    const uint32_t share = side == SATK_SUBJECT ? 4 : 2;

    return way > 4 * ((1u << bits) - 1) / 255 && ahead && share * satk_apart(code, own) > way &&
           !(beyond && 4 * satk_apart(code, other) > way);
}

/* Makes pixel i a rim of both sides, unless they have the same code. */
SATK_FN void satk_follow_put_rim(const satk_follow *job, size_t i, uint32_t cover,
                                 const satk_side_means *mean)
{
    const uint16_t background = mean->of[SATK_BACKGROUND], subject = mean->of[SATK_SUBJECT];
    const int is_near = (subject < background) == !!job->near_black;

    if (background == subject)
        return;
    job->rims.kind[i] = is_near ? SATK_RIM_SUBJECT : SATK_RIM_BEFORE_SUBJECT;
    job->rims.cover[i] = (uint8_t)(is_near ? cover : UINT8_MAX - cover);
    job->rims.near[i] = is_near ? subject : background;
    job->rims.far[i] = is_near ? background : subject;
}

/* Gives a pixel that is not inside its code and its rim. mean: NULL: none was found. Returns 1 if the matte decides. */
SATK_FN int satk_follow_settle(const satk_follow *job, int x, int y, const satk_side_means *mean)
{
    const size_t i = (size_t)y * (size_t)job->map.width + (size_t)x;
    const uint32_t cover = satk_sample_at(&job->matte, x, y, 0);
    const uint32_t code = satk_sample_at(&job->map, x, y, 0);
    const int side = satk_matte_side(cover);
    const int decides =
        mean && (side == SATK_BOTH_SIDES || satk_is_contrary(side, code, mean, job->map.bits));

    job->rims.kind[i] = SATK_RIM_NONE;
    if (decides && side == SATK_BOTH_SIDES)
        satk_follow_put_rim(job, i, cover, mean);
    satk_put_sample(&job->dst, x, y, 0,
                    !decides ? code
                             : mean->of[cover > UINT8_MAX / 2 ? SATK_SUBJECT : SATK_BACKGROUND]);
    return decides;
}

#endif
