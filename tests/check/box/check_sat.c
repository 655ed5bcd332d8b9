#include "check/box/sat_case.h"
#include "sat/sat_tune.cuh"
#include "support/device.h"

/* The kinds of pixels and tables: channels 1..4, bits 8 and 16, word 32 and 64, and the ways to
 * take a sample. */
enum { KINDS = 4 * 2 * 2 * 5 };

/* Sets a kind. Returns 0 if it does not exist (weights without alpha). */
static int kind_of(int kind, sat_case *k)
{
    const int channels = kind % 4 + 1;

    k->form.channels = channels;
    k->form.bits = kind / 4 % 2 ? 16 : 8;
    k->word = kind / 8 % 2 ? 64 : 32;
    k->look.linear = kind / 16 % 2;
    k->look.weighted = kind / 32 == 1;
    if (kind / 32 == 2) {
        k->look.linear = ORACLE_HALF;
        return k->form.bits == 16;
    }
    return !k->look.weighted || channels % 2 == 0;
}

static void random_layout(check *c, shape *s)
{
    s->pad = random_below(&c->random, 3) * (s->bits == 8 ? 3 : 6);
    s->skew = random_below(&c->random, 3) * (s->bits == 8 ? 1 : 2);
}

/* Every size with several kinds, different ones from size to size. */
static void check_sizes(check *c)
{
    for (int i = 0; i < sizes_count; i++) {
        const size_t pixels = (size_t)sizes[i].width * (size_t)sizes[i].height;
        const int step = c->quick ? 37 : pixels > 100000 ? 11 : 5;
        for (int kind = i % step; kind < KINDS && size_wanted(c, &sizes[i]); kind += step) {
            sat_case k = {.form = {.width = sizes[i].width, .height = sizes[i].height}};
            if (!kind_of(kind, &k) || check_hopeless(c))
                continue;
            random_layout(c, &k.form);
            sat_case_run(c, &k);
        }
    }
}

/* Sizes around the one-pass builder's tiles: strips and chunks that just fit a warp or a block, and
 * that do not; more tiles than the device runs at a time; several bands, of few strips and of many,
 * which is for a device alone. Every size has every kind, in turn. */
static void check_tiles(check *c)
{
    const int strip = 32 * SATK_LOOKBACK_PIXELS(1, 4), sizes_there = c->cuda && !c->quick ? 11 : 4;
    const shape forms[] = {
        {.width = strip - 1, .height = 300},     {.width = 2 * strip + 1, .height = 129},
        {.width = 4 * strip, .height = 65},      {.width = 4 * strip + 1, .height = 40},
        {.width = strip, .height = 257},         {.width = strip + 8, .height = 4200},
        {.width = 3 * strip - 4, .height = 511}, {.width = 2999, .height = 1451},
        {.width = 270 * strip, .height = 66},    {.width = 66 * strip, .height = 650},
        {.width = (1 << 16) + 5, .height = 2},
    };

    for (int kind = 0; kind < KINDS; kind += check_count(c, 1, 5)) {
        sat_case k = {.form = forms[(kind / 4 + kind) % sizes_there]};
        if (!kind_of(kind, &k) || check_hopeless(c))
            continue;
        random_layout(c, &k.form);
        sat_case_run(c, &k);
        k.form.pad = k.form.skew = 0; /* wide loads, where the width allows them */
        sat_case_run(c, &k);
    }
}

/* Every kind with every content, at two sizes. */
static void check_kinds(check *c)
{
    for (int kind = 0; kind < KINDS; kind += check_count(c, 1, 7))
        for (int f = 0; f < FILLS; f++) {
            sat_case k = {.form = {.width = 61, .height = 67}, .content = (fill)f};
            if (f % 2)
                k.form.width = 129, k.form.height = 13;
            if (!kind_of(kind, &k) || check_hopeless(c))
                continue;
            random_layout(c, &k.form);
            sat_case_run(c, &k);
        }
}

