/* Sums over patches of pictures and their maps: oracle = CPU = CUDA. */
#include "check/check.h"

#include "stats/patches.h"
#include "support/device.h"

#include <stdlib.h>

static int64_t luma_at(const oracle_plane *p, int x, int y)
{
    const int colours = p->channels < 3 ? 1 : 3;
    int64_t luma = 0;

    for (int k = 0; k < colours; k++)
        luma += (int64_t)oracle_code(p, x, y, k) * (k == 1 ? 2 : 1);
    return p->channels % 2 ? luma
                           : luma * (int64_t)oracle_code(p, x, y, p->channels - 1) >> p->bits;
}

static satk_patch define(const satk_patches *job, int column, int row)
{
    const oracle_plane src = oracle_view(&job->src), map = oracle_view(&job->map);
    const int x0 = job->grid.left + column * job->grid.pitch;
    const int y0 = job->grid.top + row * job->grid.pitch;
    satk_patch sum = {0, 0, 0};

    for (int y = y0; y < y0 + job->grid.height; y++)
        for (int x = x0; x < x0 + job->grid.width; x++) {
            const uint64_t depth = job->depth[oracle_code(&map, x, y, 0)];
            sum.depth += depth;
            sum.square += depth * depth;
            if (x > x0)
                sum.detail += (uint64_t)llabs(luma_at(&src, x, y) - luma_at(&src, x - 1, y));
            if (y > y0)
                sum.detail += (uint64_t)llabs(luma_at(&src, x, y) - luma_at(&src, x, y - 1));
        }
    return sum;
}

static satk_grid_of_patches grid_in(check *c, int w, int h)
{
    satk_grid_of_patches g = {.width = 1 + random_below(&c->random, w < 16 ? w : 16),
                              .height = 1 + random_below(&c->random, h < 16 ? h : 16)};

    g.pitch = 16 + random_below(&c->random, 20);
    g.columns = 1 + (w - g.width) / g.pitch;
    g.rows = 1 + (h - g.height) / g.pitch;
    g.left = w - g.width - (g.columns - 1) * g.pitch;
    g.top = h - g.height - (g.rows - 1) * g.pitch;
    return g;
}

static void on_cuda(check *c, const satk_patches *job, const picture *src, const picture *map,
                    const block *depth, const block *want)
{
    const layout l = {.row = 24, .pitch = 24, .pixel = 24, .element = 8};
    block got = block_exact(want->bytes, 0);
    block_poison(&got);
    mirror a = mirror_up(c, &src->memory), b = mirror_up(c, &map->memory);
    mirror d = mirror_up(c, depth), out = mirror_up(c, &got);
    satk_patches own = *job;

    own.src = mirror_plane(&a, src), own.map = mirror_plane(&b, map);
    own.depth = mirror_at(&d, depth, block_data(depth));
    own.out = mirror_at(&out, &got, block_data(&got));
    if (check_launch(c, device_patches(&own)) && mirror_down(c, &out, &got))
        check_same(c, ON_CUDA, want, &got, &l);
    mirror_free(&a), mirror_free(&b), mirror_free(&d), mirror_free(&out);
    block_free(&got);
}

void check_patches(check *c)
{
    static const int sides[][2] = {{1, 1}, {5, 40}, {33, 17}, {130, 97}, {300, 20}};

    if (!check_group(c, "patches"))
        return;
    for (int i = 0; i < check_count(c, 40, 10) && !check_hopeless(c); i++) {
        const int w = sides[i % 5][0], h = sides[i % 5][1];
        const shape form = {w,
                            h,
                            1 + random_below(&c->random, 4),
                            8 << random_below(&c->random, 2),
                            random_below(&c->random, 3) * 2,
                            0};
        const shape like = {w, h, 1, 8 << random_below(&c->random, 2), 2, 0};
        picture src = picture_input(&form, FILL_RANDOM, &c->random);
        picture map = picture_input(&like, FILL_RANDOM, &c->random);
        satk_patches job = {.src = src.plane, .map = map.plane, .grid = grid_in(c, w, h)};
        const size_t count = (size_t)(job.grid.columns * job.grid.rows);
        block depth = block_exact(sizeof(uint16_t) << like.bits, 0);
        block want = block_exact(count * sizeof(satk_patch), 0);
        block got = block_exact(count * sizeof(satk_patch), 0);
        const layout l = {.row = 24, .pitch = 24, .pixel = 24, .element = 8};

        check_case(c, "%dx%d, %d channels of %d bits, map of %d bits, %dx%d patches of %dx%d", w, h,
                   form.channels, form.bits, like.bits, job.grid.columns, job.grid.rows,
                   job.grid.width, job.grid.height);
        for (int k = 0; k < 1 << like.bits; k++)
            ((uint16_t *)block_data(&depth))[k] = (uint16_t)random_below(&c->random, 65536);
        job.depth = block_data(&depth);
        block_poison(&want), block_poison(&got);
        for (size_t k = 0; k < count; k++)
            ((satk_patch *)block_data(&want))[k] =
                define(&job, (int)k % job.grid.columns, (int)k / job.grid.columns);
        job.out = block_data(&got);
        satk_patches_cpu(&job, 1 + i % 3);
        check_same(c, ON_CPU, &want, &got, &l);
        if (c->cuda)
            on_cuda(c, &job, &src, &map, &depth, &want);
        picture_free(&src), picture_free(&map);
        block_free(&depth), block_free(&want), block_free(&got);
    }
}
