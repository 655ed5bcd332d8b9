/* Tables by code: the formulas = CPU = CUDA, and radii and positions that rise with the disparity. Discs are as those of the
 * radii of radii_rule.h, rounded by the C library. */
#include "check/layer/check_lens.h"

#include "layer/radii_rule.h"
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

static int has_disc(const satk_radii *job, int code)
{
    const satk_disc *const disc = &job->disc[code];
    const double r = satk_radius_of(&job->lens, (uint32_t)code, job->bits);
    const double extent = fmin(fabs(r), 16384);
    const long fade = lround(256 * limited(extent - 2));
    int group = 0;

    for (int i = 0; i < job->marks; i++)
        group += job->mark[i] > job->position[code] / SATK_SLAB;
    return disc->radius == lround(256 * extent) && disc->side == (extent >= 1) * (r < 0 ? -1 : 1) &&
           disc->group == group && disc->fade == fade &&
           disc->cells == (fade > 0) * fmin(ceil(extent / 8), 63);
}

/* --- Jobs ------------------------------------------------------------------------------------- */

static satk_radii job_make(check *c)
{
    static const double strengths[] = {0, 0.3, 12, 76.8, 400, 1 << 23};
    const double strength = strengths[random_below(&c->random, 6)];
    const double before = strength * (1 + random_below(&c->random, 2));
    satk_radii job = {.lens = check_lens(c, strength, before),
                      .bits = 8 << random_below(&c->random, 2),
                      .slab_count = 1 + 2 * random_below(&c->random, 12),
                      .marks = random_below(&c->random, SATK_MARKS + 1)};

    for (int i = 0; i < job.slab_count; i++) {
        const int away = i - job.slab_count / 2;
        job.slabs[i] = away < 0 ? -pow(1.5, -away) : away > 0 ? pow(1.5, away) : 0;
    }
    for (int i = 0; i < job.marks; i++)
        job.mark[i] = (i > 0 ? job.mark[i - 1] : job.slab_count) - 1 - random_below(&c->random, 3);
    check_case(c, "%d bits, %s%s, focus %.3f, strength %.1f, %d slabs, %d marks", job.bits,
               job.lens.is_linear ? "linear" : "disparity",
               job.lens.near_black ? ", near black" : "", job.lens.focus, strength, job.slab_count,
               job.marks);
    return job;
}

/* Steps of the definition may be rounded otherwise, so a table may differ from it by one in the last place. */
static void compare_to_definition(check *c, const satk_radii *job)
{
    const int32_t *const radius = job->radius;
    const uint16_t *const position = job->position;
    const int codes = 1 << job->bits;
    int32_t *const radii = malloc(sizeof *radii * (size_t)codes);
    uint16_t *const positions = malloc(sizeof *positions * (size_t)codes);
    int off = 0, falls = 0, other_discs = 0;

    if (radii && positions)
        define(job, radii, positions);
    for (int i = 0; radii && positions && i < codes; i++) {
        off += abs(radii[i] - radius[i]) > 1 || abs(positions[i] - position[i]) > 1;
        other_discs += !has_disc(job, i);
        if (i == 0)
            continue;
        const int a = job->lens.near_black ? i : i - 1, b = job->lens.near_black ? i - 1 : i;
        falls += radius[a] > radius[b] || position[a] > position[b];
    }
    check_that(c, ON_CPU, radii && positions && off == 0, "%d codes differ from the definition",
               off);
    check_that(c, ON_CPU, other_discs == 0, "%d discs are not those of their radii", other_discs);
    check_that(c, ON_CPU, falls == 0, "radii or positions fall %d times", falls);
    free(radii);
    free(positions);
}

enum { RADIUS, POSITION, DISC, TABLES };

static const size_t entry[] = {sizeof(int32_t), sizeof(uint16_t), sizeof(satk_disc)};

static void set_tables(satk_radii *job, void *const tables[TABLES])
{
    job->radius = tables[RADIUS];
    job->position = tables[POSITION];
    job->disc = tables[DISC];
}

static void on_cuda(check *c, const satk_radii *job, const block wanted[TABLES])
{
    block made[TABLES];
    mirror on[TABLES];
    void *tables[TABLES];
    satk_radii own = *job;

    for (int i = 0; i < TABLES; i++) {
        made[i] = block_exact(wanted[i].bytes, 0);
        block_poison(&made[i]);
        on[i] = mirror_up(c, &made[i]);
        tables[i] = mirror_at(&on[i], &made[i], block_data(&made[i]));
    }
    set_tables(&own, tables);
    const int is_launched = check_launch(c, device_radii(&own));
    for (int i = 0; i < TABLES; i++) {
        const layout l = {.row = entry[i], .pitch = entry[i], .pixel = entry[i], .element = 2};
        if (is_launched && mirror_down(c, &on[i], &made[i]))
            check_same(c, ON_CUDA, &wanted[i], &made[i], &l);
        mirror_free(&on[i]);
        block_free(&made[i]);
    }
}

void check_radii(check *c)
{
    if (!check_group(c, "radii"))
        return;
    for (int i = 0; i < check_count(c, 60, 12) && !check_hopeless(c); i++) {
        satk_radii job = job_make(c);
        block made[TABLES];
        void *tables[TABLES];
        for (int k = 0; k < TABLES; k++) {
            made[k] = block_exact(entry[k] << job.bits, 0);
            block_poison(&made[k]);
            tables[k] = block_data(&made[k]);
        }
        set_tables(&job, tables);
        satk_radii_cpu(&job, 1 + i % 3);
        compare_to_definition(c, &job);
        if (c->cuda)
            on_cuda(c, &job, made);
        for (int k = 0; k < TABLES; k++)
            block_free(&made[k]);
    }
}
