/* Edges of depth: a device must make a map ready as the host does. (unit_depth_edges.c and
 * unit_surface_join.c test the host against the definition.) */
#include "check/surface_case.h"

#include "backend/image.h"
#include "depth/depth_map.h"
#include "depth/depth_surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Comparison ------------------------------------------------------------------------------- */

static satb_image image_of(const satk_plane *p)
{
    return (satb_image){p->data, p->pitch, p->width, p->height, p->channels, p->bits, 0};
}

static int is_ready(check *c, backend on, satb_context *context, const scene *s,
                    satb_depth_map *depth)
{
    const satb_image map = image_of(&s->map.plane), src = image_of(&s->src.plane);
    const satb_dof_params params = {.near_black = s->near_black};
    const satb_status status = satb_open_depth_map(context, depth, &map, &src, &params);

    return check_that(c, on, status == SATB_OK, "%s", satb_last_message(context));
}

/* Compares the maps. b: got's map, where the host can read it. */
static void compare(check *c, backend on, const satb_depth_map *want, const satb_depth_map *got,
                    const satb_image *b)
{
    const satb_image *const a = &want->map;
    const size_t row = (size_t)a->width * (size_t)a->bits / 8;

    for (int y = 0; y < a->height; y++) {
        const uint8_t *const p = (const uint8_t *)a->data + y * a->stride;
        const uint8_t *const q = (const uint8_t *)b->data + y * b->stride;
        if (memcmp(p, q, row) != 0) {
            check_that(c, on, 0, "row %d of the map differs", y);
            return;
        }
    }
    check_that(c, on, want->snapped == got->snapped && want->mixed == got->mixed,
               "snapped %zu, mixed %zu; wanted %zu, %zu", got->snapped, got->mixed, want->snapped,
               want->mixed);
}

/* Returns 1 if the counts of codes, where there are some, are those of the map. */
static int are_counted(const satb_depth_map *depth, const satb_image *map)
{
    uint64_t *const counts = calloc((size_t)1 << map->bits, sizeof *counts);
    int same = counts != NULL;

    for (int i = 0; same && i < map->width * map->height; i++)
        counts[satk_code((const uint8_t *)map->data + i / map->width * map->stride,
                         (size_t)(i % map->width), map->bits)]++;
    same =
        same && (!depth->counted || !memcmp(counts, depth->counted, sizeof *counts << map->bits));
    free(counts);
    return same;
}

typedef struct tally {
    size_t snapped, mixed;
    int made; /* maps that are no work of the host's */
} tally;

static int is_made(satb_context *context, const scene *s)
{
    const satb_image map = image_of(&s->map.plane), src = image_of(&s->src.plane);
    satb_surfaces found;
    const satb_status status = satb_find_surfaces(context, &map, &src, s->near_black, &found);

    return status == SATB_OK && found.is_made;
}

static void check_scene(check *c, backend on, satb_context *host, satb_context *other,
                        const scene *s, tally *sum)
{
    satb_depth_map want, got;
    satb_image map;
    void *copy;

    if (!is_ready(c, on, host, s, &want))
        return;
    if (is_ready(c, on, other, s, &got)) {
        if (check_that(c, on, satb_view_on_host(other, &got.map, &map, &copy) == SATB_OK, "%s",
                       satb_last_message(other))) {
            compare(c, on, &want, &got, &map);
            check_that(c, on, are_counted(&got, &map), "codes are miscounted");
            satb_give(&other->spares, copy);
        }
        sum->snapped += want.snapped;
        sum->mixed += want.mixed;
        sum->made += is_made(other, s);
        satb_close_depth_map(other, &got);
    }
    satb_close_depth_map(host, &want);
}

/* Compares one thread with three threads and with the device. */
static void check_on(check *c, backend on)
{
    static const int sides[][2] = {{9, 9},   {10, 40}, {31, 9},   {33, 17},
                                   {64, 65}, {97, 70}, {200, 130}};
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = 1};
    const satb_config otherwise = {.device = on == ON_CUDA ? SATB_DEVICE_CUDA : SATB_DEVICE_CPU,
                                   .threads = 3};
    satb_context *host = NULL, *other = NULL;
    tally sum = {0};

    if (check_that(c, on,
                   satb_open(&host, &config) == SATB_OK && satb_open(&other, &otherwise) == SATB_OK,
                   "%s", satb_open_message()))
        for (int i = 0; i < check_count(c, 210, 28) && !check_hopeless(c); i++) {
            const int *const side = sides[i % (int)(sizeof sides / sizeof *sides)];
            scene s = scene_make(c, side[0], side[1]);
            check_scene(c, on, host, other, &s, &sum);
            scene_free(&s);
        }
    check_case(c, "all");
    check_that(c, on, sum.snapped > 0 && sum.mixed > 0, "nothing was snapped, or mixed");
    check_that(c, on, (on == ON_CUDA) == (sum.made > 0), "%d maps were made on the device",
               sum.made);
    satb_close(&host);
    satb_close(&other);
}

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

/* --- Blurs ------------------------------------------------------------------------------------ */

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
    const satb_dof_params params = {.strength = SATB_STRENGTH_RADIUS,
                                    .max_radius = 1 + random_below(&c->random, 90),
                                    .focus_mode =
                                        SATB_FOCUS_VALUE, /* auto focus knows what is up */
                                    .focus = random_below(&c->random, 101) / 100.0,
                                    .near_black = s->near_black,
                                    .method = SATB_METHOD_LAYERED,
                                    .bokeh = (satb_bokeh)random_below(&c->random, 3)};
    picture src = turned(&s->src.plane), map = turned(&s->map.plane);
    picture plain = blurred(c, on, context, &s->src.plane, &s->map.plane, &params);
    picture want = turned(&plain.plane);
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
    scene s = scene_make_few(c, channels);
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
    if (c->cuda)
        check_all_few(c);
}
