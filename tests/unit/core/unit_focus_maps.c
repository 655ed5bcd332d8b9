/* Auto focus stays where it is if maps and pictures change a little, and takes maps of any kind. */
#include "unit/core/focus_case.h"

/* --- Stability -------------------------------------------------------------------------------- */

static void (*const drawings[])(const scene *) = {draw_person, draw_figure_on_ground,
                                                  draw_blurred_before_sharp};
enum { DRAWINGS = sizeof drawings / sizeof *drawings };

static void mirrored_pictures(void **state)
{
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
    }
}

static void maps_of_16_bits(void **state)
{
    for (int i = 0; i < DRAWINGS; i++) {
        scene narrow = open_scene(8), wide = open_scene(16);
        drawings[i](&narrow);
        drawings[i](&wide);
        focus_is(&wide, focus_of(&narrow), 0.005);
    }
}

static void noise(void **state)
{
    for (int i = 0; i < DRAWINGS; i++) {
        scene s = open_scene(8);
        drawings[i](&s);
        const double focus = focus_of(&s);
        add_noise(&s.map, 4);
        focus_is(&s, focus, 0.02);
        add_noise(&s.picture, 20);
        focus_is(&s, focus, 0.02);
    }
}

/* --- Maps of all kinds ------------------------------------------------------------------------ */

static void one_depth(void **state)
{
    for (int code = 0; code < 256; code += 15) {
        scene s = open_scene(8);
        draw_box(&s, BOX(0, 0, 100, 100), SHARP, code / 255.0, code / 255.0);
        focus_is(&s, code / 255.0, 1e-12);
    }
}

static void stray_pixels_do_not_count(void **state)
{
    scene s = open_scene(16);

    draw_box(&s, BOX(0, 0, 100, 100), SHARP, 0.003, 0.003);
    draw_box(&s, BOX(40, 20, 60, 80), SHARP, 0.008, 0.008);
    for (int i = 0; i < 60; i++)
        put(&s.map, i * 37 % WIDE, i * 53 % HIGH, 0, 65535);
    focus_is(&s, 0.008, 0.001);
}

/* A floor that recedes has no subject: the focus is neither its near end nor its far end. */
static void a_floor(void **state)
{
    scene s = open_scene(8);

    draw_box(&s, BOX(0, 0, 100, 100), SHARP, 0, 1);
    focus_is(&s, 0.5, 0.2);
}

static void a_map_that_uses_little_of_its_scale(void **state)
{
    scene s = open_scene(16);

    draw_box(&s, BOX(0, 0, 100, 100), SHARP, 0.003, 0.003);
    draw_box(&s, BOX(40, 20, 60, 80), SHARP, 0.008, 0.008);
    focus_is(&s, 0.008, 0.0001);
}

static void any_size(void **state)
{
    static const int sides[] = {1, 2, 3, 4, 5, 8, 13, 64, 253, 700};
    enum { SIDES = sizeof sides / sizeof *sides };

    for (int i = 0; i < SIDES * SIDES; i++) {
        const int w = sides[i % SIDES], h = sides[i / SIDES];
        scene s = {blank(w, h, 1 + i % 4, i & 1 ? 16 : 8), blank(w, h, 1, i & 2 ? 16 : 8)};
        for (int p = 0; p < w * h; p++)
            put_pixel(&s, p % w, p / w, SHARP, p % w < w / 2 ? 0.2 : 0.7);
        const satb_dof_report found = report_of(&s, &(satb_dof_params){.holes = SATB_HOLES_NONE});
        assert_true(found.focus > 0.19 && found.focus < 0.71);
        assert_true(found.focus_x >= 0 && found.focus_x < w && found.focus_y >= 0 &&
                    found.focus_y < h);
    }
}

static void other_modes_report_no_point(void **state)
{
    scene s = open_scene(8);
    const satb_dof_report r =
        report_of(&s, &(satb_dof_params){.focus_mode = SATB_FOCUS_VALUE, .focus = 0.5});

    assert_true(r.focus_x == -1 && r.focus_y == -1);
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(mirrored_pictures), UNIT(maps_of_16_bits), UNIT(noise),
                 UNIT(one_depth), UNIT(stray_pixels_do_not_count), UNIT(a_floor),
                 UNIT(a_map_that_uses_little_of_its_scale), UNIT(any_size),
                 UNIT(other_modes_report_no_point))
