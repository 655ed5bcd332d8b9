/* core/blur/dof_highlights.c: the spots that are lamps, and their colours. */
#include "unit/unit.h"

#include "unit/core/unit_context.h"
#include "unit/core/unit_image.h"

#include <string.h>

enum { WIDE = 400, HIGH = 300 };

/* Draws a rectangle around the middle. */
static void draw(const satb_image *dst, int width, int height, const uint8_t *colour)
{
    for (int y = (HIGH - height) / 2; y < (HIGH - height) / 2 + height; y++)
        for (int x = (WIDE - width) / 2; x < (WIDE - width) / 2 + width; x++)
            memcpy((uint8_t *)dst->data + y * dst->stride + 3 * x, colour, 3);
}

static void blur_far(const satb_image *src, const satb_image *dst, const satb_dof_params *more)
{
    const satb_image map = make(WIDE, HIGH, 1, 8, 4);
    satb_dof_params params = *more;

    memset(map.data, 0, (size_t)map.stride * HIGH);
    params.focus_mode = SATB_FOCUS_VALUE;
    params.focus = 1;
    params.strength = SATB_STRENGTH_RADIUS;
    params.max_radius = 12;
    assert_int_equal(satb_dof(cpu, src, &map, dst, &params, NULL), SATB_OK);
    free(map.data);
}

/* Returns 1 if a rectangle of a gray on black is a lamp: then its blur differs from that without highlights. */
static int is_lamp(int width, int height, uint8_t gray, const satb_dof_params *params)
{
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), plain = make(WIDE, HIGH, 3, 8, 2),
                     got = make(WIDE, HIGH, 3, 8, 3);
    const uint8_t colour[3] = {gray, gray, gray};

    memset(src.data, 0, (size_t)src.stride * HIGH);
    draw(&src, width, height, colour);
    blur_far(&src, &plain, &(satb_dof_params){.highlights = 0});
    blur_far(&src, &got, params);
    const int differs = memcmp(plain.data, got.data, (size_t)got.stride * HIGH) != 0;
    free(src.data);
    free(plain.data);
    free(got.data);
    return differs;
}

/* 5 % of the longer side are 20 pixels. */
static void lamps_are_small_and_compact(void **state)
{
    const satb_dof_params usual = {.highlights = 8},
                          large = {.highlights = 8, .highlight_size = 10},
                          small = {.highlights = 8, .highlight_size = 1};

    (void)state;
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

/* Half of linear light is the code 188. */
static void lamps_are_bright(void **state)
{
    const satb_dof_params usual = {.highlights = 8},
                          low = {.highlights = 8, .highlight_threshold = 0.1};

    (void)state;
    assert_true(is_lamp(5, 5, 188, &usual));
    assert_false(is_lamp(5, 5, 187, &usual));
    assert_true(is_lamp(5, 5, 100, &low));
    assert_false(is_lamp(5, 5, 80, &low));
}

/* A white lamp with an orange glow makes an orange disc; without it the disc is white. */
static void halos_have_the_colour(void **state)
{
    const uint8_t white[3] = {255, 255, 255}, orange[3] = {240, 150, 40};
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);
    const uint8_t *const middle =
        (const uint8_t *)dst.data + HIGH / 2 * dst.stride + (ptrdiff_t)3 * (WIDE / 2);

    (void)state;
    memset(src.data, 0, (size_t)src.stride * HIGH);
    draw(&src, 4, 4, white);
    blur_far(&src, &dst, &(satb_dof_params){.highlights = 8});
    assert_true(middle[0] > 100 && middle[1] == middle[0] && middle[2] == middle[0]);
    draw(&src, 8, 8, orange);
    draw(&src, 4, 4, white);
    blur_far(&src, &dst, &(satb_dof_params){.highlights = 8});
    assert_true(middle[0] > 100 && middle[1] < middle[0] * 3 / 4 && middle[2] < middle[0] / 2);
    free(src.data);
    free(dst.data);
}

/* A lamp with a soft glow, wider than a hundredth of the picture, is found: its light is boosted. */
static void bloom_hides_no_lamp(void **state)
{
    const satb_image src = make(WIDE, HIGH, 3, 8, 1), dst = make(WIDE, HIGH, 3, 8, 2);

    (void)state;
    memset(src.data, 10, (size_t)src.stride * HIGH);
    for (int width = 18; width >= 6; width--) {
        const uint8_t code = (uint8_t)(width == 6 ? 255 : 255 - 12 * (width - 5)),
                      colour[3] = {code, code, code};
        draw(&src, width, width, colour);
    }
    blur_far(&src, &dst, &(satb_dof_params){.highlights = 8});
    assert_true(((const uint8_t *)dst.data)[HIGH / 2 * dst.stride + (ptrdiff_t)3 * (WIDE / 2)] >
                230);
    free(src.data);
    free(dst.data);
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
    blur_far(&src, &dst, &(satb_dof_params){.highlights = 8});
    free(src.data);
    return dst;
}

/* The lamp's first column sees too much of the area, and the next one does not. Pixels are decided one by one, whatever
 * lies to their left. */
static void columns_are_decided_alone(void **state)
{
    const satb_image right = beside_an_area(0), left = beside_an_area(1);

    (void)state;
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++)
            assert_memory_equal((uint8_t *)right.data + y * right.stride + 3 * x,
                                (uint8_t *)left.data + y * left.stride + 3 * (WIDE - 1 - x), 3);
    free(right.data);
    free(left.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lamps_are_small_and_compact), cmocka_unit_test(lamps_are_bright),
        cmocka_unit_test(halos_have_the_colour),       cmocka_unit_test(bloom_hides_no_lamp),
        cmocka_unit_test(columns_are_decided_alone),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
