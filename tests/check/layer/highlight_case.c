#include "check/layer/highlight_case.h"

#include "support/device.h"
#include "blur/dof_highlights.h"
#include "blur/forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct material {
    picture src, map, seen, dst;
    picture rest, glow; /* base and halo that lights are added from */
    block discs;        /* by code of the map */
    oracle_disc *wanted;
    int farthest;
    satb_aperture aperture;
    satb_forms forms;
    block boxes; /* of the discs' forms */
    oracle_form_box *wanted_boxes;
} material;

/* --- Material --------------------------------------------------------------------------------- */

/* The polygon has a side on which pixels are, and strips on one side of the centre alone. */
static void make_aperture(const highlight_case *k, material *m)
{
    const satb_dof_params params = {
        .bokeh = (satb_bokeh)(k->lamp_shape % 3),
        .blades = k->lamp_shape == 3 ? 3 + k->size % 7 : 0,
        .blade_rotation = k->dark,
        .blade_curvature = k->covered / 3.0,
        .bokeh_edge = k->lamp_shape == 3 && k->boost % 2 ? k->size % 5 / 2.0 - 1 : 0,
        .spherical = k->lamp_shape == 3 && k->spots ? 0.4 : 0,
        .vignette = k->lamp_shape == 3 ? k->threshold % 3 / 2.0 : 0,
        .squeeze = k->lamp_shape == 3 && k->spots ? 1.5 : 1};

    m->aperture = satb_make_aperture(&params);
    if (satb_make_forms(NULL, &m->aperture, k->form.width, k->form.height, 1, &m->forms) != SATB_OK)
        return;
    m->boxes = block_exact(m->forms.bytes, 0);
    memcpy(block_data(&m->boxes), m->forms.box, m->forms.bytes);
    satb_forms_at(&m->forms, block_data(&m->boxes));
    const size_t count = m->forms.bytes / sizeof(satk_form_box);
    m->wanted_boxes = calloc(count, sizeof *m->wanted_boxes);
    for (size_t i = 0; i < count && m->wanted_boxes; i++) {
        const satk_form_box *const b = &m->forms.box[i];
        m->wanted_boxes[i] = (oracle_form_box){b->left, b->right, b->top, b->bottom, b->weight};
    }
}

