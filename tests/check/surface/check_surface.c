/* Edges of depth: a device must make a map ready as the host does. (unit_depth_edges.c and
 * unit_surface_join.c test the host against the definition.) */
#include "check/surface/surface_case.h"
#include "check/surface/surface_compare.h"

#include "backend/image.h"
#include "depth/depth_map.h"
#include "surface/surface_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Comparison ------------------------------------------------------------------------------- */

static satb_image image_of(const satk_plane *p)
{
    return (satb_image){p->data, p->pitch, p->width, p->height, p->channels, p->bits, 0, 0};
}

static int is_ready(check *c, backend on, satb_context *context, const scene *s,
                    satb_depth_map *depth)
{
    const satb_image map = image_of(&s->map.plane), src = image_of(&s->src.plane);
    const satb_status status = satb_open_depth_map(context, depth, &map, &src, &s->params);

    return check_that(c, on, status == SATB_OK, "%s", satb_last_message(context));
}

typedef struct tally {
    uint64_t snapped, mixed, rims, masks;
    int made; /* maps that are made on the device */
} tally;

static void check_scene(check *c, backend on, satb_context *host, satb_context *other,
                        const scene *s, tally *sum)
{
    satb_depth_map want, got;

    if (!is_ready(c, on, host, s, &want))
        return;
    if (is_ready(c, on, other, s, &got)) {
        surface_compare(c, on, &want, &got);
        sum->snapped += want.numbers.surface[SATK_SNAPPED];
        sum->mixed += want.numbers.surface[SATK_MIXED];
        sum->rims += want.numbers.surface[SATK_RIMS];
        sum->masks +=
            satk_counts_mask(want.numbers.surface[SATK_BLACK], want.numbers.surface[SATK_WHITE],
                             (uint64_t)s->map.plane.width * (uint64_t)s->map.plane.height);
        sum->made += got.at == other;
        satb_close_depth_map(other, &got);
    }
    satb_close_depth_map(host, &want);
}

/* Steps that hardly make a pixel one beside something nearer, alone in the tiles of a device. */
static void check_faint(check *c, backend on, satb_context *host, satb_context *other)
{
    tally sum = {0};

    for (int i = 0; i < 8 && !check_hopeless(c); i++) {
        scene s = scene_make_few(c, 2 + i % 3, i < 4 ? 9 : 9 + random_below(&c->random, 24));
        check_scene(c, on, host, other, &s, &sum);
        scene_free(&s);
    }
    check_case(c, "faint steps");
    check_that(c, on, sum.mixed > 0, "nothing was mixed");
}

/* Compares one thread with three threads and with the device. */
static void check_on(check *c, backend on)
{
    static const int sides[][2] = {{1, 1},   {8, 9},   {9, 9},   {10, 40},  {31, 9},
                                   {33, 17}, {64, 65}, {97, 70}, {200, 130}};
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = 1};
    const satb_config otherwise = {.device = on == ON_CUDA ? SATB_DEVICE_CUDA : SATB_DEVICE_CPU,
                                   .threads = 3};
    const int rounds = check_count(c, 360, 54);
    satb_context *host = NULL, *other = NULL;
    tally sum = {0};

    if (check_that(c, on,
                   satb_open(&host, &config) == SATB_OK && satb_open(&other, &otherwise) == SATB_OK,
                   "%s", satb_open_message()))
        for (int i = 0; i < rounds && !check_hopeless(c); i++) {
            const int *const side = sides[i % (int)(sizeof sides / sizeof *sides)];
            scene s = scene_make(c, side[0], side[1]);
            if (i % 2) /* the other half has maps of the picture's size */
                scene_resize(c, &s);
            check_scene(c, on, host, other, &s, &sum);
            scene_free(&s);
        }
    check_case(c, "all");
    check_that(c, on, sum.snapped > 0 && sum.mixed > 0 && sum.rims > 0 && sum.masks > 0,
               "nothing was snapped, or mixed, or a rim, or a mask");
    check_that(c, on, sum.made > 0, "no map was made on the device");
    if (host && other)
        check_faint(c, on, host, other);
    satb_close(&host);
    satb_close(&other);
}

/* --- Blurs ------------------------------------------------------------------------------------ */

/* Returns the map, or in every second round its first rows and columns, half of the size. */
static satb_image map_of(const scene *s, int round)
{
    satb_image map = image_of(&s->map.plane);

    if (round % 2) {
        map.width /= 2;
        map.height /= 2;
    }
    return map;
}

