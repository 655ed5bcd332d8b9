/* Auto focus finds the subject in made-up pictures with maps. Places and sizes are in per cent of a picture of
 * 400 x 300. */
#include "unit/unit_context.h"
#include "unit/unit_drawn.h"

#include <math.h>
#include <satblur.h>
#include <stdlib.h>

enum { WIDE = 400, HIGH = 300 };

typedef struct scene {
    satb_image picture, map;
} scene;

/* --- Drawing ---------------------------------------------------------------------------------- */

/* Returns a number of 0 .. 255 that looks random. */
static uint32_t noise_at(int x, int y, uint32_t seed)
{
    uint32_t n = (uint32_t)x * 374761393u + (uint32_t)y * 668265263u + seed * 974711u;

    n = (n ^ n >> 13) * 1274126177u;
    return (n ^ n >> 16) & 255;
}

/* How sharp a surface is: the side of the squares that noise is averaged over, or SMOOTH. */
typedef enum looks { SMOOTH = 0, SHARP = 2, BLURRED = 12 } looks;

static uint32_t texture_at(int x, int y, looks look)
{
    const int side = (int)look, area = side * side;
    uint32_t sum = 0;

    for (int i = 0; i < area; i++)
        sum += noise_at(x + i % side, y + i / side, 7);
    return look == SMOOTH ? 120 : sum / (uint32_t)area;
}

static void put_pixel(const scene *s, int x, int y, looks look, double disparity)
{
    const uint32_t largest = s->map.bits == 8 ? 255 : 65535;

    for (int c = 0; c < s->picture.channels; c++)
        put(&s->picture, x, y, c, texture_at(x, y, look) * (s->picture.bits == 8 ? 1 : 257));
    put(&s->map, x, y, 0, (uint32_t)(disparity * largest + 0.5));
}

/* Draws a rectangle whose disparity goes from `above` at its top to `below` at its bottom. */
static void draw_box(const scene *s, const int box[4], looks look, double above, double below)
{
    const int y0 = box[1] * HIGH / 100, y1 = box[3] * HIGH / 100;

    for (int y = y0; y < y1; y++)
        for (int x = box[0] * WIDE / 100; x < box[2] * WIDE / 100; x++)
            put_pixel(s, x, y, look, above + (below - above) * (y - y0) / (y1 - y0));
}

#define BOX(left, top, right, bottom) ((const int[4]){left, top, right, bottom})

static scene open_scene(int bits)
{
    const scene s = {blank(WIDE, HIGH, 3, 8), blank(WIDE, HIGH, 1, bits)};

    assert_true(s.picture.data && s.map.data);
    draw_box(&s, BOX(0, 0, 100, 100), SHARP, 0.05, 0.05);
    return s;
}

static void close_scene(scene *s)
{
    free(s->picture.data);
    free(s->map.data);
}

/* --- Focus ------------------------------------------------------------------------------------ */

static satb_dof_report report_of(const scene *s, const satb_dof_params *params)
{
    const satb_image coc = blank(s->picture.width, s->picture.height, 1, 16);
    satb_dof_report report;

    if (satb_coc(cpu, &s->picture, &s->map, &coc, params, &report) != SATB_OK)
        fail_msg("%s", satb_last_message(cpu));
    free(coc.data);
    return report;
}

/* Returns the focus, after checking that the reported point has about that depth. */
static double focus_of(const scene *s)
{
    const satb_dof_report found = report_of(s, &(satb_dof_params){.holes = SATB_HOLES_NONE});
    const satb_dof_params there = {.focus_mode = SATB_FOCUS_POINT,
                                   .focus_x = found.focus_x,
                                   .focus_y = found.focus_y,
                                   .holes = SATB_HOLES_NONE};

    assert_in_range(found.focus_x, 0, s->picture.width - 1);
    assert_in_range(found.focus_y, 0, s->picture.height - 1);
    const satb_dof_report again = report_of(s, &there);
    if (fabs(again.focus - found.focus) > 0.04)
        fail_msg("focus %g, but %g at %d,%d", found.focus, again.focus, found.focus_x,
                 found.focus_y);
    assert_true(again.focus_x == found.focus_x && again.focus_y == found.focus_y);
    return found.focus;
}

static void focus_is(const scene *s, double want, double tolerance)
{
    const double focus = focus_of(s);

    if (!(fabs(focus - want) <= tolerance))
        fail_msg("focus %g, not %g", focus, want);
}

