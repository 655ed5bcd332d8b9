/* The colours of one side of mixed pixels, against the definition in matte/separate.h. */
#include "matte/separate.h"

#include "unit/kernels/surface_case.h"

#include <math.h>

static int side_of(uint32_t m)
{
    return m == 0 ? 0 : m == 255 ? 1 : 2;
}

/* Finds the mean colour of both sides in the smallest window that has 12 pixels of either. Returns 0 if none has. */
static int means(const satb_image *src, const satb_image *matte, int x, int y, int c,
                 double mean[2])
{
    const int longest = src->width > src->height ? src->width : src->height;

    for (int r = 3, last = 0; !last; r *= 2) {
        double sum[2] = {0, 0};
        int count[2] = {0, 0};
        last = r >= longest;
        for (int j = 0; j < src->height; j++)
            for (int i = 0; i < src->width; i++) {
                const int side = side_of(sample(matte, i, j, 0));
                if (side == 2 || abs(i - x) > r || abs(j - y) > r)
                    continue;
                sum[side] += sample(src, i, j, c);
                count[side]++;
            }
        if (count[0] < 12 || count[1] < 12)
            continue;
        mean[0] = sum[0] / count[0];
        mean[1] = sum[1] / count[1];
        return 1;
    }
    return 0;
}

/* Returns the colour of a side, not rounded. */
static double separated(const satb_image *src, const satb_image *matte, int x, int y, int c,
                        int side)
{
    const double code = sample(src, x, y, c), m = sample(matte, x, y, 0) / 255.0;
    const double white = src->bits == 8 ? 255 : 65535;
    double mean[2];

    if (!means(src, matte, x, y, c, mean))
        return code;
    const double error = code - m * mean[1] - (1 - m) * mean[0];
    const double share = (side == SATK_COLOUR_SUBJECT ? m : 1 - m) / (m * m + (1 - m) * (1 - m));
    return fmin(fmax(mean[side == SATK_COLOUR_SUBJECT] + share * error, 0), white);
}

/* Draws a subject with a ragged rim, or (kind 1) none. */
static void draw(const satb_image *src, const satb_image *matte, const satb_image *sides, int kind)
{
    uint32_t seed = 7;

    for (int y = 0; y < src->height; y++)
        for (int x = 0; x < src->width; x++) {
            seed = seed * 1664525u + 1013904223u;
            const int inside = x - src->width / 2 + (int)(seed >> 28) - 8;
            const int m = kind ? 0 : inside < -4 ? 0 : inside > 4 ? 255 : 128 + 29 * inside;
            put(matte, x, y, 0, (uint32_t)m);
            put(sides, x, y, 0, side_of((uint32_t)m) < 2 ? SATK_COLOUR_KEEP : 1 + (seed >> 20) % 2);
            for (int c = 0; c < src->channels; c++) {
                seed = seed * 1664525u + 1013904223u;
                put(src, x, y, c, seed >> (32 - src->bits));
            }
        }
}

static satb_image separate(const satb_image *src, const satb_image *matte, const satb_image *sides,
                           int threads)
{
    const satb_image out = noisy_image(src->width, src->height, src->channels, src->bits);
    satk_separate job = {.src = plane_of(src),
                         .matte = plane_of(matte),
                         .sides = plane_of(sides),
                         .dst = plane_of(&out)};

    job.scratch = noisy_memory(satk_separate_scratch_cpu(&job, threads));
    satk_separate_cpu(&job, threads);
    keeps_its_padding(&out);
    return out;
}

static void compare(int w, int h, int channels, int bits, int kind)
{
    const satb_image src = blank(w, h, channels, bits), matte = blank(w, h, 1, 8),
                     sides = blank(w, h, 1, 8);
    const int colours = channels - (channels % 2 == 0);
    int changed = 0;

    draw(&src, &matte, &sides, kind);
    const satb_image out = separate(&src, &matte, &sides, 1 + w % 3);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < channels; c++) {
                const int side = (int)sample(&sides, x, y, 0);
                const int keeps = side == SATK_COLOUR_KEEP || c >= colours;
                const double want =
                    keeps ? (double)sample(&src, x, y, c) : separated(&src, &matte, x, y, c, side);
                changed += !keeps;
                if (fabs(sample(&out, x, y, c) - want) > (keeps ? 0 : 1.6)) /* of rounded means */
                    fail_msg("%d x %d, %d channels of %d bits: %d,%d,%d is %u, not %g", w, h,
                             channels, bits, x, y, c, sample(&out, x, y, c), want);
            }
    assert_true(kind || changed > 0);
}

static void colours(void **state)
{
    for (int channels = 1; channels <= 4; channels++)
        for (int bits = 8; bits <= 16; bits += 8) {
            compare(48, 20, channels, bits, 0);
            compare(30, 3, channels, bits, 0);
        }
}

/* A picture that has too little of one side stays. */
static void no_subject(void **state)
{
    compare(20, 20, 3, 8, 1);
    compare(5, 2, 3, 8, 0);
}

/* A mixture of two even colours comes apart. */
static void two_colours(void **state)
{
    const satb_image src = blank(40, 10, 3, 8), matte = blank(40, 10, 1, 8),
                     sides = blank(40, 10, 1, 8);
    static const double subject[3] = {40, 20, 10}, background[3] = {200, 230, 90};

    for (int y = 0; y < 10; y++)
        for (int x = 0; x < 40; x++) {
            const int m = x < 15 ? 255 : x > 25 ? 0 : 255 - 25 * (x - 15);
            put(&matte, x, y, 0, (uint32_t)m);
            put(&sides, x, y, 0, side_of((uint32_t)m) == 2 ? SATK_COLOUR_SUBJECT : 0);
            for (int c = 0; c < 3; c++)
                put(&src, x, y, c,
                    (uint32_t)lround((m * subject[c] + (255 - m) * background[c]) / 255));
        }
    const satb_image out = separate(&src, &matte, &sides, 2);
    for (int y = 0; y < 10; y++)
        for (int x = 16; x <= 24; x++)
            for (int c = 0; c < 3; c++)
                assert_true(fabs(sample(&out, x, y, c) - subject[c]) <= 1);
}

UNIT_MAIN(UNIT(colours), UNIT(no_subject), UNIT(two_colours))
