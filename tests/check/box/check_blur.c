/* Whole operations through the public library: one thread = several threads = CUDA. The primitives
 * have their own checks; here it is what core/ makes of them (numbers, words, tables, resampling,
 * buffers that are reused from call to call) that must be the same on every device. */
#include "check/check.h"

#include "check/box/blur_case.h"

#include <string.h>

typedef struct devices {
    satb_context *one, *several, *cuda; /* cuda NULL: there is none */
} devices;

/* Compares the status and the bytes, guards and paddings included. */
static void compare(check *c, backend on, satb_context *context, const task *t, const shape *s,
                    satb_status wanted, const picture *want)
{
    picture got = picture_output(s);
    const layout l = layout_of(&got.plane);
    const satb_status status = run_task(context, t, &got);

    if (check_that(c, on, status == wanted, "status %d wanted, %d found: %s", wanted, status,
                   satb_last_message(context)) &&
        status == SATB_OK)
        check_same(c, on, &want->memory, &got.memory, &l);
    picture_free(&got);
}

static void check_task(check *c, const devices *d, const task *t)
{
    const satk_plane *const p = &t->src.plane;
    const shape s = {p->width, p->height, p->channels, p->bits, 6, 2};
    picture want = picture_output(&s);

    check_case(c, "%s of %dx%d, %d channels of %d bits%s, map %dx%d of %d bits",
               operation_names[t->operation], p->width, p->height, p->channels, p->bits,
               t->half ? " (half floats)" : "", t->map.plane.width, t->map.plane.height,
               t->map.plane.bits);
    const satb_status status = run_task(d->one, t, &want);
    compare(c, ON_CPU, d->several, t, &s, status, &want);
    if (d->cuda)
        compare(c, ON_CUDA, d->cuda, t, &s, status, &want);
    picture_free(&want);
}

static void check_measure(check *c, const devices *d, const task *t)
{
    const satb_image src = image_of(&t->src);
    satb_channel_stats want[4], got[4];
    const size_t bytes = sizeof *want * (size_t)src.channels;

    satb_measure(d->one, &src, want);
    const satb_status several = satb_measure(d->several, &src, got);
    check_that(c, ON_CPU, several == SATB_OK && !memcmp(want, got, bytes), "statistics differ");
    if (!d->cuda)
        return;
    const satb_status cuda = satb_measure(d->cuda, &src, got);
    check_that(c, ON_CUDA, cuda == SATB_OK && !memcmp(want, got, bytes), "statistics differ");
}

static void check_table(check *c, const devices *d, const task *t, int word)
{
    const satb_image src = image_of(&t->src);
    const size_t words = (size_t)src.width * (size_t)src.height * (size_t)src.channels;
    const layout l = {words * (size_t)word / 8, words * (size_t)word / 8, (size_t)word / 8,
                      (size_t)word / 8};
    block want = block_guarded(l.row, 0), got = block_guarded(l.row, 0);

    check_case(c, "table of %dx%d, %d channels of %d bits, words of %d", src.width, src.height,
               src.channels, src.bits, word);
    block_poison(&want);
    satb_table(d->one, &src, word, block_data(&want));
    block_poison(&got);
    const satb_status several = satb_table(d->several, &src, word, block_data(&got));
    if (check_that(c, ON_CPU, several == SATB_OK, "%s", satb_last_message(d->several)))
        check_same(c, ON_CPU, &want, &got, &l);
    block_poison(&got);
    const satb_status cuda = d->cuda ? satb_table(d->cuda, &src, word, block_data(&got)) : SATB_OK;
    if (d->cuda && check_that(c, ON_CUDA, cuda == SATB_OK, "%s", satb_last_message(d->cuda)))
        check_same(c, ON_CUDA, &want, &got, &l);
    block_free(&want);
    block_free(&got);
}

static int open_devices(check *c, devices *d)
{
    const satb_config one = {.device = SATB_DEVICE_CPU, .threads = 1};
    const satb_config several = {.device = SATB_DEVICE_CPU, .threads = 3};
    const satb_config cuda = {.device = SATB_DEVICE_CUDA};

    return check_that(c, ON_CPU, satb_open(&d->one, &one) == SATB_OK, "%s", satb_open_message()) &&
           check_that(c, ON_CPU, satb_open(&d->several, &several) == SATB_OK, "%s",
                      satb_open_message()) &&
           (!c->cuda || check_that(c, ON_CUDA, satb_open(&d->cuda, &cuda) == SATB_OK, "%s",
                                   satb_open_message()));
}

static void check_operations(check *c)
{
    devices d = {0};

    if (open_devices(c, &d))
        for (int i = 0; i < check_count(c, 400, 12) && !check_hopeless(c); i++) {
            const int large = random_below(&c->random, 8) == 0;
            task t = random_task(&c->random, large ? 2000 : 200, large ? 500 : 150, 90);
            check_task(c, &d, &t);
            check_measure(c, &d, &t);
            check_table(c, &d, &t, i % 2 ? 32 : 64);
            task_free(&t);
        }
    satb_close(&d.one);
    satb_close(&d.several);
    satb_close(&d.cuda);
}

void check_blur(check *c)
{
    check_run(c, "blur.operations", check_operations);
    check_run(c, "blur.bands", check_bands);
    check_run(c, "blur.fallback", check_fallback);
    check_run(c, "blur.on_device", check_on_device);
    if (check_large_group(c, "blur.large") && large_fits(c, 14, 4))
        check_large_bands(c);
}
