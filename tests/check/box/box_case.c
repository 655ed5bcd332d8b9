#include "check/box/box_case.h"
#include "common/cpu_level.h"
#include "common/pool.h"

#include "support/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

/* --- Cases that the contract allows ----------------------------------------------------------- */

typedef struct variant {
    int word, wide;
} variant;

/* Finds the most positions of an axis that a box covers, and the largest weight of them, in
 * 1/256. */
static void axis_limits(uint32_t radius, int n, int edge, u128 *positions, u128 *weight)
{
    const u128 whole = radius / 256, fraction = radius % 256;

    *positions = 2 * (whole + (fraction != 0)) + 1;
    *weight = 256 * (2 * whole + 1) + 2 * fraction;
    if (edge == ORACLE_SHRINK && *positions > (u128)n) {
        *positions = (u128)n;
        *weight = (u128)n * 256;
    }
}

/* Returns 1 if box.h allows the case: a box's sum is below 2^word, and `wide` is set if a window's
 * weighted sum may pass 64 bits. */
static int variants_of(const box_case *k, variant *out)
{
    const u128 limit = (u128)1 << 64, code_max = oracle_code_max(k->form.bits);
    const u128 alpha = k->look.weighted ? code_max : 1;
    const u128 sample = oracle_sample_max(k->form.bits, &k->look) * alpha;
    u128 nx, ny, wx, wy;
    int count = 0;

    axis_limits(k->radius_x, k->form.width, k->edge, &nx, &wx);
    axis_limits(k->map_bits ? k->radius_x : k->radius_y, k->form.height, k->edge, &ny, &wy);
    if (!k->map_bits && k->radius_x % 256 == 0 && k->radius_y % 256 == 0)
        wx = nx, wy = ny;
    const u128 box = nx * ny * sample, weight = wx * wy * alpha,
               sum = wx * wy * sample + weight / 2;
    if (box < (u128)1 << 32)
        out[count++] = (variant){32, 0};
    if (box < limit && sum < limit)
        out[count++] = (variant){64, 0};
    if (box < limit && weight < limit)
        out[count++] = (variant){64, 1};
    return count;
}

/* --- A case's material ------------------------------------------------------------------------ */

typedef struct material {
    picture src, map;
    block lut;
    block table;
    variant v;
} material;

static uint32_t random_radius(check *c, uint32_t max)
{
    switch (random_below(&c->random, 4)) {
    case 0: return 0;
    case 1: return (uint32_t)random_below(&c->random, (int)(max / 256) + 1) * 256;
    default: return (uint32_t)random_below(&c->random, (int)max + 1);
    }
}

static void draw_runs(const satk_plane *map, int most, uint64_t *random)
{
    for (int y = 0; y < map->height; y++) {
        uint32_t code = 0;
        int left = 0;
        for (int x = 0; x < map->width; x++, left--) {
            if (left == 0) {
                left = 1 + random_below(random, most);
                code = (uint32_t)random_below(random, 1 << map->bits);
            }
            picture_put(map, x, y, 0, code);
        }
    }
}

static void make_map(check *c, const box_case *k, material *m)
{
    const shape form = {k->form.width, k->form.height,   k->map_channels,
                        k->map_bits,   k->form.pad & ~1, 0};
    const size_t entries = k->map_bits == 8 ? 256 : 65536;

    m->map = picture_input(&form, FILL_RANDOM, &c->random);
    if (k->map_runs)
        draw_runs(&m->map.plane, k->map_runs, &c->random);
    m->lut = block_exact(entries * sizeof(uint32_t), 0);
    uint32_t *const lut = block_data(&m->lut);
    for (size_t i = 0; i < entries; i++)
        lut[i] = random_radius(c, k->radius_x);
}

static void make_table(const box_case *k, material *m)
{
    satk_sat job = {
        .src = m->src.plane, .tone = tones_get(k->form.bits, &k->look, ON_CPU), .word = m->v.word};
    block scratch = block_exact(satk_sat_scratch_cpu(&job, k->threads), 0);

    m->table = block_exact((size_t)k->form.width * (size_t)k->form.height *
                               (size_t)k->form.channels * (size_t)(m->v.word / 8),
                           0);
    job.table = block_data(&m->table);
    job.scratch = block_data(&scratch);
    satk_sat_cpu(&job, k->threads);
    block_free(&scratch);
}

