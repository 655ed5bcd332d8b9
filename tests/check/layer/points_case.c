#include "check/layer/points_material.h"

#include "common/cpu_level.h"
#include "support/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Results ---------------------------------------------------------------------------------- */

typedef struct result {
    picture base, runs, dst;
    uint32_t found[SATK_POINT_GROUPS];
} result;

static result make_result(const points_case *k, const points_material *m)
{
    const shape runs = points_runs(k);
    result r = {.base = picture_output(&k->of.form),
                .runs = picture_output(&runs),
                .dst = picture_output(&k->of.form)};

    memset(r.found, 7, sizeof r.found);
    if (k->in_place)
        picture_copy(&r.base, &m->rest);
    picture_copy(&r.dst, &m->dst);
    return r;
}

static void free_result(result *r)
{
    picture_free(&r->base);
    picture_free(&r->runs);
    picture_free(&r->dst);
}

static void compare(check *c, backend on, const result *want, const result *got)
{
    const layout pixels = layout_of(&want->base.plane), runs = layout_of(&want->runs.plane);
    uint32_t any = 0;

    for (int i = 0; i < SATK_POINT_GROUPS; i++)
        any |= want->found[i];
    if (any) /* otherwise unknown */
        check_same(c, on, &want->base.memory, &got->base.memory, &pixels);
    check_same(c, on, &want->runs.memory, &got->runs.memory, &runs);
    check_same(c, on, &want->dst.memory, &got->dst.memory, &pixels);
    check_that(c, on, !memcmp(want->found, got->found, sizeof want->found),
               "other groups of points were found");
}

/* --- The oracle ------------------------------------------------------------------------------- */

/* Pixels that the oracle looks at, times the points that there may be. If all pixels took more, random ones are chosen. */
enum { BUDGET = 400000 };

static oracle_points question(const points_case *k, const points_material *m, uint8_t *left)
{
    const int w = k->of.form.width, h = k->of.form.height;
    const oracle_plane planes = oracle_view(&m->left.plane);
    oracle_points p = {.src = oracle_view(&m->src.plane),
                       .from = oracle_view(k->in_place ? &m->rest.plane : &m->src.plane),
                       .base = oracle_view(&m->rest.plane),
                       .dst = oracle_view(&m->dst.plane),
                       .look = k->of.look,
                       .map = oracle_view(&m->map.plane),
                       .disc = m->wanted,
                       .shift = m->made.all.patches.shift,
                       .outline = m->wanted_outlines,
                       .levels = m->made.all.levels,
                       .strips = SATK_OUTLINE_STRIPS,
                       .along_columns = m->made.all.along_columns,
                       .boost = k->boost,
                       .row = k->row,
                       .rows = k->row + h + k->beyond,
                       .groups = k->lit,
                       .alone = k->alone};

    if (k->has_halo)
        p.halo = oracle_view(&m->glow.plane);
    if (k->has_cover)
        p.cover = oracle_view(&m->cover.plane);
    for (int y = 0; y < (k->groups - 1) * h; y++)
        for (int x = 0; x < w; x++)
            left[y * w + x] = (uint8_t)oracle_code(&planes, x, y, 0);
    for (int i = 1, plane = 0; i < k->groups && k->has_left; i++)
        if (k->lit >> i & 1)
            p.left[i] = left + (size_t)plane++ * (size_t)(w * h);
    return p;
}

static void ask_base(const oracle_points *p, const points_material *m, result *want)
{
    const satk_plane *const base = &want->base.plane;

    memset(want->found, 0, sizeof want->found);
    for (int y = 0; y < base->height; y++)
        for (int x = 0; x < base->width; x++) {
            const oracle_codes codes = oracle_ground(p, x, y);
            for (int c = 0; c < base->channels; c++)
                picture_put(base, x, y, c, codes.c[c]);
            if (points_differ(&m->src.plane, base, x, y))
                want->found[p->disc[oracle_code(&p->map, x, y, 0)].group] = 1;
        }
    points_mark(&m->src.plane, base, &want->runs.plane);
}

/* Finds all of base, and chosen pixels of the sum; the others are those of `cpu`. */
static int ask_oracle(check *c, const points_case *k, const points_material *m, const result *cpu,
                      result *want)
{
    const size_t all = (size_t)k->of.form.width * (size_t)k->of.form.height;
    const size_t some = (size_t)check_count(c, BUDGET, BUDGET / 4) / all + 4;
    const size_t count = some < all ? some : all;
    oracle_pixel *const pixels = check_pixels(c, &k->of.form, count);
    oracle_codes *const codes = malloc(count * sizeof *codes);
    uint8_t *const left = malloc(SATK_MARKS * all);
    int done = pixels && codes && left && m->wanted && m->wanted_outlines;

    if (done) {
        const oracle_points p = question(k, m, left);
        ask_base(&p, m, want);
        done = oracle_add_points(&p, pixels, count, codes);
        picture_copy(&want->dst, &cpu->dst);
    }
    for (size_t i = 0; i < count && done; i++)
        for (int j = 0; j < k->of.form.channels; j++)
            picture_put(&want->dst.plane, pixels[i].x, pixels[i].y, j, codes[i].c[j]);
    free(pixels);
    free(codes);
    free(left);
    return done;
}

/* --- Back ends -------------------------------------------------------------------------------- */

