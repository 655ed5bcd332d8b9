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

/* Returns the first pixel of sample i: floors of equal parts, counted from the closer end. */
static int cut(const satk_cuts *c, int i)
{
    const int64_t all = (int64_t)c->patches * c->samples, k = 2 * i > all ? all - i : i;
    const int at = (int)(k * c->side / all);

    return 2 * i > all ? c->side - at : at;
}

/* Returns the luma of a sample, by its column and row among all samples. */
static int64_t sample_at(const oracle_plane *p, const satk_patches *job, int i, int j)
{
    const int x0 = cut(&job->across, i), x1 = cut(&job->across, i + 1);
    const int y0 = cut(&job->down, j), y1 = cut(&job->down, j + 1);
    const int64_t area = (int64_t)(x1 - x0) * (y1 - y0);
    int64_t sum = 0;

    for (int k = 0; k < area; k++)
        sum += luma_at(p, x0 + k % (x1 - x0), y0 + k / (x1 - x0));
    return (2 * sum + area) / (2 * area);
}

static uint32_t detail_at(const oracle_plane *p, const satk_patches *job, int i, int j)
{
    static const int beside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int64_t detail = 0;

    for (int k = 0; k < 4; k++) {
        const int x = i + beside[k][0], y = j + beside[k][1];
        if (x >= 0 && y >= 0 && x < job->across.patches * job->across.samples &&
            y < job->down.patches * job->down.samples)
            detail += llabs(sample_at(p, job, i, j) - sample_at(p, job, x, y));
    }
    return (uint32_t)detail;
}

static satk_patch define(const satk_patches *job, int column, int row)
{
    const oracle_plane src = oracle_view(&job->src), map = oracle_view(&job->map);
    const oracle_plane subject = oracle_view(&job->subject);
    const int across = job->across.samples, down = job->down.samples;
    const int x1 = cut(&job->across, (column + 1) * across), y1 = cut(&job->down, (row + 1) * down);
    satk_patch sum = {0, 0, 0, 0};

    for (int y = cut(&job->down, row * down); y < y1; y++)
        for (int x = cut(&job->across, column * across); x < x1; x++) {
            const uint64_t depth = job->depth[oracle_code(&map, x, y, 0)];
            const int is_subject = job->subject.data && oracle_code(&subject, x, y, 0) >= 128;
            sum.depth += depth;
            sum.subject += (uint32_t)is_subject;
            sum.subject_depth += is_subject ? depth : 0;
        }
    for (int k = 0; k < across * down; k++)
        sum.detail += detail_at(&src, job, column * across + k % across, row * down + k / across);
    return sum;
}

/* Returns a way to cut a side: odd, or each pixel apart. */
static satk_cuts cuts_in(check *c, int side)
{
    const int samples = 1 + 2 * random_below(&c->random, 4);
    const int patches = side / samples < SATK_MOST_PATCHES ? side / samples : SATK_MOST_PATCHES;

    if (patches == 0 || (side <= SATK_MOST_PATCHES && random_below(&c->random, 4) == 0))
        return (satk_cuts){side, side, 1};
    return (satk_cuts){side, 1 + 2 * random_below(&c->random, (patches + 1) / 2), samples};
}

static const layout patch_layout = {.row = 24, .pitch = 24, .pixel = 24, .element = 4};

/* The planes of a job. */
typedef struct inputs {
    picture src, map, subject;
} inputs;

static void on_cuda(check *c, const satk_patches *job, const inputs *in, const block *depth,
                    const block *want)
{
    block got = block_exact(want->bytes, 0);
    satk_patches own = *job;
    mirrors on = {.c = c};

    block_poison(&got);
    own.src = mirrors_in_plane(&on, &in->src), own.map = mirrors_in_plane(&on, &in->map);
    if (job->subject.data)
        own.subject = mirrors_in_plane(&on, &in->subject);
    own.depth = mirrors_in(&on, depth);
    own.out = mirrors_out(&on, &got);
    if (mirrors_end(&on, on.failed || device_patches(&own)))
        check_same(c, ON_CUDA, want, &got, &patch_layout);
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
        const shape mask = {w, h, 1, 8, 0, 0};
        inputs in = {picture_input(&form, FILL_RANDOM, &c->random),
                     picture_input(&like, FILL_RANDOM, &c->random),
                     picture_input(&mask, FILL_RANDOM, &c->random)};
        satk_patches job = {.src = in.src.plane,
                            .map = in.map.plane,
                            .across = cuts_in(c, w),
                            .down = cuts_in(c, h)};
        if (i % 2)
            job.subject = in.subject.plane;
        const size_t count = (size_t)(job.across.patches * job.down.patches);
        block depth = block_exact(sizeof(uint16_t) << like.bits, 0);
        block want = block_exact(count * sizeof(satk_patch), 0);
        block got = block_exact(count * sizeof(satk_patch), 0);

        check_case(c, "%dx%d, %d channels of %d bits, map of %d bits, %dx%d patches of %dx%d", w, h,
                   form.channels, form.bits, like.bits, job.across.patches, job.down.patches,
                   job.across.samples, job.down.samples);
        for (int k = 0; k < 1 << like.bits; k++)
            ((uint16_t *)block_data(&depth))[k] = (uint16_t)random_below(&c->random, 65536);
        job.depth = block_data(&depth);
        block_poison(&want), block_poison(&got);
        for (size_t k = 0; k < count; k++)
            ((satk_patch *)block_data(&want))[k] =
                define(&job, (int)k % job.across.patches, (int)k / job.across.patches);
        job.out = block_data(&got);
        satk_patches_cpu(&job, 1 + i % 3);
        check_same(c, ON_CPU, &want, &got, &patch_layout);
        if (c->cuda)
            on_cuda(c, &job, &in, &depth, &want);
        picture_free(&in.src), picture_free(&in.map), picture_free(&in.subject);
        block_free(&depth), block_free(&want), block_free(&got);
    }
}
