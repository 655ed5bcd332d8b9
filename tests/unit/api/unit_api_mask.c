/* Masks as depth maps, as a user meets them: the subject is in focus, and its gray rims are mixtures. */
#include "unit/api/api_case.h"

#include "unit/core/unit_drawn.h"

#include <math.h>

/* The mask is white, or near, to the left of RIM; then come gray pixels, then the background from FAR on. It is blurred by a
 * square of 2 HALF + 1 pixels. */
enum { WIDTH = 64, HEIGHT = 40, RIM = 30, GRAYS = 4, FAR = RIM + GRAYS, HALF = 5 };

typedef struct mask_case {
    int bits, mask_bits, near_black, gamma;
} mask_case;

static mask_case case_of(int i)
{
    return (mask_case){i & 1 ? 16 : 8, i & 2 ? 16 : 8, i >> 2 & 1, i >> 3 & 1};
}

/* Returns the coverage of a pixel by the subject. */
static double cover_at(int x, int y)
{
    return x < RIM ? 1 : x >= FAR ? 0 : (1 + 2 * ((x - RIM + 3 * y) % 16)) / 32.0;
}

static satb_image make_mask(const mask_case *c, int is_hard)
{
    const satb_image mask = blank(WIDTH, HEIGHT, 1, c->mask_bits);
    const double white = (1 << c->mask_bits) - 1;

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            double cover = cover_at(x, y);
            if (is_hard) /* but for one gray pixel, as a map without gray is no mask */
                cover = x == WIDTH - 1 && y == 0 ? 0.1 : cover > 0.5;
            put(&mask, x, y, 0, (uint32_t)lround(white * (c->near_black ? 1 - cover : cover)));
        }
    return mask;
}

/* The subject is dark and noisy. The background is bright, and the same in all columns. */
static satb_image make_picture(const mask_case *c)
{
    const satb_image src = blank(WIDTH, HEIGHT, 3, c->bits);
    const int scale = c->bits == 8 ? 1 : 257;

    for (int i = 0; i < WIDTH * HEIGHT * 3; i++) {
        const int channel = i % 3, x = i / 3 % WIDTH, y = i / 3 / WIDTH;
        const int code = x < FAR ? (i * 31 + y * y) % 60 : 120 + (y * 37 + channel * 50) % 130;
        put(&src, x, y, channel, (uint32_t)(scale * code));
    }
    return src;
}

static satb_dof_params params_of(const mask_case *c, satb_method method)
{
    return (satb_dof_params){.focus_mode = SATB_FOCUS_VALUE,
                             .focus = 1,
                             .strength = SATB_STRENGTH_RADIUS,
                             .max_radius =
                                 sqrt(HALF * (HALF + 1)), /* of the square, by its width */
                             .near_black = c->near_black,
                             .holes = SATB_HOLES_NONE,
                             .method = method,
                             .bokeh = SATB_BOKEH_SQUARE,
                             .look = {.gamma = c->gamma}};
}

