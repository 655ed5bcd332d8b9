/* Maps that follow a matte: oracle = CPU = CUDA, with codes, rims and count. */
#include "check/matte/matte_case.h"
#include "matte/follow.h"
#include "support/device.h"

#include <stdlib.h>
#include <string.h>

/* What a back end makes of a scene. */
typedef struct followed {
    picture dst;
    block rims;
    uint64_t counts[SATK_FOLLOW_COUNTS];
} followed;

/* Returns what a back end is to write: for work in place, with the map. */
static followed make_followed(const matte_scene *s, int in_place)
{
    const satk_plane *const map = &s->map.plane;
    const shape form = {map->width, map->height, 1, map->bits, map->bits / 8 * 3, 0};
    followed f = {.dst = picture_output(&form), .rims = block_like(&s->rims)};

    block_poison(&f.rims);
    memcpy(block_data(&f.rims), block_data(&s->rims), s->rims.bytes);
    if (in_place)
        picture_copy(&f.dst, &s->map);
    return f;
}

static void free_followed(followed *f)
{
    picture_free(&f->dst);
    block_free(&f->rims);
}

static void compare(check *c, backend on, const followed *want, const followed *got)
{
    const layout l = layout_of(&got->dst.plane);
    const layout bytes = {want->rims.bytes, want->rims.bytes, 1, 1};

    check_same(c, on, &want->dst.memory, &got->dst.memory, &l);
    check_same(c, on, &want->rims, &got->rims, &bytes);
    check_that(c, on, want->counts[SATK_FOLLOWED] == got->counts[SATK_FOLLOWED],
               "%llu pixels are decided, not %llu", (unsigned long long)got->counts[SATK_FOLLOWED],
               (unsigned long long)want->counts[SATK_FOLLOWED]);
}

/* --- Back ends -------------------------------------------------------------------------------- */

/* Returns the oracle's result. */
static followed follow_by_oracle(check *c, const matte_scene *s)
{
    const oracle_matte m = {oracle_view(&s->matte.plane), oracle_view(&s->map.plane),
                            s->near_black};
    const size_t pixels = (size_t)m.map.width * (size_t)m.map.height;
    oracle_followed *const all = calloc(pixels, sizeof *all);
    followed f = make_followed(s, 0);
    const satk_rims rims = matte_rims(s, block_data(&f.rims));

    f.counts[SATK_FOLLOWED] = 0;
    check_that(c, ON_CPU, all && oracle_follow(&m, all), "out of memory");
    for (size_t i = 0; i < pixels && all; i++) {
        const int x = (int)(i % (size_t)m.map.width), y = (int)(i / (size_t)m.map.width);
        picture_put(&f.dst.plane, x, y, 0, all[i].code);
        f.counts[SATK_FOLLOWED] += (uint64_t)all[i].decided;
        if (all[i].kind == ORACLE_RIM_STAYS)
            continue;
        rims.kind[i] = SATK_RIM_NONE;
        if (all[i].kind == ORACLE_RIM_NONE)
            continue;
        rims.kind[i] =
            all[i].kind == ORACLE_RIM_SUBJECT ? SATK_RIM_SUBJECT : SATK_RIM_BEFORE_SUBJECT;
        rims.cover[i] = (uint8_t)all[i].cover;
        rims.near[i] = (uint16_t)all[i].near;
        rims.far[i] = (uint16_t)all[i].far;
    }
    free(all);
    return f;
}

/* Returns the CPU's result. */
static followed follow_on_cpu(check *c, const matte_scene *s, int threads, int in_place)
{
    followed f = make_followed(s, in_place);
    satk_follow job = {.matte = s->matte.plane,
                       .map = in_place ? f.dst.plane : s->map.plane,
                       .dst = f.dst.plane,
                       .rims = matte_rims(s, block_data(&f.rims)),
                       .near_black = s->near_black,
                       .counts = f.counts};
    block scratch = block_guarded(satk_follow_scratch_cpu(&job, threads), 0);

    block_poison(&scratch);
    job.scratch = block_data(&scratch);
    satk_follow_cpu(&job, threads);
    matte_scratch_intact(c, ON_CPU, &scratch);
    block_free(&scratch);
    return f;
}

