/* core/blur/dof_highlights.c: the spots that are lamps, and their colours. */
#include "unit/unit.h"

#include "unit/core/unit_context.h"
#include "unit/core/unit_image.h"

#include <string.h>

enum { WIDE = 400, HIGH = 300 };

/* Draws a rectangle around a place. */
static void draw_at(const satb_image *dst, int x, int y, int width, int height,
                    const uint8_t *colour)
{
    for (int j = y - height / 2; j < y - height / 2 + height; j++)
        for (int i = x - width / 2; i < x - width / 2 + width; i++)
            memcpy((uint8_t *)dst->data + j * dst->stride + 3 * i, colour, 3);
}

static void draw(const satb_image *dst, int width, int height, const uint8_t *colour)
{
    draw_at(dst, WIDE / 2, HIGH / 2, width, height, colour);
}

/* Returns the number of points of light. */
static int blur_far(const satb_image *src, const satb_image *dst, const satb_dof_params *more)
{
    satb_dof_report report;
    const satb_image map = make(WIDE, HIGH, 1, 8, 4);
    satb_dof_params params = *more;

    memset(map.data, 0, (size_t)map.stride * HIGH);
    params.focus_mode = SATB_FOCUS_VALUE;
    params.focus = 1;
    params.strength = SATB_STRENGTH_RADIUS;
    params.max_radius = 12;
    assert_int_equal(satb_dof(cpu, src, &map, dst, &params, &report), SATB_OK);
    return report.lights;
}

/* Returns 1 if a rectangle of a gray on black is a lamp. A picture without lamps is blurred as without highlights; that of a
 * clipped lamp differs. */
static int is_lamp(int width, int height, uint8_t gray, const satb_dof_params *params)
{
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), plain = make(WIDE, HIGH, 3, 8, 2),
                     got = make(WIDE, HIGH, 3, 8, 3);
    const uint8_t colour[3] = {gray, gray, gray};

    memset(src.data, 0, (size_t)src.stride * HIGH);
    draw(&src, width, height, colour);
    blur_far(&src, &plain, &(satb_dof_params){.look = params->look});
    const int lights = blur_far(&src, &got, params);
    const int differs = memcmp(plain.data, got.data, (size_t)got.stride * HIGH) != 0;
    if (lights == 0 || gray == UINT8_MAX)
        assert_int_equal(lights, differs);
    return lights;
}

/* 5 % of the longer side are 20 pixels. */
static void lamps_are_small_and_compact(void **state)
{
    const satb_dof_params usual = {.highlights = 8},
                          large = {.highlights = 8, .highlight_size = 10},
                          small = {.highlights = 8, .highlight_size = 1};

    for (int width = 1; width <= 20; width++)
        assert_true(is_lamp(width, width, 255, &usual));
    assert_true(is_lamp(5, 18, 255, &usual));
    for (int width = 22; width < 200; width += 7)
        assert_false(is_lamp(width, width, 255, &usual));
    assert_false(is_lamp(3, 150, 255, &usual));
    assert_false(is_lamp(150, 2, 255, &usual));
    assert_false(is_lamp(3, HIGH, 255, &usual));
    assert_true(is_lamp(36, 36, 255, &large));
    assert_false(is_lamp(6, 6, 255, &small));
}

/* Half of linear light is the code 188. Without a curve, the threshold is the code itself. */
static void lamps_are_bright(void **state)
{
    const satb_dof_params usual = {.highlights = 8},
                          low = {.highlights = 8, .highlight_threshold = 0.1},
                          least = {.highlights = 8, .highlight_threshold = 0.02},
                          exact = {.highlights = 8,
                                   .highlight_threshold = 150 / 255.0,
                                   .look = {.gamma = 1}};

    assert_true(is_lamp(5, 5, 150, &exact));
    assert_false(is_lamp(5, 5, 149, &exact));
    assert_true(is_lamp(5, 5, 188, &usual));
    assert_false(is_lamp(5, 5, 187, &usual));
    assert_true(is_lamp(5, 5, 100, &low));
    assert_true(is_lamp(5, 5, 40, &least));
    assert_false(is_lamp(5, 5, 80, &low));
}

