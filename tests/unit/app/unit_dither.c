/* Tests of --dither's and --grain's pixels: against a rule of their own, and by their statistics. */
#include "image/dither.h"
#include "image/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

static satb_image make_image(int width, int height, int channels, int bits)
{
    satb_image i = {.width = width, .height = height, .channels = channels, .bits = bits};
    i.stride = (ptrdiff_t)width * channels * bits / 8;
    i.data = unit_zeros(picture_bytes(&i));
    return i;
}

static size_t samples_of(const satb_image *i)
{
    return (size_t)i->width * (size_t)i->height * (size_t)i->channels;
}

/* --- Dither ----------------------------------------------------------------------------------- */

/* Returns Bayer's matrix of `side` x `side` numbers. That of twice the side holds it four times, four times as large, plus 0,
 * 2, 3 and 1: top left, top right, bottom left, bottom right. */
static unsigned bayer(int side, int x, int y)
{
    static const unsigned more[2][2] = {{0, 2}, {3, 1}};
    const int half = side / 2;
    return side == 1 ? 0 : 4 * bayer(half, x % half, y % half) + more[y / half][x / half];
}

static unsigned threshold(int x, int y)
{
    return (2 * bayer(8, x % 8, y % 8) + 1) * 257 / 128;
}

static void check_rule(int channels, uint64_t seed, int threads)
{
    satb_image deep = make_image(83, 150, channels, 16), out = make_image(83, 150, channels, 8);
    uint16_t *const from = deep.data;
    const uint8_t *const to = out.data;
    const int colours = channels - (channels % 2 == 0);
    problem p;
    for (size_t i = 0; i < samples_of(&deep); i++)
        from[i] = (uint16_t)(i * 40503 >> 3);
    assert_true(
        dither_pixels(&deep, &out, &(dither_settings){.seed = seed, .threads = threads}, &p));
    for (int i = 0; i < (int)samples_of(&deep); i++) {
        const int c = i % channels, x = i / channels % 83, y = i / channels / 83;
        const unsigned t = c < colours ? threshold(x, y) : 128;
        assert_in_range(t, 2, 254 + 2 * (c == colours));
        assert_int_equal(to[i], (from[i] + t) / 257);
    }
}

static void test_rule(void **state)
{
    for (int channels = 1; channels <= 4; channels++)
        for (uint64_t seed = 0; seed < 3; seed++)
            check_rule(channels, seed, 1 + channels % 2);
}

/* The mean over many pixels is the sample's value, and whole codes stay. */
static void test_mean(void **state)
{
    satb_image deep = make_image(512, 512, 1, 16), out = make_image(512, 512, 1, 8);
    problem p;
    for (int v = 25700; v <= 25700 + 257; v += v % 257 == 0 ? 1 : 51) {
        double sum = 0;
        for (size_t i = 0; i < samples_of(&deep); i++)
            ((uint16_t *)deep.data)[i] = (uint16_t)v;
        assert_true(
            dither_pixels(&deep, &out, &(dither_settings){.seed = (uint64_t)v, .threads = 2}, &p));
        for (size_t i = 0; i < samples_of(&out); i++)
            sum += ((uint8_t *)out.data)[i];
        const double away = sum / (double)samples_of(&out) - v / 257.0;
        if (fabs(away) > (v % 257 == 0 ? 0 : 1 / 128.0))
            fail_msg("%d: the mean is off by %g", v, away);
    }
}

