/* Depth maps that follow a matte, against the definition in matte_depth.h, and the planes of mattes. */
#include "depth/matte_depth.h"

#include "base/memory.h"
#include "depth/matte_plane.h"
#include "unit/turned.h"
#include "unit/unit_context.h"

#include <string.h>

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

/* Makes the map that is wanted, and the rims: a plane with 1 + kind at theirs. */
static void follow(const scene *s, const satb_image *want, const satb_image *kinds)
{
    const int pixels = s->map.width * s->map.height;
    uint8_t *const inside = malloc((size_t)pixels);
    int others[2];

    find_inside(s, inside);
    for (int i = 0; i < pixels; i++) {
        const int x = i % s->map.width, y = i / s->map.width;
        const uint32_t m = sample(&s->matte, x, y, 0), code = sample(&s->map, x, y, 0);
        const int side = side_of(m);
        long mean[2];
        put(want, x, y, 0, code);
        put(kinds, x, y, 0, 0);
        if (is_inside(&s->matte, x, y, others))
            continue;
        const int once = side == 0 && 4 * others[0] < others[1];
        if (!find_means(s, inside, x, y, once, mean) ||
            (side < 2 && !is_contrary(s, side, code, mean)))
            continue;
        put(want, x, y, 0, (uint32_t)mean[m >= 128]);
        const int is_near = s->near_black ? mean[1] < mean[0] : mean[1] >= mean[0];
        if (side == 2 && mean[0] != mean[1])
            put(kinds, x, y, 0, 1u + (is_near ? SATB_RIM_SUBJECT : SATB_RIM_BEFORE_SUBJECT));
    }
    free(inside);
}

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
            put(&s.matte, x, y, 0, kind == 5 ? 0 : m > 255 ? 255 : m);
            put(&s.map, x, y, 0, unit * (uint32_t)(near_black ? 255 - code : code));
        }
    return s;
}

static void free_scene(const scene *s)
{
    free(s->matte.data);
    free(s->map.data);
}

/* Compares with the definition. Returns the number of rims. */
static size_t compare(const scene *s, int kind)
{
    const satb_image want = blank(s->map.width, s->map.height, 1, s->map.bits);
    const satb_image kinds = blank(s->map.width, s->map.height, 1, 8);
    satb_rims rims = {NULL, 0, 0};
    size_t count = 0, changed = 0, wanted = 0;

    follow(s, &want, &kinds);
    assert_int_equal(satb_follow_matte(cpu, &s->matte, &s->map, s->near_black, &rims, &count),
                     SATB_OK);
    for (int y = 0; y < s->map.height; y++)
        for (int x = 0; x < s->map.width; x++) {
            if (sample(&want, x, y, 0) != sample(&s->map, x, y, 0))
                fail_msg("kind %d: %d,%d is %u, not %u", kind, x, y, sample(&s->map, x, y, 0),
                         sample(&want, x, y, 0));
            changed += sample(&kinds, x, y, 0) != 0;
        }
    for (size_t i = 0; i < rims.count; i++) {
        const satb_rim *const r = &rims.at[i];
        const int before = r->kind == SATB_RIM_BEFORE_SUBJECT;
        const uint32_t m = sample(&s->matte, r->x, r->y, 0);
        assert_int_equal(sample(&kinds, r->x, r->y, 0), 1 + r->kind);
        assert_int_equal(r->cover, before ? 255 - m : m);
        assert_true(s->near_black ? r->near < r->far : r->near > r->far);
        assert_int_equal((before ? m < 128 : m >= 128) ? r->near : r->far,
                         sample(&s->map, r->x, r->y, 0));
    }
    wanted = rims.count;
    assert_int_equal(changed, wanted);
    assert_true(count >= wanted);
    satb_free_rims(&rims);
    free(want.data);
    free(kinds.data);
    return wanted;
}

