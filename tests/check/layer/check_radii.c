/* Tables by code: the formulas = CPU = CUDA, and radii and positions that rise with the disparity. */
#include "check/layer/check_lens.h"

#include "layer/radii.h"
#include "support/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The definition, in steps of its own ------------------------------------------------------ */

static double limited(double v)
{
    return fmin(fmax(v, 0), 1);
}

static double radius_of(const satk_lens *l, double part)
{
    double d = limited((part - l->low) / l->span);

    if (l->near_black)
        d = 1 - d;
    if (l->is_linear)
        d = limited((1 / (l->distance + d * l->nearer) - l->far) / (l->near - l->far));
    const double away = fmax(fabs(d - l->focus) - l->sharp, 0);
    return d < l->focus ? -away * l->behind : away * l->before;
}

/* Returns the position by walking along the slabs. */
static uint16_t position_of(const satk_radii *job, double radius)
{
    const double *const s = job->slabs;

    for (int i = 0; i + 1 < job->slab_count; i++)
        if (radius > s[i] && radius < s[i + 1])
            return (uint16_t)(SATK_SLAB * i +
                              floor((radius * radius - s[i] * s[i]) /
                                        (s[i + 1] * s[i + 1] - s[i] * s[i]) * SATK_SLAB +
                                    0.5));
        else if (radius <= s[i])
            return (uint16_t)(SATK_SLAB * i);
    return (uint16_t)(SATK_SLAB * (job->slab_count - 1));
}

static void define(const satk_radii *job, int32_t *radius, uint16_t *position)
{
    const int codes = 1 << job->bits;

    for (int i = 0; i < codes; i++) {
        const double r = radius_of(&job->lens, (double)i / (codes - 1));
        const double rounded = floor(fabs(r) * 256 + 0.5);
        radius[i] = (int32_t)(rounded < INT32_MAX ? rounded : INT32_MAX) * (r < 0 ? -1 : 1);
        position[i] = position_of(job, r);
    }
}

/* --- Jobs ------------------------------------------------------------------------------------- */

static satk_radii job_make(check *c)
{
    static const double strengths[] = {0, 0.3, 12, 76.8, 400, 1 << 23};
    const double strength = strengths[random_below(&c->random, 6)];
    const double before = strength * (1 + random_below(&c->random, 2));
    satk_radii job = {.lens = check_lens(c, strength, before),
                      .bits = 8 << random_below(&c->random, 2),
                      .slab_count = 1 + 2 * random_below(&c->random, 12)};

    for (int i = 0; i < job.slab_count; i++) {
        const int away = i - job.slab_count / 2;
        job.slabs[i] = away < 0 ? -pow(1.5, -away) : away > 0 ? pow(1.5, away) : 0;
    }
    check_case(c, "%d bits, %s%s, focus %.3f, strength %.1f, %d slabs", job.bits,
               job.lens.is_linear ? "linear" : "disparity",
               job.lens.near_black ? ", near black" : "", job.lens.focus, strength, job.slab_count);
    return job;
}

/* Steps of the definition may be rounded otherwise, so a table may differ from it by one in the last place. */
static void compare_to_definition(check *c, const satk_radii *job, const int32_t *radius,
                                  const uint16_t *position)
{
    const int codes = 1 << job->bits;
    int32_t *const radii = malloc(sizeof *radii * (size_t)codes);
    uint16_t *const positions = malloc(sizeof *positions * (size_t)codes);
    int off = 0, falls = 0;

    if (radii && positions)
        define(job, radii, positions);
    for (int i = 0; radii && positions && i < codes; i++) {
        off += abs(radii[i] - radius[i]) > 1 || abs(positions[i] - position[i]) > 1;
        if (i == 0)
            continue;
        const int a = job->lens.near_black ? i : i - 1, b = job->lens.near_black ? i - 1 : i;
        falls += radius[a] > radius[b] || position[a] > position[b];
    }
    check_that(c, ON_CPU, radii && positions && off == 0, "%d codes differ from the definition",
               off);
    check_that(c, ON_CPU, falls == 0, "radii or positions fall %d times", falls);
    free(radii);
    free(positions);
}

static void on_cuda(check *c, const satk_radii *job, const block *radius, const block *position)
{
    const layout l = {.row = 4, .pitch = 4, .pixel = 4, .element = 4};
    block radii = block_exact(radius->bytes, 0), positions = block_exact(position->bytes, 0);
    block_poison(&radii);
    block_poison(&positions);
    mirror a = mirror_up(c, &radii), b = mirror_up(c, &positions);
    satk_radii own = *job;

    own.radius = mirror_at(&a, &radii, block_data(&radii));
    own.position = mirror_at(&b, &positions, block_data(&positions));
    if (check_launch(c, device_radii(&own)) && mirror_down(c, &a, &radii) &&
        mirror_down(c, &b, &positions)) {
        check_same(c, ON_CUDA, radius, &radii, &l);
        check_same(c, ON_CUDA, position, &positions, &l);
    }
    mirror_free(&a);
    mirror_free(&b);
    block_free(&radii);
    block_free(&positions);
}

void check_radii(check *c)
{
    if (!check_group(c, "radii"))
        return;
    for (int i = 0; i < check_count(c, 60, 12) && !check_hopeless(c); i++) {
        satk_radii job = job_make(c);
        const size_t codes = (size_t)1 << job.bits;
        block radius = block_exact(codes * sizeof(int32_t), 0);
        block position = block_exact(codes * sizeof(uint16_t), 0);
        block_poison(&radius);
        block_poison(&position);
        job.radius = block_data(&radius);
        job.position = block_data(&position);
        satk_radii_cpu(&job, 1 + i % 3);
        compare_to_definition(c, &job, job.radius, job.position);
        if (c->cuda)
            on_cuda(c, &job, &radius, &position);
        block_free(&radius);
        block_free(&position);
    }
}
