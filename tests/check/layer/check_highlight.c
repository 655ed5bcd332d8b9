#include "check/layer/highlight_case.h"

/* --- Cases ------------------------------------------------------------------------------------ */

/* The kinds of pixels: channels 1..4, bits 8 and 16, linear or not, weighted or not. */
enum { KINDS = 4 * 2 * 2 * 2 };

/* Sets a kind of pixels. Returns 0 if it does not exist (weights without alpha). */
static int kind_of(int kind, highlight_case *k)
{
    k->form.channels = kind % 4 + 1;
    k->form.bits = kind / 4 % 2 ? 16 : 8;
    k->look.linear = kind / 8 % 2;
    k->look.weighted = kind / 16;
    return !k->look.weighted || k->form.channels % 2 == 0;
}

/* Returns the sample of a part of white: mostly a half. */
static uint32_t threshold_for(check *c, const highlight_case *k)
{
    const uint32_t white = highlight_white(k);

    return random_below(&c->random, 3) ? white / 2
                                       : 1 + (uint32_t)random_below(&c->random, (int)white);
}

/* Returns a case of that size and largest radius; the rest is random. */
static highlight_case random_case(check *c, int width, int height, double radius)
{
    static const fill fills[] = {FILL_RANDOM, FILL_STEPS, FILL_BRIGHT, FILL_MAX};
    highlight_case k = {.form = {.width = width, .height = height}, .radius = radius};
    int found;

    do
        found = kind_of(random_below(&c->random, KINDS), &k);
    while (!found);
    k.form.pad = random_below(&c->random, 3) * (k.form.bits == 8 ? 3 : 6);
    k.form.skew = random_below(&c->random, 3) * (k.form.bits == 8 ? 1 : 2);
    k.content = fills[random_below(&c->random, 4)];
    k.sort = (radii)random_below(&c->random, RADII);
    k.map_bits = 8 * (1 + random_below(&c->random, 2));
    k.map_channels = 1 + random_below(&c->random, 4);
    k.dark = 1 << random_below(&c->random, 6);
    k.spots = random_below(&c->random, 4) > 0;
    k.size = 1 + random_below(&c->random, width * height > 5000 ? 3 : 12);
    k.threshold = threshold_for(c, &k);
    k.some_rows = random_below(&c->random, 2);
    return k;
}

static double random_radius(check *c, int below)
{
    return random_below(&c->random, below * 256 + 1) / 256.0;
}

/* Every kind with every sort of radii. */
static void check_kinds(check *c)
{
    for (int i = 0; i < KINDS * RADII; i += check_count(c, 1, 13)) {
        highlight_case k = random_case(c, 27, 22, 1 + random_radius(c, 8));
        if (!kind_of(i % KINDS, &k) || check_hopeless(c))
            continue;
        k.form.pad &= ~1;
        k.form.skew &= ~1;
        k.threshold = threshold_for(c, &k);
        k.sort = (radii)(i / KINDS);
        highlight_case_run(c, &k);
    }
}

static void check_sizes(check *c)
{
    for (int i = 0; i < sizes_count && !check_hopeless(c); i++) {
        const highlight_case k =
            random_case(c, sizes[i].width, sizes[i].height, random_radius(c, 9));
        if (size_wanted(c, &sizes[i]) && (!c->quick || i % 5 == 0))
            highlight_case_run(c, &k);
    }
}

/* From no radius to those that are beyond the picture; pictures of one tile and of several. */
static void check_random(check *c)
{
    for (int i = 0; i < check_count(c, 100, 3) && !check_hopeless(c); i++) {
        const int w = 1 + random_below(&c->random, i % 7 < 6 ? 60 : 900);
        const int h = 1 + random_below(&c->random, i % 7 < 6 ? 50 : 600);
        const highlight_case k = random_case(c, w, h, random_radius(c, i % 3 ? 12 : 100));
        highlight_case_run(c, &k);
    }
}

void check_highlight(check *c)
{
    check_run(c, "highlight.kinds", check_kinds);
    check_run(c, "highlight.sizes", check_sizes);
    check_run(c, "highlight.random", check_random);
}
