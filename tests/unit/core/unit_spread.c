/* core/blur/dof_spread.c: weights of a source, whose sums cannot overflow, and promises of the method. */
#include "unit/core/unit_context.h"

#include "blur/dof_spread.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

enum { WIDTH = 61, HEIGHT = 47, FARTHEST_16_ALPHA = 181 };

/* --- Splats ----------------------------------------------------------------------------------- */

static void one_pixel(void **state)
{
    const satk_splat s = satb_make_splat(0, 40);

    assert_true(s.inner == (uint64_t)1 << 40 && s.side == 0 && s.corner == 0);
    assert_true(s.reach == 0 && !s.ring);
}

/* If 2 r + 1 is a power of two, nothing is rounded. */
static void exact_shares(void **state)
{
    const satk_splat s = satb_make_splat(3 * 256 + 128, 40);

    assert_true(s.inner == (uint64_t)1 << 34 && s.side == (uint64_t)1 << 33);
    assert_true(s.corner == (uint64_t)1 << 32 && s.reach == 3 && s.ring);
}

/* A point keeps its light at any radius, to one half for each pixel that it reaches. */
static void energy(void **state)
{
    const int bits = 46;

    for (uint32_t radius = 0; radius < 300 * 256; radius++) {
        const satk_splat s = satb_make_splat(radius, bits);
        const int64_t side = 2 * s.reach + 1;
        const int64_t sum =
            (int64_t)s.inner * side * side + (int64_t)s.side * side * 4 + (int64_t)s.corner * 4;
        assert_true(2 * llabs(sum - ((int64_t)1 << bits)) <= (side + 2) * (side + 2));
        assert_true(s.inner >= s.side && s.side >= s.corner);
    }
}

/* The sum of the most light that a pixel can get fits: each source around it has the radius by
 * which it gives most. */
static u128 most_given(int farthest, int bits)
{
    uint64_t *const most = unit_zeros(((size_t)farthest + 2) * sizeof *most); /* by distance */
    u128 sum = 0;

    for (uint32_t radius = 0; radius <= (uint32_t)farthest * 256; radius++) {
        const satk_splat s = satb_make_splat(radius, bits);
        most[s.reach] = s.inner > most[s.reach] ? s.inner : most[s.reach];
        most[s.reach + 1] = s.side > most[s.reach + 1] ? s.side : most[s.reach + 1];
    }
    for (int d = farthest; d >= 0; d--) { /* nearer pixels get as much */
        most[d] = most[d + 1] > most[d] ? most[d + 1] : most[d];
        sum += (u128)most[d] * (d > 0 ? 8 * (uint64_t)d : 1);
    }
    return sum;
}

static void sums_fit(void **state)
{
    static const int reach[] = {0, 1, 2, 3, 4, 5, 7, 8, 20, 100, FARTHEST_16_ALPHA};
    static const uint64_t samples[] = {255,         16383,   65535,
                                       16383 * 255, 1048575, (uint64_t)1048575 * 65535};

    for (size_t i = 0; i < sizeof reach / sizeof *reach; i++)
        for (size_t j = 0; j < sizeof samples / sizeof *samples; j++) {
            const u128 most =
                most_given(reach[i], satb_light_bits(reach[i], samples[j])) * samples[j];
            assert_true(most <= UINT64_MAX);
            assert_true(most << 3 > UINT64_MAX); /* and little is given away */
        }
}

/* --- Pictures --------------------------------------------------------------------------------- */

static satb_image make(int width, int height, int channels, int bits)
{
    const size_t row = (size_t)width * (size_t)channels * (size_t)bits / 8;
    uint8_t *const data = unit_memory(row * (size_t)height);

    for (size_t i = 0; i < row * (size_t)height; i++)
        data[i] = (uint8_t)(rand() >> 7);
    return (satb_image){data, (ptrdiff_t)row, width, height, channels, bits, 0, 0};
}

static void assert_same(const satb_image *a, const satb_image *b)
{
    assert_memory_equal(a->data, b->data, (size_t)a->stride * (size_t)a->height);
}

static satb_status blur(const satb_image *src, const satb_image *depth, const satb_image *dst,
                        satb_method method, double radius, satb_dof_report *report)
{
    const satb_dof_params params = {.focus_mode = SATB_FOCUS_VALUE,
                                    .strength = SATB_STRENGTH_RADIUS,
                                    .max_radius = radius,
                                    .method = method};

    return satb_dof(cpu, src, depth, dst, &params, report);
}

/* Where all radii are the same, spread equals gather, near borders too: a pixel gets light from the pixels that it would
 * take from. It is exact if shares are not rounded, or all equal. */