static void maps_follow(void **state)
{
    (void)state;
    for (int i = 0; i < 9 * 4; i++) {
        const scene s = draw(i / 4, i & 1 ? 16 : 8, i >> 1 & 1);
        const size_t rims = compare(&s, i / 4);
        assert_true((rims > 0) == (i / 4 < 5 || i / 4 > 6));
        free_scene(&s);
    }
}

/* Returns the map after it followed the matte. */
static satb_image followed(const satb_image *matte, const satb_image *map)
{
    const satb_image own = turned(map, 0);
    satb_rims rims = {NULL, 0, 0};
    size_t count = 0;

    assert_int_equal(satb_follow_matte(cpu, matte, &own, 0, &rims, &count), SATB_OK);
    satb_free_rims(&rims);
    return own;
}

static void turns(void **state)
{
    (void)state;
    const scene s = draw(3, 8, 0);
    const satb_image once = followed(&s.matte, &s.map);
    for (int how = 0; how < TURNS; how++) {
        const satb_image matte = turned(&s.matte, how), map = turned(&s.map, how);
        const satb_image got = followed(&matte, &map), want = turned(&once, how);
        assert_memory_equal(got.data, want.data, (size_t)(got.stride * got.height));
        free(matte.data), free(map.data), free(got.data), free(want.data);
    }
    free(once.data);
    free_scene(&s);
}

/* Doubtful rims of the map go where the matte decides. */
static void doubt(void **state)
{
    (void)state;
    const scene s = draw(0, 8, 0);
    satb_rims rims = {NULL, 0, 0};
    size_t count = 0;
    const satb_rim near = {.x = 45 + 23, .y = 35, .kind = SATB_RIM_EDGE},
                   away = {.x = 3, .y = 3, .kind = SATB_RIM_EDGE};
    assert_true(satb_add_rim(&rims, &near) && satb_add_rim(&rims, &away));
    assert_int_equal(satb_follow_matte(cpu, &s.matte, &s.map, 0, &rims, &count), SATB_OK);
    size_t doubts = 0;
    for (size_t i = 0; i < rims.count; i++)
        doubts += rims.at[i].kind == SATB_RIM_EDGE;
    assert_int_equal(doubts, 1);
    satb_free_rims(&rims);
    free_scene(&s);
}

/* --- Planes ----------------------------------------------------------------------------------- */

static satb_image plane_of(const satb_image *matte, int w, int h)
{
    satb_image plane;

    assert_int_equal(satb_open_matte_plane(cpu, matte, w, h, &plane), SATB_OK);
    return plane;
}

/* Alpha counts if it is not the same everywhere; otherwise the first channel. 16 bits are rounded. */
static void planes(void **state)
{
    (void)state;
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
        const satb_image plane = plane_of(&matte, 11, 7);
        for (int k = 0; k < 77; k++) {
            const uint32_t code = sample(&matte, k % 11, k / 11, from);
            const uint32_t rounded = bits == 8 ? code : (255 * code + 32767) / 65535;
            assert_int_equal(sample(&plane, k % 11, k / 11, 0), rounded < 8     ? 0
                                                                : rounded > 247 ? 255
                                                                                : rounded);
        }
        satb_give(&cpu->spares, plane.data);
        free(matte.data);
    }
}

static void sizes(void **state)
{
    (void)state;
    const satb_image matte = blank(2, 1, 1, 8);
    put(&matte, 1, 0, 0, 255);
    const satb_image plane = plane_of(&matte, 8, 3);
    static const uint32_t want[] = {0, 0, 32, 96, 159, 223, 255, 255};
    for (int i = 0; i < 24; i++)
        assert_int_equal(sample(&plane, i % 8, i / 8, 0), want[i % 8]);
    assert_true(satb_matte_mean(&plane) > 0.49 && satb_matte_mean(&plane) < 0.51);
    satb_give(&cpu->spares, plane.data);
    free(matte.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_follow), cmocka_unit_test(turns), cmocka_unit_test(doubt),
        cmocka_unit_test(planes),      cmocka_unit_test(sizes),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
