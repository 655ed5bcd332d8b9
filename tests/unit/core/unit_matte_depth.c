/* Depth maps that follow a matte, against the definition in matte/follow.h, and the planes of mattes. */
#include "matte/follow.h"

#include "depth/depth_map.h"
#include "matte/matte_plane.h"
#include "unit/kernels/surface_case.h"
#include "unit/kernels/turned.h"

enum { WIDTH = 90, HEIGHT = 70 };

static int narrow; /* the least windows reach */

typedef struct scene {
    satb_image matte, map;
    int near_black;
} scene;

static int side_of(uint32_t m)
{
    return m == 0 ? 0 : m == 255 ? 1 : 2;
}

static int in(const satb_image *image, int x, int y)
{
    return x >= 0 && y >= 0 && x < image->width && y < image->height;
}

/* Returns whether a pixel has only its own kind around. others: the pixels of both around, and all of them. */
static int is_inside(const satb_image *matte, int x, int y, int others[2])
{
    const int side = side_of(sample(matte, x, y, 0));
    int inside = side < 2;

    others[0] = others[1] = 0;
    for (int j = y - narrow; j <= y + narrow; j++)
        for (int i = x - narrow; i <= x + narrow; i++) {
            if (!in(matte, i, j))
                continue;
            const int there = side_of(sample(matte, i, j, 0));
            inside &= there == side;
            others[0] += there == 2;
            others[1]++;
        }
    return inside;
}

/* Finds the pixels inside, by the widest windows that leave some of both sides. */
static void find_inside(const scene *s, uint8_t *inside)
{
    int others[2], has[2] = {0, 0};

    for (narrow = 16; narrow > 1 && !(has[0] && has[1]);) {
        narrow /= 2;
        has[0] = has[1] = 0;
        for (int i = 0; i < s->map.width * s->map.height; i++) {
            const int x = i % s->map.width, y = i / s->map.width;
            inside[i] = (uint8_t)is_inside(&s->matte, x, y, others);
            if (inside[i])
                has[side_of(sample(&s->matte, x, y, 0))] = 1;
        }
    }
}

/* Finds the means around a pixel. Returns 0 if the picture, or the first window, has nothing of a side. */
static int find_means(const scene *s, const uint8_t *inside, int x, int y, int once, long mean[2])
{
    for (int r = 2 * narrow, last = 0; !last; r *= 2) {
        long sum[2] = {0, 0}, count[2] = {0, 0};
        last = once || r >= (WIDTH > HEIGHT ? WIDTH : HEIGHT);
        for (int i = 0; i < s->map.width * s->map.height; i++) {
            const int u = i % s->map.width, v = i / s->map.width;
            if (!inside[i] || abs(u - x) > r || abs(v - y) > r)
                continue;
            const int side = side_of(sample(&s->matte, u, v, 0));
            sum[side] += (long)sample(&s->map, u, v, 0);
            count[side]++;
        }
        if (!count[0] || !count[1])
            continue;
        for (int side = 0; side < 2; side++)
            mean[side] = (2 * sum[side] + count[side]) / (2 * count[side]);
        return 1;
    }
    return 0;
}

static int is_contrary(const scene *s, int side, double code, const long mean[2])
{
    const double full = s->map.bits == 8 ? 255 : 65535;
    const double way = (double)(mean[1 - side] - mean[side]);
    const double gone =
        way == 0 ? 0 : (code - (double)mean[side]) / way; /* 0: own mean, 1: the other */

    return (way < 0 ? -way : way) > (long)(4 * full) / 255 && gone > (side == 1 ? 0.25 : 0.5) &&
           gone <= 1.25;
}

/* Returns whether the map has a rim of its own at pixel i. */
static int has_rim(int i)
{
    return i % 3 == 0;
}

