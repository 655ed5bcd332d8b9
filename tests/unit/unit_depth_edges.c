/* The edges of depth against their definition (edges_oracle.h). Every number of threads and every set
 * of the CPU's instructions that this machine has must give the same. */
#include "unit/unit.h"

#include "depth/depth_resample.h"
#include "common/cpu_level.h"
#include "depth/depth_edges.h"
#include "unit/edges_oracle.h"
#include "unit/unit_drawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Pictures --------------------------------------------------------------------------------- */

static uint32_t noise(int x, int y, uint32_t below)
{
    uint32_t v = (uint32_t)(x * 7919 + y * 104729 + 12345);

    v = (v ^ v >> 13) * 2654435761u;
    return (v ^ v >> 15) % below;
}

/* Kinds of maps, with u and v in 0 .. 1: a disc and a stripe before a slope, with hard, soft, wide
 * and wider edges; noise. */
enum { HARD, NOISY, SOFT, WIDE, WIDER, NOISE, FLAT, KINDS };

static double depth_at(int kind, double u, double v)
{
    const double disc = 0.33 - sqrt((u - 0.4) * (u - 0.4) + (v - 0.5) * (v - 0.5));
    const double stripe = 0.04 - fabs(u - 0.2 * v - 0.75);
    static const double softness[KINDS] = {[SOFT] = 0.012, [WIDE] = 0.05, [WIDER] = 0.1};
    const double cover = fmin(fmax(0.5 + fmax(disc, stripe) / fmax(softness[kind], 1e-9), 0), 1);

    return kind == FLAT ? 0.3 + 0.01 * u : cover * 0.8 + (1 - cover) * (0.1 + 0.15 * v);
}

static satb_image make_map(int kind, int w, int h, int bits)
{
    const satb_image map = blank(w, h, 1, bits);
    const uint32_t largest = (1u << bits) - 1;

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const double q = depth_at(kind, (x + 0.5) / w, (y + 0.5) / h);
            uint32_t code = (uint32_t)(q * largest);
            if (kind == NOISY)
                code += noise(x, y, largest / 20);
            put(&map, x, y, 0, kind == NOISE ? noise(x, y, largest + 1) : code);
        }
    return map;
}

static satb_image make_picture(int w, int h, int channels, int bits)
{
    const satb_image picture = blank(w, h, channels, bits);

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < channels; c++) {
                const double q = depth_at(HARD, (x + 0.5) / w, (y + 0.5) / h);
                const uint32_t code =
                    (uint32_t)(40 + 200 * q) - (uint32_t)c * 9 + noise(x, y + c, 16);
                put(&picture, x, y, c, bits == 8 ? code : 256 * code + 77);
            }
    return picture;
}

/* --- Tests ------------------------------------------------------------------------------------ */

static satb_context context = {.threads = 1};

static codes read_codes(const satb_image *map)
{
    codes c = codes_new(map->width, map->height);

    for (int y = 0; y < c.h; y++)
        for (int x = 0; x < c.w; x++)
            c.at[y * c.w + x] = sample(map, x, y, 0) * (map->bits == 8 ? 257 : 1);
    return c;
}

static size_t decided_in_all;

/* Returns a code as an image of `bits` bits has it. */
static uint32_t rounded(uint32_t code, int bits)
{
    return bits == 8 ? (code + 128) / 257 : code;
}

static void fits(const satb_image *map, const satb_image *picture)
{
    const int same = map->width == picture->width && map->height == picture->height;
    satb_image plain = *map;
    size_t snapped;

    if (!same)
        assert_int_equal(satb_resample(&context, map, picture->width, picture->height, &plain), 0);
    codes c = read_codes(map), want = read_codes(&plain);
    const size_t decided = codes_fit(&c, picture, &want);
    for (int i = 0; i < 3 * SATK_LEVELS; i++) {
        satb_image got;
        satk_level_limit = (satk_level)(i / 3);
        context.threads = 1 + 2 * (i % 3);
        assert_int_equal(satb_fit_depth(&context, map, picture, &got, &snapped), SATB_OK);
        assert_int_equal(snapped, decided);
        assert_int_equal(got.bits, plain.bits);
        for (int k = 0; k < want.w * want.h; k++)
            if (sample(&got, k % want.w, k / want.w, 0) != rounded(want.at[k], got.bits))
                fail_msg("level %d: %d,%d is %u, not %u", i / 3, k % want.w, k / want.w,
                         sample(&got, k % want.w, k / want.w, 0), rounded(want.at[k], got.bits));
        if (got.data != map->data)
            free(got.data);
    }
    decided_in_all += decided;
    if (!same)
        free(plain.data);
    codes_free(&c);
    codes_free(&want);
}

/* Words of 64 samples end within rows, at their ends and beside them. */
static const int sizes[][2] = {{9, 9},   {10, 31},  {63, 20},  {64, 17},
                               {65, 19}, {131, 70}, {192, 40}, {290, 150}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void maps_of_one_size(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES * KINDS * 2; i++) {
        const int *const size = sizes[i / 2 / KINDS];
        const satb_image picture = make_picture(size[0], size[1], 1 + i % 4, i % 3 ? 8 : 16);
        const satb_image map = make_map(i / 2 % KINDS, size[0], size[1], i % 2 ? 16 : 8);
        fits(&map, &picture);
        free(map.data);
        free(picture.data);
    }
    assert_true(decided_in_all > 1000);
}

static void smaller_maps(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES * KINDS * 2; i++) {
        const int *const size = sizes[i / 2 / KINDS];
        const int w = size[0] * (1 + i % 3) + i % 2, h = size[1] * (1 + i % 4 / 2) + i % 5;
        const satb_image picture = make_picture(w, h, 1 + i % 4, i % 3 ? 8 : 16);
        const satb_image map = make_map(i / 2 % KINDS, size[0], size[1], i % 2 ? 16 : 8);
        fits(&map, &picture);
        free(map.data);
        free(picture.data);
    }
}

/* A map of 8 bits and the same map times 257 in 16 bits have the same edges and the same decisions.
 * The result is rounded to its bits. */
static void bits_do_not_matter(void **state)
{
    (void)state;
    context.threads = 1;
    for (int i = 0; i < SIZES * KINDS * 2; i++) {
        const int *const size = sizes[i / 2 / KINDS];
        const satb_image picture =
            make_picture(size[0] * (1 + i % 2), size[1] * (1 + i % 2), 1 + i % 4, 8);
        const satb_image map = make_map(i / 2 % KINDS, size[0], size[1], 8);
        const satb_image wide = blank(size[0], size[1], 1, 16);
        satb_image got, want;
        size_t snapped[2];
        for (int k = 0; k < size[0] * size[1]; k++)
            put(&wide, k % size[0], k / size[0], 0,
                257 * sample(&map, k % size[0], k / size[0], 0));
        assert_int_equal(satb_fit_depth(&context, &map, &picture, &got, &snapped[0]), SATB_OK);
        assert_int_equal(satb_fit_depth(&context, &wide, &picture, &want, &snapped[1]), SATB_OK);
        assert_int_equal(snapped[0], snapped[1]);
        for (int k = 0; k < got.width * got.height; k++)
            assert_int_equal(sample(&got, k % got.width, k / got.width, 0),
                             rounded(sample(&want, k % got.width, k / got.width, 0), got.bits));
        if (got.data != map.data)
            free(got.data);
        if (want.data != wide.data)
            free(want.data);
        free(map.data);
        free(wide.data);
        free(picture.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_do_not_matter),
        cmocka_unit_test(maps_of_one_size),
        cmocka_unit_test(smaller_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
