/* Mixed pixels of an anti-aliased outline: a sharp disc of one colour before a background that is brighter, or darker, some
 * pixels away, so that the blur changes what is behind the outline. */
#include "unit/core/unit_context.h"

#include "base/tone_tables.h"
#include "common/tone.h"
#include "unit/core/unit_drawn.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 150, HEIGHT = 130, AROUND = 12 };

static const double radius = 33.4, across = 74.3, down = 66.8;

static uint32_t *decode; /* of the picture's codes */
static double white;     /* its sample */

/* Light by channel, where white is 1. */
enum { DARK, BRIGHT, SKIN, LAMP };
static const double lights[][3] = {
    {0.02, 0.03, 0.05}, {0.9, 0.85, 0.95}, {0.35, 0.2, 0.15}, {6, 5, 3}};

typedef struct scene {
    int near, behind,
        beyond; /* the disc, the background within AROUND pixels of it, and the rest */
    int near_black;
    satb_image picture, map;
} scene;

static double from_outline(int x, int y)
{
    return hypot(x - across, y - down) - radius;
}

/* Returns the disc's part of a pixel. */
static double part_at(int x, int y)
{
    return fmin(fmax(0.5 - from_outline(x, y), 0), 1);
}

static void make_decode(const satb_image *picture)
{
    decode = realloc(decode, sizeof *decode << picture->bits);
    assert_non_null(decode);
    white = picture->half ? 1 << 20 : satb_linear_max(picture->bits);
    if (picture->half)
        satb_fill_decode_half(decode);
    else
        satb_fill_decode(picture->bits, decode);
}

/* Returns the code of the closest light; codes rise with it. */
static uint32_t code_of(const satb_image *picture, double of)
{
    uint32_t code = 0;

    if (picture->half)
        return satk_half_float((uint64_t)(of * white + 0.5));
    for (uint32_t step = 1u << (picture->bits - 1); step > 0; step /= 2)
        if ((decode[code + step] + (double)decode[code + step - 1]) / 2 <= of * white)
            code += step;
    return code;
}

static double light_at(const satb_image *picture, int x, int y, int c)
{
    return decode[sample(picture, x, y, c)] / white;
}

static void draw(const scene *s)
{
    const int colours = s->picture.channels - satk_has_alpha(s->picture.channels);

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double part = part_at(x, y);
            const double *const near = lights[s->near];
            const double *const far = lights[from_outline(x, y) < AROUND ? s->behind : s->beyond];
            for (int c = 0; c < s->picture.channels; c++)
                put(&s->picture, x, y, c,
                    code_of(&s->picture, c < colours ? part * near[c] + (1 - part) * far[c] : 1));
            put(&s->map, x, y, 0, (part > 0.5) != s->near_black ? 220 : 40);
        }
}

/* Returns the light some pixels farther out. */
static double beside(const satb_image *blurred, int x, int y, int pixels, int c)
{
    const double away = hypot(x - across, y - down);

    return light_at(blurred, (int)lround(x + pixels * (x - across) / away),
                    (int)lround(y + pixels * (y - down) / away), c);
}

/* Returns how far the outline's pixels are from a part of the disc and the rest of what is behind it, in light, at most. The
 * blurred background goes on as it is beside them. */
static double off_the_line(const scene *s, const satb_image *blurred)
{
    const int colours = s->picture.channels - satk_has_alpha(s->picture.channels);
    double most = 0;

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double part = part_at(x, y);
            for (int c = 0; c < colours && part > 0.05 && part <= 0.5; c++) {
                const double there = 2 * beside(blurred, x, y, 2, c) - beside(blurred, x, y, 4, c);
                const double want = part * lights[s->near][c] + (1 - part) * there;
                most = fmax(most, fabs(light_at(blurred, x, y, c) - want));
            }
        }
    return most;
}

/* Blurs a scene, whose lights are set. Returns how far it is off the line. */
static double blur(scene s, int channels, int bits, int half)
{
    const satb_dof_params params = {.strength = SATB_STRENGTH_RADIUS,
                                    .max_radius = 30,
                                    .focus_mode = SATB_FOCUS_VALUE,
                                    .focus = (s.near_black ? 255 - 40 : 220) / 255.0,
                                    .near_black = s.near_black,
                                    .method = SATB_METHOD_LAYERED};
    satb_dof_report report;

    s.picture = blank(WIDTH, HEIGHT, channels, bits);
    s.map = blank(WIDTH, HEIGHT, 1, 8);
    satb_image was = blank(WIDTH, HEIGHT, channels, bits),
               out = blank(WIDTH, HEIGHT, channels, bits);
    s.picture.half = was.half = out.half = half;
    make_decode(&s.picture);
    draw(&s);
    memcpy(was.data, s.picture.data, (size_t)(was.stride * HEIGHT));
    assert_int_equal(satb_dof(cpu, &s.picture, &s.map, &out, &params, &report), SATB_OK);
    assert_true(report.mixed > 50);
    assert_memory_equal(was.data, s.picture.data, (size_t)(was.stride * HEIGHT));
    const double off = off_the_line(&s, &out);
    free(s.picture.data), free(s.map.data), free(was.data), free(out.data);
    return off;
}

/* Sixteenths and codes alone keep a pixel from the line. */
static void outlines_show_what_is_blurred(void **state)
{
    (void)state;
    for (int i = 0; i < 32; i++) {
        const int channels = 1 + i / 2 % 4, bits = i / 8 % 2 ? 16 : 8;
        const scene s = {.near = SKIN,
                         .behind = i % 2 ? BRIGHT : DARK,
                         .beyond = i % 2 ? DARK : BRIGHT,
                         .near_black = i / 16};
        const double off = blur(s, channels, bits, 0);
        if (off > 0.06)
            fail_msg("%d channels of %d bits: %.3f off", channels, bits, off);
    }
}

/* Lamps are above white. One that is everywhere behind an outline stays as bright there. */
static void lamps_behind_outlines(void **state)
{
    static const int scenes[][3] = {{SKIN, DARK, LAMP},
                                    {SKIN, LAMP, DARK},
                                    {DARK, LAMP, DARK},
                                    {SKIN, LAMP, LAMP},
                                    {DARK, LAMP, LAMP}};

    (void)state;
    for (size_t i = 0; i < 2 * sizeof scenes / sizeof *scenes; i++) {
        const int *const of = scenes[i / 2];
        const scene s = {.near = of[0], .behind = of[1], .beyond = of[2]};
        const double off = blur(s, 3 + (int)i % 2, 16, 1);
        if (off > 0.5)
            fail_msg("scene %zu: %.3f off", i / 2, off);
    }
}

static int end(void **state)
{
    free(decode);
    return tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_show_what_is_blurred),
        cmocka_unit_test(lamps_behind_outlines),
    };
    return cmocka_run_group_tests(tests, set_up, end);
}