/* Makes the map that is wanted, and a plane of the kinds of rims. Returns the number of pixels that the matte decides. */
static uint64_t follow(const scene *s, const satb_image *want, const satb_image *kinds)
{
    const int pixels = s->map.width * s->map.height;
    uint8_t *const inside = unit_memory((size_t)pixels);
    uint64_t decided = 0;
    int others[2];

    find_inside(s, inside);
    for (int i = 0; i < pixels; i++) {
        const int x = i % s->map.width, y = i / s->map.width;
        const uint32_t m = sample(&s->matte, x, y, 0), code = sample(&s->map, x, y, 0);
        const int side = side_of(m);
        long mean[2];
        put(want, x, y, 0, code);
        put(kinds, x, y, 0, inside[i] && has_rim(i) ? SATK_RIM_EDGE : SATK_RIM_NONE);
        if (is_inside(&s->matte, x, y, others))
            continue;
        const int once = side == 0 && 4 * others[0] < others[1];
        if (!find_means(s, inside, x, y, once, mean) ||
            (side < 2 && !is_contrary(s, side, code, mean)))
            continue;
        decided++;
        put(want, x, y, 0, (uint32_t)mean[m >= 128]);
        const int is_near = s->near_black ? mean[1] < mean[0] : mean[1] >= mean[0];
        if (side == 2 && mean[0] != mean[1])
            put(kinds, x, y, 0, is_near ? SATK_RIM_SUBJECT : SATK_RIM_BEFORE_SUBJECT);
    }
    return decided;
}

/* Codes around half of the way from 200 to 100, a quarter, and a quarter beyond either. */
static const int parts[] = {149, 150, 151, 174, 175, 176, 124, 125, 126, 74, 75, 76, 224, 225, 226};
enum { PARTS = sizeof parts / sizeof *parts };

/* Draws a round subject with hair, over ground, with a map whose rims are off. kind: what else. */
static scene draw(int kind, int bits, int near_black)
{
    const scene s = {blank(WIDTH, HEIGHT, 1, 8), blank(WIDTH, HEIGHT, 1, bits), near_black};
    const uint32_t unit = bits == 8 ? 1 : 257;
    uint32_t seed = (uint32_t)kind;

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            seed = seed * 1664525u + 1013904223u;
            const int u = x - 45, v = y - 35, d = u * u + v * v, hair = (int)(seed >> 24);
            uint32_t m = d < 500               ? 255
                         : d < 560             ? 128u + (uint32_t)hair / 4
                         : d < 900 && kind % 2 ? (uint32_t)hair
                                               : 0;
            if (kind == 7) /* thin hair */
                m = d < 500 ? 255 : d < 1100 && hair % 5 < 2 ? (uint32_t)hair : 0;
            if (kind == 8) /* a thin subject */
                m = u > -6 && u < 4 ? 255 : u > -9 && u < 6 ? 100 : 0;
            if (kind == 9) /* no hair, and exact parts of the way beside the edge */
                m = d < 500 ? 255 : d < 560 ? 128u + (uint32_t)hair / 4 : 0;
            if (kind == 6) /* nothing of both sides is inside */
                m = (uint32_t)(hair & 255);
            int near = (u - 3) * (u - 3) + v * v < 640; /* the map's own subject */
            int code = near ? 180 + y / 8 : 40 + y;
            if (kind >= 2 && kind < 4 && x > 70) /* something in front of it */
                code = 240;
            if (kind == 8)
                code = u > -2 && u < 7 ? 200 : 60;
            if (kind == 4) /* the subject is behind */
                code = near ? 30 : 200;
            if (kind == 7) /* a soft map */
                code = d < 300 ? 200 : d > 900 ? 50 : 200 - (d - 300) / 4;
            if (kind == 9)
                code = d > 300 && d < 900 ? parts[hair % PARTS] : d < 530 ? 200 : 100;
            put(&s.matte, x, y, 0, kind == 5 ? 0 : m > 255 ? 255 : m);
            put(&s.map, x, y, 0, unit * (uint32_t)(near_black ? 255 - code : code));
        }
    return s;
}

/* Makes a map follow, into dst, which may be the map. Returns the number of pixels that the matte decided. */
static uint64_t run(const satb_image *matte, const satb_image *map, const satb_image *dst,
                    const satk_rims *rims, int near_black, int threads)
{
    uint64_t counts[SATK_FOLLOW_COUNTS] = {UINT64_MAX};
    satk_follow job = {.matte = plane_of(matte),
                       .map = plane_of(map),
                       .dst = plane_of(dst),
                       .rims = *rims,
                       .near_black = near_black,
                       .counts = counts};

    job.scratch = noisy_memory(satk_follow_scratch_cpu(&job, threads));
    satk_follow_cpu(&job, threads);
    return counts[SATK_FOLLOWED];
}

