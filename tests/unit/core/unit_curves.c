/* core/base/curves.c: the curves against the formulas of the standards, in long doubles, at all codes of 16 bits; and the codes
 * that come back from light. */
#include "unit/unit.h"

#include <curves.h>

#include <math.h>
#include <stdint.h>

#define CODES      65536
#define MOST_OFF   1e-12L /* of light: dark codes of PQ lose digits in a difference */
#define MOST_CODES 1e-13L

/* ITU-R BT.2100-2, table 4, in 100 cd/m2. */
static long double pq_light(long double code)
{
    const long double m1 = 0.1593017578125L, m2 = 78.84375L;
    const long double c1 = 0.8359375L, c2 = 18.8515625L, c3 = 18.6875L, e = powl(code, 1 / m2);
    return 100 * powl(fmaxl(e - c1, 0) / (c2 - c3 * e), 1 / m1);
}

static long double pq_code(long double light)
{
    const long double m1 = 0.1593017578125L, m2 = 78.84375L;
    const long double c1 = 0.8359375L, c2 = 18.8515625L, c3 = 18.6875L, y = powl(light / 100, m1);
    return powl((c1 + c2 * y) / (1 + c3 * y), m2);
}

/* Table 5, the constants to the digits of the standard, in units of the code 0.75's light. */
static long double hlg_scene(long double code)
{
    const long double a = 0.17883277L, b = 0.28466892L, c = 0.55991073L;
    return code <= 0.5L ? code * code / 3 : (expl((code - c) / a) + b) / 12;
}

static long double hlg_light(long double code)
{
    return hlg_scene(code) / hlg_scene(0.75L);
}

static long double hlg_code(long double light)
{
    const long double a = 0.17883277L, b = 0.28466892L, c = 0.55991073L;
    const long double e = fminl(light * hlg_scene(0.75L), 1);
    return e <= 1 / 12.0L ? sqrtl(3 * e) : a * logl(12 * e - b) + c;
}

/* IEC 61966-2-1. */
static long double srgb_light(long double code)
{
    return code <= 0.04045L ? code / 12.92L : powl((code + 0.055L) / 1.055L, 2.4L);
}

static long double srgb_code(long double light)
{
    return light <= 0.0031308L ? light * 12.92L : 1.055L * powl(light, 1 / 2.4L) - 0.055L;
}

static const struct {
    int number;
    long double (*light)(long double), (*code)(long double);
} standards[] = {{13, srgb_light, srgb_code}, {16, pq_light, pq_code}, {18, hlg_light, hlg_code}};

static void test_formulas(void **state)
{
    for (size_t s = 0; s < sizeof standards / sizeof *standards; s++) {
        const satb_curve *const curve = satb_curve_of(standards[s].number);
        double last = -1;
        for (int i = 0; i < CODES; i++) {
            const double code = (double)i / (CODES - 1), light = curve->to_light(code);
            const long double want = standards[s].light(code), back = standards[s].code(light);
            if (!(fabsl(light - want) <= MOST_OFF * want + 1e-18L) || !(light > last))
                fail_msg("%s: code %d is light %.17g, not %.17Lg", curve->name, i, light, want);
            if (!(fabsl(curve->of_light(light) - back) <= MOST_CODES))
                fail_msg("%s: light %.17g is not code %.17Lg", curve->name, light, back);
            assert_true(fabs(curve->of_light(light) - code) <
                        1e-6); /* the digits of the standards */
            last = light;
        }
    }
}

static void test_ends(void **state)
{
    for (size_t s = 0; s < sizeof standards / sizeof *standards; s++) {
        const satb_curve *const c = satb_curve_of(standards[s].number);
        assert_true(c->to_light(0) == 0 && c->to_light(-1) == 0 && c->to_light(NAN) == 0);
        assert_true(c->to_light(2) == c->to_light(1));
        assert_true(c->of_light(-1) == c->of_light(0) && c->of_light(NAN) == c->of_light(0));
        assert_true(c->of_light(0) >= 0 && c->of_light(0) < 1e-6);
        assert_true(c->of_light(INFINITY) <= 1 && c->of_light(INFINITY) > 1 - 1e-8);
    }
    assert_true(fabs(satb_curve_of(16)->to_light(1) - 100) < 1e-11);
    assert_true(fabs(satb_curve_of(18)->to_light(0.75) - 1) < 1e-13);
    assert_ptr_equal(satb_curve_of(13), &satb_srgb);
    assert_null(satb_curve_of(1));
    assert_true(satb_curve_of(8) && !satb_curve_of(8)->to_light);
}

UNIT_MAIN(UNIT(test_formulas), UNIT(test_ends))
