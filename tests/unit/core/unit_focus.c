/* Auto focus finds the subject. */
#include "unit/core/focus_case.h"

/* --- Subjects --------------------------------------------------------------------------------- */

static void a_face_before_a_chest(void **state)
{
    scene s = open_scene(8);

    draw_person(&s);
    focus_is(&s, 0.7, 0.01);
}

static void a_figure_and_not_the_ground(void **state)
{
    scene s = open_scene(8);

    draw_figure_on_ground(&s);
    focus_is(&s, 0.35, 0.02);
}

/* Of two that differ in nothing but their place, the one closer to the upper middle is the subject. */
static void the_one_in_the_middle(void **state)
{
    static const int boxes[][2][4] = {{{40, 30, 60, 60}, {5, 30, 25, 60}},
                                      {{40, 30, 60, 60}, {75, 30, 95, 60}},
                                      {{40, 20, 60, 50}, {40, 65, 60, 95}}};

    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        scene s = open_scene(8);
        draw_box(&s, boxes[i][0], SHARP, 0.7, 0.7);
        draw_box(&s, boxes[i][1], SHARP, 0.8, 0.8);
        focus_is(&s, 0.7, 0.01);
    }
}

/* A round subject has many depths, yet it is one. */
static void a_round_subject(void **state)
{
    scene s = open_scene(8);

    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            const double far = hypot(x - 200, y - 130) / 80;
            if (far < 1)
                put_pixel(&s, x, y, SHARP, 0.6 + 0.12 * (1 - far * far));
        }
    draw_box(&s, BOX(80, 30, 90, 60), SHARP, 0.9, 0.9);
    focus_is(&s, 0.66, 0.06);
}

/* The reported point has detail around, and not only one speck. */
static void a_point_with_detail_around(void **state)
{
    scene s = open_scene(8);

    draw_box(&s, BOX(20, 10, 80, 90), SMOOTH, 0.8, 0.8);
    draw_box(&s, BOX(22, 40, 34, 60), SHARP, 0.8, 0.8);
    draw_box(&s, BOX(49, 38, 53, 44), SHARP, 0.8, 0.8);
    const satb_dof_report found = report_of(&s, &(satb_dof_params){.holes = SATB_HOLES_NONE});
    assert_in_range(found.focus_x, 22 * WIDE / 100, 34 * WIDE / 100);
    assert_in_range(found.focus_y, 40 * HIGH / 100, 60 * HIGH / 100);
}

/* A network has clipped all that is nearer than the person: a hedge that comes towards the camera. */
static void not_what_is_clipped(void **state)
{
    scene s = open_scene(8);

    draw_box(&s, BOX(40, 25, 60, 100), SHARP, 0.45, 0.45);
    for (int i = 0; i < 20; i++)
        draw_box(&s, BOX(95 - i * 2, 30, 97 - i * 2, 100), SHARP, 1 - i * 0.02, 1 - i * 0.02);
    draw_box(&s, BOX(65, 30, 100, 100), SHARP, 1, 1);
    draw_box(&s, BOX(60, 30, 65, 100), SHARP, 0.8, 0.97);
    focus_is(&s, 0.45, 0.01);
}

/* The white of a mask is the subject, wherever it is, and whether its edges are hard or soft. */
static void the_white_of_a_mask(void **state)
{
    static const int boxes[][4] = {
        {40, 20, 60, 80}, {0, 0, 100, 90}, {90, 90, 99, 99}, {2, 2, 6, 6}, {0, 60, 100, 100}};

    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        for (int look = SMOOTH; look <= SHARP; look += SHARP) {
            scene s = open_scene(8);
            draw_box(&s, BOX(0, 0, 100, 100), SHARP, 0, 0);
            draw_box(&s, boxes[i], (looks)look, 1, 1);
            focus_is(&s, 1, 0);
        }
}

static void a_soft_mask(void **state)
{
    scene s = open_scene(8);

    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            const double in = (90 - hypot(x - 200, y - 160)) / 12;
            put_pixel(&s, x, y, SHARP, fmin(fmax(in + 0.5, 0), 1));
        }
    focus_is(&s, 1, 0.01);
}

static void the_sharp_one(void **state)
{
    scene s = open_scene(8);

    draw_blurred_before_sharp(&s);
    focus_is(&s, 0.5, 0.01);
}

/* Without detail, place and depth decide. */
static void the_nearer_of_smooth_ones(void **state)
{
    scene s = open_scene(8);

    draw_box(&s, BOX(0, 0, 100, 100), SMOOTH, 0.2, 0.2);
    draw_box(&s, BOX(30, 30, 60, 90), SMOOTH, 0.8, 0.8);
    focus_is(&s, 0.8, 0.01);
}

static void transparent_pixels_have_no_detail(void **state)
{
    scene s = open_scene(8), clear = s;

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
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(a_face_before_a_chest), UNIT(a_figure_and_not_the_ground),
                 UNIT(the_one_in_the_middle), UNIT(a_round_subject),
                 UNIT(a_point_with_detail_around), UNIT(not_what_is_clipped),
                 UNIT(the_white_of_a_mask), UNIT(a_soft_mask), UNIT(the_sharp_one),
                 UNIT(the_nearer_of_smooth_ones), UNIT(transparent_pixels_have_no_detail))
