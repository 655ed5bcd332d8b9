/* Sets of codes (depth/code_set.h), and the set of the near codes of rims (surface/rim_codes.h). */
#include "depth/code_set.h"

#include "surface/rim_codes.h"
#include "unit/kernels/surface_case.h"

enum { CODES = 65536 };

static satb_code_set set_of(const uint32_t *codes, size_t count)
{
    satb_code_set set = {{0}};

    for (size_t i = 0; i < count; i++)
        satb_add_codes(&set, codes[i], codes[i]);
    return set;
}

/* --- Sets ------------------------------------------------------------------------------------- */

/* The ends of words, of 8 bits and of all. */
static const uint32_t some[] = {0, 1, 30, 31, 32, 63, 64, 96, 255, 256, 4095, 65503, 65504, 65535};
enum { SOME = sizeof some / sizeof *some };

static void codes_are_found(void **state)
{
    const satb_code_set set = set_of(some, SOME);

    for (uint32_t code = 0, i = 0; code < CODES; code++) {
        assert_int_equal(satb_has_code(&set, code), code == some[i]);
        assert_int_equal(satb_next_code(&set, code, CODES), some[i]);
        i += code == some[i];
    }
    assert_int_equal(satb_next_code(&set, CODES, CODES), CODES);
}

/* Every set of one code is walked through. */
static void single_codes(void **state)
{
    for (uint32_t code = 0; code < CODES; code += code < 300 ? 1 : 97) {
        const satb_code_set set = set_of(&code, 1);
        assert_false(satb_is_empty(&set));
        assert_int_equal(satb_next_code(&set, 0, CODES), code);
        assert_int_equal(satb_next_code(&set, code, CODES), code);
        assert_int_equal(satb_next_code(&set, code + 1, CODES), CODES);
    }
}

/* Of a map of 8 bits, the first 256 codes are looked at. */
static void sets_of_8_bits(void **state)
{
    const satb_code_set empty = {{0}}, set = set_of(some, SOME);

    assert_true(satb_is_empty(&empty));
    assert_int_equal(satb_next_code(&empty, 0, 256), 256);
    assert_int_equal(satb_next_code(&set, 97, 256), 255);
    assert_int_equal(satb_next_code(&set, 256, 256), 256);
}

static void ranges_and_sums(void **state)
{
    static const uint32_t ends[][2] = {{0, 0},         {5, 70},        {31, 32},   {64, 127},
                                       {65535, 65535}, {65000, 65535}, {0, 65535}, {700, 699}};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        satb_code_set range = {{0}}, sum = set_of(some, SOME);
        const satb_code_set before = sum;
        satb_add_codes(&range, ends[i][0], ends[i][1]);
        satb_add_code_set(&sum, &range);
        for (uint32_t code = 0; code < CODES; code++) {
            const int is_in = code >= ends[i][0] && code <= ends[i][1];
            assert_int_equal(satb_has_code(&range, code), is_in);
            assert_int_equal(satb_has_code(&sum, code), is_in || satb_has_code(&before, code));
        }
    }
}

/* --- Rims ------------------------------------------------------------------------------------- */

/* Makes the set of the near codes of planes, and compares it with that of a loop. */
static void has_near_codes(const satk_rims *rims, size_t pixels, int threads)
{
    satb_code_set want = {{0}}, got;

    memset(&got, NOISE_BYTE, sizeof got);
    for (size_t i = 0; i < pixels; i++)
        if (rims->kind[i] != SATK_RIM_NONE)
            satb_add_codes(&want, rims->near[i], rims->near[i]);
    satk_rim_codes_cpu(
        &(satk_rim_codes){.rims = *rims, .pixels = pixels, .bits = 16, .out = got.words}, threads);
    assert_memory_equal(want.words, got.words, sizeof got.words);
}

/* Planes are of noise where there is no rim. */
static void near_codes(void **state)
{
    static const int sizes[] = {1, 7, 8, 9, 15, 64, 1000, 1023};

    for (int i = 0; i < 8 * 4 * 3; i++) {
        const int pixels = sizes[i % 8], every = 1 + i / 8 % 4 * 5;
        satk_rims rims = rims_none(pixels, 1);
        for (int k = pixels - 1; k >= 0; k -= every) {
            rims.kind[k] = (uint8_t)(SATK_RIM_EDGE + k % 3);
            rims.near[k] = (uint16_t)(k % 5 ? (uint32_t)k * 7919 : some[k % SOME]);
        }
        has_near_codes(&rims, (size_t)pixels, 1 + i / 32);
    }
}

/* One rim, at any place of a word of kinds, and in what is left of one. */
static void one_rim(void **state)
{
    enum { PIXELS = 29 };

    for (int k = -1; k < PIXELS; k++) {
        satk_rims rims = rims_none(PIXELS, 1);
        if (k >= 0) {
            rims.kind[k] = SATK_RIM_BEFORE_SUBJECT;
            rims.near[k] = (uint16_t)(UINT16_MAX - k);
        }
        has_near_codes(&rims, PIXELS, 2);
    }
}

/* Two threads set other bits of the same words at about the same time, and each code occurs once. */
static void threads_share_words(void **state)
{
    satk_rims rims = rims_none(CODES, 1);

    for (int k = 0; k < CODES; k++) {
        const int half = k / (CODES / 2), at = k % (CODES / 2);
        rims.kind[k] = SATK_RIM_EDGE;
        rims.near[k] = (uint16_t)(at / 16 * 32 + at % 16 + 16 * half);
    }
    for (int i = 0; i < 50; i++)
        has_near_codes(&rims, CODES, 2);
}

UNIT_MAIN(UNIT(codes_are_found), UNIT(single_codes), UNIT(sets_of_8_bits), UNIT(ranges_and_sums),
          UNIT(near_codes), UNIT(one_rim), UNIT(threads_share_words))
