/* app/image/light_table.c: each entry is the nearest to what the curve says, and codes come back. app/image/half.c: odd samples. */
#include "image/light_table.h"

#include "image/half.h"

#include <math.h>
#include <stdlib.h>

#include "unit/unit.h"

static const int curves[] = {16, 18};

static void test_nearest(void **state)
{
    for (size_t k = 0; k < sizeof curves / sizeof *curves; k++) {
        const satb_curve *const c = satb_curve_of(curves[k]);
        light_table *const t = light_table_make(c);
        for (unsigned i = 0; i <= UINT16_MAX; i++) {
            const double light = c->to_light(i / 65535.0), got = half_to_float(t->light[i]);
            const double above = half_to_float((uint16_t)(t->light[i] + 1)) - got;
            assert_true(fabs(light - got) <= above / 2 * (1 + 1e-3));
            const double code = i <= HALF_INFINITY ? c->of_light(half_to_float((uint16_t)i)) : 0;
            assert_true(fabs(t->code[i] - 65535 * code) <= 0.5);
        }
        free(t);
    }
}

/* Returns the code of n + 1 that light in half floats has. */
static unsigned code_of(const light_table *t, uint16_t light, unsigned n)
{
    return (t->code[light] * n + 32767u) / 65535u;
}

/* All codes of 10 and 12 bits come back, those of 10 bits in the limited range also from the multiples of 2^-20 that blurs sum. */
static void test_back(void **state)
{
    static const unsigned ranges[] = {1023, 876, 4095, 3504};
    for (size_t k = 0; k < sizeof curves / sizeof *curves; k++) {
        light_table *const t = light_table_make(satb_curve_of(curves[k]));
        for (int r = 0; r < 4; r++)
            for (unsigned i = 0, n = ranges[r]; i <= n; i++) {
                const uint16_t light = t->light[(i * 65535u + n / 2) / n];
                const float summed = floorf(half_to_float(light) * 0x1p20F + 0.5F) * 0x1p-20F;
                assert_int_equal(code_of(t, light, n), i);
                if (n == 876)
                    assert_int_equal(code_of(t, half_of(summed), n), i);
            }
        free(t);
    }
}

static void test_samples(void **state)
{
    light_table *const t = light_table_make(satb_curve_of(16));
    uint16_t samples[3] = {0, 40000, 65535}, after[3], codes[3] = {7, 8, 9};
    light_of_codes(t, &(satb_image){.data = samples, .width = 1, .height = 1, .channels = 3});
    assert_int_equal(samples[0], 0);
    assert_int_equal(samples[1], t->light[40000]);
    assert_int_equal(samples[2], half_of(100));
    after[0] = 0xbc00; /* -1 */
    after[1] = samples[1];
    after[2] = half_of(1);
    light_to_codes(t, samples, after, 3, codes);
    assert_int_equal(codes[0], 0);
    assert_int_equal(codes[1], 8); /* as it was */
    assert_int_equal(codes[2], lrint(65535 * t->curve->of_light(1)));
    free(t);
}

/* Samples of half floats that are no colours: below 0 or no number, and above 4096; -0 is 0. */
static void test_odd(void **state)
{
    uint16_t samples[] = {0,      0x8000, 0x8001, 0xbc00, 0x6c00,
                          0x6c01, 0x7c00, 0x7c01, 0xfc00, 0x3c00};
    const satb_image image = {.data = samples, .width = 5, .height = 2, .channels = 1};
    const half_odd odd = half_count_odd(&image);
    assert_int_equal(odd.low, 4);
    assert_int_equal(odd.high, 2);
}

UNIT_MAIN(UNIT(test_nearest), UNIT(test_back), UNIT(test_samples), UNIT(test_odd))