/* A gradient of a code in 40 pixels: its steps are broken up, and each block has the gradient's mean. */
static void test_bands(void **state)
{
    satb_image deep = make_image(512, 256, 1, 16), out = make_image(512, 256, 1, 8);
    const uint8_t *const to = out.data;
    bool seen[64] = {false};
    int run = 0, kinds = 0;
    problem p;
    for (int i = 0; i < 512 * 256; i++)
        ((uint16_t *)deep.data)[i] = (uint16_t)(20000 + i % 512 * 257 / 40);
    assert_true(dither_pixels(&deep, &out, &(dither_settings){.threads = 1}, &p));
    for (int b = 0; b < 32 * 16; b++) {
        double sum = 0;
        for (int i = 0; i < 256; i++) {
            const int at = (b / 32 * 16 + i / 16) * 512 + b % 32 * 16 + i % 16;
            sum += to[at] - ((uint16_t *)deep.data)[at] / 257.0;
        }
        assert_true(fabs(sum / 256) < 1 / 64.0);
    }
    for (int x = 1; x < 512; x++) { /* rounded, all runs but the ends are of 40 */
        run = to[x] == to[x - 1] ? run + 1 : 0;
        kinds += run < 64 && !seen[run];
        seen[run < 63 ? run : 63] = true;
    }
    assert_true(kinds > 8 && !seen[39]);
}

/* --- Grain ------------------------------------------------------------------------------------ */

/* Returns a Gaussian number by Box and Muller, from the C library's generator of 48 bits. */
static double gaussian(unsigned short state[3])
{
    const double radius = sqrt(-2 * log(1 - erand48(state)));
    return radius * cos(6.283185307179586 * erand48(state));
}

static uint8_t clipped(double v)
{
    return (uint8_t)lrint(fmin(255, fmax(0, v)));
}

/* Fills a picture with a gradient from `low` to `high` and noise, `shared` of whose variance is the channels' common one. */
static void fill_noise(const satb_image *to, double low, double high, double sigma_low,
                       double sigma_high, double shared)
{
    unsigned short state[3] = {1, 2, 3};
    for (int i = 0; i < to->width * to->height; i++) {
        const double at = (double)(i % to->width) / to->width, common = gaussian(state);
        for (int c = 0; c < to->channels; c++)
            ((uint8_t *)to->data)[i * to->channels + c] =
                clipped(low + at * (high - low) +
                        (sigma_low + at * (sigma_high - sigma_low)) *
                            (sqrt(shared) * common + sqrt(1 - shared) * gaussian(state)));
    }
}

static bool within(double is, double should, double part)
{
    return fabs(is - should) <= part * should;
}

/* Returns the grain that is measured in a picture. */
static grain measured(const satb_image *image)
{
    grain g;
    problem p;
    assert_true(grain_measure(image, false, &g, &p));
    return g;
}

static void test_measure(void **state)
{
    satb_image image = make_image(320, 320, 3, 8);
    const double sigmas[] = {0.7, 1, 3, 8};
    for (size_t i = 0; i < 4; i++)
        for (int shared = 0; shared < 2; shared++) {
            fill_noise(&image, 120, 120, sigmas[i], sigmas[i], shared);
            const grain g = measured(&image);
            if (!within(g.mean, sigmas[i], 0.05) || fabs(g.common - shared) > 0.12)
                fail_msg("sigma %g is %g, common %d is %g", sigmas[i], g.mean, shared, g.common);
        }
    fill_noise(&image, 60, 200, 0, 0, 0);
    assert_true(measured(&image).mean == 0);
    fill_noise(&image, 77, 77, 0, 0, 0);
    assert_true(measured(&image).mean == 0);
}

static void test_measure_by_brightness(void **state)
{
    satb_image image = make_image(768, 512, 1, 8);
    fill_noise(&image, 16, 240, 1.5, 5, 0);
    const grain g = measured(&image);
    for (int bin = 0; bin < GRAIN_BINS; bin++)
        if (!within(g.sigma[0][bin], 1.5 + 3.5 * (bin * 32 + 0) / 224, 0.2))
            fail_msg("bin %d has %g", bin, g.sigma[0][bin]);
}

/* Half of a picture is structure: the grain is that of the other half. */
static void test_measure_beside_structure(void **state)
{
    satb_image image = make_image(384, 384, 1, 8);
    fill_noise(&image, 120, 120, 3, 3, 0);
    for (int i = 0; i < 384 * 384; i++)
        if (i % 384 < 192)
            ((uint8_t *)image.data)[i] = (i % 384 / 5 + i / 384 / 7) % 2 ? 90 : 150;
    const grain g = measured(&image);
    assert_true(within(g.sigma[0][3], 3, 0.15));
}

