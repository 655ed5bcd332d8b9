/* How far a pixel has to look for what lies behind surfaces (layer.h): its moment, and the least E over squares around it.
 * For the host and the device. */
#ifndef SATK_LAYER_FARTHER_H
#define SATK_LAYER_FARTHER_H

#include "layer/layer_rule.h"

enum { SATK_SQUARES = 26 }; /* sizes at most: a reach of 24 bits doubles no oftener */

/* The least E over squares around pixels: a plane of bytes for each size. */
typedef struct satk_farther {
    const uint8_t *least;        /* [size][row][column] */
    size_t plane, pitch;         /* bytes */
    int left, top;               /* the first pixel */
    int sizes;                   /* 0: all slabs in use are coarse */
    int farthest;                /* from a pixel to the sides of the largest square */
    uint32_t most[SATK_SQUARES]; /* the largest M that a size is for */
    int unit;                    /* M counts radii in 2^unit pixels */
    int soft;                    /* the job's */
} satk_farther;

/* Returns E of a pixel. */
SATK_FN int satk_shown_from(int place)
{
    return place >> SATK_POSITION_BITS ? 0 : satk_place_position(place) / SATK_SLAB;
}

/* Returns the pixels from the middle of a square to its sides: 0, 1, 2, 4 .., and last the farthest. */
SATK_FN int satk_square_half(const satk_farther *f, int size)
{
    return size == 0 ? 0 : size + 1 == f->sizes ? f->farthest : 1 << (size - 1);
}

/* --- Moments ---------------------------------------------------------------------------------- */

/* Returns r^2 of pixels, in the unit of moments. */
SATK_FN uint64_t satk_squared(uint64_t pixels, int unit)
{
    return (pixels >> unit) * (pixels >> unit);
}

/* Returns r^2 of an aperture. */
SATK_FN uint64_t satk_moment_of(const satk_stack *window, int cell, int unit)
{
    return satk_squared((uint64_t)satk_stack_reach(window) * (uint64_t)cell, unit);
}

SATK_FN uint32_t satk_moment_at_most(uint64_t moment)
{
    return moment < UINT32_MAX ? (uint32_t)moment : UINT32_MAX;
}

/* Returns the least M with which a slab uses a window behind the first. */
SATK_FN uint32_t satk_least_moment(const satk_farther *f, const satk_slab *slab, int window)
{
    const int r = satk_stack_reach(&slab->window[window - 1]) - f->soft;

    return r < 0 ? 0
                 : satk_moment_at_most(
                       (satk_squared((uint64_t)r, f->unit) << (SATK_LIGHT_BITS - 1)) + 1);
}

/* Returns the largest M that a square is large enough for. M is below 2^32, so longer sides change nothing. */
static inline uint32_t satk_most_moment(const satk_farther *f, int size)
{
    const uint64_t half = (uint64_t)satk_smaller(satk_square_half(f, size) >> f->unit, 1 << 16);

    return size + 1 == f->sizes ? UINT32_MAX
                                : satk_moment_at_most(10 * (half * half << SATK_LIGHT_BITS) / 13);
}

/* --- Squares ---------------------------------------------------------------------------------- */

/* Returns the square of the largest radius of an aperture in use, of the slabs first <= k < last. M is at most 65536 times
 * that of all. */
static inline uint64_t satk_widest_moment(const satk_layer *job, int first, int last, int unit)
{
    uint64_t most = 0;

    for (int k = first; k < last; k++) {
        const satk_slab *const slab = &job->slabs[k];
        const uint64_t moment =
            satk_moment_of(&slab->window[0], slab->coarse ? SATK_CELL : 1, unit);
        most = slab->used && moment > most ? moment : most;
    }
    return most;
}

/* Returns the least unit in which no aperture's radius has more than 8 bits. */
static inline int satk_moment_unit(const satk_layer *job)
{
    int unit = 0;

    while (satk_widest_moment(job, 0, job->count, unit) > 255 * 255)
        unit++;
    return unit;
}

/* Returns how far a pixel has to look at most, where its shares have at most that square of a radius. */
static inline int satk_half_for(uint64_t moment, int unit)
{
    uint64_t half = 1;

    while (10 * (half >> unit) * (half >> unit) < 13 * moment)
        half *= 2;
    return (int)half;
}

/* Returns 1 if some pixel's E may be above the farthest slab in use. Otherwise no square closes a light. */
static inline int satk_shows_nearer(const satk_layer *job)
{
    int nearest = -1, farthest = job->count;

    for (int k = 0; k < job->count; k++) {
        nearest = job->slabs[k].used == SATK_USED ? k : nearest;
        farthest = job->slabs[k].used ? satk_smaller(farthest, k) : farthest;
    }
    return nearest > farthest;
}

/* Returns the squares of a job, without their planes. What lies beyond the picture needs none. */
static inline satk_farther satk_make_farther(const satk_layer *job)
{
    const int rows = job->rows ? job->rows : job->src.height;
    satk_farther f = {.unit = satk_moment_unit(job), .soft = job->soft};
    int is_fine = 0;

    for (int k = 0; k < job->count; k++)
        if (job->slabs[k].used && !job->slabs[k].coarse) {
            f.farthest = satk_larger(f.farthest, satk_reach(&job->slabs[k]));
            is_fine = 1;
        }
    if (!satk_shows_nearer(job))
        f.farthest = 0;
    f.farthest = satk_smaller(f.farthest, satk_larger(job->src.width, rows));
    f.farthest = satk_smaller(
        f.farthest, satk_half_for(satk_widest_moment(job, 0, job->count, f.unit), f.unit));
    for (int half = 0; is_fine && half < f.farthest; half = half ? 2 * half : 1)
        f.sizes++;
    f.sizes += is_fine;
    for (int i = 0; i < f.sizes; i++)
        f.most[i] = satk_most_moment(&f, i);
    return f;
}

/* Returns the place of the least E around a pixel. */
SATK_FN const uint8_t *satk_least_at(const satk_farther *f, int size, int x, int y)
{
    return f->least + (size_t)size * f->plane + (size_t)(y - f->top) * f->pitch +
           (size_t)(x - f->left);
}

/* Returns the size of the square that M takes. */
SATK_FN int satk_size_for(const satk_farther *f, uint32_t moment)
{
    int size = 0;

    while (moment > f->most[size])
        size++;
    return size;
}

#endif
