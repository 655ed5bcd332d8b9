/* The colours of one side: oracle = CPU = CUDA. */
#include "check/matte/matte_case.h"
#include "matte/separate.h"
#include "support/device.h"

static picture make_output(const matte_scene *s)
{
    const satk_plane *const src = &s->src.plane;
    const shape form = {src->width, src->height, src->channels, src->bits, src->bits / 8, 0};

    return picture_output(&form);
}

static picture separate_by_oracle(const matte_scene *s)
{
    const oracle_plane src = oracle_view(&s->src.plane), matte = oracle_view(&s->matte.plane);
    const oracle_plane sides = oracle_view(&s->sides.plane);
    const picture to = make_output(s);

#pragma omp parallel for schedule(dynamic, 1)
    for (int y = 0; y < src.height; y++)
        for (int x = 0; x < src.width; x++) {
            const uint32_t side = oracle_code(&sides, x, y, 0);
            const oracle_codes codes = side == SATK_COLOUR_KEEP
                                           ? (oracle_codes){{0}}
                                           : oracle_separated(&src, &matte, (oracle_pixel){x, y},
                                                              side == SATK_COLOUR_SUBJECT);
            for (int c = 0; c < src.channels; c++)
                picture_put(&to.plane, x, y, c,
                            side == SATK_COLOUR_KEEP ? oracle_code(&src, x, y, c) : codes.c[c]);
        }
    return to;
}

static picture separate_on_cpu(check *c, const matte_scene *s, int threads)
{
    const picture to = make_output(s);
    satk_separate job = {
        .src = s->src.plane, .matte = s->matte.plane, .sides = s->sides.plane, .dst = to.plane};
    block scratch = block_guarded(satk_separate_scratch_cpu(&job, threads), 0);

    block_poison(&scratch);
    job.scratch = block_data(&scratch);
    satk_separate_cpu(&job, threads);
    matte_scratch_intact(c, ON_CPU, &scratch);
    block_free(&scratch);
    return to;
}

/* Compares the device's result with the right one. */
static void separate_on_cuda(check *c, const matte_scene *s, const picture *want)
{
    picture to = make_output(s);
    const layout l = layout_of(&to.plane);
    satk_separate job = {.src = s->src.plane};
    block scratch = block_guarded(device_separate_scratch(&job), 0);
    mirrors on = {.c = c};

    block_poison(&scratch);
    job = (satk_separate){.src = mirrors_in_plane(&on, &s->src),
                          .matte = mirrors_in_plane(&on, &s->matte),
                          .sides = mirrors_in_plane(&on, &s->sides),
                          .dst = mirrors_out_plane(&on, &to),
                          .scratch = mirrors_out(&on, &scratch)};
    if (mirrors_end(&on, on.failed || device_separate(&job))) {
        check_same(c, ON_CUDA, &want->memory, &to.memory, &l);
        matte_scratch_intact(c, ON_CUDA, &scratch);
    }
    block_free(&scratch);
    picture_free(&to);
}

/* Returns 1 if a colour has changed. */
static int check_scene(check *c, const matte_scene *s, int asks)
{
    picture want = separate_on_cpu(c, s, 1), got = separate_on_cpu(c, s, 3);
    const layout l = layout_of(&want.plane);
    const int changed = !picture_same(&want, &s->src);

    check_same(c, ON_CPU, &want.memory, &got.memory, &l);
    picture_free(&got);
    if (asks) {
        picture right = separate_by_oracle(s);
        check_same(c, ON_CPU, &right.memory, &want.memory, &l);
        picture_free(&right);
    }
    if (c->cuda)
        separate_on_cuda(c, s, &want);
    picture_free(&want);
    return changed;
}

static void check_scenes(check *c, int count, int large)
{
    int changed = 0, kept = 0;

    for (int i = 0; i < count && !check_hopeless(c); i++) {
        const matte_kind kind = (matte_kind)(i % MATTE_KINDS);
        const shape form = matte_size(c, kind, large);
        matte_scene s = matte_scene_make(c, form.width, form.height, kind);
        const int has_changed = check_scene(c, &s, !large);
        changed += has_changed;
        kept += !has_changed;
        matte_scene_free(&s);
    }
    check_case(c, "all");
    check_that(c, ON_CPU, changed && kept, "%d pictures have changed, %d have not", changed, kept);
}

void check_separate(check *c)
{
    if (check_group(c, "separate.scenes"))
        check_scenes(c, check_count(c, 300, 60), 0);
    if (check_group(c, "separate.large"))
        check_scenes(c, check_count(c, 50, 10), 1);
}
