/* Cases for the ways to blur without a whole table. They are cases of `box`, and must have its bits. */
#include "check/box/check_box.h"

/* Pictures higher than a thread's ring of table rows (a power of two of them), with radii around the
 * next power; and sums near 2^32 in windows that end at the edges. */
static void check_strips(check *c)
{
    for (int i = 0; i < check_count(c, 48, 4) && !check_hopeless(c); i++) {
        box_case k = {.form = {.width = 50, .height = 190}};
        check_box_any_kind(c, &k);
        check_box_any_rest(c, &k);
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
        check_box_any_rest(c, &k);
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
        check_box_any_rest(c, &k);
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

/* Returns case i of windows that slide: bands of rows of every sort, rows that are aligned and not, and that
 * end within a thread's columns; windows from small to all of the picture. Two cases of three have fractions, of few bits
 * or of many, on one axis or on both. */
static box_case slide_case(check *c, int i, int bits, int least_radius)
{
    const uint32_t fraction =
        (uint32_t)(i / 2 % 3 * (i / 2 % 3 == 1 ? 128 : random_below(&c->random, 128)));
    const int channels = i % 4 + 1, aligned = i / 4 % 2;
    const int width = i % 3 ? 1 + random_below(&c->random, 400) : 256 * (1 + i / 3 % 3);
    const int step = aligned ? 16 : 4, bytes = width * channels * bits / 8;
    box_case k = {.form = {width, 1 + random_below(&c->random, 300), channels, bits,
                           .pad = (bytes + step - 1) / step * step - bytes,
                           .skew = aligned ? 0 : 4},
                  .content = (fill)random_below(&c->random, FILLS),
                  .edge = ORACLE_SHRINK,
                  .opaque = channels % 2 == 0,
                  .threads = 2};

    k.radius_x = (uint32_t)random_below(&c->random, i % 5 ? 90 : 500) * 256;
    k.radius_y = (uint32_t)(least_radius + random_below(&c->random, i % 5 ? 90 : 500)) * 256;
    k.radius_x += i % 7 ? fraction : 0;
    k.radius_y += i % 4 ? fraction : 0;
    return k;
}

/* Plain codes, and radii that are the same for all pixels. */
static void check_slides(check *c)
{
    for (int i = 0; i < check_count(c, 96, 6) && !check_hopeless(c); i++) {
        const box_case k = slide_case(c, i, 8, 16);
        box_case_run(c, &k);
    }
}

/* The same in linear light, and with colours weighted by alpha; also with radii for which pieces of a table
 * would hold the sums of codes, some of them with a fraction. */
static void check_toned_slides(check *c)
{
    for (int i = 0; i < check_count(c, 192, 16) && !check_hopeless(c); i++) {
        box_case k = slide_case(c, i, 8, 0);
        const int has_alpha = k.form.channels % 2 == 0, kind = has_alpha ? i / 4 % 4 : 0;
        k.look = (oracle_look){.linear = kind != 1, .weighted = kind > 0};
        k.opaque = has_alpha && (kind == 0 || kind == 3);
        if (kind == 2 && i % 3 == 0)
            k.content = FILL_HOLES;
        if (i / 8 % 2) {
            k.radius_x = (uint32_t)random_below(&c->random, 16) * 256 + (i % 8 == 2 ? 77 : 0);
            k.radius_y = (uint32_t)random_below(&c->random, 16) * 256;
        }
        box_case_run(c, &k);
    }
}

/* Windows that add up to as much as 32 bits take, or to a little more: these are summed in halves. All codes
 * are the largest, or nearly so, and windows are as large as the picture, or smaller. */
static void check_halves(check *c)
{
    static const struct {
        int width, height, channels, linear, weighted, radius_y;
        uint32_t fraction; /* of both radii, in 1/256 */
    } cases[] = {
        {396, 331, 3, 1, 0, 165, 0},   {397, 331, 3, 1, 0, 165, 0}, {396, 340, 1, 1, 0, 165, 0},
        {530, 530, 3, 1, 0, 300, 0},   {530, 530, 4, 1, 0, 300, 0}, {2, 257, 4, 1, 1, 128, 0},
        {5, 103, 4, 1, 1, 51, 0},      {40, 40, 4, 1, 1, 20, 0},    {182, 181, 4, 0, 1, 90, 0},
        {183, 181, 2, 0, 1, 90, 0},    {300, 300, 4, 0, 1, 150, 0}, {600, 1028, 2, 1, 1, 600, 0},
        {16, 8, 4, 0, 0, 20, 77},      {43, 3, 3, 0, 0, 20, 77},    {217, 151, 4, 1, 0, 160, 77},
        {256, 128, 3, 1, 0, 160, 77},  {9, 4, 4, 1, 1, 4, 77},      {9, 5, 2, 1, 1, 5, 77},
        {198, 165, 3, 1, 0, 165, 128},
    };
    const int count = sizeof cases / sizeof *cases;

    for (int i = 0; i < check_count(c, 2 * count, count) && !check_hopeless(c); i++) {
        const int j = i % count;
        const box_case k = {.form = {cases[j].width, cases[j].height, cases[j].channels, 8, 0, 0},
                            .look = {cases[j].linear, cases[j].weighted},
                            .content = (i + i / count) % 2 ? FILL_MAX : FILL_BRIGHT,
                            .edge = ORACLE_SHRINK,
                            .radius_x = (uint32_t)cases[j].width / 2 * 256 + cases[j].fraction,
                            .radius_y = (uint32_t)cases[j].radius_y * 256 + cases[j].fraction,
                            .opaque = cases[j].channels % 2 == 0 && !cases[j].weighted,
                            .threads = 2};
        box_case_run(c, &k);
    }
}

/* The same in rows that take several blocks, with windows as large as they may be, all codes the largest or
 * nearly so. They try the GPU's sliding windows: without a GPU, each case has one number of channels, and the largest
 * are left out. */
static void check_wide_slides(check *c)
{
    static const struct {
        int width, height, radius_x, radius_y;
        int toned; /* 1: linear light, weighted by alpha if there is one */
    } cases[] = {
        {8190, 40, 30, 12, 0},       {8192, 33, 9000, 16, 0},  {8200, 24, 2043, 12, 0},
        {12300, 17, 2000, 40, 0},    {20000, 33, 2044, 13, 0}, {8191, 1024, 8191, 1, 0},
        {8192, 1024, 8192, 1024, 0}, {8190, 40, 7, 3, 1},      {9000, 21, 1019, 30, 1},
        {4097, 20, 1020, 5, 1},
    };

    for (int i = 0; i < check_count(c, sizeof cases / sizeof *cases, 1); i++)
        for (int channels = 1; channels <= check_count(c, 4, 1) && !check_hopeless(c); channels++) {
            if (!c->cuda && (cases[i].height > 100 || channels != i % 4 + 1))
                continue;
            const int weighted = cases[i].toned && channels % 2 == 0;
            const box_case k = {.form = {cases[i].width, cases[i].height, channels, 8, 0, 0},
                                .look = {cases[i].toned, weighted},
                                .content = i % 2 ? FILL_MAX : FILL_BRIGHT,
                                .edge = ORACLE_SHRINK,
                                .radius_x = (uint32_t)cases[i].radius_x * 256,
                                .radius_y = (uint32_t)cases[i].radius_y * 256,
                                .opaque = channels % 2 == 0 && !weighted,
                                .threads = 2};
            box_case_run(c, &k);
        }
}

/* Half floats: any whole radii; windows that add up to as much as upper parts take, or a little more; lower parts that
 * do; and rows of several blocks. */
static void check_half_slides(check *c)
{
    static const struct {
        int width, height, channels, radius_x, radius_y;
    } cases[] = {
        {1024, 1024, 1, 1024, 1024}, {4096, 256, 1, 4096, 256}, {4098, 30, 3, 1019, 9},
        {1025, 1024, 1, 1025, 1024}, {4100, 20, 4, 40, 5},      {5000, 9, 2, 1500, 3},
    };
    const int count = check_count(c, sizeof cases / sizeof *cases, 2);

    for (int i = 0; i < count && !check_hopeless(c); i++) {
        const box_case k = {.form = {cases[i].width, cases[i].height, cases[i].channels, 16, 0, 0},
                            .look = {.linear = ORACLE_HALF},
                            .content = i == 2 ? FILL_BRIGHT : FILL_MAX,
                            .edge = ORACLE_SHRINK,
                            .radius_x = (uint32_t)cases[i].radius_x * 256,
                            .radius_y = (uint32_t)cases[i].radius_y * 256,
                            .threads = 2};
        box_case_run(c, &k);
    }
    for (int i = 0; i < check_count(c, 96, 6) && !check_hopeless(c); i++) {
        box_case k = slide_case(c, i, 16, 0);
        k.look = (oracle_look){.linear = ORACLE_HALF};
        k.opaque = 0;
        if (i / 8 % 2 == 0) {
            k.radius_x = (uint32_t)random_below(&c->random, 3) * 256;
            k.radius_y = (uint32_t)random_below(&c->random, 3) * 256;
        }
        k.radius_x -= k.radius_x % 256;
        k.radius_y -= i % 16 == 11 ? 0 : k.radius_y % 256;
        box_case_run(c, &k);
    }
}

void check_box_fused(check *c)
{
    check_run(c, "box.strips", check_strips);
    check_run(c, "box.weighed", check_weighed);
    check_run(c, "box.samples", check_samples);
    check_run(c, "box.tiles", check_tiles);
    check_run(c, "box.slides", check_slides);
    check_run(c, "box.toned_slides", check_toned_slides);
    check_run(c, "box.halves", check_halves);
    check_run(c, "box.wide_slides", check_wide_slides);
    check_run(c, "box.runs", check_runs);
    check_run(c, "box.half_slides", check_half_slides);
}
