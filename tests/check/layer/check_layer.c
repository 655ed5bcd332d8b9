#include "check/layer/layer_case.h"
#include "check/layer/layer_rim.h"

#include "layer/layer.h"

/* The kinds of pixels: channels 1..4, bits 8 and 16, and the ways to take a sample. */
enum { KINDS = 4 * 2 * 5 };

/* Sets a kind of pixels. Returns 0 if it does not exist (weights without alpha, half floats of 8 bits). */
static int kind_of(int kind, layer_case *k)
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

/* Returns a case of that size and these slabs; the rest is random. */
static layer_case random_case(check *c, int width, int height, int count, int radius)
{
    layer_case k = {.form = {.width = width, .height = height}, .count = count, .radius = radius};
    int found;

    do
        found = kind_of(random_below(&c->random, KINDS), &k);
    while (!found);
    k.form.pad = random_below(&c->random, 3) * (k.form.bits == 8 ? 3 : 6);
    k.form.skew = random_below(&c->random, 3) * (k.form.bits == 8 ? 1 : 2);
    k.content = (fill)random_below(&c->random, FILLS);
    k.depth = (depths)random_below(&c->random, DEPTHS);
    k.aperture = (apertures)random_below(&c->random, APERTURES);
    k.boxes = random_below(&c->random, 2) ? 1 + random_below(&c->random, 7) : 0;
    k.map_bits = 8 * (1 + random_below(&c->random, 2));
    k.map_channels = 1 + random_below(&c->random, 4);
    k.opaque = random_below(&c->random, 2);
    k.dither = random_below(&c->random, 2) ? 1 + random_below(&c->random, 99) : 0;
    k.covered = random_below(&c->random, 2);
    k.soft = random_below(&c->random, 3) ? 0 : random_below(&c->random, 9);
    k.most = random_below(&c->random, 2) ? 0 : (size_t)1 << (10 + random_below(&c->random, 13));
    if (random_below(&c->random, 2)) {
        k.behind = random_below(&c->random, count / 2 + 2);
        k.before = random_below(&c->random, count / 2 + 2);
    }
    return k;
}

/* Every kind with every sort of depth and of aperture. */
static void check_kinds(check *c)
{
    for (int i = 0; i < KINDS * DEPTHS; i += check_count(c, 1, 41)) {
        layer_case k = random_case(c, 27, 22, 1 + i % 9, 6);
        if (!kind_of(i % KINDS, &k) || check_hopeless(c))
            continue;
        k.form.pad &= ~1;
        k.form.skew &= ~1;
        k.depth = (depths)(i / KINDS);
        k.aperture = (apertures)(i % APERTURES);
        layer_case_run(c, &k);
    }
}

static void check_sizes(check *c)
{
    for (int i = 0; i < sizes_count && !check_hopeless(c); i++) {
        const int w = sizes[i].width, h = sizes[i].height;
        const int slabs = 1 + random_below(&c->random, 6);
        const layer_case k = random_case(c, w, h, slabs, random_below(&c->random, 9));
        if (size_wanted(c, &sizes[i]) && (!c->quick || i % 5 == 0))
            layer_case_run(c, &k);
    }
}

/* Few slabs, many, and the most there may be; apertures from one pixel to beyond the picture. */
static void check_random(check *c)
{
    for (int i = 0; i < check_count(c, 200, 2) && !check_hopeless(c); i++) {
        const int w = 1 + random_below(&c->random, i % 7 < 6 ? 50 : 300);
        const int h = 1 + random_below(&c->random, i % 7 < 6 ? 40 : 200);
        const int slabs = i % 9 == 8 ? SATK_MAX_SLABS : 1 + random_below(&c->random, 12);
        const int radius = random_below(&c->random, i % 3 ? 12 : 2 * (w + h));
        const layer_case k = random_case(c, w, h, slabs, radius);
        layer_case_run(c, &k);
    }
}

/* All in one slab, whose aperture is one pixel: every pixel must come out as it went in. */
static void check_sharp(check *c)
{
    for (int i = 0; i < KINDS; i += check_count(c, 1, 17)) {
        layer_case k = random_case(c, 19, 17, 3, 0);
        if (!kind_of(i, &k) || check_hopeless(c))
            continue;
        k.form.pad = k.form.skew = 0;
        k.depth = DEPTHS_ONE;
        k.aperture = APERTURES_DISC;
        layer_case_run(c, &k);
    }
}

/* One code in each channel, whatever the depth: every pixel must come out as it went in. */
static void check_constant(check *c)
{
    for (int i = 0; i < KINDS; i += check_count(c, 1, 17)) {
        layer_case k = random_case(c, 30, 25, 2 + i % 7, 8);
        if (!kind_of(i, &k) || check_hopeless(c))
            continue;
        k.form.pad = k.form.skew = 0;
        k.content = FILL_CONSTANT;
        k.depth = i % 2 ? DEPTHS_RANDOM : DEPTHS_SMOOTH;
        layer_case_run(c, &k);
    }
}

