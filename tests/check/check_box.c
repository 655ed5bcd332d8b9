#include "check/box_case.h"

#include <string.h>

/* The kinds of pixels: channels 1..4, bits 8 and 16, and the ways to take a sample. */
enum { KINDS = 4 * 2 * 4 };

/* 0: this kind does not exist (weights without alpha). */
static int kind_of(int kind, box_case *k)
{
    k->form.channels = kind % 4 + 1;
    k->form.bits = kind / 4 % 2 ? 16 : 8;
    k->look.linear = kind / 8 % 2;
    k->look.weighted = kind / 16;
    return !k->look.weighted || k->form.channels % 2 == 0;
}

static void random_kind(check *c, box_case *k)
{
    int found;

    do
        found = kind_of(random_below(&c->random, KINDS), k);
    while (!found);
}

/* Everything that is neither the size, the kind nor the radius. */
static void random_rest(check *c, box_case *k)
{
    k->form.pad = random_below(&c->random, 3) * (k->form.bits == 8 ? 3 : 6);
    k->form.skew = random_below(&c->random, 3) * (k->form.bits == 8 ? 1 : 2);
    k->content = (fill)random_below(&c->random, FILLS);
    k->edge = random_below(&c->random, ORACLE_EDGES);
    k->threads = random_below(&c->random, 4) + 1;
    k->in_place = random_below(&c->random, 4) == 0;
    k->opaque = !k->look.weighted && k->form.channels % 2 == 0 && random_below(&c->random, 2) == 0;
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

    for (int i = 0; i < KINDS * ORACLE_EDGES * count; i += step) {
        box_case k = {.form = {.width = 29, .height = 23}};
        if (!kind_of(i % KINDS, &k) || check_hopeless(c))
            continue;
        random_rest(c, &k);
        k.edge = i / KINDS % ORACLE_EDGES;
        k.radius_x = radii[i / KINDS / ORACLE_EDGES][0];
        k.radius_y = radii[i / KINDS / ORACLE_EDGES][1];
        box_case_run(c, &k);
    }
}

