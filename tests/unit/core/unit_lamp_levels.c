/* kernels/highlight/highlight.h: lights at different thresholds. */
#include "unit/unit.h"

#include "highlight/highlight.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_WIDE = 150, SMALL_HIGH = 110, SMALL = SMALL_WIDE * SMALL_HIGH };

static int random_below(uint64_t *state, int n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int)((*state >> 33) % (uint64_t)n);
}

static void brighten(uint8_t *gray, int x, int y, int code)
{
    if (x >= 0 && y >= 0 && x < SMALL_WIDE && y < SMALL_HIGH && gray[y * SMALL_WIDE + x] < code)
        gray[y * SMALL_WIDE + x] = (uint8_t)code;
}

/* Draws lamps with rays and glow, some of them dim, and clipped areas. */
static void draw_night(uint8_t *gray, uint64_t *random)
{
    for (int i = 0; i < SMALL; i++)
        gray[i] = (uint8_t)random_below(random, 12);
    for (int i = 0; i < 12; i++) {
        const int x = random_below(random, SMALL_WIDE), y = random_below(random, SMALL_HIGH);
        const int size = random_below(random, i < 10 ? 5 : 30),
                  most = 60 + random_below(random, 250);
        const int fall = 1 + random_below(random, 60), length = random_below(random, 40);
        for (int j = -40; j <= 40; j++)
            for (int k = -40; k <= 40; k++) {
                const int away = abs(j) > abs(k) ? abs(j) : abs(k);
                const int is_ray = away < length && (abs(j) < 2 || abs(k) < 2 || j == k);
                const int code = away <= size ? most : most - fall * (away - size);
                brighten(gray, x + j, y + k,
                         is_ray && code < most / 2 ? most / 2
                         : code > 255              ? 255
                                                   : code);
            }
    }
}

/* Finds the lights of a gray picture, where base differs from it. Its samples are its codes. */
static void find_lights(uint8_t *gray, uint32_t threshold, uint8_t *base)
{
    static uint8_t map[SMALL], halo[SMALL];
    const satk_plane src = {gray, SMALL_WIDE, SMALL_WIDE, SMALL_HIGH, 1, 8};
    satk_disc discs[256] = {{.radius = 1024, .side = -1}};
    uint32_t found;
    satk_highlight job = {.src = src,
                          .base = src,
                          .halo = src,
                          .map = src,
                          .disc = discs,
                          .threshold = threshold,
                          .size = 12,
                          .counted = {0, SMALL_HIGH},
                          .found = &found};

    job.base.data = base;
    job.halo.data = halo;
    job.map.data = map;
    satk_set_lamp_levels(&job, 255);
    job.scratch = unit_memory(satk_highlight_scratch_cpu(&job, 1));
    satk_highlight_find_cpu(&job, 1);
}

/* A pixel that is a light is one at every lower threshold. */
static void lower_thresholds_find_no_fewer(void **state)
{
    static uint8_t gray[SMALL], base[SMALL], lit[SMALL];
    uint64_t random = 1;
    int all = 0;

    for (int i = 0; i < 60; i++) {
        draw_night(gray, &random);
        memset(lit, 0, sizeof lit);
        for (uint32_t threshold = 255; threshold > 2; threshold -= 1 + threshold / 7) {
            find_lights(gray, threshold, base);
            for (int k = 0; k < SMALL; k++) {
                assert_true(base[k] != gray[k] || !lit[k]);
                lit[k] = base[k] != gray[k];
                all += lit[k];
            }
        }
    }
    assert_true(all > 10000);
}

/* A lamp of the darkest level is one on black, and none among as many pixels of that level as hardly brighten its surroundings. */
static void dim_textures_hide_dim_lamps(void **state)
{
    static uint8_t gray[SMALL], base[SMALL];

    for (int has_texture = 0; has_texture < 2; has_texture++) {
        for (int i = 0; i < SMALL; i++) {
            const int x = i % SMALL_WIDE, y = i / SMALL_WIDE;
            const int is_lamp = abs(x - 75) < 2 && abs(y - 55) < 2;
            gray[i] = is_lamp ? 15 : has_texture && (x + y) % 3 == 0 ? 4 : 0;
        }
        find_lights(gray, 4, base);
        for (int i = 0; i < SMALL; i++)
            assert_int_equal(base[i], has_texture || gray[i] < 15 ? gray[i] : 0);
    }
}

UNIT_MAIN(UNIT(lower_thresholds_find_no_fewer), UNIT(dim_textures_hide_dim_lamps))
