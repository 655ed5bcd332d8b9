#include "check/check.h"

#include "common/cpu_level.h"
#include "support/device.h"
#include "blur/dof_spread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the radii are. */
typedef enum radii {
    RADII_RANDOM,
    RADII_SMOOTH, /* they rise along the rows, many pixels having the same */
    RADII_STEPS,  /* patches of 0 and the largest */
    RADII_ONE,    /* the largest, everywhere */
    RADII
} radii;

typedef struct spread_case {
    shape form;
    oracle_look look;
    fill content;
    radii sort;
    int map_bits, map_channels;
    uint32_t radius; /* Q8: no code has more, one has it */
    int whole;       /* 1: all radii are */
    int opaque;      /* 1: every alpha is the largest, and that is said */
} spread_case;

typedef struct material {
    picture src, map;
    block lut, splats; /* by code of the map */
    int bits, farthest;
} material;

/* --- Material --------------------------------------------------------------------------------- */

static void draw_map(check *c, const spread_case *k, const satk_plane *map)
{
    const uint32_t max = oracle_code_max(map->bits);

    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++) {
            const uint32_t step = (uint32_t)((x / 9 + y / 7) % 2) * max;
            const uint32_t slope = (uint32_t)((uint64_t)max * (uint64_t)x / (uint64_t)map->width);
            picture_put(map, x, y, 0,
                        k->sort == RADII_ONE     ? max
                        : k->sort == RADII_STEPS ? step
                        : k->sort == RADII_SMOOTH
                            ? slope
                            : (uint32_t)random_below(&c->random, (int)max + 1));
        }
}

static void make_opaque(const satk_plane *p)
{
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            picture_put(p, x, y, p->channels - 1, oracle_code_max(p->bits));
}

static material make_material(check *c, const spread_case *k)
{
    const shape form = {k->form.width, k->form.height,   k->map_channels,
                        k->map_bits,   k->form.pad & ~1, k->form.skew & ~1};
    const size_t codes = (size_t)1 << k->map_bits;
    material m = {.src = picture_input(&k->form, k->content, &c->random),
                  .map = picture_input(&form, FILL_RANDOM, &c->random),
                  .lut = block_exact(codes * sizeof(uint32_t), 0),
                  .splats = block_exact(codes * sizeof(satk_splat), 0)};
    const uint64_t alpha = k->look.weighted ? oracle_code_max(k->form.bits) : 1;
    uint32_t *const lut = block_data(&m.lut);
    satk_splat *const splats = block_data(&m.splats);

    draw_map(c, k, &m.map.plane);
    if (k->look.linear == ORACLE_HALF)
        picture_make_halves(&m.src.plane, k->content);
    if (k->opaque)
        make_opaque(&m.src.plane);
    m.farthest = (int)((k->radius + 255) / 256);
    m.bits = satb_light_bits(m.farthest, alpha * oracle_sample_max(k->form.bits, &k->look));
    for (size_t i = 0; i < codes; i++) {
        lut[i] = (uint32_t)((uint64_t)k->radius * i / (codes - 1));
        lut[i] -= k->whole ? lut[i] % 256 : 0;
        splats[i] = satb_make_splat(lut[i], m.bits);
    }
    return m;
}

static void free_material(material *m)
{
    picture_free(&m->src);
    picture_free(&m->map);
    block_free(&m->lut);
    block_free(&m->splats);
}

/* --- The oracle ------------------------------------------------------------------------------- */

/* Sources that the oracle looks at for one case. If all pixels took more, random ones are
 * chosen. */
enum { BUDGET = 20000000 };

/* Overwrites the chosen pixels of `want` with the oracle's. Returns 1 when done. */
static int ask_oracle(check *c, const spread_case *k, const material *m, picture *want)
{
    const oracle_spread spread = {.src = oracle_view(&m->src.plane),
                                  .look = k->look,
                                  .map = oracle_view(&m->map.plane),
                                  .lut = block_data(&m->lut),
                                  .bits = m->bits};
    const size_t all = (size_t)k->form.width * (size_t)k->form.height;
    const size_t some = (size_t)check_count(c, BUDGET, BUDGET / 8) / all + 8;
    const size_t count = some < all ? some : all;
    oracle_pixel *const pixels = check_pixels(c, &k->form, count);
    oracle_codes *const codes = malloc(count * sizeof *codes);
    const int done = pixels && codes;

    if (done)
        oracle_spreads(&spread, pixels, count, codes);
    for (size_t i = 0; i < count && done; i++)
        for (int j = 0; j < k->form.channels; j++)
            picture_put(&want->plane, pixels[i].x, pixels[i].y, j, codes[i].c[j]);
    free(pixels);
    free(codes);
    return done;
}

