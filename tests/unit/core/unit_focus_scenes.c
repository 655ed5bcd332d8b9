/* Auto focus finds the subject in scenes as people photograph them, with maps as networks make them: soft at their edges, and
 * a little uneven. It finds the same one in noise, and at any size. */
#include "unit/core/focus_case.h"

#include <string.h>

/* --- Scenes ----------------------------------------------------------------------------------- */

/* A surface: its place in per cent, and its disparity at the top left, with what it gains down and across. */
typedef struct surface {
    int box[4];
    looks look;
    double disparity, down, across;
} surface;

enum { SURFACES = 12 };

typedef struct kind {
    const char *name;
    surface surfaces[SURFACES];
    double low, high; /* of the subject */
} kind;

#define SKY                                                                                        \
    {                                                                                              \
        {0, 0, 100, 100}, SMOOTH, 0, 0, 0                                                          \
    }
#define GROUND(top)                                                                                \
    {                                                                                              \
        {0, top, 100, 100}, SHARP, 0, 1, 0                                                         \
    }
#define PERSON(left, top, right, bottom, disparity)                                                \
    {                                                                                              \
        {left, top, right, bottom}, SHARP, disparity, 0, 0                                         \
    }

static const kind kinds[] = {
    {"a boat on the sea",
     {SKY, GROUND(50), PERSON(46, 49, 58, 54, 0.1), PERSON(50, 36, 53, 49, 0.1)},
     0.08,
     0.12},
    {"a bather before the sea", {SKY, GROUND(45), PERSON(60, 35, 68, 78, 0.61)}, 0.59, 0.63},
    {"a walker in the mountains",
     {SKY,
      {{0, 35, 45, 60}, SHARP, 0.04, 0, 0},
      {{60, 40, 100, 60}, SHARP, 0.05, 0, 0},
      GROUND(58),
      PERSON(40, 45, 48, 72, 0.34)},
     0.32,
     0.36},
    {"a dancer before a crowd",
     {{{0, 0, 100, 100}, SHARP, 0.08, 0, 0},
      {{0, 60, 100, 100}, SHARP, 0.3, 0.6, 0},
      {{0, 32, 40, 78}, SHARP, 0.4, 0, 0},
      {{40, 30, 70, 78}, SHARP, 0.42, 0, 0},
      {{70, 33, 100, 78}, SHARP, 0.4, 0, 0},
      {{35, 56, 62, 85}, BLURRED, 0.62, 0, 0}},
     0.6,
     0.64},
    {"a person by a wall",
     {SKY, GROUND(50), {{45, 10, 100, 90}, SHARP, 0.2, 0, 0.8}, PERSON(32, 30, 44, 82, 0.65)},
     0.63,
     0.67},
    {"a street",
     {SKY,
      GROUND(50),
      {{65, 5, 100, 95}, SHARP, 0.1, 0, 0.9},
      {{0, 5, 35, 95}, SHARP, 1, 0, -0.9},
      PERSON(44, 38, 52, 68, 0.37)},
     0.35,
     0.39},
    {"a table with things",
     {{{0, 0, 100, 100}, SHARP, 0.1, 0, 0},
      {{0, 45, 100, 100}, SMOOTH, 0.35, 0.6, 0},
      PERSON(42, 35, 60, 72, 0.65),
      PERSON(10, 40, 18, 55, 0.46),
      PERSON(80, 75, 86, 90, 0.84)},
     0.63,
     0.67},
    {"a flower, close",
     {{{0, 0, 100, 100}, BLURRED, 0.05, 0.15, 0},
      {{0, 55, 22, 100}, BLURRED, 0.97, 0, 0},
      PERSON(48, 40, 51, 100, 0.68),
      PERSON(40, 22, 60, 50, 0.7)},
     0.67,
     0.72},
    {"behind a hedge",
     {SKY, GROUND(50), PERSON(54, 30, 64, 80, 0.6), {{0, 82, 100, 100}, SHARP, 0.97, 0, 0}},
     0.58,
     0.62},
    {"a tilted camera",
     {SKY, {{0, 45, 100, 100}, SHARP, 0, 0.8, 0.2}, PERSON(30, 35, 40, 80, 0.6)},
     0.58,
     0.62},
    {"a person cut by the left side",
     {SKY, GROUND(42), PERSON(0, 25, 20, 100, 0.95), PERSON(50, 36, 54, 56, 0.25)},
     0.93,
     0.97},
    {"a person cut by the right side, before a crowd",
     {{{0, 0, 100, 100}, SHARP, 0.08, 0, 0},
      GROUND(45),
      PERSON(30, 38, 36, 62, 0.3),
      PERSON(42, 40, 47, 60, 0.27),
      PERSON(55, 39, 60, 60, 0.27),
      PERSON(80, 20, 100, 100, 0.9)},
     0.88,
     0.92},
    {"a person behind a door frame",
     {SKY, GROUND(42), PERSON(44, 25, 56, 75, 0.55), {{0, 0, 8, 100}, SHARP, 0.95, 0, 0}},
     0.53,
     0.57},
    {"two people",
     {SKY, GROUND(40), PERSON(24, 38, 32, 60, 0.35), PERSON(62, 25, 74, 85, 0.76)},
     0.33,
     0.78},
    {"a room",
     {{{0, 0, 100, 100}, SHARP, 0.25, 0, 0},
      {{0, 65, 100, 100}, SHARP, 0.25, 0.7, 0},
      {{0, 0, 100, 30}, SMOOTH, 0.85, -0.6, 0},
      {{0, 0, 25, 100}, SHARP, 0.85, 0, -0.6},
      {{75, 0, 100, 100}, SHARP, 0.25, 0, 0.6},
      PERSON(45, 40, 54, 80, 0.56)},
     0.54,
     0.58},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void draw_surface(const scene *s, const surface *f)
{
    const int x0 = f->box[0] * WIDE / 100, x1 = f->box[2] * WIDE / 100;
    const int y0 = f->box[1] * HIGH / 100, y1 = f->box[3] * HIGH / 100;

    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            put_pixel(s, x, y, f->look,
                      fmin(f->disparity + f->down * (y - y0) / (y1 - y0) +
                               f->across * (x - x0) / (x1 - x0),
                           1));
}

/* Makes each code of a map the mean of 5 x 5, and a little uneven. */
static void soften(const satb_image *map)
{
    satb_image sharp = blank(map->width, map->height, 1, map->bits);

    memcpy(sharp.data, map->data, (size_t)map->stride * (size_t)map->height);
    for (int y = 2; y < map->height - 2; y++)
        for (int x = 2; x < map->width - 2; x++) {
            uint32_t sum = 0;
            for (int i = 0; i < 25; i++)
                sum += sample(&sharp, x + i % 5 - 2, y + i / 5 - 2, 0);
            const int code = (int)sum / 25 + (int)(noise_at(x / 20, y / 20, 5) % 3) - 1;
            put(map, x, y, 0, (uint32_t)(code < 0 ? 0 : code > 255 ? 255 : code));
        }
}

static scene scene_of(const kind *k)
{
    scene s = {blank(WIDE, HIGH, 3, 8), blank(WIDE, HIGH, 1, 8)};

    for (int i = 0; i < SURFACES && k->surfaces[i].box[2] > 0; i++)
        draw_surface(&s, &k->surfaces[i]);
    soften(&s.map);
    return s;
}

/* --- Changes ---------------------------------------------------------------------------------- */

/* Returns an image `times` as wide and high, whose samples are interpolated. */
static satb_image enlarged(const satb_image *from, double times)
{
    const satb_image to =
        blank((int)(from->width * times), (int)(from->height * times), from->channels, from->bits);

    for (int i = 0; i < to.width * to.height * to.channels; i++) {
        const int c = i % to.channels, x = i / to.channels % to.width;
        const int y = i / to.channels / to.width;
        const double u = fmin(fmax((x + 0.5) / times - 0.5, 0), from->width - 1.001);
        const double v = fmin(fmax((y + 0.5) / times - 0.5, 0), from->height - 1.001);
        const int x0 = (int)u, y0 = (int)v;
        const double a = u - x0, b = v - y0;
        put(&to, x, y, c,
            (uint32_t)((1 - b) *
                           ((1 - a) * sample(from, x0, y0, c) + a * sample(from, x0 + 1, y0, c)) +
                       b * ((1 - a) * sample(from, x0, y0 + 1, c) +
                            a * sample(from, x0 + 1, y0 + 1, c)) +
                       0.5));
    }
    return to;
}

/* Replaces squares of 8 x 8 by what a strong compression leaves of them: their means, and a third of the rest. */
static void compress(const satb_image *image)
{
    for (int y = 0; y + 8 <= image->height; y += 8)
        for (int i = 0; i + 8 <= image->width; i += 8)
            for (int c = 0; c < image->channels; c++) {
                uint32_t sum = 0;
                for (int k = 0; k < 64; k++)
                    sum += sample(image, i + k % 8, y + k / 8, c);
                for (int k = 0; k < 64; k++) {
                    const uint32_t code = sample(image, i + k % 8, y + k / 8, c);
                    put(image, i + k % 8, y + k / 8, c, (2 * sum / 64 + code) / 3);
                }
            }
}

/* --- Tests ------------------------------------------------------------------------------------ */

static double focus_in(const scene *s, const kind *k, const char *how)
{
    const double focus = report_of(s, &(satb_dof_params){.holes = SATB_HOLES_NONE}).focus;

    if (!(focus >= k->low && focus <= k->high))
        print_error("%s, %s: focus %.3f, not %.2f to %.2f\n", k->name, how, focus, k->low, k->high);
    return focus;
}

static void each_subject(void **state)
{
    int found = 0;

    for (int i = 0; i < KINDS; i++) {
        scene s = scene_of(&kinds[i]);
        const double focus = focus_in(&s, &kinds[i], "plain");
        found += focus >= kinds[i].low && focus <= kinds[i].high;
    }
    assert_int_equal(found, KINDS);
}

/* The same photograph at other sizes, with noise, and compressed. */
static void each_at_any_size(void **state)
{
    static const double times[] = {0.6, 1.7, 3};

    for (int i = 0; i < KINDS; i++) {
        scene s = scene_of(&kinds[i]);
        const double focus = focus_in(&s, &kinds[i], "plain");
        for (int k = 0; k < 3; k++) {
            scene other = {enlarged(&s.picture, times[k]), enlarged(&s.map, times[k])};
            assert_float_equal(focus_in(&other, &kinds[i], "at another size"), focus, 0.02);
        }
        add_noise(&s.picture, 12);
        assert_float_equal(focus_in(&s, &kinds[i], "with noise"), focus, 0.02);
        compress(&s.picture);
        assert_float_equal(focus_in(&s, &kinds[i], "compressed"), focus, 0.02);
    }
}

/* Returns a mask of the scene's size that is white in a box. */
static satb_image mask_of(const int box[4])
{
    const satb_image mask = blank(WIDE, HIGH, 1, 8);

    for (int y = box[1] * HIGH / 100; y < box[3] * HIGH / 100; y++)
        for (int x = box[0] * WIDE / 100; x < box[2] * WIDE / 100; x++)
            put(&mask, x, y, 0, 255);
    return mask;
}

/* Of two people, the one that a mask names; all and nothing name none. */
static void the_one_in_a_mask(void **state)
{
    const kind *const k = &kinds[KINDS - 2];
    const struct {
        int box[4];
        double focus; /* 0: that without a mask */
    } masks[] = {
        {{24, 38, 32, 60}, 0.35}, {{62, 25, 74, 85}, 0.76}, {{0, 0, 100, 100}, 0}, {{0}, 0}};
    scene s = scene_of(k);
    const double own = focus_in(&s, k, "plain");

    for (int i = 0; i < 8; i++) {
        const satb_image mask = mask_of(masks[i / 2].box);
        satb_dof_params p = {.holes = SATB_HOLES_NONE};
        *(i % 2 ? &p.matte : &p.protect) = &mask;
        const double want = masks[i / 2].focus;
        assert_float_equal(report_of(&s, &p).focus, want > 0 ? want : own, 0.02);
    }
}

/* The same by an area, also a small one; a mask goes before it. */
static void the_one_in_an_area(void **state)
{
    const kind *const k = &kinds[KINDS - 2];
    const satb_image mask = mask_of(BOX(62, 25, 74, 85));
    scene s = scene_of(k);
    satb_dof_params p = {.holes = SATB_HOLES_NONE,
                         .focus_area = {22 * WIDE / 100, 35 * HIGH / 100, WIDE / 8, HIGH / 3}};

    assert_float_equal(report_of(&s, &p).focus, 0.35, 0.02);
    p.focus_area[0] = 68 * WIDE / 100, p.focus_area[2] = p.focus_area[3] = 1;
    assert_float_equal(report_of(&s, &p).focus, 0.76, 0.02);
    p.focus_area[0] = 28 * WIDE / 100, p.focus_area[1] = HIGH / 2;
    assert_float_equal(report_of(&s, &p).focus, 0.35, 0.02);
    p.matte = &mask;
    assert_float_equal(report_of(&s, &p).focus, 0.76, 0.02);
    p = (satb_dof_params){.holes = SATB_HOLES_NONE, .focus_area = {5, 5, 9, 9}}; /* of the sky */
    const satb_dof_report sky = report_of(&s, &p);
    assert_true(sky.focus < 0.02 && sky.focus_x < 20 && sky.focus_y < 20);
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(each_subject), UNIT(each_at_any_size),
                 UNIT(the_one_in_a_mask), UNIT(the_one_in_an_area))
