/* Pictures of half floats, as a user of the library meets them. */
#include "unit/api/api_case.h"

#include "base/tone_tables.h"
#include "unit/core/unit_drawn.h"

#include <string.h>

enum {
    WIDTH = 90,
    HEIGHT = 60,
    ONE = 0x3c00,
    LAMP = 0x6400 /* 1024 */,
    NEGATIVE = 0xbc00,
    NAN_BITS = 0x7e01
};

/* Returns a half float of 0.1 to 0.2, with detail. */
static uint32_t dim_at(int x, int y, int c)
{
    return 0x2e66 + (uint32_t)(x * 37 + y * 91 + c * 13) % 0x400;
}

/* A picture with a plain near side on the right, and a map of that. */
static satb_image make_picture(int channels)
{
    satb_image src = blank(WIDTH, HEIGHT, channels, 16);

    src.half = 1;
    for (int i = 0; i < WIDTH * HEIGHT * channels; i++) {
        const int x = i / channels % WIDTH, y = i / channels / WIDTH, c = i % channels;
        const int is_alpha = channels % 2 == 0 && c == channels - 1;
        put(&src, x, y, c, is_alpha ? ONE : x < WIDTH / 2 ? dim_at(x, y, c) : 0x3400);
    }
    return src;
}

static satb_image make_map(void)
{
    const satb_image map = blank(WIDTH, HEIGHT, 1, 8);

    for (int i = 0; i < WIDTH * HEIGHT; i++)
        put(&map, i % WIDTH, i / WIDTH, 0, i % WIDTH < WIDTH / 2 ? 40 : 220);
    return map;
}

static satb_image output_like(const satb_image *src)
{
    satb_image dst = blank(src->width, src->height, src->channels, src->bits);

    dst.half = src->half;
    return dst;
}

static void refused(satb_status status, const char *word)
{
    assert_int_equal(status, SATB_ERR_ARG);
    if (!strstr(satb_last_message(cpu), word))
        fail_msg("%s", satb_last_message(cpu));
}

/* --- What is refused ---------------------------------------------------------------------------- */

static void only_pictures_to_be_blurred_may_have_them(void **state)
{
    const satb_image src = make_picture(3), dst = output_like(&src), map = make_map();
    const satb_image circles = blank(WIDTH, HEIGHT, 1, 16);
    satb_image odd = src, codes = dst, deep = blank(WIDTH, HEIGHT, 1, 16);
    satb_dof_params params = {.look = {.gamma = 1}};
    satb_channel_stats stats[4];
    uint64_t *const table = unit_zeros(WIDTH * HEIGHT * 3 * sizeof *table);

    codes.half = 0;
    deep.half = 1;
    odd.half = 2;
    refused(satb_box(cpu, &odd, &odd, &(satb_box_params){.radius_x = 1}), "half");
    odd.half = 1;
    odd.bits = 8;
    refused(satb_box(cpu, &odd, &odd, &(satb_box_params){.radius_x = 1}), "16 bits");
    refused(satb_box(cpu, &src, &codes, &(satb_box_params){.radius_x = 1}), "samples");
    refused(satb_dof(cpu, &src, &map, &dst, &params, NULL), "gamma");
    refused(satb_coc(cpu, &src, &map, &circles, &params, NULL), "gamma");
    params = (satb_dof_params){.highlights = 1};
    refused(satb_dof(cpu, &src, &map, &dst, &params, NULL), "highlights");
    refused(satb_coc(cpu, &src, &map, &circles, &params, NULL), "highlights");
    params = (satb_dof_params){.matte = &deep};
    refused(satb_dof(cpu, &src, &map, &dst, &params, NULL), "matte");
    refused(satb_dof(cpu, &src, &deep, &dst, &(satb_dof_params){.focus = 0}, NULL), "depth map");
    refused(satb_blur_map(cpu, &src, &deep, &dst, &(satb_map_params){.max_radius = 3}),
            "radius map");
    refused(satb_coc(cpu, &src, &map, &deep, &(satb_dof_params){.focus = 0}, NULL), "output");
    refused(satb_measure(cpu, &src, stats), "integers");
    refused(satb_equalize(cpu, &src, &dst), "integers");
    refused(satb_table(cpu, &src, 64, table), "integers");
}