/* Every size, with radii from small to beyond the picture. */
static void check_sizes(check *c)
{
    for (int i = 0; i < sizes_count; i++)
        for (int repeat = 0; repeat < check_count(c, 5, 1); repeat++) {
            const int w = sizes[i].width, h = sizes[i].height;
            const int reach = repeat < 3 ? 9 : (w < h ? h : w) + 3;
            box_case k = {.form = {.width = w, .height = h}};
            if (!size_wanted(c, &sizes[i]) || check_hopeless(c))
                continue;
            random_kind(c, &k);
            random_rest(c, &k);
            k.threads = repeat < 4 ? repeat + 1 : h > 60 ? 7 : h + 3;
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
        random_kind(c, &k);
        random_rest(c, &k);
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
    for (int i = 0; i < KINDS * 2; i += check_count(c, 1, 15)) {
        box_case k = {.form = {.width = 67, .height = 41}};
        if (!kind_of(i % KINDS, &k) || check_hopeless(c))
            continue;
        random_rest(c, &k);
        k.in_place = 1;
        k.map_bits = i / KINDS * 8;
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
        random_kind(c, &k);
        random_rest(c, &k);
        k.map_bits = random_below(&c->random, 3) * 8;
        k.map_channels = random_below(&c->random, 4) + 1;
        k.radius_x = random_radius(c, i % 3 ? 10 : 150);
        k.radius_y = random_radius(c, i % 4 ? 10 : 150);
        box_case_run(c, &k);
    }
}

/* Pictures higher than a thread's ring of table rows (a power of two of them), with radii around the
 * next power; and sums near 2^32 in windows that end at the edges. */
static void check_strips(check *c)
{
    for (int i = 0; i < check_count(c, 48, 4) && !check_hopeless(c); i++) {
        box_case k = {.form = {.width = 50, .height = 190}};
        random_kind(c, &k);
        random_rest(c, &k);
        k.edge = ORACLE_SHRINK;
        k.in_place = 0;
        k.map_bits = i % 3 * 8;
        k.map_channels = 1;
        k.radius_x = k.radius_y =
            (uint32_t)(14 + i % 4 + 16 * (i / 4 % 2)) * 256 + 128 * (i / 8 % 2);
        box_case_run(c, &k);
    }
    for (int i = 0; i < check_count(c, 6, 0) && !check_hopeless(c); i++) {
        const box_case k = {.form = {290, 270, 3 + i % 2, 16, 0, 0},
                            .content = FILL_BRIGHT,
                            .edge = ORACLE_SHRINK,
                            .radius_x = 127 * 256,
                            .radius_y = 127 * 256,
                            .map_bits = i % 3 * 8,
                            .map_channels = 1,
                            .threads = 2};
        box_case_run(c, &k);
    }
}

/* Maps as they are, with runs of one code: short ones, ones that end beyond one look, and ones longer than
 * one store. */
static void check_runs(check *c)
{
    static const int runs[] = {3, 40, 90, 400};

    for (int i = 0; i < check_count(c, 48, 8) && !check_hopeless(c); i++) {
        box_case k = {.form = {.width = 100 + random_below(&c->random, 400),
                               .height = 20 + random_below(&c->random, 40),
                               .channels = 3 + i / 4 % 2,
                               .bits = i / 8 % 3 ? 8 : 16}};
        random_rest(c, &k);
        k.edge = ORACLE_SHRINK;
        k.in_place = 0;
        k.map_bits = i % 8 == 7 ? 16 : 8;
        k.map_channels = i % 8 == 6 ? 3 : 1;
        k.map_runs = runs[i % 4];
        k.radius_x = k.radius_y = (uint32_t)random_below(&c->random, (i % 3 ? 12 : 70) * 256);
        box_case_run(c, &k);
    }
}

/* Columns of colours weighted by alpha, all codes the largest: the highest window whose columns add up to 32 bits,
 * and one row more on either side. Rows are wide enough for several pieces that are worked on at a time, of which some
 * have windows that are opaque, or transparent. */
static void check_weighed(check *c)
{
    for (int i = 0; i < check_count(c, 8, 2) && !check_hopeless(c); i++) {
        const box_case k = {.form = {i / 4 ? 3 : 300, 1040, i / 2 % 2 ? 2 : 4, 8, 0, 0},
                            .look = {1, 1},
                            .content = FILL_MAX,
                            .edge = ORACLE_SHRINK,
                            .radius_x = 256,
                            .radius_y = (uint32_t)(513 + i % 2) * 256,
                            .threads = i % 3 + 1};
        box_case_run(c, &k);
    }
    for (int i = 0; i < check_count(c, 40, 4) && !check_hopeless(c); i++) {
        const box_case k = {.form = {500 + i, 90, i % 2 ? 2 : 4, 8, 0, 0},
                            .look = {i / 2 % 4 > 0, 1},
                            .content = i % 5 ? FILL_SPECKS : FILL_HOLES,
                            .radius_x = (uint32_t)random_below(&c->random, i % 7 ? 9 : 150) * 256,
                            .radius_y = (uint32_t)random_below(&c->random, 9) * 256,
                            .threads = i % 3 + 1};
        box_case_run(c, &k);
    }
}

/* Windows that slide from one code's pixels to the next one's, so that every sample is the mean of some. */
static void check_samples(check *c)
{
    const satk_tone tone = tones_get(8, &(oracle_look){.linear = 1}, ON_CPU);

    check_case(c, "steps of linear light");
    for (int code = 1; code < 256; code++)
        check_that(c, ON_CPU, tone.decode[code] - tone.decode[code - 1] < STAIR,
                   "samples are left out before code %d", code);
    for (int kind = 0; kind < 8 && !check_hopeless(c); kind += kind < 3 ? 1 : 2) {
        const box_case k = {.form = {256 * STAIR, 1, kind % 4 + 1, 8, 0, 0},
                            .look = {1, kind >= 4},
                            .content = FILL_STAIRS,
                            .radius_x = (STAIR / 2 - 1) * 256, /* windows narrower than a step */
                            .opaque = kind < 4 && kind % 2,
                            .threads = 1};
        box_case_run(c, &k);
    }
}

/* Plain codes, in pictures of several tiles of the kernel that makes a piece of the table for each: small
 * radii of every kind, and the largest that leave enough of a piece, as wide as high or not. */
static void check_tiles(check *c)
{
    static const uint32_t radii[][2] = {
        {0, 0},
        {1 * 256, 1 * 256},
        {2 * 256 + 77, 2 * 256 + 77},
        {0, 31 * 256},
        {8 * 256, 8 * 256},
        {5 * 256 + 3, 4 * 256},
        {32 * 256, 32 * 256},
        {31 * 256 + 200, 31 * 256 + 200},
        {40 * 256, 0},
        {44 * 256, 44 * 256},
        {20 * 256, 55 * 256 + 1},
        {46 * 256 + 128, 12 * 256},
    };
    const int count = sizeof radii / sizeof *radii;

    for (int i = 0; i < check_count(c, 12 * count, 6) && !check_hopeless(c); i++) {
        const int j = c->quick ? i * 5 % count : i % count;
        box_case k = {.form = {.width = 60 + random_below(&c->random, 400),
                               .height = 60 + random_below(&c->random, 400),
                               .channels = i / count % 4 + 1,
                               .bits = 8}};
        random_rest(c, &k);
        k.form.skew = k.form.skew / 4 * 4;
        k.form.pad = (k.form.width * k.form.channels + 3) / 4 * 4 - k.form.width * k.form.channels;
        k.opaque = k.form.channels % 2 == 0;
        k.edge = ORACLE_SHRINK;
        k.in_place = 0;
        k.radius_x = radii[j][0];
        k.radius_y = radii[j][1];
        k.map_bits = i / count / 4 * 8;
        k.map_channels = i % 4 + 1;
        box_case_run(c, &k);
    }
}

/* Plain codes and whole radii, the same for all pixels: bands of rows of every sort, rows that are aligned
 * and not, and that end within a thread's columns; windows from small to all of the picture. */
static void check_slides(check *c)
{
    for (int i = 0; i < check_count(c, 96, 6) && !check_hopeless(c); i++) {
        const int channels = i % 4 + 1, aligned = i / 4 % 2;
        const int width = i % 3 ? 1 + random_below(&c->random, 400) : 256 * (1 + i / 3 % 3);
        const int step = aligned ? 16 : 4, bytes = width * channels;
        box_case k = {.form = {width, 1 + random_below(&c->random, 300), channels, 8,
                               .pad = (bytes + step - 1) / step * step - bytes,
                               .skew = aligned ? 0 : 4},
                      .content = (fill)random_below(&c->random, FILLS),
                      .edge = ORACLE_SHRINK,
                      .opaque = channels % 2 == 0,
                      .threads = 2};
        k.radius_x = (uint32_t)random_below(&c->random, i % 5 ? 90 : 500) * 256;
        k.radius_y = (uint32_t)(16 + random_below(&c->random, i % 5 ? 90 : 500)) * 256;
        box_case_run(c, &k);
    }
}

/* The same in rows that take several blocks, with windows as large as they may be, all codes the largest or
 * nearly so. */
static void check_wide_slides(check *c)
{
    static const struct {
        int width, height, radius_x, radius_y;
    } cases[] = {
        {8190, 40, 30, 12},       {8192, 33, 9000, 16},  {8200, 24, 2043, 12},
        {12300, 17, 2000, 40},    {20000, 33, 2044, 13}, {8191, 1024, 8191, 1},
        {8192, 1024, 8192, 1024},
    };

    for (int i = 0; i < check_count(c, sizeof cases / sizeof *cases, 1); i++)
        for (int channels = 1; channels <= check_count(c, 4, 1) && !check_hopeless(c); channels++) {
            const box_case k = {.form = {cases[i].width, cases[i].height, channels, 8, 0, 0},
                                .content = i % 2 ? FILL_MAX : FILL_BRIGHT,
                                .edge = ORACLE_SHRINK,
                                .radius_x = (uint32_t)cases[i].radius_x * 256,
                                .radius_y = (uint32_t)cases[i].radius_y * 256,
                                .opaque = channels % 2 == 0,
                                .threads = 2};
            box_case_run(c, &k);
        }
}

void check_box(check *c)
{
    static const struct {
        const char *name;
        void (*run)(check *c);
    } groups[] = {
        {"box.kinds", check_kinds},     {"box.sizes", check_sizes},
        {"box.maps", check_maps},       {"box.in_place", check_in_place},
        {"box.limits", check_limits},   {"box.full_words", check_full_words},
        {"box.far", check_far},         {"box.random", check_random},
        {"box.strips", check_strips},   {"box.weighed", check_weighed},
        {"box.samples", check_samples}, {"box.tiles", check_tiles},
        {"box.slides", check_slides},   {"box.wide_slides", check_wide_slides},
        {"box.runs", check_runs},
    };

    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (check_group(c, groups[i].name))
            groups[i].run(c);
    if (check_large_group(c, "box.large") && large_fits(c, c->cuda ? 36 : 32, 28))
        box_case_large(c);
}