/* Checks the rim at pixel i, and that the pixel has the code of its larger part. */
static void is_rim(const scene *s, const satb_image *got, const satk_rims *rims, int i)
{
    const int x = i % s->map.width, y = i / s->map.width;
    const int before = rims->kind[i] == SATK_RIM_BEFORE_SUBJECT;
    const uint32_t m = sample(&s->matte, x, y, 0);

    assert_int_equal(rims->cover[i], before ? 255 - m : m);
    assert_true(s->near_black ? rims->near[i] < rims->far[i] : rims->near[i] > rims->far[i]);
    assert_int_equal((before ? m < 128 : m >= 128) ? rims->near[i] : rims->far[i],
                     sample(got, x, y, 0));
}

/* Compares with the definition, in place and not. Returns the number of the matte's rims. */
static size_t compare(const scene *s, int kind, int threads)
{
    const int w = s->map.width, h = s->map.height;
    const satb_image want = blank(w, h, 1, s->map.bits), kinds = blank(w, h, 1, 8),
                     got = noisy_image(w, h, 1, s->map.bits);
    satk_rims rims = rims_new(w, h), again = rims_new(w, h);
    size_t count = 0;

    for (int i = 0; i < w * h; i++)
        rims.kind[i] = again.kind[i] = has_rim(i) ? SATK_RIM_EDGE : SATK_RIM_NONE;
    const uint64_t decided = follow(s, &want, &kinds);
    assert_int_equal(run(&s->matte, &s->map, &got, &rims, s->near_black, threads), decided);
    for (int i = 0; i < w * h; i++) {
        const int x = i % w, y = i / w;
        if (sample(&want, x, y, 0) != sample(&got, x, y, 0))
            fail_msg("kind %d: %d,%d is %u, not %u", kind, x, y, sample(&got, x, y, 0),
                     sample(&want, x, y, 0));
        assert_int_equal(rims.kind[i], sample(&kinds, x, y, 0));
        if (rims.kind[i] > SATK_RIM_EDGE)
            is_rim(s, &got, &rims, i);
        count += rims.kind[i] > SATK_RIM_EDGE;
    }
    keeps_its_padding(&got);
    assert_int_equal(run(&s->matte, &s->map, &s->map, &again, s->near_black, 1), decided);
    are_same(&s->map, &got);
    assert_memory_equal(rims.near, again.near, satk_rims_bytes((size_t)(w * h)));
    return count;
}

static void maps_follow(void **state)
{
    for (int i = 0; i < 10 * 4; i++) {
        const scene s = draw(i / 4, i & 1 ? 16 : 8, i >> 1 & 1);
        const size_t rims = compare(&s, i / 4, 1 + i % 3);
        assert_true((rims > 0) == (i / 4 < 5 || i / 4 > 6));
    }
}

/* Returns the map after it followed the matte. */
static satb_image followed(const satb_image *matte, const satb_image *map)
{
    const satb_image own = turned(map, 0);
    satk_rims rims = rims_none(map->width, map->height);

    run(matte, &own, &own, &rims, 0, 2);
    return own;
}

static void turns(void **state)
{
    const scene s = draw(3, 8, 0);
    const satb_image once = followed(&s.matte, &s.map);
    for (int how = 0; how < TURNS; how++) {
        const satb_image matte = turned(&s.matte, how), map = turned(&s.map, how);
        const satb_image got = followed(&matte, &map), want = turned(&once, how);
        assert_memory_equal(got.data, want.data, (size_t)(got.stride * got.height));
    }
}

