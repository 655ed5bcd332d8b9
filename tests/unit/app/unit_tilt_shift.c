/* Tests of the map of --tilt-shift: every code against the rule, found from the corners of the picture. */
#include "image/pixels.h"
#include "job/tilt_shift.h"

#include <math.h>
#include <string.h>

#include "unit/unit.h"

static double least_of(double a, double b)
{
    return a < b ? a : b;
}

/* Returns the place of a point on the way across the band, in pixels: down for 0 degrees, to the right for 90. */
static double place(double degrees, double x, double y)
{
    const double turn = degrees * 3.14159265358979323846 / 180;
    return y * cos(turn) + x * sin(turn);
}

/* Returns the code of a pixel, whose middle counts. The way is as long as the corners are apart. */
static double expected(const tilt_shift *t, int width, int height, int x, int y)
{
    const double corners[4] = {0, place(t->angle, width, 0), place(t->angle, 0, height),
                               place(t->angle, width, height)};
    double first = 0, last = 0;
    for (int i = 0; i < 4; i++) {
        first = corners[i] < first ? corners[i] : first;
        last = corners[i] > last ? corners[i] : last;
    }
    const double at = (place(t->angle, x + 0.5, y + 0.5) - first) / (last - first);
    const double low = t->position - t->width / 2, high = t->position + t->width / 2;
    const double longest = low > 1 - high ? low : 1 - high;
    return at < low    ? 32768 - 32767 * least_of(1, (low - at) / longest)
           : at > high ? 32768 + 32767 * least_of(1, (at - high) / longest)
                       : 32768;
}

static void check_map(tilt_shift t, int width, int height)
{
    satb_image map;
    problem p;
    assert_true(tilt_shift_map(&t, width, height, &map, &p));
    assert_true(map.width == width && map.height == height && map.channels == 1 && map.bits == 16);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int code = ((const uint16_t *)map.data)[y * width + x];
            if (fabs(code - expected(&t, width, height, x, y)) > 0.5 + 1e-6)
                fail_msg("%g,%g,%g: %d,%d is %d, not %g", t.angle, t.position, t.width, x, y, code,
                         expected(&t, width, height, x, y));
        }
    pixels_drop(&map);
}

static void test_codes(void **state)
{
    static const double angles[] = {0, 30, -17.5, 90, -90, 135, 180, -180};
    static const tilt_shift bands[] = {{0, 0.5, 0.2}, {0, 0, 0.1}, {0, 1, 0},
                                       {0, 0.3, 0},   {0, 0.7, 1}, {0, 0.25, 0.6}};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++)
        for (size_t k = 0; k < sizeof bands / sizeof *bands; k++) {
            tilt_shift t = bands[k];
            t.angle = angles[i];
            check_map(t, 60, 40);
            check_map(t, 31, 77);
            check_map(t, 1, 1);
        }
}

/* 10 rows of which the third and the fourth are sharp: rows 8 and 9 are the farthest. */
static void test_rows(void **state)
{
    static const uint16_t want[10] = {/* 1.5 and 0.5 rows before the band, of 6 rows behind it */
                                      32768 - 8192,  32768 - 2731, 32768,         32768,
                                      32768 + 2731,  32768 + 8192, 32768 + 13653, 32768 + 19114,
                                      32768 + 24575, 32768 + 30036};
    const tilt_shift t = {0, 0.3, 0.2};
    satb_image map;
    problem p;
    assert_true(tilt_shift_map(&t, 3, 10, &map, &p));
    for (int y = 0; y < 10; y++)
        for (int x = 0; x < 3; x++)
            assert_int_equal(((const uint16_t *)map.data)[3 * y + x], want[y]);
    pixels_drop(&map);
}

UNIT_MAIN(UNIT(test_codes), UNIT(test_rows))
