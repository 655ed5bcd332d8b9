/* Tests of the drawing of --focus-view against its rule, written out slowly: colours, the line, the cross. */
#include "figure/focus_view.h"
#include "image/pixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

enum { WIDTH = 61, HEIGHT = 47, LINE = 1, AROUND = 1 + LINE };

static uint8_t samples[HEIGHT][WIDTH][3];
static uint16_t radii[HEIGHT][WIDTH];
static const double full = 12; /* pixels */

static const satb_image src = {samples, 3 * WIDTH, WIDTH, HEIGHT, 3, 8, 0, 0};
static const satb_image coc = {radii, 2 * WIDTH, WIDTH, HEIGHT, 1, 16, 0, 0};

/* Noise, and radii of a slope from behind the focus on the left to before it on the right, with specks. */
static void make_scene(void)
{
    srand(5);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            for (int c = 0; c < 3; c++)
                samples[y][x][c] = (uint8_t)(rand() >> 4);
            const double r = 12 * (x + 0.3 * y - 30) / 60;
            radii[y][x] = (uint16_t)lrint(32768 + 32767 * fmax(-1, fmin(1, r / full)));
        }
    radii[20][55] = 32768;
    for (int x = 0; x < WIDTH; x++)
        for (int c = 0; c < 3; c++)
            samples[40][x][c] = (uint8_t)(x < 30 ? 0 : 255);
}

static double radius_at(int x, int y)
{
    return (radii[y][x] - 32768) * full / 32767;
}

static bool is_sharp(int x, int y)
{
    return fabs(radius_at(x, y)) <= 0.5;
}

static int clamped(int at, int size)
{
    return at < 0 ? 0 : at >= size ? size - 1 : at;
}

/* Returns whether most of the 5 x 5 pixels around are in focus. */
static bool is_within_line(int x, int y)
{
    int count = 0;
    for (int dy = -AROUND; dy <= AROUND; dy++)
        for (int dx = -AROUND; dx <= AROUND; dx++)
            count += is_sharp(clamped(x + dx, WIDTH), clamped(y + dy, HEIGHT));
    return count > 12;
}

/* Returns how far the nearest pixel within the line is: 0 to 3. */
static int distance_to_line(int x, int y)
{
    for (int k = 0; k < 3; k++)
        for (int dy = -k; dy <= k; dy++)
            for (int dx = -k; dx <= k; dx++)
                if (is_within_line(clamped(x + dx, WIDTH), clamped(y + dy, HEIGHT)))
                    return k;
    return 3;
}

static double luma_of(double r, double g, double b)
{
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/* Returns the colour of a pixel as the rule has it, before the line. */
static void expect_tint(int x, int y, double largest, double out[3])
{
    static const double tints[2][3] = {{1, 0.5, 0}, {0.15, 0.45, 1}};
    const double r = radius_at(x, y), *const t = tints[r < 0];
    const double s = 0.35 + 0.5 * sqrt((fabs(r) - 0.5) / (largest - 0.5));
    const uint8_t *const in = samples[y][x];
    const double old = luma_of(in[0], in[1], in[2]) / 255, middle = luma_of(t[0], t[1], t[2]);
    const double luma = (1 - s) * old + s * (0.1 + 0.75 * old);
    double scale = 1;
    for (int pass = 0; pass < 2; pass++)
        for (int c = 0; c < 3; c++) {
            const double chroma = (1 - s) * (in[c] / 255.0 - old) + s * (t[c] - middle);
            if (pass == 1)
                out[c] = 255 * (luma + scale * chroma);
            else if (luma + chroma > 1)
                scale = fmin(scale, (1 - luma) / chroma);
            else if (luma + chroma < 0)
                scale = fmin(scale, luma / -chroma);
        }
}

/* Returns the sum of the codes' distances from the expected ones. Halves may be rounded either way. */
static double off(const focus_view *v, int x, int y, double largest)
{
    const uint8_t *const got = (const uint8_t *)v->image.data + 3 * (y * WIDTH + x);
    const int line = is_within_line(x, y) ? 0 : distance_to_line(x, y);
    double want[3] = {samples[y][x][0], samples[y][x][1], samples[y][x][2]}, sum = 0;
    if (!is_sharp(x, y))
        expect_tint(x, y, largest, want);
    for (int c = 0; c < 3; c++) {
        const double code = line == 1 ? 255 : line == 2 ? floor(floor(want[c] + 0.5) / 3) : want[c];
        sum += fmax(0, fabs(got[c] - code) - 0.5000001);
    }
    return sum;
}

static void set_radii(uint16_t code)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            radii[y][x] = code;
}

