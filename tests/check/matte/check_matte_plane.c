/* Planes of coverage: oracle = CPU = CUDA. */
#include "check/check.h"
#include "matte/matte_plane.h"
#include "support/device.h"

typedef struct plane_case {
    picture src, want;
    uint64_t sum;
} plane_case;

/* Makes a channel one code everywhere, but perhaps for its last pixel. */
static void level(check *c, const satk_plane *p, int channel, int but_one)
{
    const uint32_t code = (uint32_t)random_below(&c->random, 1 << p->bits);

    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            picture_put(p, x, y, channel, code);
    if (but_one)
        picture_put(p, p->width - 1, p->height - 1, channel, code ^ 1);
}

static plane_case make_case(check *c, const shape *from, int w, int h)
{
    const shape to = {w, h, 1, 8, random_below(&c->random, 4), random_below(&c->random, 4)};
    const int alpha = random_below(&c->random, 3);
    plane_case k = {.src = picture_input(from, (fill)random_below(&c->random, FILLS), &c->random),
                    .want = picture_output(&to)};
    const oracle_plane src = oracle_view(&k.src.plane);

    if (alpha > 0)
        level(c, &k.src.plane, from->channels - 1, alpha == 2);
    check_case(c, "%dx%d of %dx%d, %d channels of %d bits, the last one %s", w, h, from->width,
               from->height, from->channels, from->bits,
               alpha == 0   ? "varies"
               : alpha == 1 ? "is even"
                            : "is even but for a pixel");
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const uint32_t cover = oracle_cover(&src, w, h, x, y);
            picture_put(&k.want.plane, x, y, 0, cover);
            k.sum += cover;
        }
    return k;
}

static void compare(check *c, backend on, const plane_case *k, const picture *got, uint64_t sum)
{
    const layout l = layout_of(&got->plane);

    check_same(c, on, &k->want.memory, &got->memory, &l);
    check_that(c, on, sum == k->sum, "the sum is %llu, not %llu", (unsigned long long)sum,
               (unsigned long long)k->sum);
}

/* Returns a plane like that which is wanted, not written yet. */
static picture make_output(const plane_case *k)
{
    picture p = {.memory = block_like(&k->want.memory), .plane = k->want.plane};

    p.plane.data = block_data(&p.memory);
    block_poison(&p.memory);
    return p;
}

static void run_on_cpu(check *c, const plane_case *k, int threads)
{
    picture got = make_output(k);
    uint64_t counts[SATK_MATTE_COUNTS];
    satk_matte_plane job = {.src = k->src.plane, .dst = got.plane, .counts = counts};
    block scratch = block_exact(satk_matte_plane_scratch_cpu(&job, threads), 0);

    block_poison(&scratch);
    job.scratch = block_data(&scratch);
    satk_matte_plane_cpu(&job, threads);
    compare(c, ON_CPU, k, &got, counts[SATK_MATTE_SUM]);
    block_free(&scratch);
    picture_free(&got);
}

static void run_on_cuda(check *c, const plane_case *k)
{
    picture got = make_output(k);
    satk_matte_plane job = {.src = k->src.plane, .dst = got.plane};
    block counts = block_exact(SATK_MATTE_COUNTS * sizeof(uint64_t), 0);
    mirrors on = {.c = c};

    job.scratch = mirrors_scratch(&on, device_matte_plane_scratch(&job));
    job.src = mirrors_in_plane(&on, &k->src);
    job.dst = mirrors_out_plane(&on, &got);
    job.counts = mirrors_out(&on, &counts);
    if (mirrors_end(&on, on.failed || device_matte_plane(&job)))
        compare(c, ON_CUDA, k, &got, ((const uint64_t *)block_data(&counts))[SATK_MATTE_SUM]);
    block_free(&counts);
    picture_free(&got);
}

static void check_planes(check *c)
{
    for (int i = 0; i < check_count(c, 400, 80) && !check_hopeless(c); i++) {
        const int w = 1 + random_below(&c->random, 70), h = 1 + random_below(&c->random, 60);
        const int bits = i / 4 % 2 ? 16 : 8, same = i % 3 == 0;
        const shape from = {same ? w : 1 + random_below(&c->random, 90),
                            same ? h : 1 + random_below(&c->random, 50),
                            1 + i % 4,
                            bits,
                            bits / 8 * random_below(&c->random, 4),
                            bits / 8 * random_below(&c->random, 4)};
        plane_case k = make_case(c, &from, w, h);
        run_on_cpu(c, &k, 1);
        run_on_cpu(c, &k, 3);
        if (c->cuda)
            run_on_cuda(c, &k);
        picture_free(&k.src);
        picture_free(&k.want);
    }
}

void check_matte_plane(check *c)
{
    check_run(c, "matte_plane", check_planes);
}
