/* Maps brought to the size of their pictures: oracle = CPU = CUDA. */
#include "check/check.h"

#include "support/device.h"
#include "surface/resample.h"

/* The code at position i of n among `from` samples, in 1/65536 of one: (i + 1/2) from / n - 1/2, within the outermost. */
static int64_t position(int i, int n, int from)
{
    const int64_t twice = (2 * (int64_t)i + 1) * from - n, most = 65536 * (int64_t)(from - 1);
    const int64_t at = twice <= 0 ? 0
                                  : twice / (2 * (int64_t)n) * 65536 +
                                        (twice % (2 * (int64_t)n) * 65536 + n) / (2 * (int64_t)n);

    return at < most ? at : most;
}

static uint64_t code_at(const oracle_plane *map, int64_t x, int64_t y)
{
    const int column = x < map->width ? (int)x : map->width - 1;
    const int row = y < map->height ? (int)y : map->height - 1;

    return (uint64_t)oracle_code(map, column, row, 0) * (map->bits == 8 ? 257 : 1);
}

static uint32_t code_between(const oracle_plane *map, int64_t x, int64_t y)
{
    const uint64_t right = (uint64_t)(x % 65536), below = (uint64_t)(y % 65536);
    const uint64_t top = code_at(map, x / 65536, y / 65536) * (65536 - right) +
                         code_at(map, x / 65536 + 1, y / 65536) * right;
    const uint64_t bottom = code_at(map, x / 65536, y / 65536 + 1) * (65536 - right) +
                            code_at(map, x / 65536 + 1, y / 65536 + 1) * right;

    return (uint32_t)((top * (65536 - below) + bottom * below + ((uint64_t)1 << 31)) >> 32);
}

static void define(const satk_plane *src, const satk_plane *to)
{
    const oracle_plane map = oracle_view(src);
    const int same = src->width == to->width && src->height == to->height;

    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++)
            picture_put(to, x, y, 0,
                        same ? oracle_code(&map, x, y, 0)
                             : code_between(&map, position(x, to->width, src->width),
                                            position(y, to->height, src->height)));
}

static void on_cpu(check *c, const picture *src, const picture *want, const shape *form,
                   int threads)
{
    picture got = picture_output(form);
    const layout l = layout_of(&got.plane);
    satk_resample job = {src->plane, got.plane, NULL};
    block scratch = block_exact(satk_resample_scratch_cpu(&job, threads), 0);

    block_poison(&scratch);
    job.scratch = block_data(&scratch);
    satk_resample_cpu(&job, threads);
    check_same(c, ON_CPU, &want->memory, &got.memory, &l);
    block_free(&scratch);
    picture_free(&got);
}

static void on_cuda(check *c, const picture *src, const picture *want, const shape *form)
{
    picture got = picture_output(form);
    const layout l = layout_of(&got.plane);
    mirrors on = {.c = c};
    const satk_resample job = {mirrors_in_plane(&on, src), mirrors_out_plane(&on, &got), NULL};

    if (mirrors_end(&on, on.failed || device_resample(&job)))
        check_same(c, ON_CUDA, &want->memory, &got.memory, &l);
    picture_free(&got);
}

/* Sides of maps and of pictures; the last two are the same. */
static const int sides[][4] = {{1, 1, 1, 1},      {1, 1, 9, 5},       {3, 2, 100, 70},
                               {64, 40, 128, 80}, {65, 33, 129, 17},  {300, 7, 31, 70},
                               {50, 40, 301, 41}, {130, 18, 130, 18}, {129, 33, 129, 33}};

void check_resample(check *c)
{
    const int count = (int)(sizeof sides / sizeof *sides), rounds = check_count(c, 8, 2) * count;

    if (!check_group(c, "resample"))
        return;
    for (int i = 0; i < rounds && !check_hopeless(c); i++) {
        const int *const side = sides[i % count], bits = 8 << random_below(&c->random, 2);
        const int same = side[0] == side[2] && side[1] == side[3];
        const shape map = {side[0],
                           side[1],
                           1 + random_below(&c->random, 4),
                           bits,
                           random_below(&c->random, 3) * 2,
                           0};
        const shape form = {side[2], side[3], 1, same ? bits : 16, random_below(&c->random, 3) * 2,
                            0};
        picture src = picture_input(&map, FILL_RANDOM, &c->random), want = picture_output(&form);
        check_case(c, "%dx%d, %d channels of %d bits, to %dx%d", map.width, map.height,
                   map.channels, bits, form.width, form.height);
        define(&src.plane, &want.plane);
        on_cpu(c, &src, &want, &form, 1);
        on_cpu(c, &src, &want, &form, 3);
        if (c->cuda)
            on_cuda(c, &src, &want, &form);
        picture_free(&src);
        picture_free(&want);
    }
}