static void describe(check *c, const box_case *k, const variant *v)
{
    static const char *const edges[] = {"shrink", "clamp", "mirror", "wrap"};
    const shape *const s = &k->form;

    check_case(
        c,
        "%d x %d, %d channels, %d bits, table %d%s, %s%s, %s, radius %u/256 %u/256, map %d bits %d "
        "channels, pad %d, skew %d, %s%s%s, %d threads",
        s->width, s->height, s->channels, s->bits, v->word, v->wide ? " wide" : "",
        check_look_name(&k->look), k->look.weighted ? " weighted" : "", edges[k->edge], k->radius_x,
        k->radius_y, k->map_bits, k->map_channels, s->pad, s->skew, fill_name(k->content),
        k->opaque ? ", opaque" : "", k->in_place ? ", in place" : "", k->threads);
}

/* --- The oracle ------------------------------------------------------------------------------- */

/* Steps of the oracle for one case. If all pixels took more, random ones are chosen. */
enum { BUDGET = 1500000 };

static size_t smaller(uint64_t a, uint64_t b)
{
    return (size_t)(a < b ? a : b);
}

/* Returns the number of pixels that the oracle computes. */
static size_t pixels_of(const check *c, const box_case *k)
{
    const uint64_t w = (uint64_t)k->form.width, h = (uint64_t)k->form.height;
    const uint64_t nx = k->radius_x / 128 + 3,
                   ny = (k->map_bits ? k->radius_x : k->radius_y) / 128 + 3;
    const uint64_t cost = nx + ny + smaller(nx, w) * smaller(ny, h);
    const uint64_t budget = (uint64_t)check_count(c, BUDGET, BUDGET / 4);

    return smaller(w * h, budget / cost + 16);
}

/* Overwrites the chosen pixels of `want` with the oracle's. Returns 1 when done. */
static int ask_oracle(check *c, const box_case *k, const material *m, size_t count, picture *want)
{
    const oracle_box box = {.src = oracle_view(&m->src.plane),
                            .look = k->look,
                            .edge = (oracle_edge)k->edge,
                            .radius_x = k->radius_x,
                            .radius_y = k->radius_y,
                            .map = oracle_view(&m->map.plane),
                            .lut = k->map_bits ? block_data(&m->lut) : NULL};
    oracle_pixel *const pixels = check_pixels(c, &k->form, count);
    oracle_codes *const codes = malloc(count * sizeof *codes);

    if (pixels && codes)
        oracle_blur(&box, pixels, count, codes);
    for (size_t i = 0; i < count && pixels && codes; i++)
        for (int j = 0; j < k->form.channels; j++)
            picture_put(&want->plane, pixels[i].x, pixels[i].y, j, codes[i].c[j]);
    free(pixels);
    free(codes);
    return pixels && codes;
}

/* --- Back ends -------------------------------------------------------------------------------- */

static satk_tone tone_of(const box_case *k, backend on)
{
    satk_tone tone = tones_get(k->form.bits, &k->look, on);

    tone.opaque = k->opaque;
    return tone;
}

static satk_box job_of(const box_case *k, const material *m, backend on)
{
    return (satk_box){.table = block_data(&m->table),
                      .word = m->v.word,
                      .wide = m->v.wide,
                      .src = m->src.plane,
                      .tone = tone_of(k, on),
                      .edge = (satk_edge)k->edge,
                      .radius_x = k->radius_x,
                      .radius_y = k->map_bits ? k->radius_x : k->radius_y,
                      .map = m->map.plane,
                      .lut = k->map_bits ? block_data(&m->lut) : NULL};
}

/* The memory that a back end writes to, as it is before. */
static picture target(const box_case *k, const material *m)
{
    picture dst = picture_output(&k->form);

    if (k->in_place)
        picture_copy(&dst, &m->src);
    return dst;
}

static picture on_cpu(const box_case *k, const material *m)
{
    picture dst = target(k, m);
    satk_box job = job_of(k, m, ON_CPU);

    job.dst = dst.plane;
    if (k->in_place)
        job.src = dst.plane;
    satk_box_cpu(&job, k->threads);
    return dst;
}

/* Finds table and means in one, with every set of instructions that this machine has. The memory
 * that the library would use again holds rubbish. */
