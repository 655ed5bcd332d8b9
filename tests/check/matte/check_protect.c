/* What a mask protects: its depth and its rims: definition = CPU = CUDA. */
#include "check/matte/check_mask.h"

#include "protect/protect.h"
#include "support/device.h"

#include <string.h>

static void compare_rims(check *c, backend on, const oracle_plane *cover, const uint8_t *kind)
{
    int wrong = 0;

    for (int i = 0; i < cover->width * cover->height; i++)
        wrong += kind[i] != (oracle_code(cover, i % cover->width, i / cover->width, 0) * 2 > 255
                                 ? SATK_RIM_NONE
                                 : SATK_RIM_EDGE);
    check_that(c, on, wrong == 0, "%d rims are wrong", wrong);
}

static void depth_on_cuda(check *c, const satk_protect *on_cpu, const shape *form,
                          const picture *cover, const picture *before, const picture *want)
{
    const size_t pixels = (size_t)on_cpu->map.width * (size_t)on_cpu->map.height;
    const layout l = layout_of(&want->plane);
    const oracle_plane view = oracle_view(&cover->plane);
    picture got = picture_output(form);
    block kinds = block_exact(pixels, 0);
    satk_protect job = *on_cpu;

    picture_copy(&got, before);
    memset(block_data(&kinds), SATK_RIM_EDGE, pixels);
    mirrors on = {.c = c};
    job.cover = mirrors_in_plane(&on, cover);
    job.map = mirrors_out_plane(&on, &got);
    job.rims.kind = mirrors_out(&on, &kinds);
    if (mirrors_end(&on, on.failed || device_protect(&job))) {
        check_same(c, ON_CUDA, &want->memory, &got.memory, &l);
        compare_rims(c, ON_CUDA, &view, block_data(&kinds));
    }
    block_free(&kinds);
    picture_free(&got);
}

static void check_depth(check *c, int w, int h, int bits)
{
    const shape form = {w, h, 1, bits, 2 * random_below(&c->random, 3), 0};
    picture cover = check_mask(c, w, h), map = picture_input(&form, FILL_RANDOM, &c->random);
    picture want = picture_output(&form), got = picture_output(&form);
    const oracle_plane view = oracle_view(&cover.plane), codes = oracle_view(&map.plane);
    const layout l = layout_of(&want.plane);
    const uint32_t code = (uint32_t)random_below(&c->random, 1 << bits);
    block kinds = block_exact((size_t)w * (size_t)h, 0);

    check_case(c, "depth %dx%d of %d bits, code %u", w, h, bits, code);
    memset(block_data(&kinds), SATK_RIM_EDGE, (size_t)w * (size_t)h);
    picture_copy(&want, &map);
    picture_copy(&got, &map);
    for (int i = 0; i < w * h; i++)
        picture_put(&want.plane, i % w, i / w, 0,
                    oracle_code(&view, i % w, i / w, 0) * 2 > 255
                        ? code
                        : oracle_code(&codes, i % w, i / w, 0));
    const satk_protect job = {
        .cover = cover.plane, .map = got.plane, .rims = {.kind = block_data(&kinds)}, .code = code};
    satk_protect_cpu(&job, 3);
    check_same(c, ON_CPU, &want.memory, &got.memory, &l);
    compare_rims(c, ON_CPU, &view, block_data(&kinds));
    if (c->cuda)
        depth_on_cuda(c, &job, &form, &cover, &map, &want);
    block_free(&kinds);
    picture_free(&got);
    picture_free(&want);
    picture_free(&map);
    picture_free(&cover);
}

void check_protect(check *c)
{
    if (!check_group(c, "protect"))
        return;
    for (int i = 0; i < check_count(c, 100, 24) && !check_hopeless(c); i++)
        check_depth(c, 1 + random_below(&c->random, 70), 1 + random_below(&c->random, 40),
                    i % 2 ? 16 : 8);
}