/* Bright colours where hardly anything is opaque: their mean must not leave the range of samples. */
static void check_faint(check *c)
{
    for (int i = 0; i < check_count(c, 24, 1) && !check_hopeless(c); i++) {
        layer_case k = random_case(c, 40, 31, 1 + i % 4, 12);
        k.form = (shape){40, 31, 2 + 2 * (i % 2), 8 + 8 * (i / 2 % 2), 0, 0};
        k.look = (oracle_look){i / 4 % 2, 1};
        k.content = FILL_BRIGHT;
        k.faint = 1;
        layer_case_run(c, &k);
    }
}

/* Windows as large as a table's word allows, all codes the largest: one row more, and a sum would
 * not fit. Where four boxes hold each pixel, a quarter as many pixels are as much, and nearly as many
 * take a longer word. */
static void check_limits(check *c)
{
    static const layer_case cases[] = {
        {.form = {64, 64, 3, 16, 0, 0}},                               /* 32 bits */
        {.form = {128, 128, 1, 8, 0, 0}, .look = {1, 0}},              /* 32 bits */
        {.form = {16, 16, 4, 16, 0, 0}, .look = {1, 0}},               /* 32 bits */
        {.form = {8, 8, 4, 8, 0, 0}, .look = {1, 1}},                  /* 32 bits */
        {.form = {511, 512, 3, 16, 0, 0}, .look = {1, 0}},             /* three in 128 bits */
        {.form = {512, 512, 3, 16, 0, 0}, .look = {1, 0}},             /* 64 bits */
        {.form = {256, 256, 4, 16, 0, 0}, .look = {1, 1}},             /* 64 bits */
        {.form = {1024, 1024, 2, 16, 0, 0}, .look = {0, 1}},           /* 64 bits */
        {.form = {1024, 1024, 2, 16, 0, 0}, .look = {ORACLE_HALF, 0}}, /* 64 bits */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int sort = 0; sort < 6 && !check_hopeless(c); sort++) {
            const int count = 1 + sort % 2;
            layer_case k = cases[i];
            k.boxes = sort / 2 > 0 ? 4 : 0;
            k.form.width >>= sort / 2 == 1;
            k.form.height >>= sort / 2 == 1;
            k.form.width -= sort / 2 == 2;
            k.aperture = APERTURES_SQUARE;
            k.content = count == 1 ? FILL_MAX : FILL_BRIGHT;
            k.depth = count == 1 ? DEPTHS_ONE : DEPTHS_RANDOM;
            k.map_bits = 8;
            k.map_channels = 1;
            k.count = count;
            k.radius = 2000;
            k.fixed = 1;
            if (!c->quick || (i == 3 && sort % 2))
                layer_case_run(c, &k);
        }
}

/* Three channels of linear light, which have tables of their own, with alpha left out or without any; and three of half
 * floats, which have not. */
static void check_three(check *c)
{
    for (int i = 0; i < 5 && !check_hopeless(c); i++) {
        layer_case k = random_case(c, 70, 45, 4, 9);
        k.form = (shape){70, 45, 3 + i % 2, i / 2 ? 16 : 8, 0, 0};
        k.look = (oracle_look){i == 4 ? ORACLE_HALF : 1, 0};
        k.content = FILL_BRIGHT;
        k.depth = DEPTHS_RANDOM;
        k.opaque = 1;
        layer_case_run(c, &k);
    }
}

/* The farthest apertures that radii allow. */
static void check_far(check *c)
{
    for (int i = 0; i < check_count(c, 9, 1) && !check_hopeless(c); i++) {
        layer_case k = random_case(c, 1 + 4 * i, 1 + 3 * i, 1 + i % 4, 1 << 23);
        k.radius >>= k.boxes > 0 ? 2 : 0; /* a form's has 8 bits more */
        k.fixed = i % 2;
        layer_case_run(c, &k);
    }
}

/* Pictures have many tiles, most of which have few slabs and some of which have all. Some windows
 * reach the very edge of a tile, by their size or by one pixel more. */
static void check_tiles(check *c)
{
    static const depths sorts[] = {DEPTHS_SPOTS, DEPTHS_SPOTS, DEPTHS_SPOTS,
                                   DEPTHS_GAPS,  DEPTHS_STEPS, DEPTHS_RANDOM};

    for (int i = 0; i < check_count(c, 84, 6) && !check_hopeless(c); i++) {
        const int w = 100 + random_below(&c->random, 120), h = 70 + random_below(&c->random, 130);
        const int slabs = i % 6 < 5 ? 2 + random_below(&c->random, 3 << i % 3) : 26;
        layer_case k = random_case(c, w, h, slabs, i % 4 ? 26 + i / 6 % 7 : i % 3);
        k.depth = sorts[i % 6];
        k.content = FILL_RANDOM;
        k.fixed = i % 12 < 10;
        if (k.fixed)
            k.aperture = (apertures)(i / 6 % 2);
        layer_case_run(c, &k);
    }
}

/* Tables that a device has for some rows of tiles at a time, of one slab or of several. Narrow pictures may be transposed,
 * unless a window has another shape then, though as many rows as columns. */
