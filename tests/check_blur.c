/* Whole operations through the public library: one thread = several threads = CUDA. The primitives
 * have their own checks; here it is what core/ makes of them (numbers, words, tables, resampling,
 * buffers that are reused from call to call) that must be the same on every device. */
#include "check.h"

#include "satblur.h"

#include <string.h>

typedef struct devices {
    satb_context *one, *several, *cuda; /* cuda NULL: there is none */
} devices;

/* One operation, with everything it takes. */
typedef struct task {
    enum { BOX, MAP, DOF, EQUALIZE, OPERATIONS } operation;
    picture src, map;
    satb_box_params box;
    satb_map_params by_map;
    satb_dof_params dof;
} task;

static const char *const operation_names[] = {"box", "map", "dof", "equalize"};

static double fraction(uint64_t *random, double largest)
{
    return random_below(random, 1 << 20) * largest / (1 << 20);
}

static satb_look random_look(uint64_t *random)
{
    return (satb_look){random_below(random, 2), (satb_edge)random_below(random, 4)};
}

static satb_dof_params random_dof(uint64_t *random, int width, int height)
{
    satb_dof_params p = {.focus_mode = (satb_focus)random_below(random, 4),
                         .focus_x = random_below(random, width),
                         .focus_y = random_below(random, height),
                         .focus_range = fraction(random, 0.2),
                         .strength = (satb_strength)random_below(random, 3),
                         .max_radius = fraction(random, 60),
                         .fstop = 1 + fraction(random, 8),
                         .focal_mm = 10 + fraction(random, 100),
                         .depth_type = (satb_depth_type)random_below(random, 2),
                         .near_black = random_below(random, 2),
                         .method = (satb_method)random_below(random, 3),
                         .bokeh = (satb_bokeh)random_below(random, 2),
                         .distance_near = 0.5 + fraction(random, 1),
                         .distance_far = 2 + fraction(random, 20),
                         .look = random_look(random)};

    p.focus = p.focus_mode == SATB_FOCUS_DISTANCE ? 0.5 + fraction(random, 5) : fraction(random, 1);
    return p;
}

static task random_task(uint64_t *random)
{
    const int large = random_below(random, 8) == 0;
    const int width = 1 + random_below(random, large ? 2000 : 200);
    const int height = 1 + random_below(random, large ? 500 : 150);
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

    return (task){.operation = random_below(random, OPERATIONS),
                  .src = picture_input(&s, (fill)random_below(random, FILLS), random),
                  .map = picture_input(&m, (fill)random_below(random, FILLS), random),
                  .box = {fraction(random, 90), fraction(random, 90), random_look(random)},
                  .by_map = {fraction(random, 90), random_look(random)},
                  .dof = random_dof(random, width, height)};
}

static satb_image view(const picture *p)
{
    return (satb_image){p->plane.data,   p->plane.pitch,    p->plane.width,
                        p->plane.height, p->plane.channels, p->plane.bits};
}

static satb_status run(satb_context *context, const task *t, const picture *out)
{
    const satb_image src = view(&t->src), map = view(&t->map), dst = view(out);

    switch (t->operation) {
    case BOX: return satb_box(context, &src, &dst, &t->box);
    case EQUALIZE: return satb_equalize(context, &src, &dst);
    case MAP: return satb_blur_map(context, &src, &map, &dst, &t->by_map);
    default: return satb_dof(context, &src, &map, &dst, &t->dof, NULL);
    }
}

/* The same status, and the same bytes, guards and paddings included. */
static void compare(check *c, backend on, satb_context *context, const task *t, const shape *s,
                    satb_status wanted, const picture *want)
{
    picture got = picture_output(s);
    const layout l = layout_of(&got.plane);
    const satb_status status = run(context, t, &got);

    if (check_that(c, on, status == wanted, "status %d wanted, %d found: %s", wanted, status,
                   satb_last_message(context)) &&
        status == SATB_OK)
        check_same(c, on, &want->memory, &got.memory, &l);
    picture_free(&got);
}

