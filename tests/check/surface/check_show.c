/* Half floats as codes, and back: definition = CPU = CUDA. */
#include "check/check.h"

#include "support/device.h"
#include "surface/show.h"

enum { CODES = 1 << 16 };

/* A picture, codes of which some differ from those that it is shown by, and both tables: at random. */
typedef struct show_case {
    picture halves, codes;
    block shown, unshown;
} show_case;

static show_case make_case(check *c, const shape *form)
{
    show_case s = {.halves = picture_input(form, FILL_RANDOM, &c->random),
                   .codes = picture_input(form, FILL_RANDOM, &c->random),
                   .shown = block_exact(CODES * sizeof(uint16_t), 0),
                   .unshown = block_exact(CODES * sizeof(uint16_t), 0)};
    const uint16_t *const shown = block_data(&s.shown);

    random_bytes(&c->random, block_data(&s.shown), CODES * sizeof(uint16_t));
    random_bytes(&c->random, block_data(&s.unshown), CODES * sizeof(uint16_t));
    for (int y = 0; y < form->height; y++)
        for (int i = 0; i < form->width * form->channels; i++)
            if (random_below(&c->random, 2)) {
                const oracle_plane halves = oracle_view(&s.halves.plane);
                const int x = i / form->channels, channel = i % form->channels;
                picture_put(&s.codes.plane, x, y, channel,
                            shown[oracle_code(&halves, x, y, channel)]);
            }
    return s;
}

static void free_case(show_case *s)
{
    picture_free(&s->halves);
    picture_free(&s->codes);
    block_free(&s->shown);
    block_free(&s->unshown);
}

/* Writes the result by its definition. */
static void define(const show_case *s, int back, const satk_plane *to)
{
    const oracle_plane halves = oracle_view(&s->halves.plane), codes = oracle_view(&s->codes.plane);
    const uint16_t *const shown = block_data(&s->shown), *const unshown = block_data(&s->unshown);

    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++)
            for (int k = 0; k < to->channels; k++) {
                const uint32_t half = oracle_code(&halves, x, y, k);
                const uint32_t code = oracle_code(&codes, x, y, k);
                picture_put(to, x, y, k,
                            !back                 ? shown[half]
                            : shown[half] == code ? half
                                                  : unshown[code]);
            }
}

static satk_show job_of(const show_case *s, const picture *to)
{
    return (satk_show){.halves = s->halves.plane,
                       .codes = to->plane,
                       .shown = block_data(&s->shown),
                       .unshown = block_data(&s->unshown)};
}

/* Returns the memory that a back end writes to, as it is before. */
static picture target(const show_case *s, const shape *form, int back)
{
    picture to = picture_output(form);

    if (back)
        picture_copy(&to, &s->codes);
    return to;
}

static void on_cpu(check *c, const show_case *s, const shape *form, int back, const picture *want)
{
    picture to = target(s, form, back);
    const layout l = layout_of(&to.plane);
    const satk_show job = job_of(s, &to);

    if (back)
        satk_unshow_cpu(&job, 3);
    else
        satk_show_cpu(&job, 3);
    check_same(c, ON_CPU, &want->memory, &to.memory, &l);
    picture_free(&to);
}

static void on_cuda(check *c, const show_case *s, const shape *form, int back, const picture *want)
{
    picture to = target(s, form, back);
    const layout l = layout_of(&to.plane);
    satk_show job = job_of(s, &to);
    mirrors on = {.c = c};

    job.halves = mirrors_in_plane(&on, &s->halves);
    job.codes = mirrors_out_plane(&on, &to);
    job.shown = mirrors_in(&on, &s->shown);
    job.unshown = mirrors_in(&on, &s->unshown);
    if (mirrors_end(&on, on.failed || (back ? device_unshow(&job) : device_show(&job))))
        check_same(c, ON_CUDA, &want->memory, &to.memory, &l);
    picture_free(&to);
}

/* A pixel; a block of samples less one, all of it, and one more; several rows. */
static const shape forms[] = {{1, 1, 1, 16, 0, 0},   {255, 3, 1, 16, 2, 0}, {128, 2, 2, 16, 0, 2},
                              {257, 9, 1, 16, 6, 4}, {85, 7, 3, 16, 2, 2},  {300, 40, 4, 16, 8, 0}};

void check_show(check *c)
{
    if (!check_group(c, "show"))
        return;
    for (int i = 0; i < 2 * (int)(sizeof forms / sizeof *forms) && !check_hopeless(c); i++) {
        const shape *const form = &forms[i / 2];
        show_case s = make_case(c, form);
        picture want = picture_output(form);
        check_case(c, "%s %dx%d, %d channels", i % 2 ? "unshow" : "show", form->width, form->height,
                   form->channels);
        define(&s, i % 2, &want.plane);
        on_cpu(c, &s, form, i % 2, &want);
        if (c->cuda)
            on_cuda(c, &s, form, i % 2, &want);
        picture_free(&want);
        free_case(&s);
    }
}