/* A white lamp with an orange glow makes an orange disc; without it the disc is white. */
static void halos_have_the_colour(void **state)
{
    const uint8_t white[3] = {255, 255, 255}, orange[3] = {240, 150, 40};
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);
    const uint8_t *const middle =
        (const uint8_t *)dst.data + HIGH / 2 * dst.stride + (ptrdiff_t)3 * (WIDE / 2);

    memset(src.data, 0, (size_t)src.stride * HIGH);
    draw(&src, 4, 4, white);
    blur_far(&src, &dst, &(satb_dof_params){.highlights = 8});
    assert_true(middle[0] > 100 && middle[1] == middle[0] && middle[2] == middle[0]);
    draw(&src, 8, 8, orange);
    draw(&src, 4, 4, white);
    blur_far(&src, &dst, &(satb_dof_params){.highlights = 8});
    assert_true(middle[0] > 100 && middle[1] < middle[0] * 3 / 4 && middle[2] < middle[0] / 2);
}

/* A lamp with a soft glow, wider than a hundredth of the picture, is found: its light is boosted. */
static void bloom_hides_no_lamp(void **state)
{
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);

    memset(src.data, 10, (size_t)src.stride * HIGH);
    for (int width = 18; width >= 6; width--) {
        const uint8_t code = (uint8_t)(width == 6 ? 255 : 255 - 12 * (width - 5)),
                      colour[3] = {code, code, code};
        draw(&src, width, width, colour);
    }
    blur_far(&src, &dst, &(satb_dof_params){.highlights = 8});
    assert_true(((const uint8_t *)dst.data)[HIGH / 2 * dst.stride + (ptrdiff_t)3 * (WIDE / 2)] >
                230);
}

/* Rays that are brighter than the threshold hide no lamp, and neither does a lower threshold. */
static void rays_hide_no_lamp(void **state)
{
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);
    const uint8_t white[3] = {255, 255, 255};

    memset(src.data, 10, (size_t)src.stride * HIGH);
    for (int length = 120; length > 0; length--) {
        const uint8_t code = (uint8_t)(235 - length), dim[3] = {code, code, code};
        draw(&src, length, 3, dim);
        draw(&src, 3, length, dim);
    }
    draw(&src, 9, 9, white);
    for (double least = 1; least >= 0.01; least /= 1.3) {
        assert_true(blur_far(&src, &dst,
                             &(satb_dof_params){.highlights = 8, .highlight_threshold = least}) >
                    0);
        assert_true(((const uint8_t *)dst.data)[HIGH / 2 * dst.stride + 3 * (WIDE / 2 + 7)] > 230);
    }
}

/* Bright dots between dots that are half as bright, as of writing or sand, are no lamps. One alone is. */
static void textures_are_no_lamps(void **state)
{
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);
    const uint8_t white[3] = {255, 255, 255}, dim[3] = {200, 200, 200};
    const satb_dof_params usual = {.highlights = 8};

    memset(src.data, 10, (size_t)src.stride * HIGH);
    draw(&src, 2, 2, white);
    assert_int_equal(blur_far(&src, &dst, &usual), 1);
    for (int y = 4; y < HIGH - 8; y += 8)
        for (int x = 4; x < WIDE - 8; x += 8) {
            draw_at(&src, x, y, 2, 2, white);
            draw_at(&src, x + 4, y + 4, 2, 2, dim);
        }
    assert_int_equal(blur_far(&src, &dst, &usual), 0);
}

/* A clipped lamp is at least four times as bright as its surroundings, another one eight times. The code 137 is more than a
 * quarter of white, and 93 more than an eighth of 240. */
static void lamps_are_brighter_than_the_ground(void **state)
{
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);

    for (int i = 0; i < 4; i++) {
        const int code = i < 2 ? 255 : 240;
        const uint8_t light[3] = {(uint8_t)code, (uint8_t)code, (uint8_t)code};
        memset(src.data, (i < 2 ? 136 : 92) + i % 2, (size_t)src.stride * HIGH);
        draw(&src, 5, 5, light);
        assert_int_equal(blur_far(&src, &dst, &(satb_dof_params){.highlights = 8}), i % 2 == 0);
    }
}

