#include "check/layer/points_material.h"

#include "blur/dof_points.h"
#include "layer/radii_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static satb_dof_params params_of(const points_case *k)
{
    const int is_polygon = k->shape == 3;

    return (satb_dof_params){.bokeh = (satb_bokeh)(k->shape % 3),
                             .blades = is_polygon ? 3 + k->of.size % 7 : 0,
                             .blade_rotation = k->of.dark,
                             .blade_curvature = k->has_cover / 3.0,
                             .bokeh_edge =
                                 is_polygon && k->boost % 2 ? k->of.size % 5 / 2.0 - 1 : 0,
                             .spherical = is_polygon && k->of.spots ? 0.4 : 0,
                             .vignette = is_polygon ? k->of.threshold % 3 / 2.0 : 0,
                             .squeeze = is_polygon && k->of.spots ? 1.5 : 1,
                             .orientation = k->orientation};
}

static void make_outlines(const points_case *k, points_material *m)
{
    const satb_dof_params params = params_of(k);
    const satb_aperture aperture = satb_make_aperture(&params);
    const int rows = k->row + k->of.form.height + k->beyond;

    if (satb_make_outlines(NULL, &aperture, k->of.form.width, rows, &m->made) != SATB_OK)
        return;
    m->outlines = block_exact(m->made.bytes, 0);
    memcpy(block_data(&m->outlines), m->made.of, m->made.bytes);
    const size_t count = m->made.bytes / sizeof *m->made.of;
    m->wanted_outlines = calloc(count, sizeof *m->wanted_outlines);
    for (size_t i = 0; i < count && m->wanted_outlines; i++) {
        const satk_outline *const o = &m->made.of[i];
        m->wanted_outlines[i] = (oracle_outline){o->middle, o->half, o->weight, o->left, o->right};
    }
}

static void make_discs(check *c, const points_case *k, points_material *m)
{
    const size_t codes = (size_t)1 << k->of.map_bits;
    satk_disc *const discs = block_data(&m->discs);

    m->wanted = calloc(codes, sizeof *m->wanted);
    for (size_t i = 0; i < codes && m->wanted; i++) {
        satk_disc *const d = &discs[i];
        *d = satk_disc_of(k->of.radius * (2.0 * (double)i / (double)(codes - 1) - 1));
        d->group = (uint8_t)random_below(&c->random, k->groups);
        m->wanted[i] = (oracle_disc){d->radius, d->side, d->group, d->fade, d->cells};
        m->farthest = satk_larger(m->farthest, (int)ceil(d->radius * m->made.reach / SATK_ONE) + 1);
    }
}

static shape eight_of(const points_case *k, int width, int height, int channels)
{
    return (shape){width, height, channels, 8, k->of.form.pad, k->of.form.skew};
}

shape points_runs(const points_case *k)
{
    return eight_of(k, (k->of.form.width + SATK_POINT_RUN - 1) / SATK_POINT_RUN, k->of.form.height,
                    1);
}

int points_differ(const satk_plane *a, const satk_plane *b, int x, int y)
{
    const oracle_plane p = oracle_view(a), q = oracle_view(b);

    for (int i = 0; i < p.channels - (p.channels % 2 == 0); i++)
        if (oracle_code(&p, x, y, i) != oracle_code(&q, x, y, i))
            return 1;
    return 0;
}

void points_mark(const satk_plane *src, const satk_plane *base, const satk_plane *runs)
{
    for (int y = 0; y < runs->height; y++)
        for (int i = 0; i < runs->width; i++) {
            uint32_t any = 0;
            for (int x = 32 * i; x < 32 * i + 32 && x < src->width; x++)
                any |= (uint32_t)points_differ(src, base, x, y);
            picture_put(runs, i, y, 0, any);
        }
}

/* Half floats that are not below others may stand for less. */
static void limit_halves(const satk_plane *rest, const satk_plane *src)
{
    const oracle_plane p = oracle_view(rest), q = oracle_view(src);

    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++)
            for (int i = 0; i < p.channels; i++)
                if (oracle_decode_half(oracle_code(&p, x, y, i)) >
                    oracle_decode_half(oracle_code(&q, x, y, i)))
                    picture_put(rest, x, y, i, oracle_code(&q, x, y, i));
}

points_material points_material_make(check *c, const points_case *k)
{
    const highlight_case *const of = &k->of;
    const shape *const form = &of->form, runs = points_runs(k);
    const shape map = {form->width,  form->height,   of->map_channels,
                       of->map_bits, form->pad & ~1, form->skew & ~1};
    const shape glow = eight_of(k, form->width, form->height, form->channels);
    const shape gray = eight_of(k, form->width, form->height, 1);
    const shape left = eight_of(k, form->width, SATK_MARKS * form->height, 1);
    points_material m = {.src = picture_input(form, of->content, &c->random),
                         .rest = picture_input(form, FILL_RANDOM, &c->random),
                         .glow = picture_input(&glow, FILL_RANDOM, &c->random),
                         .map = picture_input(&map, FILL_RANDOM, &c->random),
                         .cover = picture_input(&gray, FILL_RANDOM, &c->random),
                         .left = picture_input(&left, FILL_RANDOM, &c->random),
                         .dst = picture_input(form, FILL_RANDOM, &c->random),
                         .runs = picture_output(&runs),
                         .discs = block_exact(sizeof(satk_disc) << of->map_bits, 0)};

    if (of->spots)
        highlight_draw_spots(c, of, &m.src.plane);
    highlight_fade(c, &m.src.plane);
    highlight_darken(&m.rest.plane, of->dark);
    highlight_limit(&m.rest.plane, &m.src.plane);
    if (of->look.linear == ORACLE_HALF)
        limit_halves(&m.rest.plane, &m.src.plane);
    highlight_fade(c, &m.dst.plane);
    highlight_draw_map(c, of, &m.map.plane);
    points_mark(&m.src.plane, &m.rest.plane, &m.runs.plane);
    make_outlines(k, &m);
    make_discs(c, k, &m);
    return m;
}

void points_material_free(points_material *m)
{
    picture *const pictures[] = {&m->src,   &m->rest, &m->glow, &m->map,
                                 &m->cover, &m->left, &m->dst,  &m->runs};

    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        picture_free(pictures[i]);
    block_free(&m->discs);
    block_free(&m->outlines);
    free(m->wanted);
    free(m->wanted_outlines);
    satb_free_outlines(&m->made);
}
