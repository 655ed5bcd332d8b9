/* The signs that an image is no map of a picture. */
#include "unit/api/api_case.h"

#include <math.h>
#include <string.h>

enum { WIDE = 96, HIGH = 64 };

typedef unsigned painter(int x, int y, int channel); /* a code, 0 .. 255 */

static unsigned photo(int x, int y, int c)
{
    return (unsigned)(127 + 120 * sin((x + 3 * c) / (7.0 + c)) * cos(y / (9.0 - c)));
}

static unsigned gray_photo(int x, int y, int c)
{
    (void)c;
    return (photo(x, y, 0) + photo(x, y, 1) + photo(x, y, 2)) / 3;
}

static unsigned map(int x, int y, int c)
{
    (void)c;
    return (unsigned)(x < 40 && y > 20 ? 220 : y);
}

static unsigned dim(int x, int y, int c)
{
    return 10 + map(x, y, c) / 16;
}

static unsigned even(int x, int y, int c)
{
    (void)x, (void)y, (void)c;
    return 99;
}

static unsigned black(int x, int y, int c)
{
    return 1 + map(x, y, c) % 7; /* up to 7 of 255 is noise of a mask */
}

static unsigned white(int x, int y, int c)
{
    return 255 - map(x, y, c) % 8;
}

static unsigned ochre(int x, int y, int c)
{
    return map(x, y, c) / 2 + (c == 0 ? 50 : 0) + 60;
}

static unsigned rainbow(int x, int y, int c)
{
    return map(x, y, c) * (unsigned)(2 * c + 3) % 256;
}

static unsigned below(int x, int y, int c)
{
    return y < HIGH ? photo(x, y, c) : map(x, y - HIGH, c);
}

static satb_image paint(int width, int height, int channels, int bits, painter *code)
{
    const satb_image image = make(width, height, channels, bits, 1);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int c = 0; c < channels; c++) {
                const size_t at = (size_t)(x * channels + c);
                char *const row = (char *)image.data + y * image.stride;
                if (bits == 8)
                    ((uint8_t *)row)[at] = (uint8_t)code(x, y, c);
                else
                    ((uint16_t *)(void *)row)[at] = (uint16_t)(code(x, y, c) * 257);
            }
    return image;
}

static satb_judgement judge(const satb_image *src, const satb_image *image, int is_mask)
{
    const satb_judge_params params = {.is_mask = is_mask};
    satb_judgement j;
    assert_int_equal(satb_judge_map(src, image, &params, &j), SATB_OK);
    return j;
}

static void signs(void **state)
{
    static const struct row {
        int width, height, channels;
        painter *code;
        unsigned signs, of_mask;
    } rows[] = {
        {WIDE, HIGH, 1, map, 0, 0},
        {WIDE / 3, HIGH / 3 + 1, 1, map, 0, 0}, /* a side is rounded to whole pixels */
        {WIDE - 20, HIGH, 1, map, SATB_SIGN_STRETCHED, SATB_SIGN_STRETCHED},
        {WIDE, HIGH, 3, map, 0, 0},
        {HIGH, WIDE, 1, map, SATB_SIGN_TURNED, SATB_SIGN_TURNED},
        {WIDE, HIGH, 1, dim, SATB_SIGN_NARROW, SATB_SIGN_NARROW},
        {WIDE, HIGH, 1, even, 0, 0},
        {WIDE, HIGH, 1, black, SATB_SIGN_NARROW, SATB_SIGN_NARROW | SATB_SIGN_BLACK},
        {WIDE, HIGH, 1, white, SATB_SIGN_NARROW, SATB_SIGN_NARROW | SATB_SIGN_WHITE},
        {WIDE, HIGH, 3, ochre, SATB_SIGN_TINTED, SATB_SIGN_TINTED},
        {WIDE, HIGH, 3, rainbow, SATB_SIGN_TINTED | SATB_SIGN_COLOURED,
         SATB_SIGN_TINTED | SATB_SIGN_COLOURED},
        {WIDE, HIGH, 3, photo, SATB_SIGN_TINTED | SATB_SIGN_COLOURED | SATB_SIGN_PICTURE,
         SATB_SIGN_TINTED | SATB_SIGN_COLOURED},
        {WIDE, HIGH, 1, gray_photo, SATB_SIGN_ALIKE, 0},
        {WIDE, 2 * HIGH, 3, below,
         SATB_SIGN_STRETCHED | SATB_SIGN_TINTED | SATB_SIGN_COLOURED | SATB_SIGN_BESIDE,
         SATB_SIGN_STRETCHED | SATB_SIGN_TINTED | SATB_SIGN_COLOURED},
    };
    for (int bits = 8; bits <= 16; bits += 8) {
        const satb_image src = paint(WIDE, HIGH, 3, bits, photo);
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            const struct row *const row = &rows[r];
            const satb_image image = paint(row->width, row->height, row->channels, bits, row->code);
            const unsigned found = judge(&src, &image, 0).signs;
            if (found != row->signs || judge(&src, &image, 1).signs != row->of_mask)
                fail_msg("row %zu of %d bits: signs %u", r, bits, found);
        }
    }
}

