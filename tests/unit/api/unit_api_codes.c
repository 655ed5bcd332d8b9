/* satb_depth_codes(): numbers to codes against formulas, percentiles against a sorted array, and each error. unit_depth_codes.c
 * has more cases, through the program. */
#include "unit/unit.h"

#include <satblur.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 10007, FEW = 16 };

static const satb_codes_params disparity = {0}, metres = {.unit = 1};

static satb_codes_report codes_of(const float *numbers, size_t count, satb_codes_params p,
                                  uint16_t *codes)
{
    satb_codes_report r;
    assert_int_equal(satb_depth_codes(numbers, count, &p, codes, &r), SATB_OK);
    assert_int_equal(r.fault, SATB_FAULT_NONE);
    return r;
}

static void test_disparity(void **state)
{
    uint16_t codes[FEW], same[FEW];
    const float numbers[] = {-2, 0, 1, 2, 0.5F};
    const satb_codes_report r = codes_of(numbers, 5, disparity, codes);
    assert_true(r.least == -2 && r.most == 2 && r.unknown == 0 && !r.reaches_infinity);
    for (int i = 0; i < 5; i++)
        assert_int_equal(codes[i], lround(((double)numbers[i] + 2) / 4 * 65535));
    satb_codes_report other;
    assert_int_equal(satb_depth_codes(numbers, 5, NULL, same, &other), SATB_OK);
    assert_memory_equal(codes, same, 5 * sizeof *codes);
}

static void test_distances(void **state)
{
    uint16_t codes[FEW];
    const satb_codes_params millimetres = {.unit = 1000};
    const float numbers[] = {500, 2000, 4000, NAN, -1};
    satb_codes_report r = codes_of(numbers, 5, millimetres, codes);
    assert_true(r.least == 0.5 && r.most == 4 && r.unknown == 2 && !r.reaches_infinity);
    const uint16_t want[] = {65535, 1 + 9362, 1, 0, 0}; /* 65534 / 7 */
    assert_memory_equal(codes, want, sizeof want);
    const float sky[] = {1, 4, 1e9F};
    r = codes_of(sky, 3, metres, codes);
    assert_true(r.most == 4 && r.infinite == 1 && r.reaches_infinity);
    assert_true(codes[0] == 65535 && codes[1] == 16384 && codes[2] == 0);
}

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Percentiles are elements of the sorted finite numbers, of either sign and any size. */
static void test_percentiles(void **state)
{
    static float numbers[MANY], sorted[MANY];
    size_t finite = 0;
    srand(7);
    for (int i = 0; i < MANY; i++) {
        const double size = ldexp((double)rand() / RAND_MAX, rand() % 40 - 20);
        numbers[i] = i % 97 == 0 ? NAN : (float)(rand() % 2 ? size : -size);
        if (isfinite(numbers[i]))
            sorted[finite++] = numbers[i];
    }
    qsort(sorted, finite, sizeof *sorted, compare);
    const double per_cent[][2] = {{0, 100}, {2, 98}, {49.9, 50.1}, {30, 30}};
    for (int i = 0; i < 4; i++) {
        satb_codes_params p = {.ends_by = SATB_ENDS_PERCENTILES};
        memcpy(p.ends, per_cent[i], sizeof p.ends);
        const satb_codes_report r = codes_of(numbers, MANY, p, NULL);
        const double last = (double)(finite - 1);
        assert_true(r.least == (double)sorted[lround(per_cent[i][0] / 100 * last)]);
        assert_true(r.most == (double)sorted[lround(per_cent[i][1] / 100 * last)]);
    }
}

