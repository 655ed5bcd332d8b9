/* Colours of mixed pixels: definition (cover/unmix.h) = CPU = CUDA. */
#include "check/check.h"

#include "cover/unmix.h"
#include "support/device.h"

#include <stdlib.h>
#include <string.h>

/* A picture with its coverage and rims, before and after. */
typedef struct unmixing {
    shape form, bytes; /* of the picture, and of its coverage */
    oracle_look look;
    picture src, cover, want, want_cover;
    block rims;
    satk_unmix job;      /* without picture, coverage and tone */
    int unmixed, raised; /* pixels */
} unmixing;

/* --- The definition --------------------------------------------------------------------------- */

/* Returns the near surface's part of 16 samples, which is below 0 or above a whites if it has no colour. */
static int64_t near_of(int64_t own, int64_t behind, int a)
{
    return 16 * own - (16 - a) * behind;
}

static int has_colours(const unmixing *u, const uint64_t *own, const uint32_t *behind, int a)
{
    const int alpha = oracle_alpha(u->form.channels);
    const int64_t white = oracle_sample_max(u->form.bits, &u->look);
    int has = 1;

    for (int c = 0; c < u->form.channels; c++) {
        const int64_t near = c == alpha ? 0 : near_of((int64_t)own[c], behind[c], a);
        has &= near >= 0 && near <= a * white;
    }
    return has;
}

/* Defines a mixed pixel that its rim covers in part. */
static void define(unmixing *u, int x, int y, uint32_t cover)
{
    const oracle_plane src = oracle_view(&u->src.plane);
    const int alpha = oracle_alpha(u->form.channels);
    const size_t at = (size_t)(y * u->form.width + x);
    int a = (int)(16 * cover + 127) / 255;
    const int before = a;
    uint64_t own[4];
    uint32_t behind[4] = {0};

    oracle_samples(&src, &u->look, x, y, own);
    for (int c = 0; c < 3; c++)
        behind[c] = u->job.behind[u->job.rims.behind[c][at]];
    while (!has_colours(u, own, behind, a))
        a++;
    for (int c = 0; c < u->form.channels; c++) {
        const int64_t twice = 2 * near_of((int64_t)own[c], behind[c], a);
        const uint32_t code = oracle_code(&src, x, y, c);
        if (c != alpha)
            picture_put(
                &u->want.plane, x, y, c,
                oracle_code_of(&u->look, u->form.bits, 0, (uint32_t)((twice + a) / (2 * a)), code));
    }
    picture_put(&u->want_cover.plane, x, y, 0, (uint32_t)((2 * 255 * a + 16) / 32));
    u->unmixed += a < 16;
    u->raised += a > before;
}

/* --- Scenes ----------------------------------------------------------------------------------- */

/* Draws a pixel's rim: most are mixed, in front of what is hardly brighter or darker. */
static void draw(check *c, unmixing *u, int x, int y)
{
    const oracle_plane src = oracle_view(&u->src.plane);
    const size_t at = (size_t)(y * u->form.width + x);
    const uint32_t cover =
        (uint32_t)(random_below(&c->random, 5) ? 8 + random_below(&c->random, 247) : 255);

    u->job.rims.kind[at] = (uint8_t)(random_below(&c->random, 4)
                                         ? SATK_RIM_MIXED
                                         : random_below(&c->random, SATK_RIM_BEFORE_SUBJECT + 1));
    for (int k = 0; k < 3; k++) {
        const int channel = u->form.channels > 2 ? k : 0;
        const int high = (int)(oracle_code(&src, x, y, channel) >> (u->form.bits - 8));
        const int code = random_below(&c->random, 3) ? high + random_below(&c->random, 41) - 20
                                                     : random_below(&c->random, 256);
        u->job.rims.behind[k][at] = (uint8_t)(code < 0 ? 0 : code > 255 ? 255 : code);
    }
    picture_put(&u->cover.plane, x, y, 0, cover);
    picture_put(&u->want_cover.plane, x, y, 0, cover);
    if (u->job.rims.kind[at] == SATK_RIM_MIXED && cover < 255)
        define(u, x, y, cover);
}