/* Where the sky is clipped, there is no grain, and none is measured: that of the rest stays. */
static void test_measure_beside_clipped(void **state)
{
    satb_image image = make_image(384, 384, 1, 8);
    for (int code = 0; code <= 255; code += 255) {
        fill_noise(&image, 120, 120, 3, 3, 0);
        for (int i = 0; i < 384 * 192; i++)
            ((uint8_t *)image.data)[i] = (uint8_t)abs(code - (i % 7 == 0));
        const grain g = measured(&image);
        assert_true(within(g.sigma[0][3], 3, 0.15));
    }
}

/* Returns a basis function of the cosine transform of 8 x 8 pixels. */
static double wave(int u, int v, int x, int y)
{
    const double unit = (u ? 0.5 : sqrt(0.125)) * (v ? 0.5 : sqrt(0.125));
    return unit * cos((2 * x + 1) * u * acos(-1) / 16) * cos((2 * y + 1) * v * acos(-1) / 16);
}

/* Quantises a block of a gray picture as a JPEG of quality 75 does, coarser the finer the wave. Returns the sum of the squares of
 * what is left beside the mean. */
static double quantise(uint8_t *block, int pitch)
{
    double made[64] = {0}, squares = 0;
    for (int k = 0; k < 64; k++) {
        const double step = 5 + 2.5 * (k % 8 + k / 8);
        double sum = 0;
        for (int i = 0; i < 64; i++)
            sum += block[i / 8 * pitch + i % 8] * wave(k % 8, k / 8, i % 8, i / 8);
        const double kept = k == 0 ? sum : step * rint(sum / step);
        squares += k == 0 ? 0 : kept * kept;
        for (int i = 0; i < 64; i++)
            made[i] += kept * wave(k % 8, k / 8, i % 8, i / 8);
    }
    for (int i = 0; i < 64; i++)
        block[i / 8 * pitch + i % 8] = clipped(made[i]);
    return squares;
}

/* A JPEG's grain is as strong as what quantisation has left of it. */
static void test_measure_jpeg(void **state)
{
    satb_image image = make_image(256, 256, 1, 8);
    const double sigmas[] = {4, 8};
    for (size_t i = 0; i < 2; i++) {
        double squares = 0;
        fill_noise(&image, 120, 120, sigmas[i], sigmas[i], 0);
        for (int b = 0; b < 32 * 32; b++)
            squares += quantise((uint8_t *)image.data + b / 32 * 8 * 256 + b % 32 * 8, 256);
        const double left = sqrt(squares / (256 * 256));
        const grain g = measured(&image);
        if (!within(g.sigma[0][3], left, 0.2))
            fail_msg("sigma %g: %g are left, and %g is found", sigmas[i], left, g.sigma[0][3]);
    }
}

/* The codes of a flat JPEG differ by the rounding of luma and of chroma, which is no grain. */
static void test_measure_rounded_twice(void **state)
{
    satb_image image = make_image(320, 320, 1, 8);
    problem p;
    grain g;
    fill_noise(&image, 120.5, 120.5, 0.38, 0.38, 0);
    assert_true(grain_measure(&image, true, &g, &p) && g.mean == 0);
    assert_true(grain_measure(&image, false, &g, &p) && g.mean > 0);
    fill_noise(&image, 120, 120, 3, 3, 0);
    assert_true(grain_measure(&image, true, &g, &p) && within(g.mean, 3, 0.05));
}

/* Adds grain to a flat picture, and returns the standard deviation of its part from x on; rounding's own is left out. */
static double deviation(const grain *g, const dither_settings *given, int code, int from, int to)
{
    satb_image deep = make_image(384, 256, 1, 16), out = make_image(384, 256, 1, 8);
    dither_settings s = *given;
    double sum = 0, squares = 0, n = 0;
    problem p;
    s.grain = g;
    s.threads = 2;
    for (size_t i = 0; i < samples_of(&deep); i++)
        ((uint16_t *)deep.data)[i] = (uint16_t)(code * 257);
    assert_true(dither_pixels(&deep, &out, &s, &p));
    for (int i = 0; i < 384 * 256; i++)
        if (i % 384 >= from && i % 384 < to) {
            const double v = ((uint8_t *)out.data)[i] - code;
            sum += v, squares += v * v, n++;
        }
    assert_true(fabs(sum / n) < 0.1);
    const double variance = squares / n - sum * sum / n / n;
    return variance == 0 ? 0 : sqrt(variance - 1 / 6.0);
}