static void check_task(check *c, const devices *d, const task *t)
{
    const satk_plane *const p = &t->src.plane;
    const shape s = {p->width, p->height, p->channels, p->bits, 6, 2};
    picture want = picture_output(&s);

    check_case(c, "%s of %dx%d, %d channels of %d bits, map %dx%d of %d bits",
               operation_names[t->operation], p->width, p->height, p->channels, p->bits,
               t->map.plane.width, t->map.plane.height, t->map.plane.bits);
    const satb_status status = run(d->one, t, &want);
    compare(c, ON_CPU, d->several, t, &s, status, &want);
    if (d->cuda)
        compare(c, ON_CUDA, d->cuda, t, &s, status, &want);
    picture_free(&want);
}

static void check_measure(check *c, const devices *d, const task *t)
{
    const satb_image src = view(&t->src);
    satb_channel_stats want[4], got[4];
    const size_t bytes = sizeof *want * (size_t)src.channels;

    satb_measure(d->one, &src, want);
    const satb_status several = satb_measure(d->several, &src, got);
    check_that(c, ON_CPU, several == SATB_OK && !memcmp(want, got, bytes), "statistics differ");
    if (!d->cuda)
        return;
    const satb_status cuda = satb_measure(d->cuda, &src, got);
    check_that(c, ON_CUDA, cuda == SATB_OK && !memcmp(want, got, bytes), "statistics differ");
}

static void check_table(check *c, const devices *d, const task *t, int word)
{
    const satb_image src = view(&t->src);
    const size_t words = (size_t)src.width * (size_t)src.height * (size_t)src.channels;
    const layout l = {words * (size_t)word / 8, words * (size_t)word / 8, (size_t)word / 8,
                      (size_t)word / 8};
    block want = block_guarded(l.row, 0), got = block_guarded(l.row, 0);

    check_case(c, "table of %dx%d, %d channels of %d bits, words of %d", src.width, src.height,
               src.channels, src.bits, word);
    block_poison(&want);
    satb_table(d->one, &src, word, block_data(&want));
    block_poison(&got);
    const satb_status several = satb_table(d->several, &src, word, block_data(&got));
    if (check_that(c, ON_CPU, several == SATB_OK, "%s", satb_last_message(d->several)))
        check_same(c, ON_CPU, &want, &got, &l);
    block_poison(&got);
    const satb_status cuda = d->cuda ? satb_table(d->cuda, &src, word, block_data(&got)) : SATB_OK;
    if (d->cuda && check_that(c, ON_CUDA, cuda == SATB_OK, "%s", satb_last_message(d->cuda)))
        check_same(c, ON_CUDA, &want, &got, &l);
    block_free(&want);
    block_free(&got);
}

static int open_devices(check *c, devices *d)
{
    const satb_config one = {.device = SATB_DEVICE_CPU, .threads = 1};
    const satb_config several = {.device = SATB_DEVICE_CPU, .threads = 3};
    const satb_config cuda = {.device = SATB_DEVICE_CUDA};

    return check_that(c, ON_CPU, satb_open(&d->one, &one) == SATB_OK, "%s", satb_open_message()) &&
           check_that(c, ON_CPU, satb_open(&d->several, &several) == SATB_OK, "%s",
                      satb_open_message()) &&
           (!c->cuda || check_that(c, ON_CUDA, satb_open(&d->cuda, &cuda) == SATB_OK, "%s",
                                   satb_open_message()));
}

void check_blur(check *c)
{
    devices d = {0};

    if (!check_group(c, "blur.operations"))
        return;
    if (open_devices(c, &d))
        for (int i = 0; i < check_count(c, 400, 12) && !check_hopeless(c); i++) {
            task t = random_task(&c->random);
            check_task(c, &d, &t);
            check_measure(c, &d, &t);
            check_table(c, &d, &t, i % 2 ? 32 : 64);
            picture_free(&t.src);
            picture_free(&t.map);
        }
    satb_close(&d.one);
    satb_close(&d.several);
    satb_close(&d.cuda);
}