/* What is said of the range leaves out 0 in 16 bits. */
static void range(void **state)
{
    satb_image image = paint(WIDE, HIGH, 1, 16, dim);
    memset(image.data, 0, 10);
    const satb_judgement j = judge(NULL, &image, 0);
    assert_int_equal(j.signs, SATB_SIGN_NARROW);
    assert_int_equal(j.least, 10 * 257);
    assert_int_equal(j.most, (10 + 220 / 16) * 257);
}

/* A cut-out has the picture's colours, and its alpha is the mask. */
static void cut_out(void **state)
{
    const satb_image src = paint(WIDE, HIGH, 3, 8, photo), image = paint(WIDE, HIGH, 4, 8, photo);
    assert_int_equal(judge(&src, &image, 1).signs, 0);
    for (int i = 0; i < WIDE * HIGH; i++)
        ((uint8_t *)image.data)[4 * i + 3] = 255;
    assert_int_equal(judge(&src, &image, 1).signs, SATB_SIGN_TINTED | SATB_SIGN_COLOURED);
    for (int i = 0; i < WIDE * HIGH; i++)
        ((uint8_t *)image.data)[4 * i + 3] = (uint8_t)(i % 2);
    const satb_judgement j = judge(&src, &image, 1);
    assert_int_equal(j.signs, SATB_SIGN_NARROW | SATB_SIGN_BLACK);
    assert_int_equal(j.most, 1);
    const satb_image flat = paint(WIDE, HIGH, 1, 16, even);
    memset(flat.data, 0, (size_t)flat.stride * HIGH);
    assert_int_equal(judge(&src, &flat, 0).signs, 0);
    assert_int_equal(judge(&src, &flat, 1).signs, SATB_SIGN_BLACK);
    memset(flat.data, 255, (size_t)flat.stride * HIGH);
    assert_int_equal(judge(&src, &flat, 1).signs, SATB_SIGN_WHITE);
}

/* Pixels on a device are not read: colours that the caller knows say whether they would count. */
static void on_a_device(void **state)
{
    const satb_image src = paint(WIDE, HIGH, 3, 8, photo);
    const satb_image image = {.data = src.data,
                              .stride = 3 * WIDE,
                              .width = WIDE,
                              .height = HIGH,
                              .channels = 3,
                              .bits = 8,
                              .on_device = 1};
    const satb_colours some = {.tinted = 0.05}, none = {0};
    satb_judgement j;
    assert_int_equal(satb_judge_map(&src, &image, &(satb_judge_params){.colours = &none}, &j), 0);
    assert_int_equal(j.signs, 0);
    assert_int_equal(satb_judge_map(&src, &image, &(satb_judge_params){.colours = &some}, &j), 0);
    assert_int_equal(j.signs, SATB_SIGN_TINTED | SATB_SIGN_UNSEEN);
    assert_int_equal(satb_map_colours(&image, &j.colours), SATB_ERR_ARG);
    assert_int_equal(satb_are_alike(&src, &image, 1, 0), 0);
}