static void test_strength(void **state)
{
    grain g = {.mean = 0};
    grain_set(&g, 4);
    const dither_settings wide = {.radius_x = 9, .radius_y = 9}, one = {.radius_x = 1};
    const dither_settings half = {.radius_x = 0.5, .radius_y = 0.5}, none = {.radius_x = 0};
    assert_true(within(deviation(&g, &wide, 120, 0, 384), 4, 0.02));
    assert_true(within(deviation(&g, &one, 120, 0, 384), 4 * sqrt(2 / 3.0), 0.03));
    const double left = 1.5 / 4; /* weights 1/2, 1, 1/2 */
    assert_true(within(deviation(&g, &half, 120, 0, 384), 4 * sqrt(1 - left * left), 0.03));
    assert_true(deviation(&g, &none, 120, 0, 384) == 0);
    assert_true(deviation(&g, &wide, 0, 0, 384) == 0); /* black stays black */
    grain_set(&g, 64);
    for (int code = 4; code <= 8; code += 4) /* the mean stays near black and white, too */
        assert_true(within(deviation(&g, &wide, code, 0, 384), code / 2.0, 0.1) &&
                    within(deviation(&g, &wide, 255 - code, 0, 384), code / 2.0, 0.1));
    grain_set(&g, 4);
    g.neighbours = 0.4;
    assert_true(within(deviation(&g, &wide, 120, 0, 384), 4, 0.05));
}

/* Radii of a map: none in the middle, on both sides of the focus elsewhere. */
static void test_radii(void **state)
{
    satb_image coc = make_image(384, 256, 1, 16);
    grain g = {.mean = 0};
    grain_set(&g, 4);
    for (int i = 0; i < 384 * 256; i++)
        ((uint16_t *)coc.data)[i] = (uint16_t)(i % 384 < 128   ? 1
                                               : i % 384 < 256 ? SATB_COC_ZERO
                                                               : 65535);
    const dither_settings s = {.coc = &coc, .full_radius = 12};
    assert_true(within(deviation(&g, &s, 90, 0, 128), 4, 0.03));
    assert_true(deviation(&g, &s, 90, 128, 256) == 0);
    assert_true(within(deviation(&g, &s, 90, 256, 384), 4, 0.03));
}

static void test_threads(void **state)
{
    satb_image deep = make_image(97, 203, 3, 16), a = make_image(97, 203, 3, 8), b = a;
    grain g = {.mean = 0, .neighbours = 0.3};
    problem p;
    grain_set(&g, 5);
    b.data = unit_zeros(picture_bytes(&b));
    for (size_t i = 0; i < samples_of(&deep); i++)
        ((uint16_t *)deep.data)[i] = (uint16_t)(i * 7);
    dither_settings s = {.grain = &g, .radius_x = 3, .radius_y = 3, .threads = 1};
    assert_true(dither_pixels(&deep, &a, &s, &p));
    s.threads = 3;
    assert_true(dither_pixels(&deep, &b, &s, &p));
    assert_memory_equal(a.data, b.data, picture_bytes(&a));
    s.seed = 1;
    assert_true(dither_pixels(&deep, &b, &s, &p));
    assert_true(memcmp(a.data, b.data, picture_bytes(&a)) != 0);
}

UNIT_MAIN(UNIT(test_rule), UNIT(test_mean), UNIT(test_bands), UNIT(test_measure),
          UNIT(test_measure_by_brightness), UNIT(test_measure_beside_structure),
          UNIT(test_measure_beside_clipped), UNIT(test_measure_jpeg),
          UNIT(test_measure_rounded_twice), UNIT(test_strength), UNIT(test_radii),
          UNIT(test_threads))