/* Opens a context of the CPU and one of the device. */
static int open_both(check *c, satb_context *contexts[2])
{
    const satb_config configs[] = {{.device = SATB_DEVICE_CPU, .threads = 2},
                                   {.device = SATB_DEVICE_CUDA}};

    for (int i = 0; i < 2; i++)
        check_that(c, ON_CUDA, satb_open(&contexts[i], &configs[i]) == SATB_OK, "%s",
                   satb_open_message());
    return contexts[0] && contexts[1];
}

static void close_both(satb_context *contexts[2])
{
    for (int i = 0; i < 2; i++)
        satb_close(&contexts[i]);
}

/* Blurs into the same memory each time. report: the device's. */
static void compare_blurs(check *c, satb_context *const contexts[2], const scene *s,
                          const satb_image *map, const satb_dof_params *params, picture made[2],
                          satb_dof_report *report)
{
    const satb_image src = image_of(&s->src.plane);
    const layout l = layout_of(&made[0].plane);

    for (int i = 0; i < 2; i++) {
        const satb_image dst = image_of(&made[i].plane);
        check_that(c, ON_CUDA, satb_dof(contexts[i], &src, map, &dst, params, report) == SATB_OK,
                   "%s", satb_last_message(contexts[i]));
    }
    check_same(c, ON_CUDA, &made[0].memory, &made[1].memory, &l);
}

/* The device must not use its data of one picture for the next one in the same memory, whatever the
 * maps are. */
static void check_same_memory(check *c, int round)
{
    const satb_dof_params params = {.strength = SATB_STRENGTH_RADIUS, .max_radius = 9};
    scene s = scene_make(c, 70, 50);
    const shape same = {70, 50, s.src.plane.channels, s.src.plane.bits, 0, 0};
    picture made[2] = {picture_output(&same), picture_output(&same)};
    satb_context *both[2];

    const int is_open = open_both(c, both);
    for (int end = round + 6; round < end && is_open; round++) {
        const satb_image map = map_of(&s, round / 2);
        scene_draw_discs(c, &s, 70, 50);
        for (int k = 0; k < 70 * 50; k++)
            scene_draw_pixel(c, &s, k % 70, k / 70);
        compare_blurs(c, both, &s, &map, &params, made, NULL);
    }
    close_both(both);
    for (int i = 0; i < 2; i++)
        picture_free(&made[i]);
    scene_free(&s);
}

/* Blurs by soft and small maps, some so strongly that pixels beside their edges are in doubt. */
static void check_covers(check *c)
{
    static const int sides[][2] = {{70, 50}, {161, 90}, {40, 200}};
    const int rounds = check_count(c, 90, 18);
    satb_context *both[2];

    const int is_open = open_both(c, both);
    for (int i = 0; i < rounds && is_open && !check_hopeless(c); i++) {
        scene s = scene_make(c, sides[i % 3][0], sides[i % 3][1]);
        const shape same = {
            sides[i % 3][0], sides[i % 3][1], s.src.plane.channels, s.src.plane.bits, 0, 0};
        picture made[2] = {picture_output(&same), picture_output(&same)};
        satb_dof_params params = s.params;
        if (i % 4)
            scene_resize(c, &s);
        const satb_image map = image_of(&s.map.plane);
        params.strength = SATB_STRENGTH_RADIUS;
        params.max_radius = 1 + random_below(&c->random, 120);
        params.focus_mode = random_below(&c->random, 4) ? SATB_FOCUS_VALUE : SATB_FOCUS_POINT;
        params.focus = random_below(&c->random, 101) / 100.0;
        params.focus_x = random_below(&c->random, same.width);
        params.focus_y = random_below(&c->random, same.height);
        compare_blurs(c, both, &s, &map, &params, made, NULL);
        for (int k = 0; k < 2; k++)
            picture_free(&made[k]);
        scene_free(&s);
    }
    close_both(both);
}

/* --- Symmetry --------------------------------------------------------------------------------- */

/* Turns a plane of `rows` rows: pixel x, y becomes pixel rows - 1 - y, x. */
static picture turned(const satk_plane *from)
{
    const shape form = {from->height, from->width, from->channels, from->bits, 0, 0};
    const picture to = picture_output(&form);

    for (int y = 0; y < from->height; y++) {
        const uint8_t *const row = (const uint8_t *)from->data + y * from->pitch;
        for (int x = 0; x < from->width; x++)
            for (int k = 0; k < from->channels; k++)
                picture_put(&to.plane, from->height - 1 - y, x, k,
                            satk_code(row, (size_t)(x * from->channels + k), from->bits));
    }
    return to;
}

