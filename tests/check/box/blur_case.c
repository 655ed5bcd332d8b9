#include "check/box/blur_case.h"

#include "support/dof_ranges.h"

const char *const operation_names[OPERATIONS] = {"box", "map", "dof", "equalize"};

static double fraction(uint64_t *random, double largest)
{
    return random_below(random, 1 << 20) * largest / (1 << 20);
}

static satb_look random_look(uint64_t *random)
{
    return (satb_look){random_below(random, 2), (satb_edge)random_below(random, 4)};
}

static void random_aperture(uint64_t *random, satb_dof_params *p)
{
    static const dof_range numbers[] = {SATB_DOF_SHAPE_NUMBERS(DOF_NUMBER_RANGE)};

    for (const dof_range *r = numbers; r < numbers + sizeof numbers / sizeof *numbers; r++)
        if (random_below(random, 3) == 0)
            dof_range_set(r,
                          r->low + (r->is_whole ? random_below(random, (int)(r->high - r->low) + 1)
                                                : fraction(random, r->high - r->low)),
                          p);
    if (p->bokeh != SATB_BOKEH_DISC)
        p->blades = 0;
    if (p->bokeh == SATB_BOKEH_SMOOTH)
        p->bokeh_edge = p->spherical = 0;
}

static satb_dof_params random_dof(uint64_t *random, int width, int height, double largest_radius)
{
    satb_dof_params p = {.focus_mode = (satb_focus)random_below(random, 4),
                         .focus_x = random_below(random, width),
                         .focus_y = random_below(random, height),
                         .focus_range = fraction(random, 0.2),
                         .strength = (satb_strength)random_below(random, 3),
                         .max_radius = fraction(random, largest_radius * 2 / 3),
                         .fstop = 1 + fraction(random, 8),
                         .focal_mm = 10 + fraction(random, 100),
                         .depth_type = (satb_depth_type)random_below(random, 2),
                         .near_black = random_below(random, 2),
                         .method = (satb_method)random_below(random, SATB_METHOD_SPREAD + 1),
                         .bokeh = (satb_bokeh)random_below(random, 3),
                         .distance_near = 0.5 + fraction(random, 1),
                         .distance_far = 2 + fraction(random, 20),
                         .look = random_look(random)};

    if (p.method == SATB_METHOD_LAYERED || p.method == SATB_METHOD_SPREAD) /* mostly not refused */
        p.look.edge = random_below(random, 8) ? SATB_EDGE_SHRINK : p.look.edge;
    if (p.method <= SATB_METHOD_LAYERED && p.look.edge == SATB_EDGE_SHRINK &&
        random_below(random, 2))
        p.highlights = 1 + fraction(random, SATB_MOST_HIGHLIGHTS - 1);
    random_aperture(random, &p);
    if (p.highlights > 0 && random_below(random, 2)) {
        p.highlight_threshold = 0.01 + fraction(random, 0.99);
        p.highlight_size = 0.01 + fraction(random, SATB_MOST_HIGHLIGHT_SIZE - 0.01);
    }
    p.focus = p.focus_mode == SATB_FOCUS_DISTANCE ? 0.5 + fraction(random, 5) : fraction(random, 1);
    return p;
}

/* Makes most pixels black, so that the others are lights. */
static void leave_lights(uint64_t *random, const satk_plane *p)
{
    const int colours = p->channels - (p->channels % 2 == 0);

    for (int i = 0; i < p->width * p->height; i++)
        for (int c = 0, dark = random_below(random, 99); c < colours && dark; c++)
            picture_put(p, i % p->width, i / p->width, c, 0);
}

/* Makes the picture one of half floats, which have neither highlights nor gamma. */
static void make_half(uint64_t *random, task *t)
{
    t->half = 1;
    t->dof.highlights = 0;
    t->box.look.gamma = t->by_map.look.gamma = t->dof.look.gamma = 0;
    picture_make_halves(&t->src.plane, (fill)random_below(random, FILLS));
}

task random_task(uint64_t *random, int largest_width, int largest_height, double largest_radius)
{
    const int width = 1 + random_below(random, largest_width);
    const int height = 1 + random_below(random, largest_height);
    const shape s = {width,
                     height,
                     1 + random_below(random, 4),
                     8 * (1 + random_below(random, 2)),
                     2 * random_below(random, 9),
                     2 * random_below(random, 9)};
    const int resized = random_below(random, 3) == 0;
    const shape m = {resized ? 1 + random_below(random, 80) : width,
                     resized ? 1 + random_below(random, 80) : height,
                     1 + random_below(random, 4),
                     8 * (1 + random_below(random, 2)),
                     2 * random_below(random, 9),
                     0};

    task t = {.operation = (operation)random_below(random, OPERATIONS),
              .src = picture_input(&s, (fill)random_below(random, FILLS), random),
              .map = picture_input(&m, (fill)random_below(random, FILLS), random),
              .box = {fraction(random, largest_radius), fraction(random, largest_radius),
                      random_look(random)},
              .by_map = {fraction(random, largest_radius), random_look(random)},
              .dof = random_dof(random, width, height, largest_radius)};

    if (s.bits == 16 && t.operation != EQUALIZE && random_below(random, 4) == 0)
        make_half(random, &t);
    if (t.dof.highlights > 0)
        leave_lights(random, &t.src.plane);
    if (t.operation == DOF && random_below(random, 3) == 0) {
        t.matte = picture_input(&m, random_below(random, 2) ? FILL_STEPS : FILL_RANDOM, random);
        t.is_alone = random_below(random, 2);
        t.protects = random_below(random, 2);
    }
    return t;
}

void task_free(task *t)
{
    picture_free(&t->src);
    picture_free(&t->map);
    if (t->matte.plane.data)
        picture_free(&t->matte);
}

satb_image image_of(const picture *p)
{
    return (satb_image){p->plane.data,
                        p->plane.pitch,
                        p->plane.width,
                        p->plane.height,
                        p->plane.channels,
                        p->plane.bits,
                        0,
                        0};
}

static satb_status run_dof(satb_context *context, const task *t, const satb_image *src,
                           const satb_image *map, const satb_image *dst)
{
    const satb_image matte = image_of(&t->matte);
    satb_dof_params params = t->dof;

    params.matte = t->matte.plane.data && (!t->protects || t->is_alone) ? &matte : NULL;
    params.protect = t->matte.plane.data && t->protects ? &matte : NULL;
    return satb_dof(context, src, map, dst, &params, NULL);
}

satb_status run_images(satb_context *context, const task *t, const satb_image *src,
                       const satb_image *map, const satb_image *dst)
{
    satb_image from = *src, to = *dst;

    from.half = to.half = t->half;
    switch (t->operation) {
    case BOX: return satb_box(context, &from, &to, &t->box);
    case EQUALIZE: return satb_equalize(context, &from, &to);
    case MAP: return satb_blur_map(context, &from, map, &to, &t->by_map);
    default: return run_dof(context, t, &from, t->is_alone ? NULL : map, &to);
    }
}

satb_status run_task(satb_context *context, const task *t, const picture *out)
{
    const satb_image src = image_of(&t->src), map = image_of(&t->map), dst = image_of(out);

    return run_images(context, t, &src, &map, &dst);
}
