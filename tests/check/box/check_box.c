#include "check/box/check_box.h"

#include <string.h>

int check_box_kind(int kind, box_case *k)
{
    k->form.channels = kind % 4 + 1;
    k->form.bits = kind / 4 % 2 ? 16 : 8;
    k->look.linear = kind / 8 % 2;
    k->look.weighted = kind / 16 == 1;
    if (kind / 16 == 2) {
        k->look.linear = ORACLE_HALF;
        return k->form.bits == 16;
    }
    return !k->look.weighted || k->form.channels % 2 == 0;
}

void check_box_any_kind(check *c, box_case *k)
{
    int found;

    do
        found = check_box_kind(random_below(&c->random, BOX_KINDS), k);
    while (!found);
}

void check_box_any_rest(check *c, box_case *k)
{
    k->form.pad = random_below(&c->random, 3) * (k->form.bits == 8 ? 3 : 6);
    k->form.skew = random_below(&c->random, 3) * (k->form.bits == 8 ? 1 : 2);
    k->content = (fill)random_below(&c->random, FILLS);
    k->edge = random_below(&c->random, ORACLE_EDGES);
    k->threads = random_below(&c->random, 4) + 1;
    k->in_place = random_below(&c->random, 4) == 0;
    k->opaque = !k->look.weighted && k->look.linear != ORACLE_HALF && k->form.channels % 2 == 0 &&
                random_below(&c->random, 2) == 0;
}

static uint32_t random_radius(check *c, int max)
{
    const uint32_t whole = (uint32_t)random_below(&c->random, max + 1) * 256;

    return random_below(&c->random, 2) ? whole : whole + (uint32_t)random_below(&c->random, 256);
}

/* Every kind with every edge and every sort of radius. */
static void check_kinds(check *c)
{
    static const uint32_t radii[][2] = {
        {0, 0},                      /* copies */
        {256, 256},                  /* the smallest whole window */
        {0, 3 * 256},                /* one axis only */
        {1, 1},                      /* the smallest fraction */
        {255, 257},                  /* the largest fraction, and just above a whole radius */
        {128, 0},                    /* a fraction on one axis only */
        {5 * 256 + 128, 2 * 256},    /* fraction and whole */
        {3 * 256 + 77, 7 * 256 + 5}, /* different fractions */
        {18 * 256, 14 * 256},        /* 2 r + 1 = the width + 8, the height */
        {28 * 256 + 9, 28 * 256},    /* r + 1 = the width */
        {29 * 256, 29 * 256 + 200},  /* r = the width */
        {100 * 256 + 50, 90 * 256},  /* several pictures away */
        {0, 1000 * 256},             /* far away on one axis */
    };
    const int count = sizeof radii / sizeof *radii, step = check_count(c, 1, 97);

    for (int i = 0; i < BOX_KINDS * ORACLE_EDGES * count; i += step) {
        box_case k = {.form = {.width = 29, .height = 23}};
        if (!check_box_kind(i % BOX_KINDS, &k) || check_hopeless(c))
            continue;
        check_box_any_rest(c, &k);
        k.edge = i / BOX_KINDS % ORACLE_EDGES;
        k.radius_x = radii[i / BOX_KINDS / ORACLE_EDGES][0];
        k.radius_y = radii[i / BOX_KINDS / ORACLE_EDGES][1];
        box_case_run(c, &k);
    }
}

/* Every size, with radii from small to beyond the picture, by few threads and by many. */
static void check_sizes(check *c)
{
    for (int i = 0; i < sizes_count; i++)
        for (int repeat = 0; repeat < check_count(c, 3, 1); repeat++) {
            const int w = sizes[i].width, h = sizes[i].height;
            const int reach = repeat == 0 ? 9 : (w < h ? h : w) + 3;
            box_case k = {.form = {.width = w, .height = h}};
            if (!size_wanted(c, &sizes[i]) || check_hopeless(c))
                continue;
            check_box_any_kind(c, &k);
            check_box_any_rest(c, &k);
            k.threads = repeat < 2 ? 1 + (i + repeat) % 4 : h > 60 ? 7 : h + 3;
            k.radius_x = random_radius(c, reach < 100000 ? reach : 100000);
            k.radius_y = random_radius(c, reach < 100000 ? reach : 100000);
            box_case_run(c, &k);
        }
}

/* A radius for every pixel. */
static void check_maps(check *c)
{
    for (int i = 0; i < check_count(c, 160, 6) && !check_hopeless(c); i++) {
        box_case k = {.form = {.width = random_below(&c->random, 70) + 1,
                               .height = random_below(&c->random, 70) + 1}};
        check_box_any_kind(c, &k);
        check_box_any_rest(c, &k);
        k.map_bits = i % 2 ? 16 : 8;
        k.map_channels = i / 2 % 4 + 1;
        k.edge = i / 8 % ORACLE_EDGES;
        k.radius_x = random_radius(c, i % 5 ? 12 : 200);
        box_case_run(c, &k);
    }
}