/* --- Subjects --------------------------------------------------------------------------------- */

static void draw_person(const scene *s)
{
    draw_box(s, BOX(25, 50, 75, 100), SMOOTH, 0.85, 1);
    draw_box(s, BOX(42, 20, 58, 50), SHARP, 0.7, 0.7);
}

static void a_face_before_a_chest(void **state)
{
    scene s = open_scene(8);

    (void)state;
    draw_person(&s);
    focus_is(&s, 0.7, 0.01);
    close_scene(&s);
}

static void draw_figure_on_ground(const scene *s)
{
    draw_box(s, BOX(0, 40, 100, 100), SHARP, 0, 1);
    draw_box(s, BOX(62, 38, 68, 62), SHARP, 0.35, 0.35);
}

static void a_figure_and_not_the_ground(void **state)
{
    scene s = open_scene(8);

    (void)state;
    draw_figure_on_ground(&s);
    focus_is(&s, 0.35, 0.02);
    close_scene(&s);
}

/* Of two that differ in nothing but their place, the one closer to the upper middle is the subject. */
static void the_one_in_the_middle(void **state)
{
    static const int boxes[][2][4] = {{{40, 30, 60, 60}, {5, 30, 25, 60}},
                                      {{40, 30, 60, 60}, {75, 30, 95, 60}},
                                      {{40, 20, 60, 50}, {40, 65, 60, 95}}};

    (void)state;
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        scene s = open_scene(8);
        draw_box(&s, boxes[i][0], SHARP, 0.7, 0.7);
        draw_box(&s, boxes[i][1], SHARP, 0.8, 0.8);
        focus_is(&s, 0.7, 0.01);
        close_scene(&s);
    }
}

/* A round subject has many depths, yet it is one. */
static void a_round_subject(void **state)
{
    scene s = open_scene(8);

    (void)state;
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            const double far = hypot(x - 200, y - 130) / 80;
            if (far < 1)
                put_pixel(&s, x, y, SHARP, 0.6 + 0.12 * (1 - far * far));
        }
    draw_box(&s, BOX(80, 30, 90, 60), SHARP, 0.9, 0.9);
    focus_is(&s, 0.66, 0.06);
    close_scene(&s);
}

/* The reported point has detail around, and not only one speck. */
static void a_point_with_detail_around(void **state)
{
    scene s = open_scene(8);

    (void)state;
    draw_box(&s, BOX(20, 10, 80, 90), SMOOTH, 0.8, 0.8);
    draw_box(&s, BOX(22, 40, 34, 60), SHARP, 0.8, 0.8);
    draw_box(&s, BOX(49, 38, 53, 44), SHARP, 0.8, 0.8);
    const satb_dof_report found = report_of(&s, &(satb_dof_params){.holes = SATB_HOLES_NONE});
    assert_in_range(found.focus_x, 22 * WIDE / 100, 34 * WIDE / 100);
    assert_in_range(found.focus_y, 40 * HIGH / 100, 60 * HIGH / 100);
    close_scene(&s);
}

/* A network has clipped all that is nearer than the person: a hedge that comes towards the camera. */
static void not_what_is_clipped(void **state)
{
    scene s = open_scene(8);

    (void)state;
    draw_box(&s, BOX(40, 25, 60, 100), SHARP, 0.45, 0.45);
    for (int i = 0; i < 20; i++)
        draw_box(&s, BOX(95 - i * 2, 30, 97 - i * 2, 100), SHARP, 1 - i * 0.02, 1 - i * 0.02);
    draw_box(&s, BOX(65, 30, 100, 100), SHARP, 1, 1);
    draw_box(&s, BOX(60, 30, 65, 100), SHARP, 0.8, 0.97);
    focus_is(&s, 0.45, 0.01);
    close_scene(&s);
}

/* The white of a mask is the subject, wherever it is, and whether its edges are hard or soft. */
static void the_white_of_a_mask(void **state)
{
    static const int boxes[][4] = {
        {40, 20, 60, 80}, {0, 0, 100, 90}, {90, 90, 99, 99}, {2, 2, 6, 6}, {0, 60, 100, 100}};

    (void)state;
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        for (int look = SMOOTH; look <= SHARP; look += SHARP) {
            scene s = open_scene(8);
            draw_box(&s, BOX(0, 0, 100, 100), SHARP, 0, 0);
            draw_box(&s, boxes[i], (looks)look, 1, 1);
            focus_is(&s, 1, 0);
            close_scene(&s);
        }
}

