/* Circles of confusion as a picture: radii of radii_rule.h, scaled and rounded by the C library = CPU = CUDA. */
#include "check/layer/check_lens.h"

#include "layer/coc.h"
#include "layer/radii_rule.h"
#include "support/device.h"

#include <math.h>

/* Returns a lens whose radii are at most `full`. Often one side's are half of that, so that 65535 is half a step. */
static satk_lens make_lens(check *c, double full)
{
    const int side = random_below(&c->random, 3);

    return check_lens(c, side == 1 ? full / 2 : full, side == 2 ? full / 2 : full);
}

static picture define(const satk_coc *job, const shape *form)
{
    const oracle_plane view = oracle_view(&job->src);
    picture want = picture_output(form);

    for (int y = 0; y < form->height; y++)
        for (int x = 0; x < form->width; x++) {
            const double radius =
                satk_radius_of(&job->lens, (uint32_t)oracle_code(&view, x, y, 0), job->src.bits);
            const long steps = job->full > 0 ? lround(32767 * radius / job->full) : 0;
            picture_put(&want.plane, x, y, 0, (uint32_t)(32768 + steps));
        }
    return want;
}

static void on_cpu(check *c, const satk_coc *job, const shape *form, const picture *want,
                   int threads)
{
    picture got = picture_output(form);
    block scratch = block_exact(satk_coc_scratch_cpu(job, threads), 0);
    const layout l = layout_of(&got.plane);
    satk_coc own = *job;

    block_poison(&scratch);
    own.dst = got.plane;
    own.scratch = block_data(&scratch);
    satk_coc_cpu(&own, threads);
    check_same(c, ON_CPU, &want->memory, &got.memory, &l);
    block_free(&scratch);
    picture_free(&got);
}

static void on_cuda(check *c, const satk_coc *job, const shape *form, const picture *src,
                    const picture *want)
{
    picture got = picture_output(form);
    const layout l = layout_of(&got.plane);
    satk_coc own = *job;
    mirrors on = {.c = c};

    own.src = mirrors_in_plane(&on, src);
    own.dst = mirrors_out_plane(&on, &got);
    own.scratch = mirrors_scratch(&on, device_coc_scratch(job));
    if (mirrors_end(&on, on.failed || device_coc(&own)))
        check_same(c, ON_CUDA, &want->memory, &got.memory, &l);
    picture_free(&got);
}

static void run_coc(check *c, const shape *form, fill f)
{
    static const double radii[] = {0, 0.3, 12, 76.8, 400, 1 << 23};
    const double full = radii[random_below(&c->random, 6)];
    const shape out = {form->width, form->height, 1, 16, 2 * random_below(&c->random, 4), 2};
    picture src = picture_input(form, f, &c->random);
    const satk_coc job = {.src = src.plane, .lens = make_lens(c, full), .full = full};
    const int threads = 1 + random_below(&c->random, 4);

    check_case(c, "%d x %d, %d channels, %d bits, pad %d, skew %d, %s, radii to %.1f, %d threads",
               form->width, form->height, form->channels, form->bits, form->pad, form->skew,
               fill_name(f), full, threads);
    picture want = define(&job, &out);
    on_cpu(c, &job, &out, &want, threads);
    if (c->cuda)
        on_cuda(c, &job, &out, &src, &want);
    picture_free(&want);
    picture_free(&src);
}

/* Every code of 16 bits occurs in random pictures of this size, or nearly so: 255 of 8 bits, too. */
static const shape whole = {700, 600, 1, 16, 0, 0};

void check_coc(check *c)
{
    if (!check_group(c, "coc"))
        return;
    for (int i = 0; i < sizes_count; i++)
        for (int kind = 0; kind < 8; kind++) {
            const shape form = {sizes[i].width,
                                sizes[i].height,
                                kind % 4 + 1,
                                kind < 4 ? 8 : 16,
                                2 * random_below(&c->random, 3),
                                2 * random_below(&c->random, 3)};
            if (size_wanted(c, &sizes[i]) && (!c->quick || kind % 5 == i % 5) && !check_hopeless(c))
                run_coc(c, &form, (fill)((i + kind) % FILLS));
        }
    for (int i = 0; i < check_count(c, 12, 2) && !check_hopeless(c); i++)
        run_coc(c, &whole, FILL_RANDOM);
}
