/* Maps of another size than their pictures (surface/resample.h), and the samples of an axis that pixels lie in. */
#include "surface/resample.h"

#include "surface/resample_rule.h"
#include "unit/kernels/surface_case.h"
#include "unit/kernels/turned.h"

#include <math.h>

/* Returns a map's first channel at another size, or at its own. */
static satb_image resampled(const satb_image *map, int width, int height, int threads)
{
    const int same = map->width == width && map->height == height;
    const satb_image out = noisy_image(width, height, 1, same ? map->bits : 16);
    satk_resample job = {.src = plane_of(map), .dst = plane_of(&out)};

    job.scratch = noisy_memory(satk_resample_scratch_cpu(&job, threads));
    satk_resample_cpu(&job, threads);
    keeps_its_padding(&out);
    return out;
}

/* Returns a map whose first channel is not like the others. */
static satb_image drawn(int w, int h, int channels, int bits)
{
    const satb_image map = blank(w, h, channels, bits);

    for (int i = 0; i < w * h * channels; i++)
        put(&map, i / channels % w, i / channels / w, i % channels,
            (uint32_t)(i * 7919 + 17) % (bits == 8 ? 256 : 65536));
    return map;
}

/* Returns a code in 16 bits by the definition, in floating point. */
static double between(const satb_image *map, int x, int y, int width, int height)
{
    const double u = fmin(fmax((x + 0.5) * map->width / width - 0.5, 0), map->width - 1);
    const double v = fmin(fmax((y + 0.5) * map->height / height - 0.5, 0), map->height - 1);
    const int x0 = (int)u, y0 = (int)v;
    const int x1 = x0 + 1 < map->width ? x0 + 1 : x0, y1 = y0 + 1 < map->height ? y0 + 1 : y0;
    const double a = sample(map, x0, y0, 0) * (1 - (u - x0)) + sample(map, x1, y0, 0) * (u - x0);
    const double b = sample(map, x0, y1, 0) * (1 - (u - x0)) + sample(map, x1, y1, 0) * (u - x0);

    return (a * (1 - (v - y0)) + b * (v - y0)) * (map->bits == 8 ? 257 : 1);
}

static void resampling(void **state)
{
    static const int sizes[][2] = {{1, 1}, {7, 4}, {14, 10}, {3, 2}, {33, 64}, {200, 3}, {8, 6}};

    for (int i = 0; i < 7 * 4 * 2; i++) {
        const int w = sizes[i % 7][0], h = sizes[i % 7][1];
        const satb_image map = drawn(7, 5, 1 + i / 7 % 4, i / 28 ? 16 : 8);
        const satb_image out = resampled(&map, w, h, 1 + i % 3);
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                assert_true(fabs(sample(&out, x, y, 0) - between(&map, x, y, w, h)) < 1.5);
    }
}

static void constants_and_16_bits_stay(void **state)
{
    const satb_image map = blank(2, 2, 1, 16);

    for (int i = 0; i < 4; i++)
        put(&map, i % 2, i / 2, 0, 40001);
    const satb_image out = resampled(&map, 13, 11, 2);
    for (int i = 0; i < 13 * 11; i++)
        assert_int_equal(sample(&out, i % 13, i / 13, 0), 40001);
}

/* A map of the size wanted is copied: of several channels the first, in its own bits. */
static void first_channels_are_copied(void **state)
{
    static const int sizes[][2] = {{1, 1}, {13, 1}, {1, 9}, {37, 23}};

    for (int i = 0; i < 4 * 4 * 2; i++) {
        const int w = sizes[i / 8][0], h = sizes[i / 8][1];
        const satb_image map = drawn(w, h, 1 + i % 4, i / 4 % 2 ? 16 : 8);
        const satb_image out = resampled(&map, w, h, 1 + i % 3);
        for (int k = 0; k < w * h; k++)
            assert_int_equal(sample(&out, k % w, k / w, 0), sample(&map, k % w, k / w, 0));
    }
}

/* A turned map gives the turned result, and a map of 8 bits that of the same map in 16. */
static void turns_and_bits(void **state)
{
    static const int sizes[][2] = {{20, 30}, {7, 5}, {6, 64}, {9, 4}};

    for (int i = 0; i < 4 * TURNS; i++) {
        const int w = sizes[i / TURNS][0], h = sizes[i / TURNS][1], how = i % TURNS;
        const satb_image map = drawn(11, 13, 1, 8), wide = blank(11, 13, 1, 16);
        for (int k = 0; k < 11 * 13; k++)
            put(&wide, k % 11, k / 11, 0, 257 * sample(&map, k % 11, k / 11, 0));
        const satb_image once = resampled(&map, w, h, 1), want = turned(&once, how);
        const satb_image other = turned(&wide, how);
        const satb_image got = resampled(&other, want.width, want.height, 3);
        are_same(&got, &want);
    }
}

/* --- Axes ------------------------------------------------------------------------------------- */

/* Returns the sample of `coarse` that the centre of sample i of `fine` lies in, by the definition: of two, the one closer to
 * the middle. */
static int lies_in(int i, int fine, int coarse)
{
    const int centre = (2 * i + 1) * coarse; /* borders are at multiples of 2 fine */
    int s = 0;

    while ((s + 1) * 2 * fine <= centre)
        s++;
    return s * 2 * fine == centre && s * 2 > coarse ? s - 1 : s;
}

/* Each sample's centre lies in the one that has it among its own, and the second half is the first one's mirror. */
static void samples_within_samples(void **state)
{
    for (int coarse = 1; coarse < 40; coarse++)
        for (int fine = 1; fine < 90; fine++) {
            assert_int_equal(satk_first_within(0, coarse, fine), 0);
            assert_int_equal(satk_first_within(coarse, coarse, fine), fine);
            for (int i = 0; i < fine; i++) {
                const int s = satk_sample_of(i, fine, coarse);
                assert_int_equal(s, lies_in(i, fine, coarse));
                assert_in_range(i, satk_first_within(s, coarse, fine),
                                satk_first_within(s + 1, coarse, fine) - 1);
                if (2 * i + 1 != fine || coarse % 2) /* the middle one may lie between two */
                    assert_int_equal(satk_sample_of(fine - 1 - i, fine, coarse), coarse - 1 - s);
            }
        }
}

/* Positions are those of the formula, to half of 1/65536, and the second half is the first one's mirror. */
static void taps(void **state)
{
    for (int from = 1; from < 24; from++)
        for (int n = 1; n < 70; n++)
            for (int i = 0; i < n; i++) {
                const satk_tap t = satk_tap_at(i, n, from), m = satk_tap_at(n - 1 - i, n, from);
                const double at = fmin(fmax((i + 0.5) * from / n - 0.5, 0), from - 1);
                const double got = t.a + t.weight / 65536.0 * (t.b - t.a);
                const double mirrored = from - 1 - (m.a + m.weight / 65536.0 * (m.b - m.a));
                assert_true(t.a >= 0 && t.b < from && t.b - t.a <= 1 && t.weight <= 65536);
                assert_true(fabs(got - at) <= 0.5001 / 65536);
                assert_true(fabs(mirrored - at) <= 0.5001 / 65536);
            }
}

UNIT_MAIN(UNIT(resampling), UNIT(constants_and_16_bits_stay), UNIT(first_channels_are_copied),
          UNIT(turns_and_bits), UNIT(samples_within_samples), UNIT(taps))
