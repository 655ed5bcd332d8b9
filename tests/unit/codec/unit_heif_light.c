/* Colours of HEIC and AVIF by their codes of ITU-T H.273: curves, primaries and matrices. */
#include "codec/code_light.h"
#include "image/half.h"
#include "unit/codec/heif_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

/* --- Colours ---------------------------------------------------------------------------------- */

static void expect_note(const char *nclx, const char *says)
{
    heif_case_part part = {.image = heif_case_ramp(64, 64), .nclx = nclx};
    blob file = heif_case_file(&part, 1);
    picture pic;
    problem p;
    if (!picture_decode(&pic, file.data, file.size, "a.heic", NULL, &p))
        fail_msg("%s", p.text);
    if (!strstr(pic.note, says) || (says[0] == '\0' && pic.note[0]))
        fail_msg("'%s' says '%s'", says, pic.note);
    picture_free(&pic);
    blob_free(&file);
}

static void test_colours(void **state)
{
    expect_note("\0\x09\0\x10\0\x09\x80", "its colours (PQ, BT.2020 primaries) were read as light");
    expect_note("\0\x09\0\x12\0\x09\x80",
                "its colours (HLG, BT.2020 primaries) were read as light");
    expect_note("\0\x09\0\x08\0\x09\x80",
                "linear light, BT.2020 primaries (nclx), but are read as");
    expect_note("\0\x0c\0\x0d\0\x06\x80", "Display P3 primaries");
    expect_note("\0\x01\0\x0d\0\x06\x80", "");
    expect_note("\0\x01\0\x01\0\x06\x80", "");
}

static double pq_light(double code)
{
    const double e = pow(code, 32 / 2523.0);
    return 10000 / 203.0 *
           pow(fmax(e - 3424 / 4096.0, 0) / (2413 / 128.0 - 2392 / 128.0 * e), 16384 / 2610.0);
}

/* Half floats have 11 bits. */
static void assert_light(uint16_t half, double want)
{
    const double got = half_to_float(half), near = fabs(want) / 1024 + 1e-4;
    if (fabs(got - want) > near)
        fail_msg("%g for %g", got, want);
}

/* PQ's codes are light in cd/m2 of which 203 are 1, of sRGB's primaries and multiplied by alpha. */
static void test_light(void **state)
{
    static const uint16_t codes[2][4] = {{40000, 20000, 30000, 65535},
                                         {38056, 38056, 38056, 32768}};
    static const double to_srgb[3] = {1.660491, -0.5876411, -0.0728499}; /* red, of BT.2020 */
    satb_image image = {.width = 2, .height = 1, .channels = 4, .bits = 16, .stride = 16};
    problem p;
    image.data = malloc(sizeof codes); /* code_light_picture() replaces it */
    assert_non_null(image.data);
    memcpy(image.data, codes, sizeof codes);
    assert_true(code_light_picture(&image, satb_curve_of(16), 9, &p));
    assert_true(image.half && image.bits == 16);
    const uint16_t *const halves = image.data;
    double red = 0;
    for (int c = 0; c < 3; c++)
        red += to_srgb[c] * pq_light(codes[0][c] / 65535.0);
    assert_light(halves[0], red);
    assert_light(halves[3], 1);
    for (int c = 0; c < 3; c++) /* gray stays gray: the code of 203 cd/m2, half covered */
        assert_light(halves[4 + c], pq_light(38056 / 65535.0) * 32768 / 65535);
    assert_true(fabs(pq_light(38056 / 65535.0) - 1) < 0.001);
    free(image.data);
}

/* What the library would make wrong colours of is refused, but gray has no matrix. */
static void test_matrices(void **state)
{
    static const struct {
        const char *nclx;
        bool is_read;
    } files[] = {{"\0\x01\0\x0d\0\x01\x80", true},  {"\0\x01\0\x0d\0\x07\x80", true},
                 {"\0\x01\0\x0d\0\x08\0", false},   {"\0\x09\0\x0d\0\x09\0", true},
                 {"\0\x09\0\x0d\0\x0a\x80", false}, {"\0\x09\0\x10\0\x0e\x80", false}};
    satb_image image = case_noise(64, 64, 3, 8);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const heif_case_part part = {.image = image, .nclx = files[i].nclx};
        blob file = heif_case_file(&part, 1);
        picture pic;
        problem p;
        assert_int_equal(picture_decode(&pic, file.data, file.size, "a.heic", NULL, &p),
                         files[i].is_read);
        if (files[i].is_read)
            picture_free(&pic);
        else if (!strstr(p.text, "its colours have a matrix that is not read here ("))
            fail_msg("%s", p.text);
        blob_free(&file);
    }
}

UNIT_MAIN(UNIT(test_colours), UNIT(test_light), UNIT(test_matrices))
