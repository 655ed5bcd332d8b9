/* A picture laid over its blurred self: definition = CPU = CUDA. */
#include "check/matte/check_mask.h"

#include "protect/mix.h"
#include "support/device.h"

typedef struct mix_case {
    picture src, blurred, cover, want;
    oracle_look look;
    shape form;
} mix_case;

/* Returns the rounded mean of parts of 255, by long division in doubled numbers. */
static uint64_t mean(uint64_t sum, uint64_t by)
{
    return sum / by + (2 * (sum % by) >= by);
}

/* Finds one pixel by the definition in mix.h. */
static void define(const mix_case *k, int x, int y)
{
    const oracle_plane src = oracle_view(&k->src.plane), blurred = oracle_view(&k->blurred.plane);
    const oracle_plane cover = oracle_view(&k->cover.plane);
    const int alpha = k->look.linear == ORACLE_HALF ? -1 : oracle_alpha(k->form.channels);
    const uint64_t twice = 2 * oracle_code(&cover, x, y, 0), part = twice > 255 ? 255 : twice;
    uint64_t a[4], b[4], weights = 0;

    oracle_samples(&src, &k->look, x, y, a);
    oracle_samples(&blurred, &k->look, x, y, b);
    if (k->look.weighted)
        weights = part * a[alpha] + (255 - part) * b[alpha];
    for (int c = 0; c < k->form.channels; c++) {
        const uint32_t from = oracle_code(&src, x, y, c), to = oracle_code(&blurred, x, y, c);
        const uint64_t sum = part * a[c] + (255 - part) * b[c];
        const uint64_t by = k->look.weighted && c != alpha ? weights : 255;
        const uint32_t code =
            part == 255 ? from
            : part == 0 || by == 0
                ? to
                : oracle_code_of(&k->look, k->form.bits, c == alpha, (uint32_t)mean(sum, by), from);
        picture_put(&k->want.plane, x, y, c, code);
    }
}

static satk_mix mix_of(const mix_case *k, const picture *to, backend on)
{
    return (satk_mix){.src = k->src.plane,
                      .blurred = k->blurred.plane,
                      .dst = to->plane,
                      .cover = k->cover.plane,
                      .tone = tones_get(k->form.bits, &k->look, on)};
}

static void mix_on_cuda(check *c, const mix_case *k, const layout *l)
{
    picture got = picture_output(&k->form);
    satk_mix job = mix_of(k, &got, ON_CUDA);
    mirrors on = {.c = c};

    job.src = mirrors_in_plane(&on, &k->src);
    job.blurred = mirrors_in_plane(&on, &k->blurred);
    job.cover = mirrors_in_plane(&on, &k->cover);
    job.dst = mirrors_out_plane(&on, &got);
    if (mirrors_end(&on, on.failed || device_mix(&job)))
        check_same(c, ON_CUDA, &k->want.memory, &got.memory, l);
    picture_free(&got);
}

/* kind 0: codes; 1: linear light; 2: half floats. */
static void check_one(check *c, int w, int h, int i)
{
    const int kind = i % 3, channels = 1 + i / 3 % 4, bits = kind == 2 || i % 2 ? 16 : 8;
    const int weighted = kind < 2 && oracle_alpha(channels) >= 0;
    mix_case k = {.look = {.linear = kind == 2 ? ORACLE_HALF : kind, .weighted = weighted},
                  .form = {w, h, channels, bits, 2 * random_below(&c->random, 3), 0}};

    check_case(c, "mix %dx%d, %d channels of %d bits, %s", w, h, channels, bits,
               check_look_name(&k.look));
    k.cover = check_mask(c, w, h);
    k.src = picture_input(&k.form, (fill)random_below(&c->random, FILLS), &c->random);
    k.blurred = picture_input(&k.form, (fill)random_below(&c->random, FILLS), &c->random);
    k.want = picture_output(&k.form);
    for (int p = 0; p < w * h; p++)
        define(&k, p % w, p / w);
    picture got = picture_output(&k.form);
    const layout wanted = layout_of(&got.plane);
    const satk_mix job = mix_of(&k, &got, ON_CPU);
    satk_mix_cpu(&job, 1 + i % 3);
    check_same(c, ON_CPU, &k.want.memory, &got.memory, &wanted);
    if (c->cuda)
        mix_on_cuda(c, &k, &wanted);
    picture_free(&got);
    picture_free(&k.want);
    picture_free(&k.blurred);
    picture_free(&k.src);
    picture_free(&k.cover);
}

void check_mix(check *c)
{
    if (!check_group(c, "mix"))
        return;
    for (int i = 0; i < check_count(c, 200, 48) && !check_hopeless(c); i++)
        check_one(c, 1 + random_below(&c->random, 70), 1 + random_below(&c->random, 40), i);
}