static void transposition(void **state)
{
    static const double radii[] = {0, 0.5, 1, 1.5, 2, 3, 3.5, 5, 7.5, 9, 15.5, 30, 60, 61};
    const satb_image depth = make(WIDTH, HEIGHT, 1, 8);
    satb_dof_report report;

    memset(depth.data, 255, WIDTH * HEIGHT);
    for (int kind = 0; kind < 8; kind++) {
        const satb_image src = make(WIDTH, HEIGHT, 1 + kind % 4, 8 + kind / 4 * 8),
                         spread = make(WIDTH, HEIGHT, 1 + kind % 4, 8 + kind / 4 * 8),
                         gather = make(WIDTH, HEIGHT, 1 + kind % 4, 8 + kind / 4 * 8);
        for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
            assert_int_equal(blur(&src, &depth, &gather, SATB_METHOD_GATHER, radii[i], NULL), 0);
            assert_int_equal(blur(&src, &depth, &spread, SATB_METHOD_SPREAD, radii[i], &report), 0);
            assert_same(&gather, &spread);
            assert_true(report.method == SATB_METHOD_SPREAD && report.bokeh == SATB_BOKEH_SQUARE);
        }
    }
}

static void constant_stays_constant(void **state)
{
    const satb_image depth = make(WIDTH, HEIGHT, 1, 16);

    for (int kind = 0; kind < 8; kind++) {
        const satb_image src = make(WIDTH, HEIGHT, 1 + kind % 4, 8 + kind / 4 * 8),
                         dst = make(WIDTH, HEIGHT, 1 + kind % 4, 8 + kind / 4 * 8);
        const size_t pixel = (size_t)src.channels * (size_t)src.bits / 8;
        for (size_t i = pixel; i < pixel * WIDTH * HEIGHT; i++)
            ((uint8_t *)src.data)[i] = ((uint8_t *)src.data)[i - pixel];
        for (double radius = 0.01; radius < 200; radius *= 3) {
            assert_int_equal(blur(&src, &depth, &dst, SATB_METHOD_SPREAD, radius, NULL), 0);
            assert_same(&src, &dst);
        }
    }
}

/* A sharp subject lends no light to a blurred background. Gather takes it in as far as windows reach. */
static void sharp_stays_out_of_blurred(void **state)
{
    const satb_image src = make(60, 20, 1, 8), depth = make(60, 20, 1, 8),
                     spread = make(60, 20, 1, 8), gather = make(60, 20, 1, 8);

    for (int i = 0; i < 60 * 20; i++) {
        ((uint8_t *)src.data)[i] = i % 60 < 30 ? 255 : 0;
        ((uint8_t *)depth.data)[i] = i % 60 < 30 ? 0 : 255; /* the focus is at 0 */
    }
    assert_int_equal(blur(&src, &depth, &spread, SATB_METHOD_SPREAD, 8, NULL), 0);
    assert_int_equal(blur(&src, &depth, &gather, SATB_METHOD_GATHER, 8, NULL), 0);
    for (int i = 0; i < 60 * 20; i++)
        if (i % 60 >= 30)
            assert_int_equal(((uint8_t *)spread.data)[i], 0);
    assert_true(((uint8_t *)gather.data)[31] > 0);
    /* The background bleeds over it, since nothing covers anything. */
    assert_true(((uint8_t *)spread.data)[29] < 255 && ((uint8_t *)spread.data)[21] == 255);
}

/* A radius whose weights would be too small is refused: 16 bits, with transparent pixels. */
static void too_large_is_refused(void **state)
{
    const satb_image src = make(400, 30, 4, 16), depth = make(400, 30, 1, 8);
    satb_dof_params params = {.focus_mode = SATB_FOCUS_VALUE,
                              .strength = SATB_STRENGTH_RADIUS,
                              .max_radius = FARTHEST_16_ALPHA,
                              .method = SATB_METHOD_SPREAD};

    memset(depth.data, 255, 400 * 30);
    assert_int_equal(satb_dof(cpu, &src, &depth, &src, &params, NULL), SATB_OK);
    params.max_radius += 1;
    assert_int_equal(satb_dof(cpu, &src, &depth, &src, &params, NULL), SATB_ERR_LIMIT);
    assert_non_null(strstr(satb_last_message(cpu), "gather"));
    params.look.gamma = 1;
    assert_int_equal(satb_dof(cpu, &src, &depth, &src, &params, NULL), SATB_OK);
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(one_pixel), UNIT(exact_shares), UNIT(energy),
                 UNIT(sums_fit), UNIT(transposition), UNIT(constant_stays_constant),
                 UNIT(sharp_stays_out_of_blurred), UNIT(too_large_is_refused))