static void draw_marked(focus_view *v, const focus_marks *marks)
{
    problem p;
    assert_true(focus_view_draw(v, &src, &coc, full, marks, &p));
    assert_int_equal(v->image.width, WIDTH);
    assert_int_equal(v->image.channels, 3);
}

static void draw(focus_view *v)
{
    const focus_marks none = {0};
    draw_marked(v, &none);
}

static void test_colours(void **state)
{
    focus_view v;
    double largest = 0;
    uint64_t before = 0, behind = 0;
    make_scene();
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            largest = fmax(largest, fabs(radius_at(x, y)));
            before += radius_at(x, y) > 0.5;
            behind += radius_at(x, y) < -0.5;
        }
    draw(&v);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (off(&v, x, y, largest) > 0)
                fail_msg("%d,%d is off by %g", x, y, off(&v, x, y, largest));
    assert_true(v.sharp_radius == 0.5 && fmax(v.near, v.far) == largest);
    assert_int_equal(v.before, before);
    assert_int_equal(v.behind, behind);
    pixels_drop(&v.image);
}

/* What is out of focus keeps its order of luma, and black and white have colours, too. */
static void test_luma(void **state)
{
    focus_view v;
    make_scene();
    for (int x = 0; x < WIDTH; x++)
        for (int y = 0; y < HEIGHT; y++) {
            radii[y][x] = x < 30 ? 1 : 65535;
            memset(samples[y][x], 5 * y, 3);
        }
    draw(&v);
    const uint8_t *const out = v.image.data;
    for (int y = 1; y < HEIGHT; y++) {
        const uint8_t *const far = out + 3 * y * WIDTH, *const near = far + 3 * 59;
        assert_true(luma_of(far[0], far[1], far[2]) > luma_of(far[-183], far[-182], far[-181]));
        assert_true(far[2] > far[0] + 30 && near[0] > near[2] + 30);
    }
    pixels_drop(&v.image);
}

static void test_cross(void **state)
{
    focus_view plain, marked;
    const focus_marks marks = {2, {3, 45}, {25, 20}}; /* an arm of the first ends at the border */
    make_scene();
    draw(&plain);
    draw_marked(&marked, &marks);
    const uint8_t *const a = plain.image.data, *const b = marked.image.data;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int i = x > 24, dx = abs(x - marks.x[i]), dy = abs(y - marks.y[i]);
            const int most = dx > dy ? dx : dy;
            const int least = dx > dy ? dy : dx, at = 3 * (y * WIDTH + x);
            const bool white = least <= 1 && most >= 4 && most <= 12;
            const bool black = !white && least <= 2 && most >= 3 && most <= 13;
            for (int c = 0; c < 3; c++)
                assert_int_equal(b[at + c], white ? 255 : black ? 0 : a[at + c]);
        }
    pixels_drop(&plain.image);
    pixels_drop(&marked.image);
}

/* A picture that is in focus everywhere stays as it is; one that is nowhere has no line. */
static void test_extremes(void **state)
{
    focus_view v;
    make_scene();
    set_radii(32768);
    draw(&v);
    assert_memory_equal(v.image.data, samples, sizeof samples);
    pixels_drop(&v.image);
    set_radii(40000);
    draw(&v);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            assert_true(off(&v, x, y, radius_at(0, 0)) == 0);
    pixels_drop(&v.image);
}

UNIT_MAIN(UNIT(test_colours), UNIT(test_luma), UNIT(test_cross), UNIT(test_extremes))