/* Bright dots around a dim lamp take nothing from its light. */
static void lamps_are_beside_others(void **state)
{
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);
    const uint8_t white[3] = {255, 255, 255}, dim[3] = {120, 120, 120};

    memset(src.data, 0, (size_t)src.stride * HIGH);
    draw(&src, 9, 9, dim);
    draw_at(&src, WIDE / 2 + 15, HIGH / 2, 1, 1, white);
    draw_at(&src, WIDE / 2, HIGH / 2 + 15, 1, 1, white);
    assert_int_equal(
        blur_far(&src, &dst, &(satb_dof_params){.highlights = 8, .highlight_threshold = 0.1}), 3);
}

/* One bright pixel in the ring of each size hides no lamp. */
static void dots_hide_no_lamp(void **state)
{
    static const int away[] = {5, 8, 11, 16, 26};
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);
    const uint8_t white[3] = {255, 255, 255};

    memset(src.data, 0, (size_t)src.stride * HIGH);
    draw(&src, 5, 5, white);
    for (int i = 0; i < 5; i++)
        draw_at(&src, WIDE / 2 + away[i], HIGH / 2, 1, 1, white);
    blur_far(&src, &dst, &(satb_dof_params){.highlights = 8});
    assert_true(((const uint8_t *)dst.data)[HIGH / 2 * dst.stride + 3 * (WIDE / 2 - 4)] > 150);
}

/* A clipped pixel of a large area is no lamp at any level: there are others near it, and the area is too large. */
static void areas_are_large_at_each_level(void **state)
{
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);
    const uint8_t white[3] = {255, 255, 255}, bright[3] = {240, 240, 240};

    memset(src.data, 0, (size_t)src.stride * HIGH);
    draw(&src, 27, 27, bright);
    draw_at(&src, WIDE / 2 + 16, HIGH / 2, 1, 1, white);
    draw_at(&src, WIDE / 2 + 25, HIGH / 2, 1, 1, white);
    const int lights = blur_far(&src, &dst, &(satb_dof_params){.highlights = 8});
    draw(&src, 1, 1, white);
    assert_int_equal(blur_far(&src, &dst, &(satb_dof_params){.highlights = 8}), lights);
}

/* Small lamps near each other are found at the highest threshold, too. */
static void small_lamps_are_found(void **state)
{
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);
    const uint8_t white[3] = {255, 255, 255};

    memset(src.data, 10, (size_t)src.stride * HIGH);
    for (int i = 0; i < 100; i++)
        draw_at(&src, 100 + 14 * (i % 10), 100 + 14 * (i / 10), 2, 2, white);
    assert_int_equal(
        blur_far(&src, &dst, &(satb_dof_params){.highlights = 8, .highlight_threshold = 1}), 100);
}

/* A lamp that is clipped in one colour keeps its hue, whatever lies beside it, however bright its disc becomes. */
static void hues_are_kept(void **state)
{
    static const uint8_t beside[][3] = {{0, 0, 0}, {20, 120, 20}, {20, 30, 130}, {130, 20, 20}};
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);
    const uint8_t *const middle =
        (const uint8_t *)dst.data + HIGH / 2 * dst.stride + (ptrdiff_t)3 * (WIDE / 2);
    const uint8_t warm[3] = {255, 213, 148};

    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            memset(src.data, 10, (size_t)src.stride * HIGH);
            draw_at(&src, WIDE / 2 - 30, HIGH / 2, 52, 90, beside[i]);
            draw(&src, 13, 13, beside[i]);
            draw(&src, 9, 9, warm);
            blur_far(&src, &dst, &(satb_dof_params){.highlights = k ? 64 : 12});
            assert_int_equal(middle[0], 255);
            assert_in_range(middle[1], 213 - 6, 213 + 6);
            assert_in_range(middle[2], 148 - 14, 148 + 14);
        }
}