/* --- What they mean ----------------------------------------------------------------------------- */

/* A lamp of 1024 times white gives each of the 25 pixels around 40.96, and 4096 is the largest. */
static void light_above_white_is_kept(void **state)
{
    const satb_image src = blank(9, 9, 1, 16);
    satb_image half = src, dst = output_like(&src);

    half.half = dst.half = 1;
    put(&half, 4, 4, 0, LAMP);
    ok(satb_box(cpu, &half, &dst, &(satb_box_params){.radius_x = 2, .radius_y = 2}));
    assert_int_equal(sample(&dst, 4, 4, 0), 0x511f); /* 40.96875, the nearest of 10 bits */
    assert_int_equal(sample(&dst, 2, 6, 0), 0x511f);
    assert_int_equal(sample(&dst, 1, 4, 0), 0);
    put(&half, 4, 4, 0, 0x7c00); /* infinity */
    ok(satb_box(cpu, &half, &dst, &(satb_box_params){.radius_x = 1, .radius_y = 1}));
    assert_int_equal(sample(&dst, 4, 4, 0), 0x5f1c); /* 4096 / 9 = 455.11 */
    put(&half, 4, 4, 0, NEGATIVE);
    put(&half, 0, 0, 0, NAN_BITS);
    ok(satb_box(cpu, &half, &dst, &(satb_box_params){.radius_x = 1, .radius_y = 1}));
    for (int i = 0; i < 81; i++)
        assert_int_equal(sample(&dst, i % 9, i / 9, 0), i == 40 ? NEGATIVE : i == 0 ? NAN_BITS : 0);
}

/* Colours have been multiplied by alpha: a glow without alpha gives its light. */
static void alpha_is_a_channel_as_any_other(void **state)
{
    satb_image src = blank(3, 1, 4, 16), dst = output_like(&src);

    src.half = dst.half = 1;
    put(&src, 0, 0, 0, 0x4600); /* 6, of alpha 0 */
    put(&src, 1, 0, 1, ONE);
    put(&src, 1, 0, 3, ONE);
    ok(satb_box(cpu, &src, &dst, &(satb_box_params){.radius_x = 1}));
    assert_int_equal(sample(&dst, 1, 0, 0), 0x4000); /* 2 */
    assert_int_equal(sample(&dst, 1, 0, 1), 0x3555); /* a third */
    assert_int_equal(sample(&dst, 1, 0, 3), 0x3555);
    assert_int_equal(sample(&dst, 0, 0, 0), 0x4200); /* 3 */
}

/* Sharp pixels keep whatever they have. */
static void what_is_in_focus_keeps_its_bits(void **state)
{
    const satb_image src = make_picture(4), dst = output_like(&src), map = make_map();
    const satb_dof_params params = {.focus_mode = SATB_FOCUS_POINT,
                                    .focus_x = WIDTH - 3,
                                    .focus_y = 30,
                                    .strength = SATB_STRENGTH_RADIUS,
                                    .max_radius = 8};
    int changed = 0;

    put(&src, WIDTH - 9, 20, 0, NEGATIVE);
    put(&src, WIDTH - 9, 21, 1, NAN_BITS);
    put(&src, WIDTH - 9, 22, 2, 0x7bff); /* 65504 */
    ok(satb_dof(cpu, &src, &map, &dst, &params, NULL));
    for (int i = 0; i < WIDTH * HEIGHT * 4; i++) {
        const int x = i / 4 % WIDTH, y = i / 4 / WIDTH, is_far = x < WIDTH / 2;
        if (!is_far)
            assert_int_equal(sample(&dst, x, y, i % 4), sample(&src, x, y, i % 4));
        changed += is_far && sample(&dst, x, y, i % 4) != sample(&src, x, y, i % 4);
    }
    assert_true(changed > WIDTH * HEIGHT);
}

