/* core/base/exact_math.c: how far its functions are from libm's of long doubles, and values that are exact. */
#include "unit/unit.h"

#include <exact_math.h>

#include <math.h>
#include <stdint.h>

enum { SAMPLES = 100000 };

#define MOST_OFF 0.8 /* units in the last place */

/* Returns a number of low .. high, other ones each time. */
static double between(uint64_t *random, double low, double high)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return low + (double)(*random >> 11) / 0x1p53 * (high - low);
}

static void near(const char *function, double x, double got, long double want)
{
    int exponent;
    frexpl(want, &exponent);
    const long double off = fabsl((long double)got - want) / ldexpl(1, exponent - 53);
    if (!(off <= MOST_OFF))
        fail_msg("%s(%.17g) is %.17g, %.2Lf units from %.20Lg", function, x, got, off, want);
}

static void angles(void **state)
{
    uint64_t random = 1;

    for (int i = 0; i < SAMPLES; i++) {
        const double most = i % 2 ? 20 : 1e6, x = between(&random, -most, most);
        near("sin", x, satb_sin(x), sinl(x));
        near("cos", x, satb_cos(x), cosl(x));
    }
    for (int i = -64; i <= 64; i++) { /* multiples of a sixteenth turn: also what is nearest to 0 */
        const double x = i * (6.283185307179586 / 16);
        near("sin", x, satb_sin(x), sinl(x));
        near("cos", x, satb_cos(x), cosl(x));
    }
    assert_true(satb_sin(0) == 0 && satb_cos(0) == 1);
}

static void powers(void **state)
{
    static const double exponents[] = {2.4, 1 / 2.4, 0.05, 0.5, 3, 20};
    uint64_t random = 2;

    for (int i = 0; i < SAMPLES; i++) {
        const double x = between(&random, 0, 1) * (i % 2 ? 1 : 1e9), y = exponents[i % 6];
        const double z = between(&random, -700, 700) / (i % 5 + 1);
        if (x == 0)
            continue;
        near("pow", x, satb_pow(x, y), powl(x, y));
        near("log2", x, satb_log2(x), log2l(x));
        near("exp", z, satb_exp(z), expl(z));
    }
    for (int i = -1000; i <= 1000; i++)
        assert_true(satb_log2(ldexp(1, i)) == i);
    for (double x = 0.999; x < 1.001; x += 1e-6)
        near("log2", x, satb_log2(x), log2l(x));
    assert_true(satb_exp(0) == 1 && satb_exp(-1e300) == 0 && satb_exp(INFINITY) == INFINITY);
    assert_true(satb_pow(1, 2.4) == 1 && satb_pow(4, 0.5) == 2);
}

static void limits(void **state)
{
    for (int i = 1; i <= 400; i++)
        assert_true(satb_pow(0, i / 20.0) == 0 && satb_pow(INFINITY, i / 20.0) == INFINITY);
    assert_true(satb_pow(0x1p1023, 20) == INFINITY && satb_pow(0x1p-1074, 20) == 0);
    assert_true(isnan(satb_pow(NAN, 2.4)) && isnan(satb_pow(-1, 2.4)));
    assert_true(satb_log2(0) == -INFINITY && satb_log2(INFINITY) == INFINITY);
    assert_true(isnan(satb_log2(NAN)) && isnan(satb_log2(-1)) && isnan(satb_exp(NAN)));
}

UNIT_MAIN(UNIT(angles), UNIT(powers), UNIT(limits))
