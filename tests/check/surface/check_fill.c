/* Holes of depth: one thread, three threads and a device must fill them with the same bits. (unit_depth_holes.c tests what
 * they are filled with.) */
#include "check/surface/fill_case.h"

#include "support/device.h"

#include <string.h>

typedef struct filled {
    picture dst;
    uint64_t counts[SATK_FILL_COUNTS];
} filled;

typedef struct tally {
    uint64_t sum[SATK_FILL_COUNTS], most_gaps;
} tally;

static satk_fill job_of(const hole_scene *s)
{
    return (satk_fill){
        .src = s->src.plane, .map = s->map.plane, .how = s->how, .near_black = s->near_black};
}

static filled make_filled(check *c, const hole_scene *s)
{
    const satk_plane *const map = &s->map.plane;
    const shape form = {map->width, map->height, 1, map->bits, 2 * random_below(&c->random, 3), 0};

    return (filled){.dst = picture_output(&form)};
}

static void fill_on_cpu(const hole_scene *s, int threads, filled *out)
{
    satk_fill job = job_of(s);
    block scratch = block_exact(satk_fill_scratch_cpu(&job, threads), 0);

    block_poison(&scratch);
    job.dst = out->dst.plane;
    job.counts = out->counts;
    job.scratch = block_data(&scratch);
    satk_fill_cpu(&job, threads);
    block_free(&scratch);
}

/* Returns 1 if the device has filled the map. */
static int fill_on_cuda(check *c, const hole_scene *s, filled *out)
{
    satk_fill job = job_of(s);
    block counts = block_exact(sizeof out->counts, 0);
    mirrors on = {.c = c};

    block_poison(&counts);
    job.scratch = mirrors_scratch(&on, device_fill_scratch(&job));
    job.src = mirrors_in_plane(&on, &s->src);
    job.map = mirrors_in_plane(&on, &s->map);
    job.dst = mirrors_out_plane(&on, &out->dst);
    job.counts = mirrors_out(&on, &counts);
    const int done = mirrors_end(&on, on.failed || device_fill(&job));
    memcpy(out->counts, block_data(&counts), sizeof out->counts);
    block_free(&counts);
    return done;
}

static void compare(check *c, backend on, const filled *want, const filled *got)
{
    const layout l = layout_of(&want->dst.plane);
    const uint64_t *const a = want->counts, *const b = got->counts;

    check_same(c, on, &want->dst.memory, &got->dst.memory, &l);
    check_that(c, on, !memcmp(a, b, sizeof want->counts),
               "%llu holes, %llu gaps, %llu rounds, %llu left; wanted %llu, %llu, %llu, %llu",
               (unsigned long long)b[0], (unsigned long long)b[1], (unsigned long long)b[2],
               (unsigned long long)b[3], (unsigned long long)a[0], (unsigned long long)a[1],
               (unsigned long long)a[2], (unsigned long long)a[3]);
}

/* Returns a poisoned result like another one. */
static filled made_like(const filled *model)
{
    filled f = {.dst = model->dst};
    const ptrdiff_t at = (const uint8_t *)model->dst.plane.data - model->dst.memory.base;

    f.dst.memory = block_like(&model->dst.memory);
    block_poison(&f.dst.memory);
    f.dst.plane.data = f.dst.memory.base + at;
    return f;
}

static void check_scene(check *c, const hole_scene *s, tally *sum)
{
    filled want = make_filled(c, s), got = made_like(&want);

    fill_on_cpu(s, 1, &want);
    fill_on_cpu(s, 3, &got);
    check_that(c, ON_CPU, want.counts[SATK_FILL_HOLES] == s->holes, "holes are miscounted");
    compare(c, ON_CPU, &want, &got);
    if (c->cuda) {
        block_poison(&got.dst.memory);
        if (fill_on_cuda(c, s, &got))
            compare(c, ON_CUDA, &want, &got);
    }
    for (int i = 0; i < SATK_FILL_COUNTS; i++)
        sum->sum[i] += want.counts[i];
    if (sum->most_gaps < want.counts[SATK_FILL_GAPS])
        sum->most_gaps = want.counts[SATK_FILL_GAPS];
    picture_free(&want.dst);
    picture_free(&got.dst);
}

static void check_scenes(check *c, int w, int h, hole_kind kind, tally *sum)
{
    hole_scene s = hole_scene_make(c, w, h, kind);

    check_scene(c, &s, sum);
    hole_scene_free(&s);
}

static void check_kinds(check *c)
{
    tally sum = {0};

    for (int i = 0; i < check_count(c, 700, 105) && !check_hopeless(c); i++) {
        const int is_large = i % 20 == 0;
        const int w = 1 + random_below(&c->random, is_large ? 500 : 130);
        const int h = 1 + random_below(&c->random, is_large ? 300 : 90);
        check_scenes(c, w, h, (hole_kind)(i % (HOLES_KINDS + 1)), &sum);
    }
    check_case(c, "all");
    check_that(c, ON_CPU, sum.sum[SATK_FILL_GAPS] > 0 && sum.sum[SATK_FILL_REST] > 0,
               "no gap was large, or a surface grew into all of them");
}

/* Maps as thin as a row or a column, of the words and tiles that devices have, and one sample more. */
static void check_sizes(check *c)
{
    static const int sides[][2] = {{1, 1},  {2, 1},   {1, 2},   {1, 70},  {70, 1},
                                   {3, 3},  {32, 32}, {33, 31}, {64, 65}, {31, 64},
                                   {95, 9}, {96, 33}, {97, 34}, {128, 2}, {5, 200}};
    tally sum = {0};

    for (int i = 0; i < (int)(sizeof sides / sizeof *sides); i++)
        for (int kind = 0; kind <= HOLES_KINDS && !check_hopeless(c); kind++)
            if (!c->quick || (i + kind) % 3 == 0)
                check_scenes(c, sides[i][0], sides[i][1], (hole_kind)kind, &sum);
}

/* So many large gaps that a device judges them in several batches. */
static void check_many_gaps(check *c)
{
    tally sum = {0};

    for (int i = 0; i < check_count(c, 12, 3) && !check_hopeless(c); i++)
        check_scenes(c, 400 + random_below(&c->random, 200), 60, HOLES_COMB, &sum);
    check_case(c, "all");
    check_that(c, ON_CPU, sum.most_gaps > 150, "there were %d large gaps at most",
               (int)sum.most_gaps);
}

void check_fill(check *c)
{
    check_run(c, "fill.kinds", check_kinds);
    check_run(c, "fill.sizes", check_sizes);
    check_run(c, "fill.many", check_many_gaps);
}
