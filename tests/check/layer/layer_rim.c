#include "check/layer/layer_rim.h"

#include "blur/dof_slabs.h"
#include "layer/radii_rule.h"

enum { LAST = 255, AWAY = 10, LONGEST = 1 << 24 };

/* Returns the radius of a code. */
static double radius_of(const layer_case *k, int code)
{
    return (code - k->focus) * (double)k->radius / k->focus;
}

static int make_slabs(const layer_case *k, satk_slab *slabs, double *radii)
{
    const satb_aperture aperture = satb_make_aperture(&(satb_dof_params){
        .bokeh = k->aperture == APERTURES_SQUARE ? SATB_BOKEH_SQUARE : SATB_BOKEH_DISC});

    return satb_make_slabs(radius_of(k, 0), radius_of(k, LAST), 0, LONGEST, &aperture, slabs,
                           radii);
}

void layer_rim_choose(check *c, layer_case *k)
{
    static satk_slab slabs[SATK_MAX_SLABS];
    double radii[SATK_MAX_SLABS];

    k->depth = DEPTHS_RIM;
    k->map_bits = 8;
    k->content = FILL_RANDOM;
    k->boxes = k->behind = k->before = k->covered = k->soft = 0;
    k->radius = 8 + random_below(&c->random, 24);
    k->focus = 180 + random_below(&c->random, 60);
    k->count = make_slabs(k, slabs, radii);
}

/* Draws a walk of `count` codes of the surface, by steps of at most `step`. */
static void walk(check *c, const layer_case *k, int step, int *codes, int count)
{
    const int far = LAYER_RIM_RADIUS * k->focus / k->radius / 2; /* two walks make a code */
    int at = random_below(&c->random, 2 * far + 1) - far;

    for (int i = 0; i < count; i++) {
        at += random_below(&c->random, 2 * step + 1) - step;
        codes[i] = at = at < -far ? -far : at > far ? far : at;
    }
}

static int rim_of(const layer_case *k)
{
    return 2 * k->form.width / 3;
}

/* Draws the surface up to the rim, and far codes beyond it. The surface has the colour of the first pixel. */
static void draw(check *c, const layer_case *k, layer_material *m)
{
    const oracle_plane src = oracle_view(&m->src.plane);
    const int step = 1 + random_below(&c->random, 3), white = random_below(&c->random, 2);
    const int nearest = k->focus - 2 * LAYER_RIM_RADIUS * k->focus / k->radius;
    int across[200], down[200];

    walk(c, k, step, across, k->form.width);
    walk(c, k, step, down, k->form.height);
    for (int y = 0; y < k->form.height; y++)
        for (int x = 0; x < k->form.width; x++) {
            const int is_far = x >= rim_of(k), code = k->focus + across[x] + down[y];
            picture_put(&m->map.plane, x, y, 0,
                        (uint32_t)(is_far        ? random_below(&c->random, satk_larger(nearest, 1))
                                   : code < LAST ? code
                                                 : LAST));
            for (int i = 0; i < k->form.channels && (!is_far || white); i++)
                picture_put(&m->src.plane, x, y, i,
                            is_far ? oracle_code_max(k->form.bits)
                                   : (uint32_t)oracle_code(&src, 0, 0, i));
        }
}

void layer_rim_make(check *c, const layer_case *k, layer_material *m)
{
    const shape form = {k->form.width, k->form.height,   k->map_channels,
                        k->map_bits,   k->form.pad & ~1, k->form.skew & ~1};
    double radii[SATK_MAX_SLABS];

    m->map = picture_input(&form, FILL_RANDOM, &c->random);
    layer_make_cover(c, k, m);
    layer_make_forms(c, k, m);
    make_slabs(k, m->slabs, radii);
    m->position = block_exact((LAST + 1) * sizeof(uint16_t), 0);
    for (int i = 0; i <= LAST; i++)
        ((uint16_t *)block_data(&m->position))[i] =
            satk_position_of(radii, k->count, radius_of(k, i));
    draw(c, k, m);
    layer_mark_used(m);
}

void layer_rim_check(check *c, const layer_case *k, const layer_material *m, const picture *got)
{
    const oracle_plane src = oracle_view(&m->src.plane), out = oracle_view(&got->plane);
    int off = 0;

    for (int y = 0; y < k->form.height; y++)
        for (int x = 0; x < rim_of(k) - AWAY; x++)
            for (int i = 0; i < k->form.channels; i++)
                off += oracle_code(&src, x, y, i) != oracle_code(&out, x, y, i);
    check_that(c, ON_CPU, off == 0, "%d codes of a surface of one colour have changed", off);
}