/* --- Back ends -------------------------------------------------------------------------------- */

static satk_tone tone_of(const spread_case *k, backend on)
{
    satk_tone tone = tones_get(k->form.bits, &k->look, on);

    tone.opaque = k->opaque;
    return tone;
}

static satk_spread job_of(const spread_case *k, const material *m, backend on)
{
    return (satk_spread){.src = m->src.plane,
                         .tone = tone_of(k, on),
                         .map = m->map.plane,
                         .splat = block_data(&m->splats),
                         .farthest = m->farthest};
}

static picture on_cpu(check *c, const spread_case *k, const material *m, int threads)
{
    const picture dst = picture_output(&k->form);
    satk_spread job = job_of(k, m, ON_CPU);

    job.dst = dst.plane;
    block scratch = block_guarded(satk_spread_scratch_cpu(&job, threads), 0);
    block_poison(&scratch);
    job.scratch = block_data(&scratch);
    satk_spread_cpu(&job, threads);
    check_that(c, ON_CPU, block_intact(&scratch), "written beyond the scratch memory");
    block_free(&scratch);
    return dst;
}

/* Blurs by older instructions of the CPU. */
static void compare_level(check *c, const spread_case *k, const material *m, const picture *cpu,
                          satk_level level)
{
    const layout l = layout_of(&cpu->plane);

    satk_level_limit = level;
    picture dst = on_cpu(c, k, m, 1);
    satk_level_limit = SATK_AVX512;
    if (!check_same(c, ON_CPU, &cpu->memory, &dst.memory, &l))
        printf("  level %d\n", (int)level);
    picture_free(&dst);
}

static void compare_cuda(check *c, const spread_case *k, const material *m, const picture *cpu)
{
    const layout l = layout_of(&cpu->plane);
    picture dst = picture_output(&k->form);
    satk_spread job = job_of(k, m, ON_CUDA);
    mirrors on = {.c = c};

    job.src = mirrors_in_plane(&on, &m->src);
    job.map = mirrors_in_plane(&on, &m->map);
    job.splat = mirrors_in(&on, &m->splats);
    job.dst = mirrors_out_plane(&on, &dst);
    job.scratch = mirrors_scratch(&on, device_spread_scratch(&job));
    if (mirrors_end(&on, on.failed || device_spread(&job)))
        check_same(c, ON_CUDA, &cpu->memory, &dst.memory, &l);
    picture_free(&dst);
}

/* --- Runs ------------------------------------------------------------------------------------- */

static void describe(check *c, const spread_case *k, const material *m, int threads)
{
    static const char *const names[] = {"random", "smooth", "steps", "one"};
    const shape *const s = &k->form;

    check_case(
        c,
        "%d x %d, %d channels, %d bits, %s%s, %s, radii %s to %g%s, map %d bits %d channels, "
        "light of %d bits, pad %d, skew %d, %d threads",
        s->width, s->height, s->channels, s->bits, check_look_name(&k->look),
        k->look.weighted ? " weighted" : "", fill_name(k->content), names[k->sort],
        k->radius / 256.0, k->whole ? " whole" : "", k->map_bits, k->map_channels, m->bits, s->pad,
        s->skew, threads);
}

static void run_case(check *c, const spread_case *k)
{
    static const int threads[] = {1, 3, 2, 7};
    material m = make_material(c, k);
    picture want = picture_output(&k->form);
    const layout l = layout_of(&want.plane);

    for (int i = 0; i < check_count(c, 4, 2); i++) {
        describe(c, k, &m, threads[i]);
        picture cpu = on_cpu(c, k, &m, threads[i]);
        if (i == 0) { /* pixels that the oracle was not asked for */
            picture_copy(&want, &cpu);
            check_that(c, ON_CPU, ask_oracle(c, k, &m, &want), "out of memory");
        }
        check_same(c, ON_CPU, &want.memory, &cpu.memory, &l);
        if (i == 0 && satk_level_here() > SATK_PLAIN)
            compare_level(c, k, &m, &cpu,
                          (satk_level)random_below(&c->random, (int)satk_level_here()));
        if (i == 0 && c->cuda)
            compare_cuda(c, k, &m, &cpu);
        picture_free(&cpu);
    }
    if (k->content == FILL_CONSTANT || k->radius == 0)
        check_that(c, ON_CPU, picture_same(&want, &m.src), "what must not change has");
    picture_free(&want);
    free_material(&m);
}

/* --- Cases ------------------------------------------------------------------------------------ */

/* The kinds of pixels: channels 1..4, bits 8 and 16, linear or not, and the uses of alpha. */
enum { KINDS = 4 * 2 * 2 * 3 + 4 * 2 };

