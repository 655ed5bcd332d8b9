#include "check/layer/points_case.h"

/* The kinds of pixels: channels 1..4, bits 8 and 16, linear or not, weighted or not, and half floats. */
enum { KINDS = 4 * 2 * 2 * 2, HALVES = 4 };

/* Sets a kind of pixels. Returns 0 if it does not exist (weights without alpha). */
static int kind_of(int kind, highlight_case *k)
{
    k->form.channels = kind % 4 + 1;
    if (kind >= KINDS) {
        k->form.bits = 16;
        k->look = (oracle_look){.linear = ORACLE_HALF};
        return 1;
    }
    k->form.bits = kind / 4 % 2 ? 16 : 8;
    k->look = (oracle_look){.linear = kind / 8 % 2, .weighted = kind / 16};
    return !k->look.weighted || k->form.channels % 2 == 0;
}

/* Returns a case of that size, kind and largest radius; the rest is random. */
static points_case random_case(check *c, int kind, int width, int height, double radius)
{
    static const fill fills[] = {FILL_RANDOM, FILL_STEPS, FILL_BRIGHT, FILL_MAX};
    points_case k = {.of = {.form = {.width = width, .height = height}, .radius = radius}};
    highlight_case *const of = &k.of;

    while (!kind_of(kind, of))
        kind = random_below(&c->random, KINDS + HALVES);
    of->form.pad = random_below(&c->random, 3) * (of->form.bits == 8 ? 2 : 6);
    of->form.skew = random_below(&c->random, 3) * 2;
    of->content = fills[random_below(&c->random, 4)];
    of->sort = (radii)random_below(&c->random, RADII);
    of->map_bits = 8 * (1 + random_below(&c->random, 2));
    of->map_channels = 1 + random_below(&c->random, 4);
    of->dark = 1 << random_below(&c->random, 6);
    of->spots = random_below(&c->random, 4) > 0;
    of->size = 1 + random_below(&c->random, 12);
    of->threshold = (uint32_t)random_below(&c->random, 3);
    k.shape = random_below(&c->random, POINT_SHAPES);
    k.orientation = 1 + random_below(&c->random, 8);
    k.groups = 1 + random_below(&c->random, SATK_POINT_GROUPS);
    k.lit = 1 + (unsigned)random_below(&c->random, (1 << k.groups) - 1);
    k.row = random_below(&c->random, 2) * random_below(&c->random, 40);
    k.beyond = random_below(&c->random, 2) * random_below(&c->random, 40);
    k.in_place = random_below(&c->random, 2);
    k.has_halo = of->look.linear != ORACLE_HALF && random_below(&c->random, 2);
    k.has_cover = random_below(&c->random, 2);
    k.has_left = random_below(&c->random, 4) > 0;
    k.alone = random_below(&c->random, 2);
    k.boost = 256 + (uint32_t)random_below(&c->random, 63 * 256 + 1);
    return k;
}

static double random_radius(check *c, int below)
{
    return random_below(&c->random, below * 256 + 1) / 256.0;
}

/* Every kind. */
static void check_kinds(check *c)
{
    for (int i = 0; i < KINDS + HALVES && !check_hopeless(c); i += check_count(c, 1, 5)) {
        const points_case k = random_case(c, i, 27, 22, 2 + random_radius(c, 8));
        points_case_run(c, &k);
    }
}

static void check_sizes(check *c)
{
    for (int i = 0; i < sizes_count && !check_hopeless(c); i++) {
        const points_case k = random_case(c, random_below(&c->random, KINDS + HALVES),
                                          sizes[i].width, sizes[i].height, random_radius(c, 9));
        if (size_wanted(c, &sizes[i]) && sizes[i].width * sizes[i].height < 5000 &&
            (!c->quick || i % 5 == 0))
            points_case_run(c, &k);
    }
}

/* From no radius to those that are beyond the picture; pictures of one tile and of several. */
static void check_random(check *c)
{
    for (int i = 0; i < check_count(c, 80, 4) && !check_hopeless(c); i++) {
        const int is_wide = i % 8 == 7;
        const int w = 1 + random_below(&c->random, is_wide ? 900 : 60);
        const int h = 1 + random_below(&c->random, is_wide ? 12 : 50);
        const points_case k = random_case(c, random_below(&c->random, KINDS + HALVES), w, h,
                                          random_radius(c, i % 3 ? 12 : 100));
        points_case_run(c, &k);
    }
}

/* White everywhere, in front of black, as bright as may be: sums as large as they become. Quick radii are a quarter: a
 * tool that watches shared memory takes minutes for the largest. */
static void check_far(check *c)
{
    for (int i = 0; i < KINDS + HALVES && !check_hopeless(c); i += check_count(c, 3, 11)) {
        points_case k = random_case(c, i, 40 + i, 30 + i, 3.0 * (1 + check_count(c, i, i / 4)));
        k.of.content = FILL_MAX;
        k.of.spots = 0;
        k.of.dark = 1 << 16;
        k.boost = SATK_MOST_BOOST;
        points_case_run(c, &k);
    }
}

void check_points(check *c)
{
    check_run(c, "points.kinds", check_kinds);
    check_run(c, "points.sizes", check_sizes);
    check_run(c, "points.random", check_random);
    check_run(c, "points.far", check_far);
}