static void check_parts(check *c)
{
    for (int i = 0; i < check_count(c, 80, 6) && !check_hopeless(c); i++) {
        const int w = 20 + random_below(&c->random, 60), h = 300 + random_below(&c->random, 600);
        const int slabs = 2 + random_below(&c->random, 8);
        layer_case k = random_case(c, w, h, slabs, random_below(&c->random, i % 3 ? 30 : 90));
        k.depth = i % 2 ? DEPTHS_RANDOM : DEPTHS_SPOTS;
        if (i % 3 == 2) {
            k.aperture = APERTURES_EVEN;
            k.boxes = 0;
        }
        k.content = FILL_RANDOM;
        k.most = (size_t)(1 + random_below(&c->random, slabs))
                 << (15 + random_below(&c->random, 5));
        layer_case_run(c, &k);
    }
}

/* Coarse slabs lie behind the others, before them, on both sides, or there are no others. Pictures
 * cut off cells, and have several tiles of cells. */
static void check_cells(check *c)
{
    for (int i = 0; i < check_count(c, 160, 10) && !check_hopeless(c); i++) {
        const int wide = i % 10 == 9, slabs = 2 + random_below(&c->random, 7);
        const int w =
            wide ? 1000 + random_below(&c->random, 60) : 1 + random_below(&c->random, 290);
        const int h = 1 + random_below(&c->random, wide ? 40 : 180);
        layer_case k = random_case(c, w, h, slabs, random_below(&c->random, i % 4 ? 8 : 40));
        k.behind = i % 4 == 1 ? 0 : 1 + random_below(&c->random, slabs - 1);
        k.before = i % 4 == 0 ? 0 : 1 + random_below(&c->random, slabs - 1);
        k.fixed = i % 3 == 0;
        layer_case_run(c, &k);
    }
}

/* Only the wider windows of a coarse slab see it, since a slab that is not coarse fills the others
 * and hides it. It shows where its aperture is smaller than that of the hiding slab. */
static void check_sides(check *c)
{
    for (int i = 0; i < check_count(c, 60, 6) && !check_hopeless(c); i++) {
        const int w = 400 + random_below(&c->random, 300), h = 30 + random_below(&c->random, 60);
        layer_case k = random_case(c, w, h, 3 + i % 3, 10 + random_below(&c->random, 40));
        k.form.bits = 8;
        k.look = (oracle_look){k.look.linear != 0, 0};
        k.depth = DEPTHS_SIDES;
        k.aperture = (apertures)(i % 2);
        k.content = FILL_RANDOM;
        k.behind = 1;
        k.before = i % 3 == 0;
        k.fixed = 0;
        layer_case_run(c, &k);
    }
}

/* Patches of pixels, and of cells, begin at both ends of an axis, and the middle one has any number of columns. */
static void check_patches_of_forms(check *c)
{
    for (int i = 0; i < check_count(c, 80, 8) && !check_hopeless(c); i++) {
        const int wide = i % 4 == 3,
                  w = (wide ? 129 : 33) + random_below(&c->random, wide ? 400 : 90);
        const int h = 1 + random_below(&c->random, wide ? 30 : 90);
        layer_case k = random_case(c, w, h, 2 + random_below(&c->random, 4), 9);
        if (i % 2) {
            k.form.bits = 8;
            k.look = (oracle_look){k.look.linear == 1, 0};
            k.content = FILL_RANDOM;
            k.depth = DEPTHS_RANDOM;
        }
        k.boxes = 1 + random_below(&c->random, 7);
        k.cut = 1;
        k.behind = wide ? 1 + random_below(&c->random, 2) : 0;
        k.before = 0;
        layer_case_run(c, &k);
    }
}

/* A surface of one colour, nearly in focus, before others of any colour: it gets no light from beyond its rim. */
static void check_rim(check *c)
{
    for (int i = 0; i < check_count(c, 60, 6) && !check_hopeless(c); i++) {
        layer_case k = random_case(c, 70 + random_below(&c->random, 60),
                                   20 + random_below(&c->random, 40), 1, 0);
        layer_rim_choose(c, &k);
        layer_case_run(c, &k);
    }
}

void check_layer(check *c)
{
    check_run(c, "layer.kinds", check_kinds);
    check_run(c, "layer.sizes", check_sizes);
    check_run(c, "layer.random", check_random);
    check_run(c, "layer.sharp", check_sharp);
    check_run(c, "layer.constant", check_constant);
    check_run(c, "layer.faint", check_faint);
    check_run(c, "layer.limits", check_limits);
    check_run(c, "layer.three", check_three);
    check_run(c, "layer.far", check_far);
    check_run(c, "layer.tiles", check_tiles);
    check_run(c, "layer.cells", check_cells);
    check_run(c, "layer.sides", check_sides);
    check_run(c, "layer.parts", check_parts);
    check_run(c, "layer.patches", check_patches_of_forms);
    check_run(c, "layer.rim", check_rim);
}