/* Numbers beyond the given ends have their codes. Two ends that are one leave no scale. */
static void test_given_ends(void **state)
{
    uint16_t codes[FEW];
    const float numbers[] = {0.5F, 1, 2, 4, 8};
    satb_codes_params p = {.unit = 1, .ends_by = SATB_ENDS_GIVEN, .ends = {1, 4}};
    codes_of(numbers, 5, p, codes);
    const uint16_t clipped[] = {65535, 65535, 21845, 0, 0};
    assert_memory_equal(codes, clipped, sizeof clipped);
    p.ends[0] = 4;
    assert_true(codes_of(numbers, 5, p, codes).reaches_infinity);
    assert_true(codes[3] == 65535 && codes[4] == 32768);
    p.unit = 0;
    codes_of(numbers, 5, p, codes);
    assert_true(codes[0] == 65535 && codes[4] == 65535);
}

static satb_codes_fault fault_of(const float *numbers, size_t count, satb_codes_params p)
{
    satb_codes_report r;
    uint16_t codes[FEW] = {7};
    assert_int_equal(satb_depth_codes(numbers, count, &p, codes, &r), SATB_ERR_ARG);
    assert_int_equal(codes[0], 7);
    return r.fault;
}

static satb_codes_params given(double unit, double first, double last)
{
    return (satb_codes_params){.unit = unit, .ends_by = SATB_ENDS_GIVEN, .ends = {first, last}};
}

/* Of several maps with one scale, one may lie beyond it. */
static void test_missed_ends(void **state)
{
    const float below[] = {1, 2, NAN}, above[] = {9, 10, 11};
    satb_codes_params p = given(0, 3, 4);
    uint16_t codes[FEW];
    p.may_miss = 1;
    assert_int_equal(codes_of(below, 3, p, codes).unknown, 1);
    assert_true(codes[0] == 1 && codes[1] == 1 && codes[2] == 0);
    codes_of(above, 3, p, codes);
    assert_true(codes[0] == 65535 && codes[2] == 65535);
    p.unit = 1; /* metres: what is farther has the lowest code */
    codes_of(above, 3, p, codes);
    assert_true(codes[0] == 0 && codes[2] == 0);
}

static void test_faults(void **state)
{
    const float some[] = {1, 2}, none[] = {NAN, -INFINITY}, sky[] = {INFINITY, 0};
    assert_int_equal(fault_of(NULL, 2, disparity), SATB_FAULT_PARAMETER);
    assert_int_equal(fault_of(some, 0, disparity), SATB_FAULT_PARAMETER);
    assert_int_equal(fault_of(some, 2, given(-1, 1, 2)), SATB_FAULT_PARAMETER);
    assert_int_equal(fault_of(some, 2, given(INFINITY, 1, 2)), SATB_FAULT_PARAMETER);
    assert_int_equal(fault_of(some, 2, given(0, 2, 1)), SATB_FAULT_PARAMETER);
    assert_int_equal(fault_of(some, 2, given(0, NAN, 1)), SATB_FAULT_PARAMETER);
    satb_codes_params per_cent = {.ends_by = SATB_ENDS_PERCENTILES, .ends = {0, 101}};
    assert_int_equal(fault_of(some, 2, per_cent), SATB_FAULT_PARAMETER);
    per_cent.ends_by = (satb_ends)3;
    assert_int_equal(fault_of(some, 2, per_cent), SATB_FAULT_PARAMETER);
    assert_int_equal(fault_of(none, 2, disparity), SATB_FAULT_UNKNOWN);
    assert_int_equal(fault_of(sky, 2, metres), SATB_FAULT_INFINITE);
    assert_int_equal(fault_of(some, 2, given(0, 3, 4)), SATB_FAULT_APART);
    assert_int_equal(fault_of(some, 2, given(1, 0, 4)), SATB_FAULT_NOT_POSITIVE);
    assert_int_equal(fault_of(some, 2, given(0, 0, INFINITY)), SATB_FAULT_ENDLESS);
    assert_int_equal(fault_of(some, 2, given(0, -INFINITY, 2)), SATB_FAULT_ENDLESS);
}

UNIT_MAIN(UNIT(test_disparity), UNIT(test_distances), UNIT(test_percentiles), UNIT(test_given_ends),
          UNIT(test_missed_ends), UNIT(test_faults))