/* Returns the job of find. on: NULL for the CPU. */
static satk_points job_of(const points_case *k, const points_material *m, result *r, mirrors *on)
{
#define IN(p)      (on ? mirrors_in_plane(on, p) : (p)->plane)
#define OUT(p)     (on ? mirrors_out_plane(on, p) : (p)->plane)
#define MEMORY(at) (on ? mirrors_in(on, at) : block_data(at))
    const satk_tone tone = tones_get(k->of.form.bits, &k->of.look, on ? ON_CUDA : ON_CPU);
    satk_points job = {.src = IN(&m->src),
                       .base = OUT(&r->base),
                       .dst = OUT(&r->dst),
                       .map = IN(&m->map),
                       .runs = OUT(&r->runs),
                       .tone = tone,
                       .disc = MEMORY(&m->discs),
                       .outlines = m->made.all,
                       .row = k->row,
                       .rows = k->row + k->of.form.height + k->beyond,
                       .boost = k->boost,
                       .groups = k->groups,
                       .farthest = m->farthest,
                       .alone = k->alone};

    job.fraction = 57 - satk_sample_bits(&tone, k->of.form.bits) - (tone.half ? 0 : 6);
    job.from = k->in_place ? job.base : job.src;
    job.outlines.of = MEMORY(&m->outlines);
    return job;
}

/* Turns the job of find into that of add, from other points. */
static void turn_to_add(const points_case *k, const points_material *m, mirrors *on,
                        satk_points *job)
{
    job->base = IN(&m->rest);
    job->runs = IN(&m->runs);
    job->lit = k->lit;
    if (k->has_halo)
        job->halo = IN(&m->glow);
    if (k->has_cover)
        job->cover = IN(&m->cover);
    if (k->has_left)
        job->left = IN(&m->left);
    job->left.height = k->of.form.height;
#undef IN
#undef OUT
#undef MEMORY
}

static result on_cpu(check *c, const points_case *k, const points_material *m, int threads)
{
    result r = make_result(k, m);
    satk_points job = job_of(k, m, &r, NULL);

    const size_t bytes = satk_points_scratch_cpu(&job, threads);
    block scratch = block_guarded(bytes, 0);
    job.scratch = block_data(&scratch);
    job.found = r.found;
    block_poison(&scratch);
    satk_points_find_cpu(&job, threads);
    turn_to_add(k, m, NULL, &job);
    check_that(c, ON_CPU, satk_points_scratch_cpu(&job, threads) == bytes,
               "find and add want different scratch memory");
    block_poison(&scratch);
    satk_points_add_cpu(&job, threads);
    check_that(c, ON_CPU, block_intact(&scratch), "written beyond the scratch memory");
    block_free(&scratch);
    return r;
}

/* Runs both kernels. */
static void compare_cuda(check *c, const points_case *k, const points_material *m,
                         const result *cpu)
{
    result r = make_result(k, m);
    block found = block_exact(sizeof r.found, 0);
    mirrors on = {.c = c}, find = {.c = c};
    satk_points job = job_of(k, m, &r, &on);

    job.found = mirrors_out(&find, &found);
    job.scratch = mirrors_scratch(&find, device_points_find_scratch(&job));
    const int is_found = mirrors_end(&find, on.failed || find.failed || device_points_find(&job));
    if (is_found)
        memcpy(r.found, block_data(&found), sizeof r.found);
    turn_to_add(k, m, &on, &job);
    job.scratch = mirrors_scratch(&on, device_points_find_scratch(&job));
    if (mirrors_end(&on, !is_found || on.failed || device_points_add(&job)))
        compare(c, ON_CUDA, cpu, &r);
    block_free(&found);
    free_result(&r);
}

/* --- Runs ------------------------------------------------------------------------------------- */

static void describe(check *c, const points_case *k, int threads)
{
    static const char *const names[] = {"random", "steps", "one"};
    static const char *const shapes[] = {"discs", "squares", "smooth", "polygons"};
    const shape *const s = &k->of.form;

    check_case(c,
               "%d x %d, rows from %d and %d beyond, %d channels, %d bits, %s%s, %s%s, radii %s to "
               "%g, %s, orientation %d, %d groups, dark / %d, boost %g,%s%s%s%s, map %d bits %d "
               "channels, pad %d, skew %d, %d threads",
               s->width, s->height, k->row, k->beyond, s->channels, s->bits,
               check_look_name(&k->of.look), k->of.look.weighted ? " weighted" : "",
               fill_name(k->of.content), k->of.spots ? " with spots" : "", names[k->of.sort],
               k->of.radius, shapes[k->shape], k->orientation, k->groups, k->of.dark,
               k->boost / 256.0, k->in_place ? " in place" : "", k->has_halo ? " halo" : "",
               k->has_cover ? " cover" : "", k->has_left ? " left" : "", k->of.map_bits,
               k->of.map_channels, s->pad, s->skew, threads);
}

void points_case_run(check *c, const points_case *k)
{
    static const int threads[] = {1, 3, 2, 7};
    const satk_level best = satk_level_limit;
    points_material m = points_material_make(c, k);
    result want = make_result(k, &m);

    for (int i = 0; i < check_count(c, 3, 2); i++) {
        describe(c, k, threads[i]);
        satk_level_limit = best > (satk_level)i ? best - (satk_level)i : SATK_PLAIN;
        result cpu = on_cpu(c, k, &m, threads[i]);
        satk_level_limit = best;
        if (i == 0)
            check_that(c, ON_CPU, ask_oracle(c, k, &m, &cpu, &want), "out of memory");
        compare(c, ON_CPU, &want, &cpu);
        if (i == 0 && c->cuda)
            compare_cuda(c, k, &m, &cpu);
        free_result(&cpu);
    }
    free_result(&want);
    points_material_free(&m);
}