/* --- How they are seen -------------------------------------------------------------------------- */

/* Returns the picture of integers that a screen would show. */
static satb_image shown(const satb_image *src)
{
    const satb_image codes = blank(src->width, src->height, src->channels, 16);
    uint16_t *const table = unit_memory(SATB_HALVES * sizeof *table);

    satb_fill_shown(table);
    for (int i = 0; i < src->width * src->height * src->channels; i++) {
        const int c = i % src->channels, x = i / src->channels % src->width;
        const int y = i / src->channels / src->width;
        put(&codes, x, y, c, table[sample(src, x, y, c)]);
    }
    return codes;
}

/* Focus, holes and edges are those of the picture of codes, to the last number. */
static void depth_is_judged_by_what_is_shown(void **state)
{
    const satb_image src = make_picture(3), dst = output_like(&src), codes = shown(&src);
    const satb_image map = blank(WIDTH / 2, HEIGHT / 2, 1, 16), out = output_like(&codes);
    const satb_dof_params params = {
        .holes = SATB_HOLES_FILL, .strength = SATB_STRENGTH_RADIUS, .max_radius = 6};
    satb_dof_report by_halves, by_codes;

    for (int i = 0; i < WIDTH / 2 * HEIGHT / 2; i++) {
        const int x = i % (WIDTH / 2), y = i / (WIDTH / 2), is_hole = (x / 3 + y / 5) % 4 == 0;
        put(&map, x, y, 0, is_hole ? 0 : x < 21 ? 9000 : x < 24 ? 30000 : 52000);
    }
    ok(satb_dof(cpu, &src, &map, &dst, &params, &by_halves));
    ok(satb_dof(cpu, &codes, &map, &out, &params, &by_codes));
    assert_true(by_halves.unknown > 0 && by_halves.snapped > 0);
    assert_memory_equal(&by_halves, &by_codes, sizeof by_codes);
}

/* A rim that a matte covers in part gets the subject's own colour, as it does in codes. */
static void a_matte_separates_colours(void **state)
{
    enum { RIM = 6, FIRST = WIDTH / 2 - RIM / 2, SUBJECT = 0x3a00, GROUND = 0x2c00 };
    satb_image src = blank(WIDTH, HEIGHT, 3, 16), matte = blank(WIDTH, HEIGHT, 1, 8);
    const satb_dof_params params = {
        .matte = &matte, .strength = SATB_STRENGTH_RADIUS, .max_radius = 12};

    src.half = 1;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, part = x < FIRST ? 0 : x >= FIRST + RIM ? RIM : x - FIRST + 1;
        put(&matte, x, i / WIDTH, 0, (uint32_t)(part < RIM ? part * 255 / RIM : 255));
        for (int c = 0; c < 3; c++) /* a mixture of half floats' codes is near one of light */
            put(&src, x, i / WIDTH, c, GROUND + (uint32_t)(part * (SUBJECT - GROUND) / RIM));
    }
    const satb_image dst = output_like(&src);
    ok(satb_dof(cpu, &src, NULL, &dst, &params, NULL));
    const uint32_t sharp = sample(&dst, WIDTH - 2, 30, 0),
                   own = sample(&dst, FIRST + RIM - 2, 30, 0);
    assert_int_equal(sharp, SUBJECT);
    assert_true(own > sample(&src, FIRST + RIM - 2, 30, 0)); /* less of the ground than before */
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(only_pictures_to_be_blurred_may_have_them),
                 UNIT(light_above_white_is_kept), UNIT(alpha_is_a_channel_as_any_other),
                 UNIT(what_is_in_focus_keeps_its_bits), UNIT(depth_is_judged_by_what_is_shown),
                 UNIT(a_matte_separates_colours))