/* Returns an upright image of 8 bits as it is stored with that orientation. */
static satb_image stored_as(const satb_image *upright, int orientation)
{
    const int swapped = orientation >= 5, pixel = upright->channels;
    const satb_image stored = make(swapped ? HIGH : WIDE, swapped ? WIDE : HIGH, pixel, 8, 2);
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) { /* EXIF 2.3, 4.6.4: where row 0 and column 0 are */
            const int right = WIDE - 1 - x, down = HIGH - 1 - y;
            const int column[] = {x, right, right, x, y, y, down, down};
            const int row[] = {y, y, down, down, x, right, right, x};
            memcpy((char *)stored.data + row[orientation - 1] * stored.stride +
                       pixel * column[orientation - 1],
                   (char *)upright->data + y * upright->stride + pixel * x, (size_t)pixel);
        }
    return stored;
}

/* A picture that is stored as EXIF's orientations have it looks like itself as displayed, and in no other way. */
static void orientations(void **state)
{
    const satb_image src = paint(WIDE, HIGH, 3, 8, photo);
    for (int orientation = 1; orientation <= 8; orientation++) {
        const satb_image stored = stored_as(&src, orientation);
        for (int other = 1; other <= 8; other++)
            assert_int_equal(satb_are_alike(&src, &stored, other, 0), other == orientation);
    }
}

/* Ground that comes nearer below a wall, with a pillar in front: near is white. */
static unsigned ground(int x, int y, int c)
{
    (void)c;
    if (x > WIDE / 3 && x < WIDE / 2)
        return 180;
    return y < HIGH / 2 ? 60 : 60 + 150 * (unsigned)(2 * y - HIGH) / HIGH;
}

/* A ceiling that is nearer than the floor, at one side; and a map that is as near above as below. */
static unsigned ceiling(int x, int y, int c)
{
    (void)c;
    return y < HIGH / 3 && x < WIDE / 2 ? 250 : 90;
}

static unsigned level(int x, int y, int c)
{
    (void)y, (void)c;
    return (unsigned)x * 255 / WIDE;
}

/* Near and far seem to be swapped if the ground is far, however the map is stored. */
static void near_and_far(void **state)
{
    static painter *const right[] = {ground, ceiling, level};
    for (int i = 0; i < 8 * 3; i++) {
        const satb_image upright = paint(WIDE, HIGH, 1, 8, right[i / 8]);
        const satb_image map = stored_as(&upright, 1 + i % 8);
        satb_judgement j;
        satb_judge_params p = {.orientation = 1 + i % 8};
        assert_int_equal(satb_judge_map(NULL, &map, &p, &j), SATB_OK);
        assert_int_equal(j.signs & SATB_SIGN_SWAPPED, 0);
        p.near_black = 1;
        assert_int_equal(satb_judge_map(NULL, &map, &p, &j), SATB_OK);
        assert_int_equal(j.signs & SATB_SIGN_SWAPPED, i < 8 ? SATB_SIGN_SWAPPED : 0);
        p.orientation = 0;
        assert_int_equal(satb_judge_map(NULL, &map, &p, &j), SATB_OK);
        assert_int_equal(j.signs & SATB_SIGN_SWAPPED, 0);
        p.orientation = 9;
        assert_int_equal(satb_judge_map(NULL, &map, &p, &j), SATB_ERR_ARG);
    }
}

/* Half floats are compared as sRGB shows them. */
static void halves(void **state)
{
    satb_image src = paint(WIDE, HIGH, 3, 16, photo);
    const satb_image image = paint(WIDE, HIGH, 3, 8, photo);
    for (int i = 0; i < WIDE * HIGH * 3; i++) {
        uint16_t *const sample = (uint16_t *)src.data + i;
        const double light = pow((*sample / 65535.0 + 0.055) / 1.055, 2.4);
        int exponent;
        const double fraction = frexp(light, &exponent); /* 0.5 .. 1 */
        *sample = (uint16_t)((exponent + 14) * 1024 + (int)((2 * fraction - 1) * 1024));
    }
    src.half = 1;
    assert_true(judge(&src, &image, 0).signs & SATB_SIGN_PICTURE);
    satb_judgement j;
    assert_int_equal(satb_judge_map(&image, &src, NULL, &j), SATB_ERR_ARG); /* no map */
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(signs), UNIT(range), UNIT(cut_out), UNIT(on_a_device),
                 UNIT(orientations), UNIT(halves), UNIT(near_and_far))
