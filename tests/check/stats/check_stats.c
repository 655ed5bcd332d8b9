#include "check/stats/check_stats.h"

#include "common/pool.h"
#include "support/device.h"

#include <string.h>

static int results_of(const stats *s, const satk_plane *src)
{
    return s->single ? 1 : src->channels;
}

static size_t channel_bytes(const stats *s, const satk_plane *src)
{
    return s->channel_bytes[src->bits == 16];
}

/* Makes a poisoned block between guards: the contract says "overwritten". */
static block result(const stats *s, const satk_plane *src)
{
    block b = block_guarded((size_t)results_of(s, src) * channel_bytes(s, src), 0);

    block_poison(&b);
    return b;
}

static layout result_layout(const stats *s, const satk_plane *src)
{
    const size_t channel = channel_bytes(s, src);

    return (layout){channel, channel, s->word_bytes, s->word_bytes}; /* y: channel, x: word */
}

static satk_plane rows_of(const satk_plane *plane, int first, int last)
{
    satk_plane rows = *plane;

    rows.data = (uint8_t *)plane->data + first * plane->pitch;
    rows.height = last - first;
    return rows;
}

/* Measures the picture, or with cut > 0 the rows above it and then the others. */
static void on_cpu(check *c, const stats *s, const picture *src, const block *want, int threads,
                   int cut)
{
    const layout l = result_layout(s, &src->plane);
    const satk_plane above = rows_of(&src->plane, 0, cut),
                     others = rows_of(&src->plane, cut, src->plane.height);
    block got = result(s, &src->plane);

    if (cut > 0)
        s->cpu(&above, block_data(&got), threads, 0);
    s->cpu(&others, block_data(&got), threads, cut > 0);
    check_same(c, ON_CPU, want, &got, &l);
    block_free(&got);
}

static void on_cuda(check *c, const stats *s, const picture *src, const block *want, int cut)
{
    const layout l = result_layout(s, &src->plane);
    block got = result(s, &src->plane);
    mirrors on = {.c = c};
    const satk_plane plane = mirrors_in_plane(&on, src), above = rows_of(&plane, 0, cut),
                     others = rows_of(&plane, cut, plane.height);
    void *const out = mirrors_out(&on, &got);

    if (mirrors_end(&on, on.failed || (cut > 0 && s->cuda(&above, out, 0)) ||
                             s->cuda(&others, out, cut > 0)))
        check_same(c, ON_CUDA, want, &got, &l);
    block_free(&got);
}

static void run_cut(check *c, const stats *s, const picture *src, const char *what, int cut)
{
    const satk_plane *const p = &src->plane;
    const oracle_plane view = oracle_view(p);
    const int threads[] = {c->large ? satk_processors() : 1, 2, 3,
                           p->height > 60 ? 7 : p->height + 3};
    const int runs = c->large ? 1 : check_count(c, 4, 2);
    block want = result(s, p);

    for (int i = 0; i < results_of(s, p); i++)
        s->expect(&view, i, (uint8_t *)block_data(&want) + (size_t)i * channel_bytes(s, p));
    for (int i = 0; i < runs; i++) {
        check_case(c, "%d x %d, %d channels, %d bits, pitch %td, skew %zu, %s, %d threads",
                   p->width, p->height, p->channels, p->bits, p->pitch, src->memory.at, what,
                   threads[i]);
        on_cpu(c, s, src, &want, threads[i], cut);
    }
    if (c->cuda)
        on_cuda(c, s, src, &want, cut);
    block_free(&want);
}

void run_stats(check *c, const stats *s, const picture *src, const char *what)
{
    run_cut(c, s, src, what, 0);
}

static void run_shape(check *c, const stats *s, const shape *form, fill f)
{
    picture src = picture_input(form, f, &c->random);

    run_stats(c, s, &src, fill_name(f));
    picture_free(&src);
}

static void check_sizes(check *c, const stats *s)
{
    for (int i = 0; i < sizes_count; i++)
        for (int kind = 0; kind < 8; kind++) {
            const int pad = random_below(&c->random, 3) * 6, skew = random_below(&c->random, 2) * 2;
            const shape form = {
                sizes[i].width, sizes[i].height, kind % 4 + 1, kind < 4 ? 8 : 16, pad, skew};
            if (size_wanted(c, &sizes[i]) && (!c->quick || kind % 5 == i % 5) && !check_hopeless(c))
                run_shape(c, s, &form, FILL_RANDOM);
        }
}

/* Every alignment of the first sample, and of the rows after it: wide loads begin and end anywhere. The
 * rows are longer than a warp's loads. */