/* Sums that pass 2^32 many times over: the table must wrap around, not saturate. */
static void check_wraps(check *c)
{
    const sat_case cases[] = {
        {.form = {1200, 400, 1, 16, 0, 0}, .content = FILL_MAX, .word = 32},
        {.form = {1200, 400, 4, 8, 0, 0}, {1, 1}, .content = FILL_MAX, .word = 32},
        {.form = {1200, 400, 4, 16, 0, 0}, {1, 1}, .content = FILL_MAX, .word = 64},
    };

    for (int i = 0; i < check_count(c, 3, 1) && !check_hopeless(c); i++)
        sat_case_run(c, &cases[i]);
}

/* Several pictures in a launch, cut from a tall one: each table starts anew. */
static void check_pictures(check *c)
{
    enum { PICTURES = 3, WIDTH = 301, HEIGHT = 67 };

    for (int kind = 0; kind < KINDS && c->cuda; kind += check_count(c, 5, 23)) {
        sat_case k = {.form = {.width = WIDTH, .height = HEIGHT * PICTURES}};
        if (!kind_of(kind, &k) || check_hopeless(c))
            continue;
        random_layout(c, &k.form);
        sat_case_pictures(c, &k, PICTURES);
    }
}

/* Plain RGBA of many tiles: one more pixel than whole tiles across or down, bands of several pictures; rows that are
 * aligned and not. */
static void check_rgba(check *c)
{
    const shape forms[] = {
        {.width = 1028, .height = 289}, {.width = 64, .height = 769},
        {.width = 3072, .height = 31},  {.width = 2047, .height = 64},
        {.width = 577, .height = 512},  {.width = 35841, .height = 70},
        {.width = 31, .height = 10240}, {.width = 9216, .height = 257},
    };

    for (int i = 0; i < check_count(c, 8, 2) && !check_hopeless(c); i++) {
        sat_case k = {.form = forms[i], .word = 32};
        if (c->quick) /* still more than one tile in each direction */
            k.form.height = forms[i].height / 3 + 1;
        k.form.channels = 4;
        k.form.bits = 8;
        sat_case_run(c, &k);
        random_layout(c, &k.form);
        sat_case_run(c, &k);
        k.form.height *= 3;
        if (c->cuda && i < 4)
            sat_case_pictures(c, &k, 3);
    }
}

/* Builds whose numbers begin again. Without that, tiles of build 2^31 would wait for ever. */
static void check_builds(check *c)
{
    const shape forms[] = {{700, 300, 1, 8, 0, 0}, {700, 300, 4, 8, 0, 0}};

    for (int i = 0; i < 2 && c->cuda && !check_hopeless(c); i++) {
        const sat_case k = {.form = forms[i], .word = 32};
        sat_case_run(c, &k); /* its board is there then */
        sat_case_describe(c, &k, "the last numbers of builds");
        if (check_launch(c, device_age_board()))
            sat_case_run(c, &k);
    }
}

static void check_random(check *c)
{
    for (int i = 0; i < check_count(c, 200, 4) && !check_hopeless(c); i++) {
        sat_case k = {.content = (fill)random_below(&c->random, FILLS)};
        while (!kind_of(random_below(&c->random, KINDS), &k))
            ;
        k.form.width = random_below(&c->random, i % 2 ? 90 : 2600) + 1;
        k.form.height = random_below(&c->random, i % 3 ? 90 : 300) + 1;
        random_layout(c, &k.form);
        sat_case_run(c, &k);
    }
}

void check_sat(check *c)
{
    check_run(c, "sat.sizes", check_sizes);
    check_run(c, "sat.tiles", check_tiles);
    check_run(c, "sat.kinds", check_kinds);
    check_run(c, "sat.wraps", check_wraps);
    check_run(c, "sat.pictures", check_pictures);
    check_run(c, "sat.rgba", check_rgba);
    check_run(c, "sat.builds", check_builds);
    check_run(c, "sat.random", check_random);
    if (check_large_group(c, "sat.large.bytes") && large_fits(c, 7, 8))
        sat_case_large(c, &large_bytes);
    if (check_large_group(c, "sat.large.words") && large_fits(c, c->cuda ? 40 : 23, 24))
        sat_case_large(c, &large_words);
}