/* Rims of the map go where the matte decides, and stay as they are elsewhere. */
static void doubt(void **state)
{
    enum { BESIDE = 35 * WIDTH + 45 + 23, AWAY = 3 * WIDTH + 3 };
    const scene s = draw(0, 8, 0);
    satk_rims rims = rims_none(WIDTH, HEIGHT);
    int doubts = 0;

    rims.kind[BESIDE] = rims.kind[AWAY] = SATK_RIM_EDGE;
    rims.near[AWAY] = 77, rims.far[AWAY] = 11, rims.cover[AWAY] = 5, rims.sample[AWAY] = 3;
    run(&s.matte, &s.map, &s.map, &rims, 0, 2);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        doubts += rims.kind[i] == SATK_RIM_EDGE;
    assert_int_equal(doubts, 1);
    assert_int_equal(rims.kind[AWAY], SATK_RIM_EDGE);
    assert_true(rims.near[AWAY] == 77 && rims.far[AWAY] == 11);
    assert_true(rims.cover[AWAY] == 5 && rims.sample[AWAY] == 3);
}

/* --- Planes ----------------------------------------------------------------------------------- */

/* Returns the plane of a matte, and checks its sum. */
static satb_image covers_of(const satb_image *matte, int w, int h, int threads)
{
    const satb_image plane = noisy_image(w, h, 1, 8);
    uint64_t counts[SATK_MATTE_COUNTS] = {UINT64_MAX}, sum = 0;
    satk_matte_plane job = {.src = plane_of(matte), .dst = plane_of(&plane), .counts = counts};

    job.scratch = noisy_memory(satk_matte_plane_scratch_cpu(&job, threads));
    satk_matte_plane_cpu(&job, threads);
    keeps_its_padding(&plane);
    for (int i = 0; i < w * h; i++)
        sum += sample(&plane, i % w, i / w, 0);
    assert_int_equal(counts[SATK_MATTE_SUM], sum);
    return plane;
}

/* Alpha counts if it is not the same everywhere; otherwise the first channel. 16 bits are rounded. */
static void planes(void **state)
{
    for (int i = 0; i < 16; i++) {
        const int channels = 1 + i % 4, bits = i & 4 ? 16 : 8, varies = i >> 3;
        const satb_image matte = blank(11, 7, channels, bits);
        for (int k = 0; k < 77 * channels; k++) {
            const int c = k % channels, is_alpha = channels % 2 == 0 && c == channels - 1;
            const uint32_t code =
                is_alpha && !varies ? 200u : (uint32_t)(k * 7919) % (bits == 8 ? 256 : 65536);
            put(&matte, k / channels % 11, k / channels / 11, c, code);
        }
        const int from = channels % 2 == 0 && varies ? channels - 1 : 0;
        const satb_image plane = covers_of(&matte, 11, 7, 1 + i % 3);
        for (int k = 0; k < 77; k++) {
            const uint32_t code = sample(&matte, k % 11, k / 11, from);
            const uint32_t rounded = bits == 8 ? code : (255 * code + 32767) / 65535;
            assert_int_equal(sample(&plane, k % 11, k / 11, 0), rounded < 8     ? 0
                                                                : rounded > 247 ? 255
                                                                                : rounded);
        }
    }
}

static void sizes(void **state)
{
    const satb_image matte = blank(2, 1, 1, 8);
    put(&matte, 1, 0, 0, 255);
    const satb_image plane = covers_of(&matte, 8, 3, 2);
    static const uint32_t want[] = {0, 0, 32, 96, 159, 223, 255, 255};
    for (int i = 0; i < 24; i++)
        assert_int_equal(sample(&plane, i % 8, i / 8, 0), want[i % 8]);
}

/* The mean of the coverage that a sum stands for. */
static void means(void **state)
{
    satb_depth_map depth = {.picture = {.width = 8, .height = 3}};

    assert_true(satb_matte_mean(&depth) == 0);
    depth.numbers.matte[SATK_MATTE_SUM] = 3 * (32 + 96 + 159 + 223 + 255 + 255);
    assert_true(satb_matte_mean(&depth) > 0.499 && satb_matte_mean(&depth) < 0.501);
    depth.numbers.matte[SATK_MATTE_SUM] = 24 * 255;
    assert_true(satb_matte_mean(&depth) == 1);
}

UNIT_MAIN(UNIT(maps_follow), UNIT(turns), UNIT(doubt), UNIT(planes), UNIT(sizes), UNIT(means))