static void a_soft_mask(void **state)
{
    scene s = open_scene(8);

    (void)state;
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            const double in = (90 - hypot(x - 200, y - 160)) / 12;
            put_pixel(&s, x, y, SHARP, fmin(fmax(in + 0.5, 0), 1));
        }
    focus_is(&s, 1, 0.01);
    close_scene(&s);
}

static void draw_blurred_before_sharp(const scene *s)
{
    draw_box(s, BOX(0, 0, 100, 100), BLURRED, 0.1, 0.1);
    draw_box(s, BOX(45, 25, 70, 85), SHARP, 0.5, 0.5);
    draw_box(s, BOX(0, 20, 40, 100), BLURRED, 0.9, 0.9);
}

static void the_sharp_one(void **state)
{
    scene s = open_scene(8);

    (void)state;
    draw_blurred_before_sharp(&s);
    focus_is(&s, 0.5, 0.01);
    close_scene(&s);
}

/* Without detail, place and depth decide. */
static void the_nearer_of_smooth_ones(void **state)
{
    scene s = open_scene(8);

    (void)state;
    draw_box(&s, BOX(0, 0, 100, 100), SMOOTH, 0.2, 0.2);
    draw_box(&s, BOX(30, 30, 60, 90), SMOOTH, 0.8, 0.8);
    focus_is(&s, 0.8, 0.01);
    close_scene(&s);
}

static void transparent_pixels_have_no_detail(void **state)
{
    scene s = open_scene(8), clear = s;

    (void)state;
    draw_box(&s, BOX(0, 0, 100, 100), SMOOTH, 0.1, 0.1);
    draw_box(&s, BOX(15, 20, 40, 90), SHARP, 0.9, 0.9);
    draw_box(&s, BOX(60, 20, 85, 90), SHARP, 0.6, 0.6);
    focus_is(&s, 0.9, 0.01);
    clear.picture = blank(WIDE, HIGH, 4, 8);
    for (int i = 0; i < WIDE * HIGH; i++) {
        const int x = i % WIDE, y = i / WIDE;
        for (int c = 0; c < 3; c++)
            put(&clear.picture, x, y, c, sample(&s.picture, x, y, c));
        put(&clear.picture, x, y, 3, x < WIDE / 2 ? 0 : 255);
    }
    focus_is(&clear, 0.6, 0.01);
    free(clear.picture.data);
    close_scene(&s);
}

/* --- Stability -------------------------------------------------------------------------------- */

static void (*const drawings[])(const scene *) = {draw_person, draw_figure_on_ground,
                                                  draw_blurred_before_sharp};
enum { DRAWINGS = sizeof drawings / sizeof *drawings };

static void mirrored_pictures(void **state)
{
    (void)state;
    for (int i = 0; i < DRAWINGS; i++) {
        scene s = open_scene(8), other = open_scene(8);
        drawings[i](&s);
        for (int p = 0; p < WIDE * HIGH; p++) {
            const int x = p % WIDE, y = p / WIDE;
            for (int c = 0; c < 3; c++)
                put(&other.picture, WIDE - 1 - x, y, c, sample(&s.picture, x, y, c));
            put(&other.map, WIDE - 1 - x, y, 0, sample(&s.map, x, y, 0));
        }
        assert_true(focus_of(&s) == focus_of(&other));
        close_scene(&s);
        close_scene(&other);
    }
}

static void maps_of_16_bits(void **state)
{
    (void)state;
    for (int i = 0; i < DRAWINGS; i++) {
        scene narrow = open_scene(8), wide = open_scene(16);
        drawings[i](&narrow);
        drawings[i](&wide);
        focus_is(&wide, focus_of(&narrow), 0.005);
        close_scene(&narrow);
        close_scene(&wide);
    }
}

static void add_noise(const satb_image *image, int strength)
{
    for (int i = 0; i < image->width * image->height * image->channels; i++) {
        const int c = i % image->channels, x = i / image->channels % image->width;
        const int y = i / image->channels / image->width;
        const int code = (int)sample(image, x, y, c) +
                         ((int)noise_at(x, y, 99 + (uint32_t)c) - 128) * strength / 128;
        put(image, x, y, c, (uint32_t)(code < 0 ? 0 : code > 255 ? 255 : code));
    }
}

