#include "check/layer/highlight_case.h"

#include "support/device.h"
#include "layer/radii_rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct material {
    picture src, map;
    block discs; /* by code of the map */
    oracle_disc *wanted;
} material;

/* --- Material --------------------------------------------------------------------------------- */

static void make_discs(const highlight_case *k, material *m)
{
    const size_t codes = (size_t)1 << k->map_bits;
    satk_disc *const discs = block_data(&m->discs);

    m->wanted = calloc(codes, sizeof *m->wanted);
    for (size_t i = 0; i < codes && m->wanted; i++) {
        discs[i] = satk_disc_of(k->radius * (2.0 * (double)i / (double)(codes - 1) - 1));
        m->wanted[i] = (oracle_disc){.radius = discs[i].radius, .side = discs[i].side};
    }
}

static shape halo_of(const highlight_case *k)
{
    return (shape){k->form.width, k->form.height, k->form.channels, 8, k->form.pad, k->form.skew};
}

static material make_material(check *c, const highlight_case *k)
{
    const shape map = {k->form.width, k->form.height,   k->map_channels,
                       k->map_bits,   k->form.pad & ~1, k->form.skew & ~1};
    material m = {.src = picture_input(&k->form, k->content, &c->random),
                  .map = picture_input(&map, FILL_RANDOM, &c->random),
                  .discs = block_exact(sizeof(satk_disc) << k->map_bits, 0)};

    if (k->spots)
        highlight_draw_spots(c, k, &m.src.plane);
    highlight_fade(c, &m.src.plane);
    highlight_draw_map(c, k, &m.map.plane);
    make_discs(k, &m);
    return m;
}

static void free_material(material *m)
{
    picture_free(&m->src);
    picture_free(&m->map);
    block_free(&m->discs);
    free(m->wanted);
}

/* --- Results ---------------------------------------------------------------------------------- */

typedef struct result {
    picture base, halo;
    uint32_t found;
} result;

static result make_result(const highlight_case *k)
{
    const shape eight = halo_of(k);

    return (result){.base = picture_output(&k->form), .halo = picture_output(&eight), .found = 7};
}

static void free_result(result *r)
{
    picture_free(&r->base);
    picture_free(&r->halo);
}

static void compare(check *c, backend on, const result *want, const result *got)
{
    const layout pixels = layout_of(&want->base.plane), eight = layout_of(&want->halo.plane);

    check_same(c, on, &want->base.memory, &got->base.memory, &pixels);
    check_same(c, on, &want->halo.memory, &got->halo.memory, &eight);
    check_that(c, on, want->found == got->found, "found %d lamps instead of %d", (int)got->found,
               (int)want->found);
}

/* --- The oracle ------------------------------------------------------------------------------- */

static satk_range counted_of(const highlight_case *k)
{
    const satk_range counted = {k->dark > 4 ? k->form.height / 3 : 0,
                                k->form.height - (k->some_rows ? k->form.height / 4 : 0)};
    return counted;
}

static void ask_oracle(const highlight_case *k, const material *m, result *want)
{
    const satk_plane *const base = &want->base.plane;
    oracle_highlight h = {.src = oracle_view(&m->src.plane),
                          .look = k->look,
                          .map = oracle_view(&m->map.plane),
                          .disc = m->wanted,
                          .threshold = k->threshold,
                          .size = k->size};

    for (int y = 0; y < base->height; y++)
        for (int x = 0; x < base->width; x++) {
            const oracle_spot spot = oracle_light(&h, x, y);
            for (int c = 0; c < base->channels; c++)
                picture_put(base, x, y, c, spot.codes.c[c]);
            for (int c = 0; c < base->channels; c++)
                picture_put(&want->halo.plane, x, y, c,
                            spot.clipped && !(c == base->channels - 1 && base->channels % 2 == 0)
                                ? spot.halo.c[c]
                                : 0);
        }
    h.base = oracle_view(base);
    want->found = oracle_lamps(&h, counted_of(k).lo, counted_of(k).hi);
}

/* --- Back ends -------------------------------------------------------------------------------- */

static satk_highlight job_of(const highlight_case *k, const material *m, backend on)
{
    satk_highlight job = {.src = m->src.plane,
                          .tone = tones_get(k->form.bits, &k->look, on),
                          .map = m->map.plane,
                          .disc = block_data(&m->discs),
                          .threshold = k->threshold,
                          .size = k->size,
                          .counted = counted_of(k)};

    satk_set_lamp_levels(&job, highlight_white(k));
    return job;
}

static result on_cpu(check *c, const highlight_case *k, const material *m, int threads)
{
    result r = make_result(k);
    satk_highlight job = job_of(k, m, ON_CPU);

    block scratch = block_guarded(satk_highlight_scratch_cpu(&job, threads), 0);
    job.scratch = block_data(&scratch);
    job.base = r.base.plane;
    job.halo = r.halo.plane;
    job.found = &r.found;
    block_poison(&scratch);
    satk_highlight_find_cpu(&job, threads);
    check_that(c, ON_CPU, block_intact(&scratch), "written beyond the scratch memory");
    block_free(&scratch);
    return r;
}

static void compare_cuda(check *c, const highlight_case *k, const material *m, const result *cpu)
{
    result r = make_result(k);
    satk_highlight job = job_of(k, m, ON_CUDA);
    block found = block_exact(sizeof r.found, 0);
    mirrors on = {.c = c};

    block_poison(&found);
    job.src = mirrors_in_plane(&on, &m->src);
    job.map = mirrors_in_plane(&on, &m->map);
    job.disc = mirrors_in(&on, &m->discs);
    job.base = mirrors_out_plane(&on, &r.base);
    job.halo = mirrors_out_plane(&on, &r.halo);
    job.found = mirrors_out(&on, &found);
    job.scratch = mirrors_scratch(&on, device_highlight_find_scratch(&job));
    if (mirrors_end(&on, on.failed || device_highlight_find(&job))) {
        memcpy(&r.found, block_data(&found), sizeof r.found);
        compare(c, ON_CUDA, cpu, &r);
    }
    block_free(&found);
    free_result(&r);
}

/* --- Runs ------------------------------------------------------------------------------------- */

static void describe(check *c, const highlight_case *k, int threads)
{
    static const char *const names[] = {"random", "steps", "one"};
    const shape *const s = &k->form;

    check_case(c,
               "%d x %d, %d channels, %d bits, %s%s, %s%s, lamps of %d from %u, radii %s to %g, "
               "dark / %d, %s, map "
               "%d bits %d channels, pad %d, skew %d, %d threads",
               s->width, s->height, s->channels, s->bits, check_look_name(&k->look),
               k->look.weighted ? " weighted" : "", fill_name(k->content),
               k->spots ? " with spots" : "", k->size, k->threshold, names[k->sort], k->radius,
               k->dark, k->some_rows ? "some rows" : "all rows", k->map_bits, k->map_channels,
               s->pad, s->skew, threads);
}

void highlight_case_run(check *c, const highlight_case *k)
{
    static const int threads[] = {1, 3, 2, 7};
    material m = make_material(c, k);
    result want = make_result(k);

    for (int i = 0; i < check_count(c, 4, 2); i++) {
        describe(c, k, threads[i]);
        result cpu = on_cpu(c, k, &m, threads[i]);
        if (i == 0)
            ask_oracle(k, &m, &want);
        compare(c, ON_CPU, &want, &cpu);
        if (i == 0 && c->cuda)
            compare_cuda(c, k, &m, &cpu);
        free_result(&cpu);
    }
    free_result(&want);
    free_material(&m);
}