static picture blurred(check *c, backend on, satb_context *context, const satk_plane *picture_of,
                       const satk_plane *map_of, const satb_dof_params *params)
{
    const satb_image src = image_of(picture_of), map = image_of(map_of);
    const shape form = {src.width, src.height, src.channels, src.bits, 0, 0};
    const picture made = picture_output(&form);
    const satb_image dst = image_of(&made.plane);

    check_that(c, on, satb_dof(context, &src, &map, &dst, params, NULL) == SATB_OK, "%s",
               satb_last_message(context));
    return made;
}

/* A turned picture with its map gives the turned result. */
static void check_turned_scene(check *c, backend on, satb_context *context, const scene *s)
{
    satb_dof_params params = {.strength = SATB_STRENGTH_RADIUS,
                              .max_radius = 1 + random_below(&c->random, 90),
                              .focus_mode = SATB_FOCUS_VALUE, /* auto focus knows what is up */
                              .focus = random_below(&c->random, 101) / 100.0,
                              .near_black = s->near_black,
                              .method = SATB_METHOD_LAYERED,
                              .bokeh = (satb_bokeh)random_below(&c->random, 3)};
    picture src = turned(&s->src.plane), map = turned(&s->map.plane);
    picture plain = blurred(c, on, context, &s->src.plane, &s->map.plane, &params);
    picture want = turned(&plain.plane);
    params.orientation = 8; /* points of light are rows of the upright picture */
    picture got = blurred(c, on, context, &src.plane, &map.plane, &params);
    const layout l = layout_of(&got.plane);

    check_same(c, on, &want.memory, &got.memory, &l);
    picture_free(&src);
    picture_free(&map);
    picture_free(&plain);
    picture_free(&want);
    picture_free(&got);
}

static void check_turned(check *c, backend on)
{
    const satb_config config = {.device = on == ON_CUDA ? SATB_DEVICE_CUDA : SATB_DEVICE_CPU,
                                .threads = 1};
    satb_context *context = NULL;

    if (check_that(c, on, satb_open(&context, &config) == SATB_OK, "%s", satb_open_message()))
        for (int i = 0; i < check_count(c, 40, 8) && !check_hopeless(c); i++) {
            scene s =
                scene_make(c, 9 + random_below(&c->random, 90), 9 + random_below(&c->random, 60));
            check_turned_scene(c, on, context, &s);
            scene_free(&s);
        }
    satb_close(&context);
}

/* --- Maps that are ours, and whose edges are few ---------------------------------------------- */

/* The host joins pixels in memory that the device has read before. Returns the number of pixels
 * that this concerns. */
static uint64_t check_few(check *c, int channels, satb_method method)
{
    scene s = scene_make_few(c, channels, 50);
    const satb_image map = image_of(&s.map.plane);
    const satb_dof_params params = {.strength = SATB_STRENGTH_RADIUS,
                                    .max_radius = 20,
                                    .focus_mode = SATB_FOCUS_VALUE,
                                    .focus = 1,
                                    .near_black = s.near_black,
                                    .holes = channels == 1 ? SATB_HOLES_FILL : SATB_HOLES_NONE,
                                    .method = method};
    const shape same = {map.width, map.height, s.src.plane.channels, 8, 0, 0};
    picture made[2] = {picture_output(&same), picture_output(&same)};
    satb_dof_report report = {.mixed = 0};
    satb_context *both[2];

    if (open_both(c, both))
        compare_blurs(c, both, &s, &map, &params, made, &report);
    close_both(both);
    for (int i = 0; i < 2; i++)
        picture_free(&made[i]);
    scene_free(&s);
    return report.mixed;
}

static void check_all_few(check *c)
{
    uint64_t mixed = 0;

    for (int i = 0; i < 12 && !check_hopeless(c); i++)
        mixed += check_few(c, 1 + i % 4, i < 4 ? SATB_METHOD_LAYERED : SATB_METHOD_GATHER);
    check_case(c, "few edges");
    check_that(c, ON_CUDA, mixed > 0, "nothing was mixed");
}

void check_surface(check *c)
{
    if (!check_group(c, "surface"))
        return;
    check_on(c, ON_CPU);
    check_turned(c, ON_CPU);
    if (c->cuda) {
        check_on(c, ON_CUDA);
        check_turned(c, ON_CUDA);
    }
    for (int i = 0; i < 4 && c->cuda; i++)
        check_same_memory(c, i);
    if (c->cuda) {
        check_all_few(c);
        check_covers(c);
    }
}
