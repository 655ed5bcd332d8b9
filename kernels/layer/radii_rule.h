/* From codes to disparities, radii, positions and discs, in IEEE double precision and one order of operations on host and
 * device. Every step is monotonic. So are radii and positions in the codes, and a disc's radius, fade and cells in the size of
 * the radius that it is made of. */
#ifndef SATK_RADII_RULE_H
#define SATK_RADII_RULE_H

#include "layer/radii.h"

SATK_FN double satk_clamp01(double v)
{
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* Returns the disparity of a distance, which may be infinite. */
SATK_FN double satk_disparity_of(const satk_lens *lens, double distance)
{
    return satk_clamp01((1 / distance - lens->far) / (lens->near - lens->far));
}

/* Returns the disparity of a code out of 0 .. largest. */
SATK_FN double satk_disparity(const satk_lens *lens, uint32_t code, uint32_t largest)
{
    const double stretched = satk_clamp01(((double)code / largest - lens->low) / lens->span);
    const double nearness = lens->near_black ? 1 - stretched : stretched;

    return lens->is_linear ? satk_disparity_of(lens, lens->distance + nearness * lens->nearer)
                           : nearness;
}

/* Returns the radius in pixels at a disparity: below 0 behind the focus, above 0 before it. */
SATK_FN double satk_radius_at(const satk_lens *lens, double disparity)
{
    const double apart = disparity - lens->focus, away = (apart < 0 ? -apart : apart) - lens->sharp;
    const double far = away > 0 ? away : 0;

    return disparity < lens->focus ? -(far * lens->behind) : far * lens->before;
}

SATK_FN double satk_radius_of(const satk_lens *lens, uint32_t code, int bits)
{
    return lens->kept == code + 1
               ? 0
               : satk_radius_at(lens, satk_disparity(lens, code, (1u << bits) - 1));
}

/* Returns a radius in 1/256 pixel, rounded; its size is at most 2^23 pixels. */
SATK_FN int32_t satk_radius_q8(double radius)
{
    const double away = (radius < 0 ? -radius : radius) * 256 + 0.5;
    const int32_t q8 = away < INT32_MAX ? (int32_t)away : INT32_MAX;

    return radius < 0 ? -q8 : q8;
}

/* Returns the position of a radius among those of slabs. A mixture's second moment is that of its parts, by their shares. */
SATK_FN uint16_t satk_position_of(const double *slabs, int count, double radius)
{
    int i = 0;

    if (radius <= slabs[0])
        return 0;
    if (radius >= slabs[count - 1])
        return (uint16_t)((count - 1) * SATK_SLAB);
    while (radius >= slabs[i + 1])
        i++;
    const double from = slabs[i] * slabs[i], to = slabs[i + 1] * slabs[i + 1];
    const double part = (radius * radius - from) / (to - from) * SATK_SLAB;
    return (uint16_t)(i * SATK_SLAB + (int)(part + 0.5));
}

/* Marks the slabs that a position uses. */
static inline void satk_use_position(satk_slab *slabs, int position)
{
    satk_slab *const slab = &slabs[position / SATK_SLAB];

    slab[0].used = SATK_USED;
    if (position % SATK_SLAB && slab[1].used == SATK_UNUSED)
        slab[1].used = SATK_USED_BETWEEN;
}

/* --- Discs ------------------------------------------------------------------------------------ */

/* Pixels of radius from which on excess becomes points, and from which on all of it is. */
#define SATK_FIRST_RADIUS 2
#define SATK_WHOLE_RADIUS 3

/* Returns a value from 0 on, rounded half up. */
SATK_FN int satk_rounded(double value)
{
    const int whole = (int)value;

    return whole + (value - whole >= 0.5);
}

/* Returns the disc of a radius in pixels, without its group. */
SATK_FN satk_disc satk_disc_of(double radius)
{
    const double most = SATK_MOST_DISC / SATK_ONE, away = radius < 0 ? -radius : radius;
    const double extent = away < most ? away : most, cells = extent / SATK_GRAY_CELL;
    const double part = (extent - SATK_FIRST_RADIUS) / (SATK_WHOLE_RADIUS - SATK_FIRST_RADIUS);
    const int fade = satk_rounded(satk_clamp01(part) * SATK_ONE);
    const int whole = (int)cells + ((int)cells < cells), side = radius < 0 ? -1 : 1;
    const satk_disc disc = {satk_rounded(extent * SATK_ONE), (int16_t)(extent < 1 ? 0 : side), 0,
                            (uint16_t)fade,
                            (uint16_t)(fade > 0 ? satk_smaller(whole, SATK_MOST_CELLS) : 0)};

    return disc;
}

/* Returns the group of a position: nothing hides its points, or all slabs before a mark. Those that a point lies in, and nearer
 * ones that are next to them, do not. */
SATK_FN int satk_group_of(const satk_radii *job, int position)
{
    int group = 0;

    while (group < job->marks && job->mark[group] > position / SATK_SLAB)
        group++;
    return group;
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* Fills in the entries of a code. */
SATK_FN void satk_fill_tables(const satk_radii *job, uint32_t code)
{
    const double radius = satk_radius_of(&job->lens, code, job->bits);

    if (job->radius)
        job->radius[code] = satk_radius_q8(radius);
    if (!job->position)
        return;
    const uint16_t position = satk_position_of(job->slabs, job->slab_count, radius);
    job->position[code] = position;
    if (!job->disc)
        return;
    satk_disc disc = satk_disc_of(radius);
    disc.group = (uint16_t)satk_group_of(job, position);
    job->disc[code] = disc;
}

#endif