static void make_discs(const highlight_case *k, material *m)
{
    const size_t codes = (size_t)1 << k->map_bits;
    satk_disc *const discs = block_data(&m->discs);

    m->wanted = calloc(codes, sizeof *m->wanted);
    for (size_t i = 0; i < codes && m->wanted; i++) {
        const double radius = k->radius * (2.0 * (double)i / (double)(codes - 1) - 1);
        discs[i] = satb_make_disc(radius, &m->aperture);
        m->wanted[i] = (oracle_disc){discs[i].radius, discs[i].side, discs[i].behind};
        if (2 * discs[i].radius / 256 > m->farthest) /* sides are less than twice the radius */
            m->farthest = 2 * discs[i].radius / 256;
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
    const shape gray = {k->form.width, k->form.height, 1, 8, k->form.pad, k->form.skew};
    const shape eight = halo_of(k);
    material m = {.src = picture_input(&k->form, k->content, &c->random),
                  .rest = picture_input(&k->form, FILL_RANDOM, &c->random),
                  .glow = picture_input(&eight, FILL_RANDOM, &c->random),
                  .map = picture_input(&map, FILL_RANDOM, &c->random),
                  .seen = picture_input(&gray, FILL_RANDOM, &c->random),
                  .dst = picture_input(&k->form, FILL_RANDOM, &c->random),
                  .discs = block_exact(sizeof(satk_disc) << k->map_bits, 0)};

    if (k->spots)
        highlight_draw_spots(c, k, &m.src.plane);
    highlight_fade(c, &m.src.plane);
    highlight_darken(&m.rest.plane, k->dark);
    highlight_limit(&m.rest.plane, &m.src.plane);
    highlight_fade(c, &m.dst.plane);
    highlight_draw_map(c, k, &m.map.plane);
    make_aperture(k, &m);
    make_discs(k, &m);
    return m;
}

static void free_material(material *m)
{
    picture_free(&m->src);
    picture_free(&m->rest);
    picture_free(&m->glow);
    picture_free(&m->map);
    picture_free(&m->seen);
    picture_free(&m->dst);
    block_free(&m->discs);
    free(m->wanted);
    free(m->wanted_boxes);
    block_free(&m->boxes);
    satb_free_forms(&m->forms);
}

/* --- Results ---------------------------------------------------------------------------------- */

/* The results of find, and then dst after add, one side after the other. */
typedef struct result {
    picture base, halo, mask, dst[2];
    uint32_t found[3];
} result;

static result make_result(const highlight_case *k, const material *m)
{
    const shape gray = {k->form.width, k->form.height, 1, 8, k->form.pad, k->form.skew};
    const shape eight = halo_of(k);
    result r = {.base = picture_output(&k->form),
                .halo = picture_output(&eight),
                .mask = picture_output(&gray),
                .dst = {picture_output(&k->form), picture_output(&k->form)},
                .found = {7, 7, 7}};

    picture_copy(&r.halo, &m->glow); /* it stays where no clipped light is */
    picture_copy(&r.dst[0], &m->dst);
    picture_copy(&r.dst[1], &m->dst);
    return r;
}

static void free_result(result *r)
{
    picture_free(&r->base);
    picture_free(&r->halo);
    picture_free(&r->mask);
    picture_free(&r->dst[0]);
    picture_free(&r->dst[1]);
}

static void compare(check *c, backend on, const result *want, const result *got)
{
    const layout pixels = layout_of(&want->base.plane), gray = layout_of(&want->mask.plane),
                 eight = layout_of(&want->halo.plane);

    check_same(c, on, &want->base.memory, &got->base.memory, &pixels);
    check_same(c, on, &want->halo.memory, &got->halo.memory, &eight);
    check_same(c, on, &want->mask.memory, &got->mask.memory, &gray);
    check_same(c, on, &want->dst[0].memory, &got->dst[0].memory, &pixels);
    check_same(c, on, &want->dst[1].memory, &got->dst[1].memory, &pixels);
    check_that(c, on, !memcmp(want->found, got->found, sizeof want->found),
               "found %u behind and %u before the focus, %d lamps instead of %d", got->found[0],
               got->found[1], (int)got->found[2], (int)want->found[2]);
}

/* --- The oracle ------------------------------------------------------------------------------- */

/* Pixels that the oracle looks at, times the lights that there may be. If all pixels took more,
 * random ones are chosen. */
enum { BUDGET = 4000000 };

static satk_range counted_of(const highlight_case *k)
{
    const satk_range counted = {k->dark > 4 ? k->form.height / 3 : 0,
                                k->form.height - (k->covered ? k->form.height / 4 : 0)};
    return counted;
}

static void ask_base(const highlight_case *k, const oracle_highlight *h, result *want)
{
    oracle_highlight found = *h;

    const satk_plane *const base = &want->base.plane;

    want->found[0] = want->found[1] = 0;
    for (int y = 0; y < base->height; y++)
        for (int x = 0; x < base->width; x++) {
            const oracle_spot spot = oracle_light(h, x, y);
            if (spot.side)
                want->found[spot.side > 0] = 1;
            for (int c = 0; c < base->channels; c++)
                picture_put(base, x, y, c, spot.codes.c[c]);
            for (int c = 0; c < base->channels - (base->channels % 2 == 0) && spot.clipped; c++)
                picture_put(&want->halo.plane, x, y, c, spot.halo.c[c]);
            picture_put(&want->mask.plane, x, y, 0,
                        (uint32_t)h->disc[oracle_code(&h->map, x, y, 0)].behind);
        }
    found.base = oracle_view(base);
    want->found[2] = oracle_lamps(&found, counted_of(k).lo, counted_of(k).hi);
}

static oracle_forms forms_of(const material *m)
{
    const satk_form_patches *const p = &m->forms.lights.pixels;

    return (oracle_forms){m->wanted_boxes + (p->box - (const satk_form_box *)block_data(&m->boxes)),
                          m->forms.lights.count, 1 << p->shift, m->src.plane.width,
                          m->src.plane.height};
}

static oracle_highlight question(const highlight_case *k, const material *m)
{
    return (oracle_highlight){.src = oracle_view(&m->src.plane),
                              .base = oracle_view(&m->rest.plane),
                              .halo = oracle_view(&m->glow.plane),
                              .look = k->look,
                              .map = oracle_view(&m->map.plane),
                              .disc = m->wanted,
                              .shape = k->lamp_shape,
                              .forms = forms_of(m),
                              .boost = k->boost,
                              .threshold = k->threshold,
                              .size = k->size,
                              .dst = oracle_view(&m->dst.plane)};
}

/* Finds all of base and mask, and chosen pixels of the sum; the others are those of `cpu`. */
static int ask_oracle(check *c, const highlight_case *k, const material *m, const result *cpu,
                      result *want)
{
    const size_t all = (size_t)k->form.width * (size_t)k->form.height;
    const size_t some = (size_t)check_count(c, BUDGET, BUDGET / 8) / all + 4;
    const size_t count = some < all ? some : all;
    oracle_pixel *const pixels = check_pixels(c, &k->form, count);
    oracle_codes *const codes = malloc(count * sizeof *codes);
    oracle_highlight h = question(k, m);
    int done = pixels && codes && m->wanted;

    if (done)
        ask_base(k, &h, want);
    for (int side = 0; side < 2 && done; side++) {
        h.side = side ? 1 : -1;
        h.seen = k->covered && !side ? oracle_view(&m->seen.plane) : (oracle_plane){0};
        done = oracle_add_lights(&h, pixels, count, codes);
        picture_copy(&want->dst[side], &cpu->dst[side]);
        for (size_t i = 0; i < count && done; i++)
            for (int j = 0; j < k->form.channels; j++)
                picture_put(&want->dst[side].plane, pixels[i].x, pixels[i].y, j, codes[i].c[j]);
    }
    free(pixels);
    free(codes);
    return done;
}

/* --- Back ends -------------------------------------------------------------------------------- */

static satk_highlight job_of(const highlight_case *k, const material *m, backend on)
{
    satk_highlight job = {.src = m->src.plane,
                          .tone = tones_get(k->form.bits, &k->look, on),
                          .map = m->map.plane,
                          .disc = block_data(&m->discs),
                          .forms = m->forms.lights,
                          .boost = k->boost,
                          .threshold = k->threshold,
                          .size = k->size,
                          .counted = counted_of(k),
                          .farthest = m->farthest};

    satk_set_lamp_levels(&job, highlight_white(k));
    return job;
}

static result on_cpu(check *c, const highlight_case *k, const material *m, int threads)
{
    result r = make_result(k, m);
    satk_highlight job = job_of(k, m, ON_CPU);

    block scratch = block_guarded(satk_highlight_scratch_cpu(&job, threads), 0);
    job.scratch = block_data(&scratch);
    job.base = r.base.plane;
    job.halo = r.halo.plane;
    job.mask = r.mask.plane;
    job.found = r.found;
    block_poison(&scratch);
    satk_highlight_find_cpu(&job, threads);
    job.base = m->rest.plane;
    job.halo = m->glow.plane;
    for (int side = 0; side < 2; side++) {
        job.side = side ? 1 : -1;
        job.seen = k->covered && !side ? m->seen.plane : (satk_plane){0};
        job.dst = r.dst[side].plane;
        block_poison(&scratch);
        satk_highlight_add_cpu(&job, threads);
    }
    check_that(c, ON_CPU, block_intact(&scratch), "written beyond the scratch memory");
    block_free(&scratch);
    return r;
}

/* Runs a kernel with scratch memory that a guard follows. */
static int run_guarded(check *c, satk_highlight *job, int (*kernel)(const satk_highlight *job))
{
    const size_t bytes = device_highlight_find_scratch(job);
    block guard = block_guarded(BLOCK_GUARD, 0);
    block_poison(&guard);
    mirror scratch = mirror_empty(c, bytes + BLOCK_GUARD);

    job->scratch = scratch.device;
    const int done = scratch.device &&
                     !device_upload(scratch.device + bytes, guard.base, BLOCK_GUARD) &&
                     check_launch(c, kernel(job)) &&
                     !device_download(block_data(&guard), scratch.device + bytes, BLOCK_GUARD);
    check_that(c, ON_CUDA, done && !memcmp(guard.base, block_data(&guard), BLOCK_GUARD),
               "written beyond the scratch memory, or not at all");
    mirror_free(&scratch);
    block_free(&guard);
    return done;
}

enum { SRC, MAP, SEEN, DISCS, BOXES, REST, GLOW, BASE, HALO, MASK, DST, BLOCKS = DST + 2 };

static void run_cuda(check *c, const highlight_case *k, const material *m, const mirror *on,
                     result *r)
{
    satk_highlight job = job_of(k, m, ON_CUDA);
    mirror found = mirror_empty(c, sizeof r->found);

    job.src = mirror_plane(&on[SRC], &m->src);
    job.map = mirror_plane(&on[MAP], &m->map);
    job.disc = mirror_at(&on[DISCS], &m->discs, block_data(&m->discs));
    job.forms.pixels.box = mirror_at(&on[BOXES], &m->boxes, job.forms.pixels.box);
    job.base = mirror_plane(&on[BASE], &r->base);
    job.halo = mirror_plane(&on[HALO], &r->halo);
    job.mask = mirror_plane(&on[MASK], &r->mask);
    job.found = (uint32_t *)(void *)found.device;
    int done = found.device && run_guarded(c, &job, device_highlight_find) &&
               !device_download(r->found, found.device, sizeof r->found);
    job.base = mirror_plane(&on[REST], &m->rest);
    job.halo = mirror_plane(&on[GLOW], &m->glow);
    for (int side = 0; side < 2 && done; side++) {
        job.side = side ? 1 : -1;
        job.seen = k->covered && !side ? mirror_plane(&on[SEEN], &m->seen) : (satk_plane){0};
        job.dst = mirror_plane(&on[DST + side], &r->dst[side]);
        done = run_guarded(c, &job, device_highlight_add);
    }
    mirror_free(&found);
}

static void compare_cuda(check *c, const highlight_case *k, const material *m, const result *cpu)
{
    result r = make_result(k, m);
    block *const blocks[BLOCKS] = {
        (block *)&m->src.memory,  (block *)&m->map.memory, (block *)&m->seen.memory,
        (block *)&m->discs,       (block *)&m->boxes,      (block *)&m->rest.memory,
        (block *)&m->glow.memory, &r.base.memory,          &r.halo.memory,
        &r.mask.memory,           &r.dst[0].memory,        &r.dst[1].memory};
    mirror on[BLOCKS] = {0};
    int up = 0, down = 0;

    for (int i = 0; i < BLOCKS; i++) {
        on[i] = mirror_up(c, blocks[i]);
        up += on[i].device != NULL;
    }
    if (up == BLOCKS) {
        run_cuda(c, k, m, on, &r);
        for (int i = BASE; i < BLOCKS; i++)
            down += mirror_down(c, &on[i], blocks[i]);
        if (down == BLOCKS - BASE)
            compare(c, ON_CUDA, cpu, &r);
    }
    for (int i = 0; i < BLOCKS; i++)
        mirror_free(&on[i]);
    free_result(&r);
}

/* --- Runs ------------------------------------------------------------------------------------- */

static void describe(check *c, const highlight_case *k, int threads)
{
    static const char *const names[] = {"random", "steps", "one"};
    static const char *const shapes[] = {"discs", "squares", "smooth", "polygons"};
    const shape *const s = &k->form;

    check_case(
        c,
        "%d x %d, %d channels, %d bits, %s%s, %s%s, lamps of %d from %u, radii %s to %g, %s, "
        "dark / %d, boost %g, %s, map "
        "%d bits %d channels, pad %d, skew %d, %d threads",
        s->width, s->height, s->channels, s->bits, check_look_name(&k->look),
        k->look.weighted ? " weighted" : "", fill_name(k->content), k->spots ? " with spots" : "",
        k->size, k->threshold, names[k->sort], k->radius, shapes[k->lamp_shape], k->dark,
        k->boost / 256.0, k->covered ? "covered" : "seen", k->map_bits, k->map_channels, s->pad,
        s->skew, threads);
}

void highlight_case_run(check *c, const highlight_case *k)
{
    static const int threads[] = {1, 3, 2, 7};
    material m = make_material(c, k);
    result want = make_result(k, &m);

    for (int i = 0; i < check_count(c, 4, 2); i++) {
        describe(c, k, threads[i]);
        result cpu = on_cpu(c, k, &m, threads[i]);
        if (i == 0)
            check_that(c, ON_CPU, ask_oracle(c, k, &m, &cpu, &want), "out of memory");
        compare(c, ON_CPU, &want, &cpu);
        if (i == 0 && c->cuda)
            compare_cuda(c, k, &m, &cpu);
        free_result(&cpu);
    }
    free_result(&want);
    free_material(&m);
}