static void noise(void **state)
{
    (void)state;
    for (int i = 0; i < DRAWINGS; i++) {
        scene s = open_scene(8);
        drawings[i](&s);
        const double focus = focus_of(&s);
        add_noise(&s.map, 4);
        focus_is(&s, focus, 0.02);
        add_noise(&s.picture, 20);
        focus_is(&s, focus, 0.02);
        close_scene(&s);
    }
}

/* --- Maps of all kinds ------------------------------------------------------------------------ */

static void one_depth(void **state)
{
    (void)state;
    for (int code = 0; code < 256; code += 15) {
        scene s = open_scene(8);
        draw_box(&s, BOX(0, 0, 100, 100), SHARP, code / 255.0, code / 255.0);
        focus_is(&s, code / 255.0, 1e-12);
        close_scene(&s);
    }
}

static void stray_pixels_do_not_count(void **state)
{
    scene s = open_scene(16);

    (void)state;
    draw_box(&s, BOX(0, 0, 100, 100), SHARP, 0.003, 0.003);
    draw_box(&s, BOX(40, 20, 60, 80), SHARP, 0.008, 0.008);
    for (int i = 0; i < 60; i++)
        put(&s.map, i * 37 % WIDE, i * 53 % HIGH, 0, 65535);
    focus_is(&s, 0.008, 0.001);
    close_scene(&s);
}

/* A floor that recedes has no subject: the focus is neither its near end nor its far end. */
static void a_floor(void **state)
{
    scene s = open_scene(8);

    (void)state;
    draw_box(&s, BOX(0, 0, 100, 100), SHARP, 0, 1);
    focus_is(&s, 0.5, 0.2);
    close_scene(&s);
}

static void a_map_that_uses_little_of_its_scale(void **state)
{
    scene s = open_scene(16);

    (void)state;
    draw_box(&s, BOX(0, 0, 100, 100), SHARP, 0.003, 0.003);
    draw_box(&s, BOX(40, 20, 60, 80), SHARP, 0.008, 0.008);
    focus_is(&s, 0.008, 0.0001);
    close_scene(&s);
}

static void any_size(void **state)
{
    static const int sides[] = {1, 2, 3, 4, 5, 8, 13, 64, 253, 700};
    enum { SIDES = sizeof sides / sizeof *sides };

    (void)state;
    for (int i = 0; i < SIDES * SIDES; i++) {
        const int w = sides[i % SIDES], h = sides[i / SIDES];
        scene s = {blank(w, h, 1 + i % 4, i & 1 ? 16 : 8), blank(w, h, 1, i & 2 ? 16 : 8)};
        for (int p = 0; p < w * h; p++)
            put_pixel(&s, p % w, p / w, SHARP, p % w < w / 2 ? 0.2 : 0.7);
        const satb_dof_report found = report_of(&s, &(satb_dof_params){.holes = SATB_HOLES_NONE});
        assert_true(found.focus > 0.19 && found.focus < 0.71);
        assert_true(found.focus_x >= 0 && found.focus_x < w && found.focus_y >= 0 &&
                    found.focus_y < h);
        close_scene(&s);
    }
}

static void other_modes_report_no_point(void **state)
{
    scene s = open_scene(8);
    const satb_dof_report r =
        report_of(&s, &(satb_dof_params){.focus_mode = SATB_FOCUS_VALUE, .focus = 0.5});

    (void)state;
    assert_true(r.focus_x == -1 && r.focus_y == -1);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_before_a_chest),
        cmocka_unit_test(a_figure_and_not_the_ground),
        cmocka_unit_test(the_one_in_the_middle),
        cmocka_unit_test(a_round_subject),
        cmocka_unit_test(a_point_with_detail_around),
        cmocka_unit_test(not_what_is_clipped),
        cmocka_unit_test(the_white_of_a_mask),
        cmocka_unit_test(a_soft_mask),
        cmocka_unit_test(the_sharp_one),
        cmocka_unit_test(the_nearer_of_smooth_ones),
        cmocka_unit_test(transparent_pixels_have_no_detail),
        cmocka_unit_test(mirrored_pictures),
        cmocka_unit_test(maps_of_16_bits),
        cmocka_unit_test(noise),
        cmocka_unit_test(one_depth),
        cmocka_unit_test(stray_pixels_do_not_count),
        cmocka_unit_test(a_floor),
        cmocka_unit_test(a_map_that_uses_little_of_its_scale),
        cmocka_unit_test(any_size),
        cmocka_unit_test(other_modes_report_no_point),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
