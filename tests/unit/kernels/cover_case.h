/* A map with rims, which tests lay on it: FAR on either side, NEAR from EDGE to END, and no rim at first. */
#ifndef SATB_TESTS_UNIT_COVER_CASE_H
#define SATB_TESTS_UNIT_COVER_CASE_H

#include "cover/cover.h"
#include "unit/kernels/surface_case.h"

#include <math.h>

enum { WIDTH = 60, HEIGHT = 9, EDGE = 10, END = 30, NEAR = 200, FAR = 30, OTHER = 77 };

typedef struct cover_case {
    satb_image src, map;
    satk_rims rims;
    int32_t radius[65536]; /* by code: signed, in 1/256 pixel */
} cover_case;

/* Returns a radius in 1/256 pixel. */
static inline int32_t q8(double radius)
{
    return (int32_t)fmin(fmax(round(radius * 256), -INT32_MAX), INT32_MAX);
}

static inline cover_case *open_case(int bits, double near, double far)
{
    cover_case *const c = unit_zeros(sizeof *c);

    c->src = blank(WIDTH, HEIGHT, 3, 8);
    c->map = blank(WIDTH, HEIGHT, 1, bits);
    c->rims = rims_none(WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            put(&c->map, x, y, 0, x < EDGE || x >= END ? FAR : NEAR);
    c->radius[NEAR] = q8(near);
    c->radius[FAR] = q8(far);
    return c;
}

/* Makes a pixel a rim before FAR, of a map whose samples are 4 pixels wide. */
static inline void add_rim(cover_case *c, int x, int y, uint16_t near, satk_rim_kind kind,
                           uint8_t cover)
{
    const int i = y * WIDTH + x;

    c->rims.near[i] = near;
    c->rims.far[i] = FAR;
    c->rims.kind[i] = (uint8_t)kind;
    c->rims.cover[i] = cover;
    c->rims.sample[i] = 4;
    c->rims.beside[i] = 0;
}

/* A map with its rims laid on it. */
typedef struct laid_map {
    satb_image map, cover, sides;
} laid_map;

/* Lays rims on a map. radius: by code. */
static inline laid_map laid_on(const satb_image *src, const satb_image *map, const satk_rims *rims,
                               const int32_t *radius, int doubts, int threads)
{
    const int w = map->width, h = map->height;
    const laid_map l = {noisy_image(w, h, 1, map->bits), noisy_image(w, h, 1, 8),
                        noisy_image(w, h, 1, 8)};
    satk_cover job = {.src = plane_of(src),
                      .map = plane_of(map),
                      .dst = plane_of(&l.map),
                      .cover = plane_of(&l.cover),
                      .sides = plane_of(&l.sides),
                      .rims = *rims,
                      .radius = radius,
                      .doubts = doubts};

    job.scratch = noisy_memory(satk_cover_scratch_cpu(&job, threads));
    satk_cover_cpu(&job, threads);
    keeps_its_padding(&l.map);
    keeps_its_padding(&l.cover);
    keeps_its_padding(&l.sides);
    return l;
}

#endif
