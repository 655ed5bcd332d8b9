/* Pixels that show the surface before them, against the definition in rim_doubt.h. */
#include "blur/rim_doubt.h"

#include "unit/unit_context.h"
#include "unit/unit_drawn.h"

#include <string.h>

enum { SAMPLES = 8 };

typedef struct scene {
    satb_image picture, marks, near;
    int reach;
} scene;

static scene make(int w, int h, int channels, int bits)
{
    const scene s = {blank(w, h, channels, bits), blank(w, h, 1, 8), blank(w, h, 1, 16),
                     2 + channels + bits / 8};
    uint32_t seed = (uint32_t)(w + channels);

    for (int i = 0; i < w * h; i++) {
        const int x = i % w, y = i / w, from = x - w / 2 + (y * y) % 5;
        seed = seed * 1664525u + 1013904223u;
        put(&s.marks, x, y, 0,
            from < -2  ? SATB_MARK_SHARP
            : from < 0 ? SATB_MARK_DOUBTFUL
                       : SATB_MARK_NONE);
        if (from >= -2 && from < 0)
            put(&s.near, x, y, 0, 1000 + (seed >> 28) * 50);
        for (int c = 0; c < channels; c++) {
            seed = seed * 1664525u + 1013904223u;
            const uint32_t code = (from < -4 ? 60 : 110) + (seed >> 24) % 48; /* of 8 bits */
            put(&s.picture, x, y, c, bits == 8 ? code : code << 8 | seed >> 24);
        }
    }
    return s;
}

static void drop(const scene *s)
{
    free(s->picture.data), free(s->marks.data), free(s->near.data);
}

static scene copy(const scene *s)
{
    const scene c = {
        blank(s->picture.width, s->picture.height, s->picture.channels, s->picture.bits),
        blank(s->marks.width, s->marks.height, 1, 8), blank(s->near.width, s->near.height, 1, 16),
        s->reach};

    memcpy(c.picture.data, s->picture.data, (size_t)(c.picture.stride * c.picture.height));
    memcpy(c.marks.data, s->marks.data, (size_t)(c.marks.stride * c.marks.height));
    memcpy(c.near.data, s->near.data, (size_t)(c.near.stride * c.near.height));
    return c;
}

/* Returns the mean code before the doubtful pixels around; 0: there are none. */
static uint32_t near_around(const scene *s, int x, int y)
{
    uint32_t sum = 0, count = 0;

    for (int j = y - s->reach; j <= y + s->reach; j++)
        for (int i = x - s->reach; i <= x + s->reach; i++)
            if (i >= 0 && j >= 0 && i < s->marks.width && j < s->marks.height &&
                sample(&s->marks, i, j, 0) == SATB_MARK_DOUBTFUL) {
                sum += sample(&s->near, i, j, 0);
                count++;
            }
    return count ? (2 * sum + count) / (2 * count) : 0;
}

/* Makes sharp pixels near doubtful ones doubtful. */
static void spread(const scene *was, const scene *s)
{
    for (int i = 0; i < s->marks.width * s->marks.height; i++) {
        const int x = i % s->marks.width, y = i / s->marks.width;
        const uint32_t near = near_around(was, x, y);
        if (sample(&was->marks, x, y, 0) != SATB_MARK_SHARP || near == 0)
            continue;
        put(&s->marks, x, y, 0, SATB_MARK_DOUBTFUL);
        put(&s->near, x, y, 0, near);
    }
}

static int is_alike(const satb_image *p, int x, int y, int u, int v)
{
    const int colours = p->channels - (p->channels % 2 == 0);
    long apart = 0;

    for (int c = 0; c < colours; c++) {
        const long a = (long)sample(p, x, y, c) >> (p->bits - 8);
        const long b = (long)sample(p, u, v, c) >> (p->bits - 8);
        apart += (a - b) * (a - b);
    }
    return apart <= 36 * colours;
}

static int is_stranger(const scene *s, int x, int y)
{
    int seen = 0, alike = 0;

    for (int j = -SAMPLES; j <= SAMPLES; j++)
        for (int i = -SAMPLES; i <= SAMPLES; i++) {
            const int step = (s->reach + 1) / 2, u = x + i * step, v = y + j * step;
            if (u < 0 || v < 0 || u >= s->marks.width || v >= s->marks.height ||
                sample(&s->marks, u, v, 0) != SATB_MARK_SHARP)
                continue;
            seen++;
            alike += is_alike(&s->picture, x, y, u, v);
        }
    return seen > 0 && alike == 0;
}

static int compare(int w, int h, int channels, int bits)
{
    const scene was = make(w, h, channels, bits), got = copy(&was), want = copy(&was);
    int strangers = 0;

    spread(&was, &want);
    assert_int_equal(satb_find_strangers(cpu, &got.picture, &got.marks, &got.near, got.reach),
                     SATB_OK);
    for (int i = 0; i < w * h; i++) {
        const int x = i % w, y = i / w;
        const uint32_t mark = sample(&want.marks, x, y, 0);
        const int is = mark == SATB_MARK_DOUBTFUL && is_stranger(&want, x, y);
        if ((sample(&got.marks, x, y, 0) == SATB_MARK_STRANGER) != is)
            fail_msg("%d x %d, %d channels of %d bits: %d,%d is %u", w, h, channels, bits, x, y,
                     sample(&got.marks, x, y, 0));
        if (is)
            assert_int_equal(sample(&got.near, x, y, 0), sample(&want.near, x, y, 0));
        strangers += is;
    }
    drop(&was), drop(&got), drop(&want);
    return strangers;
}

static void strangers(void **state)
{
    (void)state;
    for (int channels = 1; channels <= 4; channels++)
        for (int bits = 8; bits <= 16; bits += 8) {
            assert_true(compare(80, 40, channels, bits) > 20);
            compare(33, 7, channels, bits);
        }
}

/* Without sharp pixels farther away nothing is a stranger. */
static void nothing_sharp(void **state)
{
    (void)state;
    assert_int_equal(compare(16, 9, 3, 8), 0);
    assert_int_equal(compare(2, 1, 1, 8), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strangers),
        cmocka_unit_test(nothing_sharp),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