static void check_alignment(check *c, const stats *s)
{
    for (int kind = 0; kind < 8; kind++)
        for (int skew = 0; skew < 16; skew += kind < 4 ? 1 : 2) {
            const shape form = {700, 3, kind % 4 + 1, kind < 4 ? 8 : 16, 2 * skew, skew};
            if ((!c->quick || skew % 6 == kind % 3 * 2) && !check_hopeless(c))
                run_shape(c, s, &form, FILL_RANDOM);
        }
}

static void check_fills(check *c, const stats *s)
{
    for (int f = 0; f < FILLS; f++)
        for (int kind = 0; kind < 8 && !check_hopeless(c); kind += check_count(c, 1, 3)) {
            const shape form = {173, 129, kind % 4 + 1, kind < 4 ? 8 : 16, 0, 0};
            run_shape(c, s, &form, (fill)f);
        }
}

/* One code that differs, at every place of a small picture in turn: nothing is left out or counted
 * twice. The rows of the second one begin at multiples of 16 bytes. */
static void check_places(check *c, const stats *s)
{
    static const shape forms[] = {{37, 5, 1, 8, 3, 1}, {125, 2, 1, 8, 3, 0}};

    for (int f = 0; f < 2; f++)
        for (int i = 0; i < forms[f].width * forms[f].height && !check_hopeless(c);
             i += check_count(c, 1, 59)) {
            picture src = picture_input(&forms[f], FILL_CONSTANT, &c->random);
            picture_put(&src.plane, i % forms[f].width, i / forms[f].width, 0, i % 2 ? 255 : 0);
            run_stats(c, s, &src, "constant but for one pixel");
            picture_free(&src);
        }
}

/* Threads that end at the same time add up at the same time: often, since they collide seldom. */
static void check_threads(check *c, const stats *s)
{
    const shape form = {9, 4, 4, 8, 0, 0};
    picture src = picture_input(&form, FILL_RANDOM, &c->random);
    const oracle_plane view = oracle_view(&src.plane);
    block want = result(s, &src.plane), got = result(s, &src.plane);
    int same = 1;

    for (int i = 0; i < results_of(s, &src.plane); i++)
        s->expect(&view, i,
                  (uint8_t *)block_data(&want) + (size_t)i * channel_bytes(s, &src.plane));
    for (int i = 0; i < check_count(c, 3000, 30) && same; i++) {
        s->cpu(&src.plane, block_data(&got), i % 3 + 2, 0);
        same = memcmp(want.base, got.base, want.size) == 0;
    }
    check_case(c, "9 x 4, 4 channels, 8 bits, many times, 2 to 4 threads");
    check_that(c, ON_CPU, same, "the result depends on the threads' timing");
    block_free(&want);
    block_free(&got);
    picture_free(&src);
}

/* Two bands of a picture, one after the other. */
static void check_bands_of(check *c, const stats *s)
{
    for (int kind = 0; kind < 8 && !check_hopeless(c); kind++)
        for (int i = 0; i < check_count(c, 4, 1); i++) {
            const shape form = {301, 23, kind % 4 + 1, kind < 4 ? 8 : 16, 2 * i, 0};
            picture src = picture_input(&form, i % 2 ? FILL_CONSTANT : FILL_RANDOM, &c->random);
            run_cut(c, s, &src, "in two bands", 1 + random_below(&c->random, form.height - 1));
            picture_free(&src);
        }
}

static void check_shapes(check *c, const stats *s)
{
    static const fill fills[] = {FILL_RANDOM, FILL_CONSTANT, FILL_BRIGHT, FILL_STAIRS};

    for (int i = 0; i < s->shapes_count; i++)
        for (int f = 0; f < 4 && !check_hopeless(c); f++)
            if (!c->quick || (i + 3) % 4 == f)
                run_shape(c, s, &s->shapes[i], fills[f]);
}

void check_stats(check *c, const stats *s)
{
    if (check_group(c, s->group_sizes))
        check_sizes(c, s);
    if (check_group(c, s->group_alignment))
        check_alignment(c, s);
    if (check_group(c, s->group_fills))
        check_fills(c, s);
    if (check_group(c, s->group_places))
        check_places(c, s);
    if (check_group(c, s->group_threads))
        check_threads(c, s);
    if (s->group_bands && check_group(c, s->group_bands))
        check_bands_of(c, s);
    if (s->group_shapes && check_group(c, s->group_shapes))
        check_shapes(c, s);
    if (check_large_group(c, s->group_large) && large_fits(c, 6, 6))
        run_shape(c, s, &large_words, FILL_RANDOM);
}