/* Compares the device's result with the right one. */
static void follow_on_cuda(check *c, const matte_scene *s, const followed *want, int in_place)
{
    followed f = make_followed(s, in_place);
    block counts = block_exact(sizeof f.counts, 0);
    satk_follow job = {.map = s->map.plane, .near_black = s->near_black};
    block scratch = block_guarded(device_follow_scratch(&job), 0);
    mirrors on = {.c = c};

    block_poison(&scratch);
    job.matte = mirrors_in_plane(&on, &s->matte);
    job.dst = mirrors_out_plane(&on, &f.dst);
    job.map = in_place ? job.dst : mirrors_in_plane(&on, &s->map);
    job.rims = matte_rims(s, mirrors_out(&on, &f.rims));
    job.counts = mirrors_out(&on, &counts);
    job.scratch = mirrors_out(&on, &scratch);
    if (mirrors_end(&on, on.failed || device_follow(&job))) {
        memcpy(f.counts, block_data(&counts), sizeof f.counts);
        compare(c, ON_CUDA, want, &f);
        matte_scratch_intact(c, ON_CUDA, &scratch);
    }
    block_free(&counts);
    block_free(&scratch);
    free_followed(&f);
}

/* --- Cases ------------------------------------------------------------------------------------ */

/* What became of the pixels of all cases. */
typedef struct tally {
    uint64_t decided, rims, before, stay;
} tally;

static void add_tally(const matte_scene *s, const followed *f, tally *sum)
{
    const satk_rims rims = matte_rims(s, block_data(&f->rims));
    const size_t pixels = (size_t)s->map.plane.width * (size_t)s->map.plane.height;

    sum->decided += f->counts[SATK_FOLLOWED];
    for (size_t i = 0; i < pixels; i++) {
        sum->rims += rims.kind[i] == SATK_RIM_SUBJECT;
        sum->before += rims.kind[i] == SATK_RIM_BEFORE_SUBJECT;
        sum->stay += rims.kind[i] == SATK_RIM_EDGE;
    }
}

static void check_scene(check *c, const matte_scene *s, int asks, tally *sum)
{
    followed want = follow_on_cpu(c, s, 1, 0);

    if (asks) {
        followed right = follow_by_oracle(c, s);
        compare(c, ON_CPU, &right, &want);
        free_followed(&right);
    }
    followed got = follow_on_cpu(c, s, 3, 1);
    compare(c, ON_CPU, &want, &got);
    free_followed(&got);
    if (c->cuda)
        follow_on_cuda(c, s, &want, random_below(&c->random, 2));
    add_tally(s, &want, sum);
    free_followed(&want);
}

/* large: sizes at which windows are wider, without the oracle. */
static void check_scenes(check *c, int count, int large)
{
    tally sum = {0};

    for (int i = 0; i < count && !check_hopeless(c); i++) {
        const matte_kind kind = (matte_kind)(i % (large ? 4 : MATTE_KINDS));
        const shape form = matte_size(c, kind, large);
        matte_scene s = matte_scene_make(c, form.width, form.height, kind);
        check_scene(c, &s, !large, &sum);
        matte_scene_free(&s);
    }
    check_case(c, "all");
    check_that(c, ON_CPU,
               sum.decided && sum.stay && (large ? sum.rims + sum.before : sum.rims && sum.before),
               "%llu decided, %llu rims, %llu before the subject, %llu that stay: none of some",
               (unsigned long long)sum.decided, (unsigned long long)sum.rims,
               (unsigned long long)sum.before, (unsigned long long)sum.stay);
}

void check_follow(check *c)
{
    if (check_group(c, "follow.scenes"))
        check_scenes(c, check_count(c, 300, 60), 0);
    if (check_group(c, "follow.large"))
        check_scenes(c, check_count(c, 48, 8), 1);
}