/* dst is src: every kind, with and without a map. */
static void check_in_place(check *c)
{
    for (int i = 0; i < BOX_KINDS * 2; i += check_count(c, 1, 15)) {
        box_case k = {.form = {.width = 67, .height = 41}};
        if (!check_box_kind(i % BOX_KINDS, &k) || check_hopeless(c))
            continue;
        check_box_any_rest(c, &k);
        k.in_place = 1;
        k.map_bits = i / BOX_KINDS * 8;
        k.map_channels = 1;
        k.radius_x = k.radius_y = random_radius(c, 8);
        box_case_run(c, &k);
    }
}

/* The largest windows whose sums fit a word, all codes the largest: one more step and they would
 * not. */
static void check_limits(check *c)
{
    static const box_case cases[] = {
        {.form = {9, 7, 1, 8, 0, 0}, .radius_x = 2051 * 256, .radius_y = 2051 * 256},
        {.form = {9, 7, 3, 16, 0, 0}, .radius_x = 127 * 256, .radius_y = 127 * 256},
        {.form = {9, 7, 3, 8, 0, 0}, {1, 0}, .radius_x = 255 * 256, .radius_y = 255 * 256},
        {.form = {9, 7, 4, 8, 0, 0}, {1, 1}, .radius_x = 15 * 256 + 128, .radius_y = 15 * 256},
        {.form = {9, 7, 4, 16, 0, 0}, {1, 1}, .radius_x = 8191 * 256, .radius_y = 8191 * 256},
        {.form = {9, 7, 4, 16, 0, 0}, {1, 1}, .radius_x = 8190 * 256 + 1, .radius_y = 8190 * 256},
        {.form = {5, 6, 2, 16, 0, 0}, {0, 1}, .radius_x = 32767 * 256, .radius_y = 32767 * 256},
        {.form = {5, 6, 2, 16, 0, 0}, {1, 1}, .radius_x = 31 * 256 + 128, .radius_y = 31 * 256},
        {.form = {3, 2, 3, 8, 0, 0}, .radius_x = 1000003 * 256, .radius_y = 999999 * 256 + 255},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int edge = 0; edge < ORACLE_EDGES && !check_hopeless(c); edge++) {
            box_case k = cases[i];
            k.edge = edge;
            k.content = FILL_MAX;
            k.threads = 2;
            if (!c->quick || (i % 4 == 0 && i < 8))
                box_case_run(c, &k);
        }
}

/* Windows of random sizes whose sums need all bits of a word, with any remainder: an estimated quotient is
 * wrong there first. Radii are whole; the picture goes on beyond the edges. */
static void check_full_words(check *c)
{
    for (int i = 0; i < check_count(c, 60, 4) && !check_hopeless(c); i++) {
        box_case k = {.form = {16, 9, i % 4 + 1, i % 8 < 4 ? 8 : 16, 0, 0},
                      .look = {i / 8 % 2, 0},
                      .content = FILL_BRIGHT,
                      .edge = ORACLE_CLAMP + i % 3,
                      .threads = 2};
        const uint32_t sample_max = oracle_sample_max(k.form.bits, &k.look);
        const uint32_t area = UINT32_MAX / sample_max;
        const uint32_t rx =
            (uint32_t)random_below(&c->random, (int)(area / 6 < 9000 ? area / 6 : 9000));

        k.radius_x = rx * 256;
        k.radius_y = (area / (2 * rx + 1) - 1) / 2 * 256;
        box_case_run(c, &k);
        k.form.channels = 4; /* the same for 64 bits */
        k.form.bits = 16;
        k.look = (oracle_look){1, 1};
        k.radius_x = (4000 + rx) * 256;
        k.radius_y = ((1u << 28) / (2 * (4000 + rx) + 1) - 1) / 2 * 256;
        box_case_run(c, &k);
    }
}

/* The farthest radii that box.h allows: r + 1 just below 2^24. */
static void check_far(check *c)
{
    for (int edge = 0; edge < ORACLE_EDGES && !check_hopeless(c) && !c->quick; edge++) {
        const box_case k = {.form = {2, 1, 3, 8, 0, 0},
                            .edge = edge,
                            .radius_x = 0xfffffeu * 256,
                            .radius_y = 256,
                            .threads = 1};
        box_case_run(c, &k);
    }
}

static void check_random(check *c)
{
    for (int i = 0; i < check_count(c, 400, 6) && !check_hopeless(c); i++) {
        box_case k = {.form = {.width = random_below(&c->random, i % 7 ? 60 : 900) + 1,
                               .height = random_below(&c->random, i % 6 ? 60 : 400) + 1}};
        check_box_any_kind(c, &k);
        check_box_any_rest(c, &k);
        k.map_bits = random_below(&c->random, 3) * 8;
        k.map_channels = random_below(&c->random, 4) + 1;
        k.radius_x = random_radius(c, i % 3 ? 10 : 150);
        k.radius_y = random_radius(c, i % 4 ? 10 : 150);
        box_case_run(c, &k);
    }
}

void check_box(check *c)
{
    check_run(c, "box.kinds", check_kinds);
    check_run(c, "box.sizes", check_sizes);
    check_run(c, "box.maps", check_maps);
    check_run(c, "box.in_place", check_in_place);
    check_run(c, "box.limits", check_limits);
    check_run(c, "box.full_words", check_full_words);
    check_run(c, "box.far", check_far);
    check_run(c, "box.random", check_random);
    if (check_large_group(c, "box.large") && large_fits(c, c->cuda ? 36 : 32, 28))
        box_case_large(c);
}