/* kind 0: codes; 1: linear light; 2: half floats. */
static unmixing unmixing_make(check *c, int w, int h, int i)
{
    const int kind = i % 3, bits = kind == 2 || i % 2 ? 16 : 8;
    const size_t pixels = (size_t)w * (size_t)h;
    unmixing u = {.look = {.linear = kind == 2 ? ORACLE_HALF : kind},
                  .form = {w, h, 1 + i / 3 % 4, bits, 2 * random_below(&c->random, 3), 0},
                  .bytes = {w, h, 1, 8, random_below(&c->random, 3), 0},
                  .rims = block_exact(satk_rims_bytes(pixels), 0)};

    u.src = picture_input(&u.form, (fill)random_below(&c->random, FILLS), &c->random);
    u.cover = picture_output(&u.bytes);
    u.want = picture_output(&u.form);
    u.want_cover = picture_output(&u.bytes);
    u.job.rims = satk_rims_in(block_data(&u.rims), pixels);
    for (uint32_t code = 0; code < 256; code++)
        u.job.behind[code] = oracle_sample(&u.look, bits, 0, bits == 8 ? code : 257 * code);
    if (kind == 2) /* halves of such codes that rise with them, and the largest sample */
        for (uint32_t code = 0; code < 256; code++)
            u.job.behind[code] = code < 255 ? oracle_decode_half(code << 8 & 0x7fff) : UINT32_MAX;
    picture_copy(&u.want, &u.src);
    for (int p = 0; p < w * h; p++)
        draw(c, &u, p % w, p / w);
    return u;
}

static void unmixing_free(unmixing *u)
{
    picture_free(&u->src);
    picture_free(&u->cover);
    picture_free(&u->want);
    picture_free(&u->want_cover);
    block_free(&u->rims);
}

/* --- Back ends -------------------------------------------------------------------------------- */

static void compare(check *c, backend on, const unmixing *u, const picture *got,
                    const picture *cover)
{
    const layout l = layout_of(&got->plane), b = layout_of(&cover->plane);

    check_same(c, on, &u->want.memory, &got->memory, &l);
    check_same(c, on, &u->want_cover.memory, &cover->memory, &b);
}

static void on_cpu(check *c, const unmixing *u, picture *got, picture *cover, int threads)
{
    satk_unmix job = u->job;

    job.picture = got->plane, job.cover = cover->plane;
    job.tone = tones_get(u->form.bits, &u->look, ON_CPU);
    satk_unmix_cpu(&job, threads);
    compare(c, ON_CPU, u, got, cover);
}

static void on_cuda(check *c, const unmixing *u, picture *got, picture *cover)
{
    satk_unmix job = u->job;
    mirror p = mirror_up(c, &got->memory), b = mirror_up(c, &cover->memory),
           r = mirror_up(c, &u->rims);

    if (p.device && b.device && r.device) {
        job.picture = mirror_plane(&p, got), job.cover = mirror_plane(&b, cover);
        job.rims = satk_rims_in(mirror_at(&r, &u->rims, block_data(&u->rims)),
                                (size_t)u->form.width * (size_t)u->form.height);
        job.tone = tones_get(u->form.bits, &u->look, ON_CUDA);
        if (check_launch(c, device_unmix(&job)) && mirror_down(c, &p, &got->memory) &&
            mirror_down(c, &b, &cover->memory))
            compare(c, ON_CUDA, u, got, cover);
    }
    mirror_free(&p);
    mirror_free(&b);
    mirror_free(&r);
}

static void check_one(check *c, unmixing *u, backend on, int threads)
{
    picture got = picture_output(&u->form), cover = picture_output(&u->bytes);

    picture_copy(&got, &u->src);
    picture_copy(&cover, &u->cover);
    if (on == ON_CPU)
        on_cpu(c, u, &got, &cover, threads);
    else
        on_cuda(c, u, &got, &cover);
    picture_free(&got);
    picture_free(&cover);
}

void check_unmix(check *c)
{
    int unmixed = 0, raised = 0;

    if (!check_group(c, "unmix"))
        return;
    for (int i = 0; i < check_count(c, 200, 48) && !check_hopeless(c); i++) {
        const int w = 1 + random_below(&c->random, 70), h = 1 + random_below(&c->random, 40);
        unmixing u = unmixing_make(c, w, h, i);
        check_case(c, "unmix %dx%d, %d channels of %d bits, %s", w, h, u.form.channels, u.form.bits,
                   check_look_name(&u.look));
        check_one(c, &u, ON_CPU, 1 + i % 3);
        if (c->cuda)
            check_one(c, &u, ON_CUDA, 1);
        unmixed += u.unmixed, raised += u.raised;
        unmixing_free(&u);
    }
    check_case(c, "all");
    check_that(c, ON_CPU, unmixed > 1000 && raised > 1000,
               "few pixels were unmixed, or few raised");
}