/* Draws a white lamp with an orange glow, which has a little blue. */
static void draw_glow(const satb_image *dst, uint8_t blue)
{
    const uint8_t white[3] = {255, 255, 255};

    for (int width = 13; width > 9; width--) {
        const uint8_t orange[3] = {(uint8_t)(25 * (18 - width)), (uint8_t)(12 * (18 - width)),
                                   blue};
        draw(dst, width, width, orange);
    }
    draw(dst, 9, 9, white);
}

/* A white lamp has the colour of its glow, whatever lies beside it or behind it. */
static void glow_is_all_around(void **state)
{
    static const uint8_t ground[3] = {10, 10, 110}, green[3] = {10, 150, 10};
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);
    const uint8_t *const middle =
        (const uint8_t *)dst.data + HIGH / 2 * dst.stride + (ptrdiff_t)3 * (WIDE / 2);
    uint8_t alone[3] = {0};

    for (int i = 0; i < 4; i++) {
        memset(src.data, 10, (size_t)src.stride * HIGH);
        if (i == 1)
            draw_at(&src, WIDE / 2 - 24, HIGH / 2, 40, 40, green);
        if (i >= 2)
            draw(&src, WIDE, HIGH, ground);
        draw_glow(&src, i == 3 ? 112 : 20);
        blur_far(&src, &dst, &(satb_dof_params){.highlights = 8});
        if (i == 0)
            memcpy(alone, middle, 3);
        for (int c = 0; c < 3; c++)
            assert_in_range(middle[c], alone[c] - 8, alone[c] + (i >= 2 ? 30 : 8));
    }
    assert_true(alone[0] == 255 && alone[1] < 220 && alone[1] >= alone[2]);
}

/* Separate lamps are counted, and parts that touch at a corner are one. */
static void lamps_are_counted(void **state)
{
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);
    const uint8_t white[3] = {255, 255, 255};

    memset(src.data, 10, (size_t)src.stride * HIGH);
    for (int i = 0; i < 7; i++)
        draw_at(&src, 30 + 50 * i, 40 + 30 * i, 2 + i, 2 + i, white);
    draw_at(&src, 40, 200, 2, 2, white);
    draw_at(&src, 42, 202, 2, 2, white);
    assert_int_equal(blur_far(&src, &dst, &(satb_dof_params){.highlights = 8}), 8);
}

/* Returns the blur of a lamp of 19 pixels beside a bright area, or of their mirror image. */
static satb_image beside_an_area(int mirrored)
{
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);

    memset(src.data, 0, (size_t)src.stride * HIGH);
    for (int y = 140; y < 159; y++)
        for (int x = 160; x < 219; x++)
            if (x >= 200 || (x < 173 && y > 142))
                memset((uint8_t *)src.data + y * src.stride + 3 * (mirrored ? WIDE - 1 - x : x),
                       255, 3);
    blur_far(&src, &dst, &(satb_dof_params){.highlights = 8, .rounding = SATB_ROUNDING_NEAREST});
    return dst;
}

/* The lamp's first column sees too much of the area, and the next one does not. Pixels are decided one by one, whatever
 * lies to their left. */
static void columns_are_decided_alone(void **state)
{
    const satb_image right = beside_an_area(0), left = beside_an_area(1);

    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++)
            assert_memory_equal((uint8_t *)right.data + y * right.stride + 3 * x,
                                (uint8_t *)left.data + y * left.stride + 3 * (WIDE - 1 - x), 3);
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(lamps_are_small_and_compact), UNIT(lamps_are_bright),
                 UNIT(halos_have_the_colour), UNIT(bloom_hides_no_lamp),
                 UNIT(columns_are_decided_alone), UNIT(rays_hide_no_lamp),
                 UNIT(textures_are_no_lamps), UNIT(lamps_are_brighter_than_the_ground),
                 UNIT(lamps_are_beside_others), UNIT(dots_hide_no_lamp),
                 UNIT(areas_are_large_at_each_level), UNIT(small_lamps_are_found),
                 UNIT(hues_are_kept), UNIT(glow_is_all_around), UNIT(lamps_are_counted))