static void compare_fused(check *c, const box_case *k, const material *m, const picture *cpu)
{
    const layout l = layout_of(&cpu->plane);
    const satk_level best = satk_level_here();

    for (int level = SATK_PLAIN; level <= (int)best; level++) {
        picture dst = target(k, m);
        satk_box job = job_of(k, m, ON_CPU);
        job.table = NULL;
        job.dst = dst.plane;
        if (k->in_place)
            job.src = dst.plane;
        satk_level_limit = (satk_level)level;
        block scratch = block_exact(satk_box_fused_scratch(&job, k->threads), 0);
        block_poison(&scratch);
        satk_box_fused_cpu(&job, block_data(&scratch), k->threads);
        if (!check_same(c, ON_CPU, &cpu->memory, &dst.memory, &l))
            printf("  in one, level %d\n", level);
        block_free(&scratch);
        picture_free(&dst);
    }
    satk_level_limit = best;
}

/* Finds the means from the table, or in one. */
static void compare_cuda(check *c, const box_case *k, const material *m, int in_one,
                         const picture *cpu)
{
    const layout l = layout_of(&cpu->plane);
    picture dst = target(k, m);
    satk_box job = job_of(k, m, ON_CUDA);
    mirrors on = {.c = c};
    void *scratch = NULL;

    job.dst = mirrors_out_plane(&on, &dst);
    job.src = k->in_place ? job.dst : mirrors_in_plane(&on, &m->src);
    job.table = in_one ? NULL : mirrors_in(&on, &m->table);
    if (k->map_bits) {
        job.map = mirrors_in_plane(&on, &m->map);
        job.lut = mirrors_in(&on, &m->lut);
    }
    if (in_one)
        scratch = mirrors_scratch(&on, device_box_fused_scratch(&job));
    if (mirrors_end(&on,
                    on.failed || (in_one ? device_box_fused(&job, scratch) : device_box(&job))) &&
        !check_same(c, ON_CUDA, &cpu->memory, &dst.memory, &l) && in_one)
        printf("  in one\n");
    picture_free(&dst);
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* The first variant's result has the pixels that the oracle was not asked for. */
static void run_variant(check *c, const box_case *k, material *m, int is_first, picture *want)
{
    describe(c, k, &m->v);
    make_table(k, m);
    picture cpu = on_cpu(k, m);
    const layout l = layout_of(&cpu.plane);

    if (is_first) {
        const size_t count = pixels_of(c, k);
        if (count < (size_t)k->form.width * (size_t)k->form.height)
            picture_copy(want, &cpu);
        check_that(c, ON_CPU, ask_oracle(c, k, m, count, want), "out of memory");
    }
    check_same(c, ON_CPU, &want->memory, &cpu.memory, &l);
    if (k->content == FILL_CONSTANT)
        check_that(c, ON_CPU, picture_same(&cpu, &m->src), "a constant picture has changed");
    if (!k->map_bits && k->radius_x == 0 && k->radius_y == 0)
        check_that(c, ON_CPU, picture_same(&cpu, &m->src), "radius 0 has changed the picture");
    compare_fused(c, k, m, &cpu);
    if (c->cuda)
        compare_cuda(c, k, m, 0, &cpu);
    satk_box job = job_of(k, m, ON_CUDA);
    job.dst = cpu.plane; /* laid out as the device's */
    if (c->cuda && !k->in_place && device_box_fused_pays(&job))
        compare_cuda(c, k, m, 1, &cpu);
    picture_free(&cpu);
    block_free(&m->table);
}

void box_case_run(check *c, const box_case *k)
{
    variant variants[3];
    const int count = variants_of(k, variants);
    material m = {.src = picture_input(&k->form, k->content, &c->random)};
    picture want = picture_output(&k->form);

    if (k->look.linear == ORACLE_HALF)
        picture_make_halves(&m.src.plane, k->content);
    if (k->opaque)
        picture_make_opaque(&m.src.plane);
    if (k->map_bits)
        make_map(c, k, &m);
    for (int i = 0; i < count; i++) {
        m.v = variants[i];
        run_variant(c, k, &m, i == 0, &want);
    }
    if (k->map_bits) {
        picture_free(&m.map);
        block_free(&m.lut);
    }
    picture_free(&want);
    picture_free(&m.src);
}

void box_case_large(check *c)
{
    const box_case k = {.form = large_words,
                        .edge = ORACLE_SHRINK,
                        .radius_x = 20 * 256,
                        .radius_y = 30 * 256,
                        .threads = satk_processors()};
    material m = {.src = picture_input(&k.form, FILL_RANDOM, &c->random), .v = {32, 0}};
    picture want = picture_output(&k.form);

    run_variant(c, &k, &m, 1, &want);
    picture_free(&want);
    picture_free(&m.src);
}