/* Return the light of a code, and the code of a light: IEC 61966-2-1. */
static double light_of(const mask_case *c, uint32_t code)
{
    const double v = code / (c->bits == 8 ? 255.0 : 65535.0);

    if (c->gamma)
        return v;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double code_of(const mask_case *c, double light)
{
    const double v = c->gamma             ? light
                     : light <= 0.0031308 ? 12.92 * light
                                          : 1.055 * pow(light, 1 / 2.4) - 0.055;

    return v * (c->bits == 8 ? 255.0 : 65535.0);
}

/* Returns the mean light of the background around a row. */
static double background_at(const mask_case *c, const satb_image *src, int y, int channel)
{
    double sum = 0;
    int rows = 0;

    for (int j = y - HALF; j <= y + HALF; j++)
        if (j >= 0 && j < HEIGHT) {
            sum += light_of(c, sample(src, WIDTH - 1, j, channel));
            rows++;
        }
    return sum / rows;
}

/* Compares a sample with the mixture of its own light and the background's. */
static void is_mixture(const mask_case *c, const satb_image *src, const satb_image *dst, int x,
                       int y, int channel)
{
    const double own = light_of(c, sample(src, x, y, channel));
    const double behind = background_at(c, src, y, channel);
    const double off = cover_at(x, y) == 0 ? 0 : 1 / 16.0;
    const double least = code_of(c, behind + (own - behind) * fmin(cover_at(x, y) + off, 1));
    const double most = code_of(c, behind + (own - behind) * fmax(cover_at(x, y) - off, 0));
    const double got = sample(dst, x, y, channel), rounding = c->bits == 8 ? 1 : 2;

    assert_true(x >= FAR || own < behind);
    if (got < least - rounding || got > most + rounding)
        fail_msg("%d bits, mask of %d, near %d, gamma %d: %d,%d is %g, not %g to %g", c->bits,
                 c->mask_bits, c->near_black, c->gamma, x, y, got, least, most);
}

/* The subject stays bit for bit. */
static void is_sharp(const satb_image *src, const satb_image *dst)
{
    for (int y = 0; y < HEIGHT; y++)
        assert_memory_equal((uint8_t *)dst->data + y * dst->stride,
                            (uint8_t *)src->data + y * src->stride,
                            (size_t)(RIM * 3 * src->bits / 8));
}

static void gray_rims_are_mixtures(void **state)
{
    for (int i = 0; i < 16; i++) {
        const mask_case c = case_of(i);
        const satb_image src = make_picture(&c), mask = make_mask(&c, 0),
                         dst = blank(WIDTH, HEIGHT, 3, c.bits);
        const satb_dof_params params = params_of(&c, SATB_METHOD_LAYERED);
        satb_dof_report report;
        ok(satb_dof(cpu, &src, &mask, &dst, &params, &report));
        assert_int_equal(report.snapped, GRAYS * HEIGHT);
        is_sharp(&src, &dst);
        for (int k = 0; k < WIDTH * HEIGHT * 3; k++)
            if (k / 3 % WIDTH >= RIM)
                is_mixture(&c, &src, &dst, k / 3 % WIDTH, k / 3 / WIDTH, k % 3);
    }
}

/* Compares the blur by a mask with that by the same mask when cut. */
static void is_as_cut(const mask_case *c, const satb_dof_params *params)
{
    const satb_image src = make_picture(c), mask = make_mask(c, 0), hard = make_mask(c, 1),
                     dst = blank(WIDTH, HEIGHT, 3, c->bits),
                     want = blank(WIDTH, HEIGHT, 3, c->bits);

    ok(satb_dof(cpu, &src, &mask, &dst, params, NULL));
    ok(satb_dof(cpu, &src, &hard, &want, params, NULL));
    same(&dst, &want);
    if (params->method != SATB_METHOD_SPREAD)
        is_sharp(&src, &dst);
}

/* Other methods know no coverage. */
static void other_methods_cut_masks(void **state)
{
    for (int i = 0; i < 32; i++) {
        const mask_case c = case_of(i);
        const satb_dof_params params =
            params_of(&c, i < 16 ? SATB_METHOD_GATHER : SATB_METHOD_SPREAD);
        is_as_cut(&c, &params);
    }
}

/* Rims do not show before a background that is blurred by less than three quarters of a pixel. */
static void hardly_blurred(void **state)
{
    for (int i = 0; i < 16; i++) {
        const mask_case c = case_of(i);
        satb_dof_params params = params_of(&c, SATB_METHOD_LAYERED);
        params.max_radius = 0.74;
        is_as_cut(&c, &params);
    }
}

/* Gray pixels are no rims if nothing is blurred. */
static void all_in_focus(void **state)
{
    for (int i = 0; i < 16 * 4; i++) {
        const mask_case c = case_of(i);
        const satb_image src = make_picture(&c), mask = make_mask(&c, 0),
                         dst = blank(WIDTH, HEIGHT, 3, c.bits);
        satb_dof_params params = params_of(&c, (satb_method)(i / 16));
        params.focus_range = 2;
        ok(satb_dof(cpu, &src, &mask, &dst, &params, NULL));
        same(&dst, &src);
    }
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(gray_rims_are_mixtures), UNIT(other_methods_cut_masks),
                 UNIT(hardly_blurred), UNIT(all_in_focus))