/* Sets a kind of pixels. Returns 0 if it does not exist (without alpha, it does nothing; half floats have 16 bits). */
static int kind_of(int kind, spread_case *k)
{
    k->form.channels = kind % 4 + 1;
    k->form.bits = kind / 4 % 2 ? 16 : 8;
    k->look.linear = kind / 8 % 2;
    k->look.weighted = kind / 16 == 1;
    k->opaque = kind / 16 == 2;
    if (kind / 16 == 3) {
        k->look.linear = ORACLE_HALF;
        return k->form.bits == 16;
    }
    return kind < 16 || k->form.channels % 2 == 0;
}

/* Returns a case of that size and largest radius; the rest is random. */
static spread_case random_case(check *c, int width, int height, uint32_t radius)
{
    spread_case k = {.form = {.width = width, .height = height}, .radius = radius};
    int found;

    do
        found = kind_of(random_below(&c->random, KINDS), &k);
    while (!found);
    k.form.pad = random_below(&c->random, 3) * (k.form.bits == 8 ? 3 : 6);
    k.form.skew = random_below(&c->random, 3) * (k.form.bits == 8 ? 1 : 2);
    k.content = (fill)random_below(&c->random, FILLS);
    k.sort = (radii)random_below(&c->random, RADII);
    k.map_bits = 8 * (1 + random_below(&c->random, 2));
    k.map_channels = 1 + random_below(&c->random, 4);
    k.whole = random_below(&c->random, 4) == 0;
    return k;
}

static uint32_t random_radius(check *c, int below)
{
    return (uint32_t)random_below(&c->random, below * 256 + 1);
}

/* Every kind with every sort of radii; fractions of 0, 1/256, 1/2 and 255/256 at the largest. */
static void check_kinds(check *c)
{
    static const uint32_t largest[] = {0, 1, 128, 255, 256, 5 * 256, 6 * 256 + 1, 7 * 256 + 255};

    for (int i = 0; i < KINDS * RADII; i += check_count(c, 1, 21)) {
        spread_case k = random_case(c, 27, 22, largest[i % 8]);
        if (!kind_of(i % KINDS, &k) || check_hopeless(c))
            continue;
        k.form.pad &= ~1;
        k.form.skew &= ~1;
        k.sort = (radii)(i / KINDS);
        run_case(c, &k);
    }
}

static void check_sizes(check *c)
{
    for (int i = 0; i < sizes_count && !check_hopeless(c); i++) {
        const spread_case k = random_case(c, sizes[i].width, sizes[i].height, random_radius(c, 9));
        if (size_wanted(c, &sizes[i]) && (!c->quick || i % 5 == 0))
            run_case(c, &k);
    }
}

/* From no radius to those that are beyond the picture; pictures of one tile and of several. */
static void check_random(check *c)
{
    for (int i = 0; i < check_count(c, 200, 4) && !check_hopeless(c); i++) {
        const int w = 1 + random_below(&c->random, i % 7 < 6 ? 60 : 900);
        const int h = 1 + random_below(&c->random, i % 7 < 6 ? 50 : 600);
        const spread_case k = random_case(c, w, h,
                                          random_radius(c, i % 3   ? 12
                                                           : i % 2 ? 2 * (w + h)
                                                                   : 80));
        run_case(c, &k);
    }
}

/* One code in each channel, whatever the radii; and anything where all radii are 0: every pixel must
 * come out as it went in. */
static void check_kept(check *c)
{
    for (int i = 0; i < 2 * KINDS; i += check_count(c, 1, 13)) {
        spread_case k = random_case(c, 30, 25, i % 2 ? random_radius(c, 40) : 0);
        if (!kind_of(i / 2, &k) || check_hopeless(c))
            continue;
        k.form.pad = k.form.skew = 0;
        if (k.radius > 0)
            k.content = FILL_CONSTANT;
        run_case(c, &k);
    }
}

/* Radii as large as weights allow, and the largest codes: sums near the largest word. */
static void check_far(check *c)
{
    for (int i = 0; i < KINDS; i += check_count(c, 1, 11)) {
        spread_case k = random_case(c, 1 + 3 * i, 40 + i, 180 * 256 + (uint32_t)i);
        if (!kind_of(i, &k) || check_hopeless(c))
            continue;
        k.form.pad = k.form.skew = 0;
        k.content = i % 2 ? FILL_MAX : FILL_BRIGHT;
        run_case(c, &k);
    }
}

void check_spread(check *c)
{
    check_run(c, "spread.kinds", check_kinds);
    check_run(c, "spread.sizes", check_sizes);
    check_run(c, "spread.random", check_random);
    check_run(c, "spread.kept", check_kept);
    check_run(c, "spread.far", check_far);
}
